import { expect, test } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { entryAt } from '../../testing/testEntry.ts';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { createOutcome, createUndo } from '../bulkState.ts';
import { readOutcomes, readUndone } from './readOutcomes.ts';

const server = setUpTestServer();

const AT = '2026-11-21T12:50:00.000Z';
const uuidOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;

test('an undo claims only what its own requests subscribed again', async () => {
  const row = (index: number, undo_request_id: string | null) => ({
    uuid: uuidOf(index),
    name: null,
    address: null,
    state: 'resubscribed',
    request_id: 'q',
    at: AT,
    undone_at: AT,
    undo_request_id,
  });
  const data = [row(0, 'ours'), row(1, 'theirs'), row(2, null)];
  const answer = () => server.answer(json({ data, meta: createPageMeta({ page: 1, per_page: 100 }, 3) }));
  const entries = data.map(({ uuid }, index) =>
    entryAt(index, {
      outcome: { ...createOutcome('unsubscribed'), uuid, request_id: 'q' },
      undo: createUndo('resubscribed', 'ours'),
    }),
  );
  server.answer(json({}, 404));
  expect(await readOutcomes('gone', entries, (call) => call())).toEqual([]);
  answer();
  const corrected = await readOutcomes('list', entries, (call) => call());
  expect(corrected.map(({ index, undo }) => [index, undo?.state, undo?.request_id, undo?.at])).toEqual([
    [1, 'already', 'theirs', AT],
  ]);
});

test('what a colleague undid since is read if the service has undone more than is known here', async () => {
  const row = {
    uuid: uuidOf(0),
    name: null,
    address: null,
    state: 'resubscribed',
    request_id: 'q',
    at: AT,
    undone_at: AT,
    undo_request_id: 'theirs',
  };
  server.answer((incoming, response) => {
    const data = incoming.url?.includes('/contacts')
      ? [row]
      : [{ uuid: 'list', entries: 1, received: 1, state: 'undone', resubscribed: 1 }];
    json({ data, meta: createPageMeta({ page: 1, per_page: 100 }, 1) })(incoming, response);
  });
  const entry = entryAt(0, { outcome: { ...createOutcome('unsubscribed'), uuid: uuidOf(0), request_id: 'q' } });
  expect(await readUndone('list', [entry], 1)).toEqual({ isUndone: true, changed: [] });
  expect(await readUndone('list', [entry], 0)).toMatchObject({
    isUndone: true,
    changed: [{ outcome: { state: 'unsubscribed' }, undo: { state: 'already', request_id: 'theirs', at: AT } }],
  });
});

import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { entryAt, logOf } from '../../testing/testEntry.ts';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { createOutcome, createUndo, type BulkEntry } from '../bulkState.ts';
import { undoEntry } from './calls.ts';

// Which contacts the undo of a list resubscribes, by the service's log.

const server = setUpTestServer();
const JANE = '00000000-0000-4000-8000-000000000001';
const REASON = 'Wrong list';

type LogEntry = { id: string | null; subscribed: boolean | null; reason?: string; run?: string };

/** A service with the log of one contact, newest first, which subscribes it. `fail` is called before each answer. */
function serve(log: LogEntry[], fail: (method: string, turn: number) => 'before' | 'after' | null = () => null) {
  let turn = 0;
  const listener: RequestListener = (request, response) => {
    const failure = fail(request.method ?? '', (turn += 1));
    if (failure === 'before') return void response.destroy();
    const id = `undo-${turn}`;
    if (request.method === 'POST' && log[0]?.subscribed !== true) {
      log.unshift({ id, subscribed: true, reason: REASON, run: 'list' });
    }
    if (failure === 'after') return void response.destroy();
    const body = request.method === 'POST' ? { data: { uuid: JANE, subscribed: true, attributes: {} } } : logOf(log);
    json(body, 200, { 'x-request-id': id })(request, response);
  };
  server.answer(listener);
}

const unsubscribed = entryAt(0, { outcome: { ...createOutcome('unsubscribed'), uuid: JANE, request_id: 'ours' } });

/** Up to three times. */
async function send<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

/** Undoes the entry; a request without an answer is sent again, up to three times. */
async function undo(entry = unsubscribed): Promise<BulkEntry[]> {
  const saved: BulkEntry[] = [];
  const save = async (next: BulkEntry) => void saved.push(next);
  const undone = await undoEntry(
    entry,
    { send, save },
    { workspace: 'w', run: 'list', undo: { reason: REASON, began_at: '' } },
  );
  return [...saved, undone];
}

const posts = () => server.received.filter(({ method }) => method === 'POST');

test('a contact the run unsubscribed is subscribed again with the reason, and the step is saved before', async () => {
  serve([
    { id: 'note', subscribed: null },
    { id: 'ours', subscribed: false },
  ]);
  const saved = await undo();
  expect(saved.map((entry) => entry.undo?.state)).toEqual(['sent', 'resubscribed']);
  expect(saved.at(-1)?.undo).toMatchObject({ request_id: 'undo-2', why: null });
  expect(posts().map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    [`/v1/workspaces/w/contacts/${JANE}/subscribe`, { reason: REASON }],
  ]);
});

test('a contact that complained since stays unsubscribed, and nothing is sent', async () => {
  const log = logOf([
    { id: 'theirs', subscribed: null },
    { id: 'ours', subscribed: false },
  ]);
  const suppression = { reason: 'complaint', ticket: null, origin: 'recipient' };
  const data = log.data.map((line, at) =>
    at === 0 ? { ...line, action: 'unsubscribe', changes: [], suppression } : line,
  );
  server.answer(json({ ...log, data }));
  expect((await undo()).at(-1)?.undo).toMatchObject({ state: 'changed', why: expect.stringMatching(/complaint/) });
  expect(posts()).toEqual([]);
});

test('a contact unsubscribed by a request with a lost response is subscribed again', async () => {
  serve([{ id: 'lost', subscribed: false, run: 'list' }]);
  expect((await undo()).at(-1)?.undo?.state).toBe('resubscribed');
});

test('a failure affects the entry; the end of the session, all', async () => {
  server.answer(json({}, 422));
  expect((await undo()).at(-1)?.undo?.state).toBe('failed');
  server.answer(json({}, 401));
  await expect(undo()).rejects.toMatchObject({ status: 401 });
});

const OURS: LogEntry = { id: 'ours', subscribed: false };
const BACK: LogEntry = { id: 'a', subscribed: true };

test.each([
  ['somebody has subscribed and unsubscribed them since', [{ id: 'b', subscribed: false }, BACK, OURS]],
  ['somebody has subscribed them since', [BACK, OURS]],
])('the contact is left unchanged if %s', async (_, log) => {
  serve(log);
  const saved = await undo();
  expect(saved.at(-1)?.undo).toMatchObject({
    state: 'changed',
    why: expect.stringMatching(/^Left unchanged/) as string,
  });
  expect(posts()).toEqual([]);
});

test.each([
  ['somebody else had unsubscribed them just before', [{ id: 'theirs', subscribed: false }]],
  ['the log has nothing of it', [{ id: 'note', subscribed: null }]],
  ['the log does not tell the request', [{ id: null, subscribed: false }]],
])('the undo is unclear if %s', async (_, log) => {
  serve(log);
  const saved = await undo();
  expect(saved.at(-1)?.undo).toMatchObject({
    state: 'unclear',
    why: 'Still unsubscribed: couldn’t confirm that this list caused it.',
  });
  expect(posts()).toEqual([]);
});

test('a lost response is not sent twice: the log shows that it was done', async () => {
  serve([OURS], (method) => (method === 'POST' ? 'after' : null));
  const saved = await undo();
  expect(saved.at(-1)?.undo).toMatchObject({ state: 'resubscribed', request_id: 'undo-2' });
  expect(posts()).toHaveLength(1);
});

test('a retry does not undo someone’s newer unsubscribe', async () => {
  const log: LogEntry[] = [OURS];
  serve(log, (method) => {
    if (method !== 'POST') return null;
    log.unshift({ id: 'theirs', subscribed: false }, { id: 'a', subscribed: true });
    return 'before';
  });
  const saved = await undo();
  expect(saved.at(-1)?.undo?.state).toBe('changed');
  expect(posts()).toHaveLength(1);
});

test('somebody else’s undo of the same run is not claimed', async () => {
  serve([{ id: 'theirs', subscribed: true, reason: REASON, run: 'list' }, OURS]);
  expect((await undo()).at(-1)?.undo).toMatchObject({ state: 'already', request_id: 'theirs' });
  expect(posts()).toEqual([]);
});

test('after a killed tab, its own change is distinguished from someone else’s', async () => {
  const sent = { ...unsubscribed, undo: createUndo('sent') };
  serve([{ id: 'before', subscribed: true, reason: REASON, run: 'list' }, OURS]);
  expect((await undo(sent)).at(-1)?.undo).toMatchObject({ state: 'resubscribed', request_id: 'before' });
  serve([{ id: 'theirs', subscribed: true, reason: 'Asked for it' }, OURS]);
  expect((await undo(sent)).at(-1)?.undo?.state).toBe('changed');
  serve([OURS]);
  expect((await undo(sent)).at(-1)?.undo).toMatchObject({ state: 'resubscribed', request_id: 'undo-2' });
  expect(posts()).toHaveLength(1);
});

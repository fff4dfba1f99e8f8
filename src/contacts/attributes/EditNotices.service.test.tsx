import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listContactChanges } from '#contract/change.ts';
import { createPageMeta } from '#contract/list.ts';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import type { AttributeChange } from './attributeChanges.ts';
import { DraftNotices } from './EditNotices.tsx';

const server = setUpTestServer();

const CITY = { key: 'city', before: 'Basel', after: 'Bern' };
const PLAN = { key: 'plan', before: 'free', after: 'pro' };
const ADA = { kind: 'person', uuid: 'p', name: 'Ada', email: 'ada@x.test' };
const line = (field: string, actor: object = ADA) => ({
  uuid: field,
  action: 'update',
  created_at: '2026-03-04T10:00:00.000Z',
  actor,
  request_id: null,
  run: null,
  reason: null,
  changes: [{ field, before: null, after: null }],
});

function open(conflicts: AttributeChange[], changes: AttributeChange[], lines: readonly object[]) {
  server.answer(json({ data: lines, meta: createPageMeta({ page: 1, per_page: 25 }, lines.length) }));
  const { client, show } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [listContactChanges.id] }));
  show(<DraftNotices contact="c" keptSince={null} attributes={{ conflicts, changes, isChanged: true }} />);
}

test.each([
  ['the same attribute', [CITY], [CITY], 'Save again to overwrite theirs.'],
  ['another attribute', [CITY], [PLAN], 'Save again to add them: theirs stay.'],
  ['one of them the same', [CITY, PLAN], [PLAN], 'Save again to overwrite theirs of plan: their other changes stay.'],
])('a colleague changed %s: says what a save does, and who it was', async (_, theirs, own, words) => {
  open(theirs, own, [line('attributes.city'), line('attributes.plan')]);
  await screen.findByText('Ada changed this contact while you were editing');
  expect(document.body.textContent).toContain(`Your changes are kept below. ${words}`);
});

test('names nobody where the log does not say', async () => {
  open([CITY], [CITY], [line('attributes.plan')]);
  await expect.poll(() => server.received.length).toBe(1);
  screen.getByText('Someone else changed this contact while you were editing');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../workspaces/store.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';

// The interface's times have four digits for the year, so that one is the last.

let t: TestAdmin;
beforeAll(async () => {
  t = await startTestAdmin();
});
afterAll(() => t[Symbol.asyncDispose]());

const LAST = '9999-12-31T23:59:59.999Z';
const FIRST = '0000-01-01T00:00:00.000Z';
const times = { created_at: LAST, updated_at: LAST };

test.each<[resource: string, line: object, change: object]>([
  [
    'contacts',
    { attributes: { email: 'jane@example.com' }, ...times },
    { attributes: { email: 'jane@example.com', company: 'Acme' }, subscribed: false },
  ],
  ['domains', { name: 'x.test', ...times }, { name: 'x.test', status: 'verified' }],
  ['addresses', { domain: 'x.test', address: 'a', ...times }, { domain: 'x.test', address: 'a', display_name: 'A' }],
])('%s of the last millisecond can be changed, exported and imported again', async (resource, line, change) => {
  const put = async (lines: object[], workspace = t.workspace.uuid) => {
    const file = await t.file('in.ndjson', ndjson(lines));
    return (await t.admin(['import', resource, file, '--workspace', workspace, '--json'])).result();
  };
  expect(await put([line])).toMatchObject({ added: 1, refused: 0 });
  expect(await put([change])).toMatchObject({ changed: 1, refused: 0 });
  const { out } = await t.admin(['export', resource, '-', '--workspace', t.workspace.uuid]);
  const exported = JSON.parse(out) as { uuid: string };
  expect(exported).toMatchObject(times);

  const other = await createWorkspace(t.database, { name: 'Other', identity_field: null }, 0);
  if (resource === 'addresses') {
    const domains = await t.admin(['export', 'domains', '-', '--workspace', t.workspace.uuid]);
    const file = await t.file('domains.ndjson', domains.out);
    expect((await t.admin(['import', 'domains', file, '--workspace', other.uuid])).code).toBe(0);
  }
  expect(await put([exported], other.uuid)).toMatchObject({ added: 1, refused: 0 });
});

test('an event of the first and the last millisecond is exported as it was imported', async () => {
  const contact = { uuid: crypto.randomUUID(), attributes: {} };
  await t.importFile('contacts', await t.file('contact.ndjson', ndjson([contact])));
  const events = [LAST, FIRST].map((created_at) => ({ contact: contact.uuid, event_name: 'opened', created_at }));
  const said = await t.importFile('events', await t.file('events.ndjson', ndjson(events)));
  expect(said.result()).toMatchObject({ added: 2, refused: 0 });
  const { out } = await t.admin(['export', 'events', '-', '--workspace', t.workspace.uuid]);
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { created_at: string }).created_at).toSorted()).toEqual([
    FIRST,
    LAST,
  ]);
});

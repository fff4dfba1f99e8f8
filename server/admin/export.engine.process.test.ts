import { sql } from 'kysely';
import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkspace } from '../workspaces/store.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const RESOURCES = ['contacts', 'events', 'domains', 'addresses'] as const;
const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
const times = (minute: number) => ({ created_at: at(minute), updated_at: at(minute * 2) });

const EVERYTHING = {
  contacts: Array.from({ length: 450 }, (_, index) => ({
    uuid: uuidOf(9000 - index),
    subscribed: index % 2 === 0,
    attributes: {
      email: `Person+${index}@example.com`,
      note: ['\u2028', null, { __proto: '</script>' }],
      customer_id: index,
    },
    ...times(index),
  })),
  events: Array.from({ length: 1050 }, (_, index) => ({
    uuid: uuidOf(index),
    contact: uuidOf(9000 - (index % 3)),
    event_name: `name "${index % 5}"\\\u0001\n\u2028`,
    // Pages of small rows are larger than others.
    attributes: index % 2 === 0 ? {} : { index, nested: { empty: [] }, filler: index < 700 ? '' : 'é'.repeat(1500) },
    created_at: at(index % 100),
  })),
  domains: Array.from({ length: 205 }, (_, index) => ({
    uuid: uuidOf(index),
    name: `d${index}.example`,
    domain: `D${index}.example`,
    verified: index % 2 === 0,
    provider: 'ses',
    status: 'unheard of',
    verification: 'failed',
    mail_from_domain: `bounce.d${index}.example`,
    mail_from_verified: index % 3 === 0,
    dns: Array.from({ length: index % 4 }, (_, at) => ({
      type: 'MX',
      name: `${3 - at}`,
      value: '10 a',
      is_valid: at > 1,
    })),
    ...times(index),
  })),
  addresses: Array.from({ length: 30 }, (_, index) => ({
    uuid: uuidOf(index),
    domain_uuid: uuidOf(index % 7),
    address: `Local.${index}`,
    full_address: `Local.${index}@d${index % 7}.example`,
    provider: 'ses',
    display_name: '"Zoë", <b>',
    verification: 'completed',
    ...times(index),
  })),
};

const sorted = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).toSorted();
const linesOf = (text: string) => text.trimEnd().split('\n');

test('what is exported imports into an empty workspace to the same state', async () => {
  const copy = await createWorkspace(t.database, { name: 'Copy', identity_field: 'customer_id' }, Date.now());
  for (const resource of RESOURCES) {
    await t.importFile(resource, await t.file('in.ndjson', ndjson(EVERYTHING[resource])));
    const file = await t.file(`${resource}.ndjson`);
    const exported = await t.admin(['export', resource, file, '--workspace', t.workspace.uuid, '--json']);
    expect(exported).toMatchObject({ code: 0, err: '' });
    expect(exported.result()).toEqual({ lines: EVERYTHING[resource].length });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    // The line of an event has its contact last.
    const lines = linesOf(text).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(sorted(lines.map(inOrder))).toEqual(sorted(EVERYTHING[resource].map(inOrder)));

    const said = await t.admin(['import', resource, file, '--workspace', copy.uuid, '--json']);
    expect(said.result()).toMatchObject({ added: EVERYTHING[resource].length, refused: 0 });
    const again = await t.admin(['export', resource, '--workspace', copy.uuid]);
    expect(again.out).toBe(text);
    expect(await t.admin(['export', resource, file, '--workspace', copy.uuid])).toMatchObject({
      code: 1,
      err: `${file} exists already: nothing is overwritten.\n`,
    });
  }
  const rows = await t.rows();
  // What was done to each is in its own log.
  const own = new Set(['workspaces', 'tokens', 'changes', 'change_values']);
  for (const [table, all] of Object.entries(rows).filter(([table]) => !own.has(table))) {
    const of = (id: number) =>
      sorted(
        (all as { workspace_id: number }[]).flatMap(({ workspace_id, ...row }) => (workspace_id === id ? [row] : [])),
      );
    expect([table, of(copy.id)]).toEqual([table, of(t.workspace.id)]);
  }
});

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

test('an import of events that is killed again and again ends with what one that was left alone gives', async () => {
  const people = await t.file(
    'people.ndjson',
    ndjson([1, 2].map((id) => ({ attributes: { customer_id: id }, ...times(id) }))),
  );
  // So long that a few thousand of them fill a batch.
  const filler = 'x'.repeat(1000);
  const events = Array.from({ length: 14_000 }, (_, index) => ({
    contact: index % 7 === 0 ? '2' : '1',
    event_name: `name ${index % 5}`,
    attributes: { index, filler },
    created_at: at(index / 3),
  }));
  const file = await t.file('events.ndjson', ndjson(events));
  const alone = await createWorkspace(t.database, { name: 'Alone', identity_field: 'customer_id' }, Date.now());
  for (const { uuid } of [t.workspace, alone]) {
    await t.admin(['import', 'contacts', people, '--workspace', uuid]);
  }
  expect(await t.admin(['import', 'events', file, '--workspace', alone.uuid])).toMatchObject({ code: 0 });

  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select sum(event_count) as count from contacts where workspace_id = ${t.workspace.id}`.execute(
      t.database.unscoped.kysely,
    );
    return rows[0]?.count ?? 0;
  };
  for (let kill = 0; kill < 2; kill++) {
    const before = await count();
    const killer = new AbortController();
    const killed = t.admin(['import', 'events', file, '--workspace', t.workspace.uuid], { signal: killer.signal });
    // When one is visible, the next batch is in progress.
    await vi.waitUntil(async () => (await count()) > before, { timeout: 30_000, interval: 1 });
    killer.abort();
    expect((await killed).code).toBeNull();
  }
  const before = await count();
  expect(before).toBeLessThan(events.length);
  const last = await t.importFile('events', file);
  expect(last.result()).toMatchObject({ added: events.length - before, unchanged: before });
  expect(await stateOf(t.workspace.id)).toEqual(await stateOf(alone.id));
  expect(await t.admin(['check', '--workspace', t.workspace.uuid])).toMatchObject({ code: 0 });
});

/** All that events store, except IDs, which depend on that of the workspace. */
async function stateOf(workspaceId: number) {
  const rows = await t.rows();
  const of = (table: string) =>
    (rows[table] as { workspace_id: number; uuid?: string }[])
      .filter(({ workspace_id }) => workspace_id === workspaceId)
      .map((row) => JSON.stringify({ ...row, workspace_id: null, uuid: null }))
      .toSorted();
  return { contacts: of('contacts'), events: of('events'), names: of('event_names'), periods: of('event_periods') };
}

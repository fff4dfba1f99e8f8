import { readFile, stat } from 'node:fs/promises';
import { SUPPRESSION_ORIGINS, SUPPRESSION_REASONS } from '#contract/suppressions/suppression.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkspace } from '../../../workspaces/store.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../../../testing/processes/testAdmin.ts';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const RESOURCES = ['contacts', 'events', 'domains', 'addresses'] as const;
const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
const times = (minute: number) => ({ created_at: at(minute), updated_at: at(minute * 2) });

const suppressionOf = (index: number) => ({
  reason: SUPPRESSION_REASONS[index % 3] ?? null,
  ...(index % 3 === 0 && { ticket: `T-${index}` }),
  origin: SUPPRESSION_ORIGINS[index % SUPPRESSION_ORIGINS.length],
  since: at(index),
});

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
    ...(index % 4 === 1 && { suppression: suppressionOf(index) }),
    // Without a reason.
    ...(index % 4 === 3 && { suppression: { reason: null, origin: 'import', since: at(index) } }),
  })),
  events: Array.from({ length: 1050 }, (_, index) => ({
    uuid: uuidOf(index),
    contact: uuidOf(9000 - (index % 3)),
    event_name: `name "${index % 5}"\\\u0001\n\u2028`,
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
    const kept = await t.file(`${resource}.ndjson.unfinished`, 'of somebody');
    const exported = await t.admin(['export', resource, file, '--workspace', t.workspace.uuid, '--json']);
    expect(exported).toMatchObject({ code: 0, err: '' });
    expect(exported.result()).toEqual({ lines: EVERYTHING[resource].length });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(kept, 'utf8')).toBe('of somebody');
    const text = await readFile(file, 'utf8');
    // The line of an event has its contact last.
    const lines = linesOf(text).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(sorted(lines.map(inOrder))).toEqual(sorted(EVERYTHING[resource].map(inOrder)));

    const said = await t.admin(['import', resource, file, '--workspace', copy.uuid, '--json']);
    expect(said.err).toBe('');
    expect(said.result()).toMatchObject({ added: EVERYTHING[resource].length, refused: 0 });
    const again = await t.admin(['export', resource, '--workspace', copy.uuid]);
    expect(again.out).toBe(text);
  }
  const rows = await t.rows();
  // What was done to each is in its own log and runs, whose lines have their own order.
  const own = new Set(['workspaces', 'workspace_heads', 'tokens', 'changes', 'change_values', 'runs']);
  for (const [table, all] of Object.entries(rows).filter(([table]) => !own.has(table))) {
    const of = (id: number) =>
      sorted(
        (all as { workspace_id: number }[]).flatMap(({ workspace_id, ...row }) =>
          workspace_id === id ? [{ ...row, suppression_line: null }] : [],
        ),
      );
    expect([table, of(copy.id)]).toEqual([table, of(t.workspace.id)]);
  }
});

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

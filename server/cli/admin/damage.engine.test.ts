import { sql, type SqlBool } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { addIndex } from '../../contacts/attributeIndex/manageIndexes.ts';
import { putEvents } from '../../contacts/events/putEvents.ts';
import { putContacts, unsubscribeContact } from '../../contacts/store.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { insertRows } from '../../database/insertRows.ts';
import type { StoredRow } from '../../database/storedRow.ts';
import type { Tables, WorkspaceId } from '../../database/schema/tables.ts';
import { putAddresses } from '../../domains/putAddresses.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { acceptFault } from '../../domains/history/acceptances.ts';
import { putVerdicts } from '../../domains/putVerdicts.ts';
import { findDomainByName } from '../../domains/store.ts';
import { adviceLine } from '../../testing/testLooks.ts';
import { inviteMember } from '../../members/members.ts';
import { eraseContact } from '../../privacy/erase.ts';
import { CALLER, ENGINE, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { alterLog } from '../../testing/testLog.ts';
import { Terminal } from '../terminal/terminal.ts';
import { rebuildWorkspace, verifyWorkspace } from './verify.ts';

// One row of whatever is checked is damaged, and `verify` says exactly that.

const DAY = 86_400_000;
const TEN_MINUTES = 600_000;

/**
 * Contacts by id: 1 has events at many levels and changes, 2 has some events, 3 a change, 4 nothing, 5 was erased, 6 has all identities and
 * names of events in capitals, 7 odd attributes and is unsubscribed.
 */
let t: TestDatabase;
/** The ids of contacts by UUID. */
let ids: Map<string, number>;

const person = (id: number, plan = 'none') => ({ attributes: { email: `p${id}@x.test`, plan } });
const JANE = { email: 'Jane@Example.com', phone: '+49 30 123456', customer_id: 7, company: 'Acme' };
const ODD = { customer_id: 'İ', first_name: 'x'.repeat(300), company: ['Acme'], note: null };

beforeAll(async () => {
  t = await openTestDatabase();
  await t.db.write(t.workspace, async (scope) => {
    const persons = [1, 2, 3, 4, 5].map((id) => person(id));
    for (const contacts of [persons, [{ attributes: JANE }], [{ attributes: ODD }]]) {
      await putContacts(scope, contacts, NOW - DAY);
    }
    await putContacts(scope, [person(1, 'gold'), person(3, 'gold')], NOW);
    await putContacts(scope, [person(1, 'lead')], NOW);
    const events = Array.from({ length: 1500 }, (_, at) => ({
      contact: at < 1490 ? 'p1@x.test' : 'p2@x.test',
      event_name: `name ${at % 3}`,
      created_at: NOW - DAY + at * 7,
    }));
    const named = ['Opened', 'Überwiesen', 'clicked'].map((event_name) => {
      return { contact: JANE.email, event_name, created_at: NOW };
    });
    await putEvents(
      scope,
      [...events, ...named].map((event) => ({ ...event, attributes: {} })),
      NOW,
    );
    await putDomains(scope, [{ name: 'Mail.Example.com' }, { name: 'm\u00fcnchen.example' }], NOW);
    await putAddresses(scope, [{ domain: 'mail.example.com', address: 'News' }], NOW);
  });
  for (const name of ['customer_id', 'company']) await addIndex(t.workspace, t.db, name, () => {});
  await checkTwice();
  await unsubscribeContact(t.workspace, t.db, 'İ', CALLER, NOW);
  await inviteMember(t.workspace, t.db, { email: 'Änne@Example.com', role: 'read' }, 0);
  const erased = await eraseContact(t.workspace, t.db, 'p5@x.test', { identity: null }, COMMAND, NOW);
  const rows = await t.db.unscoped.kysely
    .selectFrom('contacts')
    .select(['id', 'uuid'])
    .where('workspace_id', '=', t.workspace.id)
    .execute();
  ids = new Map([...rows.map(({ id, uuid }) => [uuid, id] as const), [must(erased).contact, 5]]);
});
afterAll(() => t[Symbol.asyncDispose]());

/** A domain of which a fault was found, changed, opened an incident, and is accepted. */
async function checkTwice(): Promise<void> {
  const found = await t.db.read(t.workspace, (scope) => findDomainByName(scope, 'mail.example.com'));
  const { uuid } = must(found);
  for (const at of [-1, 0, 1]) {
    const line = adviceLine('dmarc', { result: at < 0 ? 'ok' : 'warn', found: [`${at}`] });
    await putVerdicts(t.workspace, t.db, uuid, [line], NOW + at * TEN_MINUTES, DAY);
  }
  const fault = { subject: 'dmarc', code: 'TEST', reason: 'r', until: NOW + DAY };
  await acceptFault(t.workspace, t.db, uuid, fault, COMMAND, NOW + TEN_MINUTES);
}

/** Statements have `W` for the id of the workspace. */
const statement = (text: string) => sql.raw(text.replaceAll(/\bW\b/g, String(t.workspace.id)));
const ofContact = (id: number) => `workspace_id = W and contact_id = ${id}`;
const SEARCH = 'The search index differs from the contacts; --rebuild rewrites it.';
/** The quarter of an hour of the unsubscribe of contact 7. */
const LAST_EVENT = `${ofContact(2)} and created_at = ${NOW - DAY + 1499 * 7}`;

const indexOf = (name: string) => `The index of "${name}" differs from the contacts; --rebuild rewrites it.`;
const countOf = (contact: number, is: string) => `event_names.count of contact #${contact} ${is}.`;
const orphan = (what: string, row: string | number) => `There is ${what} ${row}.`;
const EVENT_OWNER = 'events of a contact that does not exist, ID';

/** What is said of it is the title of its test. */
type Damage = [table: keyof Tables, damage: string, ...errors: [string, ...string[]]];

const strayRows: Damage[] = [
  [
    'event_names',
    `insert into event_names values (W, 99, 'opened', 'opened', 2)`,
    'event_names.count of contact 99 is 2 (should not exist).',
  ],
  [
    'events',
    `insert into events values (W, 99, 7, 'uuid', 'opened', '{}')`,
    'event_names.count of contact 99 is missing (should be 1).',
    orphan(EVENT_OWNER, 99),
  ],
];
// PostgreSQL refuses them from any writer.
if (ENGINE === 'sqlite') {
  const insert = `insert into identities values (W, 'phone', '+49', 99, null), (W, 'phone', '+50', 99, null)`;
  strayRows.push(['identities', insert, orphan('identities of a contact that does not exist, ID', 99)]);
  const stray = `domain_uuid = '00000000-0000-4000-8000-000000000009' where workspace_id = W`;
  for (const [table, condition] of [
    ['domain_spans', 'and ended_at is not null'],
    ['incidents', ''],
  ] as const) {
    const error = orphan(`${table} of a domain that does not exist, UUID`, 'UUID');
    strayRows.push([table, `update ${table} set ${stray} ${condition}`, error]);
  }
}

const destination = `insert into destinations
  (workspace_id, uuid, kind, name, address, secrets, rules, log_number, created_at, updated_at) values`;
const RIGHT_RULES = '{"incidents":[],"contact_changes":true,"digest":false,"heartbeat":false}';
strayRows.push(
  [
    'destinations',
    `${destination} (W, 'of a webhook', 'webhook', 'n', 'hooks', '[]', '{', 999, 0, 0)`,
    'There are unreadable rules of destination of a webhook.',
    'There are impossible secrets of destination of a webhook.',
    'There is an impossible address of destination of a webhook.',
    'There is a position after the end of the log, of destination of a webhook.',
  ],
  [
    'destinations',
    `${destination} (W, 'of mail', 'mail', 'n', 'a@x.test', '{', '${RIGHT_RULES}', 0, 0, 0)`,
    'There are impossible secrets of destination of mail.',
  ],
  ...['{', '{}', 'null'].map((body): Damage => [
    'messages',
    `update messages set body = '${body}' where workspace_id = W`,
    'There is a message with an unreadable body, UUID UUID.',
  ]),
);

/** Counters and folded columns, by table: each is changed to something else. */
const DERIVED: readonly Damage[] = [
  [
    'attribute_values',
    'delete from attribute_values where workspace_id = W and contact_id = 6 and attribute = 1',
    indexOf('customer_id'),
  ],
  [
    'attribute_values',
    `update attribute_values set value_rank = 'n' where workspace_id = W and attribute = 2`,
    indexOf('company'),
  ],
  ['attribute_values', `insert into attribute_values values (W, 1, 99, 'gold', null)`, indexOf('customer_id')],
  [
    'attribute_values',
    `insert into attribute_values values (W, 7, 1, 'gold', null)`,
    'There are values of an index that does not exist, number 7.',
  ],
  ...(
    [
      ['contact_count', 6],
      ['subscribed_count', 5],
      ['domain_count', 2],
      ['warning_domain_count', 0],
      ['pending_domain_count', 2],
      ['failing_domain_count', 0],
      ['address_count', 1],
    ] as const
  ).map(([column, right]): Damage => {
    const error = `workspace_heads.${column} is 9 (should be ${right}).`;
    return ['workspace_heads', `update workspace_heads set ${column} = 9 where workspace_id = W`, error];
  }),
  [
    'workspace_heads',
    'update workspace_heads set next_contact_id = 3 where workspace_id = W',
    'workspace_heads.next_contact_id is 3 (should be 8).',
  ],
  [
    'contacts',
    'update contacts set change_count = 0 where workspace_id = W and id in (1, 3)',
    'contacts.change_count of #1 is 0 (should be 2).',
    'contacts.change_count of #3 is 0 (should be 1).',
  ],
  [
    'contacts',
    'update contacts set change_count = 1 where workspace_id = W and id = 4',
    'contacts.change_count of #4 is 1 (should be 0).',
  ],
  [
    'domains',
    `update domains set address_count = 2 where workspace_id = W and name like 'Mail%'`,
    'domains.address_count of UUID is 2 (should be 1).',
  ],
  [
    'domains',
    `update domains set state = 'failing' where workspace_id = W and name like 'Mail%'`,
    "domains.state of UUID doesn't match the row.",
    'workspace_heads.failing_domain_count is 0 (should be 1).',
    'workspace_heads.pending_domain_count is 2 (should be 1).',
  ],
  ...['urgency', 'verdict_bytes'].map((column): Damage => {
    const damage = `update domains set ${column} = ${column} + 7 where workspace_id = W and name like 'Mail%'`;
    return ['domains', damage, `domains.${column} of UUID doesn't match the row.`];
  }),
  ...['suppressed_at', 'suppression_line'].map((column): Damage => {
    const damage = `update contacts set ${column} = ${column} + 1 where workspace_id = W and id = 7`;
    return ['contacts', damage, `contacts.${column} of #7 doesn't match the row.`];
  }),
  [
    'contacts',
    `update contacts set suppressed_by = 'command' where workspace_id = W and id = 4`,
    "contacts.suppressed_by of #4 doesn't match the row.",
  ],
  [
    'contacts',
    `update contacts set suppression_reason = 'bounce' where workspace_id = W and id = 7`,
    "contacts.suppression_reason of #7 doesn't match the row.",
    'suppression_counts.count of , program, UUID is 1 (should not exist).',
    'suppression_counts.count of bounce, program, UUID is missing (should be 1).',
  ],
  [
    'suppression_counts',
    'update suppression_counts set count = count + 1 where workspace_id = W',
    'suppression_counts.count of , program, UUID is 2 (should be 1).',
  ],
  [
    'suppression_counts',
    'delete from suppression_counts where workspace_id = W',
    'suppression_counts.count of , program, UUID is missing (should be 1).',
  ],
  [
    'event_names',
    `insert into event_names values (W, 4, 'opened', 'opened', 2)`,
    countOf(4, 'is 2 (should not exist)'),
  ],
  [
    'event_names',
    `delete from event_names where workspace_id = W and event_name like 'Ü%'`,
    countOf(6, 'is missing (should be 1)'),
  ],
  [
    'event_names',
    `update event_names set count = 7 where workspace_id = W and event_name = 'name 1'`,
    countOf(1, 'is 7 (should be 497)'),
    countOf(2, 'is 7 (should be 3)'),
  ],
  [
    // Their sum is right.
    'event_names',
    `update event_names set count = case when event_name = 'name 1' then count + 1 else count - 1 end
     where ${ofContact(2)} and event_name <> 'name 2'`,
    countOf(2, 'is 2 (should be 3)'),
    countOf(2, 'is 4 (should be 3)'),
  ],
  ...['email_key', 'first_name_key', 'last_name_key', 'company_key'].map((column): Damage => {
    const damage = `update contacts set ${column} = 'x' where workspace_id = W and id = 6`;
    return ['contacts', damage, `contacts.${column} of #6 doesn't match the row.`];
  }),
  [
    'contacts',
    `update contacts set search_key = 'x' where workspace_id = W and id = 6`,
    "contacts.search_key of #6 doesn't match the row.",
    SEARCH,
  ],
  ...['zzz', 'überwiesen'].map((key): Damage => {
    const damage = `update event_names set name_key = '${key}' where workspace_id = W and event_name like 'Ü%'`;
    return ['event_names', damage, "event_names.name_key of contact #6 doesn't match the row."];
  }),
  ...(
    [
      ['domains', 'name_key', `where name like 'Mail%' and`],
      ['addresses', 'address_key', 'where'],
      ['addresses', 'full_key', 'where'],
      ['addresses', 'verification_key', 'where'],
      ['addresses', 'domain_key', 'where'],
      ['members', 'email_key', 'where'],
      ['members', 'search_key', 'where'],
    ] as const
  ).map(([table, column, where]): Damage => {
    const error = `${table}.${column} of UUID doesn't match the row.`;
    return [table, `update ${table} set ${column} = 'zzz' ${where} workspace_id = W`, error];
  }),
  strayRows[0]!,
];

/** The current span began at the second look. */
const ENDED = 'workspace_id = W and ended_at is not null';

const DAMAGES: readonly Damage[] = [
  [
    'domain_spans',
    `update domain_spans set ended_at = started_at - 1 where ${ENDED}`,
    orphan('a span that ends before it starts, of domain', 'UUID'),
  ],
  [
    'domain_spans',
    `update domain_spans set ended_at = started_at + ${TEN_MINUTES} where ${ENDED}`,
    orphan('a span that another one overlaps, of domain', 'UUID'),
  ],
  [
    'domain_spans',
    `update domain_spans set ended_at = null where ${ENDED}`,
    "domains.verdict_bytes of UUID doesn't match the row.",
    orphan('more than one current span of a subject, of domain', 'UUID'),
  ],
  [
    'domain_spans',
    `update domain_spans set started_at = started_at + 1 where workspace_id = W and ended_at is null`,
    orphan('a current span that the last check of its domain did not find, of domain', 'UUID'),
  ],
  ...[
    `finding = '{'`,
    `finding = '{}'`,
    `evidence = '{}'`,
    `evidence = '[{"records":{"of":7}}]'`,
    `previous_found = '7'`,
  ].map((set): Damage => [
    'domain_spans',
    `update domain_spans set ${set} where ${ENDED}`,
    orphan('an unreadable span, about dmarc of domain', 'UUID'),
  ]),
  ...['closed_at = 7', `state = 'closed'`, `state = 'suspect'`].map((set): Damage => {
    const error = orphan('an incident with an impossible order of times, UUID', 'UUID');
    return ['incidents', `update incidents set ${set} where workspace_id = W`, error];
  }),
  [
    'acceptances',
    `insert into acceptances select workspace_id, '00000000-0000-4000-8000-000000000007', domain_uuid, subject, code, found,
       reason, accepted_at, until, ended_at, actor_kind, actor, actor_name from acceptances where workspace_id = W`,
    orphan('more than one acceptance of a subject that holds, of domain', 'UUID'),
  ],
  ...strayRows.slice(1),
  ['events', `delete from events where ${LAST_EVENT}`, countOf(2, 'is 4 (should be 3)')],
  [
    'contacts',
    `update contacts set attributes = '{"email":"p3@x.test","plan":"lead"}' where workspace_id = W and id = 3`,
    '#3: the log ends with another attribute.',
  ],
  [
    'change_values',
    `update change_values set changes = '[' where workspace_id = W and salt <> ''`,
    "#1: change 1 in the log can't be read.",
    "#3: change 1 in the log can't be read.",
    "#7: change 1 in the log can't be read.",
    'Log: entry 1 has other values than were written.',
  ],
  [
    'change_values',
    `insert into change_values values (W, 999, '', '{}', '[]')`,
    orphan('values of a log entry that does not exist, number', 999),
  ],
  [
    'contacts',
    'update contacts set subscribed = 7 where workspace_id = W and id = 4',
    orphan('a contact with an impossible subscription or time, UUID', '#4'),
    'workspace_heads.subscribed_count is 5 (should be 4).',
  ],
  [
    'contacts',
    'update contacts set subscribed = 1 where workspace_id = W and id = 7',
    '#7: the log ends with another subscription.',
    "contacts.suppressed_at, suppressed_by, suppression_origin, suppression_line of #7 doesn't match the row.",
    'suppression_counts.count of , program, UUID is 1 (should not exist).',
    'workspace_heads.subscribed_count is 5 (should be 6).',
  ],
  [
    'contacts',
    'update contacts set created_at = 9000000000000000, updated_at = 253402300800000 where workspace_id = W and id = 4',
    orphan('a contact with an impossible subscription or time, UUID', '#4'),
  ],
  ...['{', '7'].map((text): Damage => {
    const damage = `update contacts set attributes = '${text}' where workspace_id = W and id = 4`;
    return ['contacts', damage, "contacts.attributes of #4 can't be read."];
  }),
  [
    'identities',
    `insert into identities values (W, 'phone', '+49', 2, null)`,
    "#2 is found by an identity (phone) that it doesn't have.",
  ],
  [
    'identities',
    `delete from identities where workspace_id = W and key = 'jane@example.com'`,
    "#6 isn't found by its email identity.",
  ],
  [
    'identities',
    `update identities set contact_id = 2 where workspace_id = W and key = 'jane@example.com'`,
    "#2 is found by an identity (email) that it doesn't have.",
    "#6 isn't found by its email identity.",
  ],
  [
    'identities',
    `update identities set digits = '+4930654321' where workspace_id = W and digits = '+4930123456'`,
    "#6 isn't found by the digits of its phone number.",
  ],
  [
    'erasures',
    `insert into erasures (workspace_id, contact_id, contact_uuid, erased_at, finished_at) values (W, 98, 'nobody', 7, 8)`,
    "Contact nobody: its erasure isn't in the log.",
    'workspace_heads.next_contact_id is 8 (should be 99).',
  ],
  ...(['erased_at', 'lifted_at', 'reference', 'identity_count'] as const).map((column): Damage => {
    const isRefused = ['lifted_at', 'identity_count'].includes(column);
    return [
      'erasures',
      `update erasures set ${column} = ${column === 'reference' ? `'R-7'` : '7'} where ${ofContact(5)}`,
      ...((isRefused ? ['#5: its erasure refuses more or fewer identities than it had.'] : []) as [string]),
      '#5: its erasure differs from the log.',
    ];
  }),
  [
    'erasures',
    `update erasures set contact_id = 1 where ${ofContact(5)}`,
    '#5: its erasure refuses more or fewer identities than it had.',
    orphan('an erased contact that exists, UUID', '#1'),
    orphan('refused identities of an unknown erasure, contact ID', 5),
  ],
  [
    'erased_identities',
    `update erased_identities set hash = 'other' where ${ofContact(5)}`,
    '#5: its erasure refuses other identities than it had.',
  ],
  [
    'erased_identities',
    `insert into erased_identities values (W, 'hash', 98)`,
    orphan('refused identities of an unknown erasure, contact ID', 98),
  ],
];

async function verify(): Promise<string[]> {
  const errors = await verifyWorkspace(t.workspace, t.db);
  return errors
    .map((error) =>
      error
        .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, (uuid) => (ids.has(uuid) ? `#${ids.get(uuid)}` : 'UUID'))
        .replace(/^Contact #/, '#'),
    )
    .toSorted();
}

/** Found by their UUID, or workspace, and updated rather than replaced, because other rows refer to them. */
const REFERRED = new Set<keyof Tables>(['workspace_heads', 'contacts', 'domains', 'addresses', 'members']);

/** On SQLite as another program would, for which no foreign key holds. */
async function damageRows(damage: string): Promise<void> {
  if (ENGINE !== 'sqlite') return void (await t.db.write(t.workspace, (scope) => scope.run(statement(damage))));
  using file = new DatabaseSync(t.url.slice('file:'.length), { enableForeignKeyConstraints: false });
  file.exec(damage.replaceAll(/\bW\b/g, String(t.workspace.id)));
}

const readTable = async (table: keyof Tables) =>
  (
    await sql<StoredRow>`
      select * from ${sql.table(table)}
      where ${statement('workspace_id = W')}`.execute(t.db.unscoped.kysely)
  ).rows;

/** Without what changes with each write. */
const plain = (rows: readonly StoredRow[]) =>
  rows.map(({ mark: _mark, search_mark: _searchMark, ...row }) => JSON.stringify(row)).toSorted();

async function restore(table: keyof Tables, before: readonly StoredRow[]): Promise<void> {
  await t.db.write(t.workspace, async ({ kysely: trx }) => {
    if (!REFERRED.has(table)) {
      await sql`delete from ${sql.table(table)} where ${statement('workspace_id = W')}`.execute(trx);
      return insertRows(trx, table, before);
    }
    for (const { workspace_id: owner, uuid, id: _id, mark: _mark, ...row } of before) {
      const rows = trx.updateTable(table as 'contacts').set(row);
      await rows
        .where('workspace_id', '=', owner as WorkspaceId)
        .where(uuid === undefined ? sql<SqlBool>`true` : sql<SqlBool>`uuid = ${uuid}`)
        .execute();
    }
  });
}

const toCase = ([table, damage, ...errors]: Damage) => ({ table, damage, errors });

test.each(DAMAGES.map(toCase))('$table: $errors.0', async ({ table, damage, errors }) => {
  const before = await readTable(table);
  await damageRows(damage);
  const found = await verify();
  await restore(table, before);
  expect(found).toEqual(errors.toSorted());
  expect(await verify()).toEqual([]);
});

test.each(DERIVED.map(toCase))(
  '$table: $errors.0 A rebuild gives the same rows as before',
  async ({ table, damage, errors }) => {
    const before = await readTable(table);
    await damageRows(damage);
    const found = await verify();
    await rebuildWorkspace(t.workspace, t.db);
    const rebuilt = await readTable(table);
    const remaining = await verify();
    await restore(table, before);
    expect({ found, remaining }).toEqual({ found: errors.toSorted(), remaining: [] });
    expect(plain(rebuilt)).toEqual(plain(before));
  },
);

test('a terminal shows what is verified, and how many rows were read', async () => {
  let shown = '';
  const terminal = new Terminal({ isTTY: true, columns: 100, write: (text) => (shown += String(text)) !== '' });
  expect(await verifyWorkspace(t.workspace, t.db, terminal)).toEqual([]);
  expect(shown).toMatch(/verifying 1 of (\d+): contacts: email_key\b.*verifying \1 of \1: erasures/s);
});

test('a change that is missing in the middle of the log of a contact is reported', async () => {
  const uuid = [...ids].find(([, id]) => id === 1)?.[0];
  const renumber = sql`update changes set contact_number = 3 where contact_uuid = ${uuid} and contact_number = 2`;
  await alterLog(t.db, renumber);
  expect(await verify()).toContain(orphan('a gap in the numbers of the changes of a contact, UUID', '#1'));
});

import { sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { checkCounters } from '../../contacts/checkCounters.ts';
import { putEvents } from '../../contacts/events/putEvents.ts';
import { putContacts } from '../../contacts/store.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { insertRows } from '../../database/insertRows.ts';
import type { StoredRow } from '../../database/storedRow.ts';
import type { Tables } from '../../database/schema/tables.ts';
import { putAddresses } from '../../domains/putAddresses.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { inviteMember } from '../../members/members.ts';
import { eraseContact } from '../../privacy/erase.ts';
import { ENGINE, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { alterLog } from '../../testing/testLog.ts';
import { Terminal } from '../terminal/terminal.ts';
import { findInconsistencies } from './check.ts';

// One row of whatever is checked is damaged, and the check says exactly that.

const DAY = 86_400_000;

/**
 * Contacts by id: 1 has events at many levels and changes, 2 has some events, 3 a change, 4 nothing, 5 was erased, 6 has all identities and
 * names of events in capitals, 7 odd attributes.
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

/** Statements have `W` for the id of the workspace. */
const statement = (text: string) => sql.raw(text.replaceAll(/\bW\b/g, String(t.workspace.id)));
const ofContact = (id: number) => `workspace_id = W and contact_id = ${id}`;
const LAST_EVENT = `${ofContact(2)} and created_at = ${NOW - DAY + 1499 * 7}`;

const byName = (contact: number) => `#${contact}: its events are counted wrongly by name.`;
const strayIn = (table: keyof Tables) => `The table ${table} has rows of a contact that is not there.`;

/** What is said of it is the title of its test. */
type Damage = [table: keyof Tables, damage: string, ...errors: [string, ...string[]]];

const strayRows: Damage[] = [
  ['event_names', `insert into event_names values (W, 99, 'opened', 'opened', 2)`, strayIn('event_names')],
  ['events', `insert into events values (W, 99, 7, 'uuid', 'opened', '{}')`, strayIn('events')],
];
// PostgreSQL refuses them from any writer.
if (ENGINE === 'sqlite') {
  const insert = `insert into identities values (W, 'phone', '+49', 99, null), (W, 'phone', '+50', 99, null)`;
  strayRows.push(['identities', insert, strayIn('identities')]);
}

const DAMAGES: readonly Damage[] = [
  ['events', `delete from events where ${LAST_EVENT}`, byName(2)],
  ['event_names', `insert into event_names values (W, 4, 'opened', 'opened', 2)`, byName(4)],
  [
    'event_names',
    `update event_names set count = 7 where workspace_id = W and event_name = 'name 1'`,
    byName(1),
    byName(2),
  ],
  [
    // Their sum is right.
    'event_names',
    `update event_names set count = case when event_name = 'name 1' then count + 1 else count - 1 end
     where ${ofContact(2)} and event_name <> 'name 2'`,
    byName(2),
  ],
  ...strayRows,
  [
    'contacts',
    'update contacts set change_count = 0 where workspace_id = W and id in (1, 3)',
    '#1: it was changed 0 times, and 2 changes are in its log.',
    '#3: it was changed 0 times, and 1 changes are in its log.',
  ],
  [
    'contacts',
    `update contacts set attributes = '{"email":"p3@x.test","plan":"lead"}' where workspace_id = W and id = 3`,
    '#3: its log ends with another attribute.',
  ],
  [
    'change_values',
    `update change_values set changes = '[' where workspace_id = W`,
    '#1: change 1 in its log cannot be read.',
    '#3: change 1 in its log cannot be read.',
    'The log: line 1 says something else than was written.',
  ],
  [
    'contacts',
    'update contacts set subscribed = 7 where workspace_id = W and id = 4',
    '#4: it is neither subscribed nor unsubscribed.',
    'The subscribed contacts are 5, and 6 are counted.',
  ],
  [
    'contacts',
    'update contacts set created_at = 9000000000000000, updated_at = 253402300800000 where workspace_id = W and id = 4',
    '#4: it has a time that no calendar has.',
  ],
  ...['{', '7'].map((text): Damage => {
    const damage = `update contacts set attributes = '${text}' where workspace_id = W and id = 4`;
    return ['contacts', damage, '#4: its attributes cannot be read.'];
  }),
  ...['email_key', 'first_name_key', 'last_name_key', 'company_key', 'search_key'].map((column): Damage => {
    const damage = `update contacts set ${column} = 'x' where workspace_id = W and id = 6`;
    return ['contacts', damage, '#6: it is sorted or searched by something else than its attributes.'];
  }),
  [
    'workspaces',
    'update workspaces set next_contact_id = 3 where id = W',
    'A new contact would get the id 3, and ids up to 7 are taken.',
  ],
  [
    'identities',
    `insert into identities values (W, 'phone', '+49', 2, null)`,
    '#2: an identity (phone) leads to it that it does not have.',
  ],
  [
    'identities',
    `update identities set contact_id = 2 where workspace_id = W and key = 'jane@example.com'`,
    '#6: its email does not lead to it.',
    '#2: an identity (email) leads to it that it does not have.',
  ],
  [
    'identities',
    `update identities set digits = '+4930654321' where workspace_id = W and digits = '+4930123456'`,
    '#6: its phone is not found by its digits.',
  ],
  ...['zzz', 'überwiesen'].map((key): Damage => {
    const damage = `update event_names set name_key = '${key}' where workspace_id = W and event_name like 'Ü%'`;
    return ['event_names', damage, '#6: its events are searched by something else than their name.'];
  }),
  ...(
    [
      ['domain', 'domains', `name_key = 'zzz' where name like 'Mail%' and`],
      ['address', 'addresses', `address_key = 'zzz' where`],
      ['member', 'members', `email_key = 'zzz' where`],
      ['member', 'members', `search_key = 'zzz' where`],
    ] as const
  ).map(([what, table, change]): Damage => {
    const error = `The ${what} UUID is found by something else than its name.`;
    return [table, `update ${table} set ${change} workspace_id = W`, error];
  }),
  [
    'erasures',
    `insert into erasures (workspace_id, contact_id, contact_uuid, erased_at, finished_at) values (W, 98, 'nobody', 7, 8)`,
    'Contact nobody: the log and the list of erasures do not both say that it was erased.',
    'A new contact would get the id 8, and ids up to 98 are taken.',
  ],
  ...(['erased_at', 'lifted_at', 'reference', 'identity_count'] as const).map((column): Damage => {
    const isRefused = ['lifted_at', 'identity_count'].includes(column);
    return [
      'erasures',
      `update erasures set ${column} = ${column === 'reference' ? `'R-7'` : '7'} where ${ofContact(5)}`,
      '#5: the list of erasures and the log say different things.',
      ...(isRefused ? ['#5: it was erased, and is refused by more or fewer identities than it had.'] : []),
    ];
  }),
  [
    'erasures',
    `update erasures set contact_id = 1 where ${ofContact(5)}`,
    '#5: it was erased, and is refused by more or fewer identities than it had.',
    'Identities are refused whose erasure is not known.',
    '#1: it was erased, and is there.',
  ],
  [
    'erased_identities',
    `update erased_identities set hash = 'other' where ${ofContact(5)}`,
    '#5: it was erased, and is refused by other identities than it had.',
  ],
  [
    'erased_identities',
    `insert into erased_identities values (W, 'hash', 98)`,
    'Identities are refused whose erasure is not known.',
  ],
];

/** The errors, with `#1` for the contact with id 1, and `UUID` for others. */
async function check(): Promise<string[]> {
  const errors = await findInconsistencies(t.workspace, t.db);
  return errors.map((error) =>
    error
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, (uuid) => (ids.has(uuid) ? `#${ids.get(uuid)}` : 'UUID'))
      .replace(/^Contact #/, '#'),
  );
}

/** Found by their UUID, and updated rather than written anew, because other rows refer to them. */
const REFERRED = new Set<keyof Tables>(['contacts', 'domains', 'addresses', 'members', 'workspaces']);

/** On SQLite as another program would, for which no foreign key holds. */
async function damageRows(damage: string): Promise<void> {
  if (ENGINE !== 'sqlite') return void (await t.db.write(t.workspace, (scope) => scope.run(statement(damage))));
  using file = new DatabaseSync(t.url.slice('file:'.length), { enableForeignKeyConstraints: false });
  file.exec(damage.replaceAll(/\bW\b/g, String(t.workspace.id)));
}

test.each(DAMAGES.map(([table, damage, ...errors]) => ({ table, damage, errors })))(
  '$table: $errors.0',
  async ({ table, damage, errors }) => {
    const own = statement(table === 'workspaces' ? 'id = W' : 'workspace_id = W');
    const { rows: before } = await sql<StoredRow>`
    select * from ${sql.table(table)} where ${own}`.execute(t.db.unscoped.kysely);
    await damageRows(damage);
    const found = await check();
    await t.db.write(t.workspace, async ({ kysely: trx }) => {
      if (!REFERRED.has(table)) {
        await sql`delete from ${sql.table(table)} where ${own}`.execute(trx);
        return insertRows(trx, table, before);
      }
      for (const { uuid, id: _id, mark: _mark, ...row } of before) {
        await trx
          .updateTable(table as 'contacts')
          .set(row)
          .where('uuid', '=', uuid as string)
          .execute();
      }
    });
    expect(found).toEqual(errors);
    expect(await check()).toEqual([]);
  },
);

test('a terminal shows what is compared, and how much of that is done', async () => {
  let shown = '';
  const terminal = new Terminal({ isTTY: true, columns: 100, write: (text) => (shown += String(text)) !== '' });
  expect(await findInconsistencies(t.workspace, t.db, terminal)).toEqual([]);
  expect(shown).toMatch(/checking 1 of (\d+): contacts, identities\b.*checking \1 of \1: /s);

  const shares: number[] = [];
  await checkCounters(t.workspace, t.db, (share) => shares.push(share));
  expect(shares.at(-1)).toBe(1);
});

test('a change that is missing in the middle of the log of a contact is told', async () => {
  const uuid = [...ids].find(([, id]) => id === 1)?.[0];
  const renumber = sql`update changes set contact_number = 3 where contact_uuid = ${uuid} and contact_number = 2`;
  await alterLog(t.db, renumber);
  expect(await check()).toEqual(
    expect.arrayContaining([
      '#1: it was changed 2 times, and 2 changes are in its log.',
      'The log: the changes of contact #1 are not numbered without gaps.',
    ]),
  );
});

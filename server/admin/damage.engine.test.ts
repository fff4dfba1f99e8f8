import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/must.ts';
import { checkCounters } from '../contacts/checkCounters.ts';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { COMMAND } from '../database/author.ts';
import { insertRows } from '../database/insertRows.ts';
import type { StoredRow } from '../database/storedRow.ts';
import type { Tables } from '../database/tables.ts';
import { eraseContact } from '../person/erase.ts';
import { ENGINE, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { alterLog } from '../testing/testLog.ts';
import { Terminal } from '../terminal/terminal.ts';
import { findInconsistencies } from './check.ts';

// One row of whatever is checked is damaged, and the check says exactly that.

const DAY = 86_400_000;

/** Contacts by id: 1 has events at many levels and changes, 2 has some events, 3 a change, 4 nothing, 5 was erased. */
let t: TestDatabase;
let uuids: string[];

const person = (id: number, plan = 'none') => ({ attributes: { email: `p${id}@x.test`, plan } });

beforeAll(async () => {
  t = await openTestDatabase();
  const put = (contacts: ReturnType<typeof person>[], now: number) =>
    t.db.write(t.workspace, (scope) => putContacts(scope, contacts, now));
  await put(
    [1, 2, 3, 4, 5].map((id) => person(id)),
    NOW - DAY,
  );
  await put([person(1, 'gold'), person(3, 'gold')], NOW);
  await put([person(1, 'lead')], NOW);
  await t.db.write(t.workspace, (scope) =>
    putEvents(
      scope,
      Array.from({ length: 1500 }, (_, at) => ({
        contact: at < 1490 ? 'p1@x.test' : 'p2@x.test',
        event_name: `name ${at % 3}`,
        attributes: {},
        created_at: NOW - DAY + at * 7,
      })),
      NOW,
    ),
  );
  const erased = await eraseContact(t.workspace, t.db, 'p5@x.test', { identity: null }, COMMAND, NOW);
  const rows = await t.db.unscoped.kysely
    .selectFrom('contacts')
    .select(['id', 'uuid'])
    .where('workspace_id', '=', t.workspace.id)
    .execute();
  uuids = [];
  for (const { id, uuid } of rows) uuids[id] = uuid;
  uuids[5] = must(erased).contact;
});
afterAll(() => t[Symbol.asyncDispose]());

const own = () => sql`workspace_id = ${t.workspace.id}`;
const ofContact = (id: number) => sql`${own()} and contact_id = ${id}`;
const COUNTERS = sql.raw(Array.from({ length: 16 }, (_, part) => `c${part}`).join(', '));
const ONE_EACH = sql.raw(Array.from({ length: 16 }, () => '1').join(', '));

type Damage = [
  what: string,
  table: keyof Tables,
  /** The rows of the table that are put back afterwards. */
  rows: () => RawBuilder<unknown>,
  damage: () => RawBuilder<unknown>,
  ...errors: (string | [contact: number, error: string])[],
];

const DAMAGES: readonly Damage[] = [
  [
    'an event that is gone',
    'events',
    () => ofContact(2),
    () => sql`delete from events where ${ofContact(2)} and created_at = ${NOW - DAY + 1499 * 7}`,
    [2, 'it has 9 events, and 10 are counted.'],
    [2, 'its events are counted wrongly by name.'],
  ],
  [
    'an event of another name',
    'events',
    () => ofContact(2),
    () => sql`update events set event_name = 'other' where ${ofContact(2)} and created_at = ${NOW - DAY + 1499 * 7}`,
    [2, 'its events are counted wrongly by name.'],
  ],
  [
    'an event of another time',
    'events',
    () => sql`${ofContact(1)} and created_at <= ${NOW - DAY}`,
    () => sql`update events set created_at = 0 where ${ofContact(1)} and created_at = ${NOW - DAY}`,
    ...[40, 36, 32, 28, 24, 20, 16].map((level): [number, string] => [
      1,
      `its events are counted wrongly by period of 2^${level} milliseconds.`,
    ]),
  ],
  [
    'a counter of events that is wrong',
    'event_names',
    () => ofContact(2),
    () => sql`update event_names set count = count + 1 where ${ofContact(2)} and event_name = 'name 1'`,
    [2, 'its events are counted wrongly by name.'],
  ],
  [
    'a counter of events that is gone',
    'event_names',
    () => ofContact(2),
    () => sql`delete from event_names where ${ofContact(2)} and event_name = 'name 1'`,
    [2, 'its events are counted wrongly by name.'],
  ],
  [
    'a counter of events that are not there',
    'event_names',
    () => ofContact(4),
    () => sql`insert into event_names values (${t.workspace.id}, 4, 'opened', 'opened', 2)`,
    [4, 'its events are counted wrongly by name.'],
  ],
  [
    'two counters that are wrong by as much',
    'event_names',
    () => ofContact(2),
    () => sql`
      update event_names set count = case when event_name = 'name 1' then count + 1 else count - 1 end
      where ${ofContact(2)} and event_name <> 'name 2'`,
    [2, 'its events are counted wrongly by name.'],
  ],
  [
    'counters of two contacts',
    'event_names',
    () => own(),
    () => sql`update event_names set count = 7 where ${own()} and event_name = 'name 1'`,
    [1, 'its events are counted wrongly by name.'],
    [2, 'its events are counted wrongly by name.'],
  ],
  [
    'a counter of a period that is wrong',
    'event_periods',
    () => sql`${ofContact(1)} and level = 28`,
    () => sql`update event_periods set c3 = c3 + 1 where ${ofContact(1)} and level = 28 and event_name = 'name 1'`,
    [1, 'its events are counted wrongly by period of 2^28 milliseconds.'],
  ],
  [
    'a counter of a period that is gone',
    'event_periods',
    () => sql`${ofContact(1)} and level = 24`,
    () => sql`delete from event_periods where ${ofContact(1)} and level = 24 and event_name = 'name 2'`,
    [1, 'its events are counted wrongly by period of 2^24 milliseconds.'],
  ],
  [
    'a period that is not divided',
    'event_periods',
    () => sql`${ofContact(1)} and level = 12`,
    () => sql`insert into event_periods (workspace_id, contact_id, level, event_name, period, ${COUNTERS})
      values (${t.workspace.id}, 1, 12, 'name 1', 7, ${ONE_EACH})`,
    [1, 'its events are counted wrongly by period of 2^12 milliseconds.'],
  ],
  [
    'periods of a contact with few events',
    'event_periods',
    () => ofContact(4),
    () => sql`insert into event_periods (workspace_id, contact_id, level, event_name, period, ${COUNTERS})
      values (${t.workspace.id}, 4, 40, 'name 1', 7, ${ONE_EACH})`,
    [4, 'its events are counted wrongly by period of 2^40 milliseconds.'],
  ],
  ...(['event_names', 'event_periods', 'events'] as const).map((table): Damage => {
    const insert = {
      event_names: () => sql`insert into event_names values (${t.workspace.id}, 99, 'opened', 'opened', 2)`,
      event_periods:
        () => sql`insert into event_periods (workspace_id, contact_id, level, event_name, period, ${COUNTERS})
        values (${t.workspace.id}, 99, 40, 'name 1', 7, ${ONE_EACH})`,
      events: () => sql`insert into events values (${t.workspace.id}, 99, 7, 'uuid', 'opened', '{}')`,
    }[table];
    return [
      `${table} of a contact that is not there`,
      table,
      () => ofContact(99),
      insert,
      `The table ${table} has rows of a contact that is not there.`,
    ];
  }),
  [
    'a change that is counted and not in the log',
    'contacts',
    () => sql`${own()} and id = 4`,
    () => sql`update contacts set change_count = 1 where ${own()} and id = 4`,
    [4, 'it was changed 1 times, and 0 changes are in its log.'],
  ],
  [
    'changes in the log that are not counted',
    'contacts',
    () => sql`${own()} and id in (1, 3)`,
    () => sql`update contacts set change_count = 0 where ${own()} and id in (1, 3)`,
    [1, 'it was changed 0 times, and 2 changes are in its log.'],
    [3, 'it was changed 0 times, and 1 changes are in its log.'],
  ],
  [
    'an attribute that the log does not end with',
    'contacts',
    () => sql`${own()} and id = 3`,
    () => sql`update contacts set attributes = '{"email":"p3@x.test","plan":"lead"}' where ${own()} and id = 3`,
    [3, 'its log ends with another attribute.'],
  ],
  [
    'a subscription that is counted wrongly',
    'contacts',
    () => sql`${own()} and id = 4`,
    () => sql`update contacts set subscribed = 0 where ${own()} and id = 4`,
    'The subscribed contacts are 3, and 4 are counted.',
    'Of the contacts in the order email, from the first on, there are 4 (3 subscribed), and 4 (4) are counted.',
  ],
  [
    'a counter of a list of contacts that is wrong',
    'contact_parts',
    () => sql`${own()} and list = 'updated_at'`,
    () => sql`update contact_parts set count = count - 1 where ${own()} and list = 'updated_at' and level = 1`,
    'Of the contacts in the order updated_at, counted by parts, from the first on, there are 4 (4 subscribed), and 3 (4) are counted.',
  ],
  [
    'a list of contacts without its first part',
    'contact_parts',
    () => sql`${own()} and list = 'company'`,
    () => sql`delete from contact_parts where ${own()} and list = 'company' and level = 0`,
    'Of the contacts in the order company, the first are not counted.',
  ],
  [
    'a part of a list that begins with no contact',
    'contact_parts',
    () => sql`${own()} and list = 'uuid'`,
    () => sql`
      insert into contact_parts (workspace_id, list, level, first_text, first_time, first_uuid, count, subscribed)
      values (${t.workspace.id}, 'uuid', 0, '', 0, 'x', 0, 0)`,
    'Of the contacts in the order uuid, from contact x on: it is not there.',
  ],
  [
    'an identity that its contact does not have',
    'identities',
    () => sql`${own()} and key = '+49'`,
    () => sql`insert into identities values (${t.workspace.id}, 'phone', '+49', 2, null)`,
    [2, 'an identity (phone) leads to it that it does not have.'],
  ],
  // PostgreSQL refuses them, whoever writes.
  ...(ENGINE === 'sqlite'
    ? [
        [
          'identities of a contact that is not there',
          'identities',
          () => ofContact(99),
          () =>
            sql`insert into identities values (${t.workspace.id}, 'phone', '+49', 99, null), (${t.workspace.id}, 'phone', '+50', 99, null)`,
          'The table identities has rows of a contact that is not there.',
        ] as Damage,
      ]
    : []),
  [
    'an erasure that the log does not know',
    'erasures',
    () => ofContact(98),
    () => sql`
      insert into erasures (workspace_id, contact_id, contact_uuid, erased_at, finished_at)
      values (${t.workspace.id}, 98, 'nobody', 7, 8)`,
    'Contact nobody: the log and the list of erasures do not both say that it was erased.',
    'A new contact would get the id 6, and ids up to 98 are taken.',
  ],
  ...(['erased_at', 'lifted_at', 'reference', 'identity_count'] as const).map((column): Damage => {
    const isText = column === 'reference';
    return [
      `an erasure with another ${column}`,
      'erasures',
      () => ofContact(5),
      () => sql`update erasures set ${sql.ref(column)} = ${isText ? 'R-7' : 7} where ${ofContact(5)}`,
      [5, 'the list of erasures and the log say different things.'],
      ...(['lifted_at', 'identity_count'].includes(column)
        ? [[5, 'it was erased, and is refused by more or fewer identities than it had.'] as [number, string]]
        : []),
    ];
  }),
  [
    'an identity of an erased person that is another',
    'erased_identities',
    () => ofContact(5),
    () => sql`update erased_identities set hash = 'other' where ${ofContact(5)}`,
    [5, 'it was erased, and is refused by other identities than it had.'],
  ],
  [
    'an identity that is refused for no reason',
    'erased_identities',
    () => ofContact(98),
    () => sql`insert into erased_identities values (${t.workspace.id}, 'hash', 98)`,
    'Identities are refused whose erasure is not known.',
  ],
  [
    'a count of unsubscribes',
    'unsubscribe_counts',
    () => own(),
    () => sql`insert into unsubscribe_counts values (${t.workspace.id}, 4, 'somebody', 2)`,
    'From 1970-01-01T01:00:00.000Z on, 0 unsubscribes are in the log, and 2 are counted.',
  ],
];

const check = () => findInconsistencies(t.workspace, t.db);

test.for(DAMAGES)('%s', async ([, table, rows, damage, ...errors]) => {
  expect(await check()).toEqual([]);
  const { rows: before } = await sql<StoredRow>`
    select * from ${sql.table(table)} where ${rows()}`.execute(t.db.unscoped.kysely);
  // An erasure may leave events without their contact for a while.
  await t.db.writeErasure(t.workspace, (scope) => scope.run(damage()));
  expect(await check()).toEqual(
    errors.map((error) => (typeof error === 'string' ? error : `Contact ${must(uuids[error[0]])}: ${error[1]}`)),
  );
  await t.db.writeErasure(t.workspace, async (scope) => {
    if (table === 'contacts') {
      for (const { id, ...row } of before as { id: number }[])
        await scope.update('contacts').set(row).where('id', '=', id).execute();
    } else {
      await scope.run(sql`delete from ${sql.table(table)} where ${rows()}`);
      await insertRows(scope.kysely, table, before);
    }
  });
  expect(await check()).toEqual([]);
});

function setFinished(time: number | null): Promise<unknown> {
  return t.db.write(t.workspace, (scope) =>
    scope.run(sql`update erasures set finished_at = ${time} where ${ofContact(5)}`),
  );
}

test('rows of a contact whose erasure goes on are as they should be', async () => {
  await setFinished(null);
  await t.db.writeErasure(t.workspace, (scope) =>
    scope.run(sql`insert into events values (${t.workspace.id}, 5, 7, 'uuid', 'opened', '{}')`),
  );
  expect(await check()).toEqual([]);
  await setFinished(8);
  expect(await check()).toEqual(['The table events has rows of a contact that is not there.']);
  await t.db.writeErasure(t.workspace, (scope) => scope.run(sql`delete from events where ${ofContact(5)}`));
});

test('a change that is missing in the middle of the log of a contact is told', async () => {
  const moved = (to: number, from: number) => sql`
    update changes set contact_number = ${to} where ${own()} and contact_uuid = ${uuids[1]} and contact_number = ${from}`;
  await alterLog(t.db, moved(3, 2));
  const errors = await check();
  expect(errors).toContain(`Contact ${uuids[1]}: it was changed 2 times, and 2 changes are in its log.`);
  expect(errors).toContain(`The log: the changes of contact ${uuids[1]} are not numbered without gaps.`);
  await alterLog(t.db, moved(2, 3));
  expect(await check()).toEqual([]);
});

test('a terminal shows what is compared, and how much of that is done', async () => {
  let shown = '';
  const terminal = new Terminal({ isTTY: true, columns: 100, write: (text) => (shown += String(text)) !== '' });
  expect(await findInconsistencies(t.workspace, t.db, terminal)).toEqual([]);
  expect(shown).toMatch(/checking 1 of (\d+): contacts, identities\b.*checking \1 of \1: /s);

  const shares: number[] = [];
  await checkCounters(t.workspace, t.db, (share) => shares.push(share));
  expect(shares.at(-1)).toBe(1);
});

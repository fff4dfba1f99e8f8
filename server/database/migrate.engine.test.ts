import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listContacts } from '../contacts/listContacts.ts';
import { listWorkspaces } from '../workspaces/store.ts';
import { openDatabase } from './openDatabase.ts';
import { checkAddressParts, checkContactParts } from '../workspaces/checkLists.ts';
import { checkUnsubscribeCounts } from '../contacts/overview.ts';
import type { Database, Transaction } from './database.ts';
import { migrate } from './migrate.ts';
import type { Workspace } from './workspace.ts';
import { checkChanges } from '../contacts/checkChanges.ts';
import { checkRecords } from '../contacts/checkRecords.ts';
import { checkLog } from '../log/checkLog.ts';
import { log } from './migrations/15-log.ts';
import { migrations } from './migrations/migrations.ts';
import type { Migration } from './migrations/migration.ts';
import { must } from '#contract/must.ts';
import { checkDomainStates } from '../domains/countStates.ts';
import { createTestStorage, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const ENGINE = { ordered: '', unlogged: '', searchesIndexes: false, hasRowSecurity: false };
const add =
  (name: string): Migration =>
  async (trx) => {
    await trx.schema.createTable(name).addColumn('id', 'integer').execute();
  };

async function state(): Promise<{ version: number; tables: string[] }> {
  const rows = await t.db.unscoped.kysely.selectFrom('schema_versions').select('version').execute();
  const isThere = async (table: string) =>
    t.db.unscoped.kysely
      .selectFrom(table as never)
      .selectAll()
      .execute()
      .then(
        () => [table],
        () => [],
      );
  return {
    version: Math.max(...rows.map(({ version }) => version)),
    tables: [...(await isThere('new1')), ...(await isThere('new2'))],
  };
}

test('steps run in their order, once', async () => {
  const steps = [...migrations, add('new1'), add('new2')];
  await migrate(t.db.unscoped, ENGINE, steps);
  await migrate(t.db.unscoped, ENGINE, steps);
  expect(await state()).toEqual({ version: migrations.length + 2, tables: ['new1', 'new2'] });
});

test('a step that fails leaves the steps before it and nothing of its own', async () => {
  const fails: Migration = async (trx, engine) => {
    await add('new2')(trx, engine);
    await sql`nonsense`.execute(trx);
  };
  await expect(migrate(t.db.unscoped, ENGINE, [...migrations, add('new1'), fails])).rejects.toThrow(/nonsense/);
  expect(await state()).toEqual({ version: migrations.length + 1, tables: ['new1'] });
});

test('a database that a newer version wrote is refused in words and stays as it is', async () => {
  await migrate(t.db.unscoped, ENGINE, [...migrations, add('new1')]);
  await expect(openDatabase(t.url)).rejects.toThrow(
    `A newer version of Sendroom wrote this database (schema ${migrations.length + 1}, this version knows ${migrations.length})`,
  );
  expect(await state()).toEqual({ version: migrations.length + 1, tables: ['new1'] });
});

type Row = Record<string, string | number | null>;

async function insert(trx: Transaction, table: string, ...rows: Row[]): Promise<void> {
  for (const row of rows) {
    const columns = Object.keys(row).map((name) => sql.ref(name));
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`.execute(
      trx,
    );
  }
}

const CONTACT = {
  workspace_id: 1,
  subscribed: 1,
  attributes: '{}',
  created_at: 1,
  updated_at: 1,
  email_key: '',
  first_name_key: '',
  last_name_key: '',
  company_key: '',
  search_key: '',
};
const DOMAIN = {
  workspace_id: 1,
  verified: 0,
  provider: '',
  status: '',
  verification: '',
  mail_from_domain: '',
  mail_from_verified: 0,
  created_at: 1,
  updated_at: 1,
  verdicts_at: 1,
  next_check_at: 0,
};
const contactNamed = (key: string) => ({ ...CONTACT, first_name_key: key, search_key: key });
const domainNamed = (name: string) => ({ ...DOMAIN, uuid: name, name, name_key: name, domain: name });
const OFF = '{"field":"subscribed","before":true,"after":false}';

type Upgraded = AsyncDisposable & { db: Database; own: Workspace; other: Workspace };

/** A database of schema `version` with two workspaces and what `fill` writes, migrated to this version. */
async function upgrade(
  version: number,
  fill: (trx: Transaction) => Promise<void>,
  counts: Row[] = [],
): Promise<Upgraded> {
  const place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, version) });
  await old.unscoped.write(async (trx) => {
    await insert(trx, 'workspaces', { id: 1, uuid: 'u', name: 'Acme', created_at: 1, ...counts[0] });
    await insert(trx, 'workspaces', { id: 2, uuid: 'v', name: 'Other', created_at: 1, ...counts[1] });
    await fill(trx);
  });
  await old.close();
  const db = await openDatabase(place.url);
  const [own, other] = await listWorkspaces(db);
  return {
    db,
    own: must(own),
    other: must(other),
    async [Symbol.asyncDispose]() {
      await db.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

async function findBy(db: Database, workspace: Workspace, search: string): Promise<string[]> {
  const { data } = await listContacts(workspace, db, { ...ALL, search, sorting: [{ id: 'updated_at', desc: false }] });
  return data.map(({ uuid }) => uuid);
}

test('a domain from before verdicts were stored is due, and its verdicts are as old as its last change', async () => {
  await using t = await upgrade(2, async (trx) => {
    await sql`insert into domains values (1, 'd', 'a.test', 'a.test', 'a.test', 0, '', '', '', '', 0, 1, 2)`.execute(
      trx,
    );
    await sql`insert into addresses values (1, 'a', 'd', 'x', 'x@a.test', 'x', '', '', '', 1, 1)`.execute(trx);
    await sql`insert into dns_records values (1, 'd', 0, 'TXT', '@', ${'v'.repeat(9000)}, 0)`.execute(trx);
  });
  const domains = await t.db.unscoped.kysely.selectFrom('domains').selectAll().execute();
  expect(domains).toMatchObject([
    { uuid: 'd', updated_at: 2, verdicts_at: 2, next_check_at: 0, address_count: 1, record_bytes: 9064 },
  ]);
});

test('domains from before they had a state are judged as those that are written now, and counted', async () => {
  const given = [
    ['a', 1, 'completed', 'completed', '', 0, 1, 'healthy'],
    ['b', 1, 'active', '', 'm.b', 1, 1, 'healthy'],
    ['c', 0, 'active', '', '', 0, 1, 'failing'],
    ['d', 1, 'active', '', 'm.d', 0, 1, 'failing'],
    ['e', 1, 'completed', 'completed', '', 0, 0, 'failing'],
    ['f', 0, 'pending', 'pending', '', 0, 0, 'pending'],
    ['g', 0, 'pending', 'failed', '', 0, 0, 'failing'],
  ] as const;
  const fill = async (trx: Transaction) => {
    for (const [name, verified, status, verification, mail_from_domain, mail_from_verified, is_valid] of given) {
      const judged = { verified, status, verification, mail_from_domain, mail_from_verified };
      await insert(trx, 'domains', { ...domainNamed(name), ...judged });
      const record = { type: 'TXT', name: '@', value: 'v', is_valid };
      await insert(trx, 'dns_records', { workspace_id: 1, domain_uuid: name, position: 0, ...record });
    }
  };
  await using t = await upgrade(9, fill, [{ domain_count: 7 }]);
  const domains = await t.db.unscoped.kysely.selectFrom('domains').select(['uuid', 'state']).orderBy('uuid').execute();
  expect(domains).toEqual(given.map(([uuid, , , , , , , state]) => ({ uuid, state })));
  const counts = ['pending_domain_count as pending', 'failing_domain_count as failing'] as const;
  const counted = await t.db.unscoped.kysely.selectFrom('workspaces').select(counts).orderBy('id').execute();
  expect(counted).toEqual([
    { pending: 1, failing: 4 },
    { pending: 0, failing: 0 },
  ]);
  expect(await checkDomainStates(t.own, t.db)).toEqual([]);
});

test('contacts from before they were counted are counted, and sorted and searched by as much as is bounded', async () => {
  const name = '😀'.repeat(150) + 'X'.repeat(150);
  const attributes = JSON.stringify({ first_name: name, job_title: 'Clerk', phone: 5 });
  await using t = await upgrade(5, (trx) =>
    insert(
      trx,
      'contacts',
      { ...contactNamed(name.toLowerCase()), id: 1, uuid: '1', attributes },
      { ...contactNamed('short'), id: 2, uuid: '2', subscribed: 0 },
      { ...contactNamed(''), id: 3, uuid: '3' },
    ),
  );
  const { kysely } = t.db.unscoped;
  expect(
    await kysely.selectFrom('workspaces').select(['contact_count', 'subscribed_count']).orderBy('id').execute(),
  ).toEqual([
    { contact_count: 3, subscribed_count: 2 },
    { contact_count: 0, subscribed_count: 0 },
  ]);
  const found = await kysely.selectFrom('contacts').select(['first_name_key', 'search_key']).orderBy('id').execute();
  expect(found.map((key) => key.first_name_key)).toEqual(['😀'.repeat(150) + 'x'.repeat(50), 'short', '']);
  const searched = `\n5\n${'😀'.repeat(150)}${'x'.repeat(106)}\n\n\nclerk`;
  expect(found.map((key) => key.search_key)).toEqual([searched, 'short', '']);
});

test('contacts from before their lists had parts are in them', async () => {
  const sizes = [
    [1, 2600],
    [2, 500],
  ] as const;
  const fill = async (trx: Transaction) => {
    for (const [workspace, count] of sizes) {
      await sql`
        insert into contacts (workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
          email_key, first_name_key, last_name_key, company_key, search_key)
        with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < ${sql.lit(count)})
        select ${sql.lit(workspace)}, n, 'uuid ' || ((n * 7) % ${sql.lit(count)}), case when n % 4 > 0 then 1 else 0 end, '{}', n % 900, -n,
          (n % 1000) || '@x.test', 'a', 'b', case when n % 2 = 1 then 'c' else 'd' end, '' from numbers`.execute(trx);
    }
  };
  await using t = await upgrade(
    17,
    fill,
    sizes.map(([, count]) => ({ contact_count: count, subscribed_count: count * 0.75 })),
  );
  for (const workspace of [t.own, t.other]) expect(await checkContactParts(workspace, t.db)).toEqual([]);
  const parts = t.db.unscoped.kysely.selectFrom('contact_parts').where('level', '=', 0).where('list', '=', 'email');
  const rows = await parts.select(['workspace_id', 'count']).orderBy('workspace_id').orderBy('first_text').execute();
  expect(rows.map(({ workspace_id, count }) => [workspace_id, count])).toEqual([
    ...[500, 500, 500, 500, 500, 100].map((count) => [1, count]),
    [2, 500],
  ]);
});

test('addresses from before their list had parts are in them, where a domain has more than a thousand', async () => {
  const sizes = [
    [1, 'a', 1600],
    [1, 'b', 1000],
    [2, 'a', 1001],
  ] as const;
  await using t = await upgrade(19, async (trx) => {
    for (const [workspace_id, name, address_count] of sizes) {
      await insert(trx, 'domains', { ...domainNamed(name), workspace_id, address_count, state: 'pending' });
      await sql`
        insert into addresses (workspace_id, uuid, domain_uuid, address, full_address, address_key, provider,
          display_name, verification, created_at, updated_at)
        with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < ${sql.lit(address_count)})
        select ${sql.lit(workspace_id)}, ${sql.lit(name)} || n, ${sql.lit(name)}, cast(n as text), '', cast(n as text),
          '', '', '', n % 90, 1 from numbers`.execute(trx);
    }
  });
  for (const workspace of [t.own, t.other]) expect(await checkAddressParts(workspace, t.db)).toEqual([]);
  const parts = t.db.unscoped.kysely.selectFrom('address_parts').select(['workspace_id', 'domain_uuid', 'count']);
  const rows = await parts.orderBy('workspace_id').orderBy('first_time').orderBy('first_uuid').execute();
  expect(rows.map(({ workspace_id, domain_uuid, count }) => [workspace_id, domain_uuid, count])).toEqual([
    ...[500, 500, 500, 100].map((count) => [1, 'a', count]),
    ...[500, 500, 1].map((count) => [2, 'a', count]),
  ]);
});

test('contacts and event names from before accents were folded are found without them', async () => {
  const hans = { email: 'hans@x.test', first_name: 'Hans', last_name: 'Ørsted', company: 'Straße' };
  await using t = await upgrade(9, async (trx) => {
    await insert(
      trx,
      'contacts',
      ...[hans, { email: 'ada@x.test' }].map((attributes, index) => ({
        ...CONTACT,
        id: index + 1,
        uuid: attributes.email,
        attributes: JSON.stringify(attributes),
        search_key: index === 0 ? 'hans@x.test\n\nhans\nørsted\nstraße\n' : 'ada@x.test\n\n\n\n\n',
      })),
    );
    await sql`insert into event_names values (1, 1, 'Žlutý', 'žlutý', 1), (1, 1, 'x', 'x', 1)`.execute(trx);
  });
  expect(await findBy(t.db, t.own, 'orsted strasse')).toEqual(['hans@x.test']);
  expect(await findBy(t.db, t.own, 'ADA')).toEqual(['ada@x.test']);
  const names = await t.db.unscoped.kysely.selectFrom('event_names').select('name_key').orderBy('name_key').execute();
  expect(names.map(({ name_key }) => name_key)).toEqual(['x', 'zluty']);
});

test('unsubscribes from before they were counted are counted, by quarter of an hour and who did it', async () => {
  const given: [workspace: number, token: string | null, time: number, changes: string][] = [
    [1, 'support', 900_000, `[${OFF}]`],
    [1, null, 900_001, `[${OFF},{"field":"attributes.a","before":null,"after":1}]`],
    [1, 'crm', 900_002, '[{"field":"subscribed","before":false,"after":true}]'],
    [1, 'crm', 900_003, `[{"field":"attributes.a","before":null,"after":${JSON.stringify(OFF)}}]`],
    [1, 'support', 1_799_999, `[${OFF}]`],
    [1, 'support', 1_800_000, `[${OFF}]`],
    [2, 'theirs', 900_000, `[${OFF}]`],
  ];
  await using t = await upgrade(11, async (trx) => {
    for (const workspace_id of [1, 2])
      await insert(trx, 'contacts', { ...CONTACT, workspace_id, id: 1, uuid: 'c', subscribed: 0 });
    for (const [number, [workspace_id, token_name, created_at, changes]] of given.entries()) {
      const token = { token_uuid: token_name && `the ${token_name}`, token_name };
      const about = { contact_id: 1, number, uuid: `c${number}`, action: 'update', created_at };
      await insert(trx, 'contact_changes', { workspace_id, ...about, ...token, changes });
    }
  });
  const counts = t.db.unscoped.kysely.selectFrom('unsubscribe_counts').selectAll();
  const rows = await counts.orderBy('workspace_id').orderBy('period').orderBy('actor').execute();
  expect(rows.map(({ workspace_id, period, actor, count }) => [workspace_id, period, actor, count])).toEqual([
    [1, 1, 'command', 1],
    [1, 1, 'the support', 2],
    [1, 2, 'the support', 1],
    [2, 1, 'the theirs', 1],
  ]);
  for (const workspace of [t.own, t.other]) expect(await checkUnsubscribeCounts(workspace, t.db)).toEqual([]);
});

test('contacts from before other spellings were searched are found by the digits of a phone and both forms of a domain', async () => {
  const phones = ['+49 30 9018-2233', '(030) 9018-2244', '+493090182255', '+49 30 9018 ext. 2266'];
  const fill = async (trx: Transaction) => {
    for (const workspace_id of [1, 2]) {
      for (const [index, phone] of phones.entries()) {
        const email = `zoë${index}@${index === 1 ? 'münchen' : 'xn--mnchen-3ya'}.example`;
        const id = index + 1;
        const attributes = JSON.stringify({ email, phone, first_name: 'Zoë' });
        const keys = { email_key: email, first_name_key: 'zoë', search_key: `${email}\n${phone}\nzoë\n\n\n` };
        await insert(trx, 'contacts', {
          ...CONTACT,
          ...keys,
          workspace_id,
          id,
          uuid: `${workspace_id}${id}`,
          attributes,
        });
        await insert(trx, 'identities', { workspace_id, kind: 'phone', key: phone, contact_id: id });
        await insert(trx, 'identities', { workspace_id, kind: 'email', key: email, contact_id: id });
      }
    }
  };
  await using t = await upgrade(9, fill, [{ contact_count: 4 }, { contact_count: 4 }]);
  const found = (search: string) => findBy(t.db, t.other, search);
  expect(await found('901822')).toEqual(['21', '22', '23']);
  expect(await found('90182244 zoe')).toEqual(['22']);
  expect(await found('90182266')).toEqual([]);
  for (const search of ['xn--mnchen-3ya', 'münchen']) expect(await found(search)).toEqual(['21', '22', '23', '24']);
  expect(await found('zoe@ münchen')).toEqual([]);
  expect(await checkRecords(t.other, t.db)).toEqual([]);
});

test('changes from before there was one log become its lines, in the order of time, each with its place and its hash', async () => {
  const PLAN = '{"field":"attributes.plan","before":null,"after":"a"}';
  const given: [contact: number, number: number, time: number, token: string | null, reason: string | null][] = [
    [1, 1, 3000, 'support', 'asked'],
    // The clock was set back.
    [1, 2, 2000, 'support', null],
    [2, 1, 1000, null, null],
    [2, 2, 2500, 'crm', null],
  ];
  await using t = await upgrade(migrations.indexOf(log), async (trx) => {
    for (const id of [1, 2]) {
      const changed = { subscribed: 0, attributes: '{"plan":"a"}', change_count: 2 };
      await insert(trx, 'contacts', { ...CONTACT, ...changed, id, uuid: `contact ${id}` });
    }
    for (const [contact_id, number, created_at, token_name, reason] of given) {
      const what =
        number === 1 ? { action: 'unsubscribe', changes: `[${OFF}]` } : { action: 'update', changes: `[${PLAN}]` };
      const token = { token_uuid: token_name && `the ${token_name}`, token_name };
      const about = { contact_id, number, uuid: `c${contact_id}${number}`, created_at, reason };
      await insert(trx, 'contact_changes', { workspace_id: 1, ...about, ...token, ...what });
    }
  });
  const lines = await t.db.unscoped.kysely.selectFrom('changes').selectAll().orderBy('number').execute();
  expect(
    lines.map((line) => [line.number, line.uuid, line.created_at, line.actor, line.contact_number, line.subscribed]),
  ).toEqual([
    [1, 'c21', 1000, 'command', 1, 0],
    [2, 'c22', 2500, 'the crm', 2, null],
    [3, 'c11', 3000, 'the support', 1, 0],
    [4, 'c12', 3000, 'the support', 2, null],
  ]);
  expect(lines.map((line) => [line.actor_number, line.action_number, line.actor_action_number])).toEqual([
    [1, 1, 1],
    [1, 1, 1],
    [1, 2, 1],
    [2, 2, 1],
  ]);
  for (const workspace of [t.own, t.other]) expect(await checkLog(workspace, t.db)).toEqual([]);
  expect(await checkChanges(t.own, t.db)).toEqual([]);
});

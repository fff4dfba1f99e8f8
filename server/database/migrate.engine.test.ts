import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listContacts } from '../contacts/listContacts.ts';
import { listWorkspaces } from '../workspaces/store.ts';
import { openDatabase } from './openDatabase.ts';
import { checkAddressParts, checkContactParts } from '../workspaces/checkLists.ts';
import { checkUnsubscribeCounts } from '../contacts/overview.ts';
import { migrate } from './migrate.ts';
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
import { startProcess } from '../testing/testProcess.ts';

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

test('a process that is killed in the middle of a step leaves a database that the next one completes', async () => {
  const process = startProcess(
    import.meta.dirname,
    `
    import { openDatabase } from './openDatabase.ts';
    import { migrate } from './migrate.ts';
    import { checkChanges } from '../contacts/checkChanges.ts';
import { checkLog } from '../log/checkLog.ts';
import { log } from './migrations/15-log.ts';
import { migrations } from './migrations/migrations.ts';
    const db = await openDatabase(${JSON.stringify(t.url)});
    const first = (trx) => trx.schema.createTable('new1').addColumn('id', 'integer').execute();
    const killed = async (trx) => {
      await trx.schema.createTable('new2').addColumn('id', 'integer').execute();
      process.kill(process.pid, 'SIGKILL');
    };
    const engine = { ordered: '', unlogged: '', searchesIndexes: false, hasRowSecurity: false };
    await migrate(db.unscoped, engine, [...migrations, first, killed]);
    console.log('survived');`,
  );
  expect(await process.line()).toBeNull();
  expect(await state()).toEqual({ version: migrations.length + 1, tables: ['new1'] });
  await migrate(t.db.unscoped, ENGINE, [...migrations, add('new1'), add('new2')]);
  expect(await state()).toEqual({ version: migrations.length + 2, tables: ['new1', 'new2'] });
});

test('a database that a newer version wrote is refused in words and stays as it is', async () => {
  await migrate(t.db.unscoped, ENGINE, [...migrations, add('new1')]);
  await expect(openDatabase(t.url)).rejects.toThrow(
    `A newer version of Sendroom wrote this database (schema ${migrations.length + 1}, this version knows ${migrations.length})`,
  );
  expect(await state()).toEqual({ version: migrations.length + 1, tables: ['new1'] });
});

test('a domain from before verdicts were stored is due, and its verdicts are as old as its last change', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 2) });
  await old.unscoped.write(async (trx) => {
    await sql`insert into workspaces (id, uuid, name, created_at) values (1, 'u', 'Acme', 1)`.execute(trx);
    await sql`insert into domains values (1, 'd', 'a.test', 'a.test', 'a.test', 0, '', '', '', '', 0, 1, 2)`.execute(
      trx,
    );
    await sql`insert into addresses values (1, 'a', 'd', 'x', 'x@a.test', 'x', '', '', '', 1, 1)`.execute(trx);
    await sql`insert into dns_records values (1, 'd', 0, 'TXT', '@', ${'v'.repeat(9000)}, 0)`.execute(trx);
  });
  await old.close();
  const db = await openDatabase(place.url);
  const [domain] = await db.unscoped.kysely.selectFrom('domains').selectAll().execute();
  await db.close();
  expect(domain).toMatchObject({ uuid: 'd', updated_at: 2, verdicts_at: 2, next_check_at: 0, address_count: 1 });
  expect(domain?.record_bytes).toBe(9064);
});

test('domains from before they had a state are judged as those that are written now, and counted', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 9) });
  const given = [
    ['a', { verified: 1, status: 'completed', verification: 'completed', from: '', isFrom: 0, isValid: 1 }],
    ['b', { verified: 1, status: 'active', verification: '', from: 'm.b', isFrom: 1, isValid: 1 }],
    ['c', { verified: 0, status: 'active', verification: '', from: '', isFrom: 0, isValid: 1 }],
    ['d', { verified: 1, status: 'active', verification: '', from: 'm.d', isFrom: 0, isValid: 1 }],
    ['e', { verified: 1, status: 'completed', verification: 'completed', from: '', isFrom: 0, isValid: 0 }],
    ['f', { verified: 0, status: 'pending', verification: 'pending', from: '', isFrom: 0, isValid: 0 }],
    ['g', { verified: 0, status: 'pending', verification: 'failed', from: '', isFrom: 0, isValid: 0 }],
  ] as const;
  await old.unscoped.write(async (trx) => {
    await sql`
      insert into workspaces (id, uuid, name, created_at, domain_count) values (1, 'u', 'Acme', 1, 7), (2, 'v', 'None', 1, 0)`.execute(
      trx,
    );
    for (const [uuid, { verified, status, verification, from, isFrom, isValid }] of given) {
      await sql`
        insert into domains (
          workspace_id, uuid, name, name_key, domain, verified, provider, status, verification, mail_from_domain,
          mail_from_verified, created_at, updated_at, verdicts_at, next_check_at
        ) values (
          1, ${uuid}, ${uuid}, ${uuid}, ${uuid}, ${verified}, '', ${status}, ${verification}, ${from}, ${isFrom}, 1, 1, 1, 0
        )`.execute(trx);
      await sql`
        insert into dns_records (workspace_id, domain_uuid, position, type, name, value, is_valid)
        values (1, ${uuid}, 0, 'TXT', '@', 'v', ${isValid})`.execute(trx);
    }
  });
  await old.close();
  const db = await openDatabase(place.url);
  const domains = await db.unscoped.kysely.selectFrom('domains').select(['uuid', 'state']).orderBy('uuid').execute();
  const counted = await db.unscoped.kysely
    .selectFrom('workspaces')
    .select(['pending_domain_count as pending', 'failing_domain_count as failing'])
    .orderBy('id')
    .execute();
  const [workspace] = await listWorkspaces(db);
  const faults = await checkDomainStates(must(workspace), db);
  await db.close();
  expect(domains.map(({ uuid, state }) => `${uuid} ${state}`)).toEqual([
    'a healthy',
    'b healthy',
    'c failing',
    'd failing',
    'e failing',
    'f pending',
    'g failing',
  ]);
  expect(counted).toEqual([
    { pending: 1, failing: 4 },
    { pending: 0, failing: 0 },
  ]);
  expect(faults).toEqual([]);
});

test('contacts from before they were counted are counted, and sorted and searched by as much as is bounded', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 5) });
  const name = '😀'.repeat(150) + 'X'.repeat(150);
  await old.unscoped.write(async (trx) => {
    await sql`insert into workspaces (id, uuid, name, created_at) values (1, 'u', 'Acme', 1), (2, 'v', 'None', 1)`.execute(
      trx,
    );
    for (const [id, subscribed, key] of [
      [1, 1, name.toLowerCase()],
      [2, 0, 'short'],
      [3, 1, ''],
    ] as const) {
      const text = sql`cast(${key} as text)`;
      const attributes = JSON.stringify(id === 1 ? { first_name: name, job_title: 'Clerk', phone: 5 } : {});
      await sql`
        insert into contacts (
          workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
          email_key, first_name_key, last_name_key, company_key, search_key
        ) values (1, ${id}, ${String(id)}, ${subscribed}, ${attributes}, 1, 1, '', ${text}, '', '', ${text})`.execute(
        trx,
      );
    }
  });
  await old.close();
  const db = await openDatabase(place.url);
  const counted = await db.unscoped.kysely
    .selectFrom('workspaces')
    .select(['contact_count', 'subscribed_count'])
    .orderBy('id')
    .execute();
  const keys = await db.unscoped.kysely
    .selectFrom('contacts')
    .select(['first_name_key', 'search_key'])
    .orderBy('id')
    .execute();
  await db.close();
  expect(counted).toEqual([
    { contact_count: 3, subscribed_count: 2 },
    { contact_count: 0, subscribed_count: 0 },
  ]);
  expect(keys.map((key) => key.first_name_key)).toEqual(['😀'.repeat(150) + 'x'.repeat(50), 'short', '']);
  const searched = `\n5\n${'😀'.repeat(150)}${'x'.repeat(106)}\n\n\nclerk`;
  expect(keys.map((key) => key.search_key)).toEqual([searched, 'short', '']);
});

test('contacts from before their lists had parts are in them', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 17) });
  await old.unscoped.write(async (trx) => {
    await sql`
      insert into workspaces (id, uuid, name, created_at, contact_count, subscribed_count)
      values (1, 'u', 'Acme', 1, 2600, 1950), (2, 'v', 'Two', 1, 500, 375), (3, 'w', 'None', 1, 0, 0)`.execute(trx);
    for (const [workspace, count] of [
      [1, 2600],
      [2, 500],
    ] as const) {
      for (let id = 1; id <= count; id++) {
        await sql`
          insert into contacts (
            workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
            email_key, first_name_key, last_name_key, company_key, search_key
          ) values (${workspace}, ${id}, ${`uuid ${(id * 7) % count}`}, ${Number(id % 4 > 0)}, '{}', ${id % 900}, ${-id},
            ${`${id % 1000}@x.test`}, 'a', 'b', ${id % 2 ? 'c' : 'd'}, '')`.execute(trx);
      }
    }
  });
  await old.close();
  const db = await openDatabase(place.url);
  for (const workspace of await listWorkspaces(db)) expect(await checkContactParts(workspace, db)).toEqual([]);
  const parts = db.unscoped.kysely.selectFrom('contact_parts').where('level', '=', 0).where('list', '=', 'email');
  const rows = await parts.select(['workspace_id', 'count']).orderBy('workspace_id').orderBy('first_text').execute();
  await db.close();
  expect(rows.map(({ workspace_id, count }) => [workspace_id, count])).toEqual([
    ...[500, 500, 500, 500, 500, 100].map((count) => [1, count]),
    [2, 500],
  ]);
});

test('addresses from before their list had parts are in them, where a domain has more than a thousand', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 19) });
  await old.unscoped.write(async (trx) => {
    await sql`
      insert into workspaces (id, uuid, name, created_at, domain_count, pending_domain_count)
      values (1, 'u', 'Acme', 1, 2, 2), (2, 'v', 'Two', 1, 1, 1)`.execute(trx);
    for (const [workspace, domain, count] of [
      [1, 'a', 1600],
      [1, 'b', 1000],
      [2, 'a', 1001],
    ] as const) {
      await sql`
        insert into domains (workspace_id, uuid, name, name_key, domain, verified, provider, status, verification,
          mail_from_domain, mail_from_verified, created_at, updated_at, verdicts_at, next_check_at, address_count, state)
        values (${workspace}, ${domain}, ${domain}, ${domain}, ${domain}, 0, '', '', '', '', 0, 1, 1, 1, 0, ${count},
          'pending')`.execute(trx);
      await sql`
        insert into addresses (workspace_id, uuid, domain_uuid, address, full_address, address_key, provider,
          display_name, verification, created_at, updated_at)
        with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < ${sql.lit(count)})
        select cast(${workspace} as bigint), ${domain} || n, cast(${domain} as text), cast(n as text), '', cast(n as text),
          '', '', '', n % 90, 1 from numbers`.execute(trx);
    }
  });
  await old.close();
  const db = await openDatabase(place.url);
  for (const workspace of await listWorkspaces(db)) expect(await checkAddressParts(workspace, db)).toEqual([]);
  const parts = db.unscoped.kysely.selectFrom('address_parts').select(['workspace_id', 'domain_uuid', 'count']);
  const rows = await parts.orderBy('workspace_id').orderBy('first_time').orderBy('first_uuid').execute();
  await db.close();
  expect(rows.map(({ workspace_id, domain_uuid, count }) => [workspace_id, domain_uuid, count])).toEqual([
    ...[500, 500, 500, 100].map((count) => [1, 'a', count]),
    ...[500, 500, 1].map((count) => [2, 'a', count]),
  ]);
});

test('contacts and event names from before accents were folded are found without them', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 9) });
  const attributes = { email: 'hans@x.test', first_name: 'Hans', last_name: 'Ørsted', company: 'Straße' };
  await old.unscoped.write(async (trx) => {
    await sql`
      insert into workspaces (id, uuid, name, created_at, contact_count)
      values (1, 'u', 'Acme', 1, 2), (2, 'v', 'Other', 1, 0)`.execute(trx);
    for (const [id, key] of [
      [1, 'hans@x.test\n\nhans\nørsted\nstraße\n'],
      [2, 'ada@x.test\n\n\n\n\n'],
    ] as const) {
      await sql`
        insert into contacts (
          workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
          email_key, first_name_key, last_name_key, company_key, search_key
        ) values (1, ${id}, ${String(id)}, 1, ${JSON.stringify(id === 1 ? attributes : { email: 'ada@x.test' })}, 1, 1,
          '', '', '', '', cast(${key} as text))`.execute(trx);
    }
    await sql`insert into event_names values (1, 1, 'Žlutý', 'žlutý', 1), (1, 1, 'x', 'x', 1)`.execute(trx);
  });
  await old.close();
  const db = await openDatabase(place.url);
  const [workspace] = await listWorkspaces(db);
  const found = async (search: string) =>
    (await listContacts(workspace!, db, { page: 1, per_page: 10, search, sorting: [], filters: {} })).data.map(
      ({ uuid }) => uuid,
    );
  expect(await found('orsted strasse')).toEqual(['1']);
  expect(await found('ADA')).toEqual(['2']);
  const names = await db.unscoped.kysely.selectFrom('event_names').select('name_key').orderBy('name_key').execute();
  expect(names.map(({ name_key }) => name_key)).toEqual(['x', 'zluty']);
  await db.close();
});

test('unsubscribes from before they were counted are counted, by quarter of an hour and who did it', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 11) });
  const OFF = '{"field":"subscribed","before":true,"after":false}';
  const given: [token: string | null, time: number, changes: string][] = [
    ['support', 900_000, `[${OFF}]`],
    [null, 900_001, `[${OFF},{"field":"attributes.a","before":null,"after":1}]`],
    ['crm', 900_002, '[{"field":"subscribed","before":false,"after":true}]'],
    ['crm', 900_003, `[{"field":"attributes.a","before":null,"after":${JSON.stringify(OFF)}}]`],
    ['support', 1_799_999, `[${OFF}]`],
    ['support', 1_800_000, `[${OFF}]`],
  ];
  await old.unscoped.write(async (trx) => {
    await sql`insert into workspaces (id, uuid, name, created_at) values (1, 'u', 'Acme', 1), (2, 'v', 'Other', 1)`.execute(
      trx,
    );
    for (const id of [1, 2]) {
      await sql`
        insert into contacts (
          workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
          email_key, first_name_key, last_name_key, company_key, search_key
        ) values (${id}, 1, 'c', 0, '{}', 1, 1, '', '', '', '', '')`.execute(trx);
    }
    for (const [index, [token, time, changes]] of given.entries()) {
      await sql`
        insert into contact_changes (workspace_id, contact_id, number, uuid, action, created_at, token_uuid, token_name, changes)
        values (1, 1, ${index + 1}, ${`c${index}`}, 'update', ${time}, ${token && `the ${token}`}, ${token}, ${changes})`.execute(
        trx,
      );
    }
    await sql`
      insert into contact_changes (workspace_id, contact_id, number, uuid, action, created_at, token_uuid, token_name, changes)
      values (2, 1, 1, 'd', 'unsubscribe', 900000, 'the theirs', 'theirs', ${`[${OFF}]`})`.execute(trx);
  });
  await old.close();
  const db = await openDatabase(place.url);
  const counts = await db.unscoped.kysely
    .selectFrom('unsubscribe_counts')
    .selectAll()
    .orderBy('workspace_id')
    .orderBy('period')
    .orderBy('actor')
    .execute();
  const errors = await Promise.all(
    (await listWorkspaces(db)).map((workspace) => checkUnsubscribeCounts(workspace, db)),
  );
  await db.close();
  expect(counts.map(({ workspace_id, period, actor, count }) => [workspace_id, period, actor, count])).toEqual([
    [1, 1, 'command', 1],
    [1, 1, 'the support', 2],
    [1, 2, 'the support', 1],
    [2, 1, 'the theirs', 1],
  ]);
  expect(errors).toEqual([[], []]);
});

test('contacts from before other spellings were searched are found by the digits of a phone and both forms of a domain', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, 9) });
  const phones = ['+49 30 9018-2233', '(030) 9018-2244', '+493090182255', '+49 30 9018 ext. 2266'];
  await old.unscoped.write(async (trx) => {
    await sql`
      insert into workspaces (id, uuid, name, created_at, contact_count)
      values (1, 'u', 'Acme', 1, 4), (2, 'v', 'Other', 1, 4)`.execute(trx);
    for (const workspace of [1, 2]) {
      for (const [index, phone] of phones.entries()) {
        const email = `zoë${index}@${index === 1 ? 'münchen' : 'xn--mnchen-3ya'}.example`;
        const attributes = JSON.stringify({ email, phone, first_name: 'Zoë' });
        await sql`
          insert into contacts (
            workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
            email_key, first_name_key, last_name_key, company_key, search_key
          ) values (${workspace}, ${index + 1}, ${`00000000-0000-4000-8000-0000000000${workspace}${index}`}, 0, ${attributes}, 1, 1, ${email}, 'zoë', '', '',
            ${`${email}\n${phone}\nzoë\n\n\n`})`.execute(trx);
        await sql`
          insert into identities values (${workspace}, 'phone', ${phone}, ${index + 1}), (${workspace}, 'email', ${email}, ${index + 1})`.execute(
          trx,
        );
      }
    }
  });
  await old.close();
  const db = await openDatabase(place.url);
  const workspace = must((await listWorkspaces(db)).find(({ name }) => name === 'Other'));
  const found = async (search: string) =>
    (await listContacts(workspace, db, { ...ALL, search, sorting: [{ id: 'updated_at', desc: false }] })).data.map(
      ({ attributes }) => attributes['phone'],
    );
  const results = [await found('901822'), await found('90182244 zoe'), await found('90182266')];
  const ofDomain = [await found('xn--mnchen-3ya'), await found('zoe@ münchen'), await found('münchen')];
  const errors = await checkRecords(workspace, db);
  await db.close();
  expect(results).toEqual([phones.slice(0, 3), [phones[1]], []]);
  expect(ofDomain).toEqual([phones, [], phones]);
  expect(errors).toEqual([]);
});

test('changes from before there was one log become its lines, in the order of time, each with its place and its hash', async () => {
  await using place = await createTestStorage();
  const old = await openDatabase(place.url, { steps: migrations.slice(0, migrations.indexOf(log)) });
  const OFF = '[{"field":"subscribed","before":true,"after":false}]';
  const PLAN = '[{"field":"attributes.plan","before":null,"after":"a"}]';
  const given: [contact: number, number: number, time: number, token: string | null, reason: string | null][] = [
    [1, 1, 3000, 'support', 'asked'],
    // The clock was set back.
    [1, 2, 2000, 'support', null],
    [2, 1, 1000, null, null],
    [2, 2, 2500, 'crm', null],
  ];
  await old.unscoped.write(async (trx) => {
    await sql`insert into workspaces (id, uuid, name, created_at) values (1, 'u', 'Acme', 1), (2, 'v', 'Other', 1)`.execute(
      trx,
    );
    for (const id of [1, 2]) {
      await sql`
        insert into contacts (
          workspace_id, id, uuid, subscribed, attributes, created_at, updated_at,
          email_key, first_name_key, last_name_key, company_key, search_key, change_count
        ) values (1, ${id}, ${`contact ${id}`}, 0, '{"plan":"a"}', 1, 1, '', '', '', '', '', 2)`.execute(trx);
    }
    for (const [contact, number, time, token, reason] of given) {
      await sql`
        insert into contact_changes
          (workspace_id, contact_id, number, uuid, action, created_at, token_uuid, token_name, reason, changes)
        values (1, ${contact}, ${number}, ${`c${contact}${number}`}, ${number === 1 ? 'unsubscribe' : 'update'}, ${time},
          ${token && `the ${token}`}, ${token}, ${reason}, ${number === 1 ? OFF : PLAN})`.execute(trx);
    }
  });
  await old.close();
  const db = await openDatabase(place.url);
  const lines = await db.unscoped.kysely.selectFrom('changes').selectAll().orderBy('number').execute();
  const [workspace, other] = await listWorkspaces(db);
  const errors = [
    ...(await checkLog(must(workspace), db)),
    ...(await checkChanges(must(workspace), db)),
    ...(await checkLog(must(other), db)),
  ];
  await db.close();
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
  expect(errors).toEqual([]);
});

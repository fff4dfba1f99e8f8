import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addIndex } from '../../../contacts/attributeIndex/manageIndexes.ts';
import { putContacts } from '../../../contacts/store.ts';
import { COPIED_TABLES } from '../../../database/copyTables.ts';
import { COMMAND } from '../../../database/changeLog/author.ts';
import { setRetention } from '../../../retention/settings.ts';
import { openDatabase } from '../../../database/openDatabase.ts';
import { createFileStorage, createTestStorage, type TestStorage } from '../../../testing/testDatabase.ts';
import type { WorkspaceId } from '../../../database/schema/tables.ts';
import { startTestProxy } from '../../../testing/processes/testProxy.ts';
import { putAddresses } from '../../../domains/putAddresses.ts';
import { putDomains } from '../../../domains/putDomains.ts';
import { makeDemo } from '../../../demo/demo.ts';
import { createSharedLink } from '../../../domains/share/sharedLinks.ts';
import { eraseContact } from '../../../privacy/erase.ts';
import { createSignInCode } from '../../../sessions/store.ts';
import { killServices, type StartedService, startService } from '../../../testing/processes/testMain.ts';
import { findPrincipal } from '../../../workspaces/store.ts';
import { newPerson } from '../../../testing/testPeople.ts';
import { type AdminOutput, startTestAdmin, type TestAdmin } from '../../../testing/processes/testAdmin.ts';

// From a file to PostgreSQL. The commands run in the folder of a test with its data.

const BUSY_DOMAIN = '4f6c3b0e-5d0a-4b8e-9c0f-0d9d8a3a7b11';

let t: TestAdmin;
let source: TestStorage;
let token: string;
let cookie: string;
beforeAll(async () => {
  t = await startTestAdmin();
  source = await createFileStorage();
  const db = await openDatabase(source.url);
  const demo = (await makeDemo(db, Date.now()))!;
  ({ token } = demo);
  const principal = (await findPrincipal(db, token, Date.now()))!;
  await createSignInCode(db, principal, Date.now());
  const { workspace } = principal;
  await db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: 'erased@x.test' } }], 0));
  await eraseContact(workspace, db, 'erased@x.test', { identity: null }, COMMAND, Date.now());
  await db.write(workspace, async (scope) => {
    await putDomains(scope, [{ uuid: BUSY_DOMAIN, name: 'busy.test' }], 0);
    const addresses = Array.from({ length: 1001 }, (_, index) => ({ domain: 'busy.test', address: `a${index}` }));
    await putAddresses(scope, addresses, 0);
  });
  await addIndex(workspace, db, 'plan', () => {});
  await setRetention(workspace, db, { event_days: 3650 }, { now: Date.now(), author: COMMAND });
  await createSharedLink(workspace, db, BUSY_DOMAIN, { now: Date.now(), author: COMMAND });
  await newPerson({ database: db, clock: { now: Date.now() } }, workspace, 'support');
  await db.close();
  const service = await startService(source.url);
  const signedIn = await fetch(`${service.address}/session`, {
    method: 'POST',
    headers: { 'sendroom-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await service.kill();
});
afterAll(async () => {
  killServices();
  await source[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

const move = (to: string, from = source.url) => t.admin(['move', '--to', to, '--json'], { url: from });

async function rowsOf(url: string): Promise<Record<string, object[]>> {
  const db = await openDatabase(url);
  try {
    const tables = COPIED_TABLES.map(async (table) => {
      const rows = await db.unscoped.kysely.selectFrom(table).selectAll().execute();
      return [table, rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))];
    });
    return Object.fromEntries(await Promise.all(tables)) as Record<string, object[]>;
  } finally {
    await db.close();
  }
}

test('a command in the wrong place moves nothing', async () => {
  await using target = await createTestStorage();
  await using empty = await createFileStorage();
  const refusals: [from: string, to: string, code: number, sentence: string][] = [
    [t.url, target.url, 1, 'DATABASE_URL must name the file to move from.'],
    [empty.url, target.url, 1, 'The file has no workspace. Use the DATABASE_URL of the service.'],
    [source.url, t.url, 1, "The target database isn't empty."],
    [source.url, empty.url, 2, 'It must be like postgres://user@host/sendroom.'],
    [source.url, 'postgres://localhost', 2, 'It must be like postgres://user@host/sendroom.'],
    [source.url, 'postgres://localhost:99999/sendroom', 2, 'It must be like postgres://user@host/sendroom.'],
  ];
  for (const [from, to, code, sentence] of refusals) {
    expect(await move(to, from)).toMatchObject({ code, err: expect.stringContaining(sentence) });
  }
  const service = await startService(source.url);
  expect(await move(target.url)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Another Sendroom service is running on'),
  });
  await service.kill();
  expect((await rowsOf(target.url))['workspaces']).toEqual([]);
});

test('a copy that differs is not kept, and each difference is named', async () => {
  await using target = await createTestStorage();
  const db = await openDatabase(target.url);
  const change = (table: string, statements: string) =>
    db.unscoped.write(async (trx) => {
      await sql
        .raw(`create function change_${table}() returns trigger language plpgsql as $$ begin ${statements} end $$`)
        .execute(trx);
      await sql
        .raw(`create trigger change before insert on ${table} for each row execute function change_${table}()`)
        .execute(trx);
    });
  await change('tokens', `new.name = 'else'; return new;`);
  await change(
    'sign_in_codes',
    `insert into event_names values (7, 8, 'opened', 'opened', 9); if new.used_at is null then return null; end if; return new;`,
  );
  await db.close();

  const { tokens = [], sign_in_codes = [] } = await rowsOf(source.url);
  const said = await move(target.url);
  expect(said.code).toBe(1);
  expect(said.err.trimEnd().split('\n')).toEqual([
    ...(tokens as { hash: string }[]).map(({ hash }) => `tokens ${hash} differs in name.`).toSorted(),
    ...(sign_in_codes as { hash: string }[]).map(({ hash }) => `sign_in_codes ${hash} is missing.`).toSorted(),
    'event_names 7 8 opened should not be there.',
    `The copy differed from the file and was discarded. Differences: ${tokens.length + sign_in_codes.length + 1}.`,
  ]);
  expect((await rowsOf(target.url))['workspaces']).toEqual([]);
});

test('broken off, it leaves an empty database', async () => {
  await using target = await createTestStorage();
  await using door = await startTestProxy(target.url);
  const db = await openDatabase(target.url);
  let broken: Promise<AdminOutput> | undefined;
  // A write of a workspace, because the command waits for writes without one.
  await db.write({ ...t.workspace, id: 0 as WorkspaceId }, async ({ kysely: trx }) => {
    await sql`lock table events`.execute(trx);
    broken = move(door.url);
    const waiting = sql`select 1 from pg_locks where relation = 'events'::regclass and not granted`;
    await expect.poll(async () => (await waiting.execute(trx)).rows).toHaveLength(1);
    await door.disconnect();
  });
  expect(await broken).toMatchObject({ code: 1, err: 'The database does not answer.\n' });
  await db.close();
  expect((await rowsOf(target.url))['workspaces']).toEqual([]);
});

test('every row of every table is there as it was, and who was signed in still is', async () => {
  await using target = await createTestStorage();
  const before = await rowsOf(source.url);
  const said = await move(target.url);
  expect(said).toMatchObject({ code: 0, err: '' });

  const after = await rowsOf(target.url);
  expect(after).toEqual(before);
  const counts = Object.entries(before).map(([table, rows]) => [table, rows.length]);
  expect(said.result()).toEqual({ rows: Object.fromEntries(counts) });
  expect(counts.filter(([, count]) => count === 0)).toEqual([]);
  expect(await rowsOf(source.url)).toEqual(before);

  const service: StartedService = await startService(target.url);
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${service.address}/v1/contacts`, { headers: { 'sendroom-console': '1', ...headers } })).status;
  expect([await status({ cookie }), await status({ authorization: `Bearer ${token}` })]).toEqual([200, 200]);
  await service.kill();
});

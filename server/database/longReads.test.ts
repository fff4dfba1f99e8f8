import { sql } from 'kysely';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listContacts } from '../contacts/listContacts.ts';
import { startTestService, type TestService } from '../testService.ts';
import { createTwins, type Tenant } from '../testTenants.ts';
import type { Database, Transaction } from './database.ts';
import { isPostgres, stillWanted } from './engine.ts';
import { DatabaseGone, ReadTooLong } from './failures.ts';
import { ENGINE } from './testDatabase.ts';

// What one read costs is no business of another, in a service.

let service: TestService;
let database: Database;
let own: Tenant;
let other: Tenant;
beforeEach(async () => {
  service = await startTestService();
  ({ database } = service);
  [own, other] = await createTwins(database, service.clock.now);
});
afterEach(() => service[Symbol.asyncDispose]());

/** Takes minutes, as a search over billions of rows. */
const endless = (trx: Transaction) =>
  sql`
    with recursive numbers (number) as (
      select cast(1 as bigint) union all select number + 1 from numbers where number < 100000000000
    )
    select count(*) from numbers where ${stillWanted(trx, sql`number`)}`.execute(trx);
/** The same, but it asks nobody whether it is still wanted: it gives rows all the time. */
const endlessRows = (trx: Transaction) =>
  sql`
    with recursive numbers (number) as (
      select cast(1 as bigint) union all select number + 1 from numbers where number < 100000000000
    )
    select number from numbers where number % 1000 = 0`.execute(trx);
const contactsOf = (tenant: Tenant, search = '') =>
  service.call(`/v1/contacts?search=${search}`, { token: tenant.token });
const settled = <Value>(promise: Promise<Value>) => promise.then(String, (error: unknown) => error);

/** Milliseconds of a processor that this process, or the server of the database for us, needs in a while when nobody asks anything. */
async function workAfterwards(): Promise<number> {
  if (ENGINE === 'postgres') {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity where state = 'active' and query like '%recursive numbers%'
        and pid <> pg_backend_pid()`.execute(database.kysely);
    return (rows[0]?.count ?? 0) * 1000;
  }
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('a read that takes too long is given up and costs nothing more, and meanwhile others are answered', async () => {
  const state = { isOver: false };
  const reading = settled(database.read(own.workspace, endless)).finally(() => (state.isOver = true));
  let answered = 0;
  let longest = 0;
  while (!state.isOver) {
    const asked = performance.now();
    expect((await contactsOf(other, 'canary')).status).toBe(200);
    longest = Math.max(longest, performance.now() - asked);
    answered++;
  }
  expect(await reading).toBeInstanceOf(ReadTooLong);
  expect(answered).toBeGreaterThan(20);
  expect(longest).toBeLessThan(2_500);
  expect(await workAfterwards()).toBeLessThan(500);
});

test('however much one workspace reads, others find room, and all of it takes no longer than one read', async () => {
  const started = performance.now();
  const reading = Array.from({ length: 12 }, () => settled(database.read(own.workspace, endless)));
  for (let round = 0; round < 5; round++) expect((await contactsOf(other)).status).toBe(200);
  const others = performance.now() - started;
  for (const answer of await Promise.all(reading)) expect(answer).toBeInstanceOf(ReadTooLong);
  const all = performance.now() - started;
  expect(all).toBeLessThan(2 * 5_000 + 2_500);
  expect(others).toBeLessThan(all);
  expect((await contactsOf(own)).status).toBe(200);
});

test('who asks for a list that takes too long is told so, and others are not', async () => {
  await database.write(null, async (trx) => {
    await sql`alter table contacts rename to contacts_before`.execute(trx);
    // Each contact billions of times.
    await sql`
      create view contacts as with recursive numbers (number) as (
        select cast(1 as bigint) union all select number + 1 from numbers where number < 100000000000
      )
      select contacts_before.* from numbers cross join contacts_before where ${stillWanted(trx)}`.execute(trx);
  });
  const [long, ...short] = await Promise.all([
    contactsOf(own, 'canary'),
    ...[own, other].map(({ token }) => service.call('/v1/domains', { token })),
  ]);
  expect([long?.status, long?.headers.get('retry-after'), await long?.json()]).toEqual([
    503,
    '5',
    expect.objectContaining({
      detail: 'This list or search took too long: search for something more exact, or try again later.',
    }),
  ]);
  expect(short.map(({ status }) => status)).toEqual([200, 200]);
});

/** Threads that are started from now on. */
function watchThreads(): Worker[] {
  const threads: Worker[] = [];
  const watch = (worker: Worker) => threads.push(worker);
  process.on('worker', watch);
  onTestFinished(() => void process.off('worker', watch));
  return threads;
}

describe.runIf(ENGINE === 'sqlite')('a thread', () => {
  test('that goes over rows without an end is ended too, and another takes its place', async () => {
    const threads = watchThreads();
    expect(await settled(database.read(own.workspace, endlessRows))).toSatisfy(
      (failure) => failure instanceof ReadTooLong || failure instanceof DatabaseGone,
    );
    expect(await workAfterwards()).toBeLessThan(500);
    expect((await contactsOf(own)).status).toBe(200);
    expect(threads.length).toBe(2);
  });

  test('that dies fails the read it was busy with, and no other', async () => {
    const threads = watchThreads();
    const reading = settled(database.read(own.workspace, endless));
    expect((await contactsOf(own)).status).toBe(200);
    expect(threads.length).toBe(2);
    await threads[0]?.terminate();
    expect(await reading).toBeInstanceOf(DatabaseGone);
    expect((await Promise.all(Array.from({ length: 5 }, () => contactsOf(own)))).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
  });

  test('is gone when the database is closed, which waits for what is under way', async () => {
    const threads = watchThreads();
    await contactsOf(own);
    const gone = Promise.all(threads.map((thread) => once(thread, 'exit')));
    const query = { page: 1, per_page: 10, search: '', sorting: [], filters: {} };
    const lists = Array.from({ length: 6 }, () => listContacts(own.workspace, database, query));
    await service[Symbol.asyncDispose]();
    for (const list of lists) expect((await list).data.length).toBe(1);
    await gone;
    service = await startTestService();
  });

  test('sees one state of the data in a read, writes nothing, and says what was wrong with a statement', async () => {
    const nameOf = async (trx: Transaction) =>
      (await trx.selectFrom('workspaces').select('name').where('id', '=', own.workspace.id).executeTakeFirst())?.name;
    const rename = (name: string) =>
      database.write(own.workspace, (trx) =>
        trx.updateTable('workspaces').set({ name }).where('id', '=', own.workspace.id).execute(),
      );
    const names = await database.read(own.workspace, async (trx) => {
      const before = await nameOf(trx);
      await rename('new');
      return [before, await nameOf(trx)];
    });
    expect(names).toEqual([own.canary, own.canary]);
    expect(await database.read(own.workspace, nameOf)).toBe('new');
    await expect(database.read(own.workspace, (trx) => trx.deleteFrom('contacts').execute())).rejects.toThrow(
      /read-?only/,
    );
    await expect(database.read(own.workspace, (trx) => sql`nonsense`.execute(trx))).rejects.toThrow('syntax error');
    expect(await database.read(own.workspace, async (trx) => isPostgres(trx))).toBe(false);
  });
});

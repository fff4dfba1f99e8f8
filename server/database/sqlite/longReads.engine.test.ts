import { sql } from 'kysely';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../../testing/testTenants.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { engineOf } from '../engine.ts';
import { READ_LIMIT_MS } from '../database.ts';
import { createMigratedStorage, ENGINE, withSettings } from '../../testing/testDatabase.ts';

// In a service, one slow read must not delay others.

const TOO_LONG = 'This list or search took too long: search for something more exact, or try again later.';

let service: TestService;
let own: Tenant;
let other: Tenant;
/** All that were started since before the service. */
let threads: Worker[];
beforeEach(async () => {
  threads = [];
  const started = threads;
  const watch = (worker: Worker) => started.push(worker);
  process.on('worker', watch);
  onTestFinished(() => void process.off('worker', watch));
  // On PostgreSQL the server has the clock of the limit.
  if (ENGINE === 'sqlite') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const place = await createMigratedStorage();
  service = await startTestService({ place: { ...place, url: withSettings(place.url, 'statement_timeout=3000') } });
  [own, other] = await createTwinTenants(service.database, service.clock.now);
});
afterEach(() => service[Symbol.asyncDispose]());

/**
 * A workspace with so many contacts that no search of them ends: its one contact is repeated billions of times. PostgreSQL stops at the
 * first that it looks for, so there that one takes an hour.
 */
const endless = (tenant: Tenant) =>
  service.database.unscoped.write(async (trx) => {
    await sql`alter table contacts rename to contacts_before`.execute(trx);
    const numbers = sql`
      with recursive numbers (number) as (
        select cast(1 as bigint) union all select number + 1 from numbers where number < 100000000000
      )
      select number from numbers where ${engineOf(trx).cancellationCheck(sql`number`)}`;
    const slow =
      ENGINE === 'sqlite'
        ? sql`(${numbers}) as numbers cross join contacts_before`
        : sql`contacts_before cross join lateral pg_sleep(3600 + 0 * id) as slow`;
    await sql`
      create view contacts as
        select * from contacts_before where workspace_id <> ${sql.lit(tenant.workspace.id)}
        union all
        select contacts_before.* from ${slow}
        where workspace_id = ${sql.lit(tenant.workspace.id)}`.execute(trx);
  });
const list = (tenant: Tenant, path: string) => service.call(path, { token: tenant.token });
const searchOf = async (tenant: Tenant) => {
  const response = await list(tenant, '/v1/contacts?search=canary');
  const { detail = '' } = (await response.json()) as { detail?: string };
  return [response.status, response.headers.get('retry-after'), detail];
};

const endTime = () => vi.isFakeTimers() && vi.advanceTimersByTime(READ_LIMIT_MS);

/** How many reads of our table are going on. */
async function countReading(): Promise<number | undefined> {
  if (ENGINE === 'sqlite') return reading();
  // Other files search at the same server.
  const { rows } = await sql<{ count: number }>`
    select count(distinct pid) as count from pg_locks join pg_stat_activity using (pid)
    where relation = cast('contacts_before' as regclass) and state = 'active' and query like '%search_key%'`.execute(
    service.database.unscoped.kysely,
  );
  return rows[0]?.count;
}

test('searches that take too long are given up and cost nothing more, and meanwhile others are answered', async () => {
  const names = Array.from({ length: 2_500 }, (_, index) => ({ name: `d${index}.test` }));
  await service.database.write(own.workspace, (scope) => putDomains(scope, names, service.clock.now));
  await endless(own);
  let over = 0;
  const searching = Array.from({ length: 7 }, () => searchOf(own).finally(() => over++));
  await expect.poll(countReading).toBeGreaterThan(1);
  const answers = await Promise.all([
    list(other, '/v1/contacts?search=canary'),
    list(other, `/v1/contacts/${other.contact}/events?search=canary`),
    // A page in the middle of some thousand.
    list(own, '/v1/domains?page=125'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(over).toBe(0);
  // Those that wait have their time when the first are over.
  const endAll = () => {
    endTime();
    return over;
  };
  await expect.poll(endAll).toBe(searching.length);
  expect(await Promise.all(searching)).toEqual(searching.map(() => [503, '5', TOO_LONG]));
  await expect.poll(countReading).toBe(0);
});

/** How many threads are reading now. */
const reading = () => service.database.pools()[0]?.used;

if (ENGINE === 'sqlite') {
  describe('a thread', () => {
    // A service reads something when it starts.
    beforeEach(() => expect.poll(() => threads.length > 0 && reading() === 0).toBe(true));

    test('is kept for the next read, but not when it was ended', async () => {
      for (let round = 0; round < 3; round++) expect(await searchOf(own)).toEqual([200, null, '']);
      expect(threads.length).toBe(1);
      await endless(own);
      const searching = searchOf(own);
      await expect.poll(reading).toBe(1);
      endTime();
      expect((await searching)[0]).toBe(503);
      expect((await searchOf(other))[0]).toBe(200);
      expect(threads.length).toBe(2);
      expect(threads[0]?.threadId).toBe(-1);
    });

    test('that dies fails the read it was busy with, and no other', async () => {
      await endless(own);
      const searching = searchOf(own);
      await expect.poll(reading).toBe(1);
      expect(await searchOf(other)).toEqual([200, null, '']);
      expect(threads.length).toBe(2);
      await threads[0]?.terminate();
      expect(await searching).toEqual([
        503,
        '2',
        'A thread that reads the database ended. Nothing was changed; try again.',
      ]);
      const answers = await Promise.all(Array.from({ length: 5 }, () => searchOf(other)));
      expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200]);
    });

    test('is gone when the database is closed', async () => {
      await Promise.all([searchOf(own), searchOf(other)]);
      await service[Symbol.asyncDispose]();
      expect(threads.map(({ threadId }) => threadId)).toEqual(threads.map(() => -1));
      service = await startTestService();
    });

    test('whose statement failed runs it again as if it was new', async () => {
      await service.database.unscoped.write(async (trx) => {
        await sql`alter table contacts rename to contacts_before`.execute(trx);
        await sql`create view contacts as select * from contacts_before where json(search_key) is not null`.execute(
          trx,
        );
      });
      expect((await searchOf(own))[0]).toBe(500);
      expect(service.log.join('')).toContain('malformed JSON');
      await service.database.unscoped.write(async (trx) => {
        await sql`drop view contacts`.execute(trx);
        await sql`alter table contacts_before rename to contacts`.execute(trx);
      });
      expect(await searchOf(own)).toEqual([200, null, '']);
    });
  });
}

import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { DatabaseBusyError } from '../../database/databaseErrors.ts';
import { openDatabase } from '../../database/openDatabase.ts';
import { readConfig } from '../../settings/config.ts';
import { ENGINE, NOW, openTestDatabase, type TestDatabase, withSettings } from '../../testing/testDatabase.ts';
import type { DnsClientOptions } from '../../dns/conversation/dnsClient.ts';
import { NS1, NS2, RESOLVER, startTestDns, type TestDns } from '../../testing/testDns.ts';
import { setSuspended } from '../../workspaces/store.ts';
import { LiveChecks } from './liveChecks.ts';
import { type RecheckDependencies, recheckDomains, recheckDue } from './recheck.ts';
import { ResolverWatch } from './resolverWatch.ts';
import { getDomain } from '../store.ts';
import { importDomain, createRequiredRecords, publishAddresses, RIGHT_ADDRESS } from '../../testing/testDomains.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let dns: TestDns;
let t: TestDatabase;
beforeAll(async () => {
  dns = await startTestDns();
});
afterAll(() => dns[Symbol.asyncDispose]());
beforeEach(async () => {
  t = await openTestDatabase();
  dns.queries.length = 0;
});
afterEach(async () => {
  for (const address of [RESOLVER, NS1, NS2]) dns.misbehave[address] = () => undefined;
  await t[Symbol.asyncDispose]();
});

const running = () => new AbortController().signal;

type Line = { message: string; domain?: string };

/** A job of its own, as each process has one, and its log. */
function jobOn(
  clock: { now: number },
  limits: DnsClientOptions['limits'] = {},
): RecheckDependencies & { lines: Line[] } {
  const now = () => clock.now;
  const lines: Line[] = [];
  const write = (fields: object, message: string) => void lines.push({ ...fields, message });
  const log = { info: write, warn: write, error: write };
  const dnsClient = dns.dnsClient({ limits });
  const checks = new LiveChecks({ dnsClientFor: () => dnsClient, now, log, resolvers: new ResolverWatch(() => {}) });
  return { stored: { database: t.db, checks, longestPause: HOUR }, now, log, lines };
}

const checksOf = (name: string, { lines }: { lines: Line[] }) => lines.filter(({ domain }) => domain === name).length;

let count = 0;
async function addDomain(
  published: Record<string, string>,
  { workspace = t.workspace, name = `r${count++}.dev`, at = NOW } = {},
) {
  publishAddresses(dns, name, published);
  const uuid = await importDomain(workspace, t.db, { name, dns: createRequiredRecords(name, ['a']) }, at);
  return { name, uuid, read: () => getDomain(workspace, t.db, uuid) };
}

/** Minutes until each of the next checks of a domain. */
async function pausesOf(
  name: string,
  job: ReturnType<typeof jobOn>,
  clock: { now: number },
  checks: number,
): Promise<number[]> {
  const pauses: number[] = [];
  let last = clock.now;
  while (pauses.length < checks) {
    const before = checksOf(name, job);
    clock.now += MINUTE;
    await recheckDue(job, running());
    if (checksOf(name, job) === before) continue;
    pauses.push((clock.now - last) / MINUTE);
    last = clock.now;
  }
  return pauses;
}

test('what isn’t published yet is checked every five minutes, then slower and slower, and at least hourly', async () => {
  const clock = { now: NOW };
  const job = jobOn(clock);
  const { name, uuid, read } = await addDomain({});
  await recheckDue(job, running());
  expect(checksOf(name, job)).toBe(1);
  const pauses = await pausesOf(name, job, clock, 14);
  expect(pauses).toEqual([5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 7, 7]);

  await settle(job, clock);
  clock.now += HOUR - 1;
  await recheckDue(job, running());
  const before = checksOf(name, job);
  clock.now += 1;
  publishAddresses(dns, name, { a: RIGHT_ADDRESS });
  await recheckDue(job, running());
  expect(checksOf(name, job)).toBe(before + 1);
  expect(await read()).toMatchObject({ uuid, verified: true, dns: [{ is_valid: true }] });
});

/** Checks until what is wrong with the domains, such as DMARC, has been told and lasts so long that it's checked hourly. */
async function settle(job: RecheckDependencies, clock: { now: number }): Promise<void> {
  for (const pause of [0, 30 * DAY, 10 * MINUTE, 30 * DAY]) {
    clock.now += pause;
    await recheckDue(job, running());
  }
}

test('what is right is checked hourly, and what is gone again in three minutes and five later', async () => {
  const clock = { now: NOW };
  const job = jobOn(clock);
  const { name, read } = await addDomain({ a: RIGHT_ADDRESS });
  await settle(job, clock);
  expect(await pausesOf(name, job, clock, 2)).toEqual([60, 60]);
  publishAddresses(dns, name, {});
  expect(await pausesOf(name, job, clock, 3)).toEqual([60, 3, 5]);
  expect(await read()).toMatchObject({ verified: false, dns: [{ is_valid: false }] });
});

test('of what is late, a new fault is checked before what was right', async () => {
  const clock = { now: NOW };
  const job = jobOn(clock);
  const right = await Promise.all(Array.from({ length: 6 }, () => addDomain({ a: RIGHT_ADDRESS })));
  await settle(job, clock);
  clock.now += 59 * MINUTE;
  const broken = await addDomain({}, { at: clock.now });
  await recheckDue(job, running());
  expect(checksOf(broken.name, job)).toBe(1);
  // They were due five minutes ago, and it one.
  clock.now += 6 * MINUTE;
  dns.queries.length = 0;
  await recheckDue(job, running());
  const asked = dns.queries.flatMap((line) => /r\d+\.dev/.exec(line)?.[0] ?? []);
  const order = [...new Set(asked)];
  expect(order.toSorted()).toEqual([broken, ...right].map(({ name }) => name).toSorted());
  expect(order.slice(0, 2)).toContain(broken.name);
});

test('a domain whose name servers are silent delays no other', async () => {
  const job = jobOn({ now: NOW }, { timeout: 3_600_000, deadline: 3_600_000 });
  const silent = await addDomain({ a: RIGHT_ADDRESS });
  const others = await Promise.all(Array.from({ length: 4 }, () => addDomain({ a: RIGHT_ADDRESS })));
  dns.misbehave[RESOLVER] = ({ name }) => (name.endsWith(silent.name) ? 'silence' : undefined);
  const stop = new AbortController();
  const ended = recheckDue(job, stop.signal);
  await expect.poll(() => others.map(({ name }) => checksOf(name, job))).toEqual([1, 1, 1, 1]);
  expect(checksOf(silent.name, job)).toBe(0);
  stop.abort();
  await ended;
});

test('what an import changes is due at once, even while the former records are checked', async () => {
  const clock = { now: NOW };
  const job = jobOn(clock);
  const { name, read } = await addDomain({ a: RIGHT_ADDRESS, b: RIGHT_ADDRESS });
  dns.misbehave[RESOLVER] = () => {
    dns.misbehave[RESOLVER] = () => undefined;
    void importDomain(t.workspace, t.db, { name, dns: createRequiredRecords(name, ['b']) }, NOW);
    return undefined;
  };
  await recheckDue(job, running());
  expect(checksOf(name, job)).toBe(2);
  expect(await read()).toMatchObject({ dns: [{ name: `b.${name}`, is_valid: true }] });
});

test('suspended workspaces are left alone', async () => {
  const clock = { now: NOW };
  const job = jobOn(clock);
  const suspended = await addDomain({ a: RIGHT_ADDRESS });
  const other = await addDomain({ a: RIGHT_ADDRESS }, { workspace: t.otherWorkspace });
  await setSuspended(t.workspace, t.db, true);
  await recheckDue(job, running());
  expect(job.lines).toMatchObject([{ domain: other.name }]);
  expect(dns.queries.filter((line) => line.includes(suspended.name))).toEqual([]);
});

test('two processes never check a domain twice for one time it is due', async () => {
  const names: string[] = [];
  for (let index = 0; index < 20; index++) names.push((await addDomain({ a: RIGHT_ADDRESS })).name);
  const jobs = [jobOn({ now: NOW }), jobOn({ now: NOW })];
  await Promise.all(jobs.map((job) => recheckDue(job, running())));
  const checked = jobs.flatMap(({ lines }) => lines.map(({ domain = '' }) => domain));
  expect(checked.toSorted()).toEqual(names.toSorted());
});

test('what a process was checking when it was killed comes due again', async () => {
  const { name, read } = await addDomain({ a: RIGHT_ADDRESS });
  const before = await read();
  const asked = Promise.withResolvers<void>();
  dns.misbehave[NS1] = ({ name: about }) => {
    if (about !== `a.${name}`) return undefined;
    asked.resolve();
    return 'silence';
  };
  // It gets no answer any more.
  const killed = new AbortController();
  const ended = recheckDue(jobOn({ now: NOW }, { timeout: 3_600_000, deadline: 3_600_000 }), killed.signal);
  await asked.promise;
  dns.misbehave[NS1] = () => undefined;
  const clock = { now: NOW };
  const job = jobOn(clock);
  await recheckDue(job, running());
  expect(job.lines).toEqual([]);
  expect(await read()).toEqual(before);
  clock.now += 10 * MINUTE;
  await recheckDue(job, running());
  expect(checksOf(name, job)).toBe(1);
  expect(await read()).toMatchObject({ verified: true });
  killed.abort();
  await ended;
});

test('a clock that was ahead and is set back stops no check', async () => {
  const clock = { now: NOW + 400 * DAY };
  const job = jobOn(clock);
  const { name, uuid, read } = await addDomain({ a: RIGHT_ADDRESS });
  await recheckDue(job, running());
  clock.now = NOW;
  await recheckDue(job, running());
  expect(checksOf(name, job)).toBe(2);
  const next = () =>
    t.db.read(t.workspace, (scope) =>
      scope.select('domains').select('next_check_at').where('uuid', '=', uuid).executeTakeFirstOrThrow(),
    );
  expect((await next()).next_check_at).toBeLessThanOrEqual(NOW + DAY);
  expect(await read()).toMatchObject({ verified: true });
  // One that is due tomorrow waits.
  await t.db.write(t.workspace, (scope) =>
    scope
      .update('domains')
      .set({ next_check_at: NOW + DAY })
      .execute(),
  );
  await recheckDue(job, running());
  expect(checksOf(name, job)).toBe(2);
});

test('the signal to stop ends it in the middle of a question', async () => {
  // Longer than a test may take.
  const job = jobOn({ now: NOW }, { timeout: 3_600_000, deadline: 3_600_000 });
  const { read } = await addDomain({ a: RIGHT_ADDRESS });
  const stop = new AbortController();
  dns.misbehave[RESOLVER] = () => {
    stop.abort();
    return 'silence';
  };
  await recheckDomains(job, stop.signal);
  expect(await read()).toMatchObject({ verified: false });
  expect(job.lines).toEqual([]);
});

test('what goes wrong is logged, and does not end the job', async () => {
  const job = jobOn({ now: NOW });
  const { name } = await addDomain({ a: RIGHT_ADDRESS });
  dns.misbehave[NS1] = () => {
    void t.db.write(t.workspace, ({ kysely: trx }) =>
      trx.schema.alterTable('dns_records').renameTo('elsewhere').execute(),
    );
    dns.misbehave[NS1] = () => undefined;
    return undefined;
  };
  await recheckDue(job, running());
  expect(job.lines).toMatchObject([{ message: 'domain checked' }, { domain: name, err: expect.any(Error) as Error }]);

  await t.db.unscoped.write((trx) => trx.schema.alterTable('domains').renameTo('nowhere').execute());
  const stop = new AbortController();
  const error = (_: object, message: string) => {
    expect(message).toBe('recheck of domains failed');
    stop.abort();
  };
  await recheckDomains({ ...job, log: { ...job.log, error } }, stop.signal);
});

// Writes to a file wait for each other, whatever their workspaces are.
if (ENGINE === 'postgres') {
  test('a workspace that is being written to for long delays no other', async () => {
    const waits = await openDatabase(withSettings(t.url, 'lock_timeout=200'));
    const job = jobOn({ now: NOW });
    const first = await addDomain({ a: RIGHT_ADDRESS });
    const others: string[] = [];
    for (let index = 0; index < 5; index++) {
      others.push((await addDomain({ a: RIGHT_ADDRESS }, { workspace: t.otherWorkspace })).name);
    }
    await t.db.write(t.workspace, () => recheckDue({ ...job, stored: { ...job.stored, database: waits } }, running()), {
      isBulk: true,
    });
    expect(job.lines.filter(({ message }) => message !== 'domain checked')).toMatchObject([
      {
        message: 'recheck of domains failed',
        workspace: t.workspace.uuid,
        err: expect.any(DatabaseBusyError),
      },
    ]);
    expect(others.map((name) => checksOf(name, job))).toEqual([1, 1, 1, 1, 1]);
    await recheckDue(job, running());
    expect(checksOf(first.name, job)).toBe(1);
    await waits.close();
  });
}

test('a service does it by itself, without additions too, unless it is told not to', async () => {
  const { read } = await addDomain({ a: RIGHT_ADDRESS });
  const start = async (settings: Record<string, string>) => {
    const config = readConfig({ ADDITIONS: 'off', ...settings });
    const logStream = { write: () => {} };
    const app = await buildApp({
      database: t.db,
      config,
      consoleDir: null,
      logStream,
      dnsClientFor: () => dns.dnsClient(),
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return app;
  };
  const idle = await start({ DNS_RECHECK: 'off' });
  const { port } = idle.server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/readyz`);
  await idle.close();
  expect(dns.queries).toEqual([]);

  const busy = await start({});
  await expect.poll(read).toMatchObject({ verified: true });
  await busy.close();
});

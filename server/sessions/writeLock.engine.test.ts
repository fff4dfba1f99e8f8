import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { listChanges } from '../auditLog/listChanges.ts';
import { ALL } from '../testing/testList.ts';
import { createMigratedStorage, ENGINE, type TestStorage } from '../testing/testDatabase.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { createToken } from '../workspaces/store.ts';
import { IDLE_TIMEOUT_MS } from './sessionLimits.ts';

// Another process writes for long, like an import: signed-in users can read, and signing out has effect.

const CONSOLE = { 'sendroom-console': '1' };
const MINUTE = 60_000;
/** Milliseconds. A wait for the lock takes ten seconds at least. */
const SOON = 8000;

let place: TestStorage;
let service: TestService;
let isStopped: boolean;
let elsewhere: Database;
let tenant: Tenant;
let cookie: string;
let letGo = async () => {};
beforeEach(async () => {
  place = await createMigratedStorage();
  // The data outlives the service.
  service = await startTestService({ place: { ...place, [Symbol.asyncDispose]: async () => {} } });
  isStopped = false;
  elsewhere = await openDatabase(place.url);
  [tenant] = await createTwinTenants(service.database, service.clock.now);
  const signedIn = await call('/session', { method: 'POST', json: { token: tenant.token } });
  cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
});
afterEach(async () => {
  await letGo();
  if (!isStopped) await service[Symbol.asyncDispose]();
  await elsewhere.close();
  await place[Symbol.asyncDispose]();
});

const call = (path: string, init: CallInit = {}) =>
  service.call(path, { signal: AbortSignal.timeout(SOON), ...init, headers: { ...CONSOLE, ...init.headers } });
const asUser = (path: string, init: CallInit = {}) => call(path, { ...init, headers: { cookie } });
const rows = () => service.database.unscoped.kysely.selectFrom('sessions').select('seen_at').execute();

const writeWorkspace = (trx: Transaction): Promise<unknown> =>
  trx.updateTable('workspaces').set({ name: 'held' }).where('id', '=', tenant.workspace.id).execute();

async function hold(owner: Tenant['workspace'] | null, statement = writeWorkspace): Promise<void> {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const work = async (trx: Transaction) => {
    await statement(trx);
    held.resolve();
    await over.promise;
  };
  const { unscoped } = elsewhere;
  const writing = owner === null ? unscoped.write(work) : elsewhere.write(owner, ({ kysely }) => work(kysely));
  await held.promise;
  letGo = () => {
    over.resolve();
    return writing;
  };
}

async function expectUnwritten(response: Response, detail: RegExp): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) as string });
}

test('reads with a cookie of a while ago are answered, and the session does not grow old', async () => {
  await hold(null);
  for (let round = 0; round < 3; round++) {
    service.clock.now += IDLE_TIMEOUT_MS - MINUTE;
    const paths = ['/session', '/v1/domains', '/v1/workspace', `/v1/contacts/${tenant.contact}/events`];
    const answers = await Promise.all(paths.map((path) => asUser(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
  await letGo();
  await expect.poll(rows).toEqual([{ seen_at: service.clock.now }]);
});

test('a session that is over is refused, for good', async () => {
  await hold(null);
  for (const step of [IDLE_TIMEOUT_MS, -IDLE_TIMEOUT_MS]) {
    service.clock.now += step;
    expect((await asUser('/v1/domains')).status).toBe(401);
  }
  await letGo();
  await expect.poll(rows).toEqual([]);
});

test('who signs out is told what is true, and is out at once; a service that stops writes it first', async () => {
  await hold(null);
  const response = await asUser('/session', { method: 'DELETE' });
  await expectUnwritten(response, /^You're signed out in this browser\. /);
  expect(response.headers.getSetCookie()[0]).toMatch(/^sendroom=; Max-Age=0; Path=\/;/);
  expect(response.headers.get('clear-site-data')).toBe('"cache", "storage"');
  for (const path of ['/session', '/v1/domains']) expect((await asUser(path)).status).toBe(401);
  const stopped = service[Symbol.asyncDispose]();
  await letGo();
  await stopped;
  expect(await elsewhere.unscoped.kysely.selectFrom('sessions').select('hash').execute()).toEqual([]);
  isStopped = true;
});

test('who is refused is told why at once, and it is in the log later', async () => {
  const { database, clock } = service;
  const about = { name: 'expired', role: 'read', expires_at: clock.now - 1 } as const;
  const { token } = await createToken(tenant.workspace, database, about, clock.now);
  await hold(tenant.workspace);
  for (let attempt = 0; attempt < 2; attempt++)
    expect((await call('/session', { method: 'POST', json: { token } })).status).toBe(401);
  await letGo();
  const refusals = async () =>
    (await listChanges(tenant.workspace, database, ALL)).data.flatMap(({ action, actor, details }) =>
      action === 'sign_in_refused' ? [[actor.name, details?.['reason']]] : [],
    );
  const refused = ['expired', 'token expired'];
  await expect.poll(refusals).toEqual([refused, refused]);
});

test('who ends a session of the list is told what is true, and it is over at once', async () => {
  const list = await call('/v1/sessions', { token: tenant.token });
  const { data } = (await list.json()) as { data: { uuid: string }[] };
  const end = () => call(`/v1/sessions/${data[0]?.uuid}`, { method: 'DELETE', token: tenant.token });
  await hold(null);
  // Asking again doesn't end it twice.
  for (let attempt = 0; attempt < 2; attempt++) {
    await expectUnwritten(await end(), /^The session has ended\. /);
    expect((await asUser('/v1/domains')).status).toBe(401);
  }
  await letGo();
  await expect.poll(rows).toEqual([]);
  const lines = async () => (await listChanges(tenant.workspace, service.database, ALL)).data;
  await expect.poll(async () => (await lines()).filter(({ action }) => action === 'session_end').length).toBe(1);
});

if (ENGINE === 'postgres') {
  test('an import of contacts does not even make a sign-out wait', async () => {
    await hold(tenant.workspace);
    expect((await asUser('/session', { method: 'DELETE' })).status).toBe(204);
    expect(await rows()).toEqual([]);
    await letGo();
  });

  test('a sign-out whose session cannot be read is one all the same', async () => {
    await hold(null, (trx) => sql`lock table sessions in access exclusive mode`.execute(trx));
    await expectUnwritten(await asUser('/session', { method: 'DELETE' }), /^You're signed out in this browser\. /);
    // It was asked later, so what the sign-out has asked has failed as well.
    const read = await service.call('/session', { headers: { ...CONSOLE, cookie } });
    expect(read.status).toBe(503);
    await letGo();
    await expect.poll(rows).toEqual([]);
    expect((await asUser('/session')).status).toBe(401);
  });
}

test('a sign-out without a session writes nothing', async () => {
  await hold(null);
  const response = await call('/session', { method: 'DELETE', headers: { cookie: 'sendroom=x' } });
  expect(response.status).toBe(204);
});

test('when it cannot be written that a session was used, the log says so once, and it is written later', async () => {
  const fault = {
    sqlite: sql`create trigger broken before update on sessions begin select raise(abort, 'the disk fails'); end`,
    postgres: sql`alter table sessions add constraint broken check (seen_at < 0) not valid`,
  };
  const repair = { sqlite: sql`drop trigger broken`, postgres: sql`alter table sessions drop constraint broken` };
  await elsewhere.unscoped.write((trx) => fault[ENGINE].execute(trx));
  for (let count = 0; count < 5; count++) {
    service.clock.now += 2 * MINUTE;
    expect((await asUser('/v1/domains')).status).toBe(200);
  }
  const warnings = () =>
    service.log.filter((line) => line.includes('uses and ends of sessions and tokens are not stored'));
  await expect.poll(warnings).toHaveLength(1);
  expect(JSON.parse(warnings()[0] ?? '')).toMatchObject({ level: 'warn', err: { message: /the disk fails|broken/ } });
  await elsewhere.unscoped.write((trx) => repair[ENGINE].execute(trx));
  await expect.poll(rows, { timeout: SOON }).toEqual([{ seen_at: service.clock.now }]);
  expect(warnings()).toHaveLength(1);
});

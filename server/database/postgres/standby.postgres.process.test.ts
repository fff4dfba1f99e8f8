import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { type PostgresServer, startPostgres, startStandby } from '../../../testing/programs/postgres.ts';
import { findContact, putContacts, updateContact } from '../../contacts/store.ts';
import type { Workspace } from '../workspace.ts';
import { createWorkspace, findWorkspace } from '../../workspaces/store.ts';
import type { Database } from '../database.ts';
import type { Scope } from '../scope.ts';
import { openDatabase } from '../openDatabase.ts';
import { migrations } from '../schema/schema.ts';
import { addMigrations, CALLER, NOW } from '../../testing/testDatabase.ts';
import { startTestProxy, type TestProxy } from '../../testing/processes/testProxy.ts';

// A real primary with its hot standby; some tests pause the standby.

const QUICK = { fsync: 'off' };
const EMAIL = 'ada@example.com';

let primary: PostgresServer;
let standby: PostgresServer;
beforeAll(async () => {
  primary = await startPostgres(QUICK);
  standby = await startStandby(primary, QUICK);
});
afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

let door: TestProxy;
let db: Database;
let uuid: string;
let said: string[];
beforeEach(async () => {
  // Only the clock of the pauses; waits for a server continue.
  vi.useFakeTimers({ toFake: ['performance'] });
  door = await startTestProxy(standby.url);
  said = [];
  db = await open();
  const workspace = await createWorkspace(db, { name: 'Acme', identity_field: null }, NOW);
  ({ uuid } = workspace);
  await db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: EMAIL } }], NOW));
  await caughtUp();
});
afterEach(async () => {
  await onStandby('select pg_wal_replay_resume() where pg_is_in_recovery()');
  await db.close();
  await door[Symbol.asyncDispose]();
  vi.useRealTimers();
});

function open(options = {}): Promise<Database> {
  return openDatabase(primary.url, {
    standby: { url: door.url, onChange: (sentence) => void said.push(sentence) },
    ...options,
  });
}

async function onStandby<Row>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: standby.superuserUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Resolves when the standby has everything that is committed. */
async function caughtUp(): Promise<void> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn() as lsn`.execute(db.unscoped.kysely);
  const isThere = () => onStandby<{ yes: boolean }>(`select pg_last_wal_replay_lsn() >= '${rows[0]?.lsn}' as yes`);
  while ((await isThere())[0]?.yes !== true);
}

/** The workspace as a request that begins now reads it. */
const asked = async () => (await findWorkspace(db, uuid)) as Workspace;
const name = (workspace: Workspace, first_name: string) =>
  updateContact(workspace, db, EMAIL, { first_name }, CALLER, NOW);
const nameNow = async (workspace: Workspace) => (await findContact(workspace, db, EMAIL))?.attributes['first_name'];

async function isStandby({ kysely }: Pick<Scope, 'kysely'>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(kysely);
  return rows[0]?.is === true;
}
const whoAnswers = async () => ((await db.read(await asked(), isStandby)) ? 'standby' : 'primary');

test('the lag is 0 when all has arrived, grows while the standby lacks something, and counts on without an answer', async () => {
  expect(await db.standbyLag()).toBe(0);
  await onStandby('select pg_wal_replay_pause()');
  await name(await asked(), 'Eve');
  const lag = Number(await db.standbyLag());
  expect(lag).toBeGreaterThan(0);
  expect(Number(await db.standbyLag())).toBeGreaterThan(lag);
  await onStandby('select pg_wal_replay_resume()');
  await caughtUp();
  expect(await db.standbyLag()).toBe(0);
  await door.disconnect();
  vi.advanceTimersByTime(90_000);
  await expect.poll(() => db.standbyLag()).toBeGreaterThanOrEqual(90_000);
});

test('a standby that has everything answers; what belongs to no workspace is read from the primary', async () => {
  expect(await whoAnswers()).toBe('standby');
  expect(await db.unscoped.read((kysely) => isStandby({ kysely }))).toBe(false);
  expect(said).toEqual([]);
});

test('what was written is found at once: by the request that wrote it, every later one, and another process', async () => {
  const other = await open();
  await onStandby('select pg_wal_replay_pause()');
  const workspace = await asked();
  expect(await whoAnswers()).toBe('standby');
  await name(workspace, 'Ada');
  expect(await nameNow(workspace)).toBe('Ada');
  expect(await nameNow(await asked())).toBe('Ada');
  const theirs = (await findWorkspace(other, uuid)) as Workspace;
  expect(await findContact(theirs, other, EMAIL)).toMatchObject({ attributes: { first_name: 'Ada' } });
  await other.close();
  // Nor is it used by a request that began before the write: its data is not what the request saw.
  expect(await whoAnswers()).toBe('primary');

  await onStandby('select pg_wal_replay_resume()');
  await caughtUp();
  expect(await whoAnswers()).toBe('standby');
  expect(said).toEqual([]);
});

test('another workspace is not held up by writes of this one', async () => {
  const other = await createWorkspace(db, { name: 'Other', identity_field: null }, NOW);
  await caughtUp();
  await onStandby('select pg_wal_replay_pause()');
  await name(await asked(), 'Ada');
  expect(await db.read(other, isStandby)).toBe(true);
});

test('while the standby is away the primary answers, and one line says so; then it is used again', async () => {
  await onStandby('select 1');
  const workspace = await asked();
  const interrupted = db.read(workspace, async (scope) => {
    const answer = await isStandby(scope);
    if (answer) await door.disconnect();
    return [answer, await isStandby(scope)];
  });
  expect(await interrupted).toEqual([false, false]);
  expect(await whoAnswers()).toBe('primary');
  expect(await Promise.all([whoAnswers(), whoAnswers()])).toEqual(['primary', 'primary']);
  expect(said).toEqual(['The standby does not answer. The primary answers all reads.']);

  await door.reconnect();
  vi.advanceTimersByTime(5_000);
  expect(await whoAnswers()).toBe('standby');
  expect(said.slice(1)).toEqual(['The standby answers reads again.']);
});

async function lockOnceReading(): Promise<void> {
  while ((await onStandby(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`)).length === 0);
  await db.unscoped.write((trx) => sql`lock table addresses in access exclusive mode`.execute(trx));
}

test('the primary answers a read that the standby cancels because of replay', async () => {
  // Replay does not wait.
  await onStandby('alter system set max_standby_streaming_delay = 0');
  await onStandby('select pg_reload_conf()');
  const answer = db.read(await asked(), async (scope) => {
    const found = await isStandby(scope);
    if (!found) return 'primary';
    await Promise.all([
      sql`select pg_sleep(60) from (select count(*) from addresses) as rows`.execute(scope.kysely),
      lockOnceReading(),
    ]);
    return 'standby';
  });
  expect(await answer).toBe('primary');
  expect(said).toEqual(['The standby broke off a read. The primary answered it.']);
  await onStandby('alter system reset max_standby_streaming_delay');
  await onStandby('select pg_reload_conf()');
  expect(await whoAnswers()).toBe('standby');
  expect(said).toHaveLength(2);
});

test('one that lacks what is asked for a minute is told, once', async () => {
  await onStandby('select pg_wal_replay_pause()');
  await name(await asked(), 'Ada');
  expect(await whoAnswers()).toBe('primary');
  vi.advanceTimersByTime(61_000);
  expect([await whoAnswers(), await whoAnswers()]).toEqual(['primary', 'primary']);
  expect(said).toEqual(['For a minute the standby has lacked what reads asked for. The primary answers those.']);
});

test('one without the newest tables answers once it has them', async () => {
  await onStandby('select pg_wal_replay_pause()');
  await db.close();
  addMigrations(() => Promise.resolve());
  db = await open({ migrates: true });
  expect(await whoAnswers()).toBe('primary');
  expect(said).toEqual(['The standby has not got the tables of this version yet. The primary answers all reads.']);
  await onStandby('select pg_wal_replay_resume()');
  await caughtUp();
  vi.advanceTimersByTime(5_000);
  expect(await whoAnswers()).toBe('standby');
  await db.unscoped.write((trx) =>
    trx.deleteFrom('schema_versions').where('version', '=', migrations.length).execute(),
  );
});

test('what is no standby of the database is refused at the start; one that is away is not', async () => {
  const refusal =
    'DATABASE_READ_URL must lead to a hot standby of the server in DATABASE_URL, and to the same database there.';
  const elsewhere = new URL(standby.url);
  elsewhere.pathname = '/template1';
  for (const url of [primary.url, inject('postgres')?.quick ?? '', elsewhere.href]) {
    await expect(openDatabase(primary.url, { standby: { url, onChange: () => {} } })).rejects.toThrow(refusal);
  }
  for (const url of ['postgres://here', 'file:/tmp/x.db', 'http://here/sendroom']) {
    await expect(open({ standby: { url, onChange: () => {} } })).rejects.toThrow(/^DATABASE_READ_URL must name/);
  }
  await door.disconnect();
  await (await open()).close();
  expect(said).toEqual([]);
});

test('one that was promoted answers no more', async () => {
  expect(await whoAnswers()).toBe('standby');
  await onStandby('select pg_promote()');
  expect([await whoAnswers(), await whoAnswers()]).toEqual(['primary', 'primary']);
  expect(said).toEqual(['DATABASE_READ_URL leads to no standby of the database. The primary answers all reads.']);
});

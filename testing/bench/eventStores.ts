import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../programs/postgres.ts';
import { putEvents } from '../../server/contacts/events/putEvents.ts';
import { putContacts } from '../../server/contacts/store.ts';
import type { Database } from '../../server/database/database.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { createToken, createWorkspace, listWorkspaces } from '../../server/workspaces/store.ts';

// Data to measure lists on, the same on each engine but for what is random, kept in the folder BENCH_STORES if that is
// set: ten million events take minutes, and a run that finds them starts at once.

/** The contact that has nine of ten events. */
export const BUSIEST = 'c0@example.com';
/** A name of exactly 20 events, at every size. */
const RARE = 'refund_disputed';
export const START = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;
const BATCH = 10_000;

const FAMILIES = ['email', 'page', 'order', 'app'];
const ACTS = ['sent', 'opened', 'clicked', 'viewed', 'paid', 'left', 'seen', 'started', 'ended', 'failed'];
/** Forty names, the first the most frequent (Zipf), and among them ten that begin with `email_`. */
const NAMES = ACTS.flatMap((act) => FAMILIES.map((family) => `${family}_${act}`));

/**
 * Writes `count` events over two years: a hundredth as many contacts, one of them with 90 %, 5 % equal times, one name
 * 20 times.
 */
async function fillEvents(db: Database, workspace: Workspace, count: number): Promise<void> {
  const contacts = Math.ceil(count / 100);
  const emails = Array.from({ length: contacts }, (_, index) => ({ attributes: { email: `c${index}@example.com` } }));
  await db.write(workspace, (scope) => putContacts(scope, emails, START));
  const random = seededRandom(1);
  const shares = NAMES.map((_, index) => 1 / (index + 1));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let time = START;
  for (let first = 0; first < count; first += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => {
      const at = first + index;
      if (!random.chance(0.05)) time = START + Math.floor(((at + random.next()) / count) * 730 * DAY);
      let left = random.next() * whole;
      const name = NAMES.find((_, index) => (left -= shares[index] ?? 0) < 0) ?? 'email_sent';
      const isRare = at % (count / 20) === 0;
      return {
        contact: isRare || random.chance(0.9) ? BUSIEST : `c${1 + random.below(contacts - 1)}@example.com`,
        event_name: isRare ? RARE : name,
        attributes: { campaign: `c-${at % 50}`, subject: `Your order ${at}`, device: { os: 'ios', version: at % 20 } },
        created_at: time,
      };
    });
    await db.write(workspace, (scope) => putEvents(scope, events, time));
  }
}

export type Engine = 'SQLite' | 'PostgreSQL';
export const ENGINES: readonly Engine[] = ['SQLite', 'PostgreSQL'];
/**
 * The numbers of events to measure. Ten million take many minutes to create, so they are measured only in kept stores.
 */
export const SIZES = 'BENCH_STORES' in process.env ? [10_000, 1_000_000, 10_000_000] : [10_000, 1_000_000];

/** The same data on each engine. */
export type Stores = {
  urlOf: (engine: Engine, size: number) => string;
  /** The process of the server of PostgreSQL. */
  serverPid: number;
  /** Stops the server that was started for them. */
  stop: () => Promise<void>;
};

/** Writes `count` rows of what is measured. */
export type FillStore = (db: Database, workspace: Workspace, count: number) => Promise<void>;

export async function openEventStores(folder: string, sizes: readonly number[]): Promise<Stores> {
  return openStores(folder, 'events', sizes, fillEvents);
}

/**
 * Creates the missing stores in BENCH_STORES, else in `folder`. An unfinished store is never used. One engine after the
 * other: a large file holds the event loop for minutes, and no connection waits for so long.
 */
export async function openStores(
  folder: string,
  what: string,
  sizes: readonly number[],
  fill: FillStore,
): Promise<Stores> {
  const stores = process.env['BENCH_STORES'] ?? folder;
  mkdirSync(stores, { recursive: true });
  const server = await startPostgres({}, join(stores, 'postgres'));
  const fileOf = (size: number) => join(stores, `${what}-${size}.db`);
  const urlOf = (engine: Engine, size: number) =>
    engine === 'SQLite' ? `file:${fileOf(size)}` : databaseUrl(server.url, `${what}_${size}`);
  try {
    for (const size of sizes) {
      await makeFile(fileOf(size), size, fill);
      await createOnServer(server.url, `${what}_${size}`, (url) => fillStore(url, size, fill));
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { urlOf, serverPid: server.pid, stop: server.stop };
}

async function makeFile(file: string, size: number, fill: FillStore): Promise<void> {
  if (existsSync(file)) return;
  const unfinished = `${file}.unfinished`;
  for (const part of ['', '-wal', '-shm']) rmSync(`${unfinished}${part}`, { force: true });
  await fillStore(`file:${unfinished}`, size, fill);
  renameSync(unfinished, file);
}

async function fillStore(url: string, size: number, fill: FillStore): Promise<void> {
  const db = await openDatabase(url);
  const workspace = await createWorkspace(db, { name: 'bench', identity_field: null }, START);
  await fill(db, workspace, size);
  await db.close();
}

/** `write` gets the address of an empty database. */
async function createOnServer(server: string, name: string, write: (url: string) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    await client.query(`drop database if exists ${name}_unfinished`);
    await client.query(`create database ${name}_unfinished`);
    await write(databaseUrl(server, `${name}_unfinished`));
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
  } finally {
    await client.end();
  }
}

/** A new token for the workspace of the events. */
export async function makeToken(databaseUrl: string): Promise<string> {
  const database = await openDatabase(databaseUrl);
  try {
    const [workspace] = await listWorkspaces(database);
    if (workspace === undefined) throw new Error('There are no events to measure on.');
    return (await createToken(workspace, database, { name: 'bench', role: 'admin' }, Date.now())).token;
  } finally {
    await database.close();
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type PostgresServer, startPostgres } from '../.ci/startPostgres.ts';
import { COMMAND } from '../server/database/author.ts';
import { emptyReport, importRows } from '../server/admin/importRows.ts';
import { readRows } from '../server/admin/readRows.ts';
import { resourceTransfers } from '../server/admin/resources.ts';
import { putContacts } from '../server/contacts/store.ts';
import type { Database } from '../server/database/database.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { seededRandom } from '../server/demo/seededRandom.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { createWorkspace } from '../server/workspaces/store.ts';
import { median } from './generateLoad.ts';
import type { BenchmarkRow } from './table.ts';

/** Enough that the counters of the busiest contact have many levels; takes seconds on each engine. */
export const EVENTS = 300_000;
const CONTACTS = EVENTS / 100;
const ROUNDS = 3;
const START = Date.UTC(2024, 0, 1);
const TWO_YEARS = 730 * 86_400_000;

/** The rows that the rows of `events` refer to. */
const REQUIRED_TABLES = ['workspaces', 'contacts'];

/** Seconds. */
type Round = { own: number; again: number; bare: number };

/**
 * An import of events, with its checks and counters, against the bare rows that it leaves in `events`, written into a
 * table with the same indexes in the order of the file; and the same import again, which finds everything. The two
 * alternate. PostgreSQL is that of TEST_DATABASE_URL, or one that is started for it.
 */
export async function measureImports(folder: string): Promise<BenchmarkRow[]> {
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, [...lines()].join(''));
  const sqlite: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) sqlite.push(await onSqlite(file, join(folder, `import-${round}`)));

  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, superuserUrl: given, stop: async () => {} } : await startPostgres();
  const postgres: Round[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) postgres.push(await onPostgres(file, server));
  } finally {
    await server.stop();
  }
  return [...rowsOf('SQLite, against sqlite3 .import', sqlite), ...rowsOf('PostgreSQL, against COPY', postgres)];
}

/** The events, a line of NDJSON each. */
export function* lines(): Iterable<string> {
  const random = seededRandom(1);
  for (let index = 0; index < EVENTS; index++) {
    const event = {
      contact: `c${random.chance(0.9) ? 0 : random.below(CONTACTS)}@example.com`,
      event_name: `name_${random.below(40)}`,
      attributes: {
        campaign: `c-${index % 50}`,
        subject: `Your order ${index}`,
        device: { os: 'ios', version: index % 20 },
      },
      created_at: new Date(START + Math.floor((index / EVENTS) * TWO_YEARS)).toISOString(),
    };
    yield `${JSON.stringify(event)}\n`;
  }
}

async function onSqlite(file: string, place: string): Promise<Round> {
  const [filled, empty] = [`${place}-own.db`, `${place}-bare.db`];
  const own = await imported(`file:${filled}`, file);
  await (await openDatabase(`file:${empty}`)).close();
  const needed = REQUIRED_TABLES.map((table) => `insert into ${table} select * from own.${table}`);
  sqlite3(empty, `attach '${filled}' as own`, ...needed);
  const rows = `${place}.csv`;
  sqlite3(filled, '.mode csv', `.once ${rows}`, 'select * from events order by created_at');
  const bare = await secondsOf(() => sqlite3(empty, `.import --csv ${rows} events`));
  return { ...own, bare };
}

function sqlite3(file: string, ...commands: readonly string[]): void {
  const { error, status, stderr } = spawnSync('sqlite3', ['-bail', file, ...commands], { encoding: 'utf8' });
  if (error)
    throw new Error('The program sqlite3, against which imports are measured, is not there.', { cause: error });
  if (status !== 0) throw new Error(`sqlite3 failed: ${stderr}`);
}

async function onPostgres(file: string, server: Pick<PostgresServer, 'url' | 'superuserUrl'>): Promise<Round> {
  const url = (schema: string) => {
    const at = new URL(server.url);
    at.searchParams.set('options', `-c search_path=${schema}`);
    return at.href;
  };
  // As the superuser, whom row-level security lets see all rows, and use `copy`.
  const everywhere = new URL(server.superuserUrl);
  const { pathname, username } = new URL(server.url);
  everywhere.pathname = pathname;
  const client = new Client({ connectionString: everywhere.href });
  await client.connect();
  try {
    for (const schema of ['bench_own', 'bench_bare'])
      await client.query(`create schema ${schema} authorization ${username}`);
    const own = await imported(url('bench_own'), file);
    await (await openDatabase(url('bench_bare'))).close();
    for (const table of REQUIRED_TABLES)
      await client.query(`insert into bench_bare.${table} select * from bench_own.${table}`);
    const rows = `${file}.copy`;
    const all = client.query(copyTo('copy (select * from bench_own.events order by created_at) to stdout'));
    await pipeline(all, createWriteStream(rows));
    const bare = await secondsOf(() =>
      pipeline(createReadStream(rows), client.query(copyFrom('copy bench_bare.events from stdin'))),
    );
    return { ...own, bare };
  } finally {
    await client.query('drop schema bench_own cascade; drop schema bench_bare cascade');
    await client.end();
  }
}

/** A workspace with the contacts of the events. */
export async function createContacts(database: Database): Promise<Workspace> {
  const workspace = await createWorkspace(database, { name: 'bench', identity_field: null }, START);
  const people = Array.from({ length: CONTACTS }, (_, index) => ({ attributes: { email: `c${index}@example.com` } }));
  await database.write(workspace, (scope) => putContacts(scope, people, START));
  return workspace;
}

async function imported(url: string, file: string): Promise<Pick<Round, 'own' | 'again'>> {
  const database = await openDatabase(url);
  const workspace = await createContacts(database);
  const own = await secondsOf(() => importFile(database, workspace, file, 'added'));
  const again = await secondsOf(() => importFile(database, workspace, file, 'unchanged'));
  await database.close();
  return { own, again };
}

/** Throws where an event has another outcome. */
export async function importFile(
  database: Database,
  workspace: Workspace,
  file: string,
  expectedOutcome: 'added' | 'unchanged',
): Promise<void> {
  const { columns, prepare } = resourceTransfers.events;
  const report = emptyReport();
  await importRows({
    database,
    workspace,
    report,
    rows: readRows(createReadStream(file), 'ndjson', columns(workspace), () => {}),
    prepare: prepare(START, COMMAND),
    strict: false,
    onBadLine: () => {},
    onProgress: () => {},
  });
  if (report[expectedOutcome] !== EVENTS)
    throw new Error(`Only ${report[expectedOutcome]} of ${EVENTS} events were ${expectedOutcome}.`);
}

export async function secondsOf(work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function rowsOf(what: string, rounds: readonly Round[]): BenchmarkRow[] {
  const perSecond = (part: keyof Round) =>
    Math.round(EVENTS / median(rounds.map((round) => round[part]))).toLocaleString('en');
  const ratio = median(rounds.map(({ own, bare }) => bare / own)).toFixed(2);
  const [engine] = what.split(',');
  return [
    [`import of events on ${what}`, `${perSecond('own')} / ${perSecond('bare')} a second, ${ratio}`, 'at least 0.5'],
    [`import of events that are there, on ${engine}`, `${perSecond('again')} a second`],
  ];
}

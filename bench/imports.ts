import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { importRows } from '../server/admin/importRows.ts';
import { readRows } from '../server/admin/readRows.ts';
import { ways } from '../server/admin/resources.ts';
import { putContacts } from '../server/contacts/store.ts';
import { openDatabase } from '../server/database/database.ts';
import { seeded } from '../server/demo/random.ts';
import { createWorkspace } from '../server/workspaces/store.ts';
import type { Row } from './table.ts';

/** Enough that the counters of the busiest contact are cut finely; seconds on each engine. */
const EVENTS = 300_000;
const CONTACTS = EVENTS / 100;
const START = Date.UTC(2024, 0, 1);
const TWO_YEARS = 730 * 86_400_000;

/**
 * An import of events, with its checks and counters, against the bare rows it leaves in `events`, written into the same table with the
 * same indexes. On PostgreSQL when TEST_DATABASE_URL names one, with `psql` for COPY.
 */
export async function imports(folder: string): Promise<Row[]> {
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, [...lines()].join(''));
  const sqlite = `file:${join(folder, 'import.db')}`;
  const rows = [
    ratio('SQLite, against plain inserts in one transaction', await imported(sqlite, file), insert(folder)),
  ];
  const server = process.env['TEST_DATABASE_URL'];
  if (server === undefined) return [...rows, ['PostgreSQL', 'set TEST_DATABASE_URL', 'at least 0.5']];
  const schema = `bench_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create schema ${schema}`);
    const url = new URL(server);
    url.searchParams.set('options', `-c search_path=${schema}`);
    const took = await imported(url.href, file);
    return [...rows, ratio('PostgreSQL, against COPY', took, await copy(server, client, schema, folder))];
  } finally {
    await client.query(`drop schema ${schema} cascade`);
    await client.end();
  }
}

function* lines(): Iterable<string> {
  const random = seeded(1);
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

/** Seconds. */
async function imported(url: string, file: string): Promise<number> {
  const database = await openDatabase(url);
  const workspace = await createWorkspace(database, { name: 'bench', identity_field: null }, START);
  const people = Array.from({ length: CONTACTS }, (_, index) => ({ attributes: { email: `c${index}@example.com` } }));
  await database.write(workspace, (trx) => putContacts(workspace, trx, people, START));
  const { columns, prepare, batchRows } = ways.events;
  const start = performance.now();
  const report = await importRows({
    database,
    workspace,
    rows: readRows(createReadStream(file), 'ndjson', columns(workspace), () => {}),
    prepare: prepare(workspace, START),
    batchRows,
    strict: false,
    onFault: () => {},
    onProgress: () => {},
  });
  const seconds = (performance.now() - start) / 1000;
  await database.close();
  if (report.added !== EVENTS) throw new Error(`Only ${report.added} of ${EVENTS} events were added.`);
  return seconds;
}

/** Seconds that SQLite takes to insert the rows of `events` anew, in the order of the file. */
function insert(folder: string): number {
  const db = new DatabaseSync(join(folder, 'import.db'));
  const rows = db.prepare('select * from events order by created_at').all();
  db.exec('pragma synchronous = full; pragma foreign_keys = on; delete from events');
  const statement = db.prepare('insert into events values (?, ?, ?, ?, ?, ?)');
  const start = performance.now();
  db.exec('begin');
  for (const row of rows) statement.run(...Object.values(row));
  db.exec('commit');
  const seconds = (performance.now() - start) / 1000;
  db.close();
  return seconds;
}

/** Seconds that COPY takes for the rows of `events`, in the order of the file. */
async function copy(url: string, client: Client, schema: string, folder: string): Promise<number> {
  const file = join(folder, 'events.copy');
  await psql(url, `\\copy (select * from ${schema}.events order by created_at) to '${file}'`);
  await client.query(`truncate ${schema}.events`);
  const start = performance.now();
  await psql(url, `\\copy ${schema}.events from '${file}'`);
  return (performance.now() - start) / 1000;
}

async function psql(url: string, command: string): Promise<void> {
  const child = spawn('psql', ['--quiet', '--no-psqlrc', '--command', command, url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('psql failed.');
}

function ratio(what: string, own: number, bare: number): Row {
  const value = `${perSecond(own)} / ${perSecond(bare)} a second, ${(bare / own).toFixed(2)}`;
  return [`import of events on ${what}`, value, 'at least 0.5'];
}

function perSecond(seconds: number): string {
  return Math.round(EVENTS / seconds).toLocaleString('en');
}

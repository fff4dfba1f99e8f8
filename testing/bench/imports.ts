import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startPostgres } from '../programs/postgres.ts';
import type { Database } from '../../server/database/database.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { type BenchServer, connectSuperuser, urlOf } from './benchServer.ts';
import { median } from './measure/generateLoad.ts';
import { type Cost, costOf } from './measure/processorTime.ts';
import { sqlite3 } from './sqlite3.ts';
import type { BenchmarkRow } from './measure/table.ts';
import {
  contactLines,
  createContacts,
  createEmpty,
  eventLines,
  IMPORTED_CONTACTS,
  IMPORTED_EVENTS,
} from './writtenRows.ts';

const ROUNDS = 2;

/**
 * What is imported. `references` are the tables that its rows refer to, `tables` those that bare rows are written into, each after those
 * that it refers to, and `isSearched` whether the search index of contacts is written too.
 */
type Kind = {
  resource: 'events' | 'contacts';
  rows: number;
  lines: () => Iterable<string>;
  references: readonly string[];
  tables: readonly string[];
  isSearched: boolean;
  createWorkspace: (database: Database) => Promise<Workspace>;
};
const KINDS: readonly Kind[] = [
  {
    resource: 'events',
    rows: IMPORTED_EVENTS,
    lines: eventLines,
    references: ['workspaces', 'contacts'],
    tables: ['events'],
    isSearched: false,
    createWorkspace: createContacts,
  },
  {
    resource: 'contacts',
    rows: IMPORTED_CONTACTS,
    lines: contactLines,
    references: ['workspaces'],
    tables: ['contacts', 'identities'],
    isSearched: true,
    createWorkspace: createEmpty,
  },
];

type Round = { own: Cost; bare: Cost };

/**
 * The command of an import, with its checks and counters, against the rows it leaves, written bare into tables with the same indexes and in
 * the same order. The two alternate. PostgreSQL is TEST_DATABASE_URL, whose processor time isn't known, or started for it.
 */
export async function measureImports(folder: string): Promise<BenchmarkRow[]> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, superuserUrl: given, pid: null, stop: async () => {} } : await startPostgres();
  const rows: BenchmarkRow[] = [];
  try {
    for (const [number, kind] of KINDS.entries()) {
      const file = join(folder, `${number}.ndjson`);
      writeFileSync(file, [...kind.lines()].join(''));
      const sqlite: Round[] = [];
      const postgres: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        sqlite.push(await onSqlite(kind, file, join(folder, `${number}-${round}`)));
        postgres.push(await onPostgres(kind, file, server));
      }
      rows.push(...rowsOf(kind, 'SQLite, against sqlite3 .import', sqlite));
      rows.push(...rowsOf(kind, 'PostgreSQL, against COPY', postgres));
    }
  } finally {
    await server.stop();
  }
  return rows;
}

async function onSqlite(kind: Kind, file: string, place: string): Promise<Round> {
  const [filled, empty] = [`${place}-own.db`, `${place}-bare.db`];
  const { references, tables, isSearched } = kind;
  const own = await imported(`file:${filled}`, kind, file, null);
  await (await openDatabase(`file:${empty}`)).close();
  // The same index without `octet_length`, which the sqlite3 of Debian 12 does not know.
  const large = [
    ['contacts', ''],
    ['events', 'contact_id, '],
  ].flatMap(([table, key]) => [
    `drop index ${table}_large`,
    `create index ${table}_large on ${table} (workspace_id, ${key}length(cast(attributes as blob)))
     where length(cast(attributes as blob)) > 4096`,
  ]);
  const needed = references.map((table) => `insert into ${table} select * from own.${table}`);
  sqlite3(empty, ...large, BARE_SEARCH, `attach '${filled}' as own`, ...needed);
  const written = tables.map((table) => [table, selectBare(table)]);
  if (isSearched) written.push(['bare_search', `select replace(search_key, char(10), ' ') from contacts order by id`]);
  const imports = written.map(([table, select]) => {
    sqlite3(filled, '.mode csv', `.once ${place}-${table}.csv`, `${select}`);
    return `.import --csv ${place}-${table}.csv ${table}`;
  });
  const bare = await costOf(null, () => sqlite3(empty, 'pragma foreign_keys = on', ...imports));
  return { own, bare };
}

/** The search index without `contentless_delete`, which the sqlite3 of Debian 12 does not know either. */
const BARE_SEARCH = `
  create virtual table bare_search using fts5(text, content='', tokenize="trigram case_sensitive 1")`;

/** Its rows in the order of the file. */
function selectBare(table: string): string {
  return `select * from ${table} ${table === 'contacts' || table === 'events' ? 'order by created_at' : ''}`;
}

async function onPostgres(kind: Kind, file: string, server: BenchServer): Promise<Round> {
  const client = await connectSuperuser(server);
  const { username } = new URL(server.url);
  try {
    for (const schema of ['bench_own', 'bench_bare'])
      await client.query(`create schema ${schema} authorization ${username}`);
    const own = await imported(urlOf(server, 'bench_own'), kind, file, server.pid);
    await (await openDatabase(urlOf(server, 'bench_bare'))).close();
    for (const table of kind.references)
      await client.query(`insert into bench_bare.${table} select * from bench_own.${table}`);
    const tables = kind.isSearched ? [...kind.tables, 'contact_search'] : kind.tables;
    const copies = tables.map((table) => ({ table, rows: `${file}.${table}.copy` }));
    await client.query('set search_path = bench_own');
    for (const { table, rows } of copies)
      await pipeline(client.query(copyTo(`copy (${selectBare(table)}) to stdout`)), createWriteStream(rows));
    const bare = await costOf(server.pid, async () => {
      for (const { table, rows } of copies)
        await pipeline(createReadStream(rows), client.query(copyFrom(`copy bench_bare.${table} from stdin`)));
    });
    return { own, bare };
  } finally {
    await client.query('drop schema bench_own cascade; drop schema bench_bare cascade');
    await client.end();
  }
}

async function imported(url: string, kind: Kind, file: string, serverPid: number | null): Promise<Cost> {
  const database = await openDatabase(url);
  const { uuid } = await kind.createWorkspace(database);
  await database.close();
  return costOf(serverPid, () => {
    const args = ['server/admin.ts', 'import', kind.resource, file, '--workspace', uuid];
    const { status } = spawnSync(process.execPath, args, {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`The import ended with ${status}.`);
  });
}

function rowsOf({ resource, rows }: Kind, what: string, rounds: readonly Round[]): BenchmarkRow[] {
  const middle = (part: keyof Round, of: keyof Cost) => median(rounds.map((round) => round[part][of]));
  const perSecond = (part: keyof Round) => Math.round(rows / middle(part, 'clock')).toLocaleString('en');
  const micros = (part: keyof Round) => `${((middle(part, 'processor') / rows) * 1_000_000).toFixed(1)} µs`;
  const ratio = (of: keyof Cost) => median(rounds.map(({ own, bare }) => bare[of] / own[of])).toFixed(2);
  return [
    [
      `import of ${resource} on ${what}`,
      `${perSecond('own')} / ${perSecond('bare')} a second, ${ratio('clock')}`,
      'at least 0.5',
    ],
    [`processor time of it for each row`, `${micros('own')} / ${micros('bare')}, ${ratio('processor')}`],
  ];
}

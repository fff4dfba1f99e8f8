import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startPostgres } from '../programs/postgres.ts';
import { COMMAND } from '../../server/database/changeLog/author.ts';
import { emptyReport, importRows } from '../../server/cli/admin/lines/importRows.ts';
import { LineThread } from '../../server/cli/admin/lines/lineBatches.ts';
import { resourceTransfers } from '../../server/cli/admin/lines/resources.ts';
import { putContacts, updateContact } from '../../server/contacts/store.ts';
import type { Database } from '../../server/database/database.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import type { Caller, Workspace } from '../../server/database/workspace.ts';
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
  LOG_CONTACTS,
  START,
} from './writtenRows.ts';

const ROUNDS = 2;
const BENCH: Caller = { token: { uuid: randomUUID(), name: 'bench' }, requestId: null };

/**
 * What is imported. `references` are the tables that its rows refer to, `tables` those that bare rows are written into, each after those
 * that it refers to, and `isSearched` whether the search index of contacts is written too.
 */
type Kind = {
  resource: 'events' | 'contacts';
  /** As the table of results calls it. */
  name: string;
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
    name: 'events, nine tenths of one contact',
    rows: IMPORTED_EVENTS,
    lines: () => eventLines(IMPORTED_EVENTS),
    references: ['workspaces', 'contacts'],
    tables: ['events'],
    isSearched: false,
    createWorkspace: createContacts,
  },
  {
    resource: 'events',
    name: 'events as in a log, of any contact',
    rows: IMPORTED_EVENTS,
    lines: () => eventLines(IMPORTED_EVENTS, true),
    references: ['workspaces', 'contacts'],
    tables: ['events'],
    isSearched: false,
    createWorkspace: (database) => createContacts(database, LOG_CONTACTS),
  },
  {
    resource: 'contacts',
    name: 'contacts',
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
 * An import with its checks and counters, against the bare rows that it leaves in its tables, written into tables with the same
 * indexes in the order of the file: of contacts with their identities and search index, of events without
 * counters. The two alternate. After it, how long a service's write waits meanwhile. PostgreSQL is TEST_DATABASE_URL, of
 * whose processor time nothing is known, or started for it.
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
      rows.push(await measureWaits(kind, file, 'SQLite', `file:${join(folder, `${number}-waits.db`)}`));
      const client = await connectSuperuser(server);
      await client.query(`create schema bench_waits authorization ${new URL(server.url).username}`);
      rows.push(await measureWaits(kind, file, 'PostgreSQL', urlOf(server, 'bench_waits')));
      await client.query('drop schema bench_waits cascade');
      await client.end();
    }
  } finally {
    await server.stop();
  }
  return rows;
}

/** While the command imports: how long a write of another process takes, of the same workspace. */
async function measureWaits(kind: Kind, file: string, engine: string, url: string): Promise<BenchmarkRow> {
  const database = await openDatabase(url, { isService: true });
  try {
    const workspace = await kind.createWorkspace(database);
    await database.write(workspace, (scope) =>
      putContacts(scope, [{ attributes: { email: 'one@example.org' } }], START),
    );
    const args = ['server/admin.ts', 'import', kind.resource, file, '--workspace', workspace.uuid];
    const child = spawn(process.execPath, args, { env: { ...process.env, DATABASE_URL: url }, stdio: 'ignore' });
    const waits: number[] = [];
    while (child.exitCode === null) {
      const start = performance.now();
      await updateContact(workspace, database, 'one@example.org', { count: waits.length }, BENCH, START);
      waits.push(performance.now() - start);
      await delay(20);
    }
    if (child.exitCode !== 0) throw new Error(`The import failed with ${child.exitCode}.`);
    const [middle, longest] = [median(waits), Math.max(...waits)].map((ms) => `${Math.round(ms)} ms`);
    return [`a write during an import of ${kind.name} on ${engine}`, `${middle}, at most ${longest}`];
  } finally {
    await database.close();
  }
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
  const workspace = await kind.createWorkspace(database);
  const cost = await costOf(serverPid, () => importFile(database, workspace, file, kind));
  await database.close();
  return cost;
}

/** Throws where a line isn't added. */
export async function importFile(
  database: Database,
  workspace: Workspace,
  file: string,
  { resource, rows }: Pick<Kind, 'resource' | 'rows'>,
): Promise<void> {
  const report = emptyReport();
  await using lines = new LineThread({ file, format: 'ndjson', resource, context: workspace }, () => {});
  await importRows({
    database,
    workspace,
    report,
    lines,
    put: (scope, checked) => resourceTransfers[resource].put(scope, checked, START, COMMAND),
    arrange: resourceTransfers[resource].arrange,
    log: () => Promise.resolve(),
    strict: false,
    onBadLine: () => {},
    onUnlogged: () => {},
    onProgress: () => {},
  });
  if (report.added !== rows) throw new Error(`Only ${report.added} of ${rows} ${resource} were added.`);
}

function rowsOf({ name, rows }: Kind, what: string, rounds: readonly Round[]): BenchmarkRow[] {
  const middle = (part: keyof Round, of: keyof Cost) => median(rounds.map((round) => round[part][of]));
  const perSecond = (part: keyof Round) => Math.round(rows / middle(part, 'clock')).toLocaleString('en');
  const micros = (part: keyof Round) => `${((middle(part, 'processor') / rows) * 1_000_000).toFixed(1)} µs`;
  const ratio = (of: keyof Cost) => median(rounds.map(({ own, bare }) => bare[of] / own[of])).toFixed(2);
  return [
    [
      `import of ${name} on ${what}`,
      `${perSecond('own')} / ${perSecond('bare')} a second, ${ratio('clock')}`,
      'at least 0.5',
    ],
    [`processor time of it for each row`, `${micros('own')} / ${micros('bare')}, ${ratio('processor')}`],
  ];
}

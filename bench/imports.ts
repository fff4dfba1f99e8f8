import { spawn, spawnSync } from 'node:child_process';
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type PostgresServer, startPostgres } from '../.ci/startPostgres.ts';
import { COMMAND } from '../server/database/author.ts';
import { emptyReport, importRows } from '../server/admin/importRows.ts';
import { readRows } from '../server/admin/readRows.ts';
import { resourceTransfers } from '../server/admin/resources.ts';
import { recordEvent } from '../server/contacts/ingest.ts';
import { putContacts, updateContact } from '../server/contacts/store.ts';
import type { Database } from '../server/database/database.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { seededRandom } from '../server/demo/seededRandom.ts';
import type { Caller, Workspace } from '../server/database/workspace.ts';
import { createWorkspace } from '../server/workspaces/store.ts';
import { median } from './generateLoad.ts';
import { childrenSeconds } from './processorTime.ts';
import type { BenchmarkRow } from './table.ts';

/** Enough that the counters of the busiest contact have many levels; takes seconds on each engine. */
export const EVENTS = 300_000;
const CONTACTS = EVENTS / 100;
const IMPORTED_CONTACTS = 100_000;
const ROUNDS = 3;
/** Events that are recorded one by one in a round. */
const SINGLES = 500;
const SINGLE_ROUNDS = 5;
const START = Date.UTC(2024, 0, 1);
const TWO_YEARS = 730 * 86_400_000;
const SYLLABLES = ['ka', 'mi', 'ro', 'ta', 'le', 'son', 'ber', 'va', 'ni', 'do', 'ri', 'an', 'el', 'mar', 'tin', 'os'];
const BENCH: Caller = { token: { uuid: randomUUID(), name: 'bench' }, requestId: null };

/** What is imported. `references` are the tables that its rows refer to. */
type Kind = {
  resource: 'events' | 'contacts';
  rows: number;
  lines: () => Iterable<string>;
  references: readonly string[];
  createWorkspace: (database: Database) => Promise<Workspace>;
};
const KINDS: readonly Kind[] = [
  {
    resource: 'events',
    rows: EVENTS,
    lines,
    references: ['workspaces', 'contacts'],
    createWorkspace: createContacts,
  },
  {
    resource: 'contacts',
    rows: IMPORTED_CONTACTS,
    lines: contactLines,
    references: ['workspaces'],
    createWorkspace: createEmpty,
  },
];

/** Seconds on the clock, and of processors: ours, and those of the database. */
type Cost = { clock: number; processor: number };
type Round = { own: Cost; again: Cost; bare: Cost };
type Server = Pick<PostgresServer, 'url' | 'superuserUrl'> & { pid: number | null };

/**
 * An import with its checks, counters and search index, against the bare rows that it leaves in its table, written into a
 * table with the same indexes in the order of the file; and the same import again, which finds everything. The two
 * alternate. Before it one event on its own, after it how long a service's write waits beside such an import. PostgreSQL is that of TEST_DATABASE_URL, or one
 * that is started for it; of a given one the processor time is not known.
 */
export async function measureImports(folder: string): Promise<BenchmarkRow[]> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, superuserUrl: given, pid: null, stop: async () => {} } : await startPostgres();
  const rows: BenchmarkRow[] = [];
  try {
    rows.push(...(await measureSingleEventsOnSqlite(join(folder, 'single.db'))));
    rows.push(...(await measureSingleEventsOnPostgres(server)));
    for (const kind of KINDS) {
      const file = join(folder, `${kind.resource}.ndjson`);
      writeFileSync(file, [...kind.lines()].join(''));
      const sqlite: Round[] = [];
      const postgres: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        sqlite.push(await onSqlite(kind, file, join(folder, `${kind.resource}-${round}`)));
        postgres.push(await onPostgres(kind, file, server));
      }
      rows.push(...rowsOf(kind, 'SQLite, against sqlite3 .import', sqlite));
      rows.push(...rowsOf(kind, 'PostgreSQL, against COPY', postgres));
      rows.push(await measureWaits(kind, file, 'SQLite', `file:${join(folder, `${kind.resource}-waits.db`)}`));
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

/**
 * One event on its own as the service records it, against a bare row with the same indexes, each in a transaction of its own. The two
 * alternate, in the same database.
 */
async function measureSingleEvents(
  engine: string,
  url: string,
  serverPid: number | null,
  insertBare: (row: readonly (string | number)[]) => void | Promise<unknown>,
): Promise<BenchmarkRow[]> {
  const database = await openDatabase(url);
  const costs: { own: Cost; bare: Cost }[] = [];
  try {
    const workspace = await createContacts(database);
    const attributes = { campaign: 'c-1', subject: 'Your order' };
    for (let round = 0; round < SINGLE_ROUNDS; round++) {
      const own = await costOf(serverPid, async () => {
        for (let index = 0; index < SINGLES; index++) {
          const event = { event_name: `name_${index % 40}`, attributes };
          await recordEvent(workspace, database, `c${index}@example.com`, event, START + index);
        }
      });
      const bare = await costOf(serverPid, async () => {
        for (let index = 0; index < SINGLES; index++)
          await insertBare([
            workspace.id,
            // Contacts that the others do not touch.
            CONTACTS - index,
            START + index,
            randomUUIDv7(),
            `name_${index % 40}`,
            JSON.stringify(attributes),
          ]);
      });
      costs.push({ own, bare });
    }
  } finally {
    await database.close();
  }
  const micros = (part: 'own' | 'bare', of: keyof Cost) =>
    ((median(costs.map((cost) => cost[part][of])) / SINGLES) * 1_000_000).toFixed(0);
  const ratio = (of: keyof Cost) => median(costs.map(({ own, bare }) => own[of] / bare[of])).toFixed(2);
  const against = (of: keyof Cost) => `${micros('own', of)} / ${micros('bare', of)} µs, ${ratio(of)}`;
  return [
    [`one event on ${engine}, against a bare row`, against('clock'), 'at most 1.5'],
    ['processor time of it', against('processor')],
  ];
}

const INSERT_EVENT = 'insert into events (workspace_id, contact_id, created_at, uuid, event_name, attributes)';

async function measureSingleEventsOnSqlite(file: string): Promise<BenchmarkRow[]> {
  await (await openDatabase(`file:${file}`)).close();
  const bare = new DatabaseSync(file, { timeout: 5000 });
  bare.exec('pragma synchronous = full');
  const insert = bare.prepare(`${INSERT_EVENT} values (?, ?, ?, ?, ?, ?)`);
  try {
    return await measureSingleEvents('SQLite', `file:${file}`, null, (row) => void insert.run(...row));
  } finally {
    bare.close();
  }
}

async function measureSingleEventsOnPostgres(server: Server): Promise<BenchmarkRow[]> {
  const client = await connectSuperuser(server);
  await client.query(`create schema bench_single authorization ${new URL(server.url).username}`);
  const text = `${INSERT_EVENT.replace('events', 'bench_single.events')} values ($1, $2, $3, $4, $5, $6)`;
  try {
    const insert = (row: readonly (string | number)[]) => client.query({ name: 'bare', text, values: [...row] });
    return await measureSingleEvents('PostgreSQL', urlOf(server, 'bench_single'), server.pid, insert);
  } finally {
    await client.query('drop schema bench_single cascade');
    await client.end();
  }
}

/** While the command imports: how long a write of another process takes, of the same workspace. */
async function measureWaits(kind: Kind, file: string, engine: string, url: string): Promise<BenchmarkRow> {
  const database = await openDatabase(url, { isService: true });
  try {
    const workspace = await kind.createWorkspace(database);
    await database.write(workspace, (scope) =>
      putContacts(scope, [{ attributes: { email: 'one@example.org' } }], START),
    );
    const args = ['server/cli.ts', 'import', kind.resource, file, '--workspace', workspace.uuid];
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
    return [`a write beside an import of ${kind.resource} on ${engine}`, `${middle}, at most ${longest}`];
  } finally {
    await database.close();
  }
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

/** Contacts as a customer has them, a line of NDJSON each, oldest first. */
function* contactLines(): Iterable<string> {
  const random = seededRandom(2);
  const word = (length: number) => Array.from({ length }, () => SYLLABLES[random.below(SYLLABLES.length)]).join('');
  for (let index = 0; index < IMPORTED_CONTACTS; index++) {
    const [first_name, last_name] = [word(2), word(3)];
    const contact = {
      subscribed: random.chance(0.9),
      created_at: new Date(START + Math.floor((index / IMPORTED_CONTACTS) * TWO_YEARS)).toISOString(),
      attributes: {
        email: `${first_name}.${last_name}${index}@${word(2)}.example`,
        phone: `+49 151 ${10_000_000 + index}`,
        first_name,
        last_name,
        company: `${word(3)} GmbH`,
        job_title: ['Engineer', 'Director', 'Clerk', 'Head of sales'][random.below(4)],
        plan: ['free', 'gold'][random.below(2)],
        points: random.below(1000),
        newsletter: random.chance(0.5),
        tags: ['trial', 'beta'].slice(0, random.below(3)),
        source: `campaign ${random.below(50)}`,
      },
    };
    yield `${JSON.stringify(contact)}\n`;
  }
}

async function onSqlite(kind: Kind, file: string, place: string): Promise<Round> {
  const [filled, empty] = [`${place}-own.db`, `${place}-bare.db`];
  const { resource, references } = kind;
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
  sqlite3(empty, ...large, `attach '${filled}' as own`, ...needed);
  const rows = `${place}.csv`;
  sqlite3(filled, '.mode csv', `.once ${rows}`, `select * from ${resource} order by created_at`);
  const bare = await costOf(null, () => sqlite3(empty, `.import --csv ${rows} ${resource}`));
  return { ...own, bare };
}

function sqlite3(file: string, ...commands: readonly string[]): void {
  const { error, status, stderr } = spawnSync('sqlite3', ['-bail', file, ...commands], { encoding: 'utf8' });
  if (error)
    throw new Error('The program sqlite3, against which imports are measured, is not there.', { cause: error });
  if (status !== 0) throw new Error(`sqlite3 failed: ${stderr}`);
}

function urlOf(server: Server, schema: string): string {
  const at = new URL(server.url);
  at.searchParams.set('options', `-c search_path=${schema}`);
  return at.href;
}

/** As the superuser, whom row-level security lets see all rows, and use `copy`. */
async function connectSuperuser(server: Server): Promise<Client> {
  const everywhere = new URL(server.superuserUrl);
  everywhere.pathname = new URL(server.url).pathname;
  const client = new Client({ connectionString: everywhere.href });
  await client.connect();
  return client;
}

async function onPostgres(kind: Kind, file: string, server: Server): Promise<Round> {
  const client = await connectSuperuser(server);
  const { username } = new URL(server.url);
  try {
    for (const schema of ['bench_own', 'bench_bare'])
      await client.query(`create schema ${schema} authorization ${username}`);
    const own = await imported(urlOf(server, 'bench_own'), kind, file, server.pid);
    await (await openDatabase(urlOf(server, 'bench_bare'))).close();
    for (const table of kind.references)
      await client.query(`insert into bench_bare.${table} select * from bench_own.${table}`);
    const rows = `${file}.copy`;
    const all = client.query(copyTo(`copy (select * from bench_own.${kind.resource} order by created_at) to stdout`));
    await pipeline(all, createWriteStream(rows));
    const bare = await costOf(server.pid, () =>
      pipeline(createReadStream(rows), client.query(copyFrom(`copy bench_bare.${kind.resource} from stdin`))),
    );
    return { ...own, bare };
  } finally {
    await client.query('drop schema bench_own cascade; drop schema bench_bare cascade');
    await client.end();
  }
}

/** A workspace with the contacts of the events. */
export async function createContacts(database: Database): Promise<Workspace> {
  const workspace = await createEmpty(database);
  const people = Array.from({ length: CONTACTS }, (_, index) => ({ attributes: { email: `c${index}@example.com` } }));
  await database.write(workspace, (scope) => putContacts(scope, people, START));
  return workspace;
}

function createEmpty(database: Database): Promise<Workspace> {
  return createWorkspace(database, { name: 'bench', identity_field: null }, START);
}

async function imported(
  url: string,
  kind: Kind,
  file: string,
  serverPid: number | null,
): Promise<Pick<Round, 'own' | 'again'>> {
  const database = await openDatabase(url);
  const workspace = await kind.createWorkspace(database);
  const own = await costOf(serverPid, () => importFile(database, workspace, file, 'added', kind));
  const again = await costOf(serverPid, () => importFile(database, workspace, file, 'unchanged', kind));
  await database.close();
  return { own, again };
}

/** Throws where a line has another outcome. */
export async function importFile(
  database: Database,
  workspace: Workspace,
  file: string,
  expectedOutcome: 'added' | 'unchanged',
  { resource, rows }: Pick<Kind, 'resource' | 'rows'> = { resource: 'events', rows: EVENTS },
): Promise<void> {
  const { columns, prepare } = resourceTransfers[resource];
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
  if (report[expectedOutcome] !== rows)
    throw new Error(`Only ${report[expectedOutcome]} of ${rows} ${resource} were ${expectedOutcome}.`);
}

/** `serverPid` is of the server that works for it. */
async function costOf(serverPid: number | null, work: () => void | Promise<void>): Promise<Cost> {
  const processor = () =>
    childrenSeconds(process.pid) + (serverPid === null ? 0 : childrenSeconds(serverPid)) + ownSeconds();
  const before = processor();
  const clock = await secondsOf(work);
  return { clock, processor: processor() - before };
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

export async function secondsOf(work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function rowsOf({ resource, rows }: Kind, what: string, rounds: readonly Round[]): BenchmarkRow[] {
  const [engine] = what.split(',');
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
    [`import of ${resource} that are there, on ${engine}`, `${perSecond('again')} a second, ${micros('again')}`],
  ];
}

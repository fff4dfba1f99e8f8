import { createWriteStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { must } from '../contract/must.ts';
import { toNdjson, writeOutput } from '../server/admin/export.ts';
import { resourceTransfers } from '../server/admin/resources.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import type { Scope } from '../server/database/scope.ts';
import { listWorkspaces } from '../server/workspaces/store.ts';
import { type Engine, ENGINES, type Stores } from './eventStores.ts';
import { median } from './generateLoad.ts';
import { childrenSeconds } from './processorTime.ts';
import { sqlite3 } from './sqlite3.ts';
import type { BenchmarkRow } from './table.ts';
import { openWorkspaceStores, WORKSPACE_SIZES } from './workspaceStores.ts';

const ROUNDS = 3;

/** What an export has, in its order, in columns. */
const SAME_ROWS = {
  contacts: `select uuid, subscribed, attributes, created_at, updated_at from contacts where workspace_id = 1 order by id`,
  events: `
    select events.uuid, contacts.uuid as contact, event_name, events.attributes, events.created_at
    from events join contacts on contacts.workspace_id = 1 and contacts.id = contact_id
    where events.workspace_id = 1 order by contact_id, events.created_at, events.uuid`,
} as const;
type Exported = keyof typeof SAME_ROWS;

/**
 * An export of everything, against the same rows as the engine writes them by itself, into a file as well: `COPY TO` and `sqlite3 -csv`. The
 * two alternate. In processor time, that of the server included.
 */
export async function measureExports(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openWorkspaceStores(folder, WORKSPACE_SIZES);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      for (const resource of ['contacts', 'events'] as const) {
        const places = WORKSPACE_SIZES.map((size) => ({
          engine,
          size,
          resource,
          stores,
          file: join(folder, 'exported'),
        }));
        const measured: Measured[] = [];
        for (const place of places) measured.push(await measureOne(place));
        rows.push(...measured.map((one, index) => rowOf(engine, resource, must(WORKSPACE_SIZES[index]), one)));
        const [first, last] = [must(measured[0]), must(measured.at(-1))];
        rows.push([
          `${engine}: time for each of the ${resource}, ${last.lines.toLocaleString('en')} against ${first.lines.toLocaleString('en')}`,
          (last.own / last.lines / (first.own / first.lines)).toFixed(2),
        ]);
      }
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

type Place = { engine: Engine; size: number; resource: Exported; stores: Stores; file: string };
/** Seconds of processors. */
type Measured = { lines: number; own: number; bare: number };

async function measureOne(place: Place): Promise<Measured> {
  const own: number[] = [];
  const bare: number[] = [];
  let lines = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const seconds = [
      await secondsOf(place, async () => {
        lines = await exportLines(place);
      }),
      await secondsOf(place, () => writeBare(place)),
    ] as const;
    own.push(seconds[0]);
    bare.push(seconds[1]);
  }
  return { lines, own: median(own), bare: median(bare) };
}

async function secondsOf(place: Place, work: () => Promise<void>): Promise<number> {
  const { file } = place;
  rmSync(file, { force: true });
  const start = processorSeconds(place);
  await work();
  const seconds = processorSeconds(place) - start;
  if (statSync(file).size === 0) throw new Error('Nothing was written.');
  return seconds;
}

/** Of this process, of the programs that it has started, and of the server. */
function processorSeconds({ engine, stores }: Place): number {
  const { user, system } = process.cpuUsage();
  const others = childrenSeconds(engine === 'SQLite' ? process.pid : stores.serverPid);
  return (user + system) / 1_000_000 + others;
}

async function exportLines({ stores, engine, size, resource, file }: Place): Promise<number> {
  const database = await openDatabase(stores.urlOf(engine, size));
  try {
    const workspace = must((await listWorkspaces(database))[0]);
    const { exportLines } = resourceTransfers[resource];
    let written = 0;
    const read = (scope: Scope) => toNdjson(exportLines(scope), (count) => (written = count));
    await writeOutput(file, (send) => database.read(workspace, (scope) => send(read(scope))));
    return written;
  } finally {
    await database.close();
  }
}

async function writeBare({ stores, engine, size, resource, file }: Place): Promise<void> {
  const url = stores.urlOf(engine, size);
  if (engine === 'SQLite') {
    sqlite3(new URL(url).pathname, '.mode csv', `.once ${file}`, SAME_ROWS[resource]);
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select set_config('sendroom.workspace', '1', false)`);
    await pipeline(client.query(copyTo(`copy (${SAME_ROWS[resource]}) to stdout`)), createWriteStream(file));
  } finally {
    await client.end();
  }
}

function rowOf(engine: Engine, resource: Exported, size: number, { lines, own, bare }: Measured): BenchmarkRow {
  const perSecond = (seconds: number) => Math.round(lines / seconds).toLocaleString('en');
  const against = engine === 'SQLite' ? 'sqlite3' : 'COPY TO';
  return [
    `export of ${lines.toLocaleString('en')} ${resource} of ${size.toLocaleString('en')} contacts on ${engine}, against ${against}`,
    `${perSecond(own)} / ${perSecond(bare)} a second of a processor, ${(bare / own).toFixed(2)}`,
    'at least 0.5',
  ];
}

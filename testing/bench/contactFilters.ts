import { sql } from 'kysely';
import { addIndex } from '../../server/contacts/attributeIndex/manageIndexes.ts';
import { listContacts } from '../../server/contacts/listContacts.ts';
import type { Database } from '../../server/database/database.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { listWorkspaces } from '../../server/workspaces/store.ts';
import { insertInRanges, uuidOf, withoutIndexes } from './bulkRows.ts';
import { insertContacts, RUN } from './contactStores.ts';
import { median } from './measure/generateLoad.ts';
import { childrenSeconds, processSeconds } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';
import { ENGINES, openStores, START } from './stores.ts';

// Filters of contacts by each kind of condition: the first page with and without its count, and a page in the middle.

const CONTACTS = 'BENCH_STORES' in process.env ? 1_000_000 : 100_000;
const ATTRIBUTES = ['job_title', 'company', 'last_name'];
const DAY = 86_400_000;
/** Of the last event of each contact. */
const NOW = START + 60 * DAY;
const REPEATS = 3;

const FILTERS = [
  'last_name:rarity',
  'company:kami',
  'company:"kami ltd"',
  'job_title:engineer',
  '-job_title:engineer',
  'job_title:engineer company:"kami ltd"',
  'job_title:engineer -subscribed',
  'job_title:engineer job_title:clerk',
  'subscribed job_title:>=2026-01',
  '-subscribed',
  'created:<2024-01-03',
  '-updated:2024-01',
  'event:bounced',
  'event:bounced within 30d',
  'event:delivered',
  'event:delivered within 30d',
  '-event:delivered within 30d job_title:engineer',
  `run:${RUN}`,
  `-run:${RUN}`,
];

/** Each contact has a delivered event, and one in twenty another that bounced. */
async function insertEvents(db: Database, workspace: Workspace, count: number): Promise<void> {
  const id = sql.lit(workspace.id);
  for (const [name, every, salt] of [
    ['delivered', 1, 0],
    ['bounced', 20, 1],
  ] as const) {
    const own = sql`from numbers where n % ${sql.lit(every)} = 0`;
    const time = sql`${sql.lit(START)} + (n * 7919) % 60 * ${sql.lit(DAY)}`;
    await insertInRanges(
      db,
      workspace,
      count,
      (numbers) => sql`
        insert into events (workspace_id, contact_id, created_at, uuid, event_name, attributes)
        with recursive numbers as (${numbers})
        select ${id}, n + 1, ${time}, ${uuidOf(sql`n`, sql.lit(salt))}, ${name}, '{}' ${own}`,
    );
    await insertInRanges(
      db,
      workspace,
      count,
      (numbers) => sql`
        insert into event_names (workspace_id, contact_id, event_name, name_key, count)
        with recursive numbers as (${numbers})
        select ${id}, n + 1, ${name}, ${name}, 1 ${own}`,
    );
  }
}

export async function fillFilters(db: Database, workspace: Workspace, count: number): Promise<void> {
  const began = performance.now();
  const say = (what: string) => console.log(`${what}: ${Math.round((performance.now() - began) / 1000)} s`);
  await insertContacts(db, workspace, count);
  await withoutIndexes(db, ['events'], () => insertEvents(db, workspace, count));
  say('contacts and events');
  for (const name of ATTRIBUTES) {
    await addIndex(workspace, db, name, () => {});
    say(`index of ${name}`);
  }
  if ((await db.space()) === null) await sql`vacuum analyze`.execute(db.unscoped.kysely);
}

const describe = (reads: readonly { ms: number; used: number }[]) =>
  `${median(reads.map(({ ms }) => ms)).toFixed(0)} (${Math.min(...reads.map(({ used }) => used)).toFixed(0)})`;

async function measure(url: string, filter: string, seconds: () => number): Promise<string> {
  // Not as a service, which would end a read after five seconds.
  const db = await openDatabase(url);
  const [workspace] = await listWorkspaces(db);
  if (workspace === undefined) throw new Error('There is no workspace to measure on.');
  // Totals are kept by the text of the filter.
  const read = async (page: number, spaces: number) => {
    const before = seconds();
    const began = performance.now();
    const filters = { filter: filter + ' '.repeat(spaces) };
    const list = await listContacts(workspace, db, { page, per_page: 10, search: '', sorting: [], filters }, NOW);
    return {
      ms: performance.now() - began,
      used: (seconds() - before) * 1000,
      total: list.meta.total,
      last: list.meta.last_page,
    };
  };
  try {
    const counted = [await read(1, 1), await read(1, 2), await read(1, 3)];
    const { total = 0, last = 1 } = counted[0] ?? {};
    const repeat = async (page: number) => {
      const reads: Awaited<ReturnType<typeof read>>[] = [];
      for (let time = 0; time < REPEATS; time++) reads.push(await read(page, 1));
      return describe(reads);
    };
    const first = describe(counted);
    return `${total.toLocaleString('en')} found; first page with its count ${first}, again ${await repeat(1)}, middle ${await repeat(Math.ceil(last / 2))} ms`;
  } catch (error) {
    return String(error);
  } finally {
    await db.close();
  }
}

export async function measureContactFilters(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openStores(folder, { name: 'filters', sizes: [CONTACTS], fill: fillFilters });
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      for (const filter of FILTERS) {
        const server = engine === 'SQLite' ? () => 0 : () => childrenSeconds(stores.serverPid);
        const seconds = () => processSeconds(process.pid) + server();
        const text = await measure(stores.urlOf(engine, CONTACTS), filter, seconds);
        console.log(engine, filter, text);
        rows.push([`${engine}, ${CONTACTS.toLocaleString('en')}: ${filter}`, text, 'at most 5,000']);
      }
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

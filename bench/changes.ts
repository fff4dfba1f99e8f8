import type { Filters } from '../contract/list.ts';
import type { Database } from '../server/database/database.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { listChanges } from '../server/log/listChanges.ts';
import { listWorkspaces } from '../server/workspaces/store.ts';
import { ENGINES } from './eventStores.ts';
import { type Call, measureGrowth, pageAt } from './growth.ts';
import { DAYS, NOW, openLogStores, TOKENS } from './logStores.ts';
import type { BenchmarkRow } from './table.ts';

// Cost of a page of the log inside the service, without HTTP, as the log grows.

const SIZES = [10_000, 'BENCH_STORES' in process.env ? 10_000_000 : 1_000_000];
const ROUNDS = 30;
/** Rows of a page of the console. */
const PER_PAGE = 25;

const daysAgo = (days: number) => new Date(NOW - days * 86_400_000).toISOString();
const [BUSIEST, SECOND] = TOKENS.map(({ uuid }) => uuid);
const PERIOD = { from: daysAgo(0.8 * DAYS), to: daysAgo(0.3 * DAYS) };
const LISTS: readonly [what: string, search: string, filters: Filters][] = [
  ['all', '', {}],
  ['an actor', '', { actor: BUSIEST ?? '' }],
  ['an actor of one line in a hundred', '', { actor: TOKENS.at(-1)?.uuid ?? '' }],
  ['an action', '', { action: 'update' }],
  ['an actor and an action', '', { actor: SECOND ?? '', action: 'unsubscribe' }],
  ['from and to', '', PERIOD],
  ['an actor, an action, from and to', '', { actor: SECOND ?? '', action: 'update', ...PERIOD }],
  ['a search by name, two actors', 'support', {}],
];
const DEPTHS = [
  ['first', 0],
  ['middle', 0.5],
  ['last', 1],
] as const;

type Store = { db: Database; workspace: Workspace };

export async function measureChanges(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openLogStores(folder, SIZES);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      const opened = await Promise.all(SIZES.map((size) => open(stores.urlOf(engine, size))));
      for (const [what, search, filters] of LISTS) {
        for (const [place, depth] of DEPTHS) {
          const calls = await Promise.all(opened.map((store) => callOf(store, search, filters, depth)));
          rows.push(await measureGrowth(`${engine}: ${what}, ${place} page`, calls, ROUNDS));
        }
      }
      for (const { db } of opened) await db.close();
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

async function open(url: string): Promise<Store> {
  const db = await openDatabase(url);
  const [workspace] = await listWorkspaces(db);
  if (workspace === undefined) throw new Error('The store holds no workspace.');
  return { db, workspace };
}

async function callOf({ db, workspace }: Store, search: string, filters: Filters, depth: number): Promise<Call> {
  const read = (page: number) => listChanges(workspace, db, { page, per_page: PER_PAGE, search, sorting: [], filters });
  const { meta } = await read(1);
  return (draw) => read(pageAt(depth, meta.last_page, draw));
}

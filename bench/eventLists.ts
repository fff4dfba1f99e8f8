import type { CheckedListQuery, Page, Sort } from '../contract/list.ts';
import { listContactEvents } from '../server/contacts/events.ts';
import type { Database } from '../server/database/database.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { createToken, findPrincipal, listWorkspaces } from '../server/workspaces/store.ts';
import { BUSIEST, type Engine, ENGINES, openEventStores, RARE, SIZES, START } from './eventStores.ts';
import { type Call, measureGrowth, pageAt } from './growth.ts';
import type { BenchmarkRow } from './table.ts';

// Cost of one call of the list of events inside the service, without HTTP, as the events of one contact grow.

const ROUNDS: Record<Engine, number> = { SQLite: 500, PostgreSQL: 300 };

/** Position of the page in the list: 0 is the first, 1 the last. */
type Case = [what: string, depth: number, query?: Partial<CheckedListQuery>];

const sorted = (...columns: string[]): Partial<CheckedListQuery> => ({
  sorting: columns.map((column): Sort => ({ id: column.replace('-', ''), desc: column.startsWith('-') })),
});
const CASES: readonly Case[] = [
  ['first page', 0],
  ['a page in the middle', 0.5],
  ['last page', 1],
  ['oldest first', 0, sorted('created_at')],
  ['oldest first, in the middle', 0.5, sorted('created_at')],
  ['by name', 0, sorted('event_name')],
  ['by name, in the middle', 0.5, sorted('event_name')],
  ['by name, last page', 1, sorted('event_name')],
  ['by name downwards, in the middle', 0.5, sorted('-event_name')],
  ['by name, then oldest first, in the middle', 0.5, sorted('event_name', 'created_at')],
  ['by time, then name, in the middle', 0.5, sorted('-created_at', 'event_name')],
  ['search with many hits (10 names)', 0, { search: 'EMAIL_' }],
  ['the same, in the middle', 0.5, { search: 'EMAIL_' }],
  ['the same, last page', 1, { search: 'EMAIL_' }],
  ['the same, by name, in the middle', 0.5, { search: 'EMAIL_', ...sorted('event_name') }],
  ['search that most names match', 0, { search: 'e' }],
  ['the same, in the middle', 0.5, { search: 'e' }],
  ['the same, last page', 1, { search: 'e' }],
  ['search for one name, in the middle', 0.5, { search: 'page_sent' }],
  ['search with few hits (20)', 0, { search: RARE }],
  ['the same, last page', 1, { search: RARE }],
  ['search with no hit', 0, { search: 'nothing' }],
];

export async function measureEventLists(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openEventStores(folder, SIZES);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      const opened = await Promise.all(SIZES.map((size) => open(stores.urlOf(engine, size))));
      for (const one of CASES) {
        const calls = await Promise.all(opened.map((store) => callOf(store, one)));
        rows.push(await measureGrowth(`${engine}: ${one[0]}`, calls, ROUNDS[engine]));
      }
      for (const { db } of opened) await db.close();
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

type Store = { db: Database; token: string };

async function open(url: string): Promise<Store> {
  const db = await openDatabase(url);
  const [workspace] = await listWorkspaces(db);
  if (workspace === undefined) throw new Error('The store holds no workspace.');
  const { token } = await createToken(workspace, db, { name: 'bench', role: 'admin' }, START);
  return { db, token };
}

/** All reads of one request: access by token, contact, total and page. */
async function callOf({ db, token }: Store, [, depth, query]: Case): Promise<Call> {
  const list = async (page: number) => {
    const access = await findPrincipal(db, token, START);
    if (access === null) throw new Error('The token opens nothing.');
    const checked = { page, per_page: 10, search: '', sorting: [], filters: {}, ...query };
    return listContactEvents(access.workspace, db, BUSIEST, checked);
  };
  const { meta } = JSON.parse((await list(1)) ?? '') as Page<unknown>;
  return (draw) => list(pageAt(depth, meta.last_page, draw));
}

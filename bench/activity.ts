import type { ActivityParameters } from '../contract/activity.ts';
import { getContactActivity, parseActivityQuery } from '../server/contacts/activity.ts';
import { listContactEvents } from '../server/contacts/events.ts';
import type { Database } from '../server/database/database.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { listWorkspaces } from '../server/workspaces/store.ts';
import { BUSIEST, ENGINES, openEventStores, START } from './eventStores.ts';
import { type Call, measureGrowth } from './growth.ts';
import type { BenchmarkRow } from './table.ts';

// Cost of the picture of a contact's activity and of a click in it, inside the service, without HTTP, as its events grow.

/** Events, of which the contact has nine tenths. */
const SIZES = [50_000, 'BENCH_STORES' in process.env ? 10_000_000 : 1_000_000];
const ROUNDS = 100;
/** Rows of a page of the console. */
const PER_PAGE = 25;

/** The events end after two years. */
const END = START + 730 * 86_400_000;
const since = (days: number): ActivityParameters => ({ from: new Date(END - days * 86_400_000).toISOString() });
const SPANS: readonly [what: string, ActivityParameters][] = [
  ['90 days', since(90)],
  ['a year', since(365)],
  ['all time', {}],
  ['90 days, search with many hits', { ...since(90), search: 'email_' }],
  ['all time, search with few hits', { search: 'disputed' }],
];

export async function measureActivity(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openEventStores(folder, SIZES);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      const opened = await Promise.all(SIZES.map((size) => open(stores.urlOf(engine, size))));
      for (const [what, parameters] of SPANS) {
        const pictures = opened.map(
          (store): Call =>
            () =>
              read(store, parameters),
        );
        rows.push(await measureGrowth(`${engine}: activity, ${what}`, pictures, ROUNDS));
        const clicks = await Promise.all(opened.map((store) => clickOf(store, parameters)));
        rows.push(await measureGrowth(`${engine}: the page of a bar, ${what}`, clicks, ROUNDS));
      }
      for (const { db } of opened) await db.close();
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

type Store = { db: Database; workspace: Workspace };

async function open(url: string): Promise<Store> {
  const db = await openDatabase(url);
  const [workspace] = await listWorkspaces(db);
  if (workspace === undefined) throw new Error('The store holds no workspace.');
  return { db, workspace };
}

async function read({ db, workspace }: Store, parameters: ActivityParameters) {
  const query = parseActivityQuery({ zone: 'Europe/Berlin', ...parameters }, END);
  const activity = await getContactActivity(workspace, db, BUSIEST, query);
  if (activity === null) throw new Error('The store has no such contact.');
  return activity;
}

/** The page of the list on which a bar begins, a different bar each time. */
async function clickOf({ db, workspace }: Store, parameters: ActivityParameters): Promise<Call> {
  const { buckets } = await read({ db, workspace }, parameters);
  const { search = '' } = parameters;
  return (draw) => {
    const newer = buckets[Math.floor(draw * buckets.length)]?.newer ?? 0;
    const page = Math.floor(newer / PER_PAGE) + 1;
    return listContactEvents(workspace, db, BUSIEST, { page, per_page: PER_PAGE, search, sorting: [], filters: {} });
  };
}

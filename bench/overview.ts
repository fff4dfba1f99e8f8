import { getOverview } from '../server/contacts/overview.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { listWorkspaces } from '../server/workspaces/store.ts';
import { ENGINES } from './eventStores.ts';
import { measureGrowth } from './growth.ts';
import { NOW, openLogStores } from './logStores.ts';
import type { BenchmarkRow } from './table.ts';

// Cost of the overview inside the service, without HTTP, as the log grows: two of three lines are unsubscribes of the last 30 days.

const SIZES = 'BENCH_STORES' in process.env ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
const ROUNDS = 200;

export async function measureOverview(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openLogStores(folder, SIZES);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      const opened = await Promise.all(SIZES.map((size) => openDatabase(stores.urlOf(engine, size))));
      const calls = await Promise.all(
        opened.map(async (db) => {
          const [workspace] = await listWorkspaces(db);
          if (workspace === undefined) throw new Error('The store holds no workspace.');
          return () => getOverview(workspace, db, 'Europe/Berlin', NOW);
        }),
      );
      rows.push(await measureGrowth(`${engine}: overview`, calls, ROUNDS));
      for (const db of opened) await db.close();
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

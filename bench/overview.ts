import { getOverview } from '../server/contacts/overview.ts';
import { putContacts } from '../server/contacts/store.ts';
import type { Database } from '../server/database/database.ts';
import { insertRows } from '../server/database/insertRows.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { COUNTED_PERIOD } from '../server/database/unsubscribeCounts.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { seededRandom } from '../server/demo/seededRandom.ts';
import { listWorkspaces } from '../server/workspaces/store.ts';
import { ENGINES, openStores } from './eventStores.ts';
import { measureGrowth } from './growth.ts';
import type { BenchmarkRow } from './table.ts';

// Cost of the overview inside the service, without HTTP, as the log of changes grows: all of it unsubscribes of the last 30 days.

const SIZES = 'BENCH_STORES' in process.env ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
const ROUNDS = 200;
const BATCH = 10_000;
const CONTACTS = 1000;
const TOKENS = ['unsubscribe link', 'support desk', 'crm-sync', 'spam complaints', 'shop', 'app'];
const NOW = Date.UTC(2026, 10, 21, 9);
const UNSUBSCRIBED = '[{"field":"subscribed","before":true,"after":false}]';

async function fill(db: Database, workspace: Workspace, size: number): Promise<void> {
  const random = seededRandom(3);
  const contacts = Array.from({ length: CONTACTS }, (_, index) => ({ attributes: { email: `p${index}@x.example` } }));
  await db.write(workspace, (scope) => putContacts(scope, contacts, NOW));
  const counts = new Map<string, { period: number; token_name: string; count: number }>();
  const change = (index: number) => {
    const created_at = NOW - random.below(30 * 86_400_000);
    const token_name = random.pick(TOKENS);
    const period = Math.floor(created_at / COUNTED_PERIOD);
    const counted = counts.get(`${period} ${token_name}`) ?? { period, token_name, count: 0 };
    counts.set(`${period} ${token_name}`, { ...counted, count: counted.count + 1 });
    return {
      workspace_id: workspace.id,
      contact_id: 1 + (index % CONTACTS),
      number: 1 + Math.floor(index / CONTACTS),
      uuid: random.uuid(),
      action: 'unsubscribe',
      created_at,
      token_name,
      changes: UNSUBSCRIBED,
    };
  };
  for (let first = 0; first < size; first += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => change(first + index));
    await db.write(workspace, ({ kysely }) => insertRows(kysely, 'contact_changes', rows));
  }
  const rows = [...counts.values()].map((row) => ({ workspace_id: workspace.id, ...row }));
  await db.write(workspace, ({ kysely }) => insertRows(kysely, 'unsubscribe_counts', rows));
}

export async function measureOverview(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openStores(folder, 'overview', SIZES, fill);
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

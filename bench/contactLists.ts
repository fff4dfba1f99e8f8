import type { CheckedListQuery, Page, Sort } from '../contract/list.ts';
import { listContacts } from '../server/contacts/listContacts.ts';
import { putContacts } from '../server/contacts/store.ts';
import type { Database } from '../server/database/database.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { seededRandom } from '../server/demo/seededRandom.ts';
import { putAddresses } from '../server/domains/putAddresses.ts';
import { putDomains } from '../server/domains/putDomains.ts';
import { listAddresses, listDomains } from '../server/domains/store.ts';
import type { Scope } from '../server/database/scope.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { listWorkspaces } from '../server/workspaces/store.ts';
import { measureSearches } from './contactSearches.ts';
import { ENGINES, openStores, START } from './eventStores.ts';
import { type Call, measureGrowth, pageAt } from './growth.ts';
import type { BenchmarkRow } from './table.ts';

// Cost of one call of the lists of contacts, domains and addresses inside the service, without HTTP, as they grow.

/**
 * Contacts; a million only in kept stores, because creating them takes minutes. A hundredth as many domains, and a
 * tenth as many addresses, all of one domain.
 */
const SIZES = 'BENCH_STORES' in process.env ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
const ROUNDS = 100;
const BATCH = 10_000;
const BUSIEST = '00000000-0000-4000-8000-000000000000';
const SYLLABLES = ['ka', 'mi', 'ro', 'ta', 'le', 'son', 'ber', 'va', 'ni', 'do', 'ri', 'an', 'el', 'mar', 'tin', 'os'];
const JOBS = ['Engineer', 'Director', 'Clerk', 'Head of sales'];

async function fill(db: Database, workspace: Workspace, count: number): Promise<void> {
  const random = seededRandom(1);
  const word = (length: number) =>
    Array.from({ length }, () => SYLLABLES[random.below(SYLLABLES.length)] ?? '').join('');
  const contact = (index: number) => ({
    subscribed: random.chance(0.9),
    created_at: START + random.below(count) * 1000,
    attributes: {
      email: `${word(2)}.${word(3)}${index}@${word(2)}.example`,
      phone: `+49 ${index}`,
      first_name: word(2),
      last_name: index % (count / 20) === 0 ? 'Rarity' : word(3),
      company: `${word(2)} Ltd`,
      job_title: JOBS[random.below(JOBS.length)],
    },
  });
  const batches = async <Given>(
    size: number,
    make: (index: number) => Given,
    put: (scope: Scope, rows: Given[], now: number) => Promise<unknown>,
  ) => {
    for (let first = 0; first < size; first += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, size - first) }, (_, index) => make(first + index));
      await db.write(workspace, (scope) => put(scope, rows, START + first));
    }
  };
  await batches(count, contact, putContacts);
  await batches(
    count / 100,
    (index) => ({
      ...(index === 0 && { uuid: BUSIEST }),
      name: `${word(3)}${index}.example`,
      created_at: START + random.below(count) * 1000,
    }),
    putDomains,
  );
  await batches(count / 10, (index) => ({ domain_uuid: BUSIEST, address: `${word(2)}${index}` }), putAddresses);
}

type List = (workspace: Workspace, db: Database, query: CheckedListQuery) => Promise<Page<unknown> | null>;
/** Position of the page in the list: 0 is the first, 1 the last. */
type Case = [what: string, list: List, depth: number, query?: Partial<CheckedListQuery>];

const sorted = (...columns: string[]): Partial<CheckedListQuery> => ({
  sorting: columns.map((column): Sort => ({ id: column.replace('-', ''), desc: column.startsWith('-') })),
});
const addresses: List = (workspace, db, query) => listAddresses(workspace, db, BUSIEST, query);
const CASES: readonly Case[] = [
  ['contacts, first page', listContacts, 0],
  ['contacts, in the middle', listContacts, 0.5],
  ['contacts, last page', listContacts, 1],
  ['contacts by email', listContacts, 0, sorted('email')],
  ['contacts by email, in the middle', listContacts, 0.5, sorted('email')],
  ['contacts by company, last page', listContacts, 1, sorted('company')],
  ['contacts by company, then newest, in the middle', listContacts, 0.5, sorted('company', '-created_at')],
  ['contacts not subscribed, by email', listContacts, 0, { filters: { subscribed: false }, ...sorted('email') }],
  ['the same, in the middle', listContacts, 0.5, { filters: { subscribed: false }, ...sorted('email') }],
  ['contacts, search with no hit', listContacts, 0, { search: 'nothing' }],
  ['contacts, search with few hits (20)', listContacts, 0, { search: 'rarity' }],
  ['contacts, search with many hits (a quarter)', listContacts, 0, { search: 'engineer' }],
  ['the same, by email, in the middle', listContacts, 0.5, { search: 'engineer', ...sorted('email') }],
  ['domains, first page', listDomains, 0],
  ['domains, in the middle', listDomains, 0.5],
  ['domains by provider, last page', listDomains, 1, sorted('provider')],
  ['domains, search with no hit', listDomains, 0, { search: 'nothing' }],
  ['addresses, first page', addresses, 0],
  ['addresses, in the middle', addresses, 0.5],
  ['addresses, last page', addresses, 1],
];

export async function measureContactLists(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openStores(folder, 'contacts', SIZES, fill);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      const opened = await Promise.all(SIZES.map((size) => openDatabase(stores.urlOf(engine, size))));
      for (const one of CASES) {
        const calls = await Promise.all(opened.map((db) => callOf(db, one)));
        // Slow calls have fewer rounds.
        const isSearch = one[3]?.search !== undefined || one[3]?.sorting?.length === 2;
        rows.push(await measureGrowth(`${engine}: ${one[0]}`, calls, isSearch ? ROUNDS / 10 : ROUNDS));
      }
      for (const db of opened) await db.close();
      rows.push(...(await measureSearches(engine, stores, SIZES.at(-1) ?? 0)));
    }
    return [...rows, ...(await costOfThreads(stores.urlOf('SQLite', SIZES[0] ?? 0)))];
  } finally {
    await stores.stop();
  }
}

/** Cost of running long reads in threads, as a service does: the same calls without and with them. */
async function costOfThreads(url: string): Promise<BenchmarkRow[]> {
  const opened = [await openDatabase(url), await openDatabase(url, { isService: true })];
  const rows: BenchmarkRow[] = [];
  for (const one of CASES.filter(([, list]) => list === listContacts)) {
    const calls = await Promise.all(opened.map((db) => callOf(db, one)));
    const [, measured] = await measureGrowth('', calls, ROUNDS);
    rows.push([`SQLite, in a command -> in a service: ${one[0]}`, measured, 'that of a first page is 1']);
  }
  for (const db of opened) await db.close();
  return rows;
}

async function callOf(db: Database, [, list, depth, query]: Case): Promise<Call> {
  const [workspace] = await listWorkspaces(db);
  if (workspace === undefined) throw new Error('The store holds no workspace.');
  const page = (page: number) =>
    list(workspace, db, { page, per_page: 10, search: '', sorting: [], filters: {}, ...query });
  const { last_page } = (await page(1))?.meta ?? { last_page: 1 };
  return (draw) => page(pageAt(depth, last_page, draw));
}

import { join } from 'node:path';
import { sql } from 'kysely';
import type { CheckedListQuery } from '../contract/list.ts';
import { must } from '../contract/must.ts';
import { listContacts } from '../server/contacts/listContacts.ts';
import { updateContact } from '../server/contacts/store.ts';
import type { Database } from '../server/database/database.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { newWriteMark } from '../server/database/writeMark.ts';
import { listWorkspaces } from '../server/workspaces/store.ts';
import type { Engine, Stores } from './eventStores.ts';
import { childrenSeconds, ownSeconds } from './processorTime.ts';
import type { BenchmarkRow } from './table.ts';

// What a search of contacts costs in processor time, ours and the database server's, as a ratio to the first page of all
// contacts: the least of the rounds, because other work on the machine only adds. BENCH_BEFORE names the folder of an older version: its
// list reads the same data, in alternation.

const ROUNDS = 4;
/** A sample is of as many calls as take this long, but at most so many. */
const SAMPLE_SECONDS = 0.02;
const CALLS_MAX = 50;
const UPDATES = 60;

const SQLITE_INDEX_TABLES = ['data', 'idx', 'docsize', 'config'].map((part) => `contact_search_${part}`);

type List = typeof listContacts;
type Update = typeof updateContact;
type Version = { list: List; update: Update };

/** The goal is as a ratio: to a first page, or to the version before. */
type Case = [what: string, search: string, goal: string, query?: Partial<CheckedListQuery>];

const FEW = 'at most 10 first pages';
const MANY = 'at most 0.2 of before';
const SHORT = 'at most 1 of before';
const SUBSCRIBED = { filters: { subscribed: true } };
const CASES: readonly Case[] = [
  ['no hit', 'nothing', FEW],
  ['no hit of two words', 'engineer nothing', FEW],
  ['no hit, subscribed', 'nothing', FEW, SUBSCRIBED],
  ['20 hits', 'rarity', FEW],
  ['20 hits, subscribed', 'rarity', FEW, SUBSCRIBED],
  ['some of the 20, by two words', 'rarity ka', FEW],
  ['a quarter', 'engineer', MANY],
  ['a quarter, by two words', 'engineer ltd', MANY],
  ['a tenth', 'sonka', MANY],
  ['a quarter, by email, in the middle', 'engineer', MANY, { sorting: [{ id: 'email', desc: false }] }],
  ['a quarter, subscribed', 'engineer', MANY, SUBSCRIBED],
  ['two letters', 'os', SHORT],
  ['one letter', 'q', SHORT],
];

export async function measureSearches(engine: Engine, stores: Stores, size: number): Promise<BenchmarkRow[]> {
  const db = await openDatabase(stores.urlOf(engine, size));
  try {
    const [workspace] = await listWorkspaces(db);
    if (workspace === undefined) throw new Error('The store holds no workspace.');
    const searched = { db, workspace, seconds: () => ownSeconds() + childrenSeconds(stores.serverPid), engine, size };
    const before = await loadBefore();
    return [
      ...(await measureCases(searched, before)),
      ...(await measureUpdates(searched, before)),
      ...(await describeSizes(searched)),
    ];
  } finally {
    await db.close();
  }
}

type Searched = { db: Database; workspace: Workspace; engine: Engine; size: number; seconds: () => number };

async function loadBefore(): Promise<Version | null> {
  const folder = process.env['BENCH_BEFORE'];
  if (folder === undefined) return null;
  const load = <Module>(file: string) => import(join(folder, 'server/contacts', file)) as Promise<Module>;
  const { listContacts: list } = await load<{ listContacts: List }>('listContacts.ts');
  const { updateContact: update } = await load<{ updateContact: Update }>('store.ts');
  return { list, update };
}

async function measureCases(searched: Searched, before: Version | null): Promise<BenchmarkRow[]> {
  const { db, workspace, engine, size, seconds } = searched;
  const callOf = (list: List, query: Partial<CheckedListQuery>) => () =>
    list(workspace, db, { page: 1, per_page: 10, search: '', sorting: [], filters: {}, ...query });
  const first = await sample(callOf(listContacts, {}), seconds);
  const rows: BenchmarkRow[] = [];
  for (const [what, search, goal, query] of CASES) {
    const asked = { search, ...query };
    const { total, per_page } = (await callOf(listContacts, asked)()).meta;
    if (query?.sorting !== undefined) Object.assign(asked, { page: Math.ceil(total / per_page / 2) });
    const counted = callOf(listContacts, asked);
    const samples: Record<'page' | 'before' | 'new' | 'again', number[]> = { page: [], before: [], new: [], again: [] };
    for (let round = 0; round < ROUNDS; round++) {
      samples.page.push(await sample(callOf(listContacts, {}), seconds));
      if (before !== null) samples.before.push(await sample(callOf(before.list, asked), seconds));
      samples.new.push(await sample(counted, seconds, () => forgetTotals(searched)));
      samples.again.push(await sample(counted, seconds));
    }
    const [page, old, fresh, again] = Object.values(samples).map(least);
    rows.push([
      `${engine}: search, ${what} (${total} of ${size})`,
      [
        `${inMs(fresh)} = ${ratio(fresh, page)} first pages, again ${inMs(again)} = ${ratio(again, page)}`,
        ...(before === null ? [] : [`before ${inMs(old)}: x ${ratio(fresh, old)}, again x ${ratio(again, old)}`]),
      ].join('; '),
      goal,
    ]);
  }
  return [[`${engine}: contacts, first page`, inMs(first)], ...rows];
}

/** The seconds of a call, without those of `prepare` before it. */
async function sample(
  call: () => Promise<unknown>,
  seconds: () => number,
  prepare?: () => Promise<void>,
): Promise<number> {
  let used = 0;
  let calls = 0;
  while (used < SAMPLE_SECONDS && calls < CALLS_MAX) {
    await prepare?.();
    const start = seconds();
    await call();
    used += seconds() - start;
    calls++;
  }
  return used / calls;
}

/** As a write of a searched text does. */
async function forgetTotals({ db, workspace }: Searched): Promise<void> {
  await db.write(workspace, (scope) => scope.updateOwn().set({ search_mark: newWriteMark() }).execute());
}

/** Of a field that is searched and no list is sorted by, and of one that is not searched. */
async function measureUpdates(
  { db, workspace, engine, seconds }: Searched,
  before: Version | null,
): Promise<BenchmarkRow[]> {
  const caller = { token: { uuid: '00000000-0000-4000-8000-00000000000c', name: 'bench' }, requestId: 'bench' };
  const versions = [...(before === null ? [] : [before.update]), updateContact];
  const rows: BenchmarkRow[] = [];
  for (const field of ['job_title', 'note']) {
    const samples: number[][] = versions.map(() => []);
    for (let round = 0; round < UPDATES; round++) {
      // The last version writes last, and what it changes is in its index.
      for (const [index, update] of versions.entries()) {
        const text = `Clerk ${Date.now()} ${index}`;
        const start = seconds();
        await update(workspace, db, `+49 ${round * 97 + 5}`, { [field]: text }, caller, Date.now());
        samples[index]?.push(seconds() - start);
      }
    }
    const costs = samples.map(least);
    const change = costs.length > 1 ? `, x ${ratio(costs[1], costs[0])}` : '';
    const what = field === 'note' ? 'a field that is not searched' : 'a searched field';
    rows.push([`${engine}: update of ${what}`, `${costs.map((each) => inMs(each)).join(' -> ')}${change}`]);
  }
  return rows;
}

async function describeSizes({ db, engine, size }: Searched): Promise<BenchmarkRow[]> {
  const bytes =
    engine === 'SQLite'
      ? sql<{ index: number; all: number }>`
          select (select sum(pgsize) from dbstat where name in (${sql.join(SQLITE_INDEX_TABLES)}) and aggregate = 1) as "index",
            page_count * page_size as "all" from pragma_page_count, pragma_page_size`
      : sql<{ index: number; all: number }>`
          select pg_total_relation_size('contact_search') as index, pg_database_size(current_database()) as all`;
  const { rows } = await db.unscoped.read((trx) => bytes.execute(trx));
  const { index, all } = must(rows[0]);
  return [
    [`${engine}: search index`, `${(index / size).toFixed(0)} bytes a contact`],
    [`${engine}: the store`, `${(all / size).toFixed(0)} bytes a contact`],
  ];
}

const least = (seconds: readonly number[]) => Math.min(...seconds);
const inMs = (seconds = Number.NaN) => `${(seconds * 1000).toFixed(2)} ms`;
const ratio = (one = Number.NaN, other = Number.NaN) => (one / other).toFixed(2);

import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../../contract/values/must.ts';
import { formatListQuery, type ListQuery, type Page } from '../../contract/list.ts';
import { startSendroom } from '../../e2e/support/startSendroom.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { type Engine, makeToken, type Stores } from './stores.ts';
import { generateLoad, median } from './measure/generateLoad.ts';
import { childrenSeconds, processSeconds } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';

// Measures requests over HTTP, each next to the one that it's compared with.

const ROUNDS = 4;
/** Of each case in a round, one after the other. */
const REQUESTS = 20;
/** Of a page that has to be counted and sorted first. */
const ATTEMPTS_MAX = 5;

/** A page of a list, compared with `base`. */
export type Case = {
  what: string;
  base?: Case;
  goal?: string;
  path: string;
  /** 0 for the first page and 1 for the last; for each page in turn `all`; null for what is no list. */
  depth: number | 'all' | null;
  query?: ListQuery;
};

export const sorted = (...columns: string[]): ListQuery => ({
  sorting: columns.map((column) => ({ id: column.replace('-', ''), desc: column.startsWith('-') })),
});

export const firstPage = (what: string, path: string): Case => ({
  what: `${what}, first page`,
  path,
  depth: 0,
});

type Service = {
  size: number;
  url: string;
  headers: Record<string, string>;
  /** Of processors that it and the database server have used. */
  seconds: () => number;
  stop: () => Promise<void>;
};

/** One service on each size of the stores. */
export async function measureCases(
  engine: Engine,
  stores: Stores,
  sizes: readonly number[],
  cases: readonly Case[],
): Promise<BenchmarkRow[]> {
  const services: Service[] = [];
  try {
    for (const size of sizes) services.push(await startOn(stores, engine, size));
    const rows: BenchmarkRow[] = [];
    for (const one of cases) rows.push(await measureCase(engine, services, one));
    return rows;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

const sizesOf = (services: readonly Service[]) => services.map(({ size }) => size.toLocaleString('en')).join(' -> ');

async function startOn(stores: Stores, engine: Engine, size: number): Promise<Service> {
  const databaseUrl = stores.urlOf(engine, size);
  const headers = { authorization: `Bearer ${await makeToken(databaseUrl)}` };
  const { url, stop, processId } = await startSendroom({ DATABASE_URL: databaseUrl, DEMO: 'off' });
  const server = engine === 'SQLite' ? () => 0 : () => childrenSeconds(stores.serverPid);
  return {
    size,
    url,
    headers,
    seconds: () => processSeconds(processId) + server(),
    stop,
  };
}

/** The sizes that answer alternate, and the case with its base, so that other work on the machine affects all. */
async function measureCase(engine: Engine, services: readonly Service[], one: Case): Promise<BenchmarkRow> {
  const { base } = one;
  const measured: { own: Round[]; base: Round[]; service: Service; calls: { own: Call; base: Call | undefined } }[] =
    [];
  for (const service of services) {
    const calls = { own: await callOf(service, one), base: base && (await callOf(service, base)) };
    measured.push({ service, calls, own: [], base: [] });
  }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { service, calls, own, base: based } of measured) {
      const rounds = {
        own: await measureRound(service, () => calls.own(round)),
        base: calls.base && (await measureRound(service, () => calls.base?.(round))),
      };
      // The first round warms up.
      if (round === 0) continue;
      own.push(rounds.own);
      if (rounds.base !== undefined) based.push(rounds.base);
    }
  }
  const compared = base === undefined ? '' : ` of "${base.what}"`;
  const texts = [elapsed, used].map((of) => compare(measured, of, base !== undefined));
  const text = `${texts.join('; processor ')}${compared}`;
  return [`${engine}, ${sizesOf(measured.map(({ service }) => service))}: ${one.what}`, text, one.goal];
}

/** Milliseconds of each request, and of processors for one, those of the database server included. */
type Round = { times: number[]; used: number };

async function measureRound({ seconds }: Service, call: () => Promise<number[]> | undefined): Promise<Round> {
  const before = seconds();
  const times = (await call()) ?? [];
  return { times, used: ((seconds() - before) / times.length) * 1000 };
}

const elapsed = (rounds: readonly Round[]) => median(rounds.flatMap(({ times }) => times));
/** Of the best round, because other work on the machine only adds. */
const used = (rounds: readonly Round[]) => Math.min(...rounds.map((round) => round.used));

/** For each size, the growth to the last from the one before if there is one, and the ratios to the base. */
function compare(
  sizes: readonly { own: Round[]; base: Round[] }[],
  of: (rounds: readonly Round[]) => number,
  hasBase: boolean,
): string {
  const own = sizes.map((size) => of(size.own));
  const last = own.at(-2);
  const growth = last === undefined ? '' : `, x ${(must(own.at(-1)) / last).toFixed(2)}`;
  const ratios = sizes.map((size) => (of(size.own) / of(size.base)).toFixed(1)).join(' -> ');
  const times = `${own.map((time) => time.toFixed(2)).join(' -> ')} ms${growth}`;
  return hasBase ? `${times}, ${ratios}` : times;
}

/**
 * A page at `depth`, 0 the first and 1 the last. Pages in the middle are drawn from a fifth of the list, so that they
 * are not all cached.
 */
function pageAt(depth: number, lastPage: number, draw: number): number {
  const shift = depth === 0.5 ? (draw - 0.5) / 5 : 0;
  return Math.max(1, Math.round(lastPage * (depth + shift)));
}

/** Sends the requests of a round, which are for other pages or contacts than those of other rounds. Gives the milliseconds of each. */
type Call = (round: number) => Promise<number[]>;

async function callOf(service: Service, one: Case): Promise<Call> {
  const { headers } = service;
  const rounds = await addressesOf(service, one);
  await readPatiently(must(rounds[0]?.[0]), headers);
  return async (round) => {
    const url = must(rounds[round]);
    return (await generateLoad({ url, headers }, 1, { requests: url.length }, true)).times;
  };
}

/** What is requested in each round. */
async function addressesOf({ url, headers }: Service, { path, query, depth }: Case): Promise<URL[][]> {
  const rounds = Array.from({ length: ROUNDS + 1 });
  if (depth === null) return rounds.map(() => Array.from({ length: REQUESTS }, () => new URL(path, url)));
  const random = seededRandom(7);
  const address = (page: number) => new URL(`${path}?${formatListQuery({ per_page: 10, ...query, page })}`, url);
  const { last_page } = (await readPatiently(address(1), headers)).meta;
  if (depth === 'all') return rounds.map(() => Array.from({ length: last_page }, (_, index) => address(index + 1)));
  return rounds.map(() => Array.from({ length: REQUESTS }, () => address(pageAt(depth, last_page, random.next()))));
}

/** What a search finds is counted and sorted once: on a busy machine that may take longer than a read may. */
async function readPatiently(url: URL, headers: Record<string, string>): Promise<Page<unknown>> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const response = await fetch(url, { headers });
    if (response.status === 200) return (await response.json()) as Page<unknown>;
    if (response.status !== 503) throw new Error(`${url.href} returned ${response.status}.`);
    await delay(Number(response.headers.get('retry-after')) * 1000);
  }
  throw new Error(`${url.href} returned 503, ${ATTEMPTS_MAX} times.`);
}

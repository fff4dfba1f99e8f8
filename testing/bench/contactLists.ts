import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../../contract/values/must.ts';
import { formatListQuery, type ListQuery, type Page } from '../../contract/list.ts';
import { startSendroom } from '../../e2e/support/startSendroom.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { BUSIEST_CONTACT, BUSIEST_DOMAIN, CONTACTS, openContactStores, RARE_EVENT } from './contactStores.ts';
import { type Engine, ENGINES, makeToken, type Stores } from './stores.ts';
import { generateLoad, median } from './measure/generateLoad.ts';
import { childrenSeconds, processSeconds } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';

// Lists of contacts, events, domains and addresses over HTTP: ratios to a first page of the same run, and how they grow.

const ROUNDS = 4;
/** Of each case in a round, one after the other. */
const REQUESTS = 20;
/** Of a page that has to be counted and sorted first. */
const ATTEMPTS_MAX = 5;

/** A page of a list, compared with `base`; `depth` is 0 for the first and 1 for the last. */
type Case = { what: string; base?: Case; goal?: string; path: string; depth: number; query?: ListQuery };

const sorted = (...columns: string[]): ListQuery => ({
  sorting: columns.map((column) => ({ id: column.replace('-', ''), desc: column.startsWith('-') })),
});
const UNSUBSCRIBED: ListQuery = { filters: { subscribed: false } };
const MANY: ListQuery = { search: 'engineer' };

const firstPage = (what: string, path: string): Case => ({
  what: `${what}, first page`,
  path,
  depth: 0,
});
const CONTACT_PAGE = firstPage('contacts', '/v1/contacts');
const SEARCH_PAGE: Case = { ...CONTACT_PAGE, what: 'search, many hits (a quarter)', query: MANY, base: CONTACT_PAGE };
const DOMAIN_PAGE = firstPage('domains', '/v1/domains');
const ADDRESS_PAGE = firstPage('addresses', `/v1/domains/${BUSIEST_DOMAIN}/addresses`);

const EVENT_PAGE = firstPage('events', `/v1/contacts/${BUSIEST_CONTACT}/events`);

const NEAR = 'at most 3, x 1.5';
const MIDDLE = 'at 100,000 at most 5; at a million 30 ms on SQLite, 100 ms on PostgreSQL';
const contacts = (what: string, depth: number, query: ListQuery = {}, goal = MIDDLE): Case => {
  return { what: `contacts, ${what}`, path: CONTACT_PAGE.path, depth, query, base: CONTACT_PAGE, goal };
};
const events = (what: string, depth: number, goal: string, search?: string): Case => {
  return {
    ...EVENT_PAGE,
    what: `events, ${what}`,
    depth,
    query: search === undefined ? {} : { search },
    base: EVENT_PAGE,
    goal,
  };
};
const found = (what: string, depth: number, more: ListQuery): Case => {
  const query = { ...MANY, ...more };
  return {
    ...CONTACT_PAGE,
    what: `search, many hits, ${what}`,
    depth,
    query,
    base: SEARCH_PAGE,
    goal: depth === 0.5 ? '' : 'at most 5, x 1.5',
  };
};

const CASES: readonly Case[] = [
  CONTACT_PAGE,
  contacts('last page', 1, {}, NEAR),
  contacts('in the middle', 0.5),
  contacts('by email, in the middle', 0.5, sorted('email')),
  contacts('by company, in the middle', 0.5, sorted('company')),
  contacts('last changed first, in the middle', 0.5, sorted('-updated_at')),
  contacts('by company, then newest, in the middle', 0.5, sorted('company', '-created_at'), ''),
  contacts('not subscribed, first page', 0, UNSUBSCRIBED, NEAR),
  contacts('not subscribed, in the middle', 0.5, UNSUBSCRIBED),
  contacts('not subscribed by email, in the middle', 0.5, { ...UNSUBSCRIBED, ...sorted('email') }),
  contacts('search with no hit', 0, { search: 'nothing' }, 'at most 5, x 1.5'),
  contacts('search with few hits (20)', 0, { search: 'rarity' }, 'at most 5, x 1.5'),
  SEARCH_PAGE,
  found('in the middle', 0.5, {}),
  found('by email, in the middle', 0.5, sorted('email')),
  found('by email, last page', 1, sorted('email')),
  found('subscribed', 0, { filters: { subscribed: true } }),
  found('not subscribed', 0, UNSUBSCRIBED),
  found('not subscribed, in the middle', 0.5, UNSUBSCRIBED),
  contacts('search of two letters', 0, { search: 'os' }, ''),
  EVENT_PAGE,
  events('last page', 1, NEAR),
  events('in the middle', 0.5, MIDDLE),
  events('search with many hits', 0, NEAR, 'email_'),
  events('search with many hits, in the middle', 0.5, MIDDLE, 'email_'),
  events('search with few hits (20)', 0, NEAR, RARE_EVENT),
  events('search with no hit', 0, NEAR, 'nothing'),
  DOMAIN_PAGE,
  { ...DOMAIN_PAGE, what: 'domains, in the middle', depth: 0.5, base: DOMAIN_PAGE, goal: MIDDLE },
  { ...ADDRESS_PAGE, base: DOMAIN_PAGE },
  { ...ADDRESS_PAGE, what: 'addresses, in the middle', depth: 0.5, base: ADDRESS_PAGE, goal: MIDDLE },
  { ...ADDRESS_PAGE, what: 'addresses, last page', depth: 1, base: ADDRESS_PAGE, goal: NEAR },
];

type Service = {
  size: number;
  url: string;
  headers: Record<string, string>;
  /** Of processors that it and the database server have used. */
  seconds: () => number;
  stop: () => Promise<void>;
};

export async function measureContactLists(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openContactStores(folder);
  try {
    const rows: BenchmarkRow[] = [];
    for (const engine of ENGINES) {
      rows.push(...(await measureRequests(engine, stores)));
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

async function measureRequests(engine: Engine, stores: Stores): Promise<BenchmarkRow[]> {
  const services: Service[] = [];
  try {
    for (const size of CONTACTS) services.push(await startOn(stores, engine, size));
    const rows: BenchmarkRow[] = [];
    for (const one of CASES) rows.push(await measureCase(engine, services, one));
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

/** For each size, the growth to the last from the one before, and the ratios to the base. */
function compare(
  sizes: readonly { own: Round[]; base: Round[] }[],
  of: (rounds: readonly Round[]) => number,
  hasBase: boolean,
): string {
  const own = sizes.map((size) => of(size.own));
  const growth = must(own.at(-1)) / must(own.at(-2) ?? own[0]);
  const ratios = sizes.map((size) => (of(size.own) / of(size.base)).toFixed(1)).join(' -> ');
  const times = `${own.map((time) => time.toFixed(2)).join(' -> ')} ms, x ${growth.toFixed(2)}`;
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
  const random = seededRandom(7);
  const { headers, url } = service;
  const address = (page: number) =>
    new URL(`${one.path}?${formatListQuery({ per_page: 10, ...one.query, page })}`, url);
  const { last_page } = (await readPatiently(address(1), headers)).meta;
  const urls = Array.from({ length: (ROUNDS + 1) * REQUESTS }, () =>
    address(pageAt(one.depth, last_page, random.next())),
  );
  await readPatiently(must(urls[0]), headers);
  return async (round) => {
    const ofRound = urls.slice(round * REQUESTS, (round + 1) * REQUESTS);
    return (await generateLoad({ url: ofRound, headers }, 1, { requests: REQUESTS }, true)).times;
  };
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

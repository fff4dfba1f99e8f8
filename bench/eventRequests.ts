import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from '../contract/list.ts';
import { BUSIEST, type Engine, ENGINES, makeToken, openEventStores, RARE } from './eventStores.ts';
import { startInspected } from './inspect.ts';
import { load, type Load, median } from './load.ts';
import type { Row } from './table.ts';

const SIZES = [10_000, 1_000_000] as const;
const REQUESTS = 300;
const ROUNDS = 5;
const ROUND_SECONDS = 2;
const CONNECTIONS = 8;
/** Of the requests a second that a bare server answers with the same bytes. */
const GOALS: Record<Engine, number> = { SQLite: 0.25, PostgreSQL: 0.12 };

/** What is asked of the list; `depth` 0 is its first page, 1 its last. */
type Case = readonly [what: string, depth: number, search?: string];

const cases: readonly Case[] = [
  ['first page', 0],
  ['a page in the middle', 0.5],
  ['last page', 1],
  ['search with many hits', 0, 'email_'],
  ['search with many hits, a page in the middle', 0.5, 'email_'],
  ['search with few hits', 0, RARE],
  ['search with no hit', 0, 'nothing'],
];

/** The event list over HTTP: how its median grows from 10 thousand to 1 million events, and its requests a second. */
export async function eventRequests(folder: string): Promise<Row[]> {
  const stores = await openEventStores(folder, SIZES);
  try {
    const rows: Row[] = [];
    for (const engine of ENGINES) {
      const small = await withService(stores.urlOf(engine, SIZES[0]), medianTimes);
      const large = await withService(stores.urlOf(engine, SIZES[1]), async (service) => ({
        times: await medianTimes(service),
        // A database beside the service needs the processor that the load would keep busy.
        rates: await againstBareServer(service, engine === 'PostgreSQL'),
      }));
      rows.push(...growth(engine, small, large.times), ...against(engine, large.rates.ours, large.rates.bare));
    }
    return rows;
  } finally {
    await stores.stop();
  }
}

function growth(engine: Engine, small: readonly number[], large: readonly number[]): Row[] {
  return cases.map(([what], index): Row => {
    const [before = Number.NaN, after = Number.NaN] = [small[index], large[index]];
    const times = `${before.toFixed(2)} -> ${after.toFixed(2)} ms`;
    return [
      `${engine}, 10 thousand -> 1 million events: ${what}`,
      `${times}, x ${(after / before).toFixed(2)}`,
      'at most x 1.5',
    ];
  });
}

function against(engine: Engine, ours: Rate, bare: Rate): Row[] {
  return [
    [`${engine}, first page: requests a second`, ours.perSecond.toFixed(0)],
    ['bare node:http server, the same bytes: requests a second', bare.perSecond.toFixed(0)],
    ['share of the bare server', (ours.perSecond / bare.perSecond).toFixed(3), `at least ${GOALS[engine]}`],
    [
      'processor time of a request: the service, the bare server',
      `${ours.cost.toFixed(1)}, ${bare.cost.toFixed(1)} µs`,
    ],
    ['share of the bare server by processor time', (bare.cost / ours.cost).toFixed(3)],
  ];
}

/** Requests a second, and the microseconds of processor time that the server needed for one. */
type Rate = { perSecond: number; cost: number };

/** A running service: the address of the list that is measured, and what one needs for it. */
type Service = { list: URL; headers: Record<string, string>; seconds: () => Promise<number> };

async function withService<Result>(
  databaseUrl: string,
  measure: (service: Service) => Promise<Result>,
): Promise<Result> {
  const token = await makeToken(databaseUrl);
  const sendroom = await startInspected({ DATABASE_URL: databaseUrl, DEMO: 'off' });
  try {
    return await measure({
      list: new URL(`/v1/contacts/${BUSIEST}/events?per_page=10`, sendroom.url),
      headers: { authorization: `Bearer ${token}` },
      seconds: async () => (await sendroom.usage()).cpuSeconds,
    });
  } finally {
    await sendroom.stop();
  }
}

/** Of each case, one request after the other. */
async function medianTimes({ list, headers }: Service): Promise<number[]> {
  const medians: number[] = [];
  for (const one of cases) {
    const url = await pageOf(list, headers, one);
    await load({ url, headers }, 1, { requests: REQUESTS / 3 });
    medians.push(median((await load({ url, headers }, 1, { requests: REQUESTS })).times));
  }
  return medians;
}

/** The address of the page that lies at the depth of the case. */
async function pageOf(list: URL, headers: Record<string, string>, [, depth, search]: Case): Promise<URL> {
  const url = new URL(list);
  if (search !== undefined) url.searchParams.set('search', search);
  const { meta } = (await (await fetch(url, { headers })).json()) as Page<unknown>;
  url.searchParams.set('page', String(Math.max(1, Math.round(meta.last_page * depth))));
  return url;
}

/** In turns, so that both meet the same machine. `sleeps` is how the service is loaded (load.ts). */
async function againstBareServer(service: Service, sleeps: boolean): Promise<{ ours: Rate; bare: Rate }> {
  const { list, headers, seconds } = service;
  const body = await (await fetch(list, { headers })).text();
  const child = fork(join(import.meta.dirname, 'bareServer.ts'));
  const ask = async (message: string) => {
    child.send(message);
    return ((await once(child, 'message')) as [number])[0];
  };
  try {
    const url = new URL(`http://127.0.0.1:${await ask(body)}/`);
    const until = { seconds: ROUND_SECONDS };
    const ours: Rate[] = [];
    const bare: Rate[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const oursNow = await rateOf(seconds, () => load({ url: list, headers }, CONNECTIONS, until, sleeps));
      const bareNow = await rateOf(
        () => ask('processor time'),
        () => load({ url }, CONNECTIONS, until),
      );
      // The first round warms up.
      if (round === 0) continue;
      ours.push(oursNow);
      bare.push(bareNow);
    }
    return { ours: middle(ours), bare: middle(bare) };
  } finally {
    child.kill();
  }
}

async function rateOf(seconds: () => Promise<number>, run: () => Promise<Load>): Promise<Rate> {
  const before = await seconds();
  const { times, perSecond } = await run();
  return { perSecond, cost: (((await seconds()) - before) / times.length) * 1e6 };
}

function middle(rates: readonly Rate[]): Rate {
  return { perSecond: median(rates.map((rate) => rate.perSecond)), cost: median(rates.map((rate) => rate.cost)) };
}

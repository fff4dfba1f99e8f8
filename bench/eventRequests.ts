import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from '../contract/list.ts';
import { startSendroom } from '../e2e/startSendroom.ts';
import { openDatabase } from '../server/database/database.ts';
import { createToken, createWorkspace } from '../server/workspaces/store.ts';
import { BUSIEST, fillEvents } from './eventStores.ts';
import { load, median } from './load.ts';
import type { Row } from './table.ts';

const SIZES = [10_000, 1_000_000] as const;
const REQUESTS = 300;
const ROUNDS = 5;
const ROUND_SECONDS = 2;
const CONNECTIONS = 8;

/** What is asked of the list; `depth` 0 is its first page, 1 its last. */
type Case = readonly [what: string, depth: number, search?: string];

const cases: readonly Case[] = [
  ['first page', 0],
  ['a page in the middle', 0.5],
  ['last page', 1],
  ['search with many hits', 0, 'email_'],
  ['search with many hits, a page in the middle', 0.5, 'email_'],
  ['search with few hits', 0, 'refund_disputed'],
  ['search with no hit', 0, 'nothing'],
];

/** The event list over HTTP: how its median grows from 10 thousand to 1 million events, and its requests a second. */
export async function eventRequests(folder: string): Promise<Row[]> {
  const [small, large] = [await measured(folder, SIZES[0]), await measured(folder, SIZES[1])];
  const growth = cases.map(([what], index): Row => {
    const [before = Number.NaN, after = Number.NaN] = [small.medians[index], large.medians[index]];
    const times = `${before.toFixed(2)} -> ${after.toFixed(2)} ms`;
    return [`events, 10 thousand -> 1 million: ${what}`, `${times}, x ${(after / before).toFixed(2)}`, 'at most x 1.5'];
  });
  const { ours, bare } = large.perSecond;
  return [
    ...growth,
    ['events, first page: requests a second', ours.toFixed(0)],
    ['bare node:http server, the same bytes: requests a second', bare.toFixed(0)],
    ['share of the bare server', (ours / bare).toFixed(2), 'at least 0.25'],
  ];
}

type Measured = { medians: number[]; perSecond: { ours: number; bare: number } };

async function measured(folder: string, size: number): Promise<Measured> {
  const databaseUrl = `file:${join(folder, `events-${size}.db`)}`;
  const token = await fill(databaseUrl, size);
  const sendroom = await startSendroom({ DATABASE_URL: databaseUrl, DEMO: 'off' });
  try {
    const list = new URL(`/v1/contacts/${BUSIEST}/events?per_page=10`, sendroom.url);
    const headers = { authorization: `Bearer ${token}` };
    const medians: number[] = [];
    for (const one of cases) {
      const url = await pageOf(list, headers, one);
      await load({ url, headers }, 1, { requests: REQUESTS / 3 });
      medians.push(median((await load({ url, headers }, 1, { requests: REQUESTS })).times));
    }
    return { medians, perSecond: await againstBareServer(list, headers) };
  } finally {
    await sendroom.stop();
  }
}

async function fill(databaseUrl: string, size: number): Promise<string> {
  const database = await openDatabase(databaseUrl);
  const workspace = await createWorkspace(database, { name: 'bench', identity_field: null }, Date.now());
  const { token } = await createToken(workspace, database, 'bench', Date.now());
  await fillEvents(database, workspace, size);
  await database.close();
  return token;
}

/** The address of the page that lies at the depth of the case. */
async function pageOf(list: URL, headers: Record<string, string>, [, depth, search]: Case): Promise<URL> {
  const url = new URL(list);
  if (search !== undefined) url.searchParams.set('search', search);
  const { meta } = (await (await fetch(url, { headers })).json()) as Page<unknown>;
  url.searchParams.set('page', String(Math.max(1, Math.round(meta.last_page * depth))));
  return url;
}

/** Requests a second of ours and of the bare server, in turns, so that both meet the same machine. */
async function againstBareServer(list: URL, headers: Record<string, string>): Promise<Measured['perSecond']> {
  const body = await (await fetch(list, { headers })).text();
  const server = spawn(process.execPath, [join(import.meta.dirname, 'bareServer.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    server.stdin.end(body);
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const bareUrl = new URL(`http://127.0.0.1:${port.toString().trim()}/`);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const oursNow = await load({ url: list, headers }, CONNECTIONS, { seconds: ROUND_SECONDS });
      const bareNow = await load({ url: bareUrl }, CONNECTIONS, { seconds: ROUND_SECONDS });
      // The first round warms up.
      if (round === 0) continue;
      ours.push(oursNow.perSecond);
      bare.push(bareNow.perSecond);
    }
    return { ours: median(ours), bare: median(bare) };
  } finally {
    server.kill();
  }
}

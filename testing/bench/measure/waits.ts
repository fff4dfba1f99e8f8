import { setTimeout as delay } from 'node:timers/promises';
import { EVENTS_MAX } from '../../../contract/ingest.ts';
import { formatListQuery, type ListQuery, type Page } from '../../../contract/list.ts';
import { must } from '../../../contract/values/must.ts';
import { startSendroom } from '../../../e2e/support/startSendroom.ts';
import { BUSIEST_DOMAIN, CONTACTS, openContactStores } from '../contactStores.ts';
import { makeToken } from '../stores.ts';
import { median, quantile } from './generateLoad.ts';
import type { BenchmarkRow } from './table.ts';

// How long the first page of contacts waits on SQLite while another client asks for what takes long: the thread that answers requests is
// one.

const REPEATS = 20;
const PAUSE_MS = 5;
const EXPORTED_PAGES = 50;

/** Sends a request, and gives the text of the answer. */
type Ask = (path: string, json?: unknown) => Promise<string>;
type SlowThing = readonly [what: string, run: (ask: Ask, repeat: number) => Promise<unknown>];

const SIZE = must(CONTACTS.at(-1));
const someone = (number: number) => encodeURIComponent(`+49 ${(number * 7919) % SIZE}`);
const list = (path: string, query: ListQuery) => `${path}?${formatListQuery(query)}`;
const sorted = (...ids: string[]) => ids.map((id) => ({ id: id.replace('-', ''), desc: id.startsWith('-') }));

/** A page near the middle, another one each time. */
const middle =
  (query: ListQuery, path = '/v1/contacts') =>
  async (ask: Ask, repeat: number) => {
    const { meta } = JSON.parse(await ask(list(path, query))) as Page<unknown>;
    await ask(list(path, { ...query, page: Math.ceil(meta.last_page * (0.4 + repeat / 100)) }));
  };
/** What was counted and sorted for searches holds until a contact changes. */
const renew = (ask: Ask, repeat: number) =>
  ask(`/v1/contacts/${someone(repeat)}`, { attributes: { company: `company ${Date.now()}` } });
const afterWrite = (run: SlowThing[1]) => async (ask: Ask, repeat: number) => {
  await renew(ask, repeat);
  await run(ask, repeat);
};
const exported = (path: string) => async (ask: Ask, repeat: number) => {
  for (let page = 1; page <= EXPORTED_PAGES; page++) {
    await ask(list(path, { per_page: 100, page: repeat * EXPORTED_PAGES + page }));
  }
};

const THINGS: readonly SlowThing[] = [
  ['nothing', () => delay(100)],
  ['the middle, newest first', middle({})],
  ['the middle, by email, 100 rows', middle({ sorting: sorted('email'), per_page: 100 })],
  ['by company, then newest, the middle', middle({ sorting: sorted('company', '-created_at') })],
  ['a search with few hits', (ask) => ask('/v1/contacts?search=rarity')],
  ['a search with many hits, after a write', afterWrite((ask) => ask('/v1/contacts?search=engineer'))],
  ['the same, not subscribed', afterWrite(middle({ search: 'engineer', filters: { subscribed: false } }))],
  [
    'a search for two letters, the middle, after a write',
    afterWrite(middle({ search: 'os', sorting: sorted('email') })),
  ],
  ['domains, search, the middle', middle({ search: 'a' }, '/v1/domains')],
  ['addresses, the middle', middle({}, `/v1/domains/${BUSIEST_DOMAIN}/addresses`)],
  ['an export of contacts by pages', exported('/v1/contacts')],
  ['updates', (ask, repeat) => renew(ask, repeat + 100)],
  [
    `${EVENTS_MAX} events at once`,
    (ask) =>
      ask(
        '/v1/events',
        Array.from({ length: EVENTS_MAX }, (_, index) => ({
          contact: '+49 1',
          event_name: `name_${index % 40}`,
          created_at: new Date(Date.now() - index * 60_000).toISOString(),
        })),
      ),
  ],
  ['the activity of a contact', (ask) => ask(`/v1/contacts/${encodeURIComponent('+49 1')}/activity`)],
  ['the overview', (ask) => ask('/v1/overview')],
  ['the log', middle({}, '/v1/changes')],
];

export async function measureWaits(folder: string): Promise<BenchmarkRow[]> {
  const stores = await openContactStores(folder);
  const databaseUrl = stores.urlOf('SQLite', SIZE);
  const sendroom = await startSendroom({ DATABASE_URL: databaseUrl, DEMO: 'off' });
  try {
    const headers = { authorization: `Bearer ${await makeToken(databaseUrl)}` };
    const ask: Ask = async (path, json) => {
      const response = await fetch(new URL(path, sendroom.url), {
        ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
        headers: { ...headers, 'content-type': 'application/json' },
      });
      const text = await response.text();
      // A read that took too long is told so; others must not wait for it either.
      if (!response.ok && response.status !== 503) throw new Error(`${path} returned ${response.status}: ${text}`);
      return response.ok ? text : '{"meta":{"last_page":1}}';
    };
    const rows: BenchmarkRow[] = [];
    for (const thing of THINGS) rows.push(await measureWait(ask, thing));
    return rows;
  } finally {
    await sendroom.stop();
    await stores.stop();
  }
}

async function measureWait(ask: Ask, [what, run]: SlowThing): Promise<BenchmarkRow> {
  const waits: number[] = [];
  const own: number[] = [];
  const done = new AbortController();
  const asking = async () => {
    while (!done.signal.aborted) {
      waits.push(await millisecondsOf(() => ask('/v1/contacts?per_page=10')));
      await delay(PAUSE_MS);
    }
  };
  const asked = asking();
  try {
    for (let repeat = 0; repeat < REPEATS; repeat++) own.push(await millisecondsOf(() => run(ask, repeat)));
  } finally {
    done.abort();
    await asked;
  }
  const [longest, most, usual] = [Math.max(...waits), quantile(waits, 0.99), median(waits)].map((ms) => ms.toFixed(1));
  return [
    `SQLite, ${SIZE.toLocaleString('en')} contacts, wait during ${what} (${median(own).toFixed(0)} ms)`,
    `at most ${longest} ms, p99 ${most}, median ${usual}`,
    'at most 50 ms',
  ];
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

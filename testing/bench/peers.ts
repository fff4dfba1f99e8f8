import type { Browser } from '@playwright/test';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { obtainBrowser } from '../programs/browser.ts';
import { measureFirstLoad, type FirstLoad, type StorageState } from '../../e2e/support/firstLoad.ts';
import { startFrontServer } from './frontServer.ts';
import { installOnce } from '../programs/installOnce.ts';
import { runLighthouse, type LighthouseResult } from './lighthouse.ts';
import { median } from './measure/generateLoad.ts';
import { measureSlowVisit, type SlowVisit } from './measure/slowVisit.ts';
import type { BenchmarkRow } from './measure/table.ts';
import { createTurnMeter, type PageTurnTiming } from './measure/turnMeter.ts';

const TURNS = 9;
const LIGHTHOUSE_RUNS = 3;
const SLOW_VISITS = 3;

type App = {
  name: string;
  /** Where its sources are, below bench/peers; the console comes from the service. */
  folder: string | null;
  list: string;
  /** From here one page back is as long as this one, and is not read ahead by anybody. */
  secondPage: string;
  previous: string;
};

const apps: readonly App[] = [
  {
    name: 'ours',
    folder: null,
    list: '/domains',
    secondPage: '/domains?page=2',
    previous: '[aria-label="Previous page"]',
  },
  {
    name: 'react-admin',
    folder: 'react-admin',
    list: '/#/domains',
    secondPage: '/#/domains?page=2&perPage=25',
    previous: '[aria-label="Go to previous page"]',
  },
];

type PeerMeasurements = {
  app: App;
  url: string;
  load: FirstLoad;
  turns: PageTurnTiming[];
  visits: SlowVisit[];
  verdicts: LighthouseResult[];
};

/** The console's list of domains and the same list built with others, taking turns in one browser on one service. */
export async function measurePeers(browser: Browser, service: string, session: StorageState): Promise<BenchmarkRow[]> {
  // All builds before the first server, which would run on if one failed.
  const builds = await Promise.all(apps.map(({ folder }) => buildOf(folder)));
  const fronts = await Promise.all(builds.map((folder) => startFrontServer(service, folder)));
  try {
    const all: PeerMeasurements[] = [];
    for (const [index, app] of apps.entries()) {
      const url = fronts[index]?.url ?? '';
      const load = await measureFirstLoad(browser, url + app.list, session);
      all.push({ app, url, load, turns: [], visits: [], verdicts: [] });
    }
    for (let round = 0; round < TURNS; round++)
      for (const { app, url, turns } of all)
        turns.push(await turnBack(browser, url + app.secondPage, app.previous, session));
    for (let round = 0; round < SLOW_VISITS; round++)
      for (const { app, url, visits } of all) visits.push(await measureSlowVisit(browser, url + app.list, session));
    const path = obtainBrowser(console.log, 'full');
    for (let round = 0; round < LIGHTHOUSE_RUNS; round++)
      for (const { app, url, verdicts } of all) verdicts.push(await runLighthouse(path, url + app.list, session));
    return rowsOf(all);
  } finally {
    await Promise.all(fronts.map((front) => front.close()));
  }
}

async function buildOf(name: string | null): Promise<string | null> {
  if (name === null) return null;
  const folder = join(import.meta.dirname, 'peers', name);
  installOnce(folder);
  await promisify(execFile)('npm', ['run', 'build'], { cwd: folder });
  return join(folder, 'dist');
}

async function turnBack(
  browser: Browser,
  url: string,
  previous: string,
  session: StorageState,
): Promise<PageTurnTiming> {
  const context = await browser.newContext({ storageState: session, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  // Until nothing more is read: the console reads the next page ahead.
  await page.goto(url, { waitUntil: 'networkidle' });
  const measureTurn = await createTurnMeter(page, 1);
  const turn = await measureTurn(page.locator(previous));
  await context.close();
  return turn;
}

type Figure = (one: PeerMeasurements) => number;

const turn =
  (of: keyof PageTurnTiming): Figure =>
  ({ turns }) =>
    median(turns.map((one) => one[of]));
const visit =
  (of: keyof SlowVisit): Figure =>
  ({ visits }) =>
    median(visits.map((one) => one[of]));
const verdict =
  (of: keyof LighthouseResult): Figure =>
  ({ verdicts }) =>
    median(verdicts.map((one) => one[of]));
const share = (goal: number) => `at most ${goal} of react-admin`;

function rowsOf(all: readonly PeerMeasurements[]): BenchmarkRow[] {
  const row = (what: string, unit: string, figure: Figure, goal: string): BenchmarkRow => {
    const [ours = Number.NaN] = all.map(figure);
    const values = all.map((one, index) => {
      const against = index === 0 ? '' : ` (${(ours / figure(one)).toFixed(2)})`;
      return `${one.app.name} ${figure(one).toFixed(unit === 'kB' ? 1 : 0)}${against}`;
    });
    return [`${what}, ${unit}`, values.join('  '), goal];
  };
  return [
    row('JavaScript of the first page, gzip', 'kB', ({ load }) => load.js / 1000, share(0.58)),
    row('files and responses until the first page is shown', 'number', ({ load }) => load.requests.length, ''),
    row('main-thread CPU of a page turn', 'ms', turn('cpu'), share(0.4)),
    row('from the click to the painted rows', 'ms', turn('time'), 'less'),
    row('first paint on a slow phone', 'ms', visit('painted'), share(0.5)),
    row('painted rows on a slow phone', 'ms', visit('listed'), share(0.75)),
    row('first contentful paint, Lighthouse', 'ms', verdict('fcp'), share(0.5)),
    row('largest contentful paint, Lighthouse', 'ms', verdict('lcp'), share(0.75)),
    row('total blocking time, Lighthouse', 'ms', verdict('tbt'), share(0.4)),
  ];
}

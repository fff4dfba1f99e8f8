import type { Browser } from '@playwright/test';
import type { StorageState } from '../e2e/firstLoad.ts';
import { median, quantile } from './generateLoad.ts';
import type { BenchmarkRow } from './table.ts';
import { createTurnMeter, type PageTurnTiming } from './turnMeter.ts';

const TURNS = 20;
const THROTTLE = 4;
const LAST_PAGE = 6;

type Series = {
  name: string;
  startPage: number;
  button: 'Next page' | 'Previous page';
  step: 1 | -1;
  prefetched: boolean;
};

// The console prefetches the next page and not the previous one: backwards from the last page, no page is cached.
const series: Series[] = [
  { name: 'not prefetched', startPage: LAST_PAGE, button: 'Previous page', step: -1, prefetched: false },
  { name: 'prefetched', startPage: 1, button: 'Next page', step: 1, prefetched: true },
];

/**
 * Turns pages of the domains list with real clicks: time until the new rows are painted, and the work of the main
 * thread.
 */
export async function measurePageTurns(browser: Browser, url: string, session: StorageState): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const one of series) {
    const throttled = await measureSeries({ browser, url, session }, one, THROTTLE);
    const free = await measureSeries({ browser, url, session }, one, 1);
    const times = throttled.map(({ time }) => time);
    rows.push(
      [`page turn, ${one.name}, ${THROTTLE}x throttle: median`, `${median(times).toFixed(0)} ms`],
      [`page turn, ${one.name}, ${THROTTLE}x throttle: p95`, `${quantile(times, 0.95).toFixed(0)} ms`],
      [`page turn, ${one.name}, no throttle: median`, `${median(free.map(({ time }) => time)).toFixed(0)} ms`],
      [`page turn, ${one.name}, main-thread CPU: median`, `${median(free.map(({ cpu }) => cpu)).toFixed(1)} ms`],
    );
  }
  return rows;
}

type TurnedConsole = { browser: Browser; url: string; session: StorageState };

async function measureSeries(
  { browser, url, session }: TurnedConsole,
  one: Series,
  rate: number,
): Promise<PageTurnTiming[]> {
  const turns: PageTurnTiming[] = [];
  while (turns.length < TURNS) {
    const context = await browser.newContext({ storageState: session, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    // Not the end of the request: the browser does not always report one for a body that was read as a stream.
    const answered = new Set<number>();
    page.on('response', (response) => {
      const { pathname, searchParams } = new URL(response.url());
      if (pathname === '/v1/domains') answered.add(Number(searchParams.get('page')));
    });
    await page.goto(`${url}/domains?per_page=10&page=${one.startPage}`);
    await page.getByRole('row').getByRole('link').first().waitFor();
    const measureTurn = await createTurnMeter(page, rate);
    for (let target = one.startPage + one.step; target >= 1 && target <= LAST_PAGE; target += one.step) {
      while (one.prefetched && !answered.has(target)) await page.waitForEvent('response');
      if (!one.prefetched && answered.has(target))
        throw new Error(`Page ${target} was read ahead: this is not an uncached turn.`);
      turns.push(await measureTurn(page.getByRole('button', { name: one.button })));
    }
    await context.close();
  }
  return turns.slice(0, TURNS);
}

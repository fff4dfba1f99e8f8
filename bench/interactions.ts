import type { Browser, Page } from '@playwright/test';
import type { StorageState } from '../e2e/firstLoad.ts';
import { median } from './generateLoad.ts';
import type { BenchmarkRow } from './table.ts';

const ROUNDS = 3;
const THROTTLE = 4;

type Interaction = {
  name: string;
  path: string;
  act: (page: Page) => Promise<void>;
};

const firstRow = (page: Page) => page.getByRole('row').getByRole('link').first();

const interactions: readonly Interaction[] = [
  {
    name: 'typing in the search of domains',
    path: '/domains',
    act: (page) => page.getByRole('searchbox', { name: 'Search domains' }).pressSequentially('mail', { delay: 120 }),
  },
  { name: 'opening a contact', path: '/contacts', act: (page) => firstRow(page).click() },
  {
    name: 'ticking 100 rows',
    path: '/contacts?per_page=100',
    act: (page) => page.getByRole('checkbox', { name: 'Tick the contacts of this page' }).click(),
  },
  {
    name: 'opening the palette and typing there',
    path: '/contacts',
    act: async (page) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: 'Search or jump to' }).pressSequentially('dom', { delay: 120 });
    },
  },
];

/** Interaction to next paint: the longest event of each interaction, as browsers tell it (in steps of 8 ms). */
export async function measureInteractions(
  browser: Browser,
  url: string,
  session: StorageState,
): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const { name, path, act } of interactions) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ storageState: session, viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      await page.addInitScript(watchEvents);
      await page.goto(url + path, { waitUntil: 'networkidle' });
      await firstRow(page).waitFor();
      const client = await context.newCDPSession(page);
      await client.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
      await act(page);
      // The last paint, and the observer's turn after it.
      await page.waitForTimeout(1500);
      times.push(await page.evaluate(() => (window as unknown as { longestEvent: number }).longestEvent));
      await context.close();
    }
    const longest = Math.max(...times);
    rows.push([
      `${name}, ${THROTTLE}x throttle: median (longest of ${ROUNDS})`,
      `${median(times).toFixed(0)} ms (${longest.toFixed(0)} ms)`,
      'less than 100 ms',
    ]);
  }
  return rows;
}

/** Runs in the page, before anything else. */
function watchEvents(): void {
  Object.assign(window, { longestEvent: 0 });
  new PerformanceObserver((list) => {
    const events = list.getEntries() as (PerformanceEventTiming & { interactionId: number })[];
    for (const { duration, interactionId } of events) {
      if (interactionId === 0) continue;
      const seen = window as unknown as { longestEvent: number };
      seen.longestEvent = Math.max(seen.longestEvent, duration);
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

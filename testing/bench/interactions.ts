import type { Browser, Page } from '@playwright/test';
import type { StorageState } from '../../e2e/support/firstLoad.ts';
import { median } from './measure/generateLoad.ts';
import type { BenchmarkRow } from './measure/table.ts';

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
    name: 'selecting 100 rows',
    path: '/contacts?per_page=100',
    act: (page) => page.getByRole('checkbox', { name: 'Select all contacts on this page' }).click(),
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
      times.push(await page.evaluate(readLongestEvent));
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

/** What the page knows of its events: when the last one happened, up to which one the browser has told, and the longest. */
type WatchedEvents = { last: number; told: number; longest: number };

/** Runs in the page, before anything else. */
function watchEvents(): void {
  const events: WatchedEvents = { last: 0, told: 0, longest: 0 };
  Object.assign(window, { events });
  for (const type of ['keydown', 'keyup', 'pointerdown', 'pointerup', 'click']) {
    window.addEventListener(type, ({ timeStamp }) => (events.last = timeStamp), { capture: true });
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[]) {
      if (entry.interactionId === 0) continue;
      events.told = Math.max(events.told, entry.startTime);
      events.longest = Math.max(events.longest, entry.duration);
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

/** Runs in the page: the longest event in milliseconds, once the browser has told of the last. Of one below 16 ms it never does, which ten frames tell. */
async function readLongestEvent(): Promise<number> {
  const { events } = window as unknown as { events: WatchedEvents };
  for (let frame = 0; events.told < events.last && frame < 10; frame++) await new Promise(requestAnimationFrame);
  return events.longest;
}

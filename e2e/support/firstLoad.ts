import type { Browser, BrowserContext, Page, Request } from '@playwright/test';
import { gzipSync } from 'node:zlib';

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Sizes in bytes after gzip -9. */
export type FirstLoad = {
  /** Includes inline scripts. */
  js: number;
  css: number;
  requests: string[];
  layoutShift: number;
};

/** Bytes after gzip: 0.61 of react-admin's 311.0 kB (docs/benchmark.md). The table of domains has the tools of both views it replaced; columns may be in a link. What is copied may be read after the click (0.1 kB), which Safari takes only as a promise. The overview, in the first file, counts runs that need somebody (0.2 kB), but not the list of this browser twice (0.1 kB). */
const SCRIPTS = 189_200;
const STYLES = 15_500;

/** What the first load of each page may have at most: the number of requests, and bytes after gzip. */
export const FIRST_LOAD_BUDGETS = {
  domains: { requests: 5, js: SCRIPTS, css: STYLES },
  // A page of its own, with what it shares with others, why somebody is unsubscribed (1.9 kB, with reasons recorded later), the order by attributes (0.2 kB), and with the fonts of the demo's Hebrew and Arabic names. Its style has the cards twice (0.1 kB): on a phone, and on a screen before a tablet.
  contacts: { requests: 13, js: 212_300, css: 16_150 },
  // It also reads each of its figures from an operation of its own, how many runs need somebody, and unsubscribes that were perhaps nobody’s will (0.25 kB, in the first file), without the list of this browser (0.1 kB). Its chart and changes (5 kB, 1.3 kB of style) come after the figures, and after
  // these the fonts of the demo's Hebrew and Arabic names.
  overview: { requests: 14, js: 194_400, css: 16_850 },
} as const;

const firstDomain = (page: Page) => page.getByRole('rowheader', { name: '.example' }).first();

/** Opens `url` with an empty cache, signed in to the demo, and waits for what it shows: the first domain of its table. */
export async function measureFirstLoad(
  browser: Browser,
  url: string,
  session: StorageState,
  shown = firstDomain,
): Promise<FirstLoad> {
  const context = await browser.newContext({ storageState: session });
  const page = await context.newPage();
  await page.addInitScript(watchLayoutShift);
  await withoutPointer(page);
  await page.addInitScript(withoutLaterParts);
  const requests: Request[] = [];
  let isListed = false;
  page.on('response', (response) => {
    const { pathname, searchParams } = new URL(response.url());
    isListed ||= searchParams.get('page') === '1' || pathname === '/v1/overview';
  });
  page.on('request', (request) => {
    if (!isListed || !isAfterwards(new URL(request.url()))) requests.push(request);
  });
  await page.goto(url, { waitUntil: 'load' });
  await shown(page).waitFor();
  const layoutShift = await readLayoutShift(page);
  const sizes = await Promise.all(requests.map(sizeOf));
  const inPage = await page.evaluate(() =>
    [...document.scripts].flatMap(({ src, type, text }) => (src === '' && type === '' ? [text] : [])),
  );
  await context.close();
  const total = (kind: string) => sizes.filter((it) => it.kind === kind).reduce((sum, { size }) => sum + size, 0);
  return {
    js: total('js') + inPage.reduce((sum, text) => sum + packedSize(text), 0),
    css: total('css'),
    // The icon is requested twice.
    requests: [...new Set(requests.map((request) => request.url()))],
    layoutShift,
  };
}

/** A browser may report a pointer in a page that only loads, and the console then loads more. */
export async function withoutPointer(page: Page): Promise<void> {
  await page.addInitScript(() =>
    window.addEventListener('pointermove', (event) => event.stopImmediatePropagation(), true),
  );
}

/** Requests after the list: its next page, its counts, fonts of rare letters. */
const isAfterwards = ({ pathname, searchParams }: URL): boolean =>
  searchParams.get('page') === '2' || pathname === '/v1/domains/summary' || /\/inter-(?!latin-wght)/.test(pathname);

async function sizeOf(request: Request): Promise<{ kind: string; size: number }> {
  const kind = /\.(js|css)$/.exec(new URL(request.url()).pathname)?.[1] ?? 'other';
  const body = kind === 'other' ? null : await (await request.response())?.body();
  return { kind, size: body ? packedSize(body) : 0 };
}

const packedSize = (text: string | Buffer): number => gzipSync(text, { level: 9 }).length;

/** Since `watchLayoutShift` ran in the page. */
export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    // Two frames, to count a shift caused by the rows.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { layoutShift: number }).layoutShift;
  });

/** Runs in the page. Parts that are loaded a second after the first paint may come before the rows on a busy machine. */
function withoutLaterParts(): void {
  const start = window.setTimeout;
  window.setTimeout = ((run: () => void, ms?: number) => (ms === 1000 ? 0 : start(run, ms))) as typeof setTimeout;
}

/** Runs in the page. */
export function watchLayoutShift(): void {
  Object.assign(window, { layoutShift: 0 });
  new PerformanceObserver((list) => {
    const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
    for (const { value } of shifts) (window as unknown as { layoutShift: number }).layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}

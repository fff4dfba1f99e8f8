import type { Browser, BrowserContext, Request } from '@playwright/test';
import { gzipSync } from 'node:zlib';

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** What the browser fetched until the first rows were shown; sizes in bytes after gzip -9. */
export type FirstLoad = {
  js: number;
  css: number;
  requests: string[];
  /** Cumulative layout shift: 0 when nothing moved. */
  layoutShift: number;
};

/** Opens `url` with an empty cache, signed in to the demo, and waits for the first domain in its table. */
export async function measureFirstLoad(browser: Browser, url: string, session: StorageState): Promise<FirstLoad> {
  const context = await browser.newContext({ storageState: session });
  const page = await context.newPage();
  await page.addInitScript(watchLayoutShift);
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.goto(url, { waitUntil: 'load' });
  await page.getByRole('cell', { name: '.example' }).first().waitFor();
  const layoutShift = await page.evaluate(async () => {
    // Two frames, so that a shift caused by the rows is counted too.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { layoutShift: number }).layoutShift;
  });
  const needed = requests.filter((request) => !isLater(new URL(request.url())));
  const sizes = await Promise.all(needed.map(sizeOf));
  await context.close();
  const total = (kind: string) => sizes.filter((it) => it.kind === kind).reduce((sum, { size }) => sum + size, 0);
  return {
    js: total('js'),
    css: total('css'),
    // The icon is requested twice, by the page and by the tab; the second time it comes from the cache.
    requests: [...new Set(needed.map((request) => request.url()))],
    layoutShift,
  };
}

/** Whether a request is for the next page of the list, or for the counts above it: both are read once this one is shown. */
function isLater({ pathname, searchParams }: URL): boolean {
  return searchParams.get('page') === '2' || pathname === '/v1/domains/summary';
}

async function sizeOf(request: Request): Promise<{ kind: string; size: number }> {
  const kind = /\.(js|css)$/.exec(new URL(request.url()).pathname)?.[1] ?? 'other';
  const body = kind === 'other' ? null : await (await request.response())?.body();
  return { kind, size: body ? gzipSync(body, { level: 9 }).length : 0 };
}

/** Runs in the page, before anything else. */
function watchLayoutShift(): void {
  Object.assign(window, { layoutShift: 0 });
  new PerformanceObserver((list) => {
    const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
    for (const { value } of shifts) (window as unknown as { layoutShift: number }).layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}

import type { Browser, BrowserContext } from '@playwright/test';
import { gzipSync } from 'node:zlib';

/** Sizes in bytes as gzip -9 makes them, of everything the browser fetched until the rows stood. */
export type FirstLoad = {
  js: number;
  css: number;
  requests: string[];
  /** Cumulative layout shift: 0 when nothing jumped. */
  layoutShift: number;
};

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Opens `url` with an empty cache, signed in, and waits for the first row of its table. */
export async function measureFirstLoad(browser: Browser, url: string, session: Session): Promise<FirstLoad> {
  const context = await browser.newContext({ storageState: session });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const shifts = { total: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.total += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts });
  });
  const bodies: Promise<[kind: string, size: number]>[] = [];
  const requests: string[] = [];
  page.on('response', (response) => {
    const kind = /\.(js|css)$/.exec(new URL(response.url()).pathname)?.[1] ?? 'other';
    requests.push(new URL(response.url()).pathname);
    if (kind !== 'other') bodies.push(response.body().then((body) => [kind, gzipSync(body, { level: 9 }).length]));
  });
  await page.goto(url, { waitUntil: 'load' });
  await page.getByRole('row').getByRole('link').first().waitFor();
  const sizes = await Promise.all(bodies);
  // Two frames, so that a shift caused by the rows is counted too.
  const layoutShift = await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as unknown as { shifts: { total: number } }).shifts.total;
  });
  const sizeOf = (wanted: string) =>
    sizes.filter(([kind]) => kind === wanted).reduce((total, [, size]) => total + size, 0);
  await context.close();
  return { js: sizeOf('js'), css: sizeOf('css'), requests, layoutShift };
}

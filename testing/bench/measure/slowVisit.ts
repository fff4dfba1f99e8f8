import type { Browser } from '@playwright/test';
import type { StorageState } from '../../../e2e/support/firstLoad.ts';

/** What Lighthouse calls a slow 4G network where it slows one down in earnest, and its phone. */
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const THROTTLE = 4;

/** Milliseconds from the navigation to the first paint, and to the painted rows. */
export type SlowVisit = { painted: number; listed: number };

/**
 * The first visit to the list at `url` on a slow phone, whose network and processor are slowed down in earnest. Lighthouse slows down
 * neither: it computes what would have been, and adds to the largest paint all files that had arrived by then, even where none of them
 * was waited for.
 */
export async function measureSlowVisit(browser: Browser, url: string, session: StorageState): Promise<SlowVisit> {
  const context = await browser.newContext({ ...PHONE, storageState: session });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  await page.addInitScript(watchRows);
  await page.goto(url, { waitUntil: 'commit' });
  const listed = await page.waitForFunction(() => (globalThis as { rowsPaintedAt?: number }).rowsPaintedAt);
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  const visit = { painted: painted ?? Number.NaN, listed: (await listed.jsonValue()) ?? Number.NaN };
  await context.close();
  return visit;
}

/** Runs in the page, before anything else. */
function watchRows(): void {
  const look = () => {
    if (!document.querySelector('tbody tr:not([aria-hidden]) th')?.textContent) return requestAnimationFrame(look);
    // A message is handled after the frame is painted.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => Object.assign(globalThis, { rowsPaintedAt: performance.now() }));
    port1.start();
    return port2.postMessage(null);
  };
  look();
}

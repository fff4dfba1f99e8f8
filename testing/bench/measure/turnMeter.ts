import type { CDPSession, Locator, Page } from '@playwright/test';

/** Milliseconds from the click to the painted rows, and of CPU that the main thread used until it was idle again. */
export type PageTurnTiming = { time: number; cpu: number };

/** The first row that is not a placeholder, in a table of any library. */
const FIRST_CELL = 'tbody tr:not([aria-hidden]) th';

/** Measures page turns of the list that `page` shows, with the processor slowed down by the factor `rate`. */
export async function createTurnMeter(page: Page, rate: number): Promise<(button: Locator) => Promise<PageTurnTiming>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  return async (button) => {
    // Only the mouse, at its position: a click by name would look for the button first, on the measured thread.
    await button.hover();
    await settle(page);
    const watch = await page.evaluateHandle(watchFirstCell, FIRST_CELL);
    const before = await mainThread(devtools);
    await page.mouse.down();
    await page.mouse.up();
    const time = await watch.evaluate(({ painted }) => painted);
    await settle(page);
    return { time, cpu: (await mainThread(devtools)) - before };
  };
}

/** Waits until the page is idle. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })));
}

/** Milliseconds of CPU the main thread has used. */
async function mainThread(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** Runs in the page. Returns the milliseconds from the next click to the frame that shows another first cell. */
function watchFirstCell(selector: string): { painted: Promise<number> } {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only what is inside reaches the page
  const first = () => document.querySelector(selector)?.textContent;
  const before = first();
  const painted = new Promise<number>((resolve, reject) => {
    let start = 0;
    setTimeout(() => reject(new Error('The page was not turned within 20 seconds.')), 20_000);
    addEventListener('click', (event) => (start = event.timeStamp), { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (start === 0 || first() === undefined || first() === before) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        // A message is handled after the frame is painted.
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => resolve(performance.now() - start));
        port1.start();
        port2.postMessage(null);
      });
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return { painted };
}

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { copyDemo } from '../support/demo.ts';
import { withoutPointer } from '../support/firstLoad.ts';
import { expect, test } from '../support/fixtures.ts';
import { startSendroom } from '../support/startSendroom.ts';
import { signIn } from '../support/steps.ts';

// public/worker.js responds when nothing is reachable.

test.use({ serviceWorkers: 'allow' });

const firstRow = (page: Page) => page.getByRole('row').getByRole('link').first();
const unreachable = (page: Page) => page.getByRole('heading', { name: 'Sendroom cannot be reached' });

/** Waits until the worker controls the next navigation. */
async function visitOnce(page: Page): Promise<void> {
  await page.goto('/domains');
  await expect(firstRow(page)).toBeVisible();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
}

test('a later visit goes through the worker, with cached files @additions @sweep', async ({ page, demo }) => {
  await signIn(page, demo);
  await withoutPointer(page);
  await visitOnce(page);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto('/domains');
  await expect(firstRow(page)).toBeVisible();
  expect(requests).not.toContain('/session');
  const { isControlled, transferred } = await page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return {
      isControlled: navigator.serviceWorker.controller !== null,
      transferred: all.filter(({ transferSize }) => transferSize > 0).map(({ name }) => new URL(name).pathname),
    };
  });
  expect(isControlled).toBe(true);
  expect(transferred.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
});

test('a service that is down has a message, and its page opens once it runs again @additions', async ({
  browser,
  demo,
  additions,
}) => {
  const database = await copyDemo(demo);
  const settings = { DATABASE_URL: database.url, ADDITIONS: additions };
  const first = await startSendroom(settings);
  const context = await browser.newContext({ baseURL: first.url, serviceWorkers: 'allow' });
  const page = await context.newPage();
  await signIn(page, demo);
  await visitOnce(page);
  await first.stop();
  await page.reload();
  await expect(unreachable(page)).toBeVisible();
  const second = await startSendroom({ ...settings, PORT: new URL(first.url).port });
  await expect(firstRow(page)).toBeVisible();
  await context.close();
  await second.stop();
  await database.remove();
});

test('without a network a page says so, reveals and stores nothing, and recovers', async ({
  page,
  context,
  demo,
  faults,
}) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED|status of 503/);
  await signIn(page, demo);
  await visitOnce(page);
  await context.setOffline(true);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/domains?search=mail#here');
  await expect(unreachable(page)).toBeVisible();
  await expect(page).toHaveTitle('No connection · Sendroom');
  expect(await page.content()).not.toMatch(/example|id="session"|Acme/);
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await expectNoSidewaysScroll(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
  }
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused();
  await context.setOffline(false);
  await page.keyboard.press('Enter');
  await expect(firstRow(page)).toBeVisible();
  expect(page.url()).toMatch(/\/domains\?search=mail#here$/);
});

test('what could not be read without a network is read when it is back @additions', async ({
  page,
  context,
  demo,
  faults,
}) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED|fetching the script/);
  const offline = page.getByText('This computer is offline.');
  await signIn(page, demo);
  await page.goto('/domains');
  await expect(firstRow(page)).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(offline).toBeVisible();
  await expect(firstRow(page)).toBeVisible();
  await context.setOffline(false);
  await expect(offline).toHaveCount(0);

  await context.setOffline(true);
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('mail');
  await expect(offline).toBeVisible();
  await expect(firstRow(page)).toHaveCount(0);
  await context.setOffline(false);
  await expect(firstRow(page)).toContainText('mail');
  await expect(offline).toHaveCount(0);
});

test('a part that does not load leaves the page as it is, and never an empty one @additions', async ({
  page,
  demo,
  faults,
}) => {
  faults.expect(/ERR_FAILED|dynamically imported|preload/);
  await signIn(page, demo);
  await page.route(/RailViews-.*\.js/, (route) => route.abort());
  const isRefused = page.waitForEvent('requestfailed', { predicate: (request) => request.url().includes('RailViews') });
  await page.goto('/domains');
  await isRefused;
  await expect(firstRow(page)).toBeVisible();
  await page.context().clearCookies();
  await page.route(/SignInPage-.*\.js/, (route) => route.abort());
  await page.goto('/sign-in');
  await expect(page.getByText('Part of the console could not be loaded')).toBeVisible();
});

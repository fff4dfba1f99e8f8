import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

const SCRIPT = '**/assets/index-*.js';

const firstRow = (page: Page) => page.getByRole('row').getByRole('link').first();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const frame = (page: Page) => page.locator('#frame');

async function holdScript(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(SCRIPT, async (route) => {
    await promise;
    await route.continue();
  });
  return async () => {
    resolve();
    await page.waitForLoadState('load');
  };
}

/** Runs in the page. */
function watchPlaceholders(): void {
  new MutationObserver(() => {
    if (document.querySelector('tbody tr[aria-hidden]')) document.documentElement.dataset['placeholders'] = 'shown';
  }).observe(document, { childList: true, subtree: true });
}

/** The style sheet may arrive after the frame. */
const expectStyled = (page: Page) => expect(page.locator('body')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');

test('the page frame appears before the console, with its title @additions @sweep', async ({ page, demo }) => {
  await signIn(page, demo);
  const release = await holdScript(page);
  await page.goto('/domains', { waitUntil: 'commit' });
  await expectStyled(page);
  await expect(frame(page)).toBeVisible();
  const title = frame(page).getByText('Domains', { exact: true });
  await expect(title).toBeVisible();
  await expect(frame(page).locator('.frame-bar')).toHaveCount(1);
  await expectNoSidewaysScroll(page);
  const before = await title.boundingBox();
  await release();
  await expect(heading(page)).toHaveText('Domains');
  await expect(frame(page)).toHaveCount(0);
  const after = await heading(page).boundingBox();
  expect([after?.x, after?.y]).toEqual([before?.x, before?.y]);

  // In a narrow window, in both schemes.
  await page.setViewportSize({ width: 320, height: 640 });
  await holdScript(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.reload({ waitUntil: 'commit' });
    await expectStyled(page);
    await expect(frame(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const paper = colorScheme === 'light' ? 'rgb(247, 249, 250)' : 'rgb(20, 26, 32)';
    await expect(page.locator('body')).toHaveCSS('background-color', paper);
    await expectNoSidewaysScroll(page);
  }
  await expect(heading(page)).toHaveCount(0);
  await expectAccessible(page, ['light']);
});

test('without the console the page says so after a while, and has no frame when signed out @sweep', async ({
  page,
}) => {
  const words = page.getByText('Sendroom is still loading. If nothing changes, reload this page.');
  const release = await holdScript(page);
  // The delay is an animation, stopped until the text was seen to be hidden.
  const client = await page.context().newCDPSession(page);
  await client.send('Animation.enable');
  await client.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/domains', { waitUntil: 'commit' });
  await expectStyled(page);
  await expect(words).toBeAttached();
  await expect(words).toBeHidden();
  await expect(frame(page)).toBeHidden();
  await client.send('Animation.setPlaybackRate', { playbackRate: 1 });
  await expect(words).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, ['light']);
  await release();
  await expect(heading(page)).toBeVisible();
  await expect(words).toHaveCount(0);
});

test("a list's rows and file are requested once, before the console loads @additions", async ({ page, demo }) => {
  await signIn(page, demo);
  await page.addInitScript(watchPlaceholders);
  const release = await holdScript(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/v1/contacts' && searchParams.get('page') === '1') requests.push(request.url());
    if (pathname === '/session') requests.push('the session');
  });
  const answered = page.waitForResponse((response) => response.url().includes('/v1/contacts?'));
  const file = page.waitForRequest(/ContactsPage.*\.js$/);
  await page.goto('/contacts', { waitUntil: 'commit' });
  expect((await answered).status()).toBe(200);
  await file;
  await release();
  await expect(firstRow(page)).toBeVisible();
  expect(requests).toHaveLength(1);
  expect(await page.evaluate(() => document.documentElement.dataset['placeholders'])).toBeUndefined();

  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => requests.length).toBe(2);
});

test('on a phone, Back restores the place in a list @additions', async ({ page, demo }) => {
  await signIn(page, demo);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/domains?per_page=50');
  const last = page.getByRole('row').getByRole('link').last();
  await expect(page.locator('tbody tr')).toHaveCount(50);
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(3000);
  await last.click();
  await expect(heading(page)).not.toHaveText('Domains');
  await page.goBack();
  await expect(page.locator('tbody tr')).toHaveCount(50);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
});

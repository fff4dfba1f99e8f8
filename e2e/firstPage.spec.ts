import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts';
import { withoutPointer } from './firstLoad.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

// What the page has before the console is there.

const SCRIPT = '**/assets/index-*.js';

const firstRow = (page: Page) => page.getByRole('row').getByRole('link').first();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const frame = (page: Page) => page.locator('#frame');

/** Holds the script of the console back until the returned function is called. */
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

/** Runs in the page, before anything else: marks it once a table shows placeholders. */
function watchPlaceholders(): void {
  new MutationObserver(() => {
    if (document.querySelector('tbody tr[aria-hidden]')) document.documentElement.dataset['placeholders'] = 'shown';
  }).observe(document, { childList: true, subtree: true });
}

/** How many rows a table began with, where the last of them ended, and how high the page was. */
type FirstRows = { rows: number; bottom: number; height: number };

/** Runs in the page, before anything else. */
function watchFirstRows(): void {
  new MutationObserver((_, observer) => {
    const rows = [...document.querySelectorAll('tbody tr:not([aria-hidden])')];
    const last = rows.at(-1);
    if (last === undefined) return;
    observer.disconnect();
    const { bottom } = last.getBoundingClientRect();
    const { scrollHeight: height } = document.documentElement;
    Object.assign(globalThis, { firstRows: { rows: rows.length, bottom, height } satisfies FirstRows });
  }).observe(document, { childList: true, subtree: true });
}

/** Waits for the style sheet, which may come after the frame it is for. */
const expectStyled = (page: Page) => expect(page.locator('body')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');

for (const [path, title, toolbars] of [
  ['/', 'Overview', 0],
  ['/contacts', 'Contacts', 1],
  ['/domains', 'Domains', 1],
  ['/desk', 'Bulk unsubscribe', 0],
  ['/activity', 'Activity', 1],
] as const) {
  test(`the frame of ${path} is there before the console, with its title @additions @sweep`, async ({ page, demo }) => {
    await signIn(page, demo);
    const release = await holdScript(page);
    await page.goto(path, { waitUntil: 'commit' });
    await expectStyled(page);
    await expect(frame(page)).toBeVisible();
    await expect(frame(page).getByText(title, { exact: true })).toBeVisible();
    await expect(frame(page).locator('.frame-bar')).toHaveCount(toolbars);
    await expectNoSidewaysScroll(page);
    const before = await frame(page).getByText(title, { exact: true }).boundingBox();
    await release();
    await expect(heading(page)).toHaveText(title);
    await expect(frame(page)).toHaveCount(0);
    const after = await heading(page).boundingBox();
    expect([after?.x, after?.y]).toEqual([before?.x, before?.y]);
  });
}

test('the frame fits into a narrow window, in both schemes, and says nothing to screen readers @additions @sweep', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  await page.setViewportSize({ width: 320, height: 640 });
  await holdScript(page);
  await page.goto('/contacts', { waitUntil: 'commit' });
  await expectStyled(page);
  await expect(frame(page).getByText('Contacts', { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, ['light']);
  await expect(heading(page)).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.reload({ waitUntil: 'commit' });
    await expectStyled(page);
    await expect(frame(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const [paper, ink] = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [backgroundColor, color];
    });
    expect([paper, ink]).toEqual(
      colorScheme === 'light' ? ['rgb(247, 249, 250)', 'rgb(35, 43, 50)'] : ['rgb(20, 26, 32)', 'rgb(223, 229, 233)'],
    );
  }
});

for (const isSignedIn of [true, false])
  test(`where the console does not come, the page says so in words after a while, ${isSignedIn ? 'signed in' : 'signed out'} @sweep`, async ({
    page,
    demo,
  }) => {
    if (isSignedIn) await signIn(page, demo);
    const words = page.getByText('Sendroom is still loading. If nothing changes, reload this page.');
    const release = await holdScript(page);
    // The while is an animation. It begins when the words were seen to be hidden, however long that took.
    const client = await page.context().newCDPSession(page);
    await client.send('Animation.enable');
    await client.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto('/domains', { waitUntil: 'commit' });
    await expectStyled(page);
    await expect(words).toBeAttached();
    await expect(words).toBeHidden();
    await client.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await expect(words).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, ['light']);
    await release();
    await expect(heading(page)).toBeVisible();
    await expect(words).toHaveCount(0);
  });

test('who is not signed in sees no frame @sweep', async ({ page }) => {
  await holdScript(page);
  await page.goto('/domains', { waitUntil: 'commit' });
  await expectStyled(page);
  await expect(page.locator('#root')).toBeAttached();
  await expect(frame(page)).toBeHidden();
});

for (const [path, tag] of [
  ['/contacts', ''],
  ['/domains', ' @sweep'],
] as const) {
  test(`the rows of ${path} are asked for before the console is there, and once @additions${tag}`, async ({
    page,
    demo,
  }) => {
    await signIn(page, demo);
    await page.addInitScript(watchPlaceholders);
    const release = await holdScript(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === `/v1${path}` && searchParams.get('page') === '1') asked.push(request.url());
      if (pathname === '/session') asked.push('the session');
    });
    const answered = page.waitForResponse((response) => response.url().includes(`/v1${path}?`));
    await page.goto(path, { waitUntil: 'commit' });
    expect((await answered).status()).toBe(200);
    await release();
    await expect(firstRow(page)).toBeVisible();
    expect(asked).toHaveLength(1);
    // They are the first that the table shows.
    expect(await page.evaluate(() => document.documentElement.dataset['placeholders'])).toBeUndefined();

    // Another visit of the same list within the page asks again.
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => asked.length).toBe(2);
  });
}

test('on a phone, Back leads to the place in a list that one came from @additions', async ({ page, demo }) => {
  await signIn(page, demo);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/domains?per_page=50');
  const last = page.getByRole('row').getByRole('link').last();
  await expect(page.locator('tbody tr')).toHaveCount(50);
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(4000);
  await last.click();
  await expect(heading(page)).not.toHaveText('Domains');
  await page.goBack();
  await expect(page.locator('tbody tr')).toHaveCount(50);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
});

for (const path of ['/domains', '/contacts']) {
  test(`on a phone ${path} begins with the rows that its window has, and a place for the others @additions @sweep`, async ({
    page,
    demo,
  }) => {
    await signIn(page, demo);
    const window = { width: 390, height: 844 };
    await page.setViewportSize(window);
    await page.addInitScript(watchFirstRows);
    await page.goto(path);
    const rows = page.locator('tbody tr');
    await expect(rows).toHaveCount(25);
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
    const first = await page.evaluate(() => (globalThis as unknown as { firstRows: FirstRows }).firstRows);
    expect(first.rows).toBeLessThan(12);
    expect(first.bottom).toBeGreaterThan(window.height);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(first.height / height).toBeGreaterThan(0.9);
    expect(first.height / height).toBeLessThan(1.1);
  });
}

test('rows of another page than the first are asked for by the console alone @additions @sweep', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/v1/domains') asked.push(searchParams.get('page'));
  });
  await page.goto('/domains?page=2');
  await expect(firstRow(page)).toBeVisible();
  expect(asked).not.toContain('1');
});

test('a repeated visit reads nothing but the page, which has not changed, and the data @additions @sweep', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  await withoutPointer(page);
  await page.goto('/domains');
  await expect(firstRow(page)).toBeVisible();
  await page.goto('/healthz');
  await page.goto('/domains');
  await expect(firstRow(page)).toBeVisible();
  // A response out of the cache has no size; one that says "not changed" has only that of its head.
  const { own, others } = await page.evaluate(() => {
    const [own] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return {
      own: { transferred: own?.transferSize ?? 0, whole: own?.encodedBodySize ?? 0 },
      others: all.filter(({ transferSize }) => transferSize > 0).map(({ name }) => new URL(name).pathname),
    };
  });
  expect(own.transferred).toBeGreaterThan(0);
  expect(own.transferred).toBeLessThan(own.whole);
  expect(others.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
});

for (const width of [320, 1280])
  test(`the counts of domains come after the list without moving it, at ${width} pixels @additions @sweep`, async ({
    page,
    demo,
  }) => {
    await signIn(page, demo);
    await page.setViewportSize({ width, height: 640 });
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/v1/domains/summary', async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto('/domains');
    await expect(firstRow(page)).toBeVisible();
    const before = await firstRow(page).boundingBox();
    resolve();
    await expect(page.getByRole('group', { name: 'State of all domains' }).getByRole('button')).not.toHaveCount(0);
    expect(await firstRow(page).boundingBox()).toEqual(before);
  });

test('a font that comes late is used all the same @additions @sweep', async ({ page, demo }) => {
  await signIn(page, demo);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/inter-latin-wght*', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto('/domains', { waitUntil: 'commit' });
  await expect(firstRow(page)).toBeVisible();
  const fontOfHeading = async () => {
    const client = await page.context().newCDPSession(page);
    await client.send('DOM.enable');
    await client.send('CSS.enable');
    const { root } = await client.send('DOM.getDocument');
    const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
    const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.map(({ familyName }) => familyName).join();
  };
  expect(await fontOfHeading()).not.toContain('Inter');
  resolve();
  await expect.poll(fontOfHeading).toContain('Inter');
});

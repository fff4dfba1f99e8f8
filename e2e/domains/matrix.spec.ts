import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { columnOf, signIn, turnTo } from '../support/steps.ts';

test.use({ database: 'own' });

test.beforeEach(({ page, demo }) => signIn(page, demo));

const CHECK = /\/v1\/domains\/[^/]+\/check$/;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const panel = (page: Page) => page.getByRole('region', { name: 'Check of the domains shown' });
const table = (page: Page) => page.getByRole('table');
const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) });
const names = (page: Page) => columnOf(table(page), 'Domain');

async function openMatrix(page: Page, query = ''): Promise<void> {
  await page.goto(`/domains?view=matrix${query}`);
  await expect(table(page).getByRole('row').getByRole('link').first()).toBeVisible();
}

async function countOf(page: Page, filter: string): Promise<number> {
  const text = await page.getByRole('button', { name: new RegExp(`^${filter} \\d`) }).innerText();
  return Number(/\d+$/.exec(text)?.[0]);
}

/** Waits for each domain in turn, so that the time limit is for one of them. */
async function checkAll(page: Page, count: number): Promise<void> {
  const readDone = async () => Number(/(\d+) of \d+ checked/.exec(await panel(page).innerText())?.[1] ?? 0);
  await button(page, `Check all ${count} shown`).click();
  for (let done = 0; done < count; done = await readDone()) await expect.poll(readDone).toBeGreaterThan(done);
  await expect(panel(page)).toContainText(`${count} of ${count} checked`);
  await expect(button(page, `Check all ${count} shown`)).toBeVisible();
}

/** Lets the first `after` checks through, and holds the others until `release`. */
async function holdChecks(page: Page, after: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const requests: string[] = [];
  await page.route(CHECK, async (route) => {
    requests.push(route.request().url());
    if (requests.length > after) await promise;
    // A cancelled check gets no response.
    await route.continue().catch(() => undefined);
  });
  return { requests, release: resolve };
}

test('the matrix shows the same page, with stored verdicts if the service cannot check @bare', async ({
  page,
  demo,
}) => {
  const domains = demo.domains.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  await page.goto('/domains?sort=name&per_page=10&page=2');
  await button(page, 'Matrix').click();
  await expect(page).toHaveURL('/domains?sort=name&per_page=10&page=2&view=matrix');
  const expected = domains.slice(10, 20).map(({ name }) => name);
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(expected);
  await expect(page.getByText("This service doesn't check DNS")).toBeVisible();
  await expect(panel(page)).toBeHidden();
  await expect(table(page).getByRole('columnheader', { name: 'DNS now' })).toBeHidden();
  await expect(page.getByRole('button', { name: /^Failed \d/ })).toBeHidden();
  await expect(button(page, 'Save as CSV')).toBeEnabled();
  await expectAccessible(page);

  await button(page, 'As listed').click();
  await expect(page).toHaveURL(/order=listed/);
  await expect.poll(() => names(page)).toEqual(expected);
  await turnTo(page, 'Next page');
  await expect.poll(() => names(page)).toEqual(domains.slice(20, 30).map(({ name }) => name));
  await expect(page.getByRole('link', { name: /^DKIM of .*, at last check: 3 OK$/ }).first()).toBeVisible();
  await button(page, 'List').click();
  await expect(page).toHaveURL('/domains?sort=name&per_page=10&page=3');
});

test('all domains of the page are checked, and the worst come first @additions', async ({ page, demo }) => {
  await openMatrix(page, '&per_page=100');
  const total = demo.domains.length;
  await expect(panel(page)).toContainText('Showing last saved results');
  expect(await countOf(page, 'Not checked')).toBe(total);
  await checkAll(page, total);
  await expect(page.locator('#announcements')).toContainText(`${total} of ${total} checked`);

  const wrong = await countOf(page, 'Failed');
  const now = await columnOf(table(page), 'DNS now');
  expect(now.slice(0, wrong).filter((text) => !text.startsWith('Failed'))).toEqual([]);
  expect(now.slice(wrong).filter((text) => text.startsWith('Failed'))).toEqual([]);

  // One of them has lost a record that is stored as OK.
  const first = await table(page).getByRole('row').nth(1).getByRole('link').first().innerText();
  const alarm = row(page, first);
  await expect(alarm).toContainText('OK at last check');
  await expect(alarm.getByRole('link', { name: /^DKIM of / })).toHaveAccessibleName(
    /, in the DNS now: 1 of 3 failed Nothing at this name .*\. At last check: 3 OK\.$/,
  );

  // No cell truncates its text.
  const cut = await table(page)
    .locator('td a bdi:not(.visually-hidden), td a > span:not(.visually-hidden)')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length);
  expect(cut).toBe(0);

  await page.getByRole('button', { name: /^Failed since last check/ }).click();
  await expect(page).toHaveURL(/result=alarm/);
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(button(page, 'Check the one shown')).toBeVisible();

  await page.getByRole('link', { name: first, exact: true }).click();
  await expect(page.getByRole('heading', { name: 'DNS records' })).toBeVisible();
  await page.goBack();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(panel(page)).toContainText('From earlier checks');
});

test('a cancelled check resumes with the rest; rows keep their places @additions', async ({ page }) => {
  const { requests, release } = await holdChecks(page, 6);
  await openMatrix(page);
  const before = await names(page);
  await button(page, 'Check all 25 shown').focus();
  await page.keyboard.press('Enter');
  await expect(panel(page)).toContainText('6 of 25 checked');
  await expect(panel(page).getByRole('progressbar')).toHaveAttribute('value', '6');
  expect(await names(page)).toEqual(before);
  await expect(table(page).getByText('Checking')).toHaveCount(4);
  await expect(table(page).getByText('Waiting')).toHaveCount(15);
  await expect(button(page, 'Cancel the check')).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(button(page, 'Resume (19 left)')).toBeFocused();
  await expect(page.locator('#announcements')).toContainText('Stopped. 6 of 25 checked');
  expect(await countOf(page, 'Not checked')).toBe(19);
  expect(requests).toHaveLength(10);
  release();
  await page.keyboard.press('Enter');
  await expect(panel(page)).toContainText('25 of 25 checked');
  expect(requests).toHaveLength(29);
  expect(new Set(requests).size).toBe(25);
});

// Contents of a line: src/domains/matrix/matrix.test.ts.
test('the matrix is saved with a line per record @additions @sweep', async ({ page, demo }) => {
  await openMatrix(page, '&per_page=10');
  await checkAll(page, 10);
  await page.getByRole('button', { name: /^Failed \d/ }).click();
  const wrong = await countOf(page, 'Failed');
  await expect(table(page).getByRole('row')).toHaveCount(wrong + 1);
  const shown = await names(page);
  const records = shown.flatMap((name) => demo.domains.find((domain) => domain.name === name)!.dns);
  await expect(page.getByText(`${records.length} records of the ${wrong} domains shown`)).toBeVisible();
  const downloading = page.waitForEvent('download');
  await button(page, 'Save as CSV').click();
  const download = await downloading;
  await expect(page.getByText(`Saved as ${download.suggestedFilename()}`)).toBeVisible();
  const csv = await readFile(await download.path(), 'utf8');
  const lines: Record<string, string>[] = parse(csv, { bom: true, columns: true, record_delimiter: '\r\n' });
  expect(lines.map(({ name }) => name)).toEqual(records.map(({ name }) => name));
  await page.reload();
  // Without results, the filter is ignored.
  await expect(table(page).getByRole('row')).toHaveCount(11);
});

test('the keyboard reaches rows, cells and actions @additions @sweep', async ({ page }) => {
  await openMatrix(page, '&per_page=10');
  const [first = '', second = ''] = await names(page);
  const link = page.getByRole('link', { name: first, exact: true });
  await link.focus();
  await page.keyboard.press('ArrowRight');
  await expect(row(page, first).getByRole('link', { name: /^DKIM of/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(row(page, second).getByRole('link', { name: /^DKIM of/ })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('link', { name: second, exact: true })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(link).toBeFocused();
  for (let cell = 0; cell < 10; cell++) await page.keyboard.press('ArrowRight');
  await expect(button(page, `Check ${first}`)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, first)).toContainText('Failed');
  await expect(page.locator('#announcements')).toContainText(`${first}: Failed`);
  await page.keyboard.press('j');
  await expect(button(page, `Check ${second}`)).toBeFocused();

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('check all');
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toContainText('Check all 10 shown');
  await page.keyboard.press('Enter');
  await expect(panel(page)).toContainText('10 of 10 checked');
});

import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/fixtures.ts';
import { columnOf, signIn } from '../support/steps.ts';

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

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/domains${query}`);
  await expect(table(page).getByRole('row').getByRole('link').first()).toBeVisible();
}

/** Waits for each domain in turn, so that the time limit is for one of them. */
async function untilChecked(page: Page, count: number): Promise<void> {
  const readDone = async () => Number(/(\d+) of \d+ checked/.exec(await panel(page).innerText())?.[1] ?? 0);
  for (let done = await readDone(); done < count; done = await readDone())
    await expect.poll(readDone).toBeGreaterThan(done);
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

test('what a check of all domains finds is there after a reload, and counted once @additions', async ({ page }) => {
  await open(page, '?per_page=10');
  await expect(button(page, 'Check all 10 shown')).toBeVisible();
  await page.keyboard.press('c');
  await untilChecked(page, 10);
  await expect(page.locator('#announcements')).toContainText(/^10 of 10 checked: Needs fixing \d/);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const [first = ''] = await names(page);
  const texts = () => table(page).locator('td:has(> a[data-peek])').allInnerTexts();
  const found = await texts();
  expect(found.filter((text) => /[a-z]/.test(text)).length).toBeGreaterThan(9);
  await page.reload();
  await expect(row(page, first)).toBeVisible();
  expect(await texts()).toEqual(found);

  // The states of the rows are those that are counted.
  await open(page, '?per_page=100');
  const buttons = page.getByRole('group', { name: 'State of all domains' }).getByRole('button');
  await expect(buttons.first()).toBeVisible();
  const counts = await buttons.allInnerTexts();
  expect(counts.length).toBeGreaterThan(2);
  for (const count of counts) {
    const [, state = '', domains = ''] = /^(.*) (\d+)$/.exec(count) ?? [];
    await expect(table(page).getByRole('img', { name: state, exact: true }), state).toHaveCount(Number(domains));
  }
});

test('a cancelled check resumes with the rest; rows keep their places @additions', async ({ page }) => {
  const { requests, release } = await holdChecks(page, 6);
  await open(page);
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

  await expect(button(page, 'Resume (19 left)')).toBeVisible();
  await expect(page.locator('#announcements')).toContainText('Stopped. 6 of 25 checked');
  expect(requests).toHaveLength(10);
  release();
  await button(page, 'Resume (19 left)').click();
  await untilChecked(page, 25);
  expect(await names(page)).toEqual(before);
  expect(requests).toHaveLength(29);
  expect(new Set(requests).size).toBe(25);
});

// Contents of a line: src/domains/table/rows/exportRows.test.ts.
test('the records shown are saved with a line each @additions @sweep', async ({ page, demo }) => {
  await open(page, '?per_page=10');
  await button(page, 'Check all 10 shown').click();
  await untilChecked(page, 10);
  const shown = await names(page);
  const records = shown.flatMap((name) => demo.domains.find((domain) => domain.name === name)!.dns);
  await button(page, 'Export and share domains').click();
  const section = page.getByRole('region', { name: 'Export of the records shown' });
  await expect(section).toContainText(`${records.length} records of the 10 domains shown`);
  const downloading = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Save as CSV' }).click();
  const download = await downloading;
  await expect(page.getByText(`Saved as ${download.suggestedFilename()}`)).toBeVisible();
  const csv = await readFile(await download.path(), 'utf8');
  const lines: Record<string, string>[] = parse(csv, { bom: true, columns: true, record_delimiter: '\r\n' });
  expect(lines.map(({ name }) => name)).toEqual(records.map(({ name }) => name));
});

test('one domain is checked from its row @additions @sweep', async ({ page }) => {
  await open(page, '?per_page=10');
  const [first = '', second = ''] = await names(page);
  await page.getByRole('link', { name: first, exact: true }).focus();
  for (let cell = 0; cell < 12; cell++) await page.keyboard.press('ArrowRight');
  await expect(button(page, `Check ${first}`)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, first)).toContainText('just now');
  await expect(page.locator('#announcements')).toContainText(`${first}: `);
  await page.keyboard.press('j');
  await expect(row(page, second).locator(':focus')).toHaveCount(1);

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('check all');
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toContainText('Check all 10 shown');
  await page.keyboard.press('Enter');
  await untilChecked(page, 10);
});

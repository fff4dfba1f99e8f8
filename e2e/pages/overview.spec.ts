import type { Locator, Page } from '@playwright/test';
import type { ReadableOverview } from '#contract/overview.ts';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { press, runList, signIn } from '../support/steps.ts';
import { nameOf, unsubscribeAsCaller } from '../support/subscription.ts';
import type { Demo } from '../support/demo.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const unsubscribed = (page: Page): Locator => page.getByRole('region', { name: 'Unsubscribed' });
const days = (page: Page): Locator => page.getByRole('group', { name: 'Unsubscribes by day' }).getByRole('button');

const figure = async (page: Page, label: string): Promise<number> => {
  const shown = unsubscribed(page)
    .locator('div', { has: page.getByText(label, { exact: true }) })
    .locator('dd');
  await expect(shown.first()).toHaveText(/^[\d,]+$/);
  return Number((await shown.first().innerText()).replaceAll(',', ''));
};

async function byToken(page: Page): Promise<Record<string, number>> {
  const rows = await unsubscribed(page).getByRole('row').all();
  const cells = await Promise.all(
    rows.map((row) => row.getByRole('rowheader').or(row.getByRole('cell')).allInnerTexts()),
  );
  return Object.fromEntries(cells.map(([name = '', count = '']) => [name.trim(), Number(count.replaceAll(',', ''))]));
}

async function readOverview(page: Page, { token }: Demo): Promise<ReadableOverview> {
  const response = await page.request.get('/v1/overview?zone=Europe/Berlin', {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: ReadableOverview }).data;
}

test("yesterday's unsubscribes, by token @additions", async ({ page, demo }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Overview · Sendroom');
  await expect(days(page)).toHaveCount(30);
  const yesterday = await figure(page, 'Yesterday');
  await days(page).nth(28).click();
  await expect(days(page).nth(28)).toHaveAttribute('aria-current', 'true');
  const { unsubscribes } = await readOverview(page, demo);
  expect(yesterday).toBe(unsubscribes.days.at(-2)?.total);
  const shown = await byToken(page);
  const named = unsubscribes.by.map(({ actor }, at): [string, number | undefined] => [
    actor.name ?? 'Command line',
    unsubscribes.days.at(-2)?.counts[at],
  ]);
  // Other tests unsubscribe people in the same demo, so there may be more sources than the table names.
  const hasOthers = unsubscribes.by.reduce((sum, { count }) => sum + count, 0) < unsubscribes.total;
  const others = yesterday - named.reduce((sum, [, count = 0]) => sum + count, 0);
  expect(shown).toEqual(Object.fromEntries(hasOthers ? [...named, ['Others', others]] : named));
  expect(Object.values(shown).reduce((sum, count) => sum + count, 0)).toBe(yesterday);

  await page.getByRole('combobox', { name: 'Days' }).selectOption('Last 30 days');
  expect(Object.values(await byToken(page)).reduce((sum, count) => sum + count, 0)).toBe(
    await figure(page, 'Last 30 days'),
  );
  // Next to phones, and where one column becomes two.
  for (const width of [601, 700, 821]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
});

test('changes since the last visit are grouped, and link to who or to the log @additions', async ({
  page,
  demo,
  person,
  unusedPeople,
}) => {
  await page.goto('/');
  const before = await figure(page, 'Last 30 days');
  const today = await figure(page, 'Today');
  // A visit that ended just now, before the half-hour that a visit lasts.
  await page.evaluate(
    ([workspace, visit]) => localStorage.setItem(`sendroom-overview-seen-${workspace}`, `${visit} ${visit}`),
    [demo.workspace, new Date().toISOString()],
  );
  await unsubscribeAsCaller(page, demo, person.uuid);
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Since you were here, / })).toBeVisible();
  // Other tests unsubscribe too, as the same caller.
  const row = page
    .getByRole('region', { name: /^Since you were here/ })
    .getByRole('row', { name: 'demo' })
    .first();
  await expect(row).toContainText('Unsubscribed');
  expect(await figure(page, 'Last 30 days')).toBeGreaterThan(before);
  expect(await figure(page, 'Today')).toBeGreaterThan(today);
  await expect(
    unsubscribed(page).getByText(/^Usual: the median of the last four \w+days up to this time\.$/),
  ).toBeVisible();

  await unsubscribeAsCaller(page, demo, unusedPeople.pop()!.uuid);
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await row.getByRole('link', { name: /^\d+ people$/ }).click();
  await expect(page).toHaveURL(/^[^?]*\/activity\?actor=/);
  await expect(page.getByRole('table').getByRole('row', { name: nameOf(person) })).toBeVisible();
});

test('what needs somebody comes first, and figures link to the lists they count @additions', async ({ page }) => {
  await page.goto('/');
  const contacts = page.getByRole('region', { name: 'Contacts' });
  await expect(contacts.getByRole('row', { name: 'Subscribed' }).first()).toContainText(/[1-9],\d{3}.*\d%$/s);
  await contacts.getByRole('link', { name: 'Unsubscribed', exact: true }).click();
  await expect(page).toHaveURL('/contacts?subscribed=false');
  await expect(page.getByRole('navigation', { name: 'Pages of contacts' })).toContainText(/^1–25 of [\d,]{3,}/);

  await page.goto('/');
  const needs = page.getByRole('region', { name: /^\d+ domains need fixing$/ });
  const count = Number.parseInt(await needs.getByRole('heading').innerText(), 10);
  // Groups of unsubscribes and runs, which other tests may make, are there too.
  const domains = needs.getByRole('row').filter({ has: page.locator('a[href*="/domains"]') });
  await expect(domains).toHaveCount(Math.min(count, 6));
  await expect(domains.first()).toContainText(/DKIM|SPF|DMARC|MAIL FROM/);
  const need = page.getByRole('region', { name: 'Domains', exact: true }).getByRole('row', { name: 'Needs fixing' });
  await expect(need.getByRole('cell').first()).toHaveText(String(count));
  await needs.getByRole('link', { name: `${count - 5} more` }).click();
  await expect(page).toHaveURL('/domains?state=failing');
  await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText(`of ${count}`);
  await page.goBack();
  const name = await needs.getByRole('link').first().innerText();
  await needs.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

test('an unfinished list is one click away @additions', async ({ page, person, faults }) => {
  faults.expect(/Failed to load resource/);
  // It keeps running: its requests never arrive.
  await page.route('**/unsubscribe', (route) => route.abort());
  await page.goto('/desk');
  await page.getByLabel('Who should be unsubscribed?').fill(person.uuid);
  await press(page, 'Read the list');
  await runList(page, 1);
  await page.getByRole('button', { name: 'Pause' }).click();
  // The service keeps it as a run, which isn't counted again.
  const counted = () => page.waitForRequest(/\/v1\/run-counts\?without=[-0-9a-f]{36}$/);
  await Promise.all([counted(), page.getByRole('link', { name: 'Overview' }).click()]);
  await Promise.all([counted(), page.reload()]);
  await expect(page.getByRole('row', { name: 'Unfinished list' })).toContainText('1 left');
  await page.getByRole('link', { name: 'Unfinished list' }).click();
  await expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible();
});

test('a service without an overview starts with contacts @bare', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/contacts');
  await expect(page.getByRole('navigation', { name: 'Sections' }).getByRole('link')).toHaveCount(3);
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page).toHaveURL('/contacts');
});

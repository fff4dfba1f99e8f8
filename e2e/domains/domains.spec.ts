import type { Page } from '@playwright/test';
import type { DomainSummary } from '#contract/additions.ts';
import { expect, test } from '../support/fixtures.ts';
import { columnOf, signIn, turnTo } from '../support/steps.ts';

test.use({ database: 'own' });

test.beforeEach(({ page, demo }) => signIn(page, demo));

const states = (page: Page) => page.getByRole('group', { name: 'State of all domains' });
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages of domains' });

test("the list shows each domain's states and number of OK records @additions", async ({ page, demo }) => {
  await page.goto('/domains');
  await expect(page).toHaveTitle('Domains · Sendroom');
  const table = page.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(26);
  const shown = demo.domains.slice(0, 25);
  expect(await columnOf(table, 'Domain')).toEqual(shown.map(({ name }) => name));
  expect(await columnOf(table, 'DNS records')).toEqual(
    shown.map(({ dns }) =>
      dns.length === 0 ? 'No records' : `${dns.filter((record) => record.is_valid).length} of ${dns.length} OK`,
    ),
  );
});

test('pages can be turned, jumped to and reloaded @additions', async ({ page, demo }) => {
  const total = demo.domains.length;
  await page.goto('/domains?per_page=10');
  await turnTo(page, 'Next page');
  await expect(pager(page)).toContainText(`11–20 of ${total}`);
  await expect(page).toHaveURL('/domains?per_page=10&page=2');
  await pager(page).getByLabel('Go to page').fill('6');
  await pager(page).getByLabel('Go to page').press('Enter');
  await expect(pager(page)).toContainText(`51–60 of ${total}`);
  await page.goBack();
  await expect(pager(page)).toContainText(`11–20 of ${total}`);
  await page.reload();
  await expect(pager(page)).toContainText(`11–20 of ${total}`);
});

test('failing domains are one click away, in the list and in the matrix @additions', async ({ page }) => {
  await page.goto('/domains?per_page=10');
  const response = await page.request.get('/v1/domains/summary', { headers: { 'sendroom-console': '1' } });
  const { healthy, pending, failing, total } = ((await response.json()) as { data: DomainSummary }).data;
  expect(failing).toBeGreaterThan(1);
  const need = states(page).getByRole('button', { name: /failing$/ });
  await expect(states(page).getByRole('button')).toHaveText([
    `${healthy} healthy`,
    `${pending} pending`,
    `${failing} failing`,
  ]);
  await need.click();
  await expect(page).toHaveURL('/domains?per_page=10&state=failing');
  await expect(pager(page)).toContainText(`of ${failing}`);
  await expect(need).toHaveAttribute('aria-pressed', 'true');
  const first = page.getByRole('row').nth(1);
  await expect(first.getByRole('link', { name: 'Failing' })).toHaveAccessibleDescription(
    /^Verified: .* Status: .* DNS records: \d+ of \d+ OK/,
  );
  await expect(first.getByRole('img', { name: /^DKIM: / })).toBeVisible();

  await page.route('**/v1/domains/summary', (route) =>
    route.fulfill({ json: { data: { total, healthy: total - pending, pending, failing: 0 } } }),
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(states(page).getByRole('button', { name: '0 failing' })).toHaveAttribute('aria-pressed', 'true');
  await states(page)
    .getByRole('button', { name: `Show all ${total}` })
    .click();
  await expect(page).toHaveURL('/domains?per_page=10');

  await page.goto('/domains?view=matrix&state=failing&per_page=100');
  await expect(page.getByRole('button', { name: `Check all ${failing} shown` })).toBeEnabled();
});

test('the failed records of a domain are one click away @additions', async ({ page, demo }) => {
  const failing = demo.domains.find(
    ({ dns }) => dns.some(({ is_valid }) => is_valid) && dns.some(({ is_valid }) => !is_valid),
  )!;
  const count = failing.dns.filter(({ is_valid }) => !is_valid).length;
  await page.goto(`/domains?search=${failing.name}`);
  await page.getByRole('link', { name: `show the failed ones of ${failing.name}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(failing.name);
  const records = page.getByRole('region', { name: 'DNS records' });
  await expect(records.getByText('Needs fixing', { exact: true })).toHaveCount(count);
});

test('on a phone a long name is truncated, and the list does not scroll sideways @additions @sweep', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto('/domains?per_page=100');
  const name = page.getByRole('link', { name: /^a-subdomain-with-a-long-name\.in\.another-one\./ }).first();
  await name.scrollIntoViewIfNeeded();
  const table = page.getByRole('group', { name: 'Table of domains' });
  expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
  const [card, link] = [await page.getByRole('row').first().boundingBox(), await name.boundingBox()];
  expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
});

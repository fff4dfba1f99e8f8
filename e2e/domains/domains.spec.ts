import type { Page } from '@playwright/test';
import type { DomainSummary } from '#contract/additions.ts';
import type { DomainReport } from '#contract/domains/domainReport.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import type { Demo } from '../support/demo.ts';
import { expect, test } from '../support/fixtures.ts';
import { columnOf, signIn, turnTo } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const table = (page: Page) => page.getByRole('table');
const names = (page: Page) => columnOf(table(page), 'Domain');
const states = (page: Page) => page.getByRole('group', { name: 'State of all domains' });
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages of domains' });
const domainLink = (page: Page, name: string) => table(page).getByRole('link', { name, exact: true });
const findings = (page: Page) => page.getByRole('complementary', { name: /^Findings of / });

async function readReports(page: Page, { token }: Demo): Promise<DomainReport[]> {
  const response = await page.request.get('/v1/domain-reports?per_page=100', {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: DomainReport[] }).data;
}

test('domains are on one line each, the worst first, with the cause in words @additions', async ({ page, demo }) => {
  const reports = await readReports(page, demo);
  await page.goto('/domains');
  await expect(page).toHaveTitle('Domains · Sendroom');
  await expect(table(page).getByRole('row')).toHaveCount(26);
  expect(await names(page)).toEqual(reports.slice(0, 25).map(({ domain }) => domain.name));
  const heights = await table(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(32);
  const first = table(page).getByRole('row').nth(1);
  await expect(first.getByRole('img', { name: 'Needs fixing' })).toBeVisible();
  await expect(first.getByRole('link', { name: /^DKIM of / })).toHaveAccessibleName(
    /^DKIM of \S+: [A-Z][a-z]+ .*CNAME \S+_domainkey\.\S+: [A-Z]/,
  );
});

test('between 601 and 1920 pixels each domain is on one line, without sideways scroll @additions', async ({
  page,
  demo,
}) => {
  await page.goto('/domains?per_page=100');
  const rows = table(page).locator('tbody tr');
  await expect(rows.getByRole('link', { name: /^DKIM of / }).first()).toBeVisible();
  await expect(rows).toHaveCount(demo.domains.length);
  for (const width of [601, 700, 768, 901, 1024, 1101, 1180, 1280, 1401, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights), `at ${width} pixels`).toBeLessThanOrEqual(32);
    const frame = page.getByRole('group', { name: 'Table of domains' });
    expect(await frame.evaluate((one) => one.scrollWidth - one.clientWidth), `at ${width} pixels`).toBeLessThan(2);
  }
});

test('at 1440 pixels 19 of 20 names are shown whole, and each cause @additions', async ({ page, demo }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/domains?per_page=100');
  await expect(table(page).getByRole('row')).toHaveCount(demo.domains.length + 1);
  const cut = await table(page)
    .locator('tbody th a > span')
    .evaluateAll((shown) => shown.flatMap((name) => (name.scrollWidth > name.clientWidth ? name.textContent : [])));
  expect(cut.length, cut.join('\n')).toBeLessThanOrEqual(demo.domains.length / 20);
  const heights = await table(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(32);
  await expectNoSidewaysScroll(page);
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

test('domains that need fixing are one click away, also by an old link @additions', async ({ page }) => {
  await page.goto('/domains?per_page=10');
  const response = await page.request.get('/v1/domains/summary', { headers: { 'sendroom-console': '1' } });
  const { healthy, warning, pending, failing, total } = ((await response.json()) as { data: DomainSummary }).data;
  expect(failing).toBeGreaterThan(1);
  await expect(states(page).getByRole('button')).toHaveText([
    `Needs fixing ${failing}`,
    `Being set up ${pending}`,
    `Advice ${warning}`,
    `OK ${healthy}`,
  ]);
  const need = states(page).getByRole('button', { name: /^Needs fixing/ });
  await need.click();
  await expect(page).toHaveURL('/domains?per_page=10&state=failing');
  await expect(pager(page)).toContainText(`of ${failing}`);
  await expect(need).toHaveAttribute('aria-pressed', 'true');

  await page.route('**/v1/domains/summary', (route) =>
    route.fulfill({ json: { data: { total, healthy: total - pending, warning: 0, pending, failing: 0 } } }),
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(states(page).getByRole('button', { name: 'Needs fixing 0' })).toHaveAttribute('aria-pressed', 'true');
  await states(page)
    .getByRole('button', { name: `Show all ${total}` })
    .click();
  await expect(page).toHaveURL('/domains?per_page=10');

  await page.goto('/domains?view=matrix&order=worst&result=fail&per_page=100');
  await expect(page).toHaveURL('/domains?per_page=100&state=failing');
  await expect(pager(page)).toContainText(`of ${failing}`);
});

test('the table is filtered by cause, who acts, provider and what changed, and sorted @additions', async ({
  page,
  demo,
}) => {
  const reports = await readReports(page, demo);
  // Filters offer what the workspace has, not only what the page shows.
  await page.goto('/domains?per_page=10&state=healthy');
  const offered = (label: string) => page.getByLabel(label).locator('option').allTextContents();
  const providers = new Set(reports.map(({ domain }) => domain.provider));
  await expect.poll(() => offered('Provider')).toEqual(['Any provider', ...[...providers].toSorted()]);
  const codes = reports.flatMap(({ verdicts }) =>
    verdicts.filter(({ result, accepted }) => result !== 'ok' && accepted === null).map(({ code }) => code),
  );
  await expect.poll(() => offered('Cause')).toHaveLength(1 + new Set(codes).size);
  await page.goto('/domains?per_page=100');
  await page.getByLabel('Cause').selectOption('SPF missing our include');
  await expect(page).toHaveURL('/domains?per_page=100&code=SPF_WITHOUT_INCLUDE');
  const ofCause = reports.filter(({ verdicts }) =>
    verdicts.some(({ code, accepted }) => code === 'SPF_WITHOUT_INCLUDE' && accepted === null),
  );
  await expect(pager(page)).toContainText(`of ${ofCause.length}`);
  expect(await names(page)).toEqual(ofCause.map(({ domain }) => domain.name));
  await page.getByLabel('Who acts').selectOption('You, at the registrar');
  await expect(page.getByText('No domain matches this filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Provider').selectOption('smtp-relay');
  const ofProvider = reports.filter(({ domain }) => domain.provider === 'smtp-relay');
  await expect(pager(page)).toContainText(`of ${ofProvider.length}`);
  expect(await names(page)).toEqual(ofProvider.map(({ domain }) => domain.name));
  await page.getByLabel('Order').selectOption('By name');
  await expect(page).toHaveURL('/domains?per_page=100&provider=smtp-relay&sort=name');
  await expect.poll(() => names(page)).toEqual(ofProvider.map(({ domain }) => domain.name).toSorted());
  await page.reload();
  await expect(page.getByLabel('Order')).toHaveValue('name');
  await expect(page.getByLabel('Provider')).toHaveValue('smtp-relay');

  const asked = page.waitForRequest(/changed_since=\d{4}-\d\d-\d\dT/);
  await page.getByLabel('Changed', { exact: true }).selectOption('Changed in 7 days');
  await asked;
  await expect(page).toHaveURL(/changed=7d/);
  await page.getByLabel('Changed', { exact: true }).selectOption('Changed since a date');
  await page.getByLabel('Changed since').fill('2026-01-31');
  await expect(page).toHaveURL(/changed=2026-01-31/);

  await page.goto('/domains?changed=2026-13-45&state=broken&turn=owner');
  const ignored = page.getByRole('status').filter({ hasText: 'Part of this link was ignored' });
  await expect(ignored).toContainText('changed=2026-13-45');
  await expect(ignored).toContainText('state=broken');
  await expect(page.getByLabel('Who acts')).toHaveValue('owner');
  await ignored.getByRole('button', { name: 'Remove it' }).click();
  await expect(ignored).toHaveCount(0);
  await expect(page).toHaveURL('/domains?turn=owner');
});

test('the side panel shows the finding of the row with the focus @additions', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/domains');
  await expect(page.getByLabel('Order')).toBeVisible();
  const [first = '', second = ''] = await names(page);
  await expect(findings(page)).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(domainLink(page, second)).toBeFocused();
  await expect(findings(page)).toHaveAccessibleName(`Findings of ${second}`);
  await expect(findings(page).getByText('Needs fixing').first()).toBeVisible();
  await expect(
    findings(page)
      .getByText(/^Enter/)
      .first(),
  ).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('k');
  await expect(findings(page)).toHaveAccessibleName(`Findings of ${first}`);
  await page.keyboard.press('Escape');
  await expect(findings(page)).toHaveCount(0);
  await expect(domainLink(page, first)).toBeFocused();
  await page.keyboard.press('j');
  await expect(findings(page)).toHaveCount(0);
  await page.keyboard.press('v');
  await expect(findings(page)).toHaveAccessibleName(`Findings of ${second}`);
  await findings(page).getByRole('button', { name: 'Close the side panel' }).click();
  await expect(domainLink(page, second)).toBeFocused();

  // A click on a finding shows it, one on the row opens the domain.
  await table(page)
    .getByRole('row')
    .nth(3)
    .getByRole('link', { name: /^MAIL FROM of / })
    .click();
  await expect(findings(page)).toBeVisible();
  await expect(page).toHaveURL('/domains');
  await domainLink(page, first).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first);
});

test('the wall has a tile for each domain, and words for what needs fixing @additions', async ({ page, demo }) => {
  const reports = await readReports(page, demo);
  const failing = reports.filter(({ state }) => state === 'failing');
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto('/domains');
  await page.getByRole('button', { name: 'Wall' }).click();
  const wall = page.getByRole('dialog', { name: `${demo.domains.length} domains` });
  await expect(wall.getByRole('link')).toHaveCount(demo.domains.length);
  await expect(page).toHaveURL('/domains?view=wall');
  await expect(wall.getByRole('list', { name: 'Domains that need fixing' }).getByRole('link')).toHaveCount(
    failing.length,
  );
  await expect(wall.getByRole('list', { name: 'Other domains' }).getByRole('link').last()).toHaveAccessibleName(
    /: OK$/,
  );
  // All of it is in the window.
  const last = await wall.getByRole('link').last().boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(1080);
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(wall.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(wall.getByRole('link').nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(wall.getByRole('link').last()).toBeFocused();
  await page.keyboard.press('Tab');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await page.keyboard.press('Escape');
  await expect(wall).toHaveCount(0);
  await expect(page).toHaveURL('/domains');
});

test('without reports the table shows what is stored, in the order of the service @bare', async ({ page, demo }) => {
  const domains = demo.domains.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  await page.goto('/domains?sort=name&per_page=10&page=2');
  await expect.poll(() => names(page)).toEqual(domains.slice(10, 20).map(({ name }) => name));
  await expect(page.getByLabel('Order')).toHaveValue('name');
  await expect(page.getByRole('button', { name: /^Check all/ })).toHaveCount(0);
  await expect(page.getByLabel('Cause')).toHaveCount(0);
  await expect(table(page).getByRole('columnheader', { name: 'Checked' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^DKIM of .*: 3 OK$/ }).first()).toBeVisible();
  await expectAccessible(page);
  await turnTo(page, 'Next page');
  await expect.poll(() => names(page)).toEqual(domains.slice(20, 30).map(({ name }) => name));

  // The worst of the page come first, unless another order is chosen.
  await page.goto('/domains?per_page=10');
  const page1 = demo.domains.slice(0, 10).map(({ name }) => name);
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(page1.toSorted());
  const shown = await table(page)
    .locator('tbody th [role=img]')
    .evaluateAll((icons) => icons.map((icon) => icon.getAttribute('aria-label')));
  expect(shown).toEqual(shown.toSorted((one, other) => ORDER.indexOf(one ?? '') - ORDER.indexOf(other ?? '')));
  await page.getByLabel('Order').selectOption('Newest first');
  await expect.poll(() => names(page)).toEqual(page1);
});

const ORDER = ['Needs fixing', 'Being set up', 'Advice', 'Unknown', 'OK'];

test('on a phone a long name is truncated, and the list does not scroll sideways @additions @sweep', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto('/domains?per_page=100');
  const name = page.getByRole('link', { name: /^a-subdomain-with-a-long-name\.in\.another-one\./ }).first();
  await name.scrollIntoViewIfNeeded();
  const frame = page.getByRole('group', { name: 'Table of domains' });
  expect(await frame.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const [card, link] = [await page.getByRole('row').first().boundingBox(), await name.boundingBox()];
  expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
});

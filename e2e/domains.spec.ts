import { expect, test } from './fixtures.ts';
import { columnOf, signIn, turnTo } from './steps.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('the list shows each domain with its states and how many of its records are valid', async ({ page, demo }) => {
  await page.goto('/domains');
  await expect(page).toHaveTitle('Domains · Sendroom');
  const table = page.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(26);
  expect(await columnOf(table, 'Domain')).toEqual(demo.domains.slice(0, 25).map(({ name }) => name));
  const words = await columnOf(table, 'DNS records');
  expect(words).toEqual(
    demo.domains
      .slice(0, 25)
      .map(({ dns }) =>
        dns.length === 0 ? 'No records' : `${dns.filter((record) => record.is_valid).length} of ${dns.length} valid`,
      ),
  );
});

for (const width of [1280, 320]) {
  test(`a state and another word of the service are read whole in a window of ${width} pixels @additions @sweep`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/domains?per_page=50');
    for (const word of ['under_review', 'throttled']) {
      const state = page.getByRole('link', { name: word });
      await expect(state).toHaveText(`Being set up${word}`);
      const cut = await state.evaluate((link) =>
        [...link.children].filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent),
      );
      expect(cut).toEqual([]);
    }
  });
}

test('pages are turned, jumped to and remembered by the address', async ({ page, demo }) => {
  const total = demo.domains.length;
  await page.goto('/domains?per_page=10');
  const pager = page.getByRole('navigation', { name: 'Pages of domains' });
  await expect(pager).toContainText(`1–10 of ${total}`);
  await turnTo(page, 'Next page');
  await expect(pager).toContainText(`11–20 of ${total}`);
  await expect(page).toHaveURL('/domains?per_page=10&page=2');

  await pager.getByLabel('Go to page').fill('6');
  await pager.getByLabel('Go to page').press('Enter');
  await expect(pager).toContainText(`51–60 of ${total}`);
  await expect(pager.getByRole('button', { name: 'Next page' })).toBeDisabled();

  await page.goBack();
  await expect(pager).toContainText(`11–20 of ${total}`);
  await page.reload();
  await expect(pager).toContainText(`11–20 of ${total}`);
  await pager.getByLabel('domains per page').selectOption('50 per page');
  await expect(pager).toContainText(`1–50 of ${total}`);
  await expect(page).toHaveURL('/domains?per_page=50');
});

test('a search narrows the list, and the way back fills the box again', async ({ page, demo }) => {
  const part = demo.domains[7]!.name.slice(1, 6);
  const expected = demo.domains.filter(({ name }) => name.includes(part));
  await page.goto('/domains');
  const box = page.getByRole('searchbox', { name: 'Search domains' });
  await box.fill(part.toUpperCase());
  await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText(`of ${expected.length}`);
  expect(await columnOf(page.getByRole('table'), 'Domain')).toEqual(expected.slice(0, 25).map(({ name }) => name));

  await page.goBack();
  await expect(box).toHaveValue('');
  await page.goForward();
  await expect(box).toHaveValue(part.toUpperCase());
});

test('a click on a column sorts by it, a second click the other way', async ({ page, demo }) => {
  await page.goto('/domains?per_page=100');
  const table = page.getByRole('table');
  const names = demo.domains.map(({ name }) => name).toSorted();
  const header = table.getByRole('columnheader', { name: 'Domain' });
  await header.getByRole('button').click();
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(() => columnOf(table, 'Domain')).toEqual(names);
  await header.getByRole('button').click();
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => columnOf(table, 'Domain')).toEqual(names.toReversed());
});

test('the broken records of a domain are one click away', async ({ page, demo }) => {
  const broken = demo.domains.find(
    ({ dns }) => dns.some(({ is_valid }) => is_valid) && dns.some(({ is_valid }) => !is_valid),
  )!;
  const count = broken.dns.filter(({ is_valid }) => !is_valid).length;
  await page.goto(`/domains?search=${broken.name}`);
  await page.getByRole('link', { name: `show the broken ones of ${broken.name}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(broken.name);
  await expect(page.getByText(`${count} broken of ${broken.dns.length}`)).toBeVisible();
  const verdicts = page
    .getByRole('region', { name: 'DNS records' })
    .getByRole('cell', { name: 'Not valid', exact: true });
  await expect(verdicts).toHaveCount(count);
});

test('on a phone a long name is cut within its card, and the list does not scroll sideways @additions @sweep', async ({
  page,
}) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/domains?per_page=100');
    const name = page.getByRole('link', { name: /^a-subdomain-with-a-long-name\.in\.another-one\./ }).first();
    await name.scrollIntoViewIfNeeded();
    const table = page.getByRole('group', { name: 'Table of domains' });
    expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
    const [card, link] = [await page.getByRole('row').first().boundingBox(), await name.boundingBox()];
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
  }
});

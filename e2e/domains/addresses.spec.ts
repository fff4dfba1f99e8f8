import { expect, test } from '../support/fixtures.ts';
import { columnOf, signIn } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('addresses of all domains are searched, filtered and lead to their domain @additions', async ({ page }) => {
  await page.goto('/domains');
  await page
    .getByRole('navigation', { name: 'Domains and addresses' })
    .getByRole('link', { name: 'Addresses' })
    .click();
  await expect(page).toHaveURL('/addresses');
  await expect(page.getByRole('heading', { level: 1, name: 'Addresses' })).toBeFocused();
  const table = page.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(26);

  await page.getByRole('searchbox', { name: 'Search addresses' }).fill('@mail.acme');
  await expect(page).toHaveURL('/addresses?search=%40mail.acme');
  await expect.poll(async () => new Set(await columnOf(table, 'Domain'))).toEqual(new Set(['mail.acme.example']));
  await page.getByRole('searchbox', { name: 'Search addresses' }).fill('');
  const filter = page.getByRole('group', { name: 'Provider says', exact: true });
  await filter.getByRole('button', { name: 'pending' }).click();
  await expect(page).toHaveURL('/addresses?verification=pending');
  await expect.poll(async () => new Set(await columnOf(table, 'Provider says'))).toEqual(new Set(['pending']));
  await page.goto('/addresses?verification=quarantined');
  await expect(filter.getByRole('button', { name: 'quarantined' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('No address matches this filter.')).toBeVisible();
  await filter.getByRole('button', { name: 'All' }).click();

  await expect(table.getByRole('row')).toHaveCount(26);
  const [domain = ''] = await columnOf(table, 'Domain');
  await table.getByRole('link', { name: domain, exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible();
});

test('the palette finds an address and opens its domain @additions', async ({ page, faults }) => {
  // Nobody has it as an identity.
  faults.expect(/404.*contacts\/hello%40acme/);
  await page.goto('/domains');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(26);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('hello@acme');
  const option = page.getByRole('group', { name: 'Sender addresses' }).getByRole('option', { name: /^hello@acme/ });
  await option.click();
  await expect(page.getByRole('heading', { level: 1, name: 'acme.example' })).toBeFocused();
});

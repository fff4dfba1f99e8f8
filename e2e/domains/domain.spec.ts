import type { Domain } from '#contract/domains/domain.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn, turnTo } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const withAddresses = (domains: readonly Domain[], addresses: Readonly<Record<string, number>>, least: number) =>
  // One record may only be spreading.
  domains.find(
    ({ uuid, dns }) => (addresses[uuid] ?? 0) >= least && dns.filter(({ is_valid }) => !is_valid).length > 1,
  )!;

test('sender addresses have pages, and a broken domain says they are affected @additions', async ({ page, demo }) => {
  const domain = withAddresses(demo.domains, demo.addresses, 11);
  const total = demo.addresses[domain.uuid] ?? 0;
  await page.goto(`/domains/${domain.name}`);
  await expect(page.getByText(`${total}, all affected`)).toBeVisible();
  await page.getByRole('button', { name: 'Sender addresses' }).click();
  const addresses = page.getByRole('region', { name: 'sender addresses', exact: true });
  await expect(addresses.getByRole('row')).toHaveCount(11);
  await expect(addresses.getByRole('row').nth(1)).toContainText(`@${domain.name}`);
  await turnTo(page, 'Next page');
  await expect(addresses.getByRole('navigation')).toContainText(`11–${Math.min(20, total)} of ${total}`);
});

test('an unknown domain has a message, not an error @additions', async ({ page }) => {
  await page.goto('/domains/no-such.example');
  await expect(page.getByText('This workspace has no such domain')).toBeVisible();
  await page.getByRole('link', { name: 'All domains' }).click();
  await expect(page).toHaveURL('/domains');
});

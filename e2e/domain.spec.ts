import type { Domain } from '#contract/domain.ts';
import { expect, test } from './fixtures.ts';
import { pasted, signIn, turnTo } from './steps.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

const withAddresses = (domains: readonly Domain[], addresses: Readonly<Record<string, number>>, least: number) =>
  domains.find(({ uuid, dns }) => (addresses[uuid] ?? 0) >= least && dns.some(({ is_valid }) => !is_valid))!;

test('a domain is opened from the list and found again by its address', async ({ page, demo }) => {
  const { name } = demo.domains[3]!;
  await page.goto('/domains');
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveURL(`/domains/${name}`);
  await expect(page).toHaveTitle(`${name} · Sendroom`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'DNS records' })).toBeVisible();
});

test('every record shows its full name, its value and its verdict', async ({ page, demo }) => {
  const domain = demo.domains.find(({ dns }) => dns.some(({ type }) => type === 'MX'))!;
  await page.goto(`/domains/${domain.name}`);
  const rows = page.getByRole('region', { name: 'DNS records' }).getByRole('row');
  await expect(rows).toHaveCount(domain.dns.length + 1);
  for (const [index, record] of domain.dns.entries()) {
    const row = rows.nth(index + 1);
    await expect(row).toContainText(record.type);
    await expect(row).toContainText(record.name);
    await expect(row).toContainText(record.is_valid ? 'Valid' : 'Not valid');
  }
  const mx = domain.dns.find(({ type }) => type === 'MX')!;
  const [priority = '', target = ''] = mx.value.split(/\s+/);
  const row = rows.filter({ hasText: mx.name }).filter({ hasText: 'MX' }).first();
  await expect(row.getByText(priority, { exact: true })).toBeVisible();
  await expect(row.getByText(target, { exact: true })).toBeVisible();
});

test('a field is copied with one click, all of them as zone-file text', async ({ page, demo }) => {
  const domain = demo.domains.find(({ dns }) => dns.some(({ type }) => type === 'CNAME'))!;
  const record = domain.dns.find(({ type }) => type === 'CNAME')!;
  await page.goto(`/domains/${domain.name}`);
  const records = page.getByRole('region', { name: 'DNS records' });
  const row = records.getByRole('row').filter({ hasText: record.value }).first();
  await row.getByRole('button', { name: 'Copy value' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied value' })).toBeAttached();
  expect(await pasted(page)).toBe(record.value);

  await page.goto(`/domains/${domain.name}`);
  await records.getByRole('button', { name: 'Copy as zone file' }).click();
  const text = await pasted(page);
  // Without a check the zone is not known.
  expect(text).not.toContain('$ORIGIN');
  for (const { type, name } of domain.dns) expect(text).toContain(`${name}.\tIN\t${type}\t`);
});

test('on a phone the priority of an MX record is whole, and in front of its target @sweep', async ({ page, demo }) => {
  const domain = demo.domains.find(({ dns }) => dns.some(({ type, is_valid }) => type === 'MX' && is_valid))!;
  const mx = domain.dns.find(({ type, is_valid }) => type === 'MX' && is_valid)!;
  const [priority = '', target = ''] = mx.value.split(/\s+/);
  for (const width of [390, 360, 320]) {
    await page.setViewportSize({ width, height: 720 });
    await page.goto(`/domains/${domain.name}`);
    const row = page.getByRole('region', { name: 'DNS records' }).getByRole('row').filter({ hasText: mx.name });
    const value = row.getByRole('cell').filter({ has: page.getByText(target, { exact: true }) });
    const shown = value.locator('code').first();
    await expect(shown).toHaveText(priority);
    const [whole, room] = await shown.evaluate((code) => [code.scrollWidth, code.clientWidth]);
    expect(whole, `pixels of the priority at ${width}`).toBeLessThanOrEqual(room ?? 0);
    // Cut with an ellipsis where it does not fit, but not to nothing.
    expect(
      await value
        .locator('code')
        .last()
        .evaluate((code) => code.clientWidth),
    ).toBeGreaterThan(80);
  }
});

test('its sender addresses are paged, and a broken domain says that they are affected', async ({ page, demo }) => {
  const domain = withAddresses(demo.domains, demo.addresses, 11);
  const total = demo.addresses[domain.uuid] ?? 0;
  await page.goto(`/domains/${domain.name}`);
  await expect(page.getByText(`All ${total} addresses are affected`)).toBeVisible();
  // Not how many are broken: those that propagate count as broken until the service looks again.
  await expect(page.getByText('land in spam until the DNS records are correct.')).toBeVisible();
  const addresses = page.getByRole('region', { name: 'sender addresses', exact: true });
  await expect(addresses.getByRole('row')).toHaveCount(11);
  await expect(addresses.getByRole('row').nth(1)).toContainText(`@${domain.name}`);
  await turnTo(page, 'Next page');
  await expect(addresses.getByRole('navigation')).toContainText(`11–${Math.min(20, total)} of ${total}`);
});

test('an unknown domain is told, not shown as an error', async ({ page }) => {
  await page.goto('/domains/no-such.example');
  await expect(page.getByText('This workspace has no such domain')).toBeVisible();
  await page.getByRole('link', { name: 'All domains' }).click();
  await expect(page).toHaveURL('/domains');
});

import { expect, test as base } from '../support/fixtures.ts';
import { startHostileProxy, type HostileProxy } from '../support/hostileProxy.ts';
import { startSendroom, type Sendroom } from '../support/startSendroom.ts';
import { enterToken, lookUp, startHeading } from '../support/steps.ts';
import { subscription } from '../support/subscription.ts';

// A gateway for a service with the five operations only.

const test = base.extend<object, { behind: HostileProxy; gateway: Sendroom }>({
  behind: [
    async ({ sendroom }, provide) => {
      const behind = await startHostileProxy(sendroom.url);
      await provide(behind);
      await behind.close();
    },
    { scope: 'worker' },
  ],
  gateway: [
    async ({ behind }, provide) => {
      // No resolver answers there: this test is not about the DNS.
      const gateway = await startSendroom({ UPSTREAM_URL: behind.url, DEMO: 'off', DNS_SERVERS: '127.0.0.1:9' });
      await provide(gateway);
      await gateway.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ gateway }, provide) => provide(gateway.url),
});

test.beforeEach(async ({ page, demo, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await page.goto('/');
  await enterToken(page, demo.token, demo.workspace);
  await expect(startHeading(page)).toBeVisible();
});

test('a contact is found by identity, read and unsubscribed @bare', async ({ page, person, demo }) => {
  await lookUp(page, String(demo.busiest.contact.attributes.email));
  const events = page.getByRole('region', { name: 'Story', exact: true });
  await expect(events.locator('summary').first()).toBeVisible();

  await lookUp(page, ` ${String(person.attributes.email).toUpperCase()} `);
  await subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(
    page.getByRole('region', { name: 'Subscription' }).getByText('Unsubscribed', { exact: true }),
  ).toBeVisible();
});

test('domains are listed, and the gateway checks their DNS @bare @sweep', async ({ page, behind, demo }) => {
  // The interface does not say by which columns a service sorts: this one by none.
  behind.answer(/^\/v1\/domains\?.*sorting/, 403);
  const domain = demo.domains.find(({ dns }) => dns.length > 1)!;
  await page.goto(`/domains?search=${domain.name}`);
  await page.getByRole('link', { name: domain.name, exact: true }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const records = page.getByRole('region', { name: 'DNS records' });
  await expect(page.getByText(/^Checked at/)).toBeVisible({ timeout: 30_000 });
  // Each listed record, and what the check advises on besides: nothing is reachable.
  const unknown = records.getByText('Unknown', { exact: true });
  await expect.poll(() => unknown.count()).toBeGreaterThan(domain.dns.length);
  await expect(records.getByText(/^(Right|Needs fixing|Advice)$/)).toHaveCount(0);
  behind.calm();
});

import type { CheckLine, Finding } from '#contract/domains/dnsCheck.ts';
import type { Domain } from '#contract/domains/domain.ts';
import { head, openDomain } from '../support/dnsChecks.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

const RIGHT: Finding = {
  result: 'ok',
  code: 'MATCH',
  expected: null,
  found: [],
  diagnosis: 'It is published and correct.',
  turn: null,
  cause: null,
  confirmed_by: null,
  zone: null,
  fix: null,
  until: null,
  evidence: [],
  dig: 'dig x.test TXT',
};

function createLines(domain: Domain, finding: Partial<Finding>): string {
  const all = { ...RIGHT, ...finding };
  const lines: CheckLine[] = [
    ...domain.dns.map((record, index) => ({ kind: 'record' as const, index, record, finding: all })),
    // Minutes: the page's clock runs during the steps of the test.
    { kind: 'end', checked_at: new Date().toISOString(), again_in: 450, domain },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

test.beforeEach(({ page, demo }) => signIn(page, demo));

// When it checks again, and what it announces: src/domains/check/dnsWatch.service.test.tsx.
test('watching goes on on other pages, and notifies you outside the tab @additions', async ({ page, demo }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const notified: string[] = [];
    class Notification {
      static readonly permission = 'granted';
      constructor(title: string, { body }: { body: string }) {
        notified.push(`${title}: ${body}`);
      }
    }
    document.hasFocus = () => false;
    Object.assign(window, { Notification, notified });
  });
  const domain = await openDomain(page, demo, 'notify.initech.example');
  let checks = 0;
  await page.route('**/v1/domains/*/check', (route) => {
    const body = createLines(domain, checks++ === 0 ? { result: 'pending', code: 'CACHED_NEGATIVE' } : {});
    return route.fulfill({ contentType: 'application/x-ndjson', body });
  });
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(head(page)).toContainText('Watching: next check at');
  await expect(page).toHaveTitle(`Watching ${domain.name} · Sendroom`);
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await page.clock.fastForward(500_000);
  const toast = page.getByRole('group', { name: 'Just done' });
  await expect(toast).toContainText(`${domain.name} All DNS records are OK.`);
  expect(await page.evaluate(() => (window as unknown as { notified: string[] }).notified)).toEqual([
    `${domain.name}: All DNS records are OK.`,
  ]);
  await toast.getByRole('link', { name: domain.name }).click();
  await expect(page).toHaveTitle(`OK: ${domain.name} · Sendroom`);
});

test('watching can be stopped, and asks for notifications only on a click @additions @sweep', async ({
  page,
  demo,
}) => {
  await page.addInitScript(() => {
    const Notification = {
      permission: 'default',
      requestPermission: async () => {
        Notification.permission = 'granted';
        return Notification.permission;
      },
    };
    Object.assign(window, { Notification });
  });
  await openDomain(page, demo, 'notify.globex.example');
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(head(page)).toContainText('pauses after an hour in the background');
  const notify = page.getByRole('button', { name: 'Notify me outside this tab' });
  await notify.click();
  await expect(notify).toHaveCount(0);
  await expect(head(page)).not.toContainText('pauses after');
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await expect(page).toHaveTitle('notify.globex.example · Sendroom');
});

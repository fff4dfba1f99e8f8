import type { Page } from '@playwright/test';
import type { CheckLine, Finding } from '#contract/dnsCheck.ts';
import type { Domain } from '#contract/domain.ts';
import { openDomain, records } from '../support/dnsChecks.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

/** Answers every check with `next`, instead of the service. */
async function answerChecks(page: Page, next: () => CheckLine[]): Promise<void> {
  await page.route('**/v1/domains/*/check', (route) =>
    route.fulfill({
      contentType: 'application/x-ndjson',
      body: next()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    }),
  );
}

const RIGHT: Finding = {
  result: 'ok',
  code: 'MATCH',
  expected: null,
  found: [],
  diagnosis: 'It is published and correct.',
  turn: null,
  zone: null,
  fix: null,
  until: null,
  evidence: [],
  dig: 'dig x.test TXT',
};

/** The same finding for every record of `domain`. */
function createLines(domain: Domain, finding: Partial<Finding>): CheckLine[] {
  return [
    ...domain.dns.map((record, index) => ({
      kind: 'record' as const,
      index,
      record,
      finding: { ...RIGHT, ...finding },
    })),
    { kind: 'end', checked_at: new Date().toISOString(), again_in: 45, domain },
  ];
}

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('watching asks again when it may, on other pages too, and tells when all is right @additions', async ({
  page,
  demo,
}) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const told: string[] = [];
    class Notification {
      static readonly permission = 'granted';
      constructor(title: string, { body }: { body: string }) {
        told.push(`${title}: ${body}`);
      }
    }
    document.hasFocus = () => false;
    Object.assign(window, { Notification, told });
  });
  const domain = await openDomain(page, demo, 'notify.initech.example');
  let asked = 0;
  await answerChecks(page, () => {
    asked++;
    const until = new Date(Date.now() + 40_000).toISOString();
    const finding = asked < 3 ? ({ result: 'pending', code: 'CACHED_NEGATIVE', until } as const) : {};
    // Minutes, beside which it does not count how long the steps of the test take: the clock of the page goes on.
    return createLines(domain, finding).map((line) => (line.kind === 'end' ? { ...line, again_in: 450 } : line));
  });
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(records(page)).toContainText('Watching: checks again at');
  await expect(page.locator('#announcements')).toHaveText(
    new RegExp(`^Watching ${domain.name}; checks again at .*\\. ${domain.dns.length} propagating\\.$`),
  );
  await expect(page).toHaveTitle(`Watching ${domain.name} · Sendroom`);
  await page.clock.fastForward(400_000);
  expect(asked).toBe(1);
  await page.clock.fastForward(100_000);
  await expect.poll(() => asked).toBe(2);
  await expect(records(page)).toContainText('Watching: checks again at');

  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await page.clock.fastForward(500_000);
  const toast = page.getByRole('group', { name: 'Just done' });
  await expect(toast).toContainText(`${domain.name} All its DNS records are correct.`);
  expect(await page.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual([
    `${domain.name}: All its DNS records are correct.`,
  ]);
  await page.clock.fastForward(1_200_000);
  expect(asked).toBe(3);
  await toast.getByRole('link', { name: domain.name }).click();
  await expect(page).toHaveTitle(`Correct: ${domain.name} · Sendroom`);
});

test('watching can be stopped, and a person is asked about notifications only on their click @additions @sweep', async ({
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
  await expect(records(page)).toContainText('pauses after an hour in the background');
  const ask = page.getByRole('button', { name: 'Notify me outside this tab' });
  await ask.click();
  await expect(ask).toHaveCount(0);
  await expect(records(page)).not.toContainText('pauses after');
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await expect(page).toHaveTitle('notify.globex.example · Sendroom');
});

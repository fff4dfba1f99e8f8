import type { Page } from '@playwright/test';
import type { DetailedDomainReport, Span } from '#contract/domains/domainHistory.ts';
import type { Domain } from '#contract/domains/domain.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import type { Demo } from '../support/demo.ts';
import { check, head, openDomain, openRecord, records, shownOf } from '../support/dnsChecks.ts';
import { expect, test } from '../support/fixtures.ts';
import { confirm, pasted, press, signIn } from '../support/steps.ts';

// Five records, of which three are wrong, one spreads and one is right, and two DMARC records.
const DOMAIN = 'mail.cafe-central.example';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const heightOf = (page: Page) => page.evaluate(() => document.querySelector('main')?.scrollHeight ?? 0);

test('three wrong records of five fit on a screen and a third @additions', async ({ page, demo }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openDomain(page, demo, DOMAIN);
  await check(page);
  await expect(head(page)).toContainText('Needs fixing: 3 of 5');
  await expect(page.getByRole('button', { name: 'Receivers' })).toBeVisible();
  expect(await heightOf(page)).toBeLessThanOrEqual(1200);
  // What is right is one line.
  const right = records(page).getByRole('group').filter({ hasText: /^OK/ }).first();
  expect((await right.boundingBox())?.height).toBeLessThan(40);
});

for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 768],
  ['dark', 320],
] as const) {
  test(`everything open is accessible: ${scheme}, ${width} pixels @additions @sweep`, async ({ page, demo }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    const domain = await openDomain(page, demo, DOMAIN);
    await check(page);
    await showHistory(page, demo, domain);
    await press(page, 'Receivers');
    await press(page, 'DMARC phase');
    await press(page, 'Sender addresses');
    await openRecord(page, 0);
    await page.getByRole('slider').first().press('Home');
    await expect(page.getByRole('group', { name: 'Found at the first check' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await press(page, 'Show as a table');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
}

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

/** Opens the page with a history: the DMARC record became weaker and came twice, with a pause of 20 days. */
async function showHistory(page: Page, demo: Demo, domain: Domain): Promise<void> {
  const response = await page.request.get(`/v1/domain-reports/${domain.uuid}`, {
    headers: { authorization: `Bearer ${demo.token}` },
  });
  const report = ((await response.json()) as { data: DetailedDomainReport }).data;
  const dmarc = report.verdicts.find(({ subject }) => subject === 'dmarc')!;
  const span = (from: number, to: number, result: Span['result'], found: string[]): Span => ({
    subject: 'dmarc',
    kind: 'advice',
    turn: null,
    cause: null,
    result,
    code: dmarc.code,
    started_at: ago(from),
    ended_at: ago(to),
    finding: { ...dmarc.finding, result, found, diagnosis: `Found ${found.join(' and ')}.` },
  });
  const spans = [
    span(10, 0, 'warn', ['v=DMARC1; p=none', 'v=DMARC1; p=reject']),
    span(40, 10.1, 'ok', ['v=DMARC1; p=none']),
    span(80, 60, 'ok', ['v=DMARC1; p=quarantine']),
  ];
  await page.route('**/v1/domains/*/history?*', (route) =>
    route.fulfill({
      json: {
        data: spans,
        meta: { current_page: 1, per_page: 100, total: spans.length, last_page: 1, has_next: false },
      },
    }),
  );
  await page.goto(`/domains/${domain.name}?history=open`);
  await expect(page.getByRole('slider', { name: 'DMARC' })).toBeVisible();
}

test('a strip says what changed, between which looks, and by the keyboard @additions', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, DOMAIN);
  await check(page);
  await showHistory(page, demo, domain);
  const strip = page.getByRole('slider', { name: 'DMARC' });
  await strip.focus();
  await expect(strip).toHaveAttribute('aria-valuetext', /^Advice \(More than one DMARC record\), /);
  await page.keyboard.press('ArrowLeft');
  await expect(strip).toHaveAttribute('aria-valuetext', /^OK, /);
  await expect(page.getByText('p: quarantine → none, weaker')).toBeVisible();
  await expect(page.getByText(/^Changed between .* and .*, then the same until/)).toBeVisible();
  await expect(page.getByRole('group', { name: 'Before' })).toContainText('v=DMARC1; p=quarantine');
  await expect(page.getByRole('group', { name: 'After' })).toContainText('v=DMARC1; p=none');
  await page.keyboard.press('End');
  await expect(page.getByText('added: v=DMARC1; p=reject')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('group', { name: 'After' })).toHaveCount(0);
  // One tab stop.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Show as a table' })).toBeFocused();

  // A click where nobody looked is about the nearest look.
  const box = (await strip.boundingBox())!;
  await page.mouse.click(box.x + box.width * (34 / 90), box.y + box.height / 2);
  await expect(page.getByText('p: quarantine → none, weaker')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Found at the first check' })).toContainText('v=DMARC1; p=quarantine');

  await press(page, 'Show as a table');
  const table = page.getByRole('region', { name: 'History as a table' });
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').nth(2)).toContainText('p: quarantine → none, weaker');
});

test('a domain that sends no bulk mail is asked for less, by the same receivers @additions', async ({ page, demo }) => {
  await openDomain(page, demo, 'acme.example');
  await check(page);
  const receivers = page.getByRole('region', { name: 'Receivers' });
  await expect(receivers).toContainText('Refuses Gmail');
  await press(page, 'Receivers');
  const gmail = receivers.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Gmail/ }) });
  await expect(gmail).toContainText('A DMARC record applies to the From domain.');
  await expect(gmail).toContainText('Look at DMARC.');
  await expect(gmail).toContainText('since 1 Feb 2024');
  await expect(receivers).toContainText('Gmail never takes the status back');
  await receivers.getByLabel('Sends in bulk').click();
  await expect(receivers).toContainText(/Accepts Gmail/);
  await page.reload();
  await expect(receivers).toContainText(/Accepts Gmail/);
  await receivers.getByLabel('Sends in bulk').click();
  await expect(receivers).toContainText('Refuses Gmail');
});

test('the next step of DMARC is a record to copy @additions', async ({ page, demo }) => {
  await openDomain(page, demo, 'acme.example');
  await check(page);
  await press(page, 'DMARC phase');
  const phase = page.getByRole('region', { name: 'DMARC phase' });
  await expect(phase).toContainText('no record. Next: monitoring (p=none with reports)');
  await expect(phase.getByRole('list', { name: 'Conditions of the next step' })).toContainText('Not met');
  await phase.getByLabel('Mailbox for reports').fill('dmarc@acme.example');
  await phase.getByRole('button', { name: /^Copy value to enter/ }).click();
  expect(await pasted(page)).toBe('v=DMARC1; p=none; rua=mailto:dmarc@acme.example');
});

test('an accepted fault is grey, with who, why and until when, and counts again at the end @additions', async ({
  page,
  demo,
}) => {
  await openDomain(page, demo, 'notify.globex.example');
  await check(page);
  const counted = /^Needs fixing: (\d) of 5/;
  await expect(head(page)).toContainText(counted);
  const before = Number(counted.exec(await head(page).innerText())?.[1]);
  const place =
    Number(
      /\d+/.exec(
        (await records(page)
          .getByRole('group', { name: /^Record/ })
          .first()
          .getAttribute('aria-label')) ?? '',
      )?.[0],
    ) - 1;
  await openRecord(page, place);
  await shownOf(page, place).getByRole('button', { name: 'Accept this fault…' }).click();
  const dialog = page.getByRole('dialog');
  await confirm(page, 'Accept');
  await expect(dialog.getByText('Enter a reason. Others will ask.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The old provider until March');
  await confirm(page, 'Accept');
  await expect(dialog).toBeHidden();
  await expect(shownOf(page, place)).toContainText(/^Accepted/);
  await expect(shownOf(page, place)).toContainText('The old provider until March');
  await expect(head(page)).toContainText(`Needs fixing: ${before - 1} of 5`);

  await page.reload();
  await expect(shownOf(page, place)).toContainText(/^Accepted/);
  await openRecord(page, place);
  await shownOf(page, place).getByRole('button', { name: 'Stop accepting…' }).click();
  await confirm(page, 'Stop accepting');
  await expect(head(page)).toContainText(`Needs fixing: ${before} of 5`);
});

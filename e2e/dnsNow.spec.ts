import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import type { Finding } from '#contract/dnsCheck.ts';
import type { Domain } from '#contract/domain.ts';
import { answerChecks, check, createLines, openDomain, openRecord, records, RIGHT, shownOf } from './dnsChecks.ts';
import { expect } from './fixtures.ts';
import { test } from './hostileProxy.ts';
import { pasted, signIn } from './steps.ts';

// The DNS of the demo (server/demo/demoZones.ts). A check changes the stored verdicts in the database of its worker.

const CHECK = /\/check$/;
const FAILED_TO_LOAD = /Failed to load resource/;

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('every record is shown with what the DNS says now, why, and what to type @additions', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'mail.orsted-marine.example');
  await expect(records(page).getByText('Not checked', { exact: true })).toHaveCount(domain.dns.length);
  await check(page);
  await expect(records(page)).toContainText('2 correct; 1 correct, with advice; 1 needs fixing; 1 propagating.');

  const spreading = shownOf(page, 1);
  await expect(spreading).toContainText('Propagating');
  await expect(spreading).toContainText('The service can see it once the old answers are gone.');
  await expect(spreading.getByText(/^Old answers live until/)).toContainText(/\d\d:\d\d:\d\d/);

  await expect(shownOf(page, 3)).toContainText('Correct, with advice');

  const wrong = shownOf(page, 4);
  await expect(wrong).toContainText('2 SPF records. Receivers accept only one');
  // One of them is the right one; the other is marked as a whole.
  await expect(wrong.locator('mark')).toHaveText('v=spf1 include:spf.mail.example.net -all');
  const names = await page
    .getByRole('button', { name: /^Copy/ })
    .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? button.textContent));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  await wrong.getByRole('button', { name: 'Copy value to enter' }).click();
  expect(await pasted(page)).toBe('v=spf1 include:spf.mail.example.net -all');
  await wrong.getByRole('button', { name: 'Copy host to enter' }).click();
  expect(await pasted(page)).toBe('bounce.mail');
});

/** The stored domain of that name, with changes. */
async function alter(page: Page, name: string, change: Partial<Domain>): Promise<void> {
  await page.route('**/v1/domains?*', async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { data: Domain[] };
    const data = list.data.map((domain) => (domain.name === name ? { ...domain, ...change } : domain));
    await route.fulfill({ response, json: { ...list, data } });
  });
}

test('a domain without records is asked about for advice @additions @sweep', async ({ page, demo }) => {
  const name = 'notify.initech.example';
  await alter(page, name, { dns: [] });
  const domain = { ...(await openDomain(page, demo, name)), dns: [] };
  await expect(records(page)).toContainText('No records to check; a check still gives advice.');
  await expect(page.getByRole('button', { name: 'Watch' })).toHaveCount(0);
  const finding: Finding = { ...RIGHT, result: 'fail', diagnosis: 'There is no DMARC policy.' };
  await answerChecks(page, () => createLines(domain, {}, { kind: 'advice', about: 'dmarc', finding }));
  await check(page);
  await expect(records(page).getByText(/^Checked at/)).toContainText('No records to check.');
  await expect(page.getByRole('region', { name: 'Advice' })).toContainText('There is no DMARC policy.');

  await page.goto(`/domains?view=matrix&search=${name}`);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('No records to check');
  await row.getByRole('button', { name: `Check ${name}` }).click();
  await expect(page.locator('#announcements')).toContainText(`${name}: No records to check`);
  await expect(row).toContainText('advice');
});

test('a record that counts as valid and is gone is an alarm @additions', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'blue-harbour.example');
  const { name } = domain.dns[0]!;
  await check(page);
  const alarm = page.getByRole('alert');
  await expect(alarm).toContainText('A record broke since the last check');
  await expect(alarm).toContainText(`CNAME ${name}`);
  const lost = shownOf(page, 0);
  await expect(lost).toContainText('The service still counts this record as valid, but it is not.');
  await expect(lost).toContainText(`Nothing exists at ${name}.`);
  await openRecord(page, 1);
  await expect(shownOf(page, 1)).toContainText('Published and accepted.');

  await lost.getByText(/^Evidence/).click();
  await expect(lost.getByText(/^ns1\.dns\.example/)).toContainText('NXDOMAIN, no record');
  const command = await lost.getByText(/^dig /).textContent();
  await lost.getByRole('button', { name: 'Copy dig command' }).click();
  expect(await pasted(page)).toBe(command);
});

test('rows come one by one, and a check can be stopped @additions', async ({ page, demo, hostile }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  hostile.answer(CHECK, 'slow-stream');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(records(page)).toContainText(`Checking: 1 of ${domain.dns.length} known.`);
  await expect(records(page).getByText('Checking', { exact: true })).toHaveCount(domain.dns.length - 1);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(records(page)).toContainText(`The check was not finished: 1 of ${domain.dns.length} known.`);
  await expect(records(page).getByText('Not checked', { exact: true })).toHaveCount(domain.dns.length - 1);

  hostile.answer(CHECK, 'slow-stream');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(records(page)).toContainText('1 of 5 known.');
  hostile.calm();
  await expect(records(page).getByText(/^Checked at/)).toBeVisible();
  await expect(records(page).getByText('Not checked', { exact: true })).toHaveCount(0);
});

test('a refusal and a stream that breaks off are told, and what was found stays @additions @sweep', async ({
  page,
  demo,
  hostile,
  faults,
}) => {
  faults.expect(FAILED_TO_LOAD);
  await openDomain(page, demo, 'notify.globex.example');
  hostile.answer(CHECK, 'broken-stream');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('alert')).toContainText('The check broke off before its end.', { timeout: 20_000 });
  await expect(records(page)).toContainText('The check was not finished: 1 of 5 known.');

  hostile.answer(CHECK, 429);
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await expect(records(page)).toContainText('Trying again. The service asks us to slow down');
  await expect(page.getByRole('alert')).toContainText('The service asks us to slow down', { timeout: 20_000 });

  hostile.calm();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await expect(records(page).getByText(/^Checked at/)).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();

  hostile.answer(CHECK, 401);
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});

test('advice stands apart, and text of the DNS is only text @additions @sweep', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'notify.initech.example');
  const hostile = 'v=spf1 \u202ella- <img src=x onerror=alert(1)>\u0000';
  const finding: Finding = {
    ...RIGHT,
    result: 'fail',
    expected: 'v=DMARC1; p=none',
    found: [hostile, 'p'.repeat(2000)],
    diagnosis: `There is no DMARC policy: ${hostile}`,
  };
  await answerChecks(page, () => createLines(domain, {}, { kind: 'advice', about: 'dmarc', finding }));
  await check(page);
  const advice = page.getByRole('region', { name: 'Advice' });
  await expect(advice).toContainText('Optional improvements');
  await expect(advice.getByRole('heading', { name: 'DMARC' })).toBeVisible();
  await expect(advice).toContainText('[U+202E]lla- <img src=x onerror=alert(1)>[U+0000]');
  await expect(advice).not.toContainText('Needs fixing');
  await expect(page.getByRole('alert')).toBeHidden();
  const more = advice.getByRole('button', { name: 'Show all 2,000 characters' });
  await more.click();
  await expect(advice.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true');
});

test('what is wrong is copied as a note, the records saved as a zone file, the check copied as a command', async ({
  page,
  demo,
}) => {
  const domain = await openDomain(page, demo, 'eu.mail.globex.example');
  await page.getByRole('button', { name: 'Copy note' }).click();
  const note = await pasted(page);
  expect(note).toContain(`DNS of ${domain.name}\n`);
  // Without a check it is not known how many need a change.
  expect(note).toContain(
    `${domain.dns.length} of ${domain.dns.length} records were not valid when the mail service last looked.\n`,
  );
  expect(note).not.toMatch(/Host|a change/);
  for (const { name } of domain.dns) expect(note).toContain(name);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save zone file' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`${domain.name}.zone`);
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^\$TTL 3600\n/);
});

test('after a check, the note says what the DNS has wrong @additions @sweep', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  expect(await pasted(page)).toContain(`/v1/domains/${domain.uuid}/check' \\\n  --request POST`);
  await check(page);
  // The right value at a wrong name: there is no comparison.
  await expect(shownOf(page, 1)).toContainText('The record was created at');
  await expect(shownOf(page, 1).getByText('Expected')).toHaveCount(0);
  await expect(shownOf(page, 2).getByText('Expected')).toBeVisible();
  await page.getByRole('button', { name: 'Copy note' }).click();
  const note = await pasted(page);
  expect(note).toContain('The record was created at');
  expect(note).toMatch(/\n {3}Type {7}CNAME\n {3}Host {7}\S+\n {14}in full: \S+\n {3}Value {6}\S+\n/);
  expect(note).toContain('\n   Your turn: DNS records\n');
  // The note counts what the page shows as wrong, and the zone file knows the zone of the demo.
  const wrong = await records(page).getByText('Needs fixing', { exact: true }).count();
  expect(note).toMatch(new RegExp(`\n${wrong} of ${domain.dns.length} records needs? a change, as the DNS was at `));
  await page.getByRole('button', { name: 'Copy as zone file' }).click();
  expect(await pasted(page)).toMatch(/^\$ORIGIN globex\.example\.\n\$TTL 3600\n/);
});

test('a service that cannot check shows the stored verdicts only @bare', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  await expect(records(page).getByRole('row')).toHaveCount(domain.dns.length + 1);
  await expect(records(page).getByRole('columnheader')).toHaveText(['Type', 'Host', 'Value', 'Last result']);
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Watch' })).toHaveCount(0);
});

import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { check, head, openDomain, openRecord, records, shownOf } from '../support/dnsChecks.ts';
import { expect } from '../support/fixtures.ts';
import { test } from '../support/hostileProxy.ts';
import { pasted, signIn } from '../support/steps.ts';

// The DNS of the demo (server/demo/demoDns.ts). A check changes the stored verdicts in the database of its worker.

const CHECK = /\/check$/;

const listed = (page: Page) => records(page).getByRole('group', { name: /^Record \d+$/ });

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('every record shows its live result, the reason, and what to enter @additions', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'mail.orsted-marine.example');
  await expect(listed(page)).toHaveCount(domain.dns.length);
  await check(page);
  await expect(head(page)).toContainText('Needs fixing: 1 of 5');

  const spreading = shownOf(page, 1);
  await expect(spreading).toContainText('Propagating');
  await expect(spreading).toContainText(/until \d\d:\d\d:\d\d; there's nothing to change\. \(.* left\)/);

  await expect(shownOf(page, 3)).toContainText('Advice');

  const wrong = shownOf(page, 4);
  await expect(wrong).toContainText('2 SPF records. Receivers accept only one');
  // One of them is the right one; the other is marked as a whole.
  await expect(wrong.locator('mark')).toHaveText('v=spf1 include:spf.mail.example.net ~all');
  // Two times of one name copy the same.
  const names = await page
    .getByRole('button', { name: /^Copy (?!\d{4}-)/ })
    .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? button.textContent));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  await wrong.getByRole('button', { name: 'Copy value to enter' }).click();
  expect(await pasted(page)).toBe('v=spf1 include:spf.mail.example.net -all');
  await wrong.getByRole('button', { name: 'Copy host to enter' }).click();
  expect(await pasted(page)).toBe('bounce.mail');
});

test('a record that is gone needs fixing, for everybody, also after a reload @additions', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'blue-harbour.example');
  const { name } = domain.dns[0]!;
  await check(page);
  await expect(head(page)).toContainText(/^Needs fixing: 1 of 6 · 9 addresses affected/);
  const lost = shownOf(page, 0);
  await expect(lost).toContainText('The provider still has this record as OK, until it checks again.');
  await expect(lost.getByTitle(`Nothing exists at ${name}.`)).toBeVisible();
  await openRecord(page, 1);
  await expect(shownOf(page, 1)).toContainText('is published and correct.');

  await openRecord(page, 0);
  await expect(lost.getByText(/^ns1\.dns\.example/)).toContainText('NXDOMAIN, no record');
  const command = await lost.getByText(/^dig /).textContent();
  await lost.getByRole('button', { name: 'Copy dig command' }).click();
  expect(await pasted(page)).toBe(command);

  await page.reload();
  await expect(head(page)).toContainText(/^Needs fixing: 1 of 6/);
});

test('rows arrive one by one, and a check can be stopped @additions', async ({ page, demo, hostile }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  hostile.answer(CHECK, 'slow-stream');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(head(page)).toContainText(`Checking: 1 of ${domain.dns.length} records.`);
  await expect(listed(page).getByText('Checking', { exact: true })).toHaveCount(domain.dns.length - 1);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(head(page)).toContainText(`The check was interrupted: 1 of ${domain.dns.length} records.`);

  hostile.answer(CHECK, 'slow-stream');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(head(page)).toContainText('1 of 5 records.');
  hostile.calm();
  await expect(head(page).getByText(/^Checked at/)).toBeVisible();
});

test('problems are copied as a note, and changes saved as a file', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  await expect(listed(page)).toHaveCount(domain.dns.length);
  const failed = await listed(page)
    .filter({ hasText: /^Needs fixing/ })
    .count();
  await page.getByRole('button', { name: 'Send to the DNS person' }).click();
  await page.getByRole('button', { name: 'Copy note' }).click();
  // A dialog makes the page inert.
  await page.keyboard.press('Escape');
  const note = await pasted(page);
  expect(note).toContain(`DNS of ${domain.name}\n`);
  expect(note).toContain(`${failed} of ${domain.dns.length} records failed`);

  await page.getByRole('button', { name: 'Send to the DNS person' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('combobox', { name: 'Format of the changes' }).selectOption('CSV');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`${domain.name}.csv`);
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^action,zone,name,type,/);
});

test('a service that cannot check shows stored verdicts only @bare', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  await expect(records(page).getByRole('group')).toHaveCount(domain.dns.length);
  await expect(records(page).getByText('Needs fixing', { exact: true })).toHaveCount(
    domain.dns.filter(({ is_valid }) => !is_valid).length,
  );
  await expect(page.getByRole('button', { name: 'Check', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Watch' })).toHaveCount(0);
});

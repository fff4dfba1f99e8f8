import { readFile } from 'node:fs/promises';
import { check, openDomain, openRecord, records, shownOf } from '../support/dnsChecks.ts';
import { expect } from '../support/fixtures.ts';
import { test } from '../support/hostileProxy.ts';
import { pasted, signIn } from '../support/steps.ts';

// The DNS of the demo (server/demo/demoDns.ts). A check changes the stored verdicts in the database of its worker.

const CHECK = /\/check$/;

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('every record shows its live result, the reason, and what to enter @additions', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'mail.orsted-marine.example');
  await expect(records(page).getByText('Not checked', { exact: true })).toHaveCount(domain.dns.length);
  await check(page);
  await expect(records(page)).toContainText('2 OK, 1 with a warning, 1 pending, 1 failed.');

  const spreading = shownOf(page, 1);
  await expect(spreading).toContainText('Pending');
  await expect(spreading.getByText(/^Cached until/)).toContainText(/\d\d:\d\d:\d\d/);

  await expect(shownOf(page, 3)).toContainText('Warning');

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

test('a stored valid record that is gone raises an alarm @additions', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'blue-harbour.example');
  const { name } = domain.dns[0]!;
  await check(page);
  const alarm = page.getByRole('alert');
  await expect(alarm).toContainText('A record failed since the last check');
  await expect(alarm).toContainText(`CNAME ${name}`);
  const lost = shownOf(page, 0);
  await expect(lost).toContainText('The service still has this record as OK.');
  await expect(lost).toContainText(`Nothing exists at ${name}.`);
  await openRecord(page, 1);
  await expect(shownOf(page, 1)).toContainText('is published and correct.');

  await lost.getByText(/^Evidence/).click();
  await expect(lost.getByText(/^ns1\.dns\.example/)).toContainText('NXDOMAIN, no record');
  const command = await lost.getByText(/^dig /).textContent();
  await lost.getByRole('button', { name: 'Copy dig command' }).click();
  expect(await pasted(page)).toBe(command);
});

test('rows arrive one by one, and a check can be stopped @additions', async ({ page, demo, hostile }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  hostile.answer(CHECK, 'slow-stream');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(records(page)).toContainText(`Checking: 1 of ${domain.dns.length} records.`);
  await expect(records(page).getByText('Checking', { exact: true })).toHaveCount(domain.dns.length - 1);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(records(page)).toContainText(`The check was interrupted: 1 of ${domain.dns.length} records.`);
  await expect(records(page).getByText('Not checked', { exact: true })).toHaveCount(domain.dns.length - 1);

  hostile.answer(CHECK, 'slow-stream');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(records(page)).toContainText('1 of 5 records.');
  hostile.calm();
  await expect(records(page).getByText(/^Checked at/)).toBeVisible();
  await expect(records(page).getByText('Not checked', { exact: true })).toHaveCount(0);
});

test('problems are copied as a note, and changes saved as a file', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'eu.mail.globex.example');
  await page.getByRole('button', { name: 'Copy note' }).click();
  const note = await pasted(page);
  expect(note).toContain(`DNS of ${domain.name}\n`);
  for (const { name } of domain.dns) expect(note).toContain(name);

  const downloading = page.waitForEvent('download');
  await page.getByRole('combobox', { name: 'Format of the changes' }).selectOption('CSV');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`${domain.name}.csv`);
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^action,zone,name,type,/);
});

test('a service that cannot check shows stored verdicts only @bare', async ({ page, demo }) => {
  const domain = await openDomain(page, demo, 'notify.globex.example');
  await expect(records(page).getByRole('row')).toHaveCount(domain.dns.length + 1);
  await expect(records(page).getByRole('columnheader')).toHaveText(['Type', 'Host', 'Value', 'Last result']);
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Watch' })).toHaveCount(0);
});

import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn, updateAsCaller } from '../support/steps.ts';
import { nameOf } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const tableOf = (page: Page, what: string) => page.getByRole('group', { name: `Table of ${what}` });
const dialog = (page: Page, what: string) => page.getByRole('dialog', { name: `Columns of ${what}` });

async function openContacts(page: Page, search = ''): Promise<void> {
  await page.goto(`/contacts${search}`);
  await expect(tableOf(page, 'contacts').getByRole('row').nth(1).getByRole('cell').first()).toBeVisible();
}

async function openChoice(page: Page, what: string): Promise<void> {
  await page.getByRole('button', { name: `Columns of ${what}` }).click();
  await expect(dialog(page, what)).toBeVisible();
}

/** Without the column of checkboxes. */
const headings = (table: Locator) => table.getByRole('columnheader').filter({ hasText: /./ }).allInnerTexts();

test('a hidden column stays hidden after a sign-out, and is still exported @additions', async ({ page, demo }) => {
  await openContacts(page);
  const table = tableOf(page, 'contacts');
  expect(await headings(table)).toEqual(['Name', 'Email', 'Subscription', 'Company', 'Updated', 'Created']);
  await openChoice(page, 'contacts');
  // The name identifies a row.
  await expect(dialog(page, 'contacts').getByLabel('Name')).toHaveCount(0);
  await dialog(page, 'contacts').getByLabel('Company').uncheck();
  await page.keyboard.press('Escape');
  const without = ['Name', 'Email', 'Subscription', 'Updated', 'Created'];
  expect(await headings(table)).toEqual(without);

  await page.getByRole('button', { name: 'Export and share contacts' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const [head] = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
  expect(head).toContain('attributes.company');
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await signIn(page, demo);
  await openContacts(page);
  expect(await headings(table)).toEqual(without);

  await openChoice(page, 'contacts');
  await dialog(page, 'contacts').getByRole('button', { name: 'Reset to default' }).click();
  await expect(dialog(page, 'contacts').getByLabel('Company')).toBeChecked();
  await page.keyboard.press('Escape');
  expect(await headings(table)).toHaveLength(6);
});

test('on a tablet the table fits, and you can add a column; a wider window shows more @additions @sweep', async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 800 });
  await openContacts(page, '?subscribed=false');
  const table = tableOf(page, 'contacts');
  expect(await headings(table)).toEqual(['Name', 'Email', 'Subscription', 'Company']);
  await expectNoSidewaysScroll(page);
  expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
  await openChoice(page, 'contacts');
  await expect(dialog(page, 'contacts').getByLabel('Updated')).not.toBeChecked();
  await expectAccessible(page);
  await dialog(page, 'contacts').getByLabel('Updated').check();
  await page.keyboard.press('Escape');
  expect(await headings(table)).toEqual(['Name', 'Email', 'Subscription', 'Company', 'Updated']);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => headings(table)).toHaveLength(6);
});

test('an attribute becomes a column that sorts, those without it come last @additions', async ({
  page,
  demo,
  person,
}) => {
  const name = 'score % of 1';
  await page.goto(`/contacts/${person.uuid}`);
  await updateAsCaller(page, demo, person.uuid, { [name]: 7 });
  await openContacts(page, `?search=${encodeURIComponent(String(person.attributes.email))}`);
  await openChoice(page, 'contacts');
  await dialog(page, 'contacts').getByLabel(name).check();
  await page.keyboard.press('Escape');
  const table = tableOf(page, 'contacts');
  expect(await headings(table)).toContain(name);
  await openContacts(page);
  for (const order of ['ascending', 'descending']) {
    await table.getByRole('button', { name }).click();
    await expect(table.getByRole('columnheader', { name })).toHaveAttribute('aria-sort', order);
    await expect(table.getByRole('rowheader').first()).toHaveText(nameOf(person));
  }
  await page.reload();
  await expect(table.getByRole('rowheader').first()).toHaveText(nameOf(person));
});

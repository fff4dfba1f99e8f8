import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

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

/** The headings that are visible, without the marks of the order. */
const headings = (table: Locator) => table.getByRole('columnheader').allInnerTexts();

test('on a tablet the table fits, and no badge is cut @additions', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 800 });
  await openContacts(page, '?subscribed=false');
  const table = tableOf(page, 'contacts');
  await expect(table.getByText('Unsubscribed', { exact: true }).first()).toBeVisible();
  expect(await headings(table)).toEqual(['Name', 'Email', 'Subscription', 'Company']);
  expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
  const cut = await table
    .getByText('Unsubscribed', { exact: true })
    .evaluateAll((badges) => badges.filter((badge) => badge.scrollWidth > badge.clientWidth).length);
  expect(cut).toBe(0);
});

test('“I never need the company.” A hidden column stays hidden after a reload and a sign-out, and is still exported @additions', async ({
  page,
  demo,
}) => {
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await openContacts(page);
  const table = tableOf(page, 'contacts');
  expect(await headings(table)).toEqual(['Name', 'Email', 'Subscription', 'Company', 'Updated', 'Created']);
  await openChoice(page, 'contacts');
  // The name is what a row is called by.
  await expect(dialog(page, 'contacts').getByLabel('Name')).toHaveCount(0);
  await dialog(page, 'contacts').getByLabel('Company').uncheck();
  await page.keyboard.press('Escape');
  const without = ['Name', 'Email', 'Subscription', 'Updated', 'Created'];
  expect(await headings(table)).toEqual(without);

  await page.reload();
  await expect(table.getByRole('cell').first()).toBeVisible();
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
  await dialog(page, 'contacts').getByRole('button', { name: 'Show the usual columns' }).click();
  await expect(dialog(page, 'contacts').getByLabel('Company')).toBeChecked();
  await page.keyboard.press('Escape');
  expect(await headings(table)).toHaveLength(6);
});

test('rows in the order of a hidden column say so, and the order can be changed @additions', async ({ page }) => {
  await openContacts(page, '?sort=-updated_at');
  const table = tableOf(page, 'contacts');
  const order = page.getByLabel('Sort by');
  await expect(order).toBeHidden();
  const names = await table.getByRole('link').allInnerTexts();
  await openChoice(page, 'contacts');
  await dialog(page, 'contacts').getByLabel('Updated').uncheck();
  await page.keyboard.press('Escape');
  // Hiding a column does not change the order, nor the link that one shares.
  await expect(order).toBeVisible();
  await expect(order).toHaveValue('-updated_at');
  await expect(page).toHaveURL(/sort=-updated_at/);
  expect(await table.getByRole('link').allInnerTexts()).toEqual(names);

  await order.selectOption('email');
  await expect(table.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(order).toBeHidden();
});

test('a column that a narrow window leaves out can be chosen there, and a wider window shows no less @additions', async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 800 });
  await openContacts(page);
  const table = tableOf(page, 'contacts');
  await openChoice(page, 'contacts');
  await expect(dialog(page, 'contacts').getByLabel('Updated')).not.toBeChecked();
  await dialog(page, 'contacts').getByLabel('Updated').check();
  await page.keyboard.press('Escape');
  expect(await headings(table)).toEqual(['Name', 'Email', 'Subscription', 'Company', 'Updated']);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => headings(table)).toHaveLength(6);
});

test('the columns of events are chosen with the keyboard alone, and another table keeps its own', async ({
  page,
  demo,
}) => {
  await page.goto(`/contacts/${demo.busiest.contact.uuid}?view=table`);
  const table = tableOf(page, 'events');
  await expect(table.getByRole('cell').first()).toBeVisible();
  await page.getByRole('button', { name: 'Columns of events' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'events').getByRole('heading')).toBeFocused();
  const box = dialog(page, 'events').getByLabel('Attributes');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(box).toBeFocused();
  await page.keyboard.press('Space');
  await expect(box).not.toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Columns of events' })).toBeFocused();
  expect(await headings(table)).toEqual(['Time', 'Event']);
  // As days there are no columns to choose.
  await page.getByRole('button', { name: 'Timeline', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Columns of events' })).toHaveCount(0);
});

test('times in the future stay within their column @additions', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.route('**/v1/contacts?*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: object[] };
    const time = '2126-11-28T19:30:00.000Z';
    const data = answer.data.map((contact) => ({ ...contact, created_at: time, updated_at: time }));
    await route.fulfill({ response, json: { ...answer, data } });
  });
  await openContacts(page);
  const times = page.getByRole('row').nth(1).locator('time');
  await expect(times).toHaveCount(2);
  const [updated, created] = await Promise.all([times.first().boundingBox(), times.last().boundingBox()]);
  expect((updated?.x ?? 0) + (updated?.width ?? 0)).toBeLessThan(created?.x ?? 0);
});

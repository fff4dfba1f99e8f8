import type { Page } from '@playwright/test';
import { plan, readList } from './deskPage.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

// Whom somebody has ticked or unticked stays so.

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

/** Ticks a row of the list of contacts, and goes to the desk with it. */
async function tickContact(page: Page, row: number): Promise<void> {
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await page.getByRole('row').nth(row).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Unsubscribe 1 in bulk' }).click();
}

test('contacts that are added leave those of the list as they are @additions', async ({ page }) => {
  await readList(page, 'Name;E-Mail\nJane;jane@x.test\nBob;bob@x.test');
  const jane = page.getByRole('checkbox', { name: 'Unsubscribe jane@x.test' });
  await jane.uncheck();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
  await tickContact(page, 1);
  await page.getByRole('button', { name: 'Add to this list' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'ticked in the list of contacts' })).toHaveCount(1);
  await expect(jane).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeVisible();
  await expect(plan(page)).toContainText('Read by the column “E-Mail”.');
  await page.reload();
  await expect(jane).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeVisible();
});

test('contacts that are added to a file are told apart from it @additions @sweep', async ({ page }) => {
  await page.goto('/desk');
  const buffer = Buffer.from('jane@x.test\nbob@x.test');
  await page.getByLabel('File with the list').setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer });
  await expect(plan(page)).toContainText('2 entries read from list.txt. Up to 2 will be unsubscribed');
  for (const [each, sum] of ['1 contact', '2 contacts'].entries()) {
    await tickContact(page, each + 1);
    await page.getByRole('button', { name: 'Add to this list' }).click();
    await expect(plan(page)).toContainText(`2 entries read from list.txt, ${sum} added. Up to ${3 + each} will`);
  }
  await page.reload();
  await expect(plan(page)).toContainText('2 entries read from list.txt, 2 contacts added. Up to 4 will');
});

test('the focus stays on the page when the question about ticked contacts is answered @additions @sweep', async ({
  page,
}) => {
  await readList(page, 'jane@x.test');
  for (const answer of ['Keep this list as it is', 'Add to this list', 'Replace this list']) {
    await tickContact(page, 1);
    const button = page.getByRole('button', { name: answer });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(button).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
  }
});

test('a row that is ticked among those left out stays there, under the pointer and under the keys @sweep', async ({
  page,
  person,
}) => {
  const email = String(person.attributes.email);
  await readList(
    page,
    `From: ${email}\nSubject: stop\nDate: x\n\nPlease remove my address and send invoices to billing@corp.test and bills@corp.test`,
  );
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  const boxes = page.getByRole('row').getByRole('checkbox');
  await expect(boxes).toHaveCount(3);
  // The second click of a double click, too, is about the same person.
  await boxes.first().dblclick();
  for (const box of await boxes.all()) await expect(box).not.toBeChecked();
  await expect(boxes).toHaveCount(3);

  await page.keyboard.press('Home');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(boxes.nth(1)).toBeChecked();
  await expect(boxes.nth(1)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(boxes.nth(2)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeVisible();
  await expect(page.getByText('2 of 3 selected in this view')).toBeVisible();

  // Chosen anew, the filter shows who is left out now.
  await page.getByRole('button', { name: /^Left out/ }).click();
  await page.getByRole('button', { name: /^Left out/ }).click();
  await expect(boxes).toHaveCount(1);
});

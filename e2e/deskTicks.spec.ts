import { plan, readList } from './deskPage.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

// Whom somebody has ticked or unticked stays so.

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('contacts that are added leave those of the list as they are @additions', async ({ page }) => {
  await readList(page, 'Name;E-Mail\nJane;jane@x.test\nBob;bob@x.test');
  const jane = page.getByRole('checkbox', { name: 'Unsubscribe jane@x.test' });
  await jane.uncheck();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Unsubscribe 1 in bulk' }).click();
  await page.getByRole('button', { name: 'Add to this list' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'ticked in the list of contacts' })).toHaveCount(1);
  await expect(jane).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeVisible();
  await expect(plan(page)).toContainText('Read by the column “E-Mail”.');
  await page.reload();
  await expect(jane).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeVisible();
});

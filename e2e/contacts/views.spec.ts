import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

/** Moves the focus by Tab until it's on the control. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const label = await page.evaluate(() => {
      const { activeElement: focused } = document;
      return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
    });
    if (name.test(label)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab doesn't reach ${name}.`);
}

test('a list is saved as a view, shared, found, changed and deleted with the keyboard @additions', async ({ page }) => {
  const rail = page.getByRole('navigation', { name: 'Views of contacts' });
  const bar = page.getByRole('group', { name: 'View', exact: true });
  const dialog = page.getByRole('dialog');
  await page.goto('/contacts?filter=-subscribed+reason%3Acomplaint&sort=-updated_at');
  await expect(bar.getByRole('button', { name: 'Save view' })).toBeVisible();
  await tabTo(page, /^Save view$/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Complaints');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(bar).toHaveText('ComplaintsSharedViews');
  await expect(rail.getByRole('link', { name: 'Complaints' })).toHaveAttribute('aria-current', 'page');

  // Another filter is another list; the palette finds the view.
  await page.goto('/contacts?filter=-subscribed');
  await expect(bar).toHaveText('Save viewViews');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('complaints');
  await expect(page.getByRole('option', { name: 'Complaints shared' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/contacts\?filter=-subscribed\+reason%3Acomplaint&sort=-updated_at$/);
  await expect(bar).toHaveText('ComplaintsSharedViews');

  await tabTo(page, /^Change the view Complaints$/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Marked as spam');
  await page.keyboard.press('Enter');
  await expect(rail.getByRole('link')).toHaveText(['Marked as spam', 'Enterprise']);
  await tabTo(page, /^Change the view Marked as spam$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Delete view$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Delete$/);
  await page.keyboard.press('Enter');
  await expect(rail.getByRole('link')).toHaveText(['Enterprise']);
});

test('a view has the columns of the page, and a name again replaces it @additions', async ({ page, faults }) => {
  faults.expect(/422 .*\/v1\/contacts/);
  const bar = page.getByRole('group', { name: 'View', exact: true });
  const dialog = page.getByRole('dialog');
  const headers = page.getByRole('columnheader');
  await page.goto('/contacts?search=an&columns=-company+attributes.plan');
  await expect(headers.filter({ hasText: 'plan' })).toBeVisible();
  await expect(headers.filter({ hasText: 'Company' })).toBeHidden();
  await bar.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByLabel('Name').fill('Plans');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(bar).toHaveText('PlansViews');
  await page.goto('/contacts?search=ann&columns=-company+attributes.plan');
  await bar.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByLabel('Name').fill('plans');
  await expect(dialog).toContainText('You already have a view with this name. It will show this list instead.');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(bar).toHaveText('PlansViews');
  await page.goto('/contacts');
  await page.getByRole('navigation', { name: 'Views of contacts' }).getByRole('link', { name: 'Plans' }).click();
  await expect(page).toHaveURL(/search=ann&columns=-company/);
  await expect(headers.filter({ hasText: 'plan' })).toBeVisible();
  // What can't be read is said as for any link.
  await page.evaluate(async () => {
    const headers = { 'sendroom-console': '1', 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Broken', query: 'filter=created%3Asoon', shared: false });
    await fetch('/v1/views', { method: 'POST', headers, body });
  });
  await page.reload();
  await page.getByRole('navigation', { name: 'Views of contacts' }).getByRole('link', { name: 'Broken' }).click();
  await expect(page.getByText('At character 1: created needs a year, month, day or time')).toBeVisible();
});

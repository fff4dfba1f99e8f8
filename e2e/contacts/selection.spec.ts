import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { must } from '#contract/values/must.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const bar = (page: Page) => page.getByRole('group', { name: 'Selected contacts' });

async function addContacts(page: Page, attributes: readonly object[]): Promise<string[]> {
  return page.evaluate(async (all) => {
    const headers = { 'sendroom-console': '1', 'content-type': 'application/json' };
    const uuids: string[] = [];
    for (const one of all) {
      const body = JSON.stringify({ attributes: one });
      const response = await fetch('/v1/contacts', { method: 'POST', headers, body });
      const { data } = (await response.json()) as { data: { uuid: string } };
      await fetch(`/v1/contacts/${data.uuid}/unsubscribe`, { method: 'POST', headers, body: '{"reason":"other"}' });
      uuids.push(data.uuid);
    }
    return uuids;
  }, attributes);
}

test('selected contacts are subscribed again with a reason, and those that are refused are named @additions', async ({
  page,
  faults,
}) => {
  faults.expect(/404 .*\/(subscribe|changes)/);
  await page.goto('/contacts');
  const people = ['one', 'two', 'three'].map((last_name) => ({
    last_name,
    company: 'Resubscribed Ltd',
    email: `${last_name}@selection.example`,
  }));
  const [, , third] = await addContacts(page, people);
  await page.goto('/contacts?search=Resubscribed');
  await page.getByRole('checkbox', { name: 'Select all contacts on this page' }).check();
  await bar(page).getByRole('button', { name: 'Subscribe 3 again' }).click();
  // Somebody erases one of them meanwhile.
  const uuid = must(third);
  await page.evaluate(async (one) => {
    const headers = { 'sendroom-console': '1', 'content-type': 'application/json' };
    await fetch(`/v1/contacts/${one}/erasure`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ identity: 'three@selection.example' }),
    });
  }, uuid);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Subscribe again' }).click();
  await expect(dialog.getByText('Enter a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Unsubscribed by mistake');
  await dialog.getByRole('button', { name: 'Subscribe again' }).click();
  await expect(
    dialog.getByRole('paragraph').filter({ hasText: '2 of 3 contacts are subscribed again.' }),
  ).toBeVisible();
  await expect(dialog.getByRole('link')).toHaveText(['three']);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(bar(page)).toContainText('1 selected');
  await expect(page.getByRole('table', { name: 'contacts' }).getByText('Subscribed', { exact: true })).toHaveCount(2);
});

test('selected contacts are exported with the shown columns, and no formula @additions', async ({ page }) => {
  await page.goto('/contacts');
  await addContacts(page, [{ email: 'a@formula.example', last_name: '=1+1', company: 'Formula Ltd', plan: '@SUM(1)' }]);
  await page.goto('/contacts?search=Formula&columns=-company+-updated_at+-created_at+attributes.plan');
  await page.getByRole('checkbox', { name: 'Select =1+1' }).check();
  const downloading = page.waitForEvent('download');
  await bar(page).getByRole('button', { name: 'Export' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  const [head = '', row = ''] = text.trim().split('\r\n');
  expect(head.replace('\uFEFF', '')).toBe(
    'uuid,attributes.first_name,attributes.last_name,attributes.email,subscribed,attributes.plan',
  );
  expect(row.slice(36)).toBe(",,'=1+1,a@formula.example,false,'@SUM(1)");
});

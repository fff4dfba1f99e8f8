import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const rows = (page: Page): Locator => page.locator('[aria-label="Table of log entries"] tbody tr:not([aria-hidden])');

async function unsubscribe(page: Page, demo: { workspace: string; token: string }, uuid: string, run?: string) {
  const response = await page.request.post(`/v1/workspaces/${demo.workspace}/contacts/${uuid}/unsubscribe`, {
    headers: { authorization: `Bearer ${demo.token}`, ...(run !== undefined && { 'sendroom-run': run }) },
  });
  expect(response.status()).toBe(200);
}

test('“who unsubscribed her, and what else did they do?” @additions', async ({ page, demo, person }) => {
  const run = crypto.randomUUID();
  await unsubscribe(page, demo, person.uuid, run);
  await page.goto(`/activity?contact=${person.uuid}&action=unsubscribe`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('Unsubscribed');
  await rows(page).first().getByRole('link', { name: 'demo' }).click();
  await expect(page).toHaveURL(/\/activity\?actor=[0-9a-f-]{36}$/);
  await expect(page.getByRole('button', { name: 'Who: demo' })).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Signed in' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Who: demo' }).click();
  await expect(page).toHaveURL(/\/activity$/);

  await page.getByRole('searchbox', { name: 'Search the audit log' }).fill(run);
  await expect(rows(page)).toHaveCount(1);
  await rows(page).first().getByRole('link').nth(1).click();
  await expect(page).toHaveURL(new RegExp(`/contacts/${person.uuid}$`));
});

test('actions and days are filters in the URL @additions', async ({ page }) => {
  await page.goto('/desk');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page).toHaveTitle('Audit log · Sendroom');
  await page.getByRole('combobox', { name: 'What happened' }).selectOption('Token created');
  await expect(page).toHaveURL(/action=token_create/);
  await expect(rows(page).filter({ hasText: 'Token created: crm-sync, editor' })).toHaveCount(1);
  await page.getByLabel('From', { exact: true }).fill('2035-01-01');
  await expect(rows(page)).toHaveCount(0);
  await expect(page).toHaveURL(/from=2035-01-01/);
  await page.getByLabel('To', { exact: true }).fill('2034-12-31');
  await expect(page.getByRole('alert').filter({ hasText: '“To” is before “From”' })).toBeVisible();
  await page.getByLabel('From', { exact: true }).fill('');
  await page.getByLabel('To', { exact: true }).fill('2035-01-01');
  await expect(page).toHaveURL(/to=2035-01-01/);
  await expect(rows(page).first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2035-01-01');
  await expect(rows(page).filter({ hasText: 'Token created' }).first()).toBeVisible();
});

test('typing a day is one step of the history @additions @sweep', async ({ page }) => {
  await page.goto('/activity');
  await expect(rows(page).first()).toBeVisible();
  const from = page.getByLabel('From', { exact: true });
  await from.focus();
  // 10 October, in either order of day and month. The year is valid from its first digit on.
  await page.keyboard.type('10102');
  await expect(page).toHaveURL(/from=0002-10-10/);
  await page.keyboard.type('026');
  await expect(page).toHaveURL(/from=2026-10-10&zone=Europe%2FBerlin$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/activity$/);
  await expect(from).toHaveValue('');
  await page.goForward();
  await expect(from).toHaveValue('2026-10-10');
});

// Days in time zones: src/auditLog/queries.test.ts.
test('a link with days keeps their time zone, and shows it @additions @sweep', async ({ page }) => {
  const request = page.waitForRequest((request) => request.url().includes('from=2026-09-30T11'));
  await page.goto('/activity?from=2026-10-01&zone=Pacific%2FAuckland&to=2026-10-02');
  await request;
  const own = page.waitForRequest((request) => request.url().includes('from=2026-09-30T22'));
  await page.getByRole('button', { name: 'Days in: Pacific/Auckland' }).click();
  await own;
  await expect(page.getByRole('button', { name: /^Days in/ })).toHaveCount(0);
});

test('an export has a line in the log before its rows are read @additions', async ({ page, faults }) => {
  await page.goto('/contacts?search=adeyemi');
  await page.getByRole('button', { name: 'Export and share contacts' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await saved;
  await page.goto('/activity?action=export');
  await expect(rows(page).first()).toContainText('Exported contacts');
  await expect(rows(page).first().getByRole('link', { name: 'demo' })).toBeVisible();

  // Without a line in the log, no row is read.
  faults.expect(/v1\/exports/);
  await page.route('**/v1/exports', (route) => route.abort());
  const read: string[] = [];
  await page.goto('/contacts');
  await expect(page.getByRole('button', { name: 'Export and share contacts' })).toBeVisible();
  page.on('request', (request) => void (request.url().includes('/v1/contacts?') && read.push(request.url())));
  await page.getByRole('button', { name: 'Export and share contacts' }).click();
  await page.getByRole('button', { name: 'Save as NDJSON' }).click();
  await expect(page.getByRole('dialog').getByText('No contacts were saved.')).toBeVisible({ timeout: 30_000 });
  expect(read.filter((url) => url.includes('per_page=100'))).toEqual([]);
});

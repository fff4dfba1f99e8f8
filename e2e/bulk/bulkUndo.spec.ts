import type { Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from '../support/demo.ts';
import { readList, receipt } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { readAsCaller, runList, signIn } from '../support/steps.ts';
import { readChanges } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

/** A list of three subscribed contacts, and of one that was unsubscribed before. */
async function readFour(page: Page, demo: Demo, unusedPeople: Contact[]): Promise<string[]> {
  const uuids = [...unusedPeople.splice(-3), demo.unsubscribed].map(({ uuid }) => uuid);
  await readList(page, uuids.join('\n'));
  return uuids;
}

const areSubscribed = async (page: Page, demo: Demo, uuids: readonly string[]) =>
  Promise.all(uuids.map(async (uuid) => (await readAsCaller(page, demo, uuid)).subscribed));

test('undoing a list resubscribes everyone it unsubscribed, despite a killed tab @additions', async ({
  page,
  context,
  demo,
  unusedPeople,
  faults,
}) => {
  faults.expect(/status of 503/);
  const people = await readFour(page, demo, unusedPeople);
  await runList(page, 3);
  await expect(receipt(page)).toContainText('3 unsubscribed, 1 already unsubscribed');
  let tries = 0;
  await page.route('**/subscribe', (route) => {
    tries++;
    return route.fulfill({ status: 503, json: {} });
  });
  await page.getByRole('button', { name: 'Undo this list' }).click();
  const question = page.getByRole('dialog', { name: 'Subscribe 3 contacts again?' });
  await expect(question.getByLabel('Reason')).toHaveValue('Undo of a bulk unsubscribe');
  await question.getByLabel('Reason').fill('Wrong list, ticket 4711');
  await question.getByRole('button', { name: 'Subscribe 3 again' }).click();
  await expect.poll(() => tries).toBeGreaterThan(2);
  await page.close();

  const next = await context.newPage();
  await next.goto('/domains');
  await next.getByRole('link', { name: /Bulk unsubscribe\s*, 3 left/ }).click();
  await next.getByRole('region', { name: 'Undo paused' }).getByRole('button', { name: 'Resume (3 left)' }).click();
  await expect(receipt(next)).toContainText('3 subscribed again');
  await expect(next.getByRole('link', { name: /left/ })).toBeHidden();
  await expect(next.getByRole('button', { name: 'Undo this list' })).toBeHidden();
  expect(await areSubscribed(next, demo, people)).toEqual([true, true, true, false]);
  expect(await readChanges(next, demo, people[0] ?? '')).toMatchObject([
    { action: 'subscribe', reason: 'Wrong list, ticket 4711' },
    { action: 'unsubscribe' },
  ]);
});

test('only selected rows are unsubscribed @additions', async ({ page, demo, unusedPeople }) => {
  const people = await readFour(page, demo, unusedPeople);
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Subscribed 3' }).click();
  await page.getByLabel('3 of 3 selected in this view').uncheck();
  await expect(page.getByRole('button', { name: 'Record a reason for 1' })).toBeVisible();
  await page.getByRole('row').nth(2).getByRole('checkbox').check();
  await runList(page, 1);
  await expect(receipt(page)).toContainText('1 unsubscribed, 1 already unsubscribed');
  await expect(receipt(page)).toContainText('2 left out');
  expect(await areSubscribed(page, demo, people)).toEqual([true, false, true, false]);
});

import type { Page } from '@playwright/test';
import type { Demo } from '../support/demo.ts';
import { plan, readList, receipt, stateOf } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';
import { readChanges } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

async function unsubscribe(page: Page, demo: Demo, contact: string, reason: string): Promise<void> {
  const answer = await page.request.post(`/v1/workspaces/${demo.workspace}/contacts/${contact}/unsubscribe`, {
    headers: { authorization: `Bearer ${demo.token}` },
    data: { reason },
  });
  expect(answer.status()).toBe(200);
}

test('a list of complaints records them also of who is unsubscribed already @additions', async ({
  page,
  demo,
  unusedPeople,
}) => {
  const [fresh = '', bounced = '', legal = ''] = unusedPeople.splice(-3).map(({ uuid }) => uuid);
  await unsubscribe(page, demo, bounced, 'bounce');
  await unsubscribe(page, demo, legal, 'legal');
  await readList(page, [fresh, bounced, legal].join('\n'));
  await expect(plan(page)).toContainText('1 will be unsubscribed; 2 already unsubscribed');
  await page.getByRole('button', { name: 'Unsubscribe 1', exact: true }).click();
  const question = page.getByRole('dialog');
  await question.getByLabel('Reason (optional)').selectOption('Mail bounced');
  await expect(question).not.toContainText('will be recorded');
  await question.getByLabel('Reason (optional)').selectOption('Marked mail as spam');
  await expect(question).toContainText(
    '2 already unsubscribed: the complaint will be recorded unless an equally strong reason is already recorded.',
  );
  await question.getByRole('button', { name: 'Unsubscribe 1', exact: true }).click();
  await expect(receipt(page)).toContainText(
    '1 unsubscribed, 1 already unsubscribed (complaint recorded), 1 already unsubscribed',
  );
  await expect(stateOf(page, bounced)).toContainText('Reason recorded');
  expect(await readChanges(page, demo, bounced)).toMatchObject([
    { action: 'unsubscribe', suppression: { reason: 'complaint' } },
    { action: 'unsubscribe', suppression: { reason: 'bounce' } },
  ]);
  expect(await readChanges(page, demo, legal)).toMatchObject([
    { action: 'unsubscribe_again' },
    { suppression: { reason: 'legal' } },
  ]);
  await receipt(page).getByRole('button', { name: 'Undo this list' }).click();
  const undo = page.getByRole('dialog', { name: 'Subscribe 1 contact again?' });
  await expect(undo).toContainText('1 contact was unsubscribed before and keeps the complaint recorded by this list.');
  await undo.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('1 already unsubscribed (reason recorded)');
});

test('a list of people who are all unsubscribed only records complaints @additions', async ({
  page,
  demo,
  unusedPeople,
}) => {
  const [bounced = ''] = unusedPeople.splice(-1).map(({ uuid }) => uuid);
  await unsubscribe(page, demo, bounced, 'bounce');
  await readList(page, bounced);
  await page.getByRole('button', { name: 'Record a reason for 1' }).click();
  const question = page.getByRole('dialog', { name: 'Record a reason for 1 contact?' });
  await expect(question.getByRole('button', { name: 'Record' })).toBeDisabled();
  await question.getByLabel('Reason (optional)').selectOption('Marked mail as spam');
  await question.getByRole('button', { name: 'Record' }).click();
  await expect(receipt(page)).toContainText('1 already unsubscribed (complaint recorded)');
  await expect(receipt(page).getByRole('button', { name: 'Undo this list' })).toBeHidden();
});

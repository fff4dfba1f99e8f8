import type { Page } from '@playwright/test';
import { createToken } from '../support/admin.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { Demo } from '../support/demo.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Sendroom } from '../support/startSendroom.ts';
import { enterToken, startHeading } from '../support/steps.ts';
import { toast, unsubscribeAsCaller } from '../support/subscription.ts';

// What a role cannot do is explained; it has no button.

async function signInAs(page: Page, sendroom: Sendroom, demo: Demo, role: string): Promise<void> {
  await page.goto('/sign-in');
  await enterToken(page, await createToken(sendroom.databaseUrl, demo.workspace, role));
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const subscription = (page: Page) => page.getByRole('region', { name: 'Subscription' });
const attributes = (page: Page) => page.getByRole('region', { name: 'Attributes' });

async function offersFor(page: Page, text: string): Promise<string[]> {
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await palette.getByRole('combobox').fill(text);
  await expect(palette).toContainText(/./);
  const names = await palette.getByRole('option').allTextContents();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  return names;
}

test('the role read sees everything, and why it cannot change it @additions', async ({
  page,
  sendroom,
  demo,
  person,
}) => {
  await signInAs(page, sendroom, demo, 'read');
  await expect(startHeading(page)).toBeVisible();
  await page.goto(`/contacts/${person.uuid}`);
  await expect(subscription(page)).toContainText('Unsubscribing needs the role Support; yours is Read only.');
  await expect(button(page, 'Unsubscribe')).toHaveCount(0);
  await expect(attributes(page)).toContainText('Editing needs the role Editor; yours is Read only.');
  await expect(button(page, 'Edit all')).toHaveCount(0);
  expect((await offersFor(page, 'unsubscribe')).filter((name) => name.startsWith('Unsubscribe'))).toEqual([]);
  await expectAccessible(page);

  await page.goto(`/contacts/${demo.unsubscribed.uuid}`);
  await expect(subscription(page)).toContainText('Subscribing again needs the role Support; yours is Read only.');
  await expect(button(page, 'Subscribe again')).toHaveCount(0);

  await page.goto('/contacts');
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  await expect(page.getByText('Unsubscribing needs the role Support; yours is Read only.')).toBeVisible();

  await page.goto('/desk');
  await expect(page.getByRole('status').filter({ hasText: 'Unsubscribing needs the role Support' })).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expectAccessible(page);
});

test('the role support unsubscribes, and cannot edit @additions', async ({ page, sendroom, demo, person }) => {
  await signInAs(page, sendroom, demo, 'support');
  await expect(startHeading(page)).toBeVisible();
  await page.goto(`/contacts/${person.uuid}`);
  await expect(attributes(page)).toContainText('Editing needs the role Editor; yours is Support.');
  await button(page, 'Unsubscribe').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(subscription(page)).toContainText('Unsubscribed');
  await expect(button(page, 'Subscribe again')).toBeVisible();
  await page.goto('/desk');
  await expect(page.getByRole('textbox').first()).toBeVisible();

  await expect(page.getByRole('link', { name: 'Team', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Your sessions' }).click();
  await expect(page).toHaveTitle('Your sessions · Sendroom');
  await expect(page.getByRole('row').filter({ hasText: 'This one' })).toHaveCount(1);
});

test('support records a complaint of somebody unsubscribed, and then sees who may subscribe them again @additions', async ({
  page,
  sendroom,
  demo,
  person,
}) => {
  await unsubscribeAsCaller(page, demo, person.uuid);
  await signInAs(page, sendroom, demo, 'support');
  await expect(startHeading(page)).toBeVisible();
  await page.goto(`/contacts/${person.uuid}`);
  await expect(button(page, 'Subscribe again')).toBeVisible();
  await page.getByLabel('More actions').click();
  await button(page, 'Record complaint…').click();
  const question = page.getByRole('dialog');
  await question.getByLabel('Ticket (optional)').fill('ZD-4711');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Record complaint', exact: true }).click();
  await expect(toast(page)).toContainText('was already unsubscribed. What you said was recorded.');
  await expect(subscription(page)).toContainText('Reason: Marked mail as spam, ticket ZD-4711');
  await expect(subscription(page)).toContainText(
    'After a complaint, subscribing again needs the role Admin; yours is Support.',
  );
  await expect(button(page, 'Subscribe again')).toHaveCount(0);
  await expect(button(page, 'Record complaint…')).toHaveCount(0);
});

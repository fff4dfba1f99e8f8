import type { Route } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { readAsCaller, signIn } from '../support/steps.ts';
import { readChanges, entries, nameOf, subscription, toast, unsubscribe } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('an unsubscribe is undone from its toast, also on the next page @additions', async ({ page, person, demo }) => {
  await page.goto(`/contacts/${person.uuid}`);
  await unsubscribe(page);
  await expect(toast(page)).toContainText(`${nameOf(person)} is unsubscribed.`);
  await page.getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText(`${nameOf(person)} is subscribed again.`);

  expect((await readAsCaller(page, demo, person.uuid)).subscribed).toBe(true);
  const [last] = await readChanges(page, demo, person.uuid);
  expect(last).toMatchObject({ action: 'subscribe', reason: 'Unsubscribe undone right away' });
  await toast(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast(page)).toHaveCount(0);
});

test('a failed call is reported on the page you went to @additions @sweep', async ({ page, person, faults }) => {
  faults.expect(/status of 403/);
  const held: Route[] = [];
  await page.route('**/unsubscribe', (route) => void held.push(route));
  await page.goto(`/contacts/${person.uuid}`);
  await subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect.poll(() => held.length).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  await held.pop()?.fulfill({ status: 403, json: {} });
  await expect(toast(page)).toContainText(`${nameOf(person)} was not unsubscribed.`);
  await expect(toast(page).getByRole('alert')).toContainText('The service does not allow this.');
  await page.clock.install();
  await page.clock.runFor(60_000);
  await toast(page)
    .getByRole('link', { name: nameOf(person) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: nameOf(person) })).toBeVisible();
});

test('the toast closes by itself, but not while hovered or focused @additions @sweep', async ({ page, person }) => {
  await page.clock.install();
  await page.goto(`/contacts/${person.uuid}`);
  await unsubscribe(page);
  await toast(page).hover();
  // The clock is stopped between steps.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await expect(toast(page)).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(10_000);
  await expect(toast(page)).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).focus();
  await page.clock.runFor(60_000);
  await expect(toast(page)).toBeVisible();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.clock.runFor(15_000);
  await expect(toast(page)).toHaveCount(0);
});

test('resubscribing needs a reason and removes the undo @additions', async ({ page, person, demo }) => {
  await page.goto(`/contacts/${person.uuid}`);
  await unsubscribe(page);
  await expect(toast(page)).toBeVisible();
  await subscription(page).getByRole('button', { name: 'Subscribe again' }).click();
  const question = page.getByRole('dialog', { name: `Subscribe ${nameOf(person)} again?` });
  await expect(question).toContainText('Only with their consent');
  await question.getByLabel('Reason').fill('   ');
  await question.getByRole('button', { name: 'Subscribe again' }).click();
  await expect(question).toContainText('Enter a reason.');
  expect((await readAsCaller(page, demo, person.uuid)).subscribed).toBe(false);

  await question.getByLabel('Reason').fill(' Asked for it by phone, ticket 4711 ');
  await question.getByRole('button', { name: 'Subscribe again' }).click();
  await expect(question).toBeHidden();
  await expect(page.locator('#announcements')).toHaveText(`${nameOf(person)} is subscribed again`);
  expect(await toast(page).count()).toBe(0);
  await expect(subscription(page)).toContainText('Subscribed');
  await expect(entries(page).first()).toContainText('Subscribed again');
  await expect(entries(page).first()).toContainText('Reason: Asked for it by phone, ticket 4711');
  expect((await readAsCaller(page, demo, person.uuid)).subscribed).toBe(true);
});

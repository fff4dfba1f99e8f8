import type { Locator, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { enterToken, readAsCaller, signIn } from './steps.ts';
import {
  readChanges,
  entries,
  history,
  nameOf,
  subscription,
  toast,
  unsubscribe,
  unsubscribeAsCaller,
} from './subscription.ts';

// Undo of an unsubscribe made just now, and subscribing a contact that asks for mail again.

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('an unsubscribe is undone from the message that says so, also on the next page @additions', async ({
  page,
  person,
  demo,
}) => {
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

test('a record that was asked for before the unsubscribe does not show the person as subscribed again @additions @sweep', async ({
  page,
  person,
}) => {
  await page.goto(`/contacts/${person.uuid}`);
  await expect(subscription(page)).toContainText('Subscribed');
  const release = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  await page.route(
    `**/v1/contacts/${person.uuid}`,
    async (route) => {
      const before = await route.fetch();
      asked.resolve();
      await release.promise;
      await route.fulfill({ response: before });
      over.resolve();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Refresh' }).first().click();
  await asked.promise;
  await unsubscribe(page);
  release.resolve();
  await over.promise;
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.goBack();
  await expect(subscription(page)).toContainText('Unsubscribed');
});

test('whoever goes on before it is known whether there is something to undo is offered it there @additions @sweep', async ({
  page,
  person,
}) => {
  await page.goto(`/contacts/${person.uuid}`);
  await expect(entries(page).or(history(page).getByText('No changes recorded yet.'))).not.toHaveCount(0);
  const goneOn = Promise.withResolvers<void>();
  await page.route('**/changes?*', async (route) => {
    await goneOn.promise;
    await route.continue();
  });
  await unsubscribe(page);
  await page.getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  goneOn.resolve();
  await expect(toast(page)).toContainText(`${nameOf(person)} is unsubscribed.`);
});

test('whoever closes the question while the call is under way is told how it ended @additions @sweep', async ({
  page,
  person,
  faults,
}) => {
  faults.expect(/status of 403/);
  const held: Route[] = [];
  await page.route('**/unsubscribe', (route) => void held.push(route));
  await page.goto(`/contacts/${person.uuid}`);
  const question = page.getByRole('dialog');
  const underWay = subscription(page).getByRole('button', { name: 'Unsubscribing …' });
  const askAndClose = async (close: () => Promise<void>) => {
    await subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    await expect.poll(() => held.length).toBe(1);
    await expect(question.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
    await close();
    await expect(question).toHaveCount(0);
    await expect(underWay).toBeVisible();
  };
  await askAndClose(() => question.getByRole('button', { name: 'Close' }).click());
  await held.pop()?.fulfill({ status: 403, json: {} });
  await expect(subscription(page).getByRole('alert')).toBeVisible();

  await askAndClose(() => page.keyboard.press('Escape'));
  await expect(subscription(page).getByRole('alert')).toHaveCount(0);
  await held.pop()?.continue();
  await expect(toast(page).getByRole('button', { name: 'Undo' })).toBeVisible();
  // The message is read out itself.
  await expect(page.getByRole('status').filter({ has: toast(page) })).toContainText(
    `${nameOf(person)} is unsubscribed`,
  );
  await expect(page.locator('#announcements')).toBeEmpty();
  await expect(subscription(page)).toContainText('Unsubscribed');
});

test('whoever goes elsewhere while the call is under way is told there that it has failed @additions @sweep', async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/status of 403/);
  const held: Route[] = [];
  await page.route(/\/(un)?subscribe$/, (route) => void held.push(route));
  const question = page.getByRole('dialog');
  const domains = page.getByRole('heading', { level: 1, name: 'Domains' });
  const leaveAndRefuse = async () => {
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Domains' }).click();
    await expect(domains).toBeVisible();
    await held.pop()?.fulfill({ status: 403, json: {} });
  };
  await page.goto(`/contacts/${person.uuid}`);
  await subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await leaveAndRefuse();
  await expect(toast(page)).toContainText(`${nameOf(person)} was not unsubscribed.`);
  await expect(toast(page).getByRole('alert')).toContainText('The service does not allow this.');
  // It stays until it was seen.
  await page.clock.install();
  await page.clock.runFor(60_000);
  await toast(page)
    .getByRole('link', { name: nameOf(person) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: nameOf(person) })).toBeVisible();
  await toast(page).getByRole('button', { name: 'Dismiss' }).click();

  await unsubscribeAsCaller(page, demo, person.uuid);
  await page.reload();
  await subscription(page).getByRole('button', { name: 'Subscribe again' }).click();
  await question.getByLabel('Reason').fill('Asked for it');
  await question.getByRole('button', { name: 'Subscribe again' }).click();
  await leaveAndRefuse();
  await expect(toast(page)).toContainText(`${nameOf(person)} was not subscribed again.`);
});

test('whoever signs out while the call is under way leaves nothing of it to those who sign in next @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  const signedOut = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route('**/unsubscribe', async (route) => {
    const response = await route.fetch();
    await signedOut.promise;
    await route.fulfill({ response });
    answered.resolve();
  });
  await page.goto(`/contacts/${person.uuid}`);
  await subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await enterToken(page, demo.token);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  signedOut.resolve();
  await answered.promise;
  // By now the page shows the state that was read after the sign-in.
  await page
    .getByRole('button', { name: 'Unsubscribe', exact: true })
    .or(subscription(page).getByText('Unsubscribed'))
    .first()
    .waitFor();
  await expect(toast(page)).toHaveCount(0);
  await expect(page.locator('#announcements')).not.toContainText(nameOf(person));
});

test('an undo that fails says so where it was asked for, and can be tried again @additions @sweep', async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/status of 503/);
  await page.goto(`/contacts/${person.uuid}`);
  await unsubscribe(page);
  await page.route('**/subscribe', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(toast(page).getByRole('alert')).toContainText('The service could not do this (503).');
  expect((await readAsCaller(page, demo, person.uuid)).subscribed).toBe(false);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('is subscribed again.');
  await expect(subscription(page)).toContainText('Subscribed');
});

test('the message goes by itself, but not while one points at it or has the focus in it @additions @sweep', async ({
  page,
  person,
}) => {
  await page.clock.install();
  await page.goto(`/contacts/${person.uuid}`);
  await unsubscribe(page);
  await toast(page).hover();
  // From here on the clock stands still between the steps, however long those take.
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

test('somebody is subscribed again after a question that wants a reason @additions', async ({ page, person, demo }) => {
  await unsubscribeAsCaller(page, demo, person.uuid);
  await page.goto(`/contacts/${person.uuid}`);
  await subscription(page).getByRole('button', { name: 'Subscribe again' }).click();
  const question = page.getByRole('dialog', { name: `Subscribe ${nameOf(person)} again?` });
  await expect(question).toContainText('Only with their consent');
  await question.getByLabel('Reason').fill('   ');
  await question.getByRole('button', { name: 'Subscribe again' }).click();
  await expect(question).toContainText('Say why.');
  expect((await readAsCaller(page, demo, person.uuid)).subscribed).toBe(false);

  await question.getByLabel('Reason').fill(' Asked for it by phone, ticket 4711 ');
  await question.getByRole('button', { name: 'Subscribe again' }).click();
  await expect(question).toBeHidden();
  await expect(subscription(page)).toContainText('Subscribed');
  await expect(entries(page).first()).toContainText('Subscribed again');
  await expect(entries(page).first()).toContainText('Reason: Asked for it by phone, ticket 4711');
  expect((await readAsCaller(page, demo, person.uuid)).subscribed).toBe(true);
});

const again = (within: Locator) => within.getByRole('button', { name: 'Subscribe again' }).click();

test('a reason that is too long is refused whole, and closing the question while it is sent stops nothing @additions @sweep', async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/status of 403/);
  await unsubscribeAsCaller(page, demo, person.uuid);
  await page.goto(`/contacts/${person.uuid}`);
  const question = page.getByRole('dialog');
  await again(subscription(page));
  await question.getByLabel('Reason').fill('x'.repeat(501));
  await expect(question.getByLabel('Reason')).toHaveValue('x'.repeat(501));
  await again(question);
  await expect(question).toContainText('This reason has 501 characters, 1 too many.');

  const held: Route[] = [];
  await page.route('**/subscribe', (route) => void held.push(route));
  const sendAndClose = async () => {
    await question.getByLabel('Reason').fill('x'.repeat(500));
    await again(question);
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(subscription(page).getByRole('button', { name: 'Subscribing …' })).toBeVisible();
  };
  await sendAndClose();
  await held.pop()?.fulfill({ status: 403, json: {} });
  await expect(subscription(page).getByRole('alert')).toBeVisible();
  await again(subscription(page));
  await sendAndClose();
  await held.pop()?.continue();
  await expect(subscription(page)).toContainText('Subscribed');
  await expect(page.locator('#announcements')).toHaveText(`${nameOf(person)} is subscribed again`);
});

test('subscribing again takes the offer to undo away @additions @sweep', async ({ page, person }) => {
  await page.goto(`/contacts/${person.uuid}`);
  await unsubscribe(page);
  await toast(page).getByRole('button', { name: 'Undo' }).focus();
  await subscription(page).getByRole('button', { name: 'Subscribe again' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Asked for it');
  await page.keyboard.press('Enter');
  await expect(subscription(page)).toContainText('Subscribed');
  await expect(toast(page)).toHaveCount(0);
});

import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { readAsCaller, signIn } from '../support/steps.ts';
import { nameOf } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const attributes = (page: Page) => page.getByRole('region', { name: 'Attributes' });
const firstName = (page: Page) => attributes(page).getByLabel('Value of first_name');
const notice = (page: Page) => attributes(page).getByText(/^Unsaved changes from \d\d:\d\d$/);

async function type(page: Page, uuid: string, value: string): Promise<void> {
  await page.goto(`/contacts/${uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  await firstName(page).fill(value);
}

test('a draft survives visiting another page, until it is discarded or saved @additions', async ({
  page,
  person,
  demo,
}) => {
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await type(page, person.uuid, 'Unsaved');
  const heading = page.getByRole('heading', { level: 1 });
  await page.getByRole('link', { name: 'Domains' }).click();
  await expect(heading).toHaveText('Domains');
  await page.goBack();
  await expect(firstName(page)).toHaveValue('Unsaved');
  await expect(notice(page)).toBeVisible();
  await page.goForward();
  await expect(heading).toHaveText('Domains');
  await page.goBack();
  await expect(firstName(page)).toHaveValue('Unsaved');
  await attributes(page).getByRole('button', { name: 'Discard' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeFocused();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(heading).toHaveText('Contacts');
  await page.goBack();
  await expect(heading).toHaveText(nameOf(person));
  await expect(notice(page)).toHaveCount(0);

  await type(page, person.uuid, 'Unsaved');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeVisible();
  expect((await readAsCaller(page, demo, person.uuid)).attributes['first_name']).toBe('Unsaved');
  await page.reload();
  await expect(heading).toHaveText(`Unsaved ${String(person.attributes.last_name)}`);
  expect(questions).toEqual([]);
});

test('closing the tab and signing out in any tab ask, and a sign-out deletes the draft @additions', async ({
  page,
  context,
  person,
  demo,
  faults,
}) => {
  faults.expect(/status of 401/);
  await type(page, person.uuid, 'Unsaved');
  await page.getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Domains');
  const opened = page.waitForEvent('dialog');
  // Not awaited: dismissing the dialog cancels it.
  void page.evaluate(() => window.location.reload());
  const question = await opened;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();

  const other = await context.newPage();
  await other.goto('/domains');
  const questions: string[] = [];
  other.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  const signOut = other.getByRole('button', { name: 'Sign out' });
  await signOut.click();
  await expect.poll(() => questions.length).toBe(1);
  await signOut.click();
  for (const tab of [page, other])
    await expect(tab.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  expect(questions).toEqual(
    Array.from({ length: 2 }, () => 'Another tab has unsaved changes or a running import. Sign out anyway?'),
  );
  await expect(page.getByText('Unsaved changes were discarded')).toBeVisible();
  await expect(other.getByText('Unsaved changes were discarded')).toHaveCount(0);
  await signIn(page, demo);
  await page.goto(`/contacts/${person.uuid}`);
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeVisible();
});

test('what you type during a save is kept, and saved with the next one @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  await type(page, person.uuid, 'First');
  const lastName = attributes(page).getByLabel('Value of last_name');
  const save = attributes(page).getByRole('button', { name: 'Save' });
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(`**/v1/contacts/${person.uuid}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    arrived.resolve();
    await released.promise;
    return route.continue();
  });
  await save.click();
  await arrived.promise;
  await lastName.fill('Later');
  released.resolve();
  await expect(attributes(page).getByText('One change', { exact: true })).toBeVisible();
  await expect(lastName).toHaveValue('Later');
  await expect(lastName).toBeFocused();
  expect((await readAsCaller(page, demo, person.uuid)).attributes['first_name']).toBe('First');
  await save.click();
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeVisible();
  expect((await readAsCaller(page, demo, person.uuid)).attributes).toMatchObject({
    first_name: 'First',
    last_name: 'Later',
  });
});

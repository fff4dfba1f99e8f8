import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { plan, readList, receipt, stateOf, UNKNOWN } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { pasted, runList, signIn } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('a pasted list is read, checked and run, and gets a receipt @additions', async ({
  page,
  demo,
  person,
  faults,
}) => {
  faults.expect(UNKNOWN);
  const email = String(person.attributes.email);
  const out = String(demo.unsubscribed.attributes.email);
  await readList(
    page,
    `To: Somebody <${email.toUpperCase()}>, nobody@nowhere.test\n${out}\nSomebody <${email}>\nvoid@\n${person.uuid}\n`,
  );
  await expect(stateOf(page, 'void@')).toHaveText('Unreadable');
  // A short list is checked by itself.
  // Only the check shows that an address and a UUID are one contact.
  await expect(
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Subscribed', exact: true }) }),
  ).toHaveCount(1);
  await expect(page.getByRole('row').filter({ hasText: 'Duplicate' })).toHaveCount(2);
  await expect(stateOf(page, 'nobody@nowhere.test')).toHaveText('Not found');
  await expect(stateOf(page, out)).toHaveText('Already unsubscribed');
  await expect(page.getByRole('button', { name: /^Check / })).toHaveCount(0);
  await expectAccessible(page);
  const answer = await page.request.get(`/v1/contacts/${person.uuid}`, { headers: { 'sendroom-console': '1' } });
  expect(await answer.json(), 'a check changes nothing').toMatchObject({ data: { subscribed: true } });

  await runList(page, 1);
  await expect(receipt(page)).toContainText('1 unsubscribed, 1 already unsubscribed');
  await expect(receipt(page)).toContainText(
    /From Acme Mail \(demo\)\. Between .* \(UTC\), started by "demo", run [0-9a-f-]{36}\./,
  );
  await expect(stateOf(page, email.toUpperCase())).toHaveText('Unsubscribed');
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  const file = await (await download).path();
  const lines = (await readFile(file, 'utf8')).split('\r\n');
  expect(lines[0]).toMatch(
    /^\uFEFFline,text,read as,result,name,email,company,contact,at \(UTC\),request id,why,workspace,run,started by,reason,ticket$/,
  );
  expect(lines[1]).toMatch(
    new RegExp(
      `^1,Somebody <${email.toUpperCase()}>,.*,Unsubscribed,.*,${email},.*,${person.uuid},20\\d\\d-.*Z,[0-9a-f-]{36},,Acme Mail \\(demo\\),[0-9a-f-]{36},demo,,$`,
    ),
  );
  expect(lines).toHaveLength(8);

  await page.getByRole('button', { name: 'Copy text for the ticket' }).click();
  expect(await pasted(page)).toContain('Unsubscribed from Acme Mail (demo): 1 of 6 entries read.');
});

test('a bare interface is enough, and a missing workspace ID is asked for @bare', async ({
  page,
  demo,
  person,
  faults,
}) => {
  faults.expect(UNKNOWN);
  await signIn(page, { ...demo, workspace: '' });
  const email = String(person.attributes.email);
  const out = String(demo.unsubscribed.attributes.email);
  await readList(page, `${email}\n${out}\nnobody@nowhere.test`);
  await expect(page.getByText('This service only reports whether a contact exists')).toBeVisible();
  await page.getByRole('button', { name: 'Check 3 first' }).click();
  await expect(stateOf(page, email)).toHaveText('Known');
  await expect(stateOf(page, 'nobody@nowhere.test')).toHaveText('Not found');

  await page.getByRole('button', { name: 'Unsubscribe 2' }).click();
  await page.getByLabel('Workspace ID').fill(demo.workspace);
  await runList(page, 2);
  await expect(receipt(page)).toContainText('1 unsubscribed, 1 already unsubscribed');
  await expect(receipt(page)).toContainText('1 not found');
});

test('a typed list is still there when you come back @additions', async ({ page, faults }) => {
  faults.expect(UNKNOWN);
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(`${dialog.type()} ${dialog.message()}`.trim());
    void dialog.dismiss();
  });
  await page.goto('/desk');
  const input = page.getByLabel('Who should be unsubscribed?');
  await input.fill('jane@example.com');
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible();
  // From another page, too.
  await page.getByRole('button', { name: 'Sign out' }).click();
  const question = 'confirm A text in Bulk unsubscribe was not read. Sign out and delete it from this browser?';
  await expect.poll(() => questions).toEqual([question]);
  await page.goBack();
  await expect(input).toHaveValue('jane@example.com');
  await page.reload();
  await expect(input).toHaveValue('jane@example.com');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(plan(page)).toContainText('1 entry read');
  await page.getByRole('button', { name: 'New list' }).click();
  await expect(input).toHaveValue('');
  await page.reload();
  expect(questions).toHaveLength(1);
});

test('one tab holds the list; when you leave it, another continues @additions', async ({ page, person }) => {
  await readList(page, person.uuid);
  const other = await page.context().newPage();
  await other.goto('/desk');
  await expect(other.getByText('Bulk unsubscribe is open in another tab')).toBeVisible();
  await expectAccessible(other);
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(stateOf(other, person.uuid)).toHaveText('Subscribed');
});

test('another tab takes the list over, and gives it back @additions', async ({ page, person }) => {
  await readList(page, person.uuid);
  await expect(stateOf(page, person.uuid)).toHaveText('Subscribed');
  const other = await page.context().newPage();
  await other.goto('/desk');
  for (const [taker, giver] of [
    [other, page],
    [page, other],
  ] as const) {
    await taker.getByRole('button', { name: 'Use it here' }).click();
    await expect(stateOf(taker, person.uuid)).toHaveText('Subscribed');
    await expect(giver.getByText('Bulk unsubscribe is open in another tab')).toBeVisible();
  }
});

async function signOutTwice(page: Page, between = async () => {}): Promise<string[]> {
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => questions.length).toBe(1);
  await between();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  return questions;
}

test('signing out asks about a list not run or not downloaded, and deletes it @additions', async ({
  page,
  demo,
  person,
  faults,
}) => {
  faults.expect(/status of 401.*\/session/);
  await readList(page, person.uuid);
  const questions = await signOutTwice(page, async () => {
    await runList(page, 1);
    await expect(receipt(page)).toBeVisible();
    await page.getByRole('link', { name: 'Contacts' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  });
  expect(questions).toEqual([
    'A list in Bulk unsubscribe was not run: no one on it has been unsubscribed. Sign out and delete it from this browser?',
    'The receipt of a bulk unsubscribe was not downloaded. Sign out and delete it from this browser?',
  ]);
  await expect.poll(() => page.evaluate(async () => JSON.stringify(await indexedDB.databases()))).toBe('[]');
  await signIn(page, demo);
  await page.goto('/desk');
  await expect(page.getByLabel('Who should be unsubscribed?')).toBeVisible();
});

test('signing out asks about a list running in another tab, and deletes it @additions', async ({
  page,
  context,
  person,
  faults,
}) => {
  faults.expect(/status of 401/);
  // It keeps running: its requests get no response.
  await page.route('**/unsubscribe', () => {});
  await readList(page, person.uuid);
  await runList(page, 1);
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/contacts');
  const question = 'A list in Bulk unsubscribe is not finished: 1 left. Sign out and delete it from this browser?';
  expect(await signOutTwice(other)).toEqual([question, question]);
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await expect.poll(() => page.evaluate(async () => JSON.stringify(await indexedDB.databases()))).toBe('[]');
});

test('all of it works by keyboard and is announced @additions', async ({ page, person }) => {
  await page.goto('/desk');
  await page.keyboard.press('Tab');
  await page.getByLabel('Who should be unsubscribed?').focus();
  await page.keyboard.type(String(person.attributes.email));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(plan(page).locator(':focus')).toContainText('1 entry read. 1 will be unsubscribed');
  await page.getByRole('button', { name: 'Unsubscribe 1' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText(String(person.attributes.email));
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe 1' }).focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page)).toBeVisible();
  await expect(page.locator('#announcements')).toHaveText('Done: 1 unsubscribed');
  await expect(receipt(page).locator(':focus')).toContainText('1 unsubscribed');
  await page.getByRole('button', { name: 'New list' }).press('Enter');
  await page.getByRole('button', { name: 'Delete it' }).press('Enter');
  await expect(page.getByLabel('Who should be unsubscribed?')).toBeFocused();
});

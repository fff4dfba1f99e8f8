import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { must } from '#contract/must.ts';
import { expectAccessible } from './accessible.ts';
import { plan, readList, receipt, stateOf, UNKNOWN } from './deskPage.ts';
import { expect, test } from './fixtures.ts';
import { enterToken, pasted, readAsCaller, runList, signIn, startHeading } from './steps.ts';
import { unsubscribeAsCaller } from './subscription.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('a pasted list is read, looked at, and done, and a receipt says so @additions', async ({
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
    `To: Somebody <${email.toUpperCase()}>, nobody@nowhere.test\n${out}\nSomebody <${email}>\nwho is this\n${person.uuid}\n`,
  );
  await expect(stateOf(page, 'who is this')).toHaveText('Unreadable');
  await expect(page.getByRole('row').filter({ hasText: 'Same contact as line 1' })).toHaveCount(1);

  const aboutChecking = page.getByText('Checking shows who will be affected');
  await expect(aboutChecking).toBeVisible();
  await page.getByRole('button', { name: 'Check 4 first' }).click();
  // Only the check shows that an address and a UUID are one contact.
  await expect(
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Subscribed', exact: true }) }),
  ).toHaveCount(1);
  await expect(page.getByRole('row').filter({ hasText: 'Duplicate' })).toHaveCount(2);
  await expect(stateOf(page, 'nobody@nowhere.test')).toHaveText('Not found');
  await expect(stateOf(page, out)).toHaveText('Already unsubscribed');
  await expect(aboutChecking).toHaveCount(0);
  await expectAccessible(page);
  const answer = await page.request.get(`/v1/contacts/${person.uuid}`, { headers: { 'sendroom-console': '1' } });
  expect(await answer.json(), 'a check changes nothing').toMatchObject({ data: { subscribed: true } });

  await runList(page, 1);
  await expect(receipt(page)).toContainText('1 unsubscribed, 1 already unsubscribed');
  await expect(stateOf(page, email.toUpperCase())).toHaveText('Unsubscribed');
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  const file = await (await download).path();
  const lines = (await readFile(file, 'utf8')).split('\r\n');
  expect(lines[0]).toMatch(/^\uFEFFline,text,read as,result,name,email,company,contact,at \(UTC\),request id,why$/);
  expect(lines[1]).toMatch(
    new RegExp(`^1,${email.toUpperCase()},.*,Unsubscribed,.*,${email},.*,${person.uuid},20\\d\\d-.*Z,[0-9a-f-]{36},$`),
  );
  expect(lines).toHaveLength(8);

  await page.getByRole('button', { name: 'Copy text for the ticket' }).click();
  expect(await pasted(page)).toContain('Unsubscribed from Acme Mail (demo): 1 of 6 entries read.');
});

test('who could get mail again since the check is unsubscribed @additions @sweep', async ({
  page,
  demo,
  person,
  unusedPeople,
  faults,
}) => {
  faults.expect(UNKNOWN);
  const back = must(unusedPeople.pop()).uuid;
  const added = 'added.since@nowhere.test';
  await unsubscribeAsCaller(page, demo, back);
  await page.clock.install();
  await readList(page, [person.uuid, back, added].join('\n'));
  await page.getByRole('button', { name: 'Check 3 first' }).click();
  await expect(stateOf(page, back)).toHaveText('Already unsubscribed');
  await expect(stateOf(page, added)).toHaveText('Not found');

  const headers = { authorization: `Bearer ${demo.token}` };
  const subscribe = `/v1/workspaces/${demo.workspace}/contacts/${back}/subscribe`;
  expect((await page.request.post(subscribe, { headers, data: { reason: 'A mistake' } })).status()).toBe(200);
  const contact = { attributes: { email: added } };
  expect((await page.request.post('/v1/contacts', { headers, data: contact })).ok()).toBe(true);
  await page.clock.fastForward('02:00:00');
  await runList(page, 1);
  await expect(receipt(page)).toContainText('3 unsubscribed, 0 already unsubscribed');
  for (const each of [back, added]) expect(await readAsCaller(page, demo, each)).toMatchObject({ subscribed: false });
});

test('the bare interface is enough @bare', async ({ page, demo, person, faults }) => {
  faults.expect(UNKNOWN);
  const email = String(person.attributes.email);
  const out = String(demo.unsubscribed.attributes.email);
  await readList(page, `${email}\n${out}\nnobody@nowhere.test`);
  await expect(page.getByText('This service only tells whether a contact exists')).toBeVisible();
  await page.getByRole('button', { name: 'Check 3 first' }).click();
  await expect(stateOf(page, email)).toHaveText('Known');
  await expect(stateOf(page, 'nobody@nowhere.test')).toHaveText('Not found');

  await runList(page, 2);
  await expect(receipt(page)).toContainText('1 unsubscribed, 1 already unsubscribed');
  await expect(receipt(page)).toContainText('1 not found');
});

test('where the service does not tell the workspace, its ID is asked for @bare', async ({ page, demo, person }) => {
  await signIn(page, { ...demo, workspace: '' });
  await readList(page, person.uuid);
  await page.getByRole('button', { name: 'Unsubscribe 1' }).click();
  await expect(page.getByText('Unsubscribing needs the ID of the workspace')).toBeVisible();
  await page.getByLabel('Workspace ID').fill(demo.workspace);
  await runList(page, 1);
  await expect(receipt(page)).toContainText('1 unsubscribed');
});

test('a mistyped workspace ID finds nobody, which is not taken for their absence, and can be corrected @bare @sweep', async ({
  page,
  person,
  faults,
}) => {
  faults.expect(UNKNOWN);
  await readList(page, person.uuid);
  // As a service answers that has no such workspace.
  await page.route(/\/unsubscribe$/, (route) => route.fulfill({ status: 404, json: {} }));
  await runList(page, 1);
  const paused = page.getByRole('region', { name: 'Paused' });
  await expect(paused).toContainText('The service knows this contact, but finds nobody to unsubscribe.');
  await expectAccessible(page);
  await page.unroute(/\/unsubscribe$/);
  await expect(paused.getByLabel('Workspace ID')).not.toHaveValue('');
  await paused.getByRole('button', { name: /^Resume/ }).click();
  await expect(receipt(page)).toContainText('1 unsubscribed');
});

test('a list that is typed and not read yet is there when one comes back', async ({ page }) => {
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(`${dialog.type()} ${dialog.message()}`.trim());
    void dialog.dismiss();
  });
  await page.goto('/desk');
  const input = page.getByLabel('Who wants no more mail?');
  await input.fill('jane@example.com');
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible();
  // From another page, too: closing the tab, and signing out.
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => questions).toEqual(['beforeunload']);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => questions.slice(1)).toEqual(['confirm Sign out, and discard the unsaved changes?']);
  await page.goBack();
  await expect(input).toHaveValue('jane@example.com');
  // A file is another list.
  await page
    .getByLabel('File with the list')
    .setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('bob@example.com') });
  const summary = page.getByRole('region', { name: 'What will happen' });
  await expect(summary).toContainText('1 entry read from list.txt');
  await page.getByRole('button', { name: 'New list' }).click();
  await expect(input).toHaveValue('jane@example.com');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(summary).toContainText('1 entry read');
  await page.getByRole('button', { name: 'New list' }).click();
  await expect(input).toHaveValue('');
  await page.reload();
  expect(questions).toHaveLength(2);
});

test('one tab has the desk; when it is left, the other goes on with the same list', async ({ page, person }) => {
  await readList(page, person.uuid);
  const other = await page.context().newPage();
  await other.goto('/desk');
  await expect(other.getByText('Bulk unsubscribe is open in another tab')).toBeVisible();
  await expectAccessible(other);
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(stateOf(other, person.uuid)).toHaveText('Not checked');
});

test('a browser that refuses its locks is told of, and what to do about it @sweep', async ({ page }) => {
  await page.addInitScript(() => {
    LockManager.prototype.request = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'));
  });
  await page.goto('/desk');
  await expect(page.getByRole('main')).toContainText('This browser cannot keep a list');
  await expect(page.getByRole('main')).toContainText('Allow this site to store data, then reload the page.');
  await expect(page.getByRole('main')).toContainText('The request was denied.');
  await expectAccessible(page);
});

test('a tab that cannot open the list leaves it to the others, and tries again when one comes back to the page @sweep', async ({
  page,
  person,
}) => {
  await readList(page, person.uuid);
  await page.addInitScript(() => {
    indexedDB.open = () => {
      throw new DOMException('The disk could not be read.', 'UnknownError');
    };
  });
  await page.goto('/desk');
  await expect(page.getByText('The disk could not be read.')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/desk');
  await expect(stateOf(other, person.uuid)).toHaveText('Not checked');
  await page.evaluate(() => Reflect.deleteProperty(indexedDB, 'open'));
  await page.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(page.getByText('Bulk unsubscribe is open in another tab')).toBeVisible();
  await other.close();
  await expect(stateOf(page, person.uuid)).toHaveText('Not checked');
});

/** Signs out twice: says no to the question the first time. Gives the questions. */
async function signOutAtLast(page: Page): Promise<string[]> {
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => questions.length).toBe(1);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  return questions;
}

test('signing out deletes a list that was not run, after a question', async ({ page, demo, person, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await readList(page, person.uuid);
  const question = 'A list in Bulk unsubscribe was not run: nobody on it is unsubscribed. Sign out, and delete it?';
  expect(await signOutAtLast(page)).toEqual([question, question]);
  await expect.poll(() => page.evaluate(async () => JSON.stringify(await indexedDB.databases()))).toBe('[]');
  await signIn(page, demo);
  await page.goto('/desk');
  await expect(page.getByLabel('Who wants no more mail?')).toBeVisible();
});

test('a run that waits for the network says that this computer is offline @sweep', async ({ page, person, faults }) => {
  faults.expect(/Failed to load resource/);
  await readList(page, person.uuid);
  await page.context().setOffline(true);
  await runList(page, 1);
  await expect(page.getByRole('region', { name: 'Unsubscribing' })).toContainText('This computer is offline; retrying');
  await page.context().setOffline(false);
  await expect(receipt(page)).toContainText('1 unsubscribed');
});

test('a run pauses when somebody signs in in another tab: nothing is sent in their name @sweep', async ({
  page,
  demo,
  person,
  faults,
}) => {
  faults.expect(/status of (401|429)/);
  await readList(page, person.uuid);
  await page.route(/\/unsubscribe$/, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '1' } }));
  await runList(page, 1);
  await expect(page.getByRole('region', { name: 'Unsubscribing' })).toContainText('0 of 1');

  await page.context().clearCookies();
  const other = await page.context().newPage();
  await other.goto('/');
  await enterToken(other, demo.token, demo.workspace);
  await expect(startHeading(other)).toBeVisible();
  const paused = page.getByRole('region', { name: 'Paused' });
  await expect(paused).toContainText('1 left');
  await page.unroute(/\/unsubscribe$/);
  await paused.getByRole('button', { name: /^Resume/ }).click();
  await expect(receipt(page)).toContainText('1 unsubscribed');
});

test('signing out asks about a receipt that was not downloaded, from another page too @sweep', async ({
  page,
  demo,
  person,
  faults,
}) => {
  faults.expect(/status of 401.*\/session/);
  await readList(page, person.uuid);
  await runList(page, 1);
  await expect(receipt(page)).toBeVisible();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  const question =
    'The receipt of a list in Bulk unsubscribe was not downloaded. Sign out, and delete it with its list?';
  expect(await signOutAtLast(page)).toEqual([question, question]);

  await signIn(page, demo);
  await readList(page, person.uuid);
  await runList(page, 1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  await download;
  // Nothing is lost: a question would be answered by the test's end only.
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => expect(dialog.message()).toBe('no question'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
});

test('all of it by keyboard, and told to who cannot see it', async ({ page, person }) => {
  await page.goto('/desk');
  await page.keyboard.press('Tab');
  await page.getByLabel('Who wants no more mail?').focus();
  await page.keyboard.type(String(person.attributes.email));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const planned = page.getByRole('region', { name: 'What will happen' });
  await expect(planned.locator(':focus')).toContainText('1 entry read. Up to 1 will be unsubscribed');
  await page.getByRole('button', { name: 'Check 1 first' }).press('Enter');
  // A bare service tells only that there is such a contact.
  await expect(page.getByRole('button', { name: 'Check 1 first' })).toHaveCount(0);
  await expect(planned.locator(':focus')).toContainText(/^1 entry read\. (Up to )?1 will be unsubscribed/);
  await page.getByRole('button', { name: 'Unsubscribe 1' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText(String(person.attributes.email));
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe 1' }).focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page)).toBeVisible();
  await expect(page.locator('#announcements')).toHaveText('Done: 1 unsubscribed, 0 already unsubscribed');
  await expect(receipt(page).locator(':focus')).toContainText('1 unsubscribed');
  await page.getByRole('button', { name: 'New list' }).press('Enter');
  await page.getByRole('button', { name: 'Delete it' }).press('Enter');
  await expect(page.getByLabel('Who wants no more mail?')).toBeFocused();
});

test('a page that is opened with a list leaves the focus at its heading @sweep', async ({ page, person, faults }) => {
  faults.expect(/status of 429/);
  const heading = page.getByRole('heading', { level: 1, name: 'Bulk unsubscribe' });
  await readList(page, person.uuid);
  await page.reload();
  await expect(plan(page)).toBeVisible();
  await expect(heading).toBeFocused();

  await page.route(/\/unsubscribe$/, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '1' } }));
  await runList(page, 1);
  await page.getByRole('button', { name: 'Pause' }).click();
  const resume = page.getByRole('button', { name: /^Resume/ });
  await expect(resume).toBeFocused();
  await page.reload();
  await expect(resume).toBeVisible();
  await expect(heading).toBeFocused();

  await page.unroute(/\/unsubscribe$/);
  await resume.click();
  await expect(receipt(page).locator(':focus')).toContainText('1 unsubscribed');
  await page.reload();
  await expect(receipt(page)).toBeVisible();
  await expect(heading).toBeFocused();
});

test('a list of people who were all unsubscribed when they were checked can be checked again @additions @sweep', async ({
  page,
  demo,
  person,
}) => {
  await unsubscribeAsCaller(page, demo, person.uuid);
  await readList(page, person.uuid);
  await page.getByRole('button', { name: 'Check 1 first' }).click();
  await expect(stateOf(page, person.uuid)).toHaveText('Already unsubscribed');
  await expect(plan(page)).toContainText(/Last checked just now.*: nobody is left to unsubscribe\./);
  await expectAccessible(page);
  const headers = { authorization: `Bearer ${demo.token}` };
  const subscribe = `/v1/workspaces/${demo.workspace}/contacts/${person.uuid}/subscribe`;
  expect((await page.request.post(subscribe, { headers, data: { reason: 'A mistake' } })).status()).toBe(200);
  await page.reload();
  await page.getByRole('button', { name: 'Check 1 again' }).click();
  await expect(stateOf(page, person.uuid)).toHaveText('Subscribed');
  await expect(plan(page)).not.toContainText('nobody is left to unsubscribe');
  await runList(page, 1);
  await expect(receipt(page)).toContainText('1 unsubscribed');
});

/** Holds back the content of the next file until the returned function is called. */
async function holdFile(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    window.addEventListener('file-released', () => resolve(), { once: true });
    File.prototype.stream = function (this: File) {
      // The one of blobs is below.
      Reflect.deleteProperty(File.prototype, 'stream');
      const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
      void promise.then(() => this.stream().pipeTo(writable));
      return readable;
    };
  });
  return () => page.evaluate(() => void window.dispatchEvent(new Event('file-released')));
}

test('a file is read to its end while another page is open @sweep', async ({ page, person }) => {
  await page.goto('/desk');
  const release = await holdFile(page);
  const buffer = Buffer.from(String(person.attributes.email));
  await page.getByLabel('File with the list').setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer });
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(page.getByRole('progressbar', { name: 'Reading' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeDisabled();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible();
  await release();
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(plan(page)).toContainText('1 entry read from list.txt');
});

test('a file that could not be read while another page was open is told of when one comes back @sweep', async ({
  page,
}) => {
  await page.goto('/desk');
  const release = await holdFile(page);
  const buffer = Buffer.from('PK\u0003\u0004');
  await page.getByLabel('File with the list').setInputFiles({ name: 'sheet.xlsx', mimeType: 'text/plain', buffer });
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts', exact: true })).toBeVisible();
  await release();
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(page.getByText('sheet.xlsx is a spreadsheet or archive.')).toBeVisible();
  await expectAccessible(page);
  // Until something else is read.
  await page.getByLabel('Who wants no more mail?').fill('jane@example.com');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await page.getByRole('button', { name: 'New list' }).click();
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled();
  await expect(page.getByText('sheet.xlsx')).toHaveCount(0);
});

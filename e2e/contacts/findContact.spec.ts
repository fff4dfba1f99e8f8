import type { Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { must } from '#contract/values/must.ts';
import { plan } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { columnOf, finder, lookUp, pasteText, readAsCaller, signIn, updateAsCaller } from '../support/steps.ts';
import { nameOf, toast, unsubscribeAsCaller } from '../support/subscription.ts';

test.beforeEach(async ({ page, demo, faults }) => {
  faults.expect(/status of 404.*\/v1\/contacts/);
  await signIn(page, demo);
});

const offer = (page: Page, contact: Contact) =>
  page.getByRole('link', { name: `Open ${nameOf(contact)}`, exact: true });

async function paste(page: Page, text: string): Promise<void> {
  await finder(page).fill('');
  await finder(page).focus();
  await pasteText(page, text);
}

async function expectPageOf(page: Page, { uuid }: Contact): Promise<void> {
  await expect(page).toHaveURL(`/contacts/${uuid}`);
  await expect(page.getByRole('heading', { name: 'Story' })).toBeVisible();
}

test('a phone number without country code is found in a sentence; of any other number it says what to type @additions', async ({
  page,
  demo,
  person,
}) => {
  await updateAsCaller(page, demo, person.uuid, { phone: '030 7654321' });
  await page.goto('/contacts');
  await paste(page, 'please stop texting me on 030 7654321, thanks');
  await expect(offer(page, person)).toBeVisible();
  await page.keyboard.press('Enter');
  await expectPageOf(page, person);
  await page.goto('/contacts');
  await paste(page, 'please stop texting 76543210, thanks');
  await expect(page.getByText('To find 76543210, type it alone.')).toBeVisible();
});

const EMAIL_PASTES: [what: string, write: (email: string) => string][] = [
  ['in a sentence', (email) => `Hello, please take ${email} off your list. Thanks!`],
  ['in the source of a page', (email) => `<p>Mail <a href="mailto:${email}?subject=Stop">${email}</a></p>`],
  ['in the link of a contact', (email) => `https://console.example.com/contacts/${encodeURIComponent(email)}?page=2`],
];

test('an address in any pasted text is found, and Enter opens the contact @additions', async ({ page, person }) => {
  await page.goto('/contacts');
  for (const [what, write] of EMAIL_PASTES) {
    await paste(page, write(String(person.attributes.email)));
    await expect(offer(page, person), what).toBeVisible();
  }
  await page.keyboard.press('Enter');
  await expectPageOf(page, person);
});

test('with several people in a paste, you choose one @additions', async ({ page, demo, person }) => {
  const [one, two] = [demo.busiest.contact, person];
  const [first, second] = [one, two].map(({ attributes }) => String(attributes.email));
  await page.goto('/contacts');
  await paste(page, `From: Grace <${first}>\nCc: ${second}\nPlease stop these mails`);
  const people = page.getByRole('list', { name: 'People in this text' }).getByRole('button');
  await expect(people).toHaveText([String(first).toLowerCase(), String(second).toLowerCase()]);
  await finder(page).press('Enter');
  await expect(page).toHaveURL('/contacts');
  await people.last().click();
  await expectPageOf(page, two);
});

test('a typo in the domain suggests the right contact @additions', async ({ page, demo }) => {
  const { contact } = demo.busiest;
  await page.goto('/contacts');
  await finder(page).fill('grace.adeyemi@exmaple.com');
  await finder(page).press('Enter');
  await expect(page.getByText('There is no such contact in this workspace')).toBeVisible();
  const meant = page.getByRole('button', { name: `grace.adeyemi@example.com (${nameOf(contact)})?` });
  await expect(page.getByText('Did you mean')).toBeVisible();
  await meant.click();
  await expectPageOf(page, contact);
});

test('words filter the list and are in the URL; an identity is not @additions', async ({ page, demo: { busiest } }) => {
  const { email } = busiest.contact.attributes;
  const pager = page.getByRole('navigation', { name: 'Pages of contacts' });
  const urls: string[] = [];
  await page.goto('/contacts');
  page.on('framenavigated', (frame) => urls.push(frame.url()));
  await finder(page).fill('Adeyemi');
  await expect(page).toHaveURL('/contacts?search=Adeyemi');
  await finder(page).fill(String(email));
  await expect(pager).toContainText('1–1 of 1');
  await expect(page).toHaveURL('/contacts');
  await expect(finder(page)).toHaveValue(String(email));
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(pager).toContainText(/of 2,\d{3}/);
  expect(decodeURIComponent(urls.join(' '))).not.toContain('@');
});

test('without a list, an address in any pasted text is found @bare', async ({ page, person }) => {
  for (const [what, write] of EMAIL_PASTES) {
    await page.goto('/contacts');
    await paste(page, write(String(person.attributes.email)));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Story' }), what).toBeVisible();
  }
});

test('duplicates are unsubscribed together, and one undo resubscribes both @additions', async ({
  page,
  demo,
  unusedPeople,
}) => {
  const [one, two] = [must(unusedPeople.pop()), must(unusedPeople.pop())];
  const name = { first_name: 'Wilhelmina', last_name: 'Doppler' };
  for (const [contact, company] of [
    [one, 'Contoso Ltd'],
    [two, 'contoso  ltd'],
  ] as const) {
    await updateAsCaller(page, demo, contact.uuid, { ...name, company });
  }
  await page.goto(`/contacts/${one.uuid}`);
  const hint = page.getByRole('status').filter({ hasText: 'Possibly the same person' });
  await expect(hint.getByRole('link', { name: 'Wilhelmina Doppler' })).toHaveAttribute('href', `/contacts/${two.uuid}`);
  await hint.getByRole('button', { name: 'Unsubscribe both' }).click();
  const question = page.getByRole('dialog', { name: 'Unsubscribe both?' });
  for (const { attributes } of [one, two]) await expect(question).toContainText(String(attributes.email));
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(toast(page)).toContainText('2 contacts are unsubscribed.');
  await expect(question).toHaveCount(0);
  for (const { uuid } of [one, two]) expect(await readAsCaller(page, demo, uuid)).toMatchObject({ subscribed: false });

  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('2 contacts are subscribed again.');
  for (const { uuid } of [one, two]) expect(await readAsCaller(page, demo, uuid)).toMatchObject({ subscribed: true });

  await unsubscribeAsCaller(page, demo, two.uuid);
  await hint.getByRole('button', { name: 'Unsubscribe both' }).click();
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(toast(page)).toContainText('Wilhelmina Doppler is unsubscribed.');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('Wilhelmina Doppler is subscribed again.');
  expect(await readAsCaller(page, demo, one.uuid)).toMatchObject({ subscribed: true });
  expect(await readAsCaller(page, demo, two.uuid)).toMatchObject({ subscribed: false });
});

test('rows selected on several pages go to bulk unsubscribe together @additions', async ({ page }) => {
  await page.goto('/contacts');
  const boxes = page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .getByRole('checkbox');
  const pageBox = page.getByRole('columnheader').getByRole('checkbox');
  // "Go to page" has a number too.
  const range = page.getByRole('navigation', { name: 'Pages of contacts' });
  await boxes.nth(0).check();
  await boxes.nth(2).check();
  await expect(pageBox).toBeChecked({ indeterminate: true });
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(range).toContainText('26–50 of');
  await expect(pageBox).not.toBeChecked();
  await pageBox.check();
  await expect(page.getByRole('button', { name: 'Unsubscribe 27 in bulk' })).toBeVisible();
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(range).toContainText('1–25 of');
  await expect(boxes.nth(2)).toBeChecked();
  await boxes.nth(0).uncheck();
  const name = await page.getByRole('row').nth(3).getByRole('link').innerText();
  await page.getByRole('button', { name: 'Unsubscribe 26 in bulk' }).click();
  await expect(page).toHaveURL('/desk');
  await expect(plan(page)).toContainText('26 entries read');
  await expect(page.getByRole('row').filter({ hasText: name }).first()).toBeVisible();
});

test("another system's link may have an email, also with a name @additions", async ({ page, person }) => {
  const email = String(person.attributes.email);
  for (const written of [email, encodeURIComponent(`Jane Doe <${email.toUpperCase()}>`)]) {
    await page.goto(`/contacts/${written}`);
    // The address leaves the URL once the UUID is known.
    await expectPageOf(page, person);
  }
});

test('a link to no contact fills in the search box and says so @additions', async ({ page }) => {
  for (const written of ['ACC%2F42', 'ACC/42']) {
    await page.goto(`/contacts/${written}`);
    await expect(page.getByText('There is no such contact in this workspace')).toBeVisible();
    await expect(finder(page)).toHaveValue('ACC/42');
  }
});

test('without a list, opened contacts are one click away @bare', async ({ page, person }) => {
  const email = String(person.attributes.email);
  await lookUp(page, email);
  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
  await expect(page).toHaveTitle(`${email} · Contacts · Sendroom`);
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('region', { name: 'Opened since you signed in' }).getByRole('link')).toHaveCount(1);
});

test('contacts are listed, searched, filtered and sorted @additions', async ({ page, person }) => {
  await page.goto('/contacts');
  const table = page.getByRole('table');
  const pager = page.getByRole('navigation', { name: 'Pages of contacts' });
  await expect(pager).toContainText(/1–25 of 2,\d{3}/);

  const email = String(person.attributes.email);
  await finder(page).fill(email);
  await expect(pager).toContainText('1–1 of 1');
  expect(await columnOf(table, 'Email')).toEqual([email]);
  await page.getByRole('button', { name: 'Clear the search' }).click();

  await page.getByRole('button', { name: 'Unsubscribed', exact: true }).click();
  await expect(page).toHaveURL('/contacts?subscribed=false');
  await expect.poll(async () => [...new Set(await columnOf(table, 'Subscription'))]).toEqual(['Unsubscribed']);
  await page.getByRole('button', { name: 'All', exact: true }).click();

  await table.getByRole('columnheader', { name: 'Email' }).getByRole('button').click();
  await expect(page).toHaveURL('/contacts?sort=email');
});

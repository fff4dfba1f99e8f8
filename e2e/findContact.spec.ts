import type { Page, Request, Route } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { must } from '#contract/must.ts';
import { expect, test } from './fixtures.ts';
import { enterToken, finder, pasteText, readAsCaller, signIn, updateAsCaller } from './steps.ts';
import { toast, unsubscribeAsCaller } from './subscription.ts';

// What a person has in front of them when they look for somebody, and what they mean by it.

test.beforeEach(async ({ page, demo, faults }) => {
  // A look-up that finds nobody is a 404.
  faults.expect(/status of 404.*\/v1\/contacts/);
  await signIn(page, demo);
});

const nameOf = ({ attributes }: Contact) => `${String(attributes.first_name)} ${String(attributes.last_name)}`;
const offer = (page: Page, contact: Contact) =>
  page.getByRole('link', { name: `Open ${nameOf(contact)}`, exact: true });

async function paste(page: Page, text: string): Promise<void> {
  await finder(page).fill('');
  await finder(page).focus();
  await pasteText(page, text);
}

async function expectPageOf(page: Page, { uuid }: Contact): Promise<void> {
  await expect(page).toHaveURL(`/contacts/${uuid}`);
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
}

const EMAIL_PASTES: [what: string, write: (email: string) => string][] = [
  ['with a sign behind it', (email) => `${email}!`],
  ['with a full-width @', (email) => email.replace('@', '＠')],
  ['in a sentence', (email) => `Hello, please take ${email} off your list. Thanks!`],
  ['in the source of a page', (email) => `<p>Mail <a href="mailto:${email}?subject=Stop">${email}</a></p>`],
  ['from Slack', (email) => `<mailto:${email}|${email}>`],
  ['from a table', (email) => `Jane\tDoe\t${email}\t2026-01-01`],
  ['in the link of a contact', (email) => `https://console.example.com/contacts/${encodeURIComponent(email)}?page=2`],
];

test('an agent pastes an address as it comes, and Enter opens the person @additions', async ({ page, person }) => {
  await page.goto('/contacts');
  for (const [what, write] of EMAIL_PASTES) {
    await paste(page, write(String(person.attributes.email)));
    await expect(offer(page, person), what).toBeVisible();
  }
  await page.keyboard.press('Enter');
  await expectPageOf(page, person);
});

test('of several people in a paste nobody is opened until one is chosen', async ({ page, demo, person, additions }) => {
  const [one, two] = [demo.busiest.contact, person];
  const [first, second] = [one, two].map(({ attributes }) => String(attributes.email));
  await page.goto('/contacts');
  await paste(page, `From: Grace <${first}>\nCc: ${second}\nPlease stop these mails`);
  const people = page.getByRole('list', { name: 'People in this text' }).getByRole('button');
  await expect(people).toHaveText([String(first).toLowerCase(), String(second).toLowerCase()]);
  await finder(page).press('Enter');
  await expect(page).toHaveURL('/contacts');
  await people.last().click();
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
  if (additions === 'on') await expectPageOf(page, two);
});

test('beside a phone number, a customer ID is not passed over @additions @sweep', async ({ page, demo, person }) => {
  const [one, other] = [demo.busiest.contact, person];
  const [id, phone] = [String(one.attributes.customer_id), '+49 30 5550 1515'];
  await updateAsCaller(page, demo, other.uuid, { phone: phone.replaceAll(' ', '') });
  await page.goto('/contacts');
  const people = page.getByRole('list', { name: 'People in this text' }).getByRole('button');
  for (const text of [
    `Customer ID: ${id}\nCalled from: ${phone}`,
    `${id} / ${phone}`,
    `caller from ${phone.replace('+', '00')} asks about ${id}`,
  ]) {
    await paste(page, text);
    await expect(page.getByText('2 people in this text: choose one'), text).toBeVisible();
    await expect(people.last(), text).toHaveText(id);
  }
  await finder(page).press('Enter');
  await expect(page).toHaveURL('/contacts');
  await people.last().click();
  await expectPageOf(page, one);

  // Both name the same person, or what looks like an ID is none.
  await page.goto('/contacts');
  const own = String(one.attributes.phone);
  for (const text of [`${id}, ${own}`, `${own} about ticket T-991188`, `please call ${id} back`]) {
    await paste(page, text);
    await expect(offer(page, one), text).toBeVisible();
  }
});

test('a name is found with a comma in it, and the list has one word with the box @additions @sweep', async ({
  page,
  demo,
}) => {
  const { contact } = demo.busiest;
  const { first_name, last_name, phone } = contact.attributes;
  await page.goto('/contacts');
  const row = page.getByRole('row').getByRole('link', { name: nameOf(contact), exact: true });
  await finder(page).fill(`${String(last_name)}, ${String(first_name)}`);
  await expect(row).toBeVisible();
  // A number without its country code is nobody's, and the list has who has its digits.
  const national = `0${String(phone).slice(3)}`;
  await finder(page).fill(`${national.slice(0, 3)}/${national.slice(3)}`);
  await finder(page).press('Enter');
  await expect(page.getByText('No exact match; 1 contact contains it')).toBeVisible();
  await expect(page.getByText('with the country code: +44 20 7946 0958')).toBeVisible();
  await expect(page.getByText('There is no such contact')).toHaveCount(0);
  await expect(row).toBeVisible();
});

test('a part of a phone number is found however its digits are grouped, here and where it is stored @additions @sweep', async ({
  page,
  demo,
  person,
}) => {
  await updateAsCaller(page, demo, person.uuid, { phone: '+49 30 9018-2233' });
  await page.goto('/contacts');
  const rows = page.getByRole('row').getByRole('link');
  for (const text of ['9018-2233', '30 9018-22', '030 9018-2233', '9018 22-33', '030/90 18 22', '90182233']) {
    await finder(page).fill(text);
    await expect(rows, text).toHaveText([nameOf(person)]);
    await finder(page).press('Enter');
    await expect(page.getByText('No exact match; 1 contact contains it'), text).toBeVisible();
    expect(page.url(), text).not.toContain('search');
  }
  await updateAsCaller(page, demo, person.uuid, { phone: '+493090182233' });
  await page.reload();
  for (const text of ['9018-2233', '030 9018-2233', '90182233']) {
    await finder(page).fill(text);
    await expect(rows, text).toHaveText([nameOf(person)]);
  }
});

test('a slip in the domain: the person who is meant is offered', async ({ page, demo, additions }) => {
  const { contact } = demo.busiest;
  await page.goto('/contacts');
  await finder(page).fill('grace.adeyemi@exmaple.com');
  await finder(page).press('Enter');
  await expect(page.getByText('There is no such contact in this workspace')).toBeVisible();
  if (additions === 'off') return;
  const meant = page.getByRole('button', { name: `grace.adeyemi@example.com (${nameOf(contact)})?` });
  await expect(page.getByText('Did you mean')).toBeVisible();
  await meant.click();
  await expectPageOf(page, contact);
});

test('words filter the list and are in the URL; an identity filters it and is not @additions', async ({
  page,
  demo: { busiest },
}) => {
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

/** Holds back what reads the text of the box until it is called. */
async function holdReader(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/Finder-[^/]*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('an agent types before the page has loaded what reads it: no letter is lost, and nothing moves @additions @sweep', async ({
  page,
  person,
}) => {
  const release = await holdReader(page);
  await page.goto('/contacts');
  const place = await finder(page).boundingBox();
  await finder(page).focus();
  await page.keyboard.type(String(person.attributes.first_name));
  await page.keyboard.press('Enter');
  await page.keyboard.type(` ${String(person.attributes.last_name)}`);
  await expect(finder(page)).toHaveValue(nameOf(person));
  release();
  await expect(page).toHaveURL((url) => url.searchParams.get('search') === nameOf(person));
  await page.keyboard.type('x');
  await expect(finder(page)).toHaveValue(`${nameOf(person)}x`);
  expect(await finder(page).boundingBox()).toEqual(place);
});

test('an agent pastes a mail and presses Enter before the page has loaded what reads it @sweep', async ({
  page,
  person,
}) => {
  const release = await holdReader(page);
  await page.goto('/contacts');
  await paste(page, `Please take\n${String(person.attributes.email)}\noff your list`);
  await page.keyboard.press('Enter');
  await expect(finder(page)).toHaveValue(`Please take; ${String(person.attributes.email)}; off your list`);
  release();
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
});

const isLookUp = (request: Request) => request.url().includes('/v1/contacts/');

test('whoever goes elsewhere before somebody is found stays there @additions @sweep', async ({ page, person }) => {
  const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/\/v1\/contacts\//, async (route) => {
    await goneOn;
    await route.fulfill({ response: await route.fetch() });
    // Not by the end of the request: the browser tells of some that they were aborted, once the page has left.
    answer();
  });
  await page.goto('/contacts');
  const asked = page.waitForRequest(isLookUp);
  await finder(page).fill(String(person.attributes.email));
  await finder(page).press('Enter');
  await asked;
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  goOn();
  await answered;
  // The page has read the answer once this call, which it makes after that, is answered.
  const read = page.waitForResponse(/\/v1\/domains\?/);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await read;
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  await expect(page).toHaveURL('/domains');
});

test('Back and Forward fill the box with the words of their page @additions @sweep', async ({ page }) => {
  await page.goto('/contacts');
  await finder(page).fill('Adeyemi');
  await expect(page).toHaveURL('/contacts?search=Adeyemi');
  await page.goBack();
  await expect(finder(page)).toHaveValue('');
  await page.goForward();
  await expect(finder(page)).toHaveValue('Adeyemi');
});

test('without a list an address is found as it comes @bare', async ({ page, person }) => {
  for (const [what, write] of EMAIL_PASTES) {
    await page.goto('/contacts');
    await paste(page, write(String(person.attributes.email)));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Events' }), what).toBeVisible();
  }
});

test('somebody is found by first and last name, in any order, case and accents @additions @sweep', async ({
  page,
  demo,
  person,
}) => {
  const name = { first_name: 'Søren', last_name: 'Ångström-Weiß' };
  await updateAsCaller(page, demo, person.uuid, name);
  await page.goto('/contacts');
  const links = page.getByRole('row').getByRole('link');
  for (const text of ['Søren Ångström-Weiß', 'ångström-weiß søren', 'soren angstrom-weiss', 'SOREN WEISS']) {
    await finder(page).fill(text);
    await expect(links, text).toHaveText(['Søren Ångström-Weiß']);
    await finder(page).fill('');
    await expect(links, text).toHaveCount(25);
  }
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('soren weiss');
  await expect(palette.getByRole('group', { name: 'Contacts' }).getByRole('option')).toHaveText([
    /Søren Ångström-Weiß/,
  ]);
});

test('somebody who is there twice is unsubscribed twice, after one question, and both come back with one undo @additions', async ({
  page,
  demo,
  unusedPeople,
}) => {
  const [one, two] = unusedPeople.splice(-2);
  if (one === undefined || two === undefined) throw new Error('The demo has fewer people than there are tests.');
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

  // “That was the wrong Wilhelmina.”
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('2 contacts are subscribed again.');
  for (const { uuid } of [one, two]) expect(await readAsCaller(page, demo, uuid)).toMatchObject({ subscribed: true });

  // Whoever was out before stays out.
  await unsubscribeAsCaller(page, demo, two.uuid);
  await hint.getByRole('button', { name: 'Unsubscribe both' }).click();
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(toast(page)).toContainText('Wilhelmina Doppler is unsubscribed.');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('Wilhelmina Doppler is subscribed again.');
  expect(await readAsCaller(page, demo, one.uuid)).toMatchObject({ subscribed: true });
  expect(await readAsCaller(page, demo, two.uuid)).toMatchObject({ subscribed: false });
});

test('whoever closes the question while several are unsubscribed is told who was not @additions @sweep', async ({
  page,
  demo,
  unusedPeople,
  faults,
}) => {
  faults.expect(/status of 403/);
  const [one, two] = unusedPeople.splice(-2);
  if (one === undefined || two === undefined) throw new Error('The demo has fewer people than there are tests.');
  for (const { uuid } of [one, two])
    await updateAsCaller(page, demo, uuid, { first_name: 'Ottilie', last_name: 'Kepler', company: 'Linz Ltd' });
  const held: Route[] = [];
  await page.route('**/unsubscribe', (route) => void held.push(route));
  await page.goto(`/contacts/${one.uuid}`);
  await page.getByRole('button', { name: 'Unsubscribe both' }).click();
  const question = page.getByRole('dialog', { name: 'Unsubscribe both?' });
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect.poll(() => held.length).toBe(1);
  await question.getByRole('button', { name: 'Close' }).click();
  await expect(question).toHaveCount(0);
  await held.pop()?.continue();
  await expect.poll(() => held.length).toBe(1);
  await held.pop()?.fulfill({ status: 403, json: {} });
  await expect(toast(page)).toContainText('Ottilie Kepler was not unsubscribed.');
  await expect(toast(page)).toContainText('Ottilie Kepler is unsubscribed.');
  await expect(toast(page).getByRole('link', { name: 'Ottilie Kepler' })).toHaveAttribute(
    'href',
    `/contacts/${two.uuid}`,
  );
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page)).toContainText('Ottilie Kepler is subscribed again.');
  expect(await readAsCaller(page, demo, one.uuid)).toMatchObject({ subscribed: true });
});

test('rows ticked on several pages go to bulk unsubscribe together @additions', async ({ page }) => {
  await page.goto('/contacts');
  const boxes = page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .getByRole('checkbox');
  const pageBox = page.getByRole('columnheader').getByRole('checkbox');
  // Of the rows that are shown; the box "Go to page" has the number before them.
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
  await expect(page.getByRole('button', { name: 'Unsubscribe 26' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: name }).first()).toBeVisible();
});

test('ticks are gone after a sign-out @additions @sweep', async ({ page, demo }) => {
  await page.goto('/contacts');
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await enterToken(page, demo.token, demo.workspace);
  await expect(page.getByRole('row').nth(1).getByRole('checkbox')).not.toBeChecked();
});

test('an address with a curly apostrophe is never read as a part of it @additions @sweep', async ({
  page,
  demo,
  person,
  unusedPeople,
}) => {
  const other = must(unusedPeople.pop());
  await updateAsCaller(page, demo, other.uuid, { email: 'brien@dublin.example' });
  await page.goto('/contacts');
  const texts = ['o’brien@dublin.example', 'Siobhán O’Brien ‹o’brien@dublin.example>', 'ольга.brien@dublin.example'];
  for (const text of texts) {
    await paste(page, text);
    await finder(page).press('Enter');
    await expect(page.getByText('There is no such contact in this workspace'), text).toBeVisible();
    await expect(offer(page, other), text).toHaveCount(0);
  }
  await updateAsCaller(page, demo, person.uuid, { email: "o'brien@dublin.example" });
  // The console remembers for a while that there was no such contact.
  await page.goto('/contacts');
  await paste(page, String(texts[1]));
  await expect(offer(page, person)).toBeVisible();
  await page.goto(`/contacts/${encodeURIComponent('o’brien@dublin.example')}`);
  await expectPageOf(page, person);
});

import { expect, test } from './fixtures.ts';
import { columnOf, enterToken, finder, lookUp, signIn } from './steps.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('the box says how it reads what is typed', async ({ page, faults }) => {
  // Where the service can tell who that is, it is asked for those whom it does not know, too.
  faults.expect(/status of 404.*\/v1\/contacts/);
  await page.goto('/contacts');
  const box = finder(page);
  await box.fill('Jane <Jane@Example.com>');
  await expect(page.getByText('Reads as the email jane@example.com')).toBeVisible();
  await box.fill('+44 20 7946 0000');
  await expect(page.getByText(/Reads as a phone number.*will also try \+442079460000/)).toBeVisible();
  await box.fill('{0195B3A8-0000-7000-8000-00000000000A}');
  await expect(page.getByText('Reads as the UUID of a contact')).toBeVisible();
});

test('a contact is found by an email with a name, by UUID and by phone', async ({ page, person, demo }) => {
  const email = String(person.attributes.email).toUpperCase();
  for (const text of [`"Doe, Jane" <${email}>`, person.uuid, String(demo.withPhone.attributes.phone)]) {
    await lookUp(page, text);
    await expect(page.getByRole('heading', { name: 'Events' }), text).toBeVisible();
  }
});

test('a link of another system holds an email, as it is or with a name', async ({ page, person, additions }) => {
  const email = String(person.attributes.email);
  for (const written of [email, encodeURIComponent(`Jane Doe <${email.toUpperCase()}>`)]) {
    await page.goto(`/contacts/${written}`);
    await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
    // The address leaves the URL once the UUID is known, which a bare service does not give.
    const address = additions === 'on' ? person.uuid : email;
    await expect(page).toHaveURL((url) => decodeURIComponent(url.pathname) === `/contacts/${address}`);
  }
});

test('a link of another system holds a phone with spaces, or the identity of the workspace @additions', async ({
  page,
  demo,
  faults,
}) => {
  // Looked up as written first, then without the spaces.
  faults.expect(/status of 404.*\/v1\/contacts/);
  const { uuid, attributes } = demo.withPhone;
  const spaced = String(attributes.phone).replace(/^(\+\d\d)(\d+)(\d{4})$/, '$1 $2 $3');
  await page.goto(`/contacts/${spaced}?view=table`);
  await expect(page).toHaveURL(`/contacts/${uuid}?view=table`);
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
  const { contact } = demo.busiest;
  await page.goto(`/contacts/${String(contact.attributes.customer_id)}`);
  await expect(page).toHaveURL(`/contacts/${contact.uuid}`);
});

test('a link to nobody fills the box in and says so', async ({ page, faults }) => {
  faults.expect(/status of 404.*\/v1\/contacts/);
  for (const [written, read] of [
    ['nobody@nowhere.test', 'nobody@nowhere.test'],
    ['ACC%2F42', 'ACC/42'],
    ['ACC/42', 'ACC/42'],
  ] as const) {
    await page.goto(`/contacts/${written}`);
    await expect(page.getByText('There is no such contact in this workspace')).toBeVisible();
    await expect(finder(page)).toHaveValue(read);
  }
});

test('a link that holds several people asks nobody', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes('/v1/contacts/') && sent.push(request.url()));
  await page.goto('/contacts/a@x.test,%20b@x.test');
  await expect(page.getByRole('list', { name: 'People in this text' }).getByRole('button')).toHaveText([
    'a@x.test',
    'b@x.test',
  ]);
  await expect(finder(page)).toHaveValue('a@x.test, b@x.test');
  expect(sent).toEqual([]);
});

test('a link opened while signed out is followed after signing in', async ({ page, person, demo, context, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await context.clearCookies();
  await page.goto(`/contacts/${encodeURIComponent(`<${String(person.attributes.email)}>`)}`);
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await enterToken(page, demo.token, demo.workspace);
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
});

test('without a list of contacts, the ones opened are one click away @bare', async ({ page, person }) => {
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

test('a search beside a filter says so where nobody is found, and the filter is removed by itself @additions', async ({
  page,
  person,
}) => {
  const email = String(person.attributes.email);
  await page.goto('/contacts');
  await expect(page.getByRole('heading', { name: 'All contacts' })).toBeVisible();
  await page.getByRole('button', { name: 'Unsubscribed', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Matching contacts' })).toBeVisible();
  await finder(page).fill(email);
  await expect(page.getByText(`No contact matches “${email}” with this filter.`)).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter' }).click();
  await expect(page.getByRole('navigation', { name: 'Pages of contacts' })).toContainText('1–1 of 1');
  await expect(finder(page)).toHaveValue(email);
  await expect(page.getByRole('button', { name: 'All', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('heading', { name: 'Matching contacts' })).toBeVisible();
});

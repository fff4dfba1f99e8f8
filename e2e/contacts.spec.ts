import { expect, test } from './fixtures.ts';
import { columnOf, enterToken, finder, lookUp, signIn } from './steps.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

const DRESSES: [dress: string, (email: string) => string][] = [
  ['plain', (email) => email],
  ['in capitals with spaces around', (email) => `  ${email.toUpperCase()}\u00a0`],
  ['with a name', (email) => `"Doe, Jane" <${email}>`],
  ['as a mailto link', (email) => `mailto:${email}?subject=Hello`],
];

for (const [dress, dressed] of DRESSES) {
  test(`a contact is found by an email ${dress}`, async ({ page, person }) => {
    const email = String(person.attributes.email);
    await lookUp(page, dressed(email));
    await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
}

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

test('a contact is found by UUID and by phone', async ({ page, person, demo }) => {
  await lookUp(page, person.uuid);
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
  await lookUp(page, String(demo.withPhone.attributes.phone));
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
});

test('the address leaves the URL once the UUID is known @additions', async ({ page, person }) => {
  await lookUp(page, String(person.attributes.email));
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
  await page.goto(`/contacts/${encodeURIComponent(String(person.attributes.email))}`);
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
});

const LINKS: [what: string, (email: string) => string][] = [
  ['as it is', (email) => email],
  ['percent-encoded, with a name', (email) => encodeURIComponent(`Jane Doe <${email.toUpperCase()}>`)],
  ['as a mailto link', (email) => `mailto:${email}`],
];

for (const [what, written] of LINKS) {
  test(`a link of another system holds an email ${what}`, async ({ page, person, additions }) => {
    const email = String(person.attributes.email);
    await page.goto(`/contacts/${written(email)}`);
    await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
    // A bare service gives no UUID for the URL.
    const address = additions === 'on' ? person.uuid : email;
    await expect(page).toHaveURL((url) => decodeURIComponent(url.pathname) === `/contacts/${address}`);
  });
}

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

test('nobody of that name is a clear answer', async ({ page, faults }) => {
  faults.expect(/status of 404.*\/v1\/contacts/);
  await lookUp(page, 'nobody@nowhere.test');
  await expect(page.getByText('There is no such contact in this workspace')).toBeVisible();
  await expect(page).toHaveURL('/contacts');
});

test('what no URL can carry is not sent, and is refused where nothing else can find it', async ({
  page,
  additions,
}) => {
  const sent: string[] = [];
  await page.goto('/contacts');
  page.on('request', (request) => request.url().includes('/v1/contacts/') && sent.push(request.url()));
  for (const value of ['..', '.', '   ', 'a@x.testb@x.test']) {
    await finder(page).fill(value);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    // Where contacts can be listed, dots are a search.
    if (additions === 'off' || value.includes('@')) await expect(page.locator('[data-fault]')).toBeVisible();
  }
  expect(sent).toEqual([]);
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

test('a contact is opened from the list @additions', async ({ page, person }) => {
  await page.goto(`/contacts?search=${encodeURIComponent(String(person.attributes.email))}`);
  await page.getByRole('row').getByRole('link').click();
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${String(person.attributes.first_name)} ${String(person.attributes.last_name)}`,
  );
});

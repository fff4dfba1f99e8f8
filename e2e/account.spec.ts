import type { Page } from '@playwright/test';
import { findFreePort, startAccountProvider, type AccountProvider } from './accountProvider.ts';
import { runAdmin } from './admin.ts';
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts';
import { copyDemo } from './demo.ts';
import { expect, test as base } from './fixtures.ts';
import { startSendroom } from './startSendroom.ts';
import { startHeading } from './steps.ts';

// Signing in with the account of an organisation, at a real provider.

type Site = { url: string; provider: AccountProvider; databaseUrl: string; globex: string };

const test = base.extend<object, { site: Site }>({
  site: [
    async ({ demo }, provide) => {
      const database = await copyDemo(demo);
      const made = await runAdmin(database.url, '--json', 'workspace', 'create', '--name', 'Globex');
      const globex = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(made)?.[0] ?? '';
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      const provider = await startAccountProvider(`${url}/`);
      const sendroom = await startSendroom({ DATABASE_URL: database.url, PORT: String(port), ...provider.settings });
      await provide({ url, provider, databaseUrl: database.url, globex });
      await sendroom.stop();
      await provider.stop();
      await database.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ site }, provide) => provide(site.url),
});

test.beforeEach(({ site, faults }) => faults.expect(new RegExp(`^foreign origin: ${site.provider.issuer}$`)));

/** Makes somebody new the one who comes to the provider, with roles in workspaces here. */
async function become({ provider, databaseUrl }: Site, roles: Readonly<Record<string, string>>): Promise<string> {
  const sub = crypto.randomUUID();
  const email = `${sub}@example.com`;
  provider.person = { sub, email, email_verified: true, name: 'Ann Example' };
  for (const [workspace, role] of Object.entries(roles))
    await runAdmin(databaseUrl, 'member', 'invite', email, '--workspace', workspace, '--role', role);
  return email;
}

const account = (page: Page) => page.getByRole('link', { name: 'Sign in with Acme ID' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function signInAt(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await account(page).click();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();
}

/** Signs in at the list of contacts. Its next page is the last that the console reads by itself. */
async function signInAtContacts(page: Page, path: string): Promise<void> {
  const isNextRead = page.waitForResponse((response) => response.url().includes('/v1/contacts?page=2&'));
  await signInAt(page, path);
  await isNextRead;
}

/** The path of a member, and what an admin of the workspace sends with a request. */
async function memberAt(page: Page, token: string, email: string) {
  const headers = { authorization: `Bearer ${token}` };
  const found = await page.request.get(`/v1/members?search=${email}`, { headers });
  const { data } = (await found.json()) as { data: { uuid: string }[] };
  return { path: `/v1/members/${data[0]?.uuid}`, headers };
}

/** Removes a member as an admin of the workspace does. */
async function remove(page: Page, token: string, email: string): Promise<void> {
  const { path, headers } = await memberAt(page, token, email);
  expect((await page.request.delete(path, { headers })).status()).toBe(204);
}

test('an account leads to the page that was asked for, with the role it has there @additions', async ({
  page,
  site,
  demo,
}) => {
  const email = await become(site, { [demo.workspace]: 'support' });
  await page.goto('/domains?search=globex');
  await expect(account(page)).toBeVisible();
  // As it is laid out: in one line, with a blank between the words.
  expect(await account(page).innerText()).toBe('Sign in with Acme ID');
  await expect(page.getByLabel('Access token', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await account(page).click();
  await expect(page).toHaveURL(`${site.url}/w/${demo.workspace}/domains?search=globex`);
  await expect(heading(page, 'Domains')).toBeVisible();
  await expect(page.getByRole('banner').getByText(email)).toBeVisible();
  await page.goto('/people');
  await expect(page.getByText('The list of people needs the role Admin; yours is Support.')).toBeVisible();
});

test('two workspaces, each in a tab of its own, and nothing of one in the other @additions', async ({
  page,
  site,
  demo,
  context,
}) => {
  await become(site, { [demo.workspace]: 'editor', [site.globex]: 'support' });
  await signInAt(page, '/contacts');
  await expect(page).toHaveURL(`${site.url}/w/${demo.workspace}/contacts`);
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await page.goto(`/w/${demo.workspace}/desk`);
  await page.getByLabel('Who wants no more mail?').fill(demo.busiest.contact.uuid);
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByRole('region', { name: 'What will happen' })).toBeVisible();

  await page.goto(`/w/${demo.workspace}/contacts`);
  await expect(page.getByRole('button', { name: 'switch workspace' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  const choice = page.getByRole('dialog', { name: 'Switch workspace' });
  await expectAccessible(page);
  await choice.getByRole('link', { name: 'Globex' }).click();
  await expect(page).toHaveURL(`${site.url}/w/${site.globex}/`);
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(page.getByText('No contacts yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(page.getByLabel('Who wants no more mail?')).toHaveValue('');

  const other = await context.newPage();
  await other.goto(`/w/${demo.workspace}/contacts`);
  await expect(other.getByRole('row').getByRole('link').first()).toBeVisible();
  await other.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(other.getByRole('region', { name: 'What will happen' })).toBeVisible();
  await page.bringToFront();
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(page.getByText('No contacts yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Globex/ })).toBeVisible();
  // The last one that was opened.
  await page.goto('/contacts');
  await expect(page).toHaveURL(`${site.url}/w/${site.globex}/contacts`);

  await expect(page.getByRole('button', { name: 'switch workspace' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('switch to');
  await page.getByRole('option', { name: /^Switch to / }).click();
  await expect(page).toHaveURL(`${site.url}/w/${demo.workspace}/`);
});

test('“the whole team stood in that list”: of a list that I paste, my own address is left out @additions', async ({
  page,
  site,
  demo,
}) => {
  const email = await become(site, { [demo.workspace]: 'support' });
  await signInAt(page, '/desk');
  await page.getByLabel('Who wants no more mail?').fill(`${email.toUpperCase()}\n${demo.busiest.contact.uuid}`);
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByText('1 of your own addresses left out')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Your own address' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
});

test('somebody who is removed while they work is told so @additions @sweep', async ({ page, site, demo, faults }) => {
  faults.expect(/status of 40[13]/);
  const only = await become(site, { [demo.workspace]: 'read' });
  await signInAtContacts(page, '/contacts');
  await remove(page, demo.token, only);
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await expect(page.getByText('Your session ended')).toBeVisible();
  await account(page).click();
  await expect(page.getByText('This account has no access here')).toBeVisible();

  const email = await become(site, { [demo.workspace]: 'read', [site.globex]: 'read' });
  await signInAtContacts(page, `/w/${demo.workspace}/contacts`);
  await expect(page).toHaveURL(`${site.url}/w/${demo.workspace}/contacts`);
  await remove(page, demo.token, email);
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await expect(heading(page, 'This page is of another workspace')).toBeVisible();
  await expect(page.getByText(`${email} is not a member of it`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Globex' }).click();
  await expect(page).toHaveURL(`${site.url}/w/${site.globex}/`);
  await expect(startHeading(page)).toBeVisible();
});

test('somebody who loses the role while they edit keeps the draft, and is told why it is not saved @additions @sweep', async ({
  page,
  site,
  demo,
  faults,
}) => {
  faults.expect(/status of 403/);
  const email = await become(site, { [demo.workspace]: 'editor' });
  await signInAt(page, `/w/${demo.workspace}/contacts/${demo.busiest.contact.uuid}`);
  const attributes = page.getByRole('region', { name: 'Attributes' });
  await attributes.getByRole('button', { name: 'Edit' }).click();
  await attributes.getByLabel('Value of first_name').fill('Gracie');
  const { path, headers } = await memberAt(page, demo.token, email);
  expect((await page.request.post(path, { headers, data: { role: 'read' } })).status()).toBe(200);
  await attributes.getByRole('button', { name: 'Save' }).click();
  await expect(attributes).toContainText('Saving needs the role Editor; yours is Read only.');
  await expect(attributes.getByRole('alert')).toContainText('No access');
  await expect(attributes.getByLabel('Value of first_name')).toHaveValue('Gracie');
  await expect(attributes.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expectAccessible(page);
  await attributes.getByRole('button', { name: 'Discard' }).click();
  await expect(attributes).toContainText('Editing needs the role Editor; yours is Read only.');
});

test('what an admin does to themselves is said as such @additions @sweep', async ({ page, site, demo, faults }) => {
  faults.expect(/status of 40[13]/);
  await become(site, { [demo.workspace]: 'admin' });
  // Else they are the last admin, who cannot go.
  await signInAt(page, '/people');
  const email = await become(site, { [demo.workspace]: 'admin' });
  await page.context().clearCookies();
  await signInAt(page, `/people?search=${email}`);
  const row = page.locator('[aria-label="Table of people"] tbody tr').filter({ hasText: email });
  await expect(row).toContainText('You');
  await row.getByRole('button', { name: `Change role of ${email}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Your own role');
  await expect(dialog).toContainText('Only another admin can make you an admin again.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: `Remove ${email}` }).click();
  await expect(dialog).toContainText('You will be signed out of this workspace at once.');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(account(page)).toBeVisible();
});

test('whoever is not let in is told why, and what to do @additions', async ({ page, site, demo }) => {
  const { provider } = site;
  await become(site, {});
  await page.goto('/');
  await account(page).click();
  await expect(page.getByText('This account has no access here')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await become(site, { [demo.workspace]: 'read' });
  provider.person = { ...provider.person, email_verified: false };
  await account(page).click();
  await expect(page.getByText('Your email address is not verified')).toBeVisible();
  provider.person = { ...provider.person, email_verified: true };
  provider.ahead = 300;
  await account(page).click();
  await expect(page.getByText('Two clocks differ')).toBeVisible();
  provider.ahead = 0;
  await page.goto('/session/account/callback?code=x&state=forged');
  await expect(page.getByText('This sign-in took too long')).toBeVisible();
  // With another key.
  await provider.restart();
  await account(page).click();
  await expect(startHeading(page)).toBeVisible();
});

test('a tab at the sign-in page goes on where it was once another tab has signed in @additions @sweep', async ({
  page,
  site,
  demo,
  context,
}) => {
  await become(site, { [demo.workspace]: 'read' });
  const other = await context.newPage();
  await other.goto('/domains');
  await expect(account(other)).toBeVisible();
  await signInAt(page, '/contacts');
  await expect(page).toHaveURL(`${site.url}/w/${demo.workspace}/contacts`);
  // As when somebody looks at it.
  await other.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(heading(other, 'Domains')).toBeVisible();
  await expect(other).toHaveURL(`${site.url}/w/${demo.workspace}/domains`);
});

test('a sign-out ends the session here, and offers that of the account @additions', async ({ page, site, demo }) => {
  await become(site, { [demo.workspace]: 'read' });
  await signInAt(page, '/contacts');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${site.url}/sign-in#signed-out=1`);
  const offer = page.getByRole('link', { name: 'Sign out of Acme ID as well' });
  await expect(offer).toHaveAttribute('href', new RegExp(`^${site.provider.issuer}/`));
  await expectAccessible(page);
  expect((await page.request.get('/session', { headers: { 'sendroom-console': '1' } })).status()).toBe(200);
  await page.goto(`/w/${demo.workspace}/contacts`);
  await expect(account(page)).toBeVisible();
});

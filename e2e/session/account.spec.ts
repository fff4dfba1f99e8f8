import type { Page } from '@playwright/test';
import {
  type AccountProvider,
  CLIENT_ID,
  CLIENT_SECRET,
  startAccountProvider,
} from '../../testing/programs/accountProvider.ts';
import { freePorts } from '../../testing/programs/freePorts.ts';
import { runAdmin } from '../support/admin.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { copyDemo } from '../support/demo.ts';
import { expect, test as base } from '../support/fixtures.ts';
import { startSendroom } from '../support/startSendroom.ts';
import { startHeading } from '../support/steps.ts';

type Site = { url: string; provider: AccountProvider; databaseUrl: string; globex: string };

const test = base.extend<object, { site: Site }>({
  site: [
    async ({ demo }, provide) => {
      const database = await copyDemo(demo);
      const made = await runAdmin(database.url, '--json', 'workspace', 'create', '--name', 'Globex');
      const globex = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(made)?.[0] ?? '';
      const [port = 0] = await freePorts(1);
      const url = `http://127.0.0.1:${port}`;
      await using provider = await startAccountProvider({ publicUrl: `${url}/` });
      const sendroom = await startSendroom({
        DATABASE_URL: database.url,
        PORT: String(port),
        PUBLIC_URL: `${url}/`,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_NAME: 'Acme ID',
      });
      await provide({ url, provider, databaseUrl: database.url, globex });
      await sendroom.stop();
      await database.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ site }, provide) => provide(site.url),
});

test.beforeEach(({ site, faults }) => faults.expect(new RegExp(`^foreign origin: ${site.provider.issuer}$`)));

/** Makes a new account the one that signs in at the provider, with these roles by workspace. */
async function become(
  { provider, databaseUrl }: Site,
  roles: Readonly<Record<string, string>>,
  name = 'Ann Example',
): Promise<string> {
  const sub = crypto.randomUUID();
  const email = `${sub}@example.com`;
  provider.accounts.set(sub, { email, email_verified: true, name });
  provider.person = sub;
  await invite({ databaseUrl }, email, roles);
  return email;
}

async function invite(
  { databaseUrl }: Pick<Site, 'databaseUrl'>,
  email: string,
  roles: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [workspace, role] of Object.entries(roles))
    await runAdmin(databaseUrl, 'member', 'invite', email, '--workspace', workspace, '--role', role);
}

const account = (page: Page) => page.getByRole('link', { name: 'Sign in with Acme ID' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function signInAt(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await account(page).click();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();
}

test('an account leads to the requested page, with its role @additions', async ({ page, site, demo }) => {
  const email = await become(site, { [demo.workspace]: 'support' });
  await page.goto('/domains?search=globex');
  await expect(account(page)).toBeVisible();
  // As rendered: one line with a space.
  expect(await account(page).innerText()).toBe('Sign in with Acme ID');
  await expect(page.getByLabel('Access token', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await account(page).click();
  await expect(page).toHaveURL(`${site.url}/w/${demo.workspace}/domains?search=globex`);
  await expect(heading(page, 'Domains')).toBeVisible();
  await expect(page.getByRole('banner').getByText(email)).toBeVisible();
  await page.goto('/people');
  await expect(page.getByText('The list of members needs the role Admin; yours is Support.')).toBeVisible();
});

test('two tabs with two workspaces stay apart @additions', async ({ page, site, demo, context }) => {
  await become(site, { [demo.workspace]: 'editor', [site.globex]: 'support' });
  await signInAt(page, '/contacts');
  await expect(page).toHaveURL(`${site.url}/w/${demo.workspace}/contacts`);
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await page.goto(`/w/${demo.workspace}/desk`);
  await page.getByLabel('Who should be unsubscribed?').fill(demo.busiest.contact.uuid);
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByRole('region', { name: 'What will happen' })).toBeVisible();

  await page.goto(`/w/${demo.workspace}/contacts`);
  await expect(page.getByRole('button', { name: 'switch workspace' })).toBeVisible();
  await page.keyboard.type('gw');
  const choice = page.getByRole('dialog', { name: 'Switch workspace' });
  await expectAccessible(page);
  await choice.getByRole('link', { name: 'Globex' }).click();
  await expect(page).toHaveURL(`${site.url}/w/${site.globex}/`);
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(page.getByText('No contacts yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(page.getByLabel('Who should be unsubscribed?')).toHaveValue('');

  const other = await context.newPage();
  await other.goto(`/w/${demo.workspace}/contacts`);
  await expect(other.getByRole('row').getByRole('link').first()).toBeVisible();
  await other.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await expect(other.getByRole('region', { name: 'What will happen' })).toBeVisible();
  await page.bringToFront();
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(page.getByText('No contacts yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Globex/ })).toBeVisible();
});

test('an account without access is told why, and is let in once it is invited @additions', async ({
  page,
  site,
  demo,
}) => {
  const email = await become(site, {});
  await page.goto('/');
  await account(page).click();
  await expect(page.getByText('This account has no access here')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await invite(site, email, { [demo.workspace]: 'read' });
  await account(page).click();
  await expect(startHeading(page)).toBeVisible();
});

test('a sign-out ends the session, and offers to sign out of the account @additions', async ({
  page,
  site,
  demo,
  faults,
}) => {
  // What the page still reads is refused.
  faults.expect(/status of 401.*\/v1\/contacts/);
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

test('removing a member offers to revoke their tokens @additions', async ({ page, site, demo }) => {
  const dialog = page.getByRole('dialog', { name: 'Revoke their tokens too?' });
  const names = [`Sync ${crypto.randomUUID()}`, `Till ${crypto.randomUUID()}`];
  await page.setViewportSize({ width: 320, height: 640 });
  for (const answer of ['Keep all', 'Revoke all']) {
    const email = await become(site, { [demo.workspace]: 'admin' }, 'Tove Token');
    await signInAt(page);
    const secrets: string[] = [];
    for (const name of names) {
      const headers = { 'sendroom-console': '1', 'sendroom-workspace': demo.workspace };
      const made = await page.request.post('/v1/tokens', { headers, data: { name, role: 'read' } });
      secrets.push(((await made.json()) as { data: { secret: string } }).data.secret);
    }
    // What the page still reads would be refused.
    await page.goto('about:blank');
    await page.context().clearCookies();

    await become(site, { [demo.workspace]: 'admin' });
    await signInAt(page, '/people');
    await page.getByRole('searchbox', { name: 'Search members' }).fill(email);
    await page.getByRole('button', { name: `Remove ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(dialog).toContainText('Tove Token created these access tokens');
    for (const name of names)
      await expect(dialog.getByRole('listitem').filter({ hasText: name })).toContainText('Read only');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: answer }).click();
    await expect(dialog).toBeHidden();
    for (const secret of secrets) {
      const call = page.request.get('/v1/workspace', { headers: { authorization: `Bearer ${secret}`, cookie: '' } });
      expect((await call).status()).toBe(answer === 'Keep all' ? 200 : 401);
    }
    // What the page still reads would be refused.
    await page.goto('about:blank');
    await page.context().clearCookies();
  }
});

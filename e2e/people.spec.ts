import type { Locator, Page } from '@playwright/test';
import { createToken } from './admin.ts';
import { expect, test } from './fixtures.ts';
import { enterToken, inviteAsCaller, pasted, signIn, startHeading } from './steps.ts';

// Who may sign in and what signs in, as an admin sees it with a token. People themselves are in account.spec.ts.

const rows = (page: Page, what: string): Locator =>
  page.locator(`[aria-label="Table of ${what}"] tbody tr:not([aria-hidden])`);
const row = (page: Page, what: string, text: string) => rows(page, what).filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const addressOf = (who: string) => `${who}.${crypto.randomUUID()}@example.com`;

test('somebody is invited, gets another role, and is removed, which the activity tells @additions', async ({
  page,
  demo,
  sendroom,
}) => {
  const email = addressOf('ann');
  await signIn(page, demo);
  await page.goto('/contacts');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await expect(page).toHaveTitle('People · Sendroom');

  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await inDialog(page, 'Invite').click();
  await expect(page.getByText('Enter an email address, as in')).toBeVisible();
  await page.getByLabel('Email address').fill(` ${email} `);
  await dialog(page).getByLabel('Editor').check();
  await inDialog(page, 'Invite').click();
  // The service of the tests knows no account provider, as the page says.
  await expect(page.getByText('People cannot sign in yet')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Invited' })).toContainText(
    `${email} can sign in once this service knows an account provider. We send no mail: give them this link then.`,
  );
  await inDialog(page, 'Copy the link').click();
  await inDialog(page, 'Done').click();
  expect(await pasted(page)).toBe(`${sendroom.url}/w/${demo.workspace}/`);

  await page.getByRole('searchbox', { name: 'Search people' }).fill(email);
  await expect(rows(page, 'people')).toHaveCount(1);
  await expect(rows(page, 'people')).toContainText('EditorInvitedNever');

  await page.getByRole('button', { name: `Change role of ${email}` }).click();
  await expect(inDialog(page, 'Change')).toBeDisabled();
  await dialog(page).getByLabel('Read only').check();
  await inDialog(page, 'Change').click();
  await expect(rows(page, 'people')).toContainText('Read onlyInvited');

  await page.getByRole('button', { name: `Remove ${email}` }).click();
  await expect(dialog(page)).toContainText('They can no longer open this workspace');
  await inDialog(page, 'Remove').click();
  await expect(rows(page, 'people')).toHaveCount(0);

  await page.goto('/activity');
  for (const text of [
    `Removed ${email}, who was Read only`,
    `Changed the role of ${email} from Editor to Read only`,
    `Invited ${email} as Editor`,
  ])
    await expect(row(page, 'activity', text)).toHaveCount(1);
});

test('a search that began before a role was changed does not show the old one @additions @sweep', async ({
  page,
  demo,
}) => {
  const email = addressOf('eve');
  await signIn(page, demo);
  await inviteAsCaller(page, demo, email);
  await page.goto('/people');
  await expect(row(page, 'people', email)).toBeVisible();
  const release = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === '/v1/members' && url.searchParams.get('search') === email,
    async (route) => {
      const before = await route.fetch();
      asked.resolve();
      await release.promise;
      await route.fulfill({ response: before });
    },
    { times: 1 },
  );
  await page.getByRole('searchbox', { name: 'Search people' }).fill(email);
  await asked.promise;
  await page.getByRole('button', { name: `Change role of ${email}` }).click();
  await dialog(page).getByLabel('Editor').check();
  await inDialog(page, 'Change').click();
  await expect(dialog(page)).toBeHidden();
  release.resolve();
  await expect(rows(page, 'people')).toHaveCount(1);
  await expect(rows(page, 'people')).toContainText('EditorInvited');
});

test('whoever is a member cannot be invited again, and the dialog says so @additions @sweep', async ({
  page,
  demo,
  faults,
}) => {
  faults.expect(/status of 409/);
  const email = addressOf('bob');
  await signIn(page, demo);
  await inviteAsCaller(page, demo, email);
  await page.goto('/people');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Email address').fill(email.toUpperCase());
  await inDialog(page, 'Invite').click();
  await expect(dialog(page).getByRole('alert')).toContainText('A member of this workspace has this address.');
});

test('what is told of an invitation and of a token is what was sent, also where one types on @additions @sweep', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  for (const { at, path, begin, label, send, sent, name } of [
    {
      at: '/people',
      path: '/v1/members',
      begin: 'Invite',
      label: 'Email address',
      send: 'Invite',
      sent: addressOf('jo'),
      name: 'Invited',
    },
    {
      at: '/tokens',
      path: '/v1/tokens',
      begin: 'Create a token',
      label: 'Name',
      send: 'Create',
      sent: 'CRM sync',
      name: 'Token CRM sync',
    },
  ]) {
    await page.goto(at);
    const held = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === path,
      async (route) => {
        if (route.request().method() === 'POST') await held.promise;
        await route.continue();
      },
    );
    await page.getByRole('button', { name: begin, exact: true }).click();
    await dialog(page).getByLabel(label).fill(sent);
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(path));
    await inDialog(page, send).click();
    await asked;
    await dialog(page).getByLabel(label).fill('another@example.com');
    held.resolve();
    const told = page.getByRole('dialog', { name, exact: true });
    await expect(told).toBeVisible();
    await expect(told).toContainText(sent);
    await inDialog(page, 'Done').click();
  }
});

test('somebody whom another admin has removed meanwhile is as good as removed @additions @sweep', async ({
  page,
  demo,
  faults,
}) => {
  faults.expect(/status of 404/);
  const email = addressOf('carl');
  await signIn(page, demo);
  await inviteAsCaller(page, demo, email);
  await page.goto(`/people?search=${email}`);
  await page.getByRole('button', { name: `Remove ${email}` }).click();
  const headers = { authorization: `Bearer ${demo.token}` };
  const found = await page.request.get(`/v1/members?search=${email}`, { headers });
  const { data } = (await found.json()) as { data: { uuid: string }[] };
  expect((await page.request.delete(`/v1/members/${data[0]?.uuid}`, { headers })).status()).toBe(204);
  await inDialog(page, 'Remove').click();
  await expect(rows(page, 'people')).toHaveCount(0);
});

test('a token is shown once, works, and is refused once it is revoked @additions', async ({ page, demo }) => {
  const name = `Sync ${crypto.randomUUID()}`;
  await signIn(page, demo);
  await page.goto('/people');
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByRole('button', { name: 'Create a token' }).click();
  await inDialog(page, 'Create').click();
  await expect(page.getByText('Say what the token is for.')).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: '30 days' }).click();
  const before = Date.now();
  await inDialog(page, 'Create').click();
  await expect(dialog(page)).toContainText('It is not shown again');
  const after = Date.now();
  // A browser lets a page refuse the first Escape only.
  for (let count = 0; count < 3; count++) await page.keyboard.press('Escape');
  await inDialog(page, 'Copy the token').click();
  await inDialog(page, 'Done').click();
  const secret = await pasted(page);
  expect(secret).toMatch(/^sr_/);
  await expect(page.locator('body')).not.toContainText(secret);

  const asked = async () =>
    (await page.request.get('/v1/workspace', { headers: { authorization: `Bearer ${secret}` } })).status();
  expect(await asked()).toBe(200);
  await page.getByRole('searchbox', { name: 'Search tokens' }).fill(name);
  await expect(rows(page, 'tokens')).toHaveCount(1);
  await expect(rows(page, 'tokens')).toContainText('Read onlyActive');
  const ends = Date.parse((await rows(page, 'tokens').locator('time').nth(1).getAttribute('datetime')) ?? '');
  expect(ends).toBeGreaterThanOrEqual(before + 30 * 86_400_000);
  expect(ends).toBeLessThanOrEqual(after + 30 * 86_400_000);

  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await inDialog(page, 'Revoke').click();
  await expect(rows(page, 'tokens')).toContainText('Revoked');
  await expect(page.getByRole('button', { name: `Revoke ${name}` })).toHaveCount(0);
  expect(await asked()).toBe(401);
});

test('a new token is shown also where nothing can be read any more @additions @sweep', async ({
  page,
  demo,
  faults,
}) => {
  faults.expect(/ERR_FAILED/);
  await signIn(page, demo);
  await page.goto('/tokens');
  await expect(rows(page, 'tokens').first()).toBeVisible();
  await page.getByRole('button', { name: 'Create a token' }).click();
  await page.getByLabel('Name').fill(`Sync ${crypto.randomUUID()}`);
  // The list is never answered, and the session is asked for in vain, as often as the console tries.
  await page.route('**/v1/tokens?*', () => {});
  let tries = 0;
  await page.route('**/session', async (route) => {
    await route.abort();
    tries++;
  });
  await inDialog(page, 'Create').click();
  await expect(dialog(page)).toContainText('It is not shown again');
  await expect.poll(() => tries).toBe(3);
  await inDialog(page, 'Copy the token').click();
  await inDialog(page, 'Done').click();
  expect(await pasted(page)).toMatch(/^sr_/);
  await expect(page.getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible();
});

test('an admin ends the session of somebody else, who then has to sign in again @additions', async ({
  page,
  demo,
  sendroom,
  browser,
}) => {
  const other = await browser.newPage({ baseURL: sendroom.url });
  await other.goto('/sign-in');
  // Other tests leave sessions of tokens, too.
  const name = `Till ${crypto.randomUUID()}`;
  await enterToken(other, await createToken(sendroom.databaseUrl, demo.workspace, 'editor', name));
  await expect(startHeading(other)).toBeVisible();

  await signIn(page, demo);
  await page.goto('/contacts');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveTitle('Sessions · Sendroom');
  await expect(row(page, 'sessions', 'This one')).toHaveCount(1);
  await page.getByRole('button', { name: `End the session of ${name}` }).click();
  await inDialog(page, 'End').click();
  await expect(row(page, 'sessions', name)).toHaveCount(0);

  await other.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(other.getByText('Your session ended')).toBeVisible();
  await other.close();
});

test('others see their own sessions, and what the pages of an admin need @additions', async ({
  page,
  demo,
  sendroom,
}) => {
  await page.goto('/sign-in');
  await enterToken(page, await createToken(sendroom.databaseUrl, demo.workspace, 'support'));
  await expect(startHeading(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'People', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Your sessions' }).click();
  await expect(page).toHaveTitle('Your sessions · Sendroom');
  await expect(rows(page, 'sessions')).toHaveCount(1);
  await expect(rows(page, 'sessions')).toContainText('This one');
  await page.goto('/people');
  await expect(page.getByText('The list of people needs the role Admin; yours is Support.')).toBeVisible();
  await page.goto('/tokens');
  await expect(page.getByText('The list of tokens needs the role Admin; yours is Support.')).toBeVisible();
});

test('a link of a colleague opens for a token of its workspace, and says so for another @additions @sweep', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  await page.goto(`/w/${demo.workspace}/domains?search=globex`);
  await expect(page).toHaveURL(/\/domains\?search=globex$/);
  await expect(page).not.toHaveURL(/\/w\//);
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();

  const stranger = '0199aaaa-0000-7000-8000-000000000001';
  await page.goto(`/w/${stranger}/domains`);
  await expect(page.getByRole('heading', { name: 'This page is of another workspace' })).toBeVisible();
  await expect(page.getByText(stranger)).toBeVisible();
  await page.getByRole('link', { name: /^Go to / }).click();
  await expect(startHeading(page)).toBeVisible();
  await expect(page).not.toHaveURL(/\/w\//);
});

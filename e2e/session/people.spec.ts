import type { Locator, Page } from '@playwright/test';
import { createToken } from '../support/admin.ts';
import { expect, test } from '../support/fixtures.ts';
import { enterToken, pasted, signIn, startHeading } from '../support/steps.ts';

// Access as an admin sees it with a token. Accounts: account.spec.ts.

const rows = (page: Page, what: string): Locator =>
  page.locator(`[aria-label="Table of ${what}"] tbody tr:not([aria-hidden])`);
const row = (page: Page, what: string, text: string) => rows(page, what).filter({ hasText: text });
const dialog = (page: Page) => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });

test('a member is invited, changed and removed, and the activity shows it @additions', async ({
  page,
  demo,
  sendroom,
}) => {
  const email = `ann.${crypto.randomUUID()}@example.com`;
  await signIn(page, demo);
  await page.goto('/contacts');
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await expect(page).toHaveTitle('Team · Sendroom');

  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await inDialog(page, 'Invite').click();
  await expect(page.getByText('Enter an email address like')).toBeVisible();
  await page.getByLabel('Email address').fill(` ${email} `);
  await dialog(page).getByLabel('Editor').check();
  await inDialog(page, 'Invite').click();
  // The service of the tests knows no account provider, as the page says.
  await expect(page.getByText('People can’t sign in yet')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Invited' })).toContainText(
    `${email} can sign in once single sign-on is configured. Sendroom doesn’t send email; share this link.`,
  );
  await inDialog(page, 'Copy the link').click();
  await inDialog(page, 'Done').click();
  expect(await pasted(page)).toBe(`${sendroom.url}/w/${demo.workspace}/`);

  await page.getByRole('searchbox', { name: 'Search members' }).fill(email);
  await expect(rows(page, 'members')).toHaveCount(1);
  await expect(rows(page, 'members')).toContainText('EditorInvitedNever');

  await page.getByRole('button', { name: `Change role of ${email}` }).click();
  await expect(inDialog(page, 'Change')).toBeDisabled();
  await dialog(page).getByLabel('Read only').check();
  await inDialog(page, 'Change').click();
  await expect(rows(page, 'members')).toContainText('Read onlyInvited');

  await page.getByRole('button', { name: `Remove ${email}` }).click();
  await expect(dialog(page)).toContainText('They lose access to this workspace');
  await inDialog(page, 'Remove').click();
  await expect(rows(page, 'members')).toHaveCount(0);

  await page.goto('/activity');
  for (const text of [
    `Removed ${email}, who was Read only`,
    `Changed the role of ${email} from Editor to Read only`,
    `Invited ${email} as Editor`,
  ])
    await expect(row(page, 'log entries', text)).toHaveCount(1);
});

test('a token is shown once, works, and is refused once revoked @additions', async ({ page, demo }) => {
  const name = `Sync ${crypto.randomUUID()}`;
  await signIn(page, demo);
  await page.goto('/people');
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByRole('button', { name: 'Create a token' }).click();
  await inDialog(page, 'Create').click();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: '30 days' }).click();
  await inDialog(page, 'Create').click();
  await expect(dialog(page)).toContainText('It won’t be shown again');
  // Browsers let a page cancel only the first Escape.
  for (let count = 0; count < 3; count++) await page.keyboard.press('Escape');
  await inDialog(page, 'Copy the token').click();
  await inDialog(page, 'Done').click();
  const secret = await pasted(page);
  expect(secret).toMatch(/^sr_/);
  await expect(page.locator('body')).not.toContainText(secret);

  const statusByToken = async () =>
    (await page.request.get('/v1/workspace', { headers: { authorization: `Bearer ${secret}` } })).status();
  expect(await statusByToken()).toBe(200);
  await page.getByRole('searchbox', { name: 'Search tokens' }).fill(name);
  await expect(rows(page, 'tokens')).toHaveCount(1);
  await expect(rows(page, 'tokens')).toContainText('SupportActive');
  const [made, ends] = await rows(page, 'tokens')
    .locator('time')
    .evaluateAll((times) => times.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
  expect(Math.round((Number(ends) - Number(made)) / 86_400_000)).toBe(30);
  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await inDialog(page, 'Revoke').click();
  await expect(rows(page, 'tokens')).toContainText('Revoked');
  await expect(page.getByRole('button', { name: `Revoke ${name}` })).toHaveCount(0);
  expect(await statusByToken()).toBe(401);
});

test('an admin ends another session @additions', async ({ page, demo, sendroom, browser }) => {
  const other = await browser.newPage({ baseURL: sendroom.url });
  await other.goto('/sign-in');
  // Other tests leave sessions too.
  const name = `Till ${crypto.randomUUID()}`;
  await enterToken(other, await createToken(sendroom.databaseUrl, demo.workspace, 'editor', name));
  await expect(startHeading(other)).toBeVisible();

  await signIn(page, demo);
  await page.goto('/contacts');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.type('gs');
  await expect(page).toHaveTitle('Sessions · Sendroom');
  await expect(row(page, 'sessions', 'This one')).toHaveCount(1);
  await page.getByRole('button', { name: `End the session of ${name}` }).click();
  await inDialog(page, 'End').click();
  await expect(row(page, 'sessions', name)).toHaveCount(0);

  await other.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expect(other.getByText('Your session ended')).toBeVisible();
  await other.close();
});

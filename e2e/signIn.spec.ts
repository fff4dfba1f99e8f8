import { expect, test } from './fixtures.ts';
import { enterToken, signIn } from './steps.ts';

// The browser's console reports a sign-in that is refused.
const REFUSED = /status of 401.*\/session/;

test.beforeEach(({ faults }) => faults.expect(REFUSED));

test('a page that nobody has signed in to makes no failed call', async ({ page }) => {
  const failed: string[] = [];
  page.on('response', (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`));
  for (const path of ['/', '/sign-in']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  }
  expect(failed).toEqual([]);
});

test('a token signs in and is kept nowhere in the browser', async ({ page, demo }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/sign-in');
  await enterToken(page, demo.token);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();

  const readable = await page.evaluate(() => [
    document.documentElement.outerHTML,
    document.cookie,
    location.href,
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
  ]);
  expect(readable.join('\n')).not.toContain(demo.token);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(cookie?.value).not.toContain(demo.token);
});

test('a wrong token and a foreign workspace have sentences of their own', async ({ page, demo, faults }) => {
  faults.expect(/status of 403.*\/session/);
  await page.goto('/sign-in');
  await enterToken(page, 'sr_wrong');
  await expect(page.getByRole('alert')).toContainText('The token may be mistyped or revoked');

  await enterToken(page, demo.token, '00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('alert')).toContainText(
    'The token is right, but it signs nobody in here. It says: This token has no access to the workspace given.',
  );
  await expect(page).toHaveURL('/sign-in');
});

test('the error of an attempt is gone when the next one is checked @additions @sweep', async ({ page, demo }) => {
  await page.goto('/sign-in');
  await enterToken(page, 'sr_wrong');
  await expect(page.getByRole('alert')).toContainText('The token may be mistyped or revoked');
  await enterToken(page, demo.token, '.');
  await expect(page.getByText('A workspace ID holds "."')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a link that does not work leaves one signed in @additions @sweep', async ({ page, demo }) => {
  await signIn(page, demo);
  await page.goto('/sign-in#code=bad');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByText('You are still signed in.')).toBeVisible();
  // What is entered wrong now does not lead away either.
  await enterToken(page, '');
  await expect(page.getByText('Paste the access token of your workspace.')).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
});

test('what cannot be a token or a workspace is not sent @additions @sweep', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.goto('/sign-in');
  await enterToken(page, '');
  await expect(page.getByText('Paste the access token of your workspace.')).toBeVisible();
  await enterToken(page, 'two words', '..');
  await expect(page.getByText('A token has no spaces or special characters inside.')).toBeVisible();
  await expect(page.getByText('A workspace ID holds ".."')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a session that ended leads to the sign-in page and back to where one was', async ({ page, demo, faults }) => {
  faults.expect(/status of 401.*\/v1\/domains/);
  await signIn(page, demo);
  await page.goto('/domains?search=mail&sort=name');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();

  await page.getByRole('button', { name: 'Refresh' }).focus();
  await page.context().clearCookies();
  // The page may have found it out by itself, by a request for what stands beside the rows.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeFocused();
  await enterToken(page, demo.token);
  await expect(page).toHaveURL('/domains?search=mail&sort=name');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
});

test('who goes back while the sign-in page is loading comes to it all the same @additions @sweep', async ({
  page,
  demo,
}) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/SignInPage-/, async (route) => {
    await promise;
    await route.continue();
  });
  await signIn(page, demo);
  await page.goto('/contacts');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // One step of the history further, and still the same page.
  await page.evaluate(() => (window.location.hash = 'content'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/sign-in');
  await page.goBack();
  resolve();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
});

test('signing out ends the session for good', async ({ page, demo, faults }) => {
  faults.expect(/status of 401.*\/v1\/domains/);
  await signIn(page, demo);
  const cookies = await page.context().cookies();
  await page.goto('/contacts');
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/sign-in');

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await page.context().addCookies(cookies);
  await page.goto('/domains');
  await expect(page).toHaveURL('/sign-in');
});

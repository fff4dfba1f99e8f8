import { expect, test } from '../support/fixtures.ts';
import { enterToken, signIn } from '../support/steps.ts';

test('a token signs in every tab, and is stored nowhere in the browser @additions', async ({ page, context, demo }) => {
  const other = await context.newPage();
  await other.goto('/domains?search=mail');
  await expect(other.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await page.goto('/');
  await expect(page).toHaveURL('/sign-in');
  await enterToken(page, demo.token);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await expect(other).toHaveURL('/domains?search=mail');
  await expect(other.getByRole('row').getByRole('link').first()).toBeVisible();

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

test('a wrong token and a wrong workspace have their own messages @additions', async ({ page, demo, faults }) => {
  faults.expect(/status of 40[13].*\/session/);
  await page.goto('/sign-in');
  await enterToken(page, 'sr_wrong');
  await expect(page.getByRole('alert')).toContainText('It may be mistyped or revoked');

  await enterToken(page, demo.token, '00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('alert')).toContainText(
    'This token is valid but can’t be used to sign in. It says: This token has no access to the given workspace.',
  );
  await expect(page).toHaveURL('/sign-in');
});

test('an ended session leads to the sign-in page and back @additions', async ({ page, demo, faults }) => {
  faults.expect(/status of 401/);
  await signIn(page, demo);
  await page.goto('/domains?search=mail&sort=name');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();

  await page.getByRole('button', { name: 'Refresh' }).focus();
  await page.context().clearCookies();
  // A request of its own may have ended the session already.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeFocused();
  await enterToken(page, demo.token);
  await expect(page).toHaveURL('/domains?search=mail&sort=name');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
});

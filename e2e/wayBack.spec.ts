import { expect, test } from './fixtures.ts';
import { enterToken, signIn } from './steps.ts';

// The page after the sign-in: the requested one, and never another site.

test.beforeEach(({ faults }) => faults.expect(/status of (401|404)/));

/** Addresses requested while signed out, and the page after the sign-in. */
const ADDRESSES: [asked: string, then: string][] = [
  ['/domains?search=mail', '/domains?search=mail'],
  ['/contacts/%2F%2Fattacker.test', '/contacts/%2F%2Fattacker.test'],
  ['/nowhere', '/nowhere'],
  ['//x', '/'],
  ['//attacker.test', '/'],
  ['//attacker.test/contacts', '/'],
  ['/\\attacker.test', '/'],
  ['/%09/attacker.test', '/%09/attacker.test'],
];

test('the sign-in leads back, and to no other host', async ({ page, baseURL, demo }) => {
  test.slow();
  for (const [asked, then] of ADDRESSES) {
    await page.context().clearCookies();
    await page.goto(`${baseURL}${asked}`);
    await expect(page).toHaveURL('/sign-in');
    await enterToken(page, demo.token, demo.workspace);
    await expect(page.getByRole('navigation', { name: 'Sections' }), asked).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 }), asked).toBeVisible();
    await expect.poll(() => page.url(), asked).toBe(`${baseURL}${then}`);
  }
});

test('signed in, an address with two slashes is a page like any other that there is not', async ({
  page,
  baseURL,
  demo,
}) => {
  await signIn(page, demo);
  for (const asked of ['//x', '//attacker.test/contacts']) {
    await page.goto(`${baseURL}${asked}`);
    await expect(page.getByRole('heading', { level: 1, name: 'There is no such page' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'contacts' }).click();
    await expect(page).toHaveURL('/contacts');
  }
});

import { expect, test } from '../support/fixtures.ts';
import { enterToken } from '../support/steps.ts';

// More cases: src/session/returnPath.test.ts.

// A service without an overview starts with its contacts.
const START = /^\/(contacts)?$/;

test.beforeEach(({ faults }) => faults.expect(/status of (401|404)/));

test('the sign-in leads back, never to another host', async ({ page, baseURL, demo }) => {
  for (const [asked, then] of [
    ['/contacts/%2F%2Fattacker.test?search=x', /^\/contacts\/%2F%2Fattacker\.test\?search=x$/],
    ['//attacker.test/contacts', START],
    ['/\\attacker.test', START],
  ] as const) {
    await page.context().clearCookies();
    await page.goto(`${baseURL}${asked}`);
    await expect(page).toHaveURL('/sign-in');
    await enterToken(page, demo.token, demo.workspace);
    await expect(page.getByRole('navigation', { name: 'Sections' }), asked).toBeVisible();
    const { origin, pathname, search } = new URL(page.url());
    expect(origin, asked).toBe(baseURL);
    expect(`${pathname}${search}`, asked).toMatch(then);
  }
});

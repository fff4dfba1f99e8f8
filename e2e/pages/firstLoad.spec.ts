import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { FIRST_LOAD_BUDGETS, measureFirstLoad } from '../support/firstLoad.ts';
import { signIn } from '../support/steps.ts';

const PAGES = [
  { what: 'the domains list', path: '/domains', most: FIRST_LOAD_BUDGETS.domains },
  { what: 'the contacts list', path: '/contacts', most: FIRST_LOAD_BUDGETS.contacts },
  { what: 'the overview', path: '/', most: FIRST_LOAD_BUDGETS.overview },
];

const firstRow = (page: Page) => page.getByRole('rowheader').getByRole('link').first();

for (const { what, path, most } of PAGES) {
  test(`the first load of ${what} stays within its budget @additions`, async ({ page, browser, sendroom, demo }) => {
    await signIn(page, demo);
    const session = await page.context().storageState();
    const load = await measureFirstLoad(browser, `${sendroom.url}${path}`, session, firstRow);
    expect(load.requests.length, load.requests.join('\n')).toBeLessThanOrEqual(most.requests);
    expect(load.js, 'bytes of JavaScript, gzipped').toBeLessThanOrEqual(most.js);
    expect(load.css, 'bytes of CSS, gzipped').toBeLessThanOrEqual(most.css);
    expect(load.layoutShift, 'cumulative layout shift').toBe(0);
  });
}

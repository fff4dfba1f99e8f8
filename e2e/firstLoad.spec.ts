import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { measureFirstLoad } from './firstLoad.ts';
import { signIn } from './steps.ts';

const PAGES = [
  { what: 'the domains list', path: '/domains', requests: 6, js: 162_500, css: 12_000 },
  // Of the demo, with the fonts of a name in Hebrew and of one in Arabic.
  { what: 'the contacts list', path: '/contacts', requests: 8, js: 163_500, css: 12_000 },
  // It also reads the figures that it shows, each from an operation of its own.
  { what: 'the overview', path: '/', requests: 14, js: 165_000, css: 14_000 },
];

/** The first link within a table is in the first row of its data. */
const firstRow = (page: Page) => page.getByRole('cell').getByRole('link').first();

for (const { what, path, ...most } of PAGES) {
  test(`the first load of ${what} stays within its budget`, async ({ page, browser, sendroom, demo }) => {
    await signIn(page, demo);
    const session = await page.context().storageState();
    const load = await measureFirstLoad(browser, `${sendroom.url}${path}`, session, firstRow);
    expect(load.requests.length, load.requests.join('\n')).toBeLessThanOrEqual(most.requests);
    expect(load.js, 'bytes of JavaScript, gzipped').toBeLessThanOrEqual(most.js);
    expect(load.css, 'bytes of CSS, gzipped').toBeLessThanOrEqual(most.css);
    expect(load.layoutShift, 'cumulative layout shift').toBe(0);
  });
}

import { expect, test } from './fixtures.ts';
import { measureFirstLoad } from './firstLoad.ts';
import { signIn } from './steps.ts';

test('the first load of the domains list stays within its budget', async ({ page, browser, sendroom, demo }) => {
  await signIn(page, demo);
  const session = await page.context().storageState();
  const load = await measureFirstLoad(browser, `${sendroom.url}/domains`, session);
  expect(load.requests.length, load.requests.join('\n')).toBeLessThanOrEqual(8);
  expect(load.js, 'bytes of JavaScript, gzipped').toBeLessThanOrEqual(165_000);
  expect(load.css, 'bytes of CSS, gzipped').toBeLessThanOrEqual(13_000);
  expect(load.layoutShift, 'cumulative layout shift').toBe(0);
});

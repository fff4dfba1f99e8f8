import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

test('the spinner of a loading button is in the middle of the button', async ({ page }) => {
  await page.route('**/session', async (route) => {
    if (route.request().method() === 'POST') await Promise.withResolvers<void>().promise;
    await route.continue();
  });
  await page.goto('/');
  await page.getByLabel('Access token', { exact: true }).fill('any');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const button = page.locator('button[data-loading]');
  const spinner = button.locator('.mantine-Loader-root');
  await expect(spinner).toBeVisible();
  const [outer, inner] = await Promise.all([button.boundingBox(), spinner.boundingBox()]);
  if (outer === null || inner === null) throw new Error('The button has no spinner.');
  const distance = [
    outer.x + outer.width / 2 - (inner.x + inner.width / 2),
    outer.y + outer.height / 2 - (inner.y + inner.height / 2),
  ];
  expect(Math.max(...distance.map(Math.abs)), 'pixels from the middle').toBeLessThanOrEqual(1);
});

const LISTS = ['contacts', 'suppressions', 'runs', 'domains', 'addresses', 'activity', 'tokens', 'notifications'];

for (const list of LISTS) {
  test(`between a phone and a tablet the list of ${list} doesn’t scroll sideways @additions`, async ({
    page,
    demo,
  }) => {
    await signIn(page, demo);
    await page.goto(`/${list}`);
    const frame = page.getByRole('group', { name: /^Table of / }).first();
    await expect(frame.locator('tbody tr:not([aria-hidden])').first()).toBeVisible();
    for (const width of [601, 620, 680, 740, 767, 768]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      const excess = () => frame.evaluate((one) => one.scrollWidth - one.clientWidth);
      await expect.poll(excess, { message: `at ${width} pixels` }).toBeLessThan(2);
    }
  });
}

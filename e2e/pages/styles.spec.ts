import { expect, test } from '../support/fixtures.ts';

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

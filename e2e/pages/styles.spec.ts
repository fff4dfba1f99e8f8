import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

test('every variable of Mantine that a style names has a value, as the build leaves out those that none names @additions', async ({
  page,
  demo,
}) => {
  const built = globSync('dist/assets/*.{css,js}').map((file) => readFileSync(file, 'utf8'));
  const named = built.flatMap((text) => [...text.matchAll(/var\((--mantine-[\w-]+)\)/g)].map(([, name = '']) => name));
  // Mantine's default accent, which our theme replaces.
  const used = new Set(named.filter((name) => !name.startsWith('--mantine-color-blue-')));
  expect(used.size).toBeGreaterThan(50);
  await signIn(page, demo);
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  const missing = await page.evaluate(
    (names) => names.filter((name) => getComputedStyle(document.documentElement).getPropertyValue(name) === ''),
    [...used],
  );
  expect(missing).toEqual([]);
});

import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

test('a name in another alphabet has the font of the others, which is loaded only where it occurs @additions', async ({
  page,
  demo,
}) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    const subset = /inter-([a-z-]+)-wght/.exec(request.url())?.[1];
    if (subset !== undefined) fonts.push(subset);
  });
  await signIn(page, demo);
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  expect(new Set(fonts)).toEqual(new Set(['latin']));

  await page.goto('/contacts?search=Ольга');
  await expect(page.getByRole('row').getByRole('link').first()).toContainText('Ольга');
  await expect.poll(() => fonts).toContain('cyrillic');
  expect(fonts).not.toContain('greek');
});

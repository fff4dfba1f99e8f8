import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

test('a name in another alphabet loads its font, and only there @additions', async ({ page, demo }) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    const subset = /([a-z]+(?:-ext)?)-wght/.exec(request.url())?.[1];
    if (subset !== undefined) fonts.push(subset);
  });
  await signIn(page, demo);
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  expect(new Set(fonts)).toEqual(new Set(['latin']));

  for (const [name, alphabet] of [
    ['Ольга', 'cyrillic'],
    ['נועה', 'hebrew'],
    ['محمد', 'arabic'],
  ] as const) {
    fonts.length = 0;
    await page.goto(`/contacts?search=${name}&per_page=10`);
    await expect(page.getByRole('row').getByRole('link').first()).toContainText(name);
    await expect.poll(() => fonts).toContain(alphabet);
    expect(fonts).not.toContain('greek');
  }
});

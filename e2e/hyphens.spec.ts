import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signIn, updateAsCaller } from './steps.ts';

// Tabular figures have a wide hyphen, which tears names apart: "blue - harbour".

/** The words with a hyphen on the page that are set in tabular figures. */
const findWideHyphens = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide: string[] = [];
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { textContent: text, parentElement: parent } = node;
      if (!/\p{L}-|-\p{L}/u.test(text ?? '') || !parent?.checkVisibility({ visibilityProperty: true })) continue;
      if (getComputedStyle(parent).fontVariantNumeric.includes('tabular-nums')) wide.push(text ?? '');
    }
    return wide;
  });

test('a hyphen in a name is as wide as in running text, in lists and tables, and on pages @additions @sweep', async ({
  page,
  demo,
  person,
}) => {
  await signIn(page, demo);
  await updateAsCaller(page, demo, person.uuid, { company: 'Blue-Harbour' });
  const { uuid } = demo.busiest.contact;
  for (const path of [
    `/contacts?search=${person.uuid}`,
    `/contacts/${person.uuid}`,
    `/contacts/${uuid}`,
    `/contacts/${uuid}?view=table`,
    '/domains',
    '/domains?view=matrix',
    `/domains/${demo.domains[0]!.name}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    expect(await findWideHyphens(page), path).toEqual([]);
  }
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').fill('anne-marie@blue-harbour.example');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByRole('cell', { name: 'anne-marie@blue-harbour.example', exact: true })).toBeVisible();
  expect(await findWideHyphens(page), 'a list').toEqual([]);
});

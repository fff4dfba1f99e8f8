import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signIn, updateAsCaller } from './steps.ts';

// Tabular figures have a wide hyphen, which tears names apart: "blue - harbour".

/** The words on the page whose hyphen is wider than in running text. */
async function findWideHyphens(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    // On a first visit the font of the page is left out where it comes late. This one is not.
    await document.fonts.load('14px "Inter Variable"');
    const file = performance.getEntriesByType('resource').find(({ name }) => name.includes('inter-latin-wght'));
    const font = new FontFace('Inter Variable', `url(${file?.name})`, { weight: '100 900' });
    document.fonts.add(await font.load());
  });
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.textContent = '-';
    probe.style.position = 'absolute';
    const widthIn = (style: CSSStyleDeclaration, figures: string) => {
      for (const key of ['fontFamily', 'fontSize', 'fontWeight', 'fontStretch', 'letterSpacing'] as const)
        probe.style[key] = style[key];
      probe.style.fontVariantNumeric = figures;
      return probe.getBoundingClientRect().width;
    };
    const body = getComputedStyle(document.body);
    if (widthIn(body, 'tabular-nums') <= widthIn(body, 'normal') + 0.5)
      throw new Error('The font of the page has no wide hyphen, so that nothing would be found.');

    const wide: string[] = [];
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      const at = text.search(/(?<=\p{L})-|-(?=\p{L})/u);
      const parent = node.parentElement;
      if (at < 0 || !parent?.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      if (range.getBoundingClientRect().width > widthIn(getComputedStyle(parent), 'normal') + 0.5) wide.push(text);
    }
    probe.remove();
    return wide;
  });
}

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('a hyphen in a name is as wide as in running text, in a list, a timeline and a table @additions @sweep', async ({
  page,
  demo,
  person,
}) => {
  await updateAsCaller(page, demo, person.uuid, { company: 'Blue-Harbour' });
  const { uuid } = demo.busiest.contact;
  for (const path of [
    `/contacts?search=${person.uuid}`,
    `/contacts/${person.uuid}`,
    `/contacts/${uuid}`,
    `/contacts/${uuid}?view=table`,
    '/domains',
    '/domains?view=matrix',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    expect(await findWideHyphens(page), path).toEqual([]);
  }
});

test('also on the page of a domain and in a list to unsubscribe @additions @sweep', async ({ page, demo }) => {
  await page.goto(`/domains/${demo.domains[0]!.name}`);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Sender addresses' })).toBeVisible();
  expect(await findWideHyphens(page), 'the page of a domain').toEqual([]);
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').fill('anne-marie@blue-harbour.example\ncustomer-a-12\nno-one');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByRole('cell', { name: 'anne-marie@blue-harbour.example', exact: true })).toBeVisible();
  expect(await findWideHyphens(page), 'a list').toEqual([]);
});

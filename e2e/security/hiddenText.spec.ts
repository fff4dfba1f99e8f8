import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { pasted, signIn, updateAsCaller } from '../support/steps.ts';

// What is marked: src/contacts/hiddenText.service.test.tsx.

test.beforeEach(({ page, demo }) => signIn(page, demo));

const VALUES = {
  first_name: 'Jane \u202egnp.exe',
  last_name: 'שלום (עולם)',
  company: 'Ac\u00adme\u200b \u3164\u2800Ltd',
  persian: 'می\u200cخواهم کتاب\u200cها را',
};

const attributes = (page: Page) => page.getByRole('region', { name: 'Attributes' });
const valueOf = (page: Page, name: string) =>
  attributes(page)
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');

test('hidden characters are shown, reorder nothing, and are copied unchanged @additions', async ({
  page,
  person,
  demo,
}) => {
  await updateAsCaller(page, demo, person.uuid, VALUES);
  await page.goto(`/contacts/${person.uuid}`);
  await expect(valueOf(page, 'first_name').locator('[data-hidden]')).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Jane [U+202E]gnp.exe ${VALUES.last_name}`);

  // The mark is visible, and the letters after it are in order.
  const mark = valueOf(page, 'first_name').locator('[data-hidden]');
  expect((await mark.boundingBox())?.width).toBeGreaterThan(30);
  const places = await mark.evaluate((element) => {
    const range = document.createRange();
    const text = element.nextSibling as Text;
    return Array.from(text.data, (_, at) => {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    });
  });
  expect(places).toHaveLength('gnp.exe'.length);
  expect(places).toEqual(places.toSorted((one, other) => one - other));

  await attributes(page).getByRole('button', { name: 'Copy first_name' }).click();
  expect(await pasted(page)).toBe(VALUES.first_name);
  for (const name of ['company', 'persian'] as const) {
    await valueOf(page, name).locator('bdi').first().selectText();
    await page.keyboard.press('ControlOrMeta+c');
    await page.evaluate(() => document.querySelector('#announcements')?.append('Copied'));
    expect(await pasted(page)).toBe(VALUES[name]);
  }
});

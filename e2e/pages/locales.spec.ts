import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { pasted, signIn } from '../support/steps.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const events = (page: Page) => page.getByRole('group', { name: 'Table of events' });
const times = (page: Page) => events(page).locator('time');

const nameOfZone = (page: Page) => page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);

/** With plain spaces, without direction marks. */
const plain = (text: string) =>
  text.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll(/[\u200E\u200F\u061C\u2068\u2069]/g, '');

async function readNewest(page: Page, uuid: string): Promise<{ words: string; exact: Date }> {
  await page.goto(`/contacts/${uuid}?view=table`);
  await expect(times(page)).toHaveCount(25);
  const exact = await times(page).first().getAttribute('datetime');
  return { words: plain(await times(page).first().innerText()), exact: new Date(exact ?? '') };
}

// Other languages: src/ui/format/locales.test.ts. This one is read from right to left.
test.describe('in ar-EG', () => {
  test.use({ locale: 'ar-EG', timezoneId: 'Africa/Cairo' });

  test('dates and numbers follow the language, words are English, and copies are exact @additions @sweep', async ({
    page,
    demo,
  }) => {
    const { words, exact } = await readNewest(page, demo.busiest.contact.uuid);
    expect(words).toMatch(/^\d+\/\d+\/\d{4}، \d+:\d\d:\d\d \p{L}+$/u);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(times(page).first()).toHaveAttribute('lang', 'ar-EG');
    await events(page)
      .getByRole('button', { name: `Copy ${exact.toISOString()}` })
      .first()
      .click();
    expect(await pasted(page)).toBe(exact.toISOString());
    await expectNoSidewaysScroll(page);
  });
});

test.describe('in Kathmandu, three quarters of an hour off the others', () => {
  test.use({ timezoneId: 'Asia/Kathmandu' });

  test('one click shows UTC everywhere, and is remembered @additions @sweep', async ({ page, demo }) => {
    const { uuid } = demo.busiest.contact;
    const { words, exact } = await readNewest(page, uuid);
    const inZone = (timeZone: string) =>
      exact.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone });
    expect(words).toBe(inZone('Asia/Kathmandu'));

    const utc = page.getByRole('button', { name: 'Times in UTC' });
    await expect(utc).toHaveAttribute('aria-pressed', 'false');
    await utc.click();
    await expect(times(page).first()).toHaveText(`${inZone('UTC')} UTC`);
    await expect(utc).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByText(/^As of \d\d:\d\d UTC$/).first()).toBeVisible();

    await page.reload();
    await expect(times(page).first()).toHaveText(`${inZone('UTC')} UTC`);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    const day = exact.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
    await expect(page.getByRole('heading', { level: 3, name: `${day} UTC` })).toBeVisible();

    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('dialog').getByRole('combobox').fill('times');
    await page.getByRole('option', { name: `Show times in ${await nameOfZone(page)}` }).click();
    await expect(utc).toHaveAttribute('aria-pressed', 'false');
    await expect(page.getByRole('heading', { level: 3, name: / UTC$/ })).toHaveCount(0);
  });

  test('other tabs follow, and a sign-out keeps the zone @additions @sweep', async ({ page, context, demo }) => {
    const { uuid } = demo.busiest.contact;
    const other = await context.newPage();
    await readNewest(other, uuid);
    await readNewest(page, uuid);
    await page.getByRole('button', { name: 'Times in UTC' }).click();
    await expect(times(other).first()).toHaveText(/ UTC$/);
    await other.close();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
    await signIn(page, demo);
    await readNewest(page, uuid);
    await expect(times(page).first()).toHaveText(/ UTC$/);
  });
});

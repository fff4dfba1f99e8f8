import type { Locator, Page } from '@playwright/test';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { readList } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';
import { nameOf, subscription } from '../support/subscription.ts';

test.beforeEach(async ({ page, demo }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, demo);
});

const panel = (page: Page) => page.getByRole('complementary', { name: /^Contact / });
/** The code of the panel is loaded once a row has the focus. */
async function openByKey(page: Page, link: Locator): Promise<void> {
  await link.focus();
  await expect(async () => {
    await page.keyboard.press('Space');
    await expect(panel(page)).toBeVisible({ timeout: 500 });
  }).toPass();
}

const names = (page: Page) => page.getByRole('rowheader').getByRole('link');

test('Space shows the contact of a row, which follows the keys, and Enter opens its page @additions', async ({
  page,
}) => {
  await page.goto('/contacts');
  await openByKey(page, names(page).first());
  await expect(panel(page)).toHaveAccessibleName(`Contact ${await names(page).first().innerText()}`);
  await expect(names(page).first()).toBeFocused();
  await expect(subscription(page)).toContainText(/ubscribed/);
  await expect(panel(page).getByRole('heading', { name: 'Last events' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(names(page).nth(1)).toBeFocused();
  const second = await names(page).nth(1).innerText();
  await expect(panel(page)).toHaveAccessibleName(`Contact ${second}`);
  await page.reload();
  await expect(panel(page)).toHaveAccessibleName(`Contact ${second}`);

  await panel(page).getByRole('button', { name: 'Close the side panel' }).click();
  await expect(panel(page)).toHaveCount(0);
  await expect(names(page).nth(1)).toBeFocused();
  await expect(page).toHaveURL('/contacts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(second);
});

test('a click next to the name opens the panel, where one unsubscribes @additions', async ({ page, person }) => {
  await page.goto(`/contacts?search=${encodeURIComponent(String(person.attributes.email))}`);
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: nameOf(person) }) });
  await openByKey(page, row.getByRole('link', { name: nameOf(person) }));
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  const cell = await row.getByRole('cell').last().boundingBox();
  await page.mouse.click(cell!.x + 2, cell!.y + cell!.height / 2);
  await expect(panel(page)).toHaveAccessibleName(`Contact ${nameOf(person)}`);
  await subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(subscription(page)).toContainText('Unsubscribed');
  await expect(panel(page).locator('ol > li').first()).toContainText('Unsubscribed');

  await page.goto('/activity');
  const line = page
    .getByRole('row')
    .filter({ hasText: nameOf(person) })
    .first();
  await line.getByRole('link', { name: nameOf(person) }).focus();
  await page.keyboard.press('Space');
  await expect(panel(page)).toHaveAccessibleName(`Contact ${nameOf(person)}`);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
});

test('in a list for bulk unsubscribe, the panel shows who an entry is @additions', async ({ page, person, demo }) => {
  await readList(page, `${person.uuid}\n${demo.busiest.contact.uuid}`);
  const links = page.getByRole('table', { name: 'Entries' }).getByRole('link');
  await expect(links).toHaveCount(2);
  await page.getByRole('checkbox', { name: `Unsubscribe ${person.uuid}` }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await openByKey(page, links.first());
  await expect(panel(page)).toHaveAccessibleName(`Contact ${nameOf(person)}`);
  await page.keyboard.press('j');
  await expect(panel(page)).toHaveAccessibleName(`Contact ${nameOf(demo.busiest.contact)}`);
  // Only the first was unselected: Space on a link opens the panel.
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  const cell = await links.first().boundingBox();
  await page.mouse.click(cell!.x + cell!.width - 2, cell!.y + cell!.height / 2);
  await expect(panel(page)).toHaveAccessibleName(`Contact ${nameOf(person)}`);
  await expect(panel(page).getByRole('heading', { name: 'Last events' })).toBeVisible();
});

test('next to a ticket there is the contact, without navigation @additions', async ({ page, person }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/contacts/${encodeURIComponent(String(person.attributes.email))}?panel=1`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(nameOf(person));
  await expect(page).toHaveURL(`/contacts/${person.uuid}?panel=1`);
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden();
  await expect(subscription(page).getByRole('button', { name: 'Unsubscribe', exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open the page of this contact' }).click();
  await expect((await opened).getByRole('heading', { name: 'Story' })).toBeVisible();
});

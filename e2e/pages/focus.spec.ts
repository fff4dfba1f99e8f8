import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { inviteAsCaller, signIn } from '../support/steps.ts';

// A button that disappears when pressed must not lose the focus.

test.beforeEach(({ page, demo }) => signIn(page, demo));

async function pressUntilGone(page: Page, button: Locator, around: Locator): Promise<void> {
  await button.focus();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button).toHaveCount(0);
  await expect(around).toBeFocused();
}

const content = (page: Page) => page.getByRole('main');

test('after clearing the filters and selection of a list @additions', async ({ page, demo }) => {
  await page.goto('/contacts');
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  await pressUntilGone(page, page.getByRole('button', { name: 'Clear selection' }), content(page));

  await page.goto(`/activity?contact=${demo.unsubscribed.uuid}`);
  const chosen = page.getByRole('button', { name: /^Contact: / });
  await pressUntilGone(page, chosen, page.getByRole('group', { name: 'Filters' }));

  await page.goto('/domains?state=healthy');
  const states = page.getByRole('group', { name: 'State of all domains' });
  await pressUntilGone(page, states.getByRole('button', { name: /^Show all/ }), states);

  await page.goto('/domains?search=nothing-has-this');
  await pressUntilGone(page, page.getByRole('button', { name: 'Show all', exact: true }), content(page));
});

test("a dialog's result is announced after it has closed @additions", async ({ page, demo }) => {
  const email = `jo.${crypto.randomUUID()}@example.com`;
  await inviteAsCaller(page, demo, email);
  await page.goto(`/people?search=${email}`);
  await page.getByRole('button', { name: `Change role of ${email}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Editor').check();
  const heard = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const region = document.querySelector('#announcements')!;
    // Screen readers ignore what changes behind an open dialog.
    new MutationObserver(() => {
      if (document.querySelector('dialog[open]') === null) texts.push(region.textContent);
    }).observe(region, { childList: true, characterData: true, subtree: true });
    return texts;
  });
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => heard.jsonValue()).toEqual(['Role changed']);
});

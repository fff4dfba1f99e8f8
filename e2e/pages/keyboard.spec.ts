import type { Locator, Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { expect, test } from '../support/fixtures.ts';
import { finder, pasted, pasteText, signIn } from '../support/steps.ts';
import { nameOf, subscription } from '../support/subscription.ts';

// Keyboard only.

test.beforeEach(({ page, demo }) => signIn(page, demo));

/** Also checks that the focus is visible. */
async function moveTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const before = await look(target);
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await look(target), `the look of ${String(target)} with the focus`).not.toEqual(before);
      return;
    }
  }
  throw new Error(`${String(target)} is not reached with the ${key} key.`);
}

/** Styles of the element, its pseudo-element and its parent. */
function look(target: Locator): Promise<string[]> {
  return target.evaluate((element) =>
    [
      getComputedStyle(element),
      getComputedStyle(element, '::after'),
      getComputedStyle(element.parentElement ?? element),
    ].flatMap((style) => {
      const { outline, boxShadow, borderColor, backgroundColor } = style;
      return [outline, boxShadow, borderColor, backgroundColor];
    }),
  );
}

async function emptyByButton(page: Page, box: Locator): Promise<void> {
  await moveTo(page, page.getByRole('button', { name: 'Clear the search' }));
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('');
  await expect(box).toBeFocused();
}

test('finding a contact and reading an event @additions', async ({ page, demo }) => {
  await page.goto('/contacts');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await moveTo(page, finder(page));
  await page.keyboard.insertText('no such name');
  await emptyByButton(page, finder(page));
  // As pasted: slow typing looks up its beginnings, whose 404 the browser logs.
  await page.keyboard.insertText(demo.busiest.contact.uuid);
  await page.keyboard.press('Enter');
  const line = page.locator('section[aria-labelledby=story] details > summary').first();
  await expect(line).toBeVisible();
  await moveTo(page, line);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy JSON' })).toBeVisible();
});

test('unsubscribing a contact, after cancelling once', async ({ page, person }) => {
  await page.goto(`/contacts/${person.uuid}`);
  const button = page
    .getByRole('region', { name: 'Subscription' })
    .getByRole('button', { name: 'Unsubscribe', exact: true });
  await expect(button).toBeVisible();
  await moveTo(page, button);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(button).toBeFocused();

  await page.keyboard.press('Enter');
  await moveTo(page, page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Subscription' })).toContainText('Unsubscribed');
});

test('undoing an unsubscribe with one step back @additions @sweep', async ({ page, person }) => {
  await page.goto(`/contacts/${person.uuid}`);
  const subscription = page.getByRole('region', { name: 'Subscription' });
  const unsubscribe = subscription.getByRole('button', { name: 'Unsubscribe', exact: true });
  await expect(unsubscribe).toBeVisible();
  await moveTo(page, unsubscribe);
  await page.keyboard.press('Enter');
  await moveTo(page, page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }));
  await page.keyboard.press('Enter');
  const toast = page.getByRole('group', { name: 'Just done' });
  await expect(toast).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeFocused();
  await moveTo(page, toast.getByRole('button', { name: 'Undo' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(toast).toContainText('is subscribed again.');
  await expect(page.locator('#content')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await expect(toast).toHaveCount(0);
});

test('searching, sorting and paging domains', async ({ page }) => {
  // Part of one other name.
  const wanted = 'mail.orsted-marine.example';
  await page.goto('/domains?per_page=10');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await moveTo(page, page.getByRole('columnheader', { name: 'Domain' }).getByRole('button'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Domain' })).toHaveAttribute('aria-sort', 'ascending');
  const next = page.getByRole('button', { name: 'Next page' });
  await moveTo(page, next);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText('11–20');
  await expect(page.getByRole('row').getByRole('link').first()).toBeFocused();

  const box = page.getByRole('searchbox', { name: 'Search domains' });
  await page.keyboard.press('Control+Home');
  await moveTo(page, box, 'Shift+Tab');
  await page.keyboard.type('zzz');
  await emptyByButton(page, box);
  await page.keyboard.type(wanted);
  const link = page.getByRole('row').getByRole('link', { name: wanted, exact: true });
  await expect(link).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(3);
  await moveTo(page, page.getByRole('row').getByRole('link').first());
  await page.keyboard.press('ArrowDown');
  await expect(link).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: wanted })).toBeFocused();
});

test('moving through a list by row, and past it with one Tab @additions', async ({ page }) => {
  await page.goto('/domains');
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  const name = (row: number) => rows.nth(row).getByRole('link').first();
  await expect(name(24)).toBeVisible();
  await page.keyboard.press('j');
  await expect(name(0)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await expect(name(2)).toBeFocused();
  await page.keyboard.press('k');
  await expect(name(1)).toBeFocused();
  for (let cell = 0; cell < 12; cell++) await page.keyboard.press('ArrowRight');
  const last = rows.nth(1).getByRole('button', { name: /^Check / });
  await expect(last).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'domains per page' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(last).toBeFocused();
  await page.keyboard.press('n');
  await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText('26–');
  await expect(name(0)).toBeFocused();
  await expect(name(0)).toBeInViewport();
  const second = (await name(1).textContent()) ?? '';
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: second })).toBeFocused();

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Next row');
});

test('skipping to the content, and signing out @additions', async ({ page, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await moveTo(page, skip, 'Shift+Tab');
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const inContent = await page.evaluate(() => document.activeElement?.closest('main') !== null);
  expect(inContent, 'the focus after the skip link').toBe(true);

  await moveTo(page, page.getByRole('button', { name: 'Sign out' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeFocused();
});

test('checking the DNS, reading the evidence, and watching @additions', async ({ page }) => {
  await page.goto('/domains/notify.globex.example');
  const records = page.getByRole('region', { name: 'DNS records' });
  const head = page.getByRole('region', { name: 'State of the domain' });
  const button = head.getByRole('button', { name: 'Check', exact: true });
  await expect(button).toBeVisible();
  await moveTo(page, button);
  await page.keyboard.press('Enter');
  await expect(page.locator('#announcements')).toContainText('Checked: ');
  await expect(button).toBeFocused();
  await moveTo(page, records.getByRole('button', { name: /^Details of record/ }).first());
  await page.keyboard.press('Enter');
  await expect(records.getByText(/^dig /).first()).toBeVisible();

  await page.keyboard.press('w');
  await expect(head).toContainText('Watching: next check at');
  await page.keyboard.press('w');
  await expect(head).not.toContainText('Watching');
});

test('the open section is visible in forced colors @additions @sweep', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/domains');
  const nav = page.getByRole('navigation', { name: 'Sections' });
  await expect(nav.getByRole('link', { name: 'Domains' })).toHaveCSS('outline-style', 'solid');
  await expect(nav.getByRole('link', { name: 'Contacts' })).toHaveCSS('outline-style', 'none');
  await page.goto('/contacts');
  const choices = page.getByRole('group', { name: 'Subscription' });
  await expect(choices.getByRole('button', { name: 'All' })).toHaveCSS('outline-style', 'solid');
  await expect(choices.getByRole('button', { name: 'Unsubscribed' })).toHaveCSS('outline-style', 'none');
});

const header = ({ attributes: { first_name, last_name, email } }: Contact) =>
  `${String(first_name)} ${String(last_name)} <${String(email)}>`;

async function openOverview(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused();
}

async function openPasted(page: Page, person: Contact): Promise<void> {
  await openOverview(page);
  await pasteText(page, header(person));
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: nameOf(person) })).toBeFocused();
}

// The number is that of keys from the overview. A paste is one.

test('4 unsubscribe who wrote a mail, and 3 copy the proof @additions', async ({ page, person }) => {
  await openPasted(page, person);
  await page.keyboard.press('u');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(subscription(page)).toContainText('Unsubscribed');
  await openPasted(page, person);
  await expect(page.getByRole('button', { name: 'Copy for ticket' })).toBeEnabled();
  await page.keyboard.press('t');
  expect(await pasted(page)).toContain(person.uuid);
});

test('8 change the third attribute @additions', async ({ page, person }) => {
  const [, , third = ''] = Object.keys(person.attributes);
  await openPasted(page, person);
  await expect(page.getByRole('button', { name: `Edit ${third}` })).toBeVisible();
  for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByLabel(`Value of ${third}`)).toBeFocused();
  await pasteText(page, 'Gracie');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Edit ${third}` })).toBeFocused();
  await expect(page.getByRole('definition').nth(2)).toContainText('Gracie');
});

test('5 unsubscribe a list of three @additions', async ({ page, unusedPeople }) => {
  const three = [1, 2, 3].map(() => String(unusedPeople.pop()?.attributes.email));
  await openOverview(page);
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect(page.getByRole('heading', { level: 1, name: 'Bulk unsubscribe' })).toBeFocused();
  await pasteText(page, three.join('\n'));
  await expect(page.getByRole('button', { name: 'Unsubscribe 3' })).toBeEnabled();
  await page.keyboard.press('u');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 unsubscribed').first()).toBeVisible();
});

test('5 check the worst domain @additions', async ({ page }) => {
  await openOverview(page);
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeFocused();
  await expect(page.getByRole('rowheader').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('rowheader').first().getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Check', exact: true })).toBeVisible();
  const checked = page.waitForRequest((request) => request.url().endsWith('/check'));
  await page.keyboard.press('c');
  await checked;
});

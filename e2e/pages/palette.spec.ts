import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { finder, signIn } from '../support/steps.ts';

// Keyboard only.

test.beforeEach(({ page, demo }) => signIn(page, demo));

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });
const box = (page: Page) => palette(page).getByRole('combobox');
const options = (page: Page) => palette(page).getByRole('option');
const chosen = (page: Page) => palette(page).getByRole('option', { selected: true });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

async function openPalette(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(box(page)).toBeFocused();
  await page.keyboard.type(text);
}

test('the palette opens pages and domains, also from a text box @additions', async ({ page, demo }) => {
  await open(page, '/contacts');
  await page.keyboard.press('/');
  await expect(finder(page)).toBeFocused();
  await openPalette(page, 'go dom');
  await expect(chosen(page)).toContainText('Go to Domains');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/domains');
  await expect(page.getByRole('heading', { level: 1, name: 'Domains' })).toBeFocused();

  const { name } = demo.domains[3]!;
  await openPalette(page, name.slice(0, -2));
  const option = palette(page).getByRole('group', { name: 'Domains' }).getByRole('option', { name, exact: true });
  await expect(option).toBeVisible();
  for (let step = 0; step < 20 && (await option.getAttribute('aria-selected')) !== 'true'; step++) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
});

test('its arrow keys wrap, and Escape restores the focus @additions', async ({ page }) => {
  await open(page, '/domains');
  await page.keyboard.press('/');
  await openPalette(page);
  const count = await options(page).count();
  expect(count).toBeGreaterThan(5);
  const activeText = () =>
    box(page).evaluate((it) => document.getElementById(it.getAttribute('aria-activedescendant') ?? '')?.textContent);
  const first = await options(page).first().textContent();
  expect(await activeText()).toBe(first);
  await page.keyboard.press('ArrowUp');
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true');
  await expect(options(page).last()).toBeInViewport();
  await page.keyboard.press('ArrowDown');
  expect(await activeText()).toBe(first);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole('searchbox', { name: 'Search domains' })).toBeFocused();
});

test('the contact that has what was pasted is first, and opens @additions', async ({ page, person }) => {
  await open(page, '/domains');
  await openPalette(page, `Jane Doe <${String(person.attributes.email).toUpperCase()}>`);
  await expect(chosen(page)).toContainText('Exact email');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Story' })).toBeVisible();
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
});

test('a pasted address finds a contact and stays out of the URL and the history @additions', async ({
  page,
  person,
}) => {
  await open(page, '/domains');
  const email = String(person.attributes.email);
  await openPalette(page, `Jane Doe <${email.toUpperCase()}>, somebody@else.example`);
  await expect(chosen(page)).toContainText(`Reads as the email ${email}`);
  const urls: string[] = [];
  page.on('framenavigated', (frame) => urls.push(frame.url()));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Story' })).toBeVisible();
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
  expect(urls.join(' ')).not.toContain('%40');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await expect(finder(page)).toHaveValue('');
  const kept = await page.evaluate(() => JSON.stringify(window.history.state));
  expect(kept.toLowerCase()).not.toContain(email);
});

test("it has the page's actions: copying the UUID, editing, changing the view @additions", async ({ page, person }) => {
  await open(page, `/contacts/${person.uuid}`);
  await openPalette(page, 'copy uuid');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Copied contact UUID' })).toBeAttached();
  await openPalette(page, 'as a table');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/view=table/);
  await openPalette(page, 'edit');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Value of email')).toBeVisible();
});

test('the sheet lists the keys, and turns them off permanently @additions', async ({ page, demo }) => {
  await open(page, '/domains');
  await page.keyboard.press('?');
  await expect(sheet(page)).toContainText('Go to Contacts');
  await expect(sheet(page)).toContainText('Go to Bulk unsubscribe: a list of contacts');
  await expect(sheet(page)).toContainText('Next page of domains');
  const control = sheet(page).getByRole('checkbox', { name: /Use keys without/ });
  await expect(sheet(page).getByRole('heading', { name: 'Keyboard shortcuts' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(sheet(page).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(control).toBeFocused();
  await page.keyboard.press('Space');
  await expect(control).not.toBeChecked();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(sheet(page)).toBeHidden();

  await openPalette(page, 'sign out');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeFocused();
  await signIn(page, demo);
  await open(page, '/domains');
  await page.keyboard.press('?');
  await openPalette(page, 'keyboard');
  await page.keyboard.press('Enter');
  await expect(sheet(page).getByRole('checkbox', { name: /Use keys without/ })).not.toBeChecked();
});

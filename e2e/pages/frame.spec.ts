import type { Page } from '@playwright/test';
import { expectUsable } from '../support/accessible.ts';
import { readList } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { press, signIn } from '../support/steps.ts';

// The frame of every page: navigation, theme, help.

const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const root = (page: Page) => page.locator('html');

test('a phone has four places with names, and the others under More @additions', async ({ page, demo, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await signIn(page, demo);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/domains');
  await expect(sections(page).getByRole('link')).toHaveText(['Find', 'Bulk', 'Domains'], { useInnerText: true });
  await expect(sections(page).getByRole('button')).toHaveText(['More']);
  await expect(sections(page).getByRole('link', { name: 'Domains' })).toHaveAttribute('aria-current', 'page');

  await press(page, 'More');
  const more = dialog(page, 'More');
  await expect(more.getByRole('link')).toHaveText(['Overview', 'Audit log', 'Team', 'Sessions', 'Notifications']);
  await more.getByRole('button', { name: 'Dark' }).click();
  await expect(root(page)).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await more.getByRole('button', { name: 'As the system' }).click();
  await expectUsable(page);

  await page.setViewportSize({ width: 320, height: 640 });
  await more.getByRole('link', { name: 'Audit log' }).click();
  await expect(page).toHaveURL('/activity');
  await expect(more).toHaveCount(0);
  await press(page, 'More');
  await press(page, 'Help');
  await expect(dialog(page, 'Help: Audit log')).toBeVisible();
  await page.keyboard.press('Escape');
  await press(page, 'More');
  await press(page, 'Search or jump to');
  await expect(dialog(page, 'Search or jump to').getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await press(page, 'More');
  await more.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
});

test('the theme holds before the first paint, in other tabs, and after a sign-out @additions', async ({
  page,
  context,
  demo,
  faults,
}) => {
  faults.expect(/Failed to load resource|status of 401/);
  await signIn(page, demo);
  await page.emulateMedia({ colorScheme: 'dark' });
  const other = await context.newPage();
  await other.goto('/domains');
  await page.goto('/domains');
  const theme = page.getByRole('combobox', { name: 'Theme' });
  await expect(root(page)).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await theme.selectOption('Dark');
  await expect(root(other)).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await theme.selectOption('Light');
  await expect(root(page)).toHaveAttribute('data-mantine-color-scheme', 'light');
  await expect(root(other)).toHaveAttribute('data-mantine-color-scheme', 'light');
  await other.close();

  // Without the console.
  await page.route('**/assets/index-*.js', (route) => route.abort());
  await page.reload();
  await expect(root(page)).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.unroute('**/assets/index-*.js');
  await page.reload();
  await press(page, 'Sign out');
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await page.reload();
  await expect(root(page)).toHaveAttribute('data-mantine-color-scheme', 'light');
  await signIn(page, demo);
  await page.goto('/domains');
  await theme.selectOption('As the system');
  await expect(root(page)).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('help is about the open page, and what is new is marked until somebody opens it @additions', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  await page.goto('/domains');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(dialog(page, 'Help: Domains')).toContainText('One line per domain, the worst first');
  await expectUsable(page);
  await press(page, 'Bulk unsubscribe');
  await expect(dialog(page, 'Help: Bulk unsubscribe')).toBeVisible();
  await page.keyboard.press('Escape');
  const help = page.getByRole('button', { name: 'Help', exact: true });
  await expect(help).toBeVisible();

  await page.evaluate(() => localStorage.setItem('sendroom-news-seen', '0.9.0'));
  await page.reload();
  await page.getByRole('button', { name: 'Help, and what’s new' }).click();
  await page.getByRole('button', { name: 'What’s new in 1.0.0' }).click();
  await expect(dialog(page, 'What’s new in 1.0.0')).toContainText('A command palette, shortcuts', { ignoreCase: true });
  await expectUsable(page);
  await page.keyboard.press('Escape');
  await expect(help).toBeVisible();
});

test('addresses of a bulk list fit a phone @additions', async ({ page, demo, faults }) => {
  faults.expect(/status of 404/);
  await signIn(page, demo);
  await page.setViewportSize({ width: 320, height: 640 });
  await readList(page, 'somebody.with.long@names.example');
  const text = await page.getByRole('rowheader', { name: 'somebody.with.long' }).boundingBox();
  expect(text?.width, 'pixels for an address').toBeGreaterThan(220);
});

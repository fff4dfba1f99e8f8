import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

// Each job with the keyboard alone: no test of this file clicks.

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

/** Tabs until `target` has the focus, and sees to it that the focus is visible there. */
async function tabTo(page: Page, target: Locator, steps = 60): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) {
      const { outline, shadow, border } = await target.evaluate((element) => {
        const own = getComputedStyle(element);
        const around = getComputedStyle(element.parentElement ?? element);
        return {
          outline: [own, around].some((style) => style.outlineStyle !== 'none' && style.outlineWidth !== '0px'),
          shadow: own.boxShadow !== 'none',
          border: own.borderColor,
        };
      });
      expect(outline || shadow || border !== '', 'a visible focus').toBe(true);
      return;
    }
  }
  throw new Error(`${String(target)} is not reached with ${steps} steps of the Tab key.`);
}

test('finding a contact and reading an event', async ({ page, person, demo }) => {
  await page.goto('/contacts');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, page.getByLabel('Contact to look up'));
  await page.keyboard.type(demo.busiest.contact.uuid);
  await page.keyboard.press('Enter');
  const line = page.locator('details > summary').first();
  await expect(line).toBeVisible();
  await tabTo(page, line);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy JSON' })).toBeVisible();
  expect(person.uuid).not.toBe(demo.busiest.contact.uuid);
});

test('unsubscribing somebody, and changing one’s mind first', async ({ page, person }) => {
  await page.goto(`/contacts/${person.uuid}`);
  const button = page.getByRole('region', { name: 'Subscription' }).getByRole('button', { name: 'Unsubscribe' });
  await expect(button).toBeVisible();
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(button).toBeFocused();

  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Gets no mail from this workspace.')).toBeVisible();
});

test('correcting an attribute @additions', async ({ page, person }) => {
  await page.goto(`/contacts/${person.uuid}`);
  const edit = page.getByRole('button', { name: 'Edit' });
  await expect(edit).toBeVisible();
  await tabTo(page, edit);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Value of first_name'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Keyboard');
  await page.keyboard.press('Enter');
  await expect(edit).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Keyboard');
});

test('searching, sorting and paging domains', async ({ page, demo }) => {
  await page.goto('/domains?per_page=10');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await tabTo(page, page.getByRole('columnheader', { name: 'Domain' }).getByRole('button'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Domain' })).toHaveAttribute('aria-sort', 'ascending');
  const next = page.getByRole('button', { name: 'Next page' });
  await tabTo(page, next);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText('11–20');
  await expect(next).toBeFocused();

  const box = page.getByRole('searchbox', { name: 'Search domains' });
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 60 && !(await box.evaluate((element) => element === document.activeElement)); step++) {
    await page.keyboard.press('Shift+Tab');
  }
  await page.keyboard.type(demo.domains[4]!.name);
  const link = page.getByRole('link', { name: demo.domains[4]!.name, exact: true });
  await expect(link).toBeVisible();
  await tabTo(page, link);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: demo.domains[4]!.name })).toBeFocused();
});

test('copying a DNS value', async ({ page, demo, context }) => {
  await context.grantPermissions(['clipboard-write']);
  const domain = demo.domains.find(({ dns }) => dns.length > 0)!;
  await page.goto(`/domains/${domain.name}`);
  const copy = page.getByRole('button', { name: 'Copy value' }).first();
  await expect(copy).toBeVisible();
  await tabTo(page, copy);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Copied value' })).toBeAttached();
});

test('skipping to the content, and signing out', async ({ page, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  for (let step = 0; step < 20 && !(await skip.evaluate((element) => element === document.activeElement)); step++) {
    await page.keyboard.press('Shift+Tab');
  }
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const inContent = await page.evaluate(() => document.activeElement?.closest('main') !== null);
  expect(inContent, 'the focus after the skip link').toBe(true);

  for (
    let step = 0;
    step < 40 &&
    !(await page.getByRole('button', { name: 'Sign out' }).evaluate((it) => it === document.activeElement));
    step++
  ) {
    await page.keyboard.press('Shift+Tab');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeFocused();
});

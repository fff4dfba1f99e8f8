import type { Locator, Page } from '@playwright/test';
import { plan, readList } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';
import { subscription, unsubscribeAsCaller } from '../support/subscription.ts';

// Pictures of ten states in both schemes, with what changes from run to run painted over. Another version of Chromium may draw text otherwise:
// `npm run lab -- npx playwright test --project=full e2e/pages/pictures.spec.ts --update-snapshots` takes them again. Look at each.

/** Pixels of edges; a spinner that is 2 pixels off differs in more. */
const TOLERANCE = { maxDiffPixels: 8, threshold: 0.1 };

async function expectPicture(shown: Locator, name: string): Promise<void> {
  const page = shown.page();
  await shown.waitFor();
  await page.evaluate(() => document.fonts.ready);
  // Times differ in width too.
  await page.locator('time').evaluateAll((times) => {
    for (const time of times)
      Object.assign((time as HTMLElement).style, { display: 'inline-block', width: '120px', overflow: 'hidden' });
  });
  const mask = [shown.locator('time, .mono')];
  await expect(shown).toHaveScreenshot(`${name}.png`, { ...TOLERANCE, mask });
}

/** Requests that match are never answered. */
const hold = (page: Page, url: RegExp) => page.route(url, () => undefined);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a pending button, a skeleton and the navigation look as drawn, ${colorScheme} @additions @sweep`, async ({
    page,
    demo,
    faults,
  }) => {
    faults.expect(/status of (401|404)/);
    await page.emulateMedia({ colorScheme });
    await page.goto('/sign-in');
    await page.getByLabel('Access token', { exact: true }).fill('sr_picture');
    await page.route('**/session', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    const signingIn = page.getByRole('button', { name: 'Sign in', exact: true });
    await signingIn.click();
    await expect(signingIn).toHaveAttribute('data-loading', 'true');
    await expectPicture(signingIn, `pending-${colorScheme}`);
    await page.unrouteAll();

    await signIn(page, demo);
    await hold(page, /\/v1\/contacts\//);
    await page.goto('/contacts/someone@example.com');
    await expectPicture(page.getByRole('group', { name: 'Loading contact' }), `skeleton-${colorScheme}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectPicture(page.getByRole('navigation', { name: 'Sections' }), `narrow-navigation-${colorScheme}`);
    await page.unrouteAll();

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/contacts?search=nobodyhasthisname');
    await expectPicture(page.getByRole('region', { name: 'contacts', exact: true }), `empty-${colorScheme}`);
  });

  test(`heads, the selection and a list for bulk look as drawn, ${colorScheme} @additions @sweep`, async ({
    page,
    demo,
    person,
  }) => {
    await page.emulateMedia({ colorScheme });
    await signIn(page, demo);
    await page.goto(`/contacts/${person.uuid}`);
    await subscription(page).getByText('Subscribed').waitFor();
    await expectPicture(subscription(page), `subscribed-${colorScheme}`);
    await unsubscribeAsCaller(page, demo, person.uuid);
    await page.reload();
    await subscription(page).getByText('Confirmed').waitFor();
    await expect(subscription(page).locator('[data-loading]')).toHaveCount(0);
    await expectPicture(subscription(page), `unsubscribed-${colorScheme}`);
    await page.goto('/contacts/hana.lindgren@example.com');
    await subscription(page).getByText('Marked mail as spam').waitFor();
    await expect(subscription(page).locator('[data-loading]')).toHaveCount(0);
    await expectPicture(subscription(page), `complaint-${colorScheme}`);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').getByRole('combobox').fill('go to');
    await expectPicture(page.getByRole('dialog'), `palette-${colorScheme}`);
    await page.goto(`/contacts?search=${String(person.attributes.email)}`);
    await expect(page.getByRole('cell', { name: 'Unsubscribed' })).toBeVisible();
    await page.getByRole('columnheader').getByRole('checkbox').check();
    await expectPicture(
      page.getByRole('button', { name: 'Clear selection' }).locator('..'),
      `selection-${colorScheme}`,
    );
    await readList(page, person.uuid);
    await expect(page.getByRole('cell', { name: 'Already unsubscribed' })).toBeVisible();
    await expectPicture(plan(page), `plan-${colorScheme}`);
  });
}

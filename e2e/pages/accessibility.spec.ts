import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, expectUsable } from '../support/accessible.ts';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from '../support/demo.ts';
import { expect, test } from '../support/fixtures.ts';
import { confirm, press, signIn } from '../support/steps.ts';

type View = {
  name: string;
  at: string | ((demo: Demo, person: Contact) => string);
  /** Pressed in order, the last one in a dialog if `confirmed`. */
  pressed?: readonly string[];
  confirmed?: string;
  further?: (page: Page, demo: Demo) => Promise<unknown>;
  shows: string;
};

const busiest = (demo: Demo) => `/contacts/${demo.busiest.contact.uuid}`;
const DIALOG = 'dialog[open]';
const ROWS = 'tbody tr a';

/** More: e2e/support/screens.ts. */
const views: View[] = [
  { name: 'the overview @additions', at: '/', shows: 'section[aria-labelledby=changes] tbody a' },
  { name: 'contacts @additions', at: '/contacts', shows: 'h1:has-text("Contacts")' },
  {
    name: 'a contact and its story',
    at: busiest,
    further: (page) => page.locator('section[aria-labelledby=story] details > summary').first().click(),
    shows: 'button:has-text("Copy JSON")',
  },
  {
    name: 'editing attributes @additions @sweep',
    at: busiest,
    pressed: ['Edit all', 'Add an attribute'],
    further: (page) => page.getByLabel('Name of the new attribute').last().fill('one_more'),
    shows: 'button:has-text("Copy as curl")',
  },
  { name: 'the question before unsubscribing @additions @sweep', at: busiest, pressed: ['Unsubscribe'], shows: DIALOG },
  { name: 'domains @additions', at: '/domains', shows: ROWS },
  { name: 'unsubscribed contacts @additions', at: '/suppressions', shows: ROWS },
  { name: 'import of contacts @additions', at: '/import', shows: 'main button' },
  // Tests that ran before may have left runs.
  { name: 'bulk runs @additions', at: '/runs', shows: 'main tbody tr, main p' },
  { name: 'addresses of all domains @additions', at: '/addresses', shows: ROWS },
  {
    name: 'a domain',
    at: ({ domains, addresses }) => {
      const it = domains.find(({ uuid, dns }) => (addresses[uuid] ?? 0) > 0 && dns.some((record) => !record.is_valid));
      return `/domains/${it?.name}?addresses=open`;
    },
    shows: '[aria-label="Table of sender addresses"] td',
  },
  {
    name: 'subscribing somebody again without a reason @additions @sweep',
    at: (demo) => `/contacts/${demo.unsubscribed.uuid}`,
    pressed: ['Subscribe again'],
    confirmed: 'Subscribe again',
    shows: ':text("Enter a reason.")',
  },
  {
    name: 'the message after an unsubscribe, over a contact with changes @additions @sweep',
    at: (_, person) => `/contacts/${person.uuid}`,
    pressed: ['Unsubscribe'],
    confirmed: 'Unsubscribe',
    // It stays while focused.
    further: (page) => page.getByRole('button', { name: 'Undo' }).focus(),
    shows: 'section[aria-labelledby=story] strong:has-text("Unsubscribed")',
  },
  {
    name: 'a domain that lost a record, and the evidence @additions @sweep',
    at: '/domains/blue-harbour.example',
    pressed: ['Watch'],
    further: async (page) => {
      await expect(page.getByText('Watching: next check at')).toBeVisible();
      await page
        .getByRole('button', { name: /^Details of record/ })
        .first()
        .click();
    },
    shows: 'role=button[name=/^Copy dig command/]',
  },
  {
    name: 'creating a destination, with an error in a rule @additions @sweep',
    at: '/notifications',
    pressed: ['Create a destination'],
    further: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.locator('summary').click();
      await dialog.getByRole('button', { name: 'Add a rule for other faults' }).click();
      await dialog.getByRole('textbox', { name: 'Domains' }).first().fill('nowhere');
      await confirm(page, 'Create');
    },
    shows: ':text("isn’t a domain")',
  },
  {
    name: 'the sheet of shortcuts @additions @sweep',
    at: '/domains',
    further: async (page) => {
      await expect(page.locator(ROWS).first()).toBeVisible();
      await page.keyboard.press('?');
    },
    shows: `${DIALOG} :text("Next page of domains")`,
  },
  {
    name: 'an address that is no page @additions @sweep',
    at: '/nowhere',
    shows: 'h1:has-text("Page not found")',
  },
];

for (const { name, at, pressed = [], confirmed, further, shows } of views) {
  test(`usable at 320 and 1280 pixels, and axe finds nothing wrong: ${name}`, async ({ page, demo, person }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await signIn(page, demo);
    await page.goto(typeof at === 'string' ? at : at(demo, person));
    for (const button of pressed) await press(page, button);
    if (confirmed !== undefined) await confirm(page, confirmed);
    await further?.(page, demo);
    await expect(page.locator(shows).first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'More', exact: true, includeHidden: true })).toBeInViewport({
      ratio: 1,
    });
    await expectUsable(page);
  });
}

test('axe finds nothing wrong: signing in, and being refused @additions', async ({ page, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await page.goto('/sign-in');
  await page.getByLabel('Access token', { exact: true }).fill('sr_wrong');
  await press(page, 'Sign in');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
});

import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { inviteAsCaller, signIn } from './steps.ts';

type View = { name: string; open: (page: Page, demo: Demo, person: Contact) => Promise<void> };

/** Those that look the same without the additions are named `@additions`. */
const views: View[] = [
  {
    name: 'the overview @additions',
    open: async (page) => {
      await page.goto('/');
      // The last that comes above the bars, which it moves in a narrow window.
      await expect(page.getByRole('list', { name: 'Domains that need you' })).toBeVisible();
      await page.getByRole('group', { name: 'Unsubscribes by day' }).getByRole('button').last().click();
      await expect(page.getByRole('button', { name: 'All 30 days' })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    },
  },
  {
    name: 'contacts',
    open: async (page) => {
      await page.goto('/contacts');
      await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    },
  },
  {
    name: 'a contact and its timeline',
    open: async (page, demo) => {
      await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
      await page.locator('details > summary').first().click();
      await expect(page.getByRole('button', { name: 'Copy JSON' })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    },
  },
  {
    name: 'events as a table @additions',
    open: async (page, demo) => {
      await page.goto(`/contacts/${demo.busiest.contact.uuid}?view=table`);
      await expect(page.getByRole('cell').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    },
  },
  {
    name: 'editing attributes',
    open: async (page, demo) => {
      await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Add an attribute' }).click();
      await page.getByLabel('Name of the new attribute').last().fill('one_more');
      await expect(page.getByRole('button', { name: 'Copy as curl' })).toBeVisible();
    },
  },
  {
    name: 'the question before unsubscribing',
    open: async (page, demo) => {
      await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
      await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'the desk @additions',
    open: async (page) => {
      await page.goto('/desk');
      await expect(page.getByLabel('Who wants no more mail?')).toBeVisible();
    },
  },
  {
    name: 'a list at the desk @additions',
    open: async (page, demo) => {
      await page.goto('/desk');
      await page
        .getByLabel('Who wants no more mail?')
        .fill(`${demo.busiest.contact.uuid}\nwho is this, ${'x'.repeat(200)}`);
      await page.getByRole('button', { name: 'Read the list' }).click();
      await expect(page.getByRole('cell').first()).toBeVisible();
    },
  },
  {
    name: 'an unsubscribed contact, and the question before subscribing again @additions',
    open: async (page, demo) => {
      await page.goto(`/contacts/${demo.unsubscribed.uuid}`);
      await page.getByRole('button', { name: 'Subscribe again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Subscribe again' }).click();
      await expect(page.getByText('Say why.')).toBeVisible();
    },
  },
  {
    name: 'the message after an unsubscribe, over a contact with a history @additions',
    open: async (page, _demo, person) => {
      await page.goto(`/contacts/${person.uuid}`);
      await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
      const undo = page.getByRole('button', { name: 'Undo' });
      await expect(undo).toBeVisible();
      // It stays while it has the focus.
      await undo.focus();
      await expect(page.getByRole('region', { name: 'History' }).getByText('subscribed yes → no')).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    },
  },
  {
    name: 'the activity of the workspace @additions',
    open: async (page) => {
      await page.goto('/activity?action=unsubscribe&from=2020-01-01');
      await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    },
  },
  {
    name: 'the people @additions',
    open: async (page, demo) => {
      await inviteAsCaller(page, demo, 'grace.hopper@engineering.example.com');
      await page.goto('/people');
      await expect(page.getByRole('button', { name: 'Remove grace.hopper@engineering.example.com' })).toBeVisible();
    },
  },
  {
    name: 'inviting somebody @additions',
    open: async (page) => {
      await page.goto('/people');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
      await expect(page.getByText('Enter an email address')).toBeVisible();
    },
  },
  {
    name: 'the tokens, of which one is being revoked @additions',
    open: async (page) => {
      await page.goto('/tokens');
      await page.getByRole('button', { name: 'Revoke spam complaints' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'a token that was just created @additions',
    open: async (page) => {
      await page.goto('/tokens');
      await page.getByRole('button', { name: 'Create a token' }).click();
      await page.getByLabel('Name').fill(`Tests ${Date.now()}`);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await expect(page.getByText('It is not shown again')).toBeVisible();
    },
  },
  {
    name: 'the sessions @additions',
    open: async (page) => {
      await page.goto('/sessions');
      await expect(page.getByText('This one')).toBeVisible();
    },
  },
  {
    name: 'domains',
    open: async (page) => {
      await page.goto('/domains');
      await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
    },
  },
  {
    name: 'a domain',
    open: async (page, demo) => {
      const domain = demo.domains.find(
        ({ uuid, dns }) => (demo.addresses[uuid] ?? 0) > 0 && dns.some((it) => !it.is_valid),
      );
      await page.goto(`/domains/${domain?.name}`);
      await expect(
        page.getByRole('region', { name: 'sender addresses', exact: true }).getByRole('cell').first(),
      ).toBeVisible();
    },
  },
  {
    name: 'a domain that lost a record, and the evidence @additions',
    open: async (page) => {
      await page.goto('/domains/blue-harbour.example');
      await page.getByRole('button', { name: 'Watch', exact: true }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(page.getByText('Watching: checks again at')).toBeVisible();
      await page.locator('summary').first().click();
      await expect(page.getByRole('button', { name: 'Copy dig command' })).toBeVisible();
    },
  },
  {
    name: 'a search without a hit @additions',
    open: async (page) => {
      await page.goto('/domains?search=no-such');
      await expect(page.getByText('No domain matches')).toBeVisible();
    },
  },
  {
    name: 'a page past the end @additions',
    open: async (page) => {
      await page.goto('/domains?page=99');
      await expect(page.getByText('There is no page 99')).toBeVisible();
    },
  },
  {
    name: 'an unknown domain @additions',
    open: async (page) => {
      await page.goto('/domains/no-such.example');
      await expect(page.getByText('This workspace has no such domain')).toBeVisible();
    },
  },
  {
    name: 'the palette',
    open: async (page, demo) => {
      await page.goto('/domains');
      await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type(demo.domains[0]!.name.slice(0, 4));
      await expect(page.getByRole('group', { name: 'Domains' }).getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'the sheet of shortcuts @additions',
    open: async (page) => {
      await page.goto('/domains');
      await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toContainText('Next page of domains');
    },
  },
  {
    name: 'an export under way @additions',
    open: async (page, demo) => {
      await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
      // Never answered, so that the export stays in progress.
      await page.route(/page=2&per_page=100/, () => undefined);
      await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
      await page.getByRole('button', { name: 'Export and share events' }).click();
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await expect(page.getByRole('dialog')).toContainText('100 of');
    },
  },
  {
    name: 'an export that is done @additions',
    open: async (page) => {
      await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
      await page.goto('/domains');
      await page.getByRole('button', { name: 'Export and share domains' }).click();
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await expect(page.getByText('domains saved as')).toBeVisible();
    },
  },
  {
    name: 'an address that is no page @additions',
    open: async (page) => {
      await page.goto('/nowhere');
      await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
      await expect(page.locator('#content').getByRole('link')).toHaveText(['Contacts', 'Bulk unsubscribe', 'Domains']);
    },
  },
];

for (const { name, open } of views) {
  test(`usable at 320 and 1280 pixels, and axe finds nothing wrong: ${name}`, async ({ page, demo, person }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await signIn(page, demo);
    await open(page, demo, person);
    await expectNoSidewaysScroll(page);
    // The bar is not cut off, not even its last button.
    await expect(page.getByRole('button', { name: 'Sign out', includeHidden: true })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
}

test('axe finds nothing wrong: signing in, and being refused', async ({ page, faults }) => {
  faults.expect(/status of 401.*\/session/);
  await page.goto('/sign-in');
  await page.getByLabel('Access token', { exact: true }).fill('sr_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
});

import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { enterToken, pasted, readAsCaller, signIn, startHeading } from '../support/steps.ts';
import { subscription } from '../support/subscription.ts';

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel('Export file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const newest = (page: Page) => page.getByRole('row').nth(1);

test('an export of Mailchimp is checked, imported, listed and undone @additions', async ({ page, demo, person }) => {
  await signIn(page, demo);
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'Export and share contacts' }).click();
  await page.getByRole('link', { name: 'Import contacts' }).click();
  const { email } = person.attributes;
  const lines = [
    'Email Address,First Name,Plan,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_REASON',
    `${String(email)},Imported,gold,3,2024-01-02 03:04:05,,2025-05-01 10:00:00,NORMAL`,
    'mailchimp1@import.example,One,gold,3,,,01/02/2025,NORMAL',
    ',Nobody,gold,3,,,2025-05-01 10:00:00,NORMAL',
    'short,line',
  ];
  await choose(page, 'unsubscribed.csv', lines.join('\n'));
  await expect(page.getByLabel('What is in this file?')).toHaveValue('Mailchimp: unsubscribed contacts');
  await expect(page.getByRole('row', { name: /UNSUB_TIME/ })).toContainText('Day of the unsubscribe');
  await page.getByLabel('Attribute of Plan').fill('tier');
  await page.getByLabel('Attribute of CONFIRM_TIME').fill('');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check 3 lines' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText(/New1New, unsubscribed1Changed1Unsubscribed by it1Unchanged0Not imported2/);
  await expect(preview).toContainText('A contact needs a uuid or an identity. Line 4.');
  await expect(preview).toContainText('The line has 2 cells; the first line has 8. Line 5.');
  await expect(preview).toContainText(
    "UNSUB_TIME isn't a time that can be read in one way only, so it's left out. Line 3.",
  );
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect((await readAsCaller(page, demo, person.uuid)).subscribed).toBe(true);

  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(
    page.getByText('Lines: 1 added, 1 of them unsubscribed, 1 changed, 1 of them unsubscribed, 2 not imported.'),
  ).toContainText('Contacts that the import adds stay.');
  expect(await readAsCaller(page, demo, person.uuid)).toMatchObject({
    subscribed: false,
    attributes: { first_name: 'Imported', tier: 'gold' },
  });
  await page.getByRole('link', { name: 'Undo in Bulk runs' }).click();
  await expect(newest(page)).toContainText('1 added, 1 of them unsubscribed, 1 changed, 2 not imported');
  await expect(newest(page)).toContainText('Import of unsubscribed.csv');
  await newest(page).getByRole('button', { name: 'Undo…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('from before the import: 1, of which 1 also subscribed again');
  await expect(dialog.getByRole('link', { name: String(email) })).toBeVisible();
  await expect(dialog).toContainText('Contacts that it added stay: 1.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set back 1' }).click();
  await expect(newest(page)).toContainText('Undone');
  const after = await readAsCaller(page, demo, person.uuid);
  expect(after).toMatchObject({ subscribed: true, attributes: { first_name: person.attributes['first_name'] } });
  expect(after.attributes).not.toHaveProperty('tier');
});

test('any file may say since when and why people are unsubscribed, and odd addresses are shown first @additions', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  const name = crypto.randomUUID().slice(0, 8);
  const lines = [
    'Mail,Left on,Why,Company Name',
    `${name}-1@import.example,28/11/2024,Spam complaint,Acme`,
    `${name}-2@import.example,03/05/2024,moved away,Acme`,
    `${name}-3@import.example,,,Acme`,
    `${name}\u200b-4@import.example,soon,,Acme`,
    `${name}\u200b-5@import.example,,,Acme`,
  ];
  await page.goto('/import');
  await choose(page, 'left.csv', lines.join('\n'));
  await page.getByLabel('What is in this file?').selectOption('Other file: contacts');
  await page.getByLabel('What Left on becomes').selectOption('Unsubscribed on');
  await page.getByLabel('What Why becomes').selectOption('Reason');
  await expect(page.getByText('A line with a date is unsubscribed. Dates are read as day, month, year.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check 5 lines' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText(/New4New, unsubscribed2Changed0Unsubscribed by it0Unchanged0Not imported1/);
  await expect(preview).toContainText('Marked mail as spam: 1, Other: 1');
  await expect(preview).toContainText(
    "Left on isn't a date that can be read in one way only. Write a date like 2026-01-31. Line 5.",
  );
  await expect(preview).toContainText('Why: "moved away" isn\'t a known reason, so it becomes "other". Line 3.');
  await expect(preview).toContainText(/U\+200B \(zero width space\)\. .* Line 6\./);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Import 4 lines' }).click();
  await expect(page.getByText('Lines: 4 added, 2 of them unsubscribed, 1 not imported.')).toBeVisible();
  const headers = { authorization: `Bearer ${demo.token}` };
  for (const filter of ['reason:complaint since:2024-11-28', 'reason:other since:2024-05-03']) {
    const found = await page.request.get(`/v1/contacts?search=${name}&filter=${encodeURIComponent(filter)}`, {
      headers,
    });
    expect(await found.json()).toMatchObject({ meta: { total: 1 } });
  }
});

test('an ordinary list is no export of a provider, and a column says who is unsubscribed once it is chosen @additions', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  const name = crypto.randomUUID().slice(0, 8);
  const kind = page.getByLabel('What is in this file?');
  await page.goto('/import');
  await choose(page, 'list.csv', `email,created\n${name}-0@import.example,2025-05-01\n`);
  await expect(kind).toHaveValue('');
  await expect(kind.getByRole('option').nth(1)).toHaveText('SendGrid: global unsubscribes');
  await page.getByRole('button', { name: 'Choose another file' }).click();
  const lines = ['ada,no', 'bob,yes'].map((line) => `${name}-${line.replace(',', '@import.example,2025-05-01,')}`);
  await choose(page, 'list.csv', ['email,created,Newsletter', ...lines].join('\n'));
  await expect(kind).toHaveValue('Other file: contacts');
  await expect(page.getByText('Newsletter: this doesn’t unsubscribe anyone')).toBeVisible();
  await page.getByLabel('What Newsletter becomes').selectOption('Subscribed');
  await expect(page.getByText('this doesn’t unsubscribe anyone')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check 2 lines' }).click();
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(/New2New, unsubscribed1/);
  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await expect(page.getByText('Lines: 2 added, 1 of them unsubscribed.')).toBeVisible();
});

test.describe('in New York', () => {
  test.use({ timezoneId: 'America/New_York' });

  test('page, proofs and list say since when as the file did @additions', async ({ page, demo, person }) => {
    await signIn(page, demo);
    const added = `dated-${crypto.randomUUID().slice(0, 8)}@import.example`;
    const known = String(person.attributes['email']);
    await page.goto('/import');
    const lines = [
      'Email Address,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_REASON',
      ...[added, known].map((email) => `${email},3,,,2026-03-06,NORMAL`),
    ];
    await choose(page, 'unsubscribed.csv', lines.join('\n'));
    await page.getByRole('button', { name: 'Check 2 lines' }).click();
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await expect(
      page.getByText('Lines: 1 added, 1 of them unsubscribed, 1 changed, 1 of them unsubscribed.'),
    ).toBeVisible();
    for (const email of [added, known]) {
      await page.goto(`/contacts/${encodeURIComponent(email)}`);
      await expect(subscription(page)).toContainText(/since 6 Mar 2026 ?by an import of demo on \d+ \w+/);
      await subscription(page).getByRole('button', { name: 'Copy for ticket' }).click();
      expect(await pasted(page)).toMatch(
        / since 2026-03-06, by an import of "demo" at \d{4}-.*, run [-0-9a-f]{36}, request /,
      );
      await subscription(page).getByRole('button', { name: 'Copy for customer' }).click();
      expect(await pasted(page)).toContain(' since 6 March 2026. ');
      await page.goto('/suppressions?from=2026-03-05&to=2026-03-06');
      await expect(page.getByRole('row').filter({ hasText: email })).toContainText('6 Mar 2026');
    }
  });
});

test('complaints about people who are unsubscribed already are announced, counted and kept by an undo @additions', async ({
  page,
  demo,
  person,
}) => {
  await signIn(page, demo);
  const unsubscribe = `/v1/workspaces/${demo.workspace}/contacts/${person.uuid}/unsubscribe`;
  const headers = { authorization: `Bearer ${demo.token}` };
  expect((await page.request.post(unsubscribe, { headers, data: { reason: 'request' } })).status()).toBe(200);
  await page.goto('/import');
  await choose(page, 'complaints.csv', `email,plan\n${String(person.attributes['email'])},told on\n`);
  await page.getByLabel('What is in this file?').selectOption('Other file: spam complaints');
  await page.getByRole('button', { name: 'Check 1 line' }).click();
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(
    'Already unsubscribed, with a complaint or legal reason to record: 1. An undo of the import keeps these reasons.',
  );
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByText('Lines: 1 changed, 1 of them already unsubscribed (reason recorded).')).toBeVisible();
  await page.getByRole('link', { name: 'Undo in Bulk runs' }).click();
  await newest(page).getByRole('button', { name: 'Undo…' }).click();
  await expect(page.getByRole('dialog')).toContainText(
    'Complaints and legal reasons that it recorded for contacts already unsubscribed stay: 1.',
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Set back 1' }).click();
  await expect(newest(page)).toContainText('Undone');
  const listed = await page.request.get('/v1/suppressions?reason=complaint&per_page=100', { headers });
  expect(await listed.text()).toContain(person.uuid);
});

test('an import whose browser was closed in the middle continues in another with the same file @additions', async ({
  page,
  browser,
  baseURL,
  demo,
  faults,
}) => {
  faults.expect(/status of 503/);
  const entries = Array.from({ length: 1200 }, (_, index) => ({
    EmailAddress: `postmark${index}@import.example`,
    SuppressionReason: index % 2 === 0 ? 'HardBounce' : 'SpamComplaint',
    Origin: 'Recipient',
    CreatedAt: '2025-05-01T10:00:00-05:00',
  }));
  // Somebody is in it twice, 1,200 lines apart.
  const file = JSON.stringify({ Suppressions: [...entries, entries[0]] });
  await signIn(page, demo);
  await page.goto('/import');
  await choose(page, 'suppressions.json', file);
  await expect(page.getByLabel('What is in this file?')).toHaveValue('Postmark: suppressions of a message stream');
  await page.getByRole('button', { name: 'Check 1,201 lines' }).click();
  await expect(page.getByText('Mail bounced: 601, Marked mail as spam: 600')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(
    /New1,200New, unsubscribed1,200Changed0Unsubscribed by it0Unchanged1/,
  );
  let sent = 0;
  // One batch gets through, and its response is lost.
  await page.route('**/rows', async (route) => {
    if (sent++ === 0) await route.fetch();
    await route.fulfill({ status: 503, json: {} });
  });
  await page.getByRole('button', { name: 'Import 1,200 lines' }).click();
  await expect.poll(() => sent).toBeGreaterThan(1);
  await page.close();

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await context.newPage();
  await signIn(other, demo);
  await other.goto('/runs');
  await expect(newest(other)).toContainText('500 added');
  await expect(newest(other)).toContainText('Choose its file again to continue.');
  await other.goto('/import');
  await choose(other, 'the same under another name.json', file);
  await expect(other.getByText('500 of 1,201 lines are imported')).toBeVisible();
  await other.getByRole('button', { name: 'Continue (701 left)' }).click();
  await expect(other.getByText('Lines: 1,200 added, 1,200 of them unsubscribed, 1 unchanged.')).toBeVisible();
  await other.getByRole('link', { name: 'Log', exact: true }).click();
  await expect(other.getByText('Imported contacts: ').first()).toBeVisible();
  await context.close();
});

const listOf = (name: string, count: number) =>
  `email,plan\n${Array.from({ length: count }, (_, index) => `${name}${index}@import.example,pro\n`).join('')}`;

async function check(page: Page, text: string): Promise<void> {
  await choose(page, 'people.csv', text);
  await page.getByLabel('What is in this file?').selectOption('Other file: contacts');
  await page.getByRole('button', { name: /^Check / }).click();
}

test('a session that ends during an import leads to the sign-in and back, and the import continues @additions', async ({
  page,
  demo,
  faults,
}) => {
  faults.expect(/status of 401/);
  await signIn(page, demo);
  await page.goto('/import');
  await check(page, listOf('ended', 1200));
  let sent = 0;
  await page.route('**/rows', async (route) => {
    if (++sent === 2) await page.context().clearCookies();
    await route.continue();
  });
  await page.getByRole('button', { name: 'Import 1,200 lines' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeFocused();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await enterToken(page, demo.token);
  await expect(page).toHaveURL('/import');
  await expect(page.getByText('Lines: 1,200 added.')).toBeVisible();

  await page.getByRole('button', { name: 'Import another file' }).click();
  await check(page, listOf('ended', 3));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await enterToken(page, demo.token);
  await expect(startHeading(page)).toBeVisible();
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByRole('button', { name: 'Export and share contacts' }).click();
  await page.getByRole('link', { name: 'Import contacts' }).click();
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
});

test('a file that another tab imports is not called stopped, and is free when that leaves it @additions', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  await page.goto('/import');
  const text = listOf('tabs', 600);
  await check(page, text);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/rows', async (route) => {
    if (++sent === 2) await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Import 600 lines' }).click();
  await expect(page.getByText('Importing people.csv: 500 of 600 lines')).toBeVisible();
  const other = await page.context().newPage();
  await other.setViewportSize({ width: 320, height: 800 });
  await other.goto('/import');
  const name = `${'a very long name '.repeat(6)}${'x'.repeat(120)}.csv`;
  await choose(other, name, text);
  await expect(other.getByText(`${name} is open in another tab`)).toBeVisible();
  await expectNoSidewaysScroll(other);
  release();
  await expect(page.getByText('Lines: 600 added.')).toBeVisible();
  await page.getByRole('button', { name: 'Import another file' }).click();
  await expect(other.getByText('This file was imported before')).toBeVisible();
  await expectNoSidewaysScroll(other);
  await other.close();
});

test('an import that would need approval says before it which number applies, who set it, and what to do @additions', async ({
  page,
  demo,
  person,
}) => {
  await signIn(page, demo);
  const set = (approval_above: number | null) =>
    page.request.post('/v1/run-settings', { headers: { 'sendroom-console': '1' }, data: { approval_above } });
  await set(2);
  await set(1);
  await page.goto('/import');
  const { email } = person.attributes;
  const others = await page.request.get('/v1/contacts?per_page=3&subscribed=true', {
    headers: { 'sendroom-console': '1' },
  });
  const { data } = (await others.json()) as { data: { attributes: { email: string } }[] };
  const addresses = [...new Set([String(email), ...data.map(({ attributes }) => attributes.email)])];
  await choose(page, 'bounces.csv', `email\n${addresses.join('\n')}\n`);
  await page.getByLabel('What is in this file?').selectOption('Other file: addresses that bounced');
  await expect(page.getByText('An import that unsubscribes more than 1 contacts isn’t written')).toContainText(
    'Set by',
  );
  await page.getByRole('button', { name: /^Check / }).click();
  await expect(page.getByText(`This import would unsubscribe ${addresses.length} contacts.`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Copy ${addresses.length} addresses` })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import / })).toBeDisabled();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  await set(null);
});

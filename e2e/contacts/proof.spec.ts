import { expect, test } from '../support/fixtures.ts';
import { pasted, signIn, updateAsCaller } from '../support/steps.ts';
import { entries, readChanges, story, subscription, toast, unsubscribe } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const SECONDS = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`;

test('story and proof name the change, time, token and request @additions', async ({ page, person, demo }) => {
  await updateAsCaller(page, demo, person.uuid, { company: 'Harrow & Sons', last_name: null });
  await page.goto(`/contacts/${person.uuid}`);
  await expect(entries(page).first()).toContainText('Changed');
  await expect(entries(page).first()).toContainText('by demo');
  await expect(entries(page).first().getByRole('listitem').filter({ hasText: 'company' })).toHaveText(
    /^company .*→ Harrow & Sons$/,
  );
  await expect(entries(page).first().getByRole('listitem').filter({ hasText: 'last_name' })).toHaveText(
    `last_name ${String(person.attributes.last_name)} → none`,
  );

  const id = await unsubscribe(page);
  await expect(entries(page).first()).toContainText('Unsubscribed');
  await entries(page).first().getByRole('button', { name: 'Copy request ID' }).click();
  expect(await pasted(page)).toBe(id);
  const { email } = person.attributes;
  await subscription(page).getByRole('button', { name: 'Copy for ticket' }).click();
  expect(await pasted(page)).toMatch(
    new RegExp(
      String.raw`^${String(email)} \(contact ${person.uuid}\) has been unsubscribed from Acme Mail \(demo\) ` +
        String.raw`since ${SECONDS}, by "demo", request ${id}\. Checked ${SECONDS}\.$`,
    ),
  );
  await subscription(page).getByRole('button', { name: 'Copy for customer' }).click();
  expect(await pasted(page)).toMatch(
    new RegExp(
      String.raw`^${String(email)} has been unsubscribed from Acme Mail \(demo\) since .*\b20\d\d\b.* ` +
        String.raw`\(Europe/Berlin time\)\. You will no longer receive mail from us\.$`,
    ),
  );
});

test('a page left open copies what holds when it is copied, and nothing of a contact subscribed again @additions', async ({
  page,
  person,
  demo,
}) => {
  await page.goto(`/contacts/${person.uuid}`);
  await unsubscribe(page);
  const copy = (name: string) => subscription(page).getByRole('button', { name }).click();
  await copy('Copy for customer');
  expect(await pasted(page)).toContain('has been unsubscribed');
  const headers = { authorization: `Bearer ${demo.token}` };
  const way = `/v1/workspaces/${demo.workspace}/contacts/${person.uuid}`;
  expect((await page.request.post(`${way}/subscribe`, { headers, data: { reason: 'Asked' } })).status()).toBe(200);
  await page.clock.setFixedTime(Date.now() + 60_000);
  await copy('Copy for customer');
  await expect(toast(page)).toContainText('Nothing was copied: ');
  await expect(toast(page)).toContainText(' is subscribed again.');
  await expect(subscription(page)).toContainText('Subscribed');
  await expect(page.locator('#announcements')).toBeEmpty();

  await unsubscribe(page);
  expect((await page.request.post(`${way}/subscribe`, { headers, data: { reason: 'Asked' } })).status()).toBe(200);
  const data = { reason: 'complaint', ticket: 'HD-9' };
  expect((await page.request.post(`${way}/unsubscribe`, { headers, data })).status()).toBe(200);
  await page.clock.setFixedTime(Date.now() + 120_000);
  await copy('Copy for ticket');
  await expect.poll(() => pasted(page)).toContain(' Reason: Marked mail as spam, ticket HD-9.');
});

test('the reason and the ticket are in the proof, and never said of the next contact, by keyboard @additions', async ({
  page,
  person,
  demo,
}) => {
  await page.goto(`/contacts/${person.uuid}`);
  await expect(subscription(page)).toContainText('Subscribed');
  await page.keyboard.press('u');
  await expect(page.getByRole('dialog').getByLabel('Ticket (optional)')).toBeFocused();
  await page.getByRole('dialog').getByLabel('Reason (optional)').selectOption('Asked for it');
  await page.getByRole('dialog').getByLabel('Ticket (optional)').fill('ZD-4711');
  await page.keyboard.press('Enter');
  await expect(subscription(page)).toContainText('Reason: Asked for it, ticket ZD-4711');
  await subscription(page).getByRole('button', { name: 'Copy for ticket' }).click();
  expect(await pasted(page)).toContain(' Reason: Asked for it, ticket ZD-4711. Checked ');

  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(subscription(page)).not.toContainText('ZD-4711');
  await page.keyboard.press('u');
  await expect(page.getByRole('dialog').getByLabel('Ticket (optional)')).toHaveValue('');
  await expect(page.getByRole('dialog').getByLabel('Reason (optional)')).toHaveValue('');
  await page.getByRole('button', { name: 'Use ZD-4711 again' }).click();
  await expect(page.getByRole('dialog').getByLabel('Ticket (optional)')).toHaveValue('ZD-4711');
  await expect(page.getByRole('dialog').getByLabel('Reason (optional)')).toHaveValue('');
  await page.keyboard.press('Escape');
  expect((await readChanges(page, demo, person.uuid))[1]?.suppression).toEqual({
    reason: 'request',
    ticket: 'ZD-4711',
    origin: 'support',
  });
});

test('on a bare interface the proof names the request, without changes or undo @bare', async ({
  page,
  person,
  demo,
}) => {
  await page.goto(`/contacts/${person.uuid}`);
  const id = await unsubscribe(page);
  await subscription(page).getByRole('button', { name: 'Copy for ticket' }).click();
  expect(await pasted(page)).toMatch(
    new RegExp(
      `^${String(person.attributes.email)} \\(contact ${person.uuid}\\) is unsubscribed from the workspace ${demo.workspace}, ` +
        `confirmed by the service at ${SECONDS}\\. The record last changed at ${SECONDS}\\. ` +
        `The unsubscribe was confirmed as request ${id}\\.$`,
    ),
  );
  await expect(story(page)).toBeVisible();
  await expect(entries(page)).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Subscribe again' })).toHaveCount(0);
});

test('many changes have pages of their own, and the link keeps the page @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  for (let seats = 1; seats <= 12; seats++) await updateAsCaller(page, demo, person.uuid, { seats });
  await page.goto(`/contacts/${person.uuid}?per_page=10`);
  await expect(entries(page)).toHaveCount(12);
  await story(page).getByRole('button', { name: 'Changes', exact: true }).click();
  const pages = story(page).getByRole('navigation', { name: 'Pages of changes' });
  await expect(pages).toContainText('1–10 of 12');
  await pages.getByRole('button', { name: 'Next page' }).click();
  await expect(pages).toContainText('11–12 of 12');
  await expect(entries(page).last()).toContainText('seats none → 1');
  await page.reload();
  await expect(pages).toContainText('11–12 of 12');
  await story(page).getByRole('button', { name: 'All', exact: true }).click();
  await expect(entries(page)).toHaveCount(12);
  await expect(page).toHaveURL(`/contacts/${person.uuid}?per_page=10`);
});

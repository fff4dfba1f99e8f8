import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { press, signIn } from '../support/steps.ts';
import { nameOf } from '../support/subscription.ts';

test('who is unsubscribed is listed by reason, origin, ticket and actor, and filters are in the URL @additions', async ({
  page,
  person,
  demo,
}) => {
  await signIn(page, demo);
  const answer = await page.request.post(`/v1/workspaces/${demo.workspace}/contacts/${person.uuid}/unsubscribe`, {
    headers: { authorization: `Bearer ${demo.token}` },
    data: { reason: 'legal', ticket: 'ZD-4711', origin: 'support' },
  });
  expect(answer.status()).toBe(200);

  await page.goto('/contacts');
  await page.getByRole('link', { name: 'Unsubscribed', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribed contacts');
  const row = page.getByRole('row', { name: nameOf(person) });
  await expect(row).toContainText('ZD-4711');
  await expect(row).toContainText('Legal');
  await expect(row).toContainText('Support');

  await page.getByLabel('Why').selectOption('Legal');
  await expect(page).toHaveURL(/reason=legal/);
  await expect(page.getByRole('table').getByRole('link', { name: nameOf(person) })).toBeVisible();
  // Programs of other tests may unsubscribe for that reason too.
  await page.getByLabel('Came from').selectOption('A program');
  await expect(page.getByRole('table').getByRole('link', { name: nameOf(person) })).toHaveCount(0);
  await page.getByLabel('Came from').selectOption('Support');
  // There it can be saved as a view.
  await page.getByRole('link', { name: 'Open in Contacts' }).click();
  await expect(page).toHaveURL(/\/contacts\?filter=reason%3Alegal%20origin%3Asupport$/);
  await expect(page.getByRole('table').getByRole('link', { name: nameOf(person) })).toBeVisible();
  await page.goBack();
  await row.getByRole('link', { name: 'demo' }).click();
  await expect(page.getByRole('button', { name: 'By: demo' })).toBeVisible();
  await page.getByRole('button', { name: 'By: demo' }).click();
  await expect(page).not.toHaveURL(/actor=/);
  await page.goto('/suppressions?from=2026-11-30T04:40:13Z');
  await expect(page.getByText('Part of this link was ignored')).toBeVisible();
});

test('people of one organisation who were unsubscribed within seconds are subscribed again together @additions', async ({
  page,
  demo,
  faults,
}) => {
  // The search also asks whether it is an identity.
  faults.expect(/status of 404.*\/v1\/contacts\/scanned/i);
  await signIn(page, demo);
  const headers = { authorization: `Bearer ${demo.token}` };
  const domain = `scanned-${crypto.randomUUID().slice(0, 8)}.example`;
  for (const name of ['ada', 'bob', 'cem', 'dee', 'eve', 'fay']) {
    const data = { attributes: { email: `${name}@${domain}`, first_name: name } };
    const made = await page.request.post('/v1/contacts', { headers, data });
    const { uuid } = ((await made.json()) as { data: { uuid: string } }).data;
    await page.request.post(`/v1/contacts/${uuid}/unsubscribe`, { headers });
  }
  await page.goto('/');
  await page
    .getByRole('row', { name: `${domain} 6 people unsubscribed within seconds` })
    .getByRole('link')
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribed contacts');
  const notice = page.getByRole('status').filter({ hasText: domain });
  await expect(notice).toContainText(`6 people at ${domain} were unsubscribed`);
  await page.getByRole('button', { name: 'Hide in this browser' }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await notice.getByRole('button', { name: 'Review' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  const left = page.getByRole('dialog').getByRole('checkbox', { name: 'dee' });
  const size = await left.boundingBox();
  await left.uncheck();
  expect(await left.boundingBox()).toMatchObject({ width: size?.width, height: size?.height });
  await page.getByRole('dialog').getByRole('button', { name: 'Subscribe 5 again' }).click();
  await expect(notice).toHaveCount(0);
  await page.goto(`/contacts?search=${domain}`);
  await expect(page.getByRole('row', { name: 'Unsubscribed' })).toHaveCount(1);
  await expect(page.getByRole('row', { name: 'dee' })).toContainText('Unsubscribed');
});

test('a rule says how many had the event, and its next event unsubscribes @additions', async ({
  page,
  demo,
  person,
}) => {
  await signIn(page, demo);
  const headers = { authorization: `Bearer ${demo.token}` };
  const event_name = `complained ${crypto.randomUUID()}`;
  const attributes = { type: 'Hard' };
  const send = () =>
    page.request.post(`/v1/contacts/${person.uuid}/events`, { headers, data: { event_name, attributes } });
  await send();
  await page.goto('/suppressions');
  await page.getByRole('button', { name: 'Rules' }).click();
  const dialog = page.getByRole('dialog', { name: 'Events that unsubscribe' });
  await dialog
    .getByRole('textbox', { name: 'Event', exact: true })
    .fill(event_name.replace('complained', 'Complained'));
  await dialog.getByRole('textbox', { name: 'Value' }).focus();
  await expect(dialog).toContainText(
    `No event called ${event_name.replace('complained', 'Complained')} has arrived yet`,
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: event_name }).click();
  await expect(dialog).toContainText('1 subscribed contact has had this event.');
  await expect(dialog.getByLabel('Reason')).toHaveValue('complaint');
  await dialog.getByRole('textbox', { name: 'Only with attribute' }).fill('Type');
  await expect(dialog).not.toContainText('1 subscribed contact has had this event.');
  await expect(dialog).toContainText('Enter the value, too: a condition needs both.');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('soft');
  await dialog.getByLabel('Reason').focus();
  await expect(dialog).toContainText('No such event has had the attribute Type');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'type', exact: true }).click();
  await expect(dialog).toContainText('No such event has had type soft');
  await dialog.getByRole('button', { name: 'Hard', exact: true }).click();
  await expect(dialog).toContainText('1 subscribed contact has had this event with this value.');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog.getByRole('list', { name: 'Rules' })).toContainText(event_name);
  await send();
  await dialog.getByRole('button', { name: `Remove the rule for ${event_name} …` }).click();
  await expect(dialog.getByRole('button', { name: `Keep the rule for ${event_name}` })).toBeFocused();
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: `Keep the rule for ${event_name}` }).click();
  await expect(dialog.getByRole('list', { name: 'Rules' })).toContainText(event_name);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await page.reload();
  const row = page.getByRole('row', { name: nameOf(person) });
  await expect(row).toContainText('Marked mail as spam');
  await expect(row).toContainText('The person');
});

test('who subscribes somebody again is told of their complaint @additions', async ({ page, demo }) => {
  await signIn(page, demo);
  await page.goto('/contacts/hana.lindgren@example.com');
  await press(page, 'Subscribe again');
  await expect(page.getByRole('dialog')).toContainText(/Unsubscribed: Marked mail as spam, /);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.goto('/contacts?filter=reason:complaint');
  await page.getByRole('columnheader').getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Subscribe .* again$/ }).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('Marked mail as spam');
});

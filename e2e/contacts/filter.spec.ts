import { expect, test } from '../support/fixtures.ts';
import { press, signIn, updateAsCaller } from '../support/steps.ts';
import { nameOf } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('conditions in the search box become chips, which a link keeps and a click removes @additions', async ({
  page,
}) => {
  await page.goto('/contacts');
  const box = page.getByRole('searchbox', { name: 'Name, email, phone or ID' });
  await expect(page.getByRole('table', { name: 'contacts' }).getByRole('row').nth(1)).toBeVisible();
  await box.fill('an company:globex -subscribed');
  await box.press('Enter');
  await expect(box).toHaveValue('an');
  const chips = page.getByRole('list', { name: 'Conditions' }).getByRole('button');
  await expect(chips).toHaveText(['company:globex', '-subscribed']);
  await page.reload();
  await expect(chips).toHaveText(['company:globex', '-subscribed']);
  await page.getByRole('button', { name: 'Remove the condition company:globex' }).click();
  await expect(chips).toHaveText(['-subscribed']);
  await expect(page).toHaveURL(/filter=-subscribed/);
});

test('what a condition lacks is said at its place, and nothing is filtered @additions', async ({ page }) => {
  await page.goto('/contacts');
  const box = page.getByRole('searchbox', { name: 'Name, email, phone or ID' });
  await box.fill('ada created:soon');
  await box.press('Enter');
  await expect(page.getByText('At character 5: created needs a year, month, day or time')).toBeVisible();
  await expect(page).not.toHaveURL(/filter=/);
});

test('an attribute that no shown contact has is offered as a filter @additions', async ({ page, demo, person }) => {
  await updateAsCaller(page, demo, person.uuid, { vip_level: 'gold' });
  await page.goto('/contacts?search=vip_level:gold');
  await expect(page.getByText('No contact matches')).toBeVisible();
  await page.getByRole('button', { name: 'Filter by vip_level:gold' }).click();
  await expect(page.getByRole('rowheader')).toHaveText(nameOf(person));
});

test('an event that nobody had is named, with the one that may be meant @additions', async ({ page, demo, person }) => {
  const headers = { authorization: `Bearer ${demo.token}` };
  const event_name = 'newsletter_forwarded';
  await page.request.post(`/v1/contacts/${person.uuid}/events`, { headers, data: { event_name } });
  await page.goto('/contacts?filter=event:Forwarded%20within:30d%20-plan:none');
  await expect(page.getByText('No event is named Forwarded.')).toBeVisible();
  await press(page, `Use ${event_name}`);
  await expect(page).toHaveURL(/filter=event%3Anewsletter_forwarded\+within%3A30d\+-plan%3Anone$/);
  await expect(page.getByRole('table').getByRole('link', { name: nameOf(person) })).toBeVisible();
});

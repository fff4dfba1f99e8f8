import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

const rights = (page: Page) => page.getByRole('region', { name: 'Data protection' });
const openRights = (page: Page) => page.getByLabel('More actions').click();
const dialog = (page: Page) => page.getByRole('dialog');

test('everything about a person can be saved as JSON and as a page @additions', async ({ page, context, demo }) => {
  await signIn(page, demo);
  const { contact, events } = demo.busiest;
  const saveFrom = async ({ uuid }: Contact, name: string) => {
    await page.goto(`/contacts/${uuid}`);
    const download = page.waitForEvent('download');
    await openRights(page);
    await rights(page).getByRole('button', { name }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`person-${uuid}.${name === 'As JSON' ? 'json' : 'html'}`);
    return readFile(await file.path(), 'utf8');
  };
  const file = JSON.parse(await saveFrom(contact, 'As JSON')) as {
    contact: unknown;
    events: unknown[];
    event_count: number;
  };
  expect(file.contact).toEqual(contact);
  expect([file.events.length, file.event_count]).toEqual([events, events]);
  await expect(rights(page)).toContainText('Review it before you send it');

  const html = await saveFrom(demo.unsubscribed, 'As a page to read');
  const other = await context.newPage();
  await other.setContent(html);
  await expect(other.getByRole('heading', { level: 1 })).toContainText(
    String(demo.unsubscribed.attributes['last_name']),
  );
  await expect(other.getByText('No, unsubscribed')).toBeVisible();
  await expect(other.getByText('This is the record of this person with all its changes and events')).toBeVisible();
  const { violations } = await new AxeBuilder({ page: other }).setLegacyMode().analyze();
  expect(violations).toEqual([]);
  await other.close();
});

test('typing an identity erases a person, and nothing in the tab names them @additions', async ({
  page,
  demo,
  person,
  faults,
}) => {
  faults.expect(/status of (422|404)/);
  await signIn(page, demo);
  const email = String(person.attributes['email']);
  await page.goto(`/contacts?search=${encodeURIComponent(email)}`);
  await page
    .getByRole('link', { name: String(person.attributes['first_name']) })
    .first()
    .click();
  await openRights(page);
  const bottom = await page.getByLabel('More actions').evaluate((button) => button.getBoundingClientRect().bottom);
  const top = await rights(page).evaluate((menu) => menu.getBoundingClientRect().top);
  expect(top - bottom, 'pixels from the button to its menu').toBeLessThan(8);
  await rights(page).getByRole('button', { name: 'Erase this person …' }).click();
  await expect(dialog(page)).toContainText(
    /This can’t be undone\. Deletes the record, (1 identity|\d+ identities), (1 event|[\d,]+ events) and (1 change|[\d,]+ changes), and saved views that mention the person\./,
  );
  await expect(dialog(page)).toContainText('events of other contacts aren’t searched');
  await expectAccessible(page);
  const erase = dialog(page).getByRole('button', { name: 'Erase' });
  await erase.click();
  await expect(dialog(page)).toContainText('Enter an email, phone or ID of this contact.');
  await dialog(page).getByLabel('Email, phone or ID of this person').fill('somebody.else@example.com');
  await dialog(page).getByLabel('Reference (optional)').fill(email);
  await erase.click();
  await expect(dialog(page)).toContainText('This isn’t an email, phone or ID of this contact.');
  await expect(dialog(page)).toContainText(
    'This identifies the person and is kept after erasure. Use a reference number.',
  );
  await dialog(page).getByLabel('Email, phone or ID of this person').fill(email.toUpperCase());
  await dialog(page).getByLabel('Reference (optional)').fill('2026-117');
  await erase.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Person erased');
  await expect(page.getByText('Reference: 2026-117')).toBeVisible();
  await expect(page.getByText('Request ID in the log:')).toBeVisible();
  await expect(page.getByText('Attributes and events of other contacts weren’t searched')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Lift an erasure …' })).toBeVisible();
  await expectAccessible(page);
  expect((await page.content()).toLowerCase()).not.toContain(email.toLowerCase());

  // Nothing is shown from the cache.
  await page.goBack();
  await expect(page.getByText(/no contact/i).first()).toBeVisible();
  await page.goto('/activity');
  await expect(page.getByRole('row').nth(1)).toContainText('Person erased (request 2026-117)');

  const response = await page.request.post('/v1/contacts', {
    headers: { authorization: `Bearer ${demo.token}` },
    data: { attributes: { email } },
  });
  expect(response.status()).toBe(422);
  expect(await response.text()).toContain('(request 2026-117). An admin can lift that.');
});

test('log lines about others are cleared only if selected @additions', async ({ page, demo, person, faults }) => {
  faults.expect(/status of 404/);
  const headers = { authorization: `Bearer ${demo.token}` };
  const email = String(person.attributes['email']);
  // Two log lines with a former address, and one with the current one.
  const note = (text: string) =>
    page.request.post(`/v1/contacts/${demo.busiest.contact.uuid}`, { headers, data: { attributes: { note: text } } });
  for (const before of ['once.theirs@example.com', email]) {
    await page.request.post(`/v1/contacts/${person.uuid}`, { headers, data: { attributes: { email: before } } });
  }
  for (const text of ['Ask once.theirs@example.com', `Friend of ${email}`, 'Nobody']) await note(text);

  await signIn(page, demo);
  await page.goto(`/contacts/${person.uuid}`);
  await openRights(page);
  await rights(page).getByRole('button', { name: 'Erase this person …' }).click();
  const lines = dialog(page).getByRole('group', { name: 'Log entries about others' });
  const own = lines.getByRole('checkbox', { name: email });
  const once = lines.getByRole('checkbox', { name: 'once.theirs@example.com' });
  await expect(own).not.toBeChecked();
  await expect(once).not.toBeChecked();
  await own.check();
  await expectAccessible(page);
  await dialog(page).getByLabel('Email, phone or ID of this person').fill(email);
  await dialog(page).getByRole('button', { name: 'Erase' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Person erased');
  const changes = await page.request.get(`/v1/contacts/${demo.busiest.contact.uuid}/changes`, { headers });
  const text = await changes.text();
  expect([text.includes(email), text.includes('once.theirs@example.com')]).toEqual([false, true]);
});

test('an admin lifts an erasure on the page of the missing contact @additions', async ({
  page,
  demo,
  person,
  faults,
}) => {
  faults.expect(/status of (422|404)/);
  await signIn(page, demo);
  const email = String(person.attributes['email']);
  const headers = { authorization: `Bearer ${demo.token}` };
  const add = async () =>
    (await page.request.post('/v1/contacts', { headers, data: { attributes: { email } } })).status();
  const erasure = await page.request.post(`/v1/contacts/${person.uuid}/erasure`, {
    headers,
    data: { identity: email },
  });
  expect([erasure.status(), await add()]).toEqual([200, 422]);
  await page.goto('/contacts');
  await page.getByRole('searchbox').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/This person was erased on /)).toBeVisible();
  await page.goto(`/contacts/${person.uuid}`);
  await page.getByRole('button', { name: 'Lift an erasure …' }).click();
  await expect(dialog(page)).toContainText('a person who is added again is subscribed');
  await expectAccessible(page);
  const accept = dialog(page).getByRole('button', { name: 'Lift erasure' });
  await accept.click();
  await expect(dialog(page)).toContainText('Enter a reason.');
  await dialog(page).getByLabel('Email, phone or ID of this person').fill('somebody.else@example.com');
  await dialog(page).getByLabel('Reason').fill('Came back');
  await accept.click();
  await expect(dialog(page)).toContainText('No erasure matches this identity.');
  await dialog(page).getByLabel('Email, phone or ID of this person').fill(email.toUpperCase());
  await dialog(page).getByLabel('Reason').fill(`${email} came back`);
  await accept.click();
  await expect(dialog(page)).toContainText('This identifies the person and is kept after erasure.');
  expect(await add()).toBe(422);
  await dialog(page).getByLabel('Reason').fill('Came back');
  await accept.click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText('The erasure is lifted. This person can be added again.').first()).toBeVisible();
  await expectAccessible(page);
  expect(await add()).toBe(200);
});

test('a service without export and erasure says so @bare', async ({ page, demo, person }) => {
  await signIn(page, demo);
  await page.goto(`/contacts/${person.uuid}`);
  await expect(page.getByText('This service doesn’t support data export or erasure.')).toBeVisible();
  await expect(rights(page)).toHaveCount(0);
});

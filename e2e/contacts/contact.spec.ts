import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { pasteText, readAsCaller, signIn, updateAsCaller } from '../support/steps.ts';
import { nameOf } from '../support/subscription.ts';

test.beforeEach(({ page, demo }) => signIn(page, demo));

const attributes = (page: Page) => page.getByRole('region', { name: 'Attributes' });

test('editing attributes shows before and after, and sends only the changes @additions', async ({ page, person }) => {
  await page.goto(`/contacts/${person.uuid}`);
  await expect(page).toHaveTitle(`${nameOf(person)} · Contacts · Sendroom`);
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Save' })).toBeDisabled();
  await attributes(page).getByLabel('Value of last_name').fill('Ødegård-Smith');
  await expect(attributes(page).getByRole('heading', { name: 'One change' })).toBeVisible();
  await expect(attributes(page).getByRole('listitem')).toHaveText(
    `last_name ${String(person.attributes.last_name)} → Ødegård-Smith`,
  );
  await attributes(page).getByRole('button', { name: 'Remove first_name' }).click();
  await attributes(page).getByRole('button', { name: 'Add an attribute' }).click();
  await attributes(page).getByLabel('Name of the new attribute').fill('seats');
  await attributes(page).getByLabel('Value of seats').fill('{"paid": 3, "free": [1, 2]}');
  await attributes(page).getByLabel('Type of seats').selectOption('JSON');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({
    attributes: { last_name: 'Ødegård-Smith', first_name: null, seats: { paid: 3, free: [1, 2] } },
  });

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ødegård-Smith');
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeFocused();
  await page.reload();
  await expect(attributes(page).getByRole('term').filter({ hasText: 'seats' })).toBeVisible();
});

test('line breaks survive pasting into a short text and editing a long one @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  await updateAsCaller(page, demo, person.uuid, { note: 'called on Mondy\nwants no mail', address: 'none' });
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  const note = attributes(page).getByLabel('Value of note');
  await note.press('ControlOrMeta+Home');
  for (let step = 0; step < 'called on Mond'.length; step++) await note.press('ArrowRight');
  await note.press('a');
  const address = attributes(page).getByLabel('Value of address');
  await address.selectText();
  await pasteText(page, 'Harrow & Sons\nBrick Lane');
  await expect(attributes(page).getByLabel('Type of address')).toHaveValue('long');
  await expect(address).toBeFocused();
  const change = attributes(page).getByRole('listitem').filter({ hasText: 'Monday' });
  expect(await change.locator('bdi').last().innerText()).toBe('called on Monday\nwants no mail');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeVisible();
  const { attributes: now } = await readAsCaller(page, demo, person.uuid);
  expect(now).toEqual({
    ...person.attributes,
    note: 'called on Monday\nwants no mail',
    address: 'Harrow & Sons\nBrick Lane',
  });
});

test('a concurrent change is never silently overwritten, also on a phone @additions', async ({
  page,
  person,
  demo,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  await attributes(page).getByLabel('Value of last_name').fill('Mine');
  await updateAsCaller(page, demo, person.uuid, { last_name: 'Theirs', company: 'Elsewhere Ltd' });
  await attributes(page).getByRole('button', { name: 'Save' }).click();

  await expect(page.getByText(/ changed this contact while you were editing$/)).toBeInViewport();
  await expect(page.locator('[data-problem]:focus')).toHaveCount(1);
  await expect(attributes(page).getByRole('status')).toContainText('Elsewhere Ltd');
  expect((await readAsCaller(page, demo, person.uuid)).attributes.last_name).toBe('Theirs');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeVisible();
  const { last_name, company } = (await readAsCaller(page, demo, person.uuid)).attributes;
  expect({ last_name, company }).toEqual({ last_name: 'Mine', company: 'Elsewhere Ltd' });
});

test("after a lost response you see a colleague's change, and that yours is saved @additions @sweep", async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/ERR_CONNECTION_RESET/);
  // The first change reaches the service; its response is lost.
  let isLost = false;
  await page.route(`**/v1/contacts/${person.uuid}`, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  await attributes(page).getByLabel('Value of first_name').fill('Mine');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page)).toContainText('This may or may not have been saved.');
  await updateAsCaller(page, demo, person.uuid, { last_name: 'Theirs' });
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  const notice = attributes(page).locator('[data-problem]');
  await expect(notice).toContainText(/ changed this contact while you were editing/);
  await expect(notice.getByRole('listitem')).toHaveText([/^last_name .* Theirs$/]);
  await expect(notice).toContainText('Your changes are saved. Nothing was overwritten.');
  await expect(attributes(page)).not.toContainText('This may or may not have been saved.');
  const { last_name, first_name } = (await readAsCaller(page, demo, person.uuid)).attributes;
  expect({ last_name, first_name }).toEqual({ last_name: 'Theirs', first_name: 'Mine' });
});

test("another contact's identity is refused with a message, and its field is focused @additions", async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/status of 409/);
  const other = demo.busiest.contact;
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  await attributes(page).getByLabel('Value of email').fill(String(other.attributes.email).toUpperCase());
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByLabel('Value of email')).toBeFocused();
  await expect(attributes(page).getByText(/already has this email/)).toHaveCount(1);
  const link = attributes(page).getByRole('link', { name: 'Open that contact' });
  await expect(link).toHaveAttribute('href', new RegExp(`${encodeURIComponent(String(other.attributes.email))}$`, 'i'));
  expect((await readAsCaller(page, demo, person.uuid)).attributes).toEqual(person.attributes);
});

test('an address without a dot in its domain needs a confirmation @additions', async ({ page, person, demo }) => {
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  const save = attributes(page).getByRole('button', { name: 'Save' });
  await attributes(page).getByLabel('Value of email').fill(`${person.uuid}@localhost`);
  await save.click();
  await expect(attributes(page)).toContainText('has no dot. Save again to keep it.');
  expect((await readAsCaller(page, demo, person.uuid)).attributes).toEqual(person.attributes);
  await save.click();
  await expect(attributes(page).getByRole('button', { name: 'Edit all' })).toBeVisible();
  expect((await readAsCaller(page, demo, person.uuid)).attributes.email).toBe(`${person.uuid}@localhost`);
});

test('on a bare interface an attribute is set blindly, and the response is shown @bare', async ({ page, person }) => {
  await page.goto(`/contacts/${encodeURIComponent(String(person.attributes.email))}`);
  await expect(attributes(page)).toContainText('This service sends a record only after a change');
  await attributes(page).getByRole('button', { name: 'Edit all' }).click();
  await attributes(page).getByLabel('Name of the new attribute').fill('job_title');
  await attributes(page).getByLabel('Value of job_title').fill('Bell founder');
  await attributes(page).getByRole('button', { name: 'Save' }).click();

  await expect(attributes(page)).toContainText('Bell founder');
  await expect(attributes(page)).toContainText(String(person.attributes.first_name));
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
});

test('without a workspace ID from the service, unsubscribing asks for it once @bare', async ({
  page,
  person,
  demo,
}) => {
  await signIn(page, { ...demo, workspace: '' });
  await page.goto(`/contacts/${person.uuid}`);
  await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(question).toContainText('Enter the workspace ID.');
  await question.getByLabel('Workspace ID').fill(demo.workspace);
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Subscription' })).toContainText('Unsubscribed');
});

test('one value is edited in its place, by keyboard and by a click @additions', async ({ page, person, demo }) => {
  await updateAsCaller(page, demo, person.uuid, { seats: 3 });
  await page.goto(`/contacts/${person.uuid}`);
  const last_name = attributes(page).getByLabel('Value of last_name');
  await attributes(page).getByRole('button', { name: 'Edit last_name', exact: true }).focus();
  await page.keyboard.press('e');
  await expect(last_name).toBeFocused();
  await last_name.fill('Harrow & Sons');
  await expect(attributes(page).getByRole('listitem')).toHaveText(/^last_name .* → Harrow & Sons$/);
  await page.keyboard.press('Escape');
  await expect(attributes(page).getByRole('button', { name: 'Edit last_name', exact: true })).toBeFocused();

  await attributes(page).getByRole('definition').filter({ hasText: /^3$/ }).getByText('3').click();
  const seats = attributes(page).getByLabel('Value of seats');
  await seats.fill('many');
  await expect(attributes(page).getByText(/This isn’t a number/)).toBeVisible();
  await seats.fill('4');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.keyboard.press('Enter');
  expect((await sent).postDataJSON()).toEqual({ attributes: { seats: 4 } });
  await expect(attributes(page).getByRole('button', { name: 'Edit seats', exact: true })).toBeFocused();
  expect((await readAsCaller(page, demo, person.uuid)).attributes).toEqual({ ...person.attributes, seats: 4 });
});

test('a value of somebody else is not overwritten in its place either @additions', async ({ page, person, demo }) => {
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit last_name', exact: true }).click();
  await attributes(page).getByLabel('Value of last_name').fill('Mine');
  await updateAsCaller(page, demo, person.uuid, { last_name: 'Theirs' });
  await page.keyboard.press('Enter');
  await expect(page.getByText(/ changed this contact while you were editing$/)).toBeVisible();
  expect((await readAsCaller(page, demo, person.uuid)).attributes.last_name).toBe('Theirs');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit last_name', exact: true })).toBeVisible();
  expect((await readAsCaller(page, demo, person.uuid)).attributes.last_name).toBe('Mine');
});

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { pasteText, readAsCaller, signIn, updateAsCaller } from './steps.ts';
import { nameOf } from './subscription.ts';

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

const attributes = (page: Page) => page.getByRole('region', { name: 'Attributes' });

test('an attribute is corrected: before and after are shown, and only the change is sent @additions', async ({
  page,
  person,
}) => {
  await page.goto(`/contacts/${person.uuid}`);
  await expect(page).toHaveTitle(`${nameOf(person)} · Contacts · Sendroom`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Save' })).toBeDisabled();
  await attributes(page).getByLabel('Value of last_name').fill('Ødegård-Smith');
  await expect(attributes(page).getByRole('heading', { name: 'One change' })).toBeVisible();
  await expect(attributes(page).getByRole('listitem')).toHaveText(
    `last_name ${String(person.attributes.last_name)} → Ødegård-Smith`,
  );
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ attributes: { last_name: 'Ødegård-Smith' } });

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${String(person.attributes.first_name)} Ødegård-Smith`,
  );
  await expect(attributes(page).getByRole('button', { name: 'Edit' })).toBeFocused();
  await page.reload();
  await expect(attributes(page)).toContainText('Ødegård-Smith');
});

test('attributes are added and removed @additions', async ({ page, person, demo }) => {
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  await attributes(page).getByRole('button', { name: 'Remove first_name' }).click();
  await attributes(page).getByRole('button', { name: 'Add an attribute' }).click();
  await attributes(page).getByLabel('Name of the new attribute').fill('seats');
  await attributes(page).getByLabel('Value of seats').fill('{"paid": 3, "free": [1, 2]}');
  await attributes(page).getByLabel('Kind of seats').selectOption('JSON');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit' })).toBeVisible();

  const { first_name: _, ...rest } = person.attributes;
  const now = await readAsCaller(page, demo, person.uuid);
  expect(now.attributes).toEqual({ ...rest, seats: { paid: 3, free: [1, 2] } });
});

test('I paste two lines into a short text, and fix a typo in a long one: the lines stay @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  await updateAsCaller(page, demo, person.uuid, { note: 'called on Mondy\nwants no mail', address: 'none' });
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  const note = attributes(page).getByLabel('Value of note');
  await note.press('ControlOrMeta+Home');
  for (let step = 0; step < 'called on Mond'.length; step++) await note.press('ArrowRight');
  await note.press('a');
  const address = attributes(page).getByLabel('Value of address');
  await address.selectText();
  await pasteText(page, 'Harrow & Sons\nBrick Lane');
  await expect(attributes(page).getByLabel('Kind of address')).toHaveValue('long');
  await expect(address).toBeFocused();
  const change = attributes(page).getByRole('listitem').filter({ hasText: 'Monday' });
  expect(await change.locator('bdi').last().innerText()).toBe('called on Monday\nwants no mail');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  const { attributes: now } = await readAsCaller(page, demo, person.uuid);
  expect(now).toEqual({
    ...person.attributes,
    note: 'called on Monday\nwants no mail',
    address: 'Harrow & Sons\nBrick Lane',
  });
});

test('a number, a yes and a customer number of digits keep their kinds, and a row too many goes again @additions', async ({
  page,
  person,
  demo,
}) => {
  await updateAsCaller(page, demo, person.uuid, { seats: 3, member: true, old_number: '007' });
  await page.goto(`/contacts/${person.uuid}`);
  const form = attributes(page);
  await form.getByRole('button', { name: 'Edit' }).click();
  await form.getByLabel('Value of seats').fill('12,5');
  await expect(form.getByLabel('Value of seats')).toHaveAccessibleDescription(/not a number/);
  await form.getByLabel('Value of seats').fill('12.5');
  await form.getByLabel('Value of member').selectOption('No');
  await form.getByLabel('Value of old_number').fill('008');
  await form.getByRole('button', { name: 'Add an attribute' }).click();
  await form.getByLabel('Name of the new attribute').fill('seats');
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByRole('button', { name: 'Remove seats' }).last().click();
  await expect(form.getByRole('button', { name: 'Add an attribute' })).toBeFocused();
  await form.getByLabel('Value of old_number').press('Enter');
  await expect(form.getByRole('button', { name: 'Edit' })).toBeVisible();
  const { seats, member, old_number } = (await readAsCaller(page, demo, person.uuid)).attributes;
  expect({ seats, member, old_number }).toEqual({ seats: 12.5, member: false, old_number: '008' });
});

test('a value that becomes a text of the same letters reads as a change, before it is saved and in the history @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  await updateAsCaller(page, demo, person.uuid, { score: 0.1, vip: false, note: 'none' });
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  for (const name of ['score', 'vip']) await attributes(page).getByLabel(`Kind of ${name}`).selectOption('Text');
  await attributes(page).getByRole('button', { name: 'Remove note' }).click();
  const changes = ['score 0.1 → "0.1"', 'vip false → "false"', 'note "none" → none'];
  await expect(attributes(page).getByRole('listitem')).toHaveText(changes);
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  const saved = page.getByRole('region', { name: 'History' }).getByRole('listitem').first();
  for (const change of changes) await expect(saved).toContainText(change);
});

test('somebody who was faster is not overwritten unseen, on a phone either @additions', async ({
  page,
  person,
  demo,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  await attributes(page).getByLabel('Value of last_name').fill('Mine');
  await updateAsCaller(page, demo, person.uuid, { last_name: 'Theirs', company: 'Elsewhere Ltd' });
  await attributes(page).getByRole('button', { name: 'Save' }).click();

  await expect(page.getByText('Someone else changed this contact while you were editing')).toBeInViewport();
  await expect(page.locator('[data-problem]:focus')).toHaveCount(1);
  await expect(attributes(page).getByRole('status')).toContainText('Elsewhere Ltd');
  expect((await readAsCaller(page, demo, person.uuid)).attributes.last_name).toBe('Theirs');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  const { last_name, company } = (await readAsCaller(page, demo, person.uuid)).attributes;
  expect({ last_name, company }).toEqual({ last_name: 'Mine', company: 'Elsewhere Ltd' });
});

/** Saves a first name. The change reaches the service, and the answer is lost; later ones are not. */
async function saveWithoutAnswer(page: Page, uuid: string, firstName: string): Promise<void> {
  let isLost = false;
  await page.route(`**/v1/contacts/${uuid}`, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto(`/contacts/${uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  await attributes(page).getByLabel('Value of first_name').fill(firstName);
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page)).toContainText('This may or may not have been saved.');
}

test('a save whose answer was lost is saved with the next one, and nobody else is said to have done it @additions @sweep', async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/ERR_CONNECTION_RESET/);
  await saveWithoutAnswer(page, person.uuid, 'Mine');
  expect((await readAsCaller(page, demo, person.uuid)).attributes.first_name).toBe('Mine');
  // The draft knows it also after the page was left, and while one goes on typing.
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.goBack();
  await attributes(page).getByLabel('Value of first_name').fill('Mine again');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(attributes(page)).toContainText('Mine again');
  expect((await readAsCaller(page, demo, person.uuid)).attributes.first_name).toBe('Mine again');
});

test('after a lost answer it is said what a colleague has changed, and that the own change is saved @additions @sweep', async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/ERR_CONNECTION_RESET/);
  await saveWithoutAnswer(page, person.uuid, 'Mine');
  await updateAsCaller(page, demo, person.uuid, { last_name: 'Theirs' });
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  const notice = attributes(page).locator('[data-problem]');
  await expect(notice).toContainText('Someone else changed this contact while you were editing');
  await expect(notice.getByRole('listitem')).toHaveText([/^last_name .* Theirs$/]);
  await expect(notice).toContainText('Your changes are saved. Nothing was overwritten.');
  await expect(attributes(page)).not.toContainText('This may or may not have been saved.');
  const { last_name, first_name } = (await readAsCaller(page, demo, person.uuid)).attributes;
  expect({ last_name, first_name }).toEqual({ last_name: 'Theirs', first_name: 'Mine' });
});

test('an identity of somebody else is refused in words, and its field gets the focus @additions', async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/status of 409/);
  const other = demo.busiest.contact;
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  await attributes(page).getByLabel('Value of email').fill(String(other.attributes.email).toUpperCase());
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Another contact already has this email');
  await expect(attributes(page).getByLabel('Value of email')).toBeFocused();
  await expect(attributes(page)).toContainText('Another contact of this workspace already has this email.');
  expect((await readAsCaller(page, demo, person.uuid)).attributes).toEqual(person.attributes);
});

test('a text of several lines is edited as such, and keeps its line ends @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  await updateAsCaller(page, demo, person.uuid, { note: 'one\r\ntwo\twith tab\nthree' });
  await page.goto(`/contacts/${person.uuid}`);
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  const note = attributes(page).getByLabel('Value of note');
  await expect(note).toHaveValue('one\ntwo\twith tab\nthree');
  const height = async () => (await note.boundingBox())?.height ?? 0;
  const before = await height();
  await note.press('ControlOrMeta+End');
  await note.pressSequentially('!\nfour');
  expect(await height(), 'grows with its lines').toBeGreaterThan(before);
  const values = attributes(page).getByRole('listitem').locator('bdi');
  // As rendered, not as in the source: each line is separate.
  expect((await values.last().innerText()).replaceAll('\r', '')).toBe('one\ntwo\twith tab\nthree!\nfour');
  await attributes(page).getByRole('button', { name: 'Save' }).click();
  await expect(attributes(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  const { attributes: now } = await readAsCaller(page, demo, person.uuid);
  expect(now).toEqual({ ...person.attributes, note: 'one\r\ntwo\twith tab\nthree!\r\nfour' });
});

test('on the bare interface an attribute is set without knowing the others, and the answer is shown @bare', async ({
  page,
  person,
}) => {
  await page.goto(`/contacts/${encodeURIComponent(String(person.attributes.email))}`);
  await expect(attributes(page)).toContainText('This service sends a record only in answer to a change');
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  await attributes(page).getByLabel('Name of the new attribute').fill('job_title');
  await attributes(page).getByLabel('Value of job_title').fill('Bell founder');
  await attributes(page).getByRole('button', { name: 'Save' }).click();

  await expect(attributes(page)).toContainText('Bell founder');
  await expect(attributes(page)).toContainText(String(person.attributes.first_name));
  await expect(page).toHaveURL(`/contacts/${person.uuid}`);
});

test('somebody is unsubscribed after a question that names them', async ({ page, person, demo, additions }) => {
  const name = additions === 'on' ? nameOf(person) : person.uuid;
  await updateAsCaller(page, demo, person.uuid, { email: `${person.uuid}@example.com` });
  await page.goto(`/contacts/${person.uuid}`);
  const subscription = page.getByRole('region', { name: 'Subscription' });
  await subscription.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  const question = page.getByRole('dialog', { name: `Unsubscribe ${name}?` });
  await expect(question.getByRole('heading')).toBeFocused();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  expect(await subscribed(page, demo.token, person.uuid)).toBe(true);

  await subscription.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(question).toBeHidden();
  await expect(subscription).toContainText('Unsubscribed');
  await expect(subscription.getByRole('button', { name: 'Unsubscribe', exact: true })).toBeHidden();
  // The email does not say who operates the mailbox.
  await expect(page.getByRole('term').filter({ hasText: 'Updated' })).toBeVisible();
  await expect(page.getByRole('term').filter({ hasText: 'Mailbox' })).toHaveCount(0);
  expect(await subscribed(page, demo.token, person.uuid)).toBe(false);
});

/** Changing nothing answers with the contact, on the bare interface as well. */
async function subscribed(page: Page, token: string, uuid: string): Promise<boolean> {
  return (await updateAsCaller(page, { token }, uuid, {})).subscribed;
}

test('somebody who is out already is told as such, and the age of that stays true @additions', async ({
  page,
  demo,
}) => {
  await page.clock.install();
  await page.goto(`/contacts/${demo.unsubscribed.uuid}`);
  const subscription = page.getByRole('region', { name: 'Subscription' });
  await expect(subscription).toContainText(/Unsubscribed.*Confirmed just now/);
  await expect(subscription.getByRole('button', { name: 'Unsubscribe', exact: true })).toBeHidden();
  await page.clock.fastForward(5 * 60_000);
  await expect(subscription).toContainText('Confirmed 5 minutes ago');
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
  await expect(question).toContainText('Unsubscribing needs the ID of the workspace.');
  await question.getByLabel('Workspace ID').fill(demo.workspace);
  await question.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Subscription' })).toContainText('Unsubscribed');
});

for (const [width, height] of [
  [768, 1024],
  [320, 640],
] as const) {
  test(`at ${width} pixels the events begin on the second screen at the latest @additions @sweep`, async ({
    page,
    demo,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
    await expect(page.getByRole('region', { name: 'History' })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const events = await page.getByRole('heading', { name: 'Events' }).boundingBox();
    expect(events?.y).toBeLessThan(2 * height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

test('attributes are all there on a phone, and many can be unfolded @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const before = Object.keys((await readAsCaller(page, demo, person.uuid)).attributes).length;
  const add = (from: number, to: number) =>
    updateAsCaller(
      page,
      demo,
      person.uuid,
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`extra_${from + at}`, 'value'])),
    );
  await add(before, 10);
  await page.goto(`/contacts/${person.uuid}`);
  const names = attributes(page).getByRole('term');
  await expect(names).toHaveCount(10);
  // No box within the page scrolls.
  expect(
    await attributes(page)
      .locator('dl')
      .evaluate((list) => list.scrollHeight - list.clientHeight),
  ).toBe(0);
  await expect(attributes(page).getByRole('button', { name: /^Show all/ })).toHaveCount(0);
  await add(10, 40);
  await page.reload();
  await expect(names).toHaveCount(10);
  await attributes(page).getByRole('button', { name: 'Show all 40 attributes' }).click();
  await expect(names).toHaveCount(40);
});

test('a text that is empty, or of spaces alone, is shown as such @additions @sweep', async ({ page, person, demo }) => {
  await updateAsCaller(page, demo, person.uuid, { company: '', job_title: '  ' });
  await page.goto(`/contacts/${person.uuid}`);
  const valueOf = (name: string) => attributes(page).locator('div', { has: page.getByText(name, { exact: true }) });
  await expect(valueOf('company').getByRole('definition')).toHaveText('empty');
  await expect(valueOf('job_title').getByRole('definition')).toContainText('"  "', { useInnerText: true });
  await attributes(page).getByRole('button', { name: 'Edit' }).click();
  await attributes(page).getByLabel('Value of first_name').fill('   ');
  await expect(attributes(page).getByRole('listitem')).toContainText('"   "', { useInnerText: true });
});

test('a question that is opened before the URL has the UUID stays open @additions @sweep', async ({ page, person }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const buttons = [...document.querySelectorAll<HTMLElement>('[aria-label=Subscription] button')];
      const button = buttons.find(({ textContent }) => textContent === 'Unsubscribe');
      if (button === undefined) return;
      observer.disconnect();
      button.click();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`/contacts/${person.uuid.toUpperCase()}`);
  await expect(page).toHaveURL(new RegExp(`/contacts/${person.uuid}$`));
  await expect(page.getByRole('dialog')).toContainText(String(person.attributes.email));
});

test('a very long name leaves the subscription on the first screen of a phone, and is whole in the attributes @additions @sweep', async ({
  page,
  person,
  demo,
}) => {
  const name = `Long ${'name '.repeat(1200)}end`;
  await updateAsCaller(page, demo, person.uuid, { first_name: name, last_name: null });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(`/contacts/${person.uuid}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByRole('button', { name: 'Unsubscribe', exact: true })).toBeInViewport();
  await expect(attributes(page)).toContainText(name);
});

import { expectAccessible } from '../support/accessible.ts';
import { plan, readList, stateOf, UNKNOWN } from '../support/deskPage.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

// How bulk lists, files and messages are read.

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('a file is read by its column of contacts, and you can choose another @additions', async ({
  page,
  person,
  demo,
}) => {
  await page.goto('/desk');
  const csv = `Name;Mail;Id\r\n"Doe; Jane";${String(person.attributes.email)};${demo.busiest.contact.uuid}\r\n`;
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') });
  await expect(page.getByText('1 entry read from list.csv')).toBeVisible();
  await expect(stateOf(page, String(person.attributes.email))).toHaveText('Subscribed');

  const columns = page.getByRole('group', { name: 'Column with the contact’s email or ID' });
  await expect(columns.getByRole('radio', { name: /^Mail / })).toBeChecked();
  await page.getByRole('radio', { name: /^No table/ }).check();
  await expect(page.getByRole('row').filter({ hasText: 'Mentioned in a message' })).not.toHaveCount(0);
  await columns.getByRole('radio', { name: /^Id / }).check();
  await expect(stateOf(page, demo.busiest.contact.uuid)).toHaveText('Subscribed');
  await expect(page.getByRole('row')).toHaveCount(2);

  // The journal stores the entries, not the table.
  await page.reload();
  await expect(page.getByText('Read by the column “Id”.')).toBeVisible();
});

test('people mentioned in a message are unselected with a reason; own addresses can be selected together @additions', async ({
  page,
  person,
}) => {
  const email = String(person.attributes.email);
  await readList(
    page,
    `From: Jane <${email}>\nSent: Monday\nTo: help@blue-harbour.example\nCc: kim@office.northwind.example\n\nStop.\n-- \nBob, bob@example.com`,
  );
  await expect(plan(page)).toContainText('4 entries read. 0 will be unsubscribed; 4 left out.');
  await expect(page.getByText('Choose who is meant: 2 uncertain entries')).toBeVisible();
  await expect(page.getByText('2 of your own addresses left out')).toBeVisible();
  await expect(page.getByLabel('Unsubscribe help@blue-harbour.example')).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 0', exact: true })).toBeDisabled();
  const bob = page.getByRole('row').filter({ hasText: 'Bob, bob@example.com' });
  await expect(bob).toContainText('Mentioned in a message · Text: the email bob@example.com');

  await bob.getByRole('checkbox').check();
  await expect(page.getByText('1 of 2 uncertain entries selected')).toBeVisible();
  await page.getByRole('button', { name: 'Unsubscribe them too' }).click();
  await expect(page.getByRole('button', { name: 'Unsubscribe 3', exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("adding contacts leaves the list's entries unchanged @additions", async ({ page, faults }) => {
  faults.expect(UNKNOWN);
  await readList(page, 'Name;E-Mail\nJane;jane@x.test\nBob;bob@x.test');
  const jane = page.getByRole('checkbox', { name: 'Unsubscribe jane@x.test' });
  await jane.uncheck();
  await expect(page.getByRole('button', { name: 'Unsubscribe 0', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Unsubscribe 1 in bulk' }).click();
  await page.getByRole('button', { name: 'Add to this list' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'selected in Contacts' })).toHaveCount(1);
  await expect(jane).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
  await expect(plan(page)).toContainText('Read by the column “E-Mail”.');
  await page.reload();
  await expect(jane).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
});

test('a row selected among those left out stays in place @additions @sweep', async ({ page, person }) => {
  const email = String(person.attributes.email);
  await readList(
    page,
    `From: ${email}\nSubject: stop\nDate: x\n\nPlease remove my address and send invoices to billing@corp.test and bills@corp.test`,
  );
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  const boxes = page.getByRole('row').getByRole('checkbox');
  await expect(boxes).toHaveCount(3);
  // A double click is about one row.
  await boxes.first().dblclick();
  for (const box of await boxes.all()) await expect(box).not.toBeChecked();
  await expect(boxes).toHaveCount(3);

  await page.keyboard.press('Home');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(boxes.nth(1)).toBeChecked();
  await expect(boxes.nth(1)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(boxes.nth(2)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeVisible();
  await expect(page.getByText('2 of 3 selected in this view')).toBeVisible();

  await page.getByRole('button', { name: /^Left out/ }).click();
  await page.getByRole('button', { name: /^Left out/ }).click();
  await expect(boxes).toHaveCount(1);
});

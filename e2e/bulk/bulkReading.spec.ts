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

test('of dates in some rows, you say who is meant before anybody is selected @additions', async ({
  page,
  person,
  faults,
}) => {
  faults.expect(UNKNOWN);
  const email = String(person.attributes.email);
  await readList(page, `E-Mail;Widerspruch\n${email};03.04.2026\nbob@example.com;`);
  await expect(plan(page)).toContainText('Column “Widerspruch” has a date for 1 person and nothing for 1.');
  await expect(page.getByRole('button', { name: 'Unsubscribe 0', exact: true })).toBeDisabled();

  await page.getByRole('radio', { name: /^Only rows with a date/ }).check();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeEnabled();
  await expect(page.getByLabel('Unsubscribe bob@example.com')).not.toBeChecked();
  await page.reload();
  await expect(page.getByRole('radio', { name: /^Only rows with a date/ })).toBeChecked();
  await page.getByRole('radio', { name: /^Only empty cells/ }).check();
  await expect(page.getByLabel('Unsubscribe bob@example.com')).toBeChecked();
});

test('of a column of yes and no, you say who is meant before anybody is selected @additions', async ({
  page,
  person,
  faults,
}) => {
  faults.expect(UNKNOWN);
  const email = String(person.attributes.email);
  await readList(page, `E-Mail;Kündigung\n${email};ja\nbob@example.com;nein`);
  await expect(plan(page)).toContainText('Column “Kündigung” says “ja” for 1 person and “nein” for 1.');
  await expect(plan(page)).toContainText('0 will be unsubscribed; 2 left out.');
  await expect(page.getByRole('row').filter({ hasText: '“Kündigung” says “nein”' })).toContainText('bob@example.com');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Unsubscribe 0', exact: true })).toBeDisabled();
  await expectAccessible(page);

  await page.getByRole('radio', { name: /^Only “ja”/ }).check();
  await expect(stateOf(page, email)).toHaveText('Subscribed');
  await page.reload();
  await expect(page.getByRole('radio', { name: /^Only “ja”/ })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeEnabled();
  await expect(page.getByLabel('Unsubscribe bob@example.com')).not.toBeChecked();
  await page.getByRole('radio', { name: /^Everybody/ }).check();
  await expect(page.getByLabel('Unsubscribe bob@example.com')).toBeChecked();
});

test('a list that is pasted on another page is offered to bulk first, and read there @additions', async ({
  page,
  person,
  faults,
}) => {
  faults.expect(UNKNOWN);
  const rows = ['E-Mail;Name', `${String(person.attributes.email)};Ida`, 'bob@x.test;Bob', 'kim@x.test;Kim'];
  const paste = async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), rows.join('\n'));
    await page.locator('h1').click();
    await page.keyboard.press('Control+V');
    await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText(
      /^Unsubscribe this list of 3 in bulk/,
    );
    await page.keyboard.press('Enter');
  };
  await page.goto('/contacts');
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await paste();
  await expect(plan(page)).toContainText('3 entries read.');
  await page.getByRole('link', { name: 'Contacts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  rows.pop();
  rows.push('lin@x.test;Lin');
  await paste();
  await expect(page.getByText('The list you pasted')).toBeVisible();
  await page.getByRole('button', { name: 'Replace this list' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'lin@x.test' })).toBeVisible();
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
  const bob = page.getByRole('row').filter({ has: page.getByLabel('Unsubscribe Bob, bob@example.com') });
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

test('rows of different heights stand one below the other, whatever the view leaves out @additions @sweep', async ({
  page,
}) => {
  const long = 'who asked for it by phone and by mail, and again on Monday in a letter to the manager of our office';
  const lines = Array.from(
    { length: 6 },
    (_, index) => `Please remove p${index}@x.test${index % 2 === 0 ? `, ${long}` : ''}.`,
  );
  await readList(page, `From: ida@x.test\nSubject: stop\nDate: x\n\n${lines.join('\n')}`);
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Unsubscribe p0@x.test' }).check();
  await page.getByRole('button', { name: /^Left out/ }).click();
  await page.getByRole('button', { name: /^Left out/ }).click();
  const rows = page.getByRole('table', { name: 'Entries' }).getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(6);
  await expect
    .poll(async () => {
      const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
      return boxes
        .slice(1)
        .map((box, index) => Math.abs((box?.y ?? 0) - (boxes[index]?.y ?? 0) - (boxes[index]?.height ?? 0)) < 1);
    })
    .toEqual(Array.from({ length: 5 }, () => true));
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

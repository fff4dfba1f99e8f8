import { expectAccessible } from './accessible.ts';
import { plan, readList, startOver, stateOf } from './deskPage.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

// How lists, files and mails are read at the desk.

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
});

test('a file is read by the column that names the contacts, and another can be chosen', async ({
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
  await expect(stateOf(page, String(person.attributes.email))).toHaveText('Not checked');

  const columns = page.getByRole('group', { name: 'Column with the contact’s email or ID' });
  await expect(columns.getByRole('radio', { name: /^Mail / })).toBeChecked();
  await columns.getByRole('radio', { name: /^Id / }).check();
  await expect(stateOf(page, demo.busiest.contact.uuid)).toHaveText('Not checked');
  await expect(page.getByRole('row')).toHaveCount(2);

  // The journal keeps what was found, not the table.
  await page.reload();
  await expect(page.getByText('Read by the column “Id”.')).toBeVisible();
});

test('Owner, Email, Name: the people are read, not the one agent who has them all @sweep', async ({
  page,
  person,
  demo,
}) => {
  const email = String(person.attributes.email);
  const out = String(demo.unsubscribed.attributes.email);
  await readList(
    page,
    `Owner,Email,Name\nagent@agents.test,${email},Jane\nagent@agents.test,${out},Bob\nagent@agents.test,,Eve\n`,
  );
  const columns = page.getByRole('group', { name: 'Column with the contact’s email or ID' });
  const people = columns.getByRole('radio', { name: /^Email / });
  await expect(people).toBeChecked();
  await expect(columns.getByText('2 different, 1 empty')).toBeVisible();
  await expect(columns.getByText('1 different')).toBeVisible();
  await expect(page.getByText(`${email} · ${out}`)).toBeVisible();
  await expectAccessible(page);

  // By keyboard, as radio buttons are used.
  await people.focus();
  await page.keyboard.press('ArrowUp');
  await expect(columns.getByRole('radio', { name: /^Owner / })).toBeChecked();
  await expect(page.getByRole('row').filter({ hasText: 'Duplicate' })).toHaveCount(2);
  await columns.getByRole('radio', { name: /^No table/ }).check();
  await expect(page.getByText('5 entries read')).toBeVisible();
});

test('a mail is decoded and told apart, and its IDs are nobody', async ({ page, person, demo }) => {
  const body = `Please remove ${String(person.attributes.email)}.\r\n\r\nOn 1 Jan 2024, News <news@acme.test> wrote:\r\n> Hello\r\n`;
  const mail = [
    'Received: from mx.acme.test by mail.acme.test; Mon, 1 Jan 2024 10:00:00 +0000',
    'Message-ID: <msg.1@mail.acme.test>',
    `From: =?utf-8?B?SsO2cmc=?= <${String(demo.unsubscribed.attributes.email)}>`,
    'Subject: stop',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(body).toString('base64'),
  ].join('\r\n');
  await page.goto('/desk');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles({ name: 'stop.eml', mimeType: 'message/rfc822', buffer: Buffer.from(mail) });
  await expect(page.getByText('3 entries read from stop.eml')).toBeVisible();
  await expect(page.getByText(/^Read as a mail: header, text, quoted text and signature apart/)).toBeVisible();
  for (const address of [demo.unsubscribed.attributes.email, person.attributes.email, 'news@acme.test']) {
    await expect(page.getByRole('row').filter({ hasText: String(address) })).toHaveCount(1);
  }
  await expect(page.getByRole('table')).not.toContainText('msg.1');
  await page.reload();
  await expect(page.getByText(/^Read as a mail: header, text, quoted text and signature apart/)).toBeVisible();
});

test('our own addresses are left out until somebody takes them in', async ({ page, person }) => {
  const email = String(person.attributes.email);
  await readList(
    page,
    `From: Jane <${email}>\nSent: Monday\nTo: help@blue-harbour.example\nCc: kim@office.northwind.example\n\nStop.\n-- \nBob, bob@example.com`,
  );
  await expect(page.getByText('2 of your own addresses left out')).toBeVisible();
  await expect(page.getByLabel('Unsubscribe help@blue-harbour.example')).not.toBeChecked();
  // Nobody has asked for whom a signature names.
  await expect(page.getByText('1 from signatures, recipients, senders and quoted text left out')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
  await expect(page.getByText('Up to 1 will be unsubscribed; 3 left out')).toBeVisible();
  // What each came from is told, and filters.
  await expect(page.getByRole('row').filter({ hasText: 'Signature: the email bob@example.com' })).toHaveCount(1);

  await page.getByRole('button', { name: 'Unsubscribe them too' }).first().click();
  await expect(page.getByRole('button', { name: 'Unsubscribe 3', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Unsubscribe them too' }).click();
  await expect(page.getByRole('button', { name: 'Unsubscribe 4', exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('of a line with a customer ID and a phone number nobody is run until one is ticked @additions @sweep', async ({
  page,
  demo: { busiest },
  person,
}) => {
  const { customer_id } = busiest.contact.attributes;
  const line = `Customer ${String(customer_id)} called from +49 30 1001553, wants no mail`;
  await readList(page, `${line}\n${String(person.attributes.email)}`);
  await expect(page.getByText('1 line can be read in more than one way')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
  const choices = page.getByRole('row').filter({ hasText: line });
  await expect(choices).toHaveCount(2);
  await expectAccessible(page);
  await choices.getByRole('checkbox', { name: `Unsubscribe ${String(customer_id)} (` }).check();
  await expect(page.getByText('1 line can be read in more than one way')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Unsubscribe 2', exact: true })).toBeVisible();
});

test('of a mail that does not say who is meant nobody is run until somebody chooses @sweep', async ({
  page,
  person,
}) => {
  const email = String(person.attributes.email);
  await readList(
    page,
    `From: ${email}\nSubject: stop\nDate: x\n\nPlease remove my address and send invoices to billing@corp.test`,
  );
  await expect(plan(page)).toContainText('0 will be unsubscribed; 2 left out');
  await expect(page.getByText('1 message does not say who is meant')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unsubscribe them too' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Choose', exact: true }).click();
  await page.getByRole('checkbox', { name: `Unsubscribe ${email}` }).click();
  await expect(page.getByRole('button', { name: 'Unsubscribe 1', exact: true })).toBeVisible();
  await expect(page.getByText('does not say who is meant')).toHaveCount(0);
  await page.reload();
  await page.getByRole('checkbox', { name: `Unsubscribe ${email}` }).click();
  await expect(page.getByText('1 message does not say who is meant')).toBeVisible();
});

test('of a sender with another address for answers the one that is a contact is ticked, and nobody where both are @sweep', async ({
  page,
  person,
  demo,
  faults,
}) => {
  faults.expect(/404 .*nobody/);
  const email = String(person.attributes.email);
  const mail = (from: string) => `From: ${from}\nReply-To: ${email}\nSubject: stop\nDate: x\n\nStop.`;
  await readList(page, mail('nobody.at.all@example.org'));
  await expect(page.getByLabel(`Unsubscribe ${email}`)).toBeChecked();
  await expect(page.getByLabel('Unsubscribe nobody.at.all@example.org')).not.toBeChecked();
  await page.getByRole('button', { name: 'New list' }).click();
  await expect(page.getByLabel('Who wants no more mail?')).toBeVisible();
  const other = String(demo.unsubscribed.attributes.email);
  await readList(page, mail(other));
  await expect(page.getByLabel(`Unsubscribe ${email}`)).not.toBeChecked();
  await expect(page.getByLabel(`Unsubscribe ${other}`)).not.toBeChecked();
});

test('what is no list is refused with a sentence @sweep', async ({ page }) => {
  await page.goto('/desk');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByText('Paste the list first.')).toBeVisible();

  // Created in the page: passing 21 MB to a browser takes long.
  const files: [name: string, content: string, repeat: number, sentence: string][] = [
    ['sheet.xlsx', 'PK\u0003\u0004', 1, 'Save the sheet as CSV'],
    ['picture.png', '\u0089PNG\u0000', 1, 'picture.png is not a text file.'],
    ['large.csv', 'a@example.com\n', 1_600_000, 'larger than 20 MB'],
    ['empty.csv', ' \r\n', 1, 'empty.csv is empty.'],
  ];
  for (const [name, content, repeat, sentence] of files) {
    await page.getByLabel('File with the list').evaluate(
      (input: HTMLInputElement, [fileName, text, times]) => {
        const chosen = new DataTransfer();
        chosen.items.add(new File([text.repeat(times)], fileName));
        input.files = chosen.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      },
      [name, content, repeat] as const,
    );
    await expect(page.getByText(sentence)).toBeVisible();
  }
});

test('postcodes are not taken for customer numbers; where nothing says which column is meant, nobody is ticked @additions @sweep', async ({
  page,
}) => {
  await readList(page, 'PLZ;Kundennummer;Ort\n10115;0001234;Berlin\n20095;1234567;Hamburg');
  const columns = page.getByRole('group', { name: 'Column with the contact’s email or ID' });
  await expect(columns.getByRole('radio', { name: /^Kundennummer / })).toBeChecked();
  await expect(plan(page)).toContainText('Up to 2 will be unsubscribed');

  await startOver(page);
  await readList(page, 'Code;Ref\n10115;0001234\n20095;1234567');
  await expect(columns.getByText('Which column names the contacts?')).toBeVisible();
  await expect(columns.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(plan(page)).toContainText('0 will be unsubscribed; 2 left out');
  await expectAccessible(page);
  await columns.getByRole('radio', { name: /^Ref / }).check();
  await expect(plan(page)).toContainText('Up to 2 will be unsubscribed');
  await expect(columns.getByText('Which column names the contacts?')).toHaveCount(0);
});

test('a column that cannot be read is told apart from a browser that keeps nothing @sweep', async ({
  page,
  person,
}) => {
  test.slow();
  await page.goto('/desk');
  const csv = `Mail;Id;Others\n${`jane@x.test;${person.uuid};${'a@b.co '.repeat(1000)}\n`.repeat(501)}`;
  await page
    .getByLabel('File with the list')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(plan(page)).toContainText('501 entries read from list.csv');
  const columns = page.getByRole('group', { name: 'Column with the contact’s email or ID' });
  await columns.getByRole('radio', { name: /^Others / }).click();
  // Reading 501,000 addresses takes long on a busy machine.
  await expect(columns.getByText('There are more than 500,000 entries: split the list.')).toBeVisible({
    timeout: 60_000,
  });
  await expect(columns.getByText('This cannot be read')).toBeVisible();
  await expect(page.getByText('This browser could not keep the list')).toHaveCount(0);
  await expect(columns.getByRole('radio', { name: /^Mail / })).toBeChecked();

  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    };
  });
  await columns.getByRole('radio', { name: /^Id / }).click();
  await expect(columns.getByText('This browser could not keep the list')).toBeVisible();
  await expect(columns.getByText('The disk is full.')).toBeVisible();
  await expect(page.getByText('This cannot be read')).toHaveCount(0);

  await startOver(page);
  await page.getByLabel('Who wants no more mail?').fill('jane@x.test');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByText('This browser could not keep the list')).toBeVisible();
  await expect(page.getByText('The disk is full.')).toBeVisible();
  await expect(page.getByText('This cannot be read')).toHaveCount(0);
});

import { plan, readList, stateOf } from './deskPage.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './steps.ts';

test('a row with an empty cell is read by another column, which the page says; one that does not fit waits for a choice @sweep', async ({
  page,
  person,
  demo,
}) => {
  await signIn(page, demo);
  const email = String(person.attributes.email);
  const { uuid } = demo.busiest.contact;
  await readList(page, `Name;E-Mail;Contact ID\nJane;${email};\nBob;;${uuid}\nEve;eve@x.test; max@x.test;\nKim;;\n`);
  const stage = plan(page);
  await expect(stage).toContainText('Rows with no “E-Mail” are read by another column: 1 by “Contact ID”.');
  await expect(page.getByText(`Contact ID: the UUID of a contact`)).toBeVisible();
  await expect(stateOf(page, uuid)).toHaveText('Not checked');
  await expect(stage).toContainText('1 line can be read in more than one way');
  await expect(page.getByRole('button', { name: 'Unsubscribe 2' })).toBeVisible();
});

import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';
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
  await page.getByLabel('Came from').selectOption('A program');
  await expect(page.getByText('No unsubscribed contact matches this filter.')).toBeVisible();
  await page.getByLabel('Came from').selectOption('Support');
  await row.getByRole('link', { name: 'demo' }).click();
  await expect(page.getByRole('button', { name: 'By: demo' })).toBeVisible();
  await page.getByRole('button', { name: 'By: demo' }).click();
  await expect(page).not.toHaveURL(/actor=/);
});

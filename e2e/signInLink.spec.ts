import { expect, test } from './fixtures.ts';

// The link that the service prints at its start. It holds for 15 minutes, and a service that other tests have used may be older.
test.use({ database: 'own' });

test.beforeEach(({ faults }) => faults.expect(/status of 401.*\/session/));

test('the link of the service signs in with one click, once @additions @sweep', async ({ page, sendroom }) => {
  await page.goto(sendroom.signInLink);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused();
  expect(page.url()).not.toContain('code');

  await page.getByRole('button', { name: 'Use the dark colours' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  await page.goto(sendroom.signInLink);
  await page.reload();
  await page.goto(sendroom.signInLink.replace('/sign-in', '/sign-in?again'));
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('alert')).toContainText('This sign-in link was used before');
});

import { expect } from '../support/fixtures.ts';
import { test } from '../support/staticConsole.ts';
import { confirm, enterToken, lookUpHere, press } from '../support/steps.ts';
import { subscription } from '../support/subscription.ts';

// The static build, with the service at another origin.

test("signs in with a token that only the page's memory has @additions", async ({ page, demo, person, faults }) => {
  faults.expect(/status of 401.*\/v1\/domains/);
  await page.goto('#/domains?search=mail');
  await expect(page.getByText('We store it in this page only')).toBeVisible();
  await enterToken(page, 'sr_wrong');
  await expect(page.getByRole('alert')).toContainText('It may be mistyped or revoked');
  await enterToken(page, demo.token);
  await expect(page).toHaveURL('#/domains?search=mail');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await expect(page.getByText('Acme Mail (demo)')).toBeVisible();
  const kept = await page.evaluate(() => [
    document.cookie,
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
  ]);
  expect(kept.join('')).not.toContain(demo.token);
  expect(await page.context().cookies()).toEqual([]);

  await page.getByRole('link', { name: 'Contacts' }).click();
  await lookUpHere(page, String(person.attributes.email));
  await press(page, 'Unsubscribe');
  await confirm(page, 'Unsubscribe');
  await expect(subscription(page).getByText('Unsubscribed', { exact: true })).toBeVisible();

  const domain = demo.domains.find(({ dns }) => dns.length > 1)!;
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.getByRole('searchbox', { name: 'Search domains' }).fill(domain.name);
  await page.getByRole('link', { name: domain.name, exact: true }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText(/^Checked at/)).toBeVisible();

  await page.reload();
  await expect(page).toHaveURL('#/sign-in');
});

test('a link leads to its page, also after a reload @bare', async ({ page, demo, faults }) => {
  faults.expect(/status of 404.*\/v1\/workspace/);
  const email = String(demo.busiest.contact.attributes.email);
  const link = `#/contacts/${encodeURIComponent(email)}?search=open`;
  await page.goto(link);
  await expect(page).toHaveURL('#/sign-in');
  await page.reload();
  await enterToken(page, demo.token);
  await expect(page).toHaveURL(link);
  await expect(page.getByRole('searchbox', { name: 'Search events' })).toHaveValue('open');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await skip.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL(link);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('#/sign-in');
});

test('each service has its own bulk list, also on one host @bare @sweep', async ({
  page,
  host,
  sendroom,
  demo,
  faults,
}) => {
  faults.expect(/status of 404.*\/v1\/workspace/, /^foreign origin: http:\/\/localhost:/);
  const openDesk = async (service: string) => {
    host.config(JSON.stringify({ base_url: service }));
    await page.goto('');
    await enterToken(page, demo.token);
    await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  };
  await openDesk(sendroom.url);
  await page.getByLabel('Who should be unsubscribed?').fill('somebody@nowhere.test');
  await page.getByRole('button', { name: 'Read the list' }).click();
  const kept = page.getByRole('rowheader', { name: 'somebody@nowhere.test', exact: true });
  await expect(kept).toBeVisible();
  await openDesk(sendroom.url.replace('127.0.0.1', 'localhost'));
  await expect(page.getByLabel('Who should be unsubscribed?')).toBeVisible();
  await expect(kept).toBeHidden();
  await openDesk(sendroom.url);
  await expect(kept).toBeVisible();
});

test('a service that does not allow this host has a message @bare @sweep', async ({ page, host, demo, faults }) => {
  faults.expect(/^foreign origin: http:\/\/localhost:/, /blocked by CORS policy/, /Failed to load resource/);
  // Another name of the host is another origin.
  await page.goto(host.url.replace('127.0.0.1', 'localhost'));
  await enterToken(page, demo.token);
  await expect(page.getByRole('alert')).toContainText('does not allow requests from this page (CORS)');
});

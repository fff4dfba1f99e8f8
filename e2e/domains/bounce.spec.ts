import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { check, openDomain } from '../support/dnsChecks.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

const REPLY =
  '550-5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM. - gsmtp';

test.beforeEach(({ page, demo }) => signIn(page, demo));

test('a pasted bounce names the rule, and the records to blame as they were at that minute @additions', async ({
  page,
  demo,
}) => {
  const { name } = await openDomain(page, demo, 'mail.cafe-central.example');
  await check(page);
  // Only the name of the domain may leave the browser.
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').getByRole('combobox').fill('550 5.7.1 unknown.example refused');
  await expect(page.getByRole('option', { name: 'Read this bounce' })).toBeVisible();
  await page.keyboard.press('Escape');
  sent.length = 0;
  await page.getByRole('button', { name: 'Receivers' }).click();
  await page.getByRole('button', { name: 'Read a bounce' }).click();
  const dialog = page.getByRole('dialog', { name: 'Read a bounce' });
  const text = dialog.getByLabel('What the receiver answered');
  await text.fill('Kind regards');
  await expect(dialog.getByRole('status').first()).toContainText('No SMTP reply is in this text.');
  await text.fill(REPLY);
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(
    "Gmail refused the message because neither SPF nor DKIM passed, so it can't tell who sent it.",
  );
  await expect(dialog).toContainText('Rule: SPF or DKIM passes. Since 1 Feb 2024.');
  await expect(dialog).toContainText('To blame: SPF, DKIM');
  await expect(dialog.getByLabel('Sending domain')).toHaveValue(name);
  await expect(dialog).toContainText('Enter when it was refused');

  await dialog.getByLabel('Refused at').fill('2020-01-01T00:00');
  await expect(dialog).toContainText('Nobody looked at these records of');
  const now = await page.evaluate(() => {
    const date = new Date();
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  });
  await dialog.getByLabel('Refused at').fill(now);
  const found = dialog.getByRole('list', { name: 'Records at that time' });
  await expect(found.getByText('Needs fixing').first()).toBeVisible();
  await expect(found.getByRole('button', { name: /^Copy value to enter/ }).first()).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy sentence, for the customer' })).toBeVisible();
  expect(sent.filter((one) => /gsmtp|unauthenticated|5\.7\.26/.test(one))).toEqual([]);

  // A bounce names MAIL FROM, or an address. While another name is typed, nothing of the one before is shown.
  const sender = dialog.getByLabel('Sending domain');
  await sender.fill('nosuch.example');
  await expect(found).toBeHidden();
  await expect(dialog).toContainText('This workspace has no domain nosuch.example.');
  for (const written of [`bounce.${name}`, `News <news@${name}>`.replace(/[<>]/g, '')]) {
    await sender.fill(written);
    await expect(found.getByText('Needs fixing').first()).toBeVisible();
    await expect(dialog.getByRole('link', { name })).toBeVisible();
  }
  await dialog.getByLabel('Refused at').fill('2099-01-01T00:00');
  await expect(dialog).toContainText('The time is in the future.');

  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
});

test('an event that holds an SMTP reply offers to read it @additions', async ({ page, demo, person }) => {
  const response = await page.request.post(`/v1/contacts/${person.uuid}/events`, {
    headers: { authorization: `Bearer ${demo.token}` },
    data: { event_name: 'email_bounced', attributes: { smtp: REPLY } },
  });
  expect(response.status()).toBe(200);
  await page.goto(`/contacts/${person.uuid}`);
  await page.locator('summary', { hasText: 'email_bounced' }).first().click();
  await page.getByRole('button', { name: 'Read this bounce' }).click();
  const dialog = page.getByRole('dialog', { name: 'Read a bounce' });
  await expect(dialog.getByRole('heading', { level: 3 })).toContainText('Gmail refused the message');
  await expect(dialog.getByLabel('Refused at')).not.toHaveValue('');
});

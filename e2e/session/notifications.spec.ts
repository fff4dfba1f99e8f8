import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from '@playwright/test';
import { must } from '#contract/values/must.ts';
import { createToken } from '../support/admin.ts';
import { expectUsable } from '../support/accessible.ts';
import { expect, test as base } from '../support/fixtures.ts';
import { createDestinationAsCaller, enterToken, pasted, press, signIn } from '../support/steps.ts';

type Received = { headers: IncomingHttpHeaders; body: string };
type Receiver = { url: string; received: Received[]; respondWith: (status: number) => void };

/** A webhook of this test. */
const test = base.extend<{ receiver: Receiver }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
  receiver: async ({}, provide) => {
    const received: Received[] = [];
    let status = 204;
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await provide({ url: `http://127.0.0.1:${port}/hook`, received, respondWith: (next) => (status = next) });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

/** As the specification of Standard Webhooks says. */
function signaturesOf({ headers, body }: Received, ...secrets: string[]): string[] {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return secrets.map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
}

const signaturesIn = ({ headers }: Received) => String(headers['webhook-signature']).split(' ');
const dialog = (page: Page): Locator => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const rows = (page: Page, what: string): Locator =>
  page.locator(`[aria-label="Table of ${what}"] tbody tr:not([aria-hidden])`);

async function copySecret(page: Page): Promise<string> {
  await expect(dialog(page)).toContainText('It won’t be shown again.');
  // Browsers let a page cancel only the first Escape.
  for (let count = 0; count < 3; count++) await page.keyboard.press('Escape');
  await inDialog(page, 'Copy the secret').click();
  await inDialog(page, 'Done').click();
  const secret = await pasted(page);
  await expect(page.locator('body')).not.toContainText(secret);
  return secret;
}

test('a webhook is created by keyboard, tested, rotated, switched off and removed @additions', async ({
  page,
  demo,
  receiver,
  faults,
}) => {
  faults.expect(/status of 422/);
  const name = `On-call ${crypto.randomUUID()}`;
  await signIn(page, demo);
  await page.goto('/people');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.type('gn');
  await expect(page).toHaveTitle('Notifications · Sendroom');

  await page.keyboard.press('ControlOrMeta+k');
  await dialog(page).getByRole('combobox').fill('Create a dest');
  await page.keyboard.press('Enter');
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type('ftp://hooks.example');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('Enter a URL like https://hooks.example.com/dns.');
  await page.getByRole('textbox', { name: 'URL' }).fill('http://192.0.2.1/');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('This must begin with https://.');
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await page.keyboard.press('Enter');
  const first = await copySecret(page);

  await expect(page).toHaveTitle(`${name} · Notifications · Sendroom`);
  await press(page, 'Send a test message');
  await expect(page.getByText('The receiver responded with 204.')).toBeVisible();
  await expect(rows(page, 'deliveries')).toContainText('Test messageDelivered1');
  const [tested] = receiver.received;
  expect(signaturesIn(must(tested))).toEqual(signaturesOf(must(tested), first));

  await press(page, 'Rotate the secret');
  await expect(dialog(page)).toContainText('The current one signs for another day');
  await inDialog(page, 'Rotate').click();
  const second = await copySecret(page);
  expect(second).not.toBe(first);
  await expect(page.getByText('Old secrets sign until')).toBeVisible();
  await page.getByRole('button', { name: 'Send again: Test message' }).click();
  await expect.poll(() => receiver.received).toHaveLength(2);
  const again = must(receiver.received[1]);
  expect(again.headers['webhook-id']).toBe(tested?.headers['webhook-id']);
  expect(signaturesIn(again)).toEqual(signaturesOf(again, second, first));

  await press(page, 'Switch off');
  await inDialog(page, 'Switch off').click();
  await expect(page.getByText('This destination is off')).toBeVisible();
  await press(page, 'Switch on');
  await expect(page.getByText('This destination is off')).toBeHidden();
  await press(page, 'Remove');
  await inDialog(page, 'Remove').click();
  await expect(page).toHaveTitle('Notifications · Sendroom');
  await expect(rows(page, 'destinations').filter({ hasText: name })).toHaveCount(0);
  await page.goto('/activity');
  for (const what of [
    'Destination removed',
    'Destination changed',
    'Destination created',
    'Test message sent',
    'Message sent again',
  ])
    await expect(
      rows(page, 'log entries')
        .filter({ hasText: `${what}: ${name}` })
        .first(),
    ).toBeVisible();
});

test('rules are read back as they were chosen, in words and in the form @additions', async ({
  page,
  demo,
  receiver,
}) => {
  const uuid = await createDestinationAsCaller(page, demo, 'Rules', receiver.url);
  await signIn(page, demo);
  await page.goto(`/notifications/${uuid}`);
  await expect(page.getByText('Nothing of its own')).toBeVisible();
  await press(page, 'Edit');
  await dialog(page).getByLabel('Faults of domains').check();
  await dialog(page).locator('summary').click();
  await dialog(page).getByLabel('Domains', { exact: true }).fill('nowhere');
  await dialog(page).getByLabel('DNS host').check();
  await dialog(page).getByLabel('Weekly digest').check();
  await inDialog(page, 'Save').click();
  await expect(dialog(page)).toContainText('“nowhere” isn’t a domain.');
  await expectUsable(page);
  await dialog(page).getByLabel('Domains', { exact: true }).fill('*.acme.example');
  await inDialog(page, 'Save').click();
  const words = 'Faults of *.acme.example that the DNS host must fix';
  await expect(page.locator('dl').getByText(words)).toBeVisible();
  await press(page, 'Edit');
  await expect(dialog(page).locator('summary')).toContainText(words);
  await page.keyboard.press('Escape');
  await page.goto('/notifications');
  await expect(rows(page, 'destinations').filter({ hasText: 'Rules' })).toContainText(`${words} · Weekly digest`);
  await expectUsable(page);
});

test('a failing receiver shows its error, and an unsubscribe its receipt @additions', async ({
  page,
  demo,
  person,
  receiver,
}) => {
  receiver.respondWith(500);
  const headers = { authorization: `Bearer ${demo.token}` };
  const name = `CRM adapter ${crypto.randomUUID()}`;
  const uuid = await createDestinationAsCaller(page, demo, name, receiver.url, { contact_changes: true });
  await page.request.post(`/v1/workspaces/${demo.workspace}/contacts/${person.uuid}/unsubscribe`, { headers });
  await signIn(page, demo);
  await expect.poll(() => receiver.received).not.toHaveLength(0);
  await page.goto(`/notifications/${uuid}`);
  const line = rows(page, 'deliveries').filter({ hasText: `Contact ${person.uuid} unsubscribed` });
  await expect(line).toContainText('The receiver responded with 500.');
  await expect(line).toContainText('Waiting');
  receiver.respondWith(200);
  await expect(line).toContainText('Delivered');
  await page.getByRole('combobox', { name: 'State' }).selectOption('Failed');
  await expect(page.getByText('No delivery matches this filter.')).toBeVisible();

  await page.goto(`/contacts/${person.uuid}`);
  const entry = page.getByRole('region', { name: 'Story' }).locator('ol > li').first();
  await expect(entry).toContainText('Unsubscribed');
  await expect(entry).toContainText(`Delivered to ${name}, `);
  await page.goto('/activity');
  await expect(rows(page, 'log entries').filter({ hasText: `Delivered to ${name}, ` })).toHaveCount(1);
  await page.request.delete(`/v1/destinations/${uuid}`, { headers });
});

test('an editor is told who may do this @additions', async ({ page, demo, sendroom }) => {
  await page.goto('/sign-in');
  await enterToken(page, await createToken(sendroom.databaseUrl, demo.workspace, 'editor'));
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();
  await page.goto('/notifications');
  await expect(page.getByText('Deciding who is told what needs the role Admin; yours is Editor.')).toBeVisible();
});

import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { createToken } from '../support/admin.ts';
import { expect, test } from '../support/fixtures.ts';
import { sendEventAsCaller, signIn } from '../support/steps.ts';

const events = (page: Page) => page.getByRole('region', { name: 'Story', exact: true });

test('a new event appears on the open page and in its chart @additions', async ({ page, sendroom, demo, person }) => {
  await signIn(page, demo);
  await page.goto(`/contacts/${person.uuid}`);
  await expect(page.getByRole('main')).toContainText(/As of/);
  await expect(events(page)).toContainText(/\d events?, /);
  const token = await createToken(sendroom.databaseUrl, demo.workspace, 'ingest');
  const name = `order ${randomUUID().slice(0, 8)}`;
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes(`/v1/contacts/${person.uuid}/events`)) statuses.push(response.status());
  });
  await expect.poll(() => statuses).toContain(304);
  const picture = page.waitForResponse((response) => response.url().includes('/activity'));
  await sendEventAsCaller(page, { token }, person.uuid, name);
  await expect(events(page)).toContainText(name);
  expect((await picture).status()).toBe(200);
  await expect(page.locator('#announcements')).toHaveText('1 new event');
});

test('other pages of the list and idle pages are not polled @additions @sweep', async ({ page, demo }) => {
  await signIn(page, demo);
  await page.clock.install();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/events?')) requests.push(new URL(request.url()).searchParams.get('page') ?? '1');
  });
  const looksWithin = async (seconds: number) => {
    const before = requests.length;
    for (let second = 0; second < seconds; second++) await page.clock.runFor(1000);
    return requests.length - before;
  };
  await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
  await expect(events(page)).toContainText('1–25 of');
  await expect.poll(() => looksWithin(5)).toBeGreaterThan(0);
  await page.clock.fastForward(11 * 60_000);
  await expect.poll(() => looksWithin(10)).toBe(0);
  await page.mouse.move(200, 200);
  await expect.poll(() => looksWithin(5)).toBeGreaterThan(0);

  await page.goto(`/contacts/${demo.busiest.contact.uuid}?page=2`);
  await expect(events(page)).toContainText('26–50 of');
  await page.clock.runFor(1000);
  expect(await looksWithin(10)).toBe(0);
});

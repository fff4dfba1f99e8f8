import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { expect } from './fixtures.ts';
import { test } from './ownService.ts';
import { pasteText, runList, signIn } from './steps.ts';
import type { Sendroom } from './startSendroom.ts';

// A thousand lines, through a service that sometimes fails. It has its own database, because hundreds of contacts
// change.

const LINES = 1000;

type Plan = { text: string; out: Contact[]; subscribed: Contact[]; counts: Record<string, number> };

/** 5 % unknown, 10 % already unsubscribed, 3 % duplicates, 1 % unreadable; the rest are to be unsubscribed. */
async function planOf(url: string, token: string): Promise<Plan> {
  const contacts: Contact[] = [];
  for (let page = 1; page <= 20; page++) {
    const answer = await fetch(`${url}/v1/contacts?per_page=100&page=${page}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    contacts.push(...((await answer.json()) as { data: Contact[] }).data);
  }
  const named = contacts.filter(
    ({ attributes: { email } }) => typeof email === 'string' && /^[\w.]+@[\w.]+$/.test(email),
  );
  const out = named.filter(({ subscribed }) => !subscribed).slice(0, LINES * 0.1);
  const subscribed = named.filter((contact) => contact.subscribed).slice(0, LINES * 0.81);
  const emails = [...out, ...subscribed].map(({ attributes }) => String(attributes.email));
  const lines = [
    ...emails,
    ...Array.from({ length: LINES * 0.05 }, (_, index) => `nobody${index}@nowhere.test`),
    ...emails.slice(200, 200 + LINES * 0.03).map((email) => email.toUpperCase()),
    ...Array.from({ length: LINES * 0.01 }, () => 'no idea who this is'),
  ];
  const counts = { Unsubscribed: 810, 'Already unsubscribed': 100, 'Not found': 50, Duplicate: 30, Unreadable: 10 };
  return { text: lines.join('\n'), out, subscribed, counts };
}

async function expectReceipt(page: Page, own: Sendroom, token: string, plan: Plan): Promise<void> {
  await expect(page.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout: 120_000 });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the receipt' }).click();
  const [, ...lines] = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
  const results = lines.map((line) => line.split(',').at(3) ?? '');
  const counted = Object.fromEntries(
    Map.groupBy(results, (result) => result)
      .entries()
      .map(([key, all]) => [key, all.length]),
  );
  expect(counted).toEqual(plan.counts);

  // The state of each in the database; contacts that were unsubscribed before have no change.
  for (const before of [...plan.out, ...plan.subscribed]) {
    const answer = await fetch(`${own.url}/v1/contacts/${before.uuid}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data: after } = (await answer.json()) as { data: Contact };
    expect(after.subscribed).toBe(false);
    if (!before.subscribed) expect(after.updated_at).toBe(before.updated_at);
  }
}

async function begin(page: Page, text: string): Promise<void> {
  await page.goto('/desk');
  await page.getByLabel('Who wants no more mail?').focus();
  await pasteText(page, text);
  await runList(page, 960);
}

test('a thousand lines end right, whatever the service answers now and then, and though the tab is killed @additions @sweep', async ({
  page,
  demo,
  own,
  hostile,
  faults,
}) => {
  test.setTimeout(180_000);
  faults.expect(/Failed to load resource/);
  const plan = await planOf(own.url, demo.token);
  await signIn(page, demo);
  hostile.answer(/^\/v1\//, 'flaky');
  await begin(page, plan.text);
  await expect(page.getByRole('region', { name: 'Unsubscribing' })).toContainText(/[2-9]\d\d of 960/, {
    timeout: 60_000,
  });
  const context = page.context();
  await page.close();

  const next = await context.newPage();
  await next.goto('/desk');
  await expect(next.getByRole('region', { name: 'Paused' })).toContainText(/\d+ left/);
  await next.getByRole('button', { name: /^Resume/ }).click();
  await expectReceipt(next, own, demo.token, plan);
});

test('paused, it sends nothing; a service that only fails stops it by itself; stopped, it ends there @additions @sweep', async ({
  page,
  demo,
  own,
  hostile,
  faults,
}) => {
  faults.expect(/Failed to load resource/);
  const plan = await planOf(own.url, demo.token);
  await signIn(page, demo);
  await begin(page, plan.text);
  await page.getByRole('button', { name: 'Pause' }).click();
  const paused = page.getByRole('region', { name: 'Paused' });
  await expect(paused.getByRole('button', { name: /^Resume/ })).toBeFocused();
  // As the page makes them: what was sent before may arrive at the service only now.
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  expect(sent.filter((url) => url.includes('/contacts/'))).toEqual([]);

  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  hostile.answer(/^\/v1\//, 500);
  await page.getByRole('button', { name: /^Resume/ }).click();
  await expect(page.getByText('Stopped because of an error')).toBeVisible({ timeout: 30_000 });
  await expect(paused).toContainText('The service could not do this (500)');

  hostile.calm();
  await page.getByRole('button', { name: /^Resume/ }).click();
  await page.getByRole('button', { name: 'Finish now' }).click();
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(/\d+ not sent/);
});

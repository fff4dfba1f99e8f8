import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { expect } from '../support/fixtures.ts';
import { test } from '../support/hostileProxy.ts';
import { pasteText, runList, signIn } from '../support/steps.ts';

test.use({ database: 'spent' });

const LINES = 1000;

type Plan = { text: string; out: Contact[]; subscribed: Contact[]; counts: Record<string, number> };

/** 5 % unknown, 10 % already unsubscribed, 3 % duplicates, 1 % unreadable; the rest are to be unsubscribed. */
async function planOf(url: string, token: string): Promise<Plan> {
  const contacts: Contact[] = [];
  for (let page = 1; page <= 20; page++) {
    const response = await fetch(`${url}/v1/contacts?per_page=100&page=${page}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    contacts.push(...((await response.json()) as { data: Contact[] }).data);
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
    ...Array.from({ length: LINES * 0.01 }, () => 'nobody@'),
  ];
  const counts = { Unsubscribed: 810, 'Already unsubscribed': 100, 'Not found': 50, Duplicate: 30, Unreadable: 10 };
  return { text: lines.join('\n'), out, subscribed, counts };
}

async function expectReceipt(page: Page, url: string, token: string, plan: Plan): Promise<void> {
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

  // Contacts that were unsubscribed before have no change.
  for (const before of [...plan.out, ...plan.subscribed]) {
    const response = await fetch(`${url}/v1/contacts/${before.uuid}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data: after } = (await response.json()) as { data: Contact };
    expect(after.subscribed).toBe(false);
    if (!before.subscribed) expect(after.updated_at).toBe(before.updated_at);
  }
}

test('a thousand lines end correctly despite errors and a killed tab @additions @sweep', async ({
  page,
  demo,
  sendroom,
  hostile,
  faults,
}) => {
  test.setTimeout(180_000);
  faults.expect(/Failed to load resource/);
  const plan = await planOf(sendroom.url, demo.token);
  await signIn(page, demo);
  hostile.answer(/^\/v1\//, 'flaky');
  await page.goto('/desk');
  await page.getByLabel('Who should be unsubscribed?').focus();
  await pasteText(page, plan.text);
  await runList(page, 960);
  await expect(page.getByRole('region', { name: 'Unsubscribing' })).toContainText(/[2-9]\d\d of 960/, {
    timeout: 60_000,
  });
  const context = page.context();
  await page.close();

  const next = await context.newPage();
  await next.goto('/desk');
  await expect(next.getByRole('region', { name: 'Paused' })).toContainText(/\d+ left/);
  await next.getByRole('button', { name: /^Resume/ }).click();
  await expectReceipt(next, sendroom.url, demo.token, plan);
});

import type { Page } from '@playwright/test';
import { must } from '#contract/values/must.ts';
import { readFile } from 'node:fs/promises';
import type { Contact } from '#contract/contact.ts';
import { expect } from '../support/fixtures.ts';
import { test } from '../support/staticConsole.ts';
import { confirm, enterToken, lookUpHere, pasted, press, runList, startHeading } from '../support/steps.ts';
import { subscription } from '../support/subscription.ts';

// A token must stay where calls need it. A user signs in with it, opens every screen, does everything, meets failures
// and signs out. Then the test searches for it everywhere that a page could have left it. The log and the database:
// server/acceptance/canary.service.test.ts.

const WRONG_TOKEN = 'sr_0123456789abcdefCanaryOfNobody';
const CHANGED = 'Canary of Cages';

/** What was sent, shown, saved and copied, besides the page itself. */
type Traces = { urls: string[]; said: string[]; files: string[]; copied: string[] };

function follow(page: Page): Traces {
  const traces: Traces = { urls: [], said: [], files: [], copied: [] };
  page.on('request', (request) => traces.urls.push(request.url(), request.headers().referer ?? ''));
  page.on('framenavigated', (frame) => traces.urls.push(frame.url()));
  page.on('console', (message) => traces.said.push(message.text()));
  return traces;
}

/** Runs in the page: everything that a script or the browser's tools can read there, by place. */
async function everythingIn(): Promise<Record<string, string>> {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- nothing from outside is there in the page
  const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('unreadable')));
    });
  const databases: unknown[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      databases.push(name, store, await settled(database.transaction(store).objectStore(store).getAll()));
    }
    database.close();
  }
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
  return {
    document: document.documentElement.outerHTML,
    fields: fields.join('\n'),
    addresses: JSON.stringify([
      location.href,
      document.referrer,
      window.navigation.entries().map((entry) => [entry.url, entry.getState()]),
      performance.getEntries().map(({ name }) => name),
    ]),
    state: JSON.stringify([history.state, window.name]),
    localStorage: JSON.stringify(localStorage),
    sessionStorage: JSON.stringify(sessionStorage),
    indexedDB: JSON.stringify(databases),
    caches: JSON.stringify(await caches.keys()),
    cookies: document.cookie,
  };
}

async function save(page: Page, traces: Traces, act: () => Promise<void>): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  traces.files.push(download.suggestedFilename(), await readFile(await download.path(), 'utf8'));
}

/** Finds a contact, shows all of it, changes and unsubscribes it. */
async function workOnContact(page: Page, traces: Traces, email: string): Promise<void> {
  await lookUpHere(page, 'nobody@nowhere.test');
  await expect(page.getByText('There is no such contact')).toBeVisible();
  await lookUpHere(page, email);
  await press(page, 'Edit all');
  const form = page.getByRole('region', { name: 'Attributes' });
  await form.getByLabel('Value of last_name').fill(CHANGED);
  await press(page, 'Copy as curl');
  traces.copied.push(await pasted(page));
  await press(page, 'Save');
  await expect(form.getByRole('button', { name: 'Edit all' })).toBeVisible();
  await expect(form.getByText(CHANGED)).toBeVisible();
  await press(page, 'Unsubscribe');
  await confirm(page, 'Unsubscribe');
  await expect(subscription(page).getByText('Unsubscribed', { exact: true })).toBeVisible();
  await press(page, 'Copy for ticket');
  traces.copied.push(await pasted(page));
  await press(page, 'Export and share events');
  await save(page, traces, () => press(page, 'Save as CSV'));
  await press(page, 'Copy as curl');
  await page.keyboard.press('Escape');
}

/** One domain with its check. */
async function workOnDomains(page: Page, traces: Traces): Promise<void> {
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.getByRole('row').getByRole('link').first().click();
  await press(page, 'Check');
  await expect(page.getByText(/^Checked at/)).toBeVisible();
  await press(page, 'Send to the DNS person');
  await save(page, traces, () => press(page, 'Save changes'));
  await page.keyboard.press('Escape');
}

async function workAtDesk(page: Page, traces: Traces, done: string, subscribed: string): Promise<void> {
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await page.getByLabel('Who should be unsubscribed?').fill(`${done}\n${subscribed}\nnobody@nowhere.test`);
  await press(page, 'Read the list');
  await runList(page, 1);
  await save(page, traces, () => press(page, 'Download the receipt'));
}

async function meetFailures(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.context().setOffline(true);
  await page.getByLabel('Search domains').fill('mail');
  await expect(page.getByRole('alert')).toContainText('offline', { timeout: 20_000 });
  await page.context().setOffline(false);
  await expect(page.getByRole('alert')).toBeHidden({ timeout: 20_000 });
}

const emailOf = ({ attributes }: Contact) => String(attributes.email);

for (const where of ['the service', 'a static host'] as const) {
  test(`the console of ${where} leaves a token nowhere @additions @sweep`, async ({
    page,
    context,
    host,
    sendroom,
    demo,
    person,
    unusedPeople,
    faults,
  }) => {
    faults.expect(
      /Failed to load resource/,
      new RegExp(`^foreign origin: (${sendroom.url}|${new URL(host.url).origin})$`),
    );
    const traces = follow(page);
    const stages: Record<string, string>[] = [];
    const look = async () => stages.push(await page.evaluate(everythingIn));

    await page.goto(where === 'the service' ? sendroom.url : host.url);
    await enterToken(page, WRONG_TOKEN);
    await expect(page.getByRole('alert')).toBeVisible();
    await enterToken(page, demo.token);
    await expect(startHeading(page)).toBeVisible();
    await look();
    const cookies = (await context.cookies()).map(({ value }) => value);
    expect(cookies).toHaveLength(where === 'the service' ? 1 : 0);
    await page.getByRole('link', { name: 'Contacts' }).click();
    await workOnContact(page, traces, emailOf(person));
    await look();
    await workOnDomains(page, traces);
    await look();
    await workAtDesk(page, traces, emailOf(person), must(unusedPeople.pop()).uuid);
    await look();
    await meetFailures(page);
    await look();
    await press(page, 'Sign out');
    const signedOut = page.getByRole('heading', { name: 'Sign in to Sendroom' });
    await expect(signedOut).toBeVisible();
    await look();
    await page.goBack();
    await expect(signedOut).toBeVisible();
    await look();

    const places: Record<string, string> = {
      ...Object.fromEntries(Object.entries(traces).map(([name, texts]) => [name, texts.join('\n')])),
      ...Object.fromEntries(
        stages.flatMap((stage, at) => Object.entries(stage).map(([name, text]) => [`${name}, look ${at}`, text])),
      ),
    };
    const secrets = [demo.token, WRONG_TOKEN, ...cookies];
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
    for (const [name, text] of Object.entries(places)) {
      expect(
        secrets.filter((secret) => text.includes(secret)),
        name,
      ).toEqual([]);
    }
    // The control: the search does find what is there.
    const found = (text: string) => Object.keys(places).filter((name) => places[name]?.includes(text));
    expect(found(emailOf(person))).toEqual(
      expect.arrayContaining(['files', 'copied', 'document, look 1', 'indexedDB, look 3']),
    );
    expect(found('$TOKEN')).toContain('copied');
    expect(found(person.uuid)).toEqual(expect.arrayContaining(['urls', 'addresses, look 1']));
  });
}

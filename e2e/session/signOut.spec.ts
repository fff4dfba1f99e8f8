import type { BrowserContext, Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import { UNKNOWN } from '../support/deskPage.ts';
import { expect, test as served } from '../support/fixtures.ts';
import { test as onStaticHost } from '../support/staticConsole.ts';
import { enterToken, lookUpHere, signIn } from '../support/steps.ts';

const NOT_SIGNED_IN = /status of 401.*\/(session|v1\/)/;

const emailOf = ({ attributes }: Contact) => String(attributes.email);

async function openContact(page: Page, contact: Contact): Promise<void> {
  await page.getByRole('link', { name: 'Contacts' }).click();
  await lookUpHere(page, emailOf(contact));
  await expect(page.getByRole('region', { name: 'Story', exact: true })).toBeVisible();
}

/** Unsubscribes a contact, so that the name is also announced to screen readers. */
async function unsubscribe(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
  await expect(
    page.getByRole('region', { name: 'Subscription' }).getByText('Unsubscribed', { exact: true }),
  ).toBeVisible();
  // By the toast, or without additions by the announcement.
  await expect(page.getByRole('status').filter({ hasText: 'is unsubscribed' })).not.toHaveCount(0);
}

async function fillDesk(page: Page, contact: Contact): Promise<void> {
  await page.getByRole('link', { name: 'Bulk unsubscribe' }).click();
  await page.getByLabel('Who should be unsubscribed?').fill(`${emailOf(contact)}\nsomebody.else@nowhere.test`);
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect(page.getByRole('rowheader', { name: 'somebody.else@nowhere.test', exact: true })).toBeVisible();
}

/** Everything that scripts can reach: document, React Query's cache, storage. */
async function everythingIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    type Fiber = { memoizedProps?: { client?: Client } | null; child: Fiber | null; sibling: Fiber | null };
    type Client = { getQueryCache: () => Cache; getMutationCache: () => Cache };
    type Cache = { getAll: () => { queryKey?: unknown; state: unknown }[] };
    const root = document.getElementById('root') as unknown as Record<string, { stateNode: { current: Fiber } }>;
    const container = Object.keys(root).find((key) => key.startsWith('__reactContainer$')) ?? '';
    const clientIn = (fiber: Fiber | null): Client | undefined =>
      fiber === null ? undefined : (fiber.memoizedProps?.client ?? clientIn(fiber.child) ?? clientIn(fiber.sibling));
    const client = clientIn(root[container]?.stateNode.current ?? null);
    if (client === undefined) throw new Error('Where React Query keeps its answers is not found.');
    const kept = [client.getQueryCache(), client.getMutationCache()].flatMap((cache) => cache.getAll());
    return JSON.stringify([
      document.documentElement.outerHTML,
      document.title,
      kept.map(({ queryKey, state }) => [queryKey, state]),
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      await indexedDB.databases(),
    ]);
  });
}

function wordsOf(contact: Contact): string[] {
  const { email, first_name: first, last_name: last } = contact.attributes;
  return [
    String(email),
    `${String(first)} ${String(last)}`,
    contact.uuid,
    'somebody.else@nowhere.test',
    'sendroom-bulk',
  ];
}

async function expectNothingLeft(page: Page, contact: Contact): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  const all = await everythingIn(page);
  for (const words of wordsOf(contact)) expect(all).not.toContain(words);
}

/** Storage without the journal. */
const storedBy = (page: Page) =>
  page.evaluate(async () => JSON.stringify([localStorage, sessionStorage, document.cookie, await caches.keys()]));

type Open = (context: BrowserContext) => Promise<Page>;

/** One tab shows a contact, a second has a bulk list, a third signs out. */
async function signOutInOneOf(
  context: BrowserContext,
  open: Open,
  person: Contact,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const looking = await open(context);
  await openContact(looking, person);
  await unsubscribe(looking);
  const working = await open(context);
  await fillDesk(working, person);
  const leaving = await open(context);
  await openContact(leaving, person);
  expect(await everythingIn(looking)).toContain(emailOf(person));
  expect(await everythingIn(working)).toContain('sendroom-bulk');
  for (const page of [looking, working]) expect(await storedBy(page)).not.toMatch(/@|sr_/);

  // The list was not run.
  leaving.on('dialog', (dialog) => void dialog.accept());
  await leaving.getByRole('button', { name: 'Sign out' }).click();
  await expectNothingLeft(leaving, person);
  for (const page of [looking, working]) {
    await look(page);
    await expectNothingLeft(page, person);
  }
}

const atOnce = async () => {};
const atTheNextLook = async (page: Page) => {
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
};
const withoutChannels = (context: BrowserContext) =>
  context.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'));

const openServed =
  (demo: Parameters<typeof signIn>[1]): Open =>
  async (context) => {
    const page = await context.newPage();
    await page.goto('/contacts');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The first tab signs in for all.
    if (page.url().endsWith('/sign-in')) await enterToken(page, demo.token, demo.workspace);
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
    return page;
  };

/** Records the messages of each page. */
const noteMessages = (context: BrowserContext) =>
  context.addInitScript(() => {
    const said: unknown[] = [];
    Object.assign(window, { said });
    window.BroadcastChannel = class extends BroadcastChannel {
      override postMessage(message: unknown) {
        said.push(this.name, message);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
        super.postMessage(message);
      }
    };
  });

served(
  'all tabs sign out at once, with messages that have no content @additions',
  async ({ context, demo, person, faults }) => {
    faults.expect(NOT_SIGNED_IN, UNKNOWN);
    await noteMessages(context);
    await signOutInOneOf(context, openServed(demo), person, atOnce);
    const said = await Promise.all(
      context.pages().map((page) => page.evaluate(() => (window as unknown as { said: unknown[] }).said)),
    );
    // The next user begins at the start.
    for (const page of context.pages())
      expect(await page.evaluate(() => JSON.stringify(window.history.state))).not.toContain(person.uuid);
    const name = `sendroom ${new URL(context.pages()[0]?.url() ?? '').origin}`;
    expect(said).toEqual([[name, 'signed in'], [], [name, 'signed out']]);
  },
);

served(
  'tabs without messages sign out when you return to them @additions @sweep',
  async ({ context, demo, person, faults }) => {
    faults.expect(NOT_SIGNED_IN, UNKNOWN);
    await withoutChannels(context);
    await signOutInOneOf(context, openServed(demo), person, atTheNextLook);
  },
);

served('a page from the history checks its session @additions @sweep', async ({ page, demo, faults }) => {
  faults.expect(NOT_SIGNED_IN);
  await signIn(page, demo);
  await page.goto('/domains');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await page.goto('/healthz');
  // From elsewhere: a sign-out in this browser would clear its page cache.
  const [cookie] = await page.context().cookies();
  const headers = { 'sendroom-console': '1', cookie: `${cookie?.name}=${cookie?.value}` };
  expect((await fetch(new URL('/session', page.url()), { method: 'DELETE', headers })).status).toBe(204);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  expect(calls).toContain('/session');
  expect(calls.filter((path) => path.startsWith('/v1/'))).toEqual([]);
});

served('a tab still loading is signed out by another @additions @sweep', async ({ context, demo, faults }) => {
  faults.expect(NOT_SIGNED_IN);
  const leaving = await openServed(demo)(context);
  const loading = await context.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await loading.route('**/assets/index-*.js', async (route) => {
    await released;
    await route.continue();
  });
  // This page makes no calls that could fail.
  await loading.goto('/desk', { waitUntil: 'commit' });
  await expect(loading.locator('#frame')).toBeVisible();
  await leaving.getByRole('button', { name: 'Sign out' }).click();
  await expect(leaving.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  release();
  await expect(loading.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
});

for (const [how, prepare, look] of [
  ['at once', async () => {}, atOnce],
  ['when somebody looks at them, where tabs have no messages', withoutChannels, atTheNextLook],
] as const) {
  onStaticHost(
    `all tabs of the static console are signed out ${how} @bare @sweep`,
    async ({ context, demo, person, faults }) => {
      faults.expect(/status of 404.*\/v1\/workspace/);
      await prepare(context);
      const open: Open = async () => {
        const page = await context.newPage();
        await page.goto('');
        // Each tab has its own token.
        await enterToken(page, demo.token, demo.workspace);
        await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
        return page;
      };
      await signOutInOneOf(context, open, person, look);
    },
  );
}

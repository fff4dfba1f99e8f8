import type { Locator, Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';
import { enterToken, lookUpHere, runList, signIn } from './steps.ts';
import type { Shape } from './misbehaviours.ts';

/** The resources that the screens show. `change` calls the service directly, as another program of the workspace. */
export type ScreenContext = {
  page: Page;
  demo: Demo;
  person: Contact;
  change: (what: 'subscribe' | 'unsubscribe') => Promise<void>;
};

/** A place in the console that calls the service. */
export type Screen = {
  name: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** The calls of this screen. */
  path: RegExp;
  shape: Shape;
  /** Opens the screen until the call is made. */
  open: (cast: ScreenContext) => Promise<unknown>;
  /** An element of a successful response. */
  good: (page: Page, cast: ScreenContext) => Locator;
  /** Where the error is shown; by default an alert. */
  errorNotice?: (page: Page) => Locator;
};

/** A domain that no other is found with, and that has no alarm. */
const DOMAIN = 'notify.globex.example';

const uuidOf = ({ person }: ScreenContext) => person.uuid;
const announcement = (page: Page, words: RegExp) => page.locator('#announcements', { hasText: words });
const rowsOf = (page: Page, what: string) =>
  page.locator(`[aria-label="Table of ${what}"] tbody tr:not([aria-hidden])`);

export const screens: readonly Screen[] = [
  {
    name: 'the overview',
    method: 'GET',
    path: /^\/v1\/overview\?/,
    shape: 'overview',
    open: (cast) => go(cast, '/'),
    good: (page) => page.getByRole('table').filter({ hasText: 'By' }).getByRole('link'),
  },
  {
    name: 'contacts',
    method: 'GET',
    path: /^\/v1\/contacts\?/,
    shape: 'list',
    open: (cast) => go(cast, '/contacts'),
    good: (page) => rowsOf(page, 'contacts'),
  },
  {
    name: 'looking somebody up',
    method: 'GET',
    path: /^\/v1\/contacts\/[^/?]*%40[^/?]*$/,
    shape: 'record',
    open: async (cast) => {
      const { page, person } = cast;
      await go(cast, '/contacts');
      await lookUpHere(page, String(person.attributes['email']));
    },
    good: (page) => page.getByRole('region', { name: 'Subscription' }),
    errorNotice: (page) => page.locator('[role=alert], [role=search] [role=status]'),
  },
  {
    name: 'the record of a contact',
    method: 'GET',
    path: /^\/v1\/contacts\/[^/?]+$/,
    shape: 'record',
    open: (cast) => go(cast, `/contacts/${cast.demo.busiest.contact.uuid}`),
    good: (page) => page.locator('section[aria-labelledby=attributes]').locator('dl, :text("has no attributes")'),
  },
  {
    name: 'the timeline',
    method: 'GET',
    path: /\/events\?/,
    shape: 'list',
    open: (cast) => go(cast, `/contacts/${cast.demo.busiest.contact.uuid}`),
    good: (page) => page.locator('section[aria-labelledby=events] details'),
  },
  {
    name: 'the picture of the activity',
    method: 'GET',
    path: /\/activity\?/,
    shape: 'counts',
    open: (cast) => go(cast, `/contacts/${cast.demo.busiest.contact.uuid}`),
    good: (page) => page.locator('section[aria-labelledby=activity] svg [role=button]'),
  },
  {
    name: 'events as a table',
    method: 'GET',
    path: /\/events\?/,
    shape: 'list',
    open: (cast) => go(cast, `/contacts/${cast.demo.busiest.contact.uuid}?view=table`),
    good: (page) => rowsOf(page, 'events'),
  },
  {
    name: 'the history of one who is unsubscribed',
    method: 'GET',
    path: /\/changes\?/,
    shape: 'list',
    open: async (cast) => {
      await cast.change('unsubscribe');
      await go(cast, `/contacts/${uuidOf(cast)}`);
    },
    good: (page) => page.locator('section[aria-labelledby=history] ol > li'),
  },
  {
    name: 'the preview of an erasure',
    method: 'GET',
    path: /\/erasure$/,
    shape: 'numbers',
    open: async (cast) => {
      await go(cast, `/contacts/${uuidOf(cast)}`);
      await cast.page.getByRole('button', { name: 'Erase this person …' }).click();
    },
    good: (page) => page.getByText('Deletes the record, '),
  },
  {
    name: 'subscribing again',
    method: 'POST',
    path: /\/subscribe$/,
    shape: 'record',
    open: async (cast) => {
      const { page } = cast;
      await cast.change('unsubscribe');
      await go(cast, `/contacts/${uuidOf(cast)}`);
      await page.getByRole('button', { name: 'Subscribe again' }).click();
      await page.getByLabel('Reason').fill('Asked for it');
      await page.getByRole('dialog').getByRole('button', { name: 'Subscribe again' }).click();
    },
    good: (page) => announcement(page, /is subscribed again$/),
  },
  {
    name: 'unsubscribing',
    method: 'POST',
    path: /\/unsubscribe$/,
    shape: 'record',
    open: async (cast) => {
      const { page } = cast;
      await cast.change('subscribe');
      await go(cast, `/contacts/${uuidOf(cast)}`);
      // Beside "Unsubscribe both", where somebody may be the same person.
      await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    },
    good: (page) => page.getByRole('region', { name: 'Subscription' }).getByText('Unsubscribed', { exact: true }),
  },
  {
    name: 'saving attributes',
    method: 'POST',
    path: /^\/v1\/contacts\/[^/?]+$/,
    shape: 'record',
    open: async (cast) => {
      const { page } = cast;
      await go(cast, `/contacts/${uuidOf(cast)}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Value of first_name').fill(`Jo ${Date.now()}`);
      await page.getByRole('button', { name: 'Save' }).click();
    },
    good: (page) => announcement(page, /^Saved$/),
  },
  {
    name: 'a check at the desk',
    method: 'GET',
    path: /^\/v1\/contacts\/[^/?]+$/,
    shape: 'record',
    open: async (cast) => {
      await cast.change('subscribe');
      await planAtDesk(cast);
      await cast.page.getByRole('button', { name: /^Check 1/ }).click();
    },
    good: (page) => page.getByRole('cell', { name: 'Subscribed', exact: true }),
    errorNotice: (page) => page.getByRole('alert').or(page.getByRole('cell', { name: 'Not found' })),
  },
  {
    name: 'a run at the desk',
    method: 'POST',
    path: /\/unsubscribe$/,
    shape: 'record',
    open: async (cast) => {
      await cast.change('subscribe');
      await planAtDesk(cast);
      await runList(cast.page, 1);
    },
    good: (page) => page.locator('[role=status]', { hasText: '1 unsubscribed' }),
    errorNotice: (page) => page.locator('[role=alert], [role=status]:has-text("0 unsubscribed")'),
  },
  {
    name: 'domains',
    method: 'GET',
    path: /^\/v1\/domains\?/,
    shape: 'list',
    open: (cast) => go(cast, '/domains'),
    good: (page) => rowsOf(page, 'domains'),
  },
  {
    name: 'the matrix',
    method: 'GET',
    path: /^\/v1\/domains\?/,
    shape: 'list',
    open: (cast) => go(cast, '/domains?view=matrix'),
    good: (page) => rowsOf(page, 'domains'),
  },
  {
    name: 'a check of the matrix',
    method: 'POST',
    path: /\/check$/,
    shape: 'lines',
    open: async (cast) => {
      const { page } = cast;
      await go(cast, `/domains?view=matrix&search=${DOMAIN}`);
      await page.getByRole('button', { name: 'Check the one shown' }).click();
    },
    good: (page) => announcement(page, /^1 of 1 checked: (?!.*failed)/),
    errorNotice: (page) => announcement(page, /^1 of 1 checked: .*failed|^Stopped/),
  },
  {
    name: 'a domain',
    method: 'GET',
    path: /^\/v1\/domains\?/,
    shape: 'list',
    open: (cast) => go(cast, `/domains/${DOMAIN}`),
    good: (page) => page.getByRole('region', { name: 'State of the domain' }),
  },
  {
    name: 'sender addresses',
    method: 'GET',
    path: /\/addresses\?/,
    shape: 'list',
    open: (cast) => go(cast, `/domains/${DOMAIN}`),
    good: (page) => rowsOf(page, 'sender addresses'),
  },
  {
    name: 'asking the DNS',
    method: 'POST',
    path: /\/check$/,
    shape: 'lines',
    open: async (cast) => {
      const { page } = cast;
      await go(cast, `/domains/${DOMAIN}`);
      await page.getByRole('button', { name: 'Check now' }).click();
    },
    good: (page) => page.getByText(/^Checked at/),
  },
  {
    name: 'the activity of the workspace',
    method: 'GET',
    path: /^\/v1\/changes\?/,
    shape: 'list',
    open: (cast) => go(cast, '/activity'),
    good: (page) => rowsOf(page, 'activity'),
  },
  {
    name: 'the people',
    method: 'GET',
    path: /^\/v1\/members\?/,
    shape: 'list',
    open: (cast) => go(cast, '/people'),
    good: (page) => rowsOf(page, 'people').or(page.getByText('No members yet.')),
  },
  {
    name: 'inviting',
    method: 'POST',
    path: /^\/v1\/members$/,
    shape: 'record',
    open: async (cast) => {
      const { page } = cast;
      await go(cast, '/people');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByLabel('Email address').fill(`jo.${Date.now()}@example.com`);
      await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    },
    good: (page) => page.getByRole('dialog', { name: 'Invited' }),
  },
  {
    name: 'the tokens',
    method: 'GET',
    path: /^\/v1\/tokens\?/,
    shape: 'list',
    open: (cast) => go(cast, '/tokens'),
    good: (page) => rowsOf(page, 'tokens'),
  },
  {
    name: 'the sessions',
    method: 'GET',
    path: /^\/v1\/sessions\?/,
    shape: 'list',
    open: (cast) => go(cast, '/sessions'),
    good: (page) => rowsOf(page, 'sessions'),
  },
  {
    name: 'exporting a list',
    method: 'GET',
    path: /^\/v1\/contacts\?.*per_page=(?!25\b)/,
    shape: 'list',
    open: async (cast) => {
      const { page, person } = cast;
      await go(cast, `/contacts?search=${String(person.attributes['email'])}`);
      await page.getByRole('button', { name: 'Export and share contacts' }).click();
      await page.getByRole('button', { name: 'Save as NDJSON' }).click();
    },
    good: (page) => page.getByText(/contacts? saved as/),
  },
  {
    name: 'the palette',
    method: 'GET',
    path: /^\/v1\/(?:domains|contacts)\?.*search=/,
    shape: 'list',
    open: async (cast) => {
      const { page } = cast;
      await go(cast, '/desk');
      await page.getByRole('heading', { name: 'Bulk unsubscribe' }).waitFor();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox').fill(DOMAIN);
    },
    good: (page) => page.locator('[role=group][aria-label=Domains] [role=option]'),
  },
  {
    name: 'signing out',
    method: 'DELETE',
    path: /^\/session$/,
    shape: 'nothing',
    open: async (cast) => {
      await go(cast, '/desk');
      await cast.page.getByRole('button', { name: 'Sign out' }).click();
    },
    good: (page) => page.getByRole('heading', { name: 'Sign in to Sendroom' }),
  },
  {
    name: 'signing in',
    method: 'POST',
    path: /^\/session$/,
    shape: 'session',
    open: async ({ page, demo }) => {
      // The user may be signed out or not.
      if ((await page.getByLabel('Access token', { exact: true }).count()) === 0) {
        await page.context().clearCookies();
        await page.goto('/sign-in');
      }
      await enterToken(page, demo.token);
    },
    good: (page) => page.getByRole('navigation', { name: 'Sections' }),
  },
  {
    name: 'the session',
    method: 'GET',
    path: /^\/session$/,
    shape: 'session',
    open: async ({ page, demo }) => {
      await signIn(page, demo);
      await page.goto('/contacts');
      // A page out of the history does not rely on what it says of the session.
      await page.goto('/healthz');
      await page.goBack();
    },
    good: (page) => rowsOf(page, 'contacts'),
    // The session could not be read, so nobody is signed in.
    errorNotice: (page) => page.locator('[role=alert], form:has(input[type=password])'),
  },
];

/** Longer than cached data is kept once no page shows it, in milliseconds. */
const KEPT_MS = 301_000;

/**
 * Opens a page as if it were the first one, in the existing tab, because loading the console again takes several times
 * as long. A tab without the console loads it.
 */
async function go({ page, demo }: ScreenContext, path: string): Promise<void> {
  // The palette covers all pages.
  if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape');
  if (!(await turn(page, '/nowhere'))) {
    await signIn(page, demo);
    await page.goto('/nowhere');
  }
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.clock.fastForward(KEPT_MS);
  await turn(page, path);
}

/** Like Back and Forward; false if nobody is signed in. */
function turn(page: Page, path: string): Promise<boolean> {
  return page.evaluate((to) => {
    if (document.querySelector('nav[aria-label=Sections]') === null) return false;
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
    return true;
  }, path);
}

async function planAtDesk(cast: ScreenContext): Promise<void> {
  const { page } = cast;
  await go(cast, '/desk');
  const list = page.getByLabel('Who wants no more mail?');
  const another = page.getByRole('button', { name: 'New list' });
  await list.or(another).first().waitFor();
  if (await another.isVisible()) {
    await another.click();
    // It asks for confirmation if something was done.
    const sure = page.getByRole('button', { name: 'Delete it' });
    await list.or(sure).first().waitFor();
    if (await sure.isVisible()) await sure.click();
  }
  await list.fill(uuidOf(cast));
  await page.getByRole('button', { name: 'Read the list' }).click();
}

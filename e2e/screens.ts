import type { Locator, Page } from '@playwright/test';
import type { Contact } from '#contract/contact.ts';
import type { Demo } from './demo.ts';
import { enterToken, lookUpHere, signIn } from './steps.ts';
import type { Shape } from './misbehaviours.ts';

/** Whom and what the screens show; `change` calls the service itself, as another program of the workspace. */
export type ScreenContext = {
  page: Page;
  demo: Demo;
  person: Contact;
  change: (what: 'subscribe' | 'unsubscribe') => Promise<void>;
};

/** A place of the console that calls the service, and what is answered there. */
export type Screen = {
  name: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** The calls that it is about. */
  path: RegExp;
  shape: Shape;
  /** Up to where the call is made. */
  open: (cast: ScreenContext) => Promise<unknown>;
  /** What is there once the answer was taken. */
  good: (page: Page, cast: ScreenContext) => Locator;
  /** Where it is said that the answer was not taken; where none is given, in an alert. */
  errorNotice?: (page: Page) => Locator;
};

/** One that no other is found with, and that no alarm is raised about. */
const DOMAIN = 'notify.globex.example';

const uuidOf = ({ person }: ScreenContext) => person.uuid;
const announcement = (page: Page, words: RegExp) => page.locator('#announcements', { hasText: words });
const rowsOf = (page: Page, what: string) =>
  page.locator(`[aria-label="Table of ${what}"] tbody tr:not([aria-hidden])`);

export const screens: readonly Screen[] = [
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
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click();
    },
    good: (page) => announcement(page, /is unsubscribed$/),
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
    good: (page) => page.getByRole('cell', { name: 'Will unsubscribe' }),
    errorNotice: (page) => page.getByRole('alert').or(page.getByRole('cell', { name: 'Unknown' })),
  },
  {
    name: 'a run at the desk',
    method: 'POST',
    path: /\/unsubscribe$/,
    shape: 'record',
    open: async (cast) => {
      await cast.change('subscribe');
      await planAtDesk(cast);
      await cast.page.getByRole('button', { name: 'Unsubscribe 1' }).click();
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
    good: (page) => page.getByText(/^Asked at/),
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
    good: (page) => page.getByText(/contacts saved as/),
  },
  {
    name: 'the palette',
    method: 'GET',
    path: /^\/v1\/(?:domains|contacts)\?.*search=/,
    shape: 'list',
    open: async (cast) => {
      const { page } = cast;
      await go(cast, '/desk');
      await page.getByRole('heading', { name: 'Desk' }).waitFor();
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
      // Signed out just now, or not yet.
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
    },
    good: (page) => rowsOf(page, 'contacts'),
    // Nobody is signed in, as far as anybody knows.
    errorNotice: (page) => page.locator('[role=alert], form:has(input[type=password])'),
  },
];

/** Longer than what was read is kept once no page shows it, in milliseconds. */
const KEPT_MS = 301_000;

/**
 * Opens a page as the first thing that is looked at, in the tab that is there: to load the console anew takes several times
 * as long. A tab that shows none is given one.
 */
async function go({ page, demo }: ScreenContext, path: string): Promise<void> {
  // The palette is over all pages.
  if ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape');
  if (!(await turn(page, '/nowhere'))) {
    await signIn(page, demo);
    await page.goto('/nowhere');
  }
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.clock.fastForward(KEPT_MS);
  await turn(page, path);
}

/** As Back and Forward do; false where nobody is signed in. */
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
    // Where something was done, it asks.
    const sure = page.getByRole('button', { name: 'Delete it' });
    await list.or(sure).first().waitFor();
    if (await sure.isVisible()) await sure.click();
  }
  await list.fill(uuidOf(cast));
  await page.getByRole('button', { name: 'Read the list' }).click();
}

import type { Locator, Page } from '@playwright/test';
import { go, planAtDesk, type ScreenContext } from './screenContext.ts';
import { confirm, createDestinationAsCaller, enterToken, finder, press, runList, signIn } from './steps.ts';
import type { Shape } from './misbehaviours.ts';

export type Screen = {
  name: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  shape: Shape;
  /** Opens the screen and makes its call. */
  open: (cast: ScreenContext) => Promise<unknown>;
  good: (page: Page, cast: ScreenContext) => Locator;
  /** A selector of the part of the page whose alert is this screen’s. */
  alertIn?: string;
  errorNotice?: (page: Page) => Locator;
};

/** A search for it finds no other; it has no alarm. */
const DOMAIN = 'notify.globex.example';

const uuidOf = ({ person }: ScreenContext) => person.uuid;
const announcement = (page: Page, words: RegExp) => page.locator('#announcements', { hasText: words });
const STORY = 'section[aria-labelledby=story]';
const DIALOG = 'dialog[open]';
const VIEWS = 'nav[aria-label="Views of contacts"]';
const rowsOf = (page: Page, what: string) =>
  page.locator(`[aria-label="Table of ${what}"] tbody tr:not([aria-hidden])`);

/** What is read with its page: `good` is a table, or a selector. */
const read = (
  name: string,
  at: string,
  path: RegExp,
  shape: Shape,
  good: string | RegExp,
  alertIn = 'main',
): Screen => ({
  name,
  method: 'GET',
  path,
  shape,
  alertIn,
  open: (cast) => go(cast, at.replace('BUSIEST', cast.demo.busiest.contact.uuid)),
  good: (page) => (typeof good === 'string' ? page.locator(good) : rowsOf(page, good.source)),
});

/** A destination with a delivery. Nothing listens at its port. */
async function testedDestination({ page, demo }: ScreenContext): Promise<string> {
  const headers = { authorization: `Bearer ${demo.token}` };
  const response = await page.request.get('/v1/destinations?per_page=100', { headers });
  const { data } = (await response.json()) as { data: { uuid: string; name: string }[] };
  const known = data.find(({ name }) => name === TESTED);
  if (known !== undefined) return known.uuid;
  const uuid = await createDestinationAsCaller(page, demo, TESTED, 'http://127.0.0.1:9/');
  await page.request.post(`/v1/destinations/${uuid}/test`, { headers });
  return uuid;
}

const TESTED = 'On-call';

export const screens: readonly Screen[] = [
  read('the overview', '/', /^\/v1\/overview\?/, 'overview', 'table:has-text("By") a'),
  read('contacts', '/contacts', /^\/v1\/contacts\?/, 'list', /contacts/),
  {
    name: 'looking somebody up',
    method: 'GET',
    path: /^\/v1\/contacts\/[^/?]*%40[^/?]*$/,
    shape: 'record',
    open: async (cast) => {
      await go(cast, '/contacts');
      // No click: typing looks up too, and may end the session.
      await finder(cast.page).fill(String(cast.person.attributes['email']));
      await cast.page.keyboard.press('Enter');
    },
    good: (page) => page.getByRole('region', { name: 'Subscription' }),
    errorNotice: (page) => page.locator('[role=alert], [role=search] [role=status]'),
  },
  read(
    'the record of a contact',
    '/contacts/BUSIEST',
    /^\/v1\/contacts\/[^/?]+$/,
    'record',
    'section[aria-labelledby=attributes] :is(dl, :text("has no attributes"))',
  ),
  read('the story', '/contacts/BUSIEST', /\/events\?/, 'list', 'section[aria-labelledby=story] details', STORY),
  read(
    'the chart of events',
    '/contacts/BUSIEST',
    /\/activity\?/,
    'counts',
    'section[aria-labelledby=engagement] svg [role=button]',
    'section[aria-labelledby=engagement]',
  ),
  {
    name: 'the changes of one who is unsubscribed',
    method: 'GET',
    path: /\/changes\?/,
    shape: 'list',
    alertIn: 'section[aria-labelledby=story]',
    open: async (cast) => {
      await cast.change('unsubscribe');
      // In the story, one without a time is after the last event, perhaps on another page.
      await go(cast, `/contacts/${uuidOf(cast)}?view=changes`);
    },
    good: (page) => page.locator('section[aria-labelledby=story] ol > li:not(:has(> details))'),
  },
  {
    name: 'the preview of an erasure',
    method: 'GET',
    path: /\/erasure$/,
    shape: 'numbers',
    alertIn: DIALOG,
    open: async (cast) => {
      await go(cast, `/contacts/${uuidOf(cast)}`);
      await cast.page.getByLabel('More actions').click();
      await press(cast.page, 'Erase this person …');
    },
    good: (page) => page.getByText('Deletes the record, '),
  },
  {
    name: 'subscribing again',
    method: 'POST',
    path: /\/subscribe$/,
    shape: 'record',
    alertIn: DIALOG,
    open: async (cast) => {
      await cast.change('unsubscribe');
      await go(cast, `/contacts/${uuidOf(cast)}`);
      await press(cast.page, 'Subscribe again');
      await cast.page.getByLabel('Reason').fill('Asked for it');
      await confirm(cast.page, 'Subscribe again');
    },
    good: (page) => announcement(page, /is subscribed again$/),
  },
  {
    name: 'unsubscribing',
    method: 'POST',
    path: /\/unsubscribe$/,
    shape: 'record',
    alertIn: DIALOG,
    open: async (cast) => {
      await cast.change('subscribe');
      await go(cast, `/contacts/${uuidOf(cast)}`);
      // Not "Unsubscribe both".
      await press(cast.page, 'Unsubscribe');
      await confirm(cast.page, 'Unsubscribe');
    },
    good: (page) => page.getByRole('region', { name: 'Subscription' }).getByText('Unsubscribed', { exact: true }),
  },
  {
    name: 'saving attributes',
    method: 'POST',
    path: /^\/v1\/contacts\/[^/?]+$/,
    shape: 'record',
    alertIn: 'section[aria-labelledby=attributes]',
    open: async (cast) => {
      await go(cast, `/contacts/${uuidOf(cast)}`);
      // After a failed save the form is still open.
      const name = cast.page.getByLabel('Value of first_name');
      const edit = cast.page.getByRole('button', { name: 'Edit all', exact: true });
      await edit.or(name).first().waitFor();
      if (await edit.isVisible()) await edit.click();
      await name.fill(`Jo ${Date.now()}`);
      await press(cast.page, 'Save');
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
    errorNotice: (page) => page.locator('[role=alert], [role=status]:has-text("No one unsubscribed")'),
  },
  read('the runs', '/runs', /^\/v1\/runs\?/, 'numbers', /runs/),
  {
    ...read('the views of contacts', '/contacts', /^\/v1\/views$/, 'numbers', `${VIEWS} a`),
    errorNotice: (page) => page.locator(VIEWS).getByText('Couldn’t be loaded.'),
  },
  {
    name: 'checking an import',
    method: 'POST',
    path: /^\/v1\/imports\/preview$/,
    shape: 'counts',
    open: async (cast) => {
      const { page, person } = cast;
      await go(cast, '/import');
      const another = page.getByRole('button', { name: 'Choose another file' });
      await page.getByLabel('Export file').or(another).first().waitFor({ state: 'attached' });
      if (await another.isVisible()) await another.click();
      const buffer = Buffer.from(`email,plan\n${String(person.attributes['email'])},gold`);
      await page.getByLabel('Export file').setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer });
      await page.getByLabel('What is in this file?').selectOption('Other file: contacts');
      await press(page, 'Check 1 line');
    },
    good: (page) => page.getByRole('region', { name: 'Preview' }).getByText('Changed'),
  },
  read('domains', '/domains', /^\/v1\/domain(s|-reports)\?/, 'reports', /domains/),
  read('the matrix', '/domains?view=matrix', /^\/v1\/domain(s|-reports)\?/, 'reports', /domains/),
  {
    name: 'a check of the matrix',
    method: 'POST',
    path: /\/check$/,
    shape: 'lines',
    open: async (cast) => {
      await go(cast, `/domains?view=matrix&search=${DOMAIN}`);
      await press(cast.page, 'Check the one shown');
    },
    good: (page) => announcement(page, /^1 of 1 checked: (?!.*with an error)/),
    errorNotice: (page) => announcement(page, /^1 of 1 checked: .*with an error|^Stopped/),
  },
  read('a domain', `/domains/${DOMAIN}`, /^\/v1\/domains\?/, 'list', '[aria-label="State of the domain"]'),
  read(
    'sender addresses',
    `/domains/${DOMAIN}?addresses=open`,
    /\/addresses\?/,
    'list',
    /sender addresses/,
    'section[aria-labelledby=addresses]',
  ),
  {
    name: 'asking the DNS',
    method: 'POST',
    path: /\/check$/,
    shape: 'lines',
    alertIn: '[aria-label="State of the domain"]',
    open: async (cast) => {
      await go(cast, `/domains/${DOMAIN}`);
      await press(cast.page, 'Check');
    },
    good: (page) => page.getByText(/^Checked at/),
  },
  read('who is unsubscribed', '/suppressions', /^\/v1\/suppressions\?/, 'list', /unsubscribed contacts/),
  read('all addresses', '/addresses', /^\/v1\/addresses\?/, 'list', /addresses/),
  read('the audit log', '/activity', /^\/v1\/changes\?/, 'list', /log entries/),
  {
    ...read('the members', '/people', /^\/v1\/members\?/, 'list', /members/),
    good: (page) => rowsOf(page, 'members').or(page.getByText('No members yet.')),
  },
  {
    name: 'inviting',
    method: 'POST',
    path: /^\/v1\/members$/,
    shape: 'record',
    alertIn: DIALOG,
    open: async (cast) => {
      await go(cast, '/people');
      await press(cast.page, 'Invite');
      await cast.page.getByLabel('Email address').fill(`jo.${Date.now()}@example.com`);
      await confirm(cast.page, 'Invite');
    },
    good: (page) => page.getByRole('dialog', { name: 'Invited' }),
  },
  read('the tokens', '/tokens', /^\/v1\/tokens\?/, 'list', /tokens/),
  {
    ...read('the destinations', '/notifications', /^\/v1\/destinations\?/, 'counts', /destinations/),
    good: (page) => rowsOf(page, 'destinations').or(page.getByText('No destinations yet.')),
  },
  {
    name: 'the deliveries of a destination',
    method: 'GET',
    path: /\/deliveries\?/,
    shape: 'counts',
    alertIn: 'section[aria-labelledby=deliveries]',
    open: async (cast) => go(cast, `/notifications/${await testedDestination(cast)}`),
    good: (page) => rowsOf(page, 'deliveries'),
  },
  read('the sessions', '/sessions', /^\/v1\/sessions\?/, 'list', /sessions/),
  {
    name: 'exporting a list',
    method: 'GET',
    path: /^\/v1\/contacts\?.*per_page=(?!25\b)/,
    shape: 'list',
    alertIn: DIALOG,
    open: async (cast) => {
      await go(cast, `/contacts?search=${String(cast.person.attributes['email'])}`);
      await press(cast.page, 'Export and share contacts');
      await press(cast.page, 'Save as NDJSON');
    },
    good: (page) => page.getByText(/contacts? saved as/),
  },
  {
    name: 'the palette',
    method: 'GET',
    path: /^\/v1\/(?:domains|contacts)\?.*search=/,
    shape: 'list',
    alertIn: DIALOG,
    open: async (cast) => {
      const { page } = cast;
      await go(cast, '/desk');
      await page.getByRole('heading', { name: 'Bulk unsubscribe' }).waitFor();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog').getByRole('combobox').fill(DOMAIN);
    },
    good: (page) => page.locator('[role=group]:is([aria-label=Domains],[aria-label="Exact match"]) [role=option]'),
  },
  {
    name: 'signing out',
    method: 'DELETE',
    path: /^\/session$/,
    shape: 'nothing',
    open: async (cast) => {
      await go(cast, '/desk');
      await press(cast.page, 'Sign out');
    },
    good: (page) => page.getByRole('heading', { name: 'Sign in to Sendroom' }),
  },
  {
    name: 'signing in',
    method: 'POST',
    path: /^\/session$/,
    shape: 'session',
    open: async ({ page, demo }) => {
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
      // A page from the history reads the session again.
      await page.goto('/healthz');
      await page.goBack();
    },
    good: (page) => rowsOf(page, 'contacts'),
    // Without a session, the sign-in form is shown.
    errorNotice: (page) => page.locator('[role=alert], form:has(input[type=password])'),
  },
];

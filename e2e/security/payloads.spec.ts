import type { Locator, Page } from '@playwright/test';
import { expect, expectLiteral, expectNothingInjected } from '../support/literal.ts';
import { PAYLOADS } from '../support/payloads.ts';
import { confirm, press, runList } from '../support/steps.ts';
import { everyField, type HostileService, plainId, plantedText, test } from '../support/hostileService.ts';
import { attributesOf, EMAIL, NAMES, NEVER_SHOWN, SHOWN } from '../support/shownFields.ts';

// Every string of every response is shown literally, without effect.

const FAILED_TO_LOAD = /Failed to load resource/;
const INDEXES = Object.keys(PAYLOADS).map((_, index) => index);
/** Every payload in every field, which takes minutes: `npm run drill -- payloads`. Otherwise a sample. */
const isWhole = process.env['EVERY_PAYLOAD'] === '1';
const SHOWN_ALONE = INDEXES.filter((index) => isWhole || index % 4 === 0);
const inTens = (indexes: readonly number[]) =>
  [0, 10, 20, 30].map((from) => indexes.slice(from, from + 10)).filter(({ length }) => length > 0);

const textsOf = (indexes: readonly number[], ...fields: readonly string[]) =>
  Object.fromEntries(
    indexes.flatMap((index) => fields.map((field) => [`${field} ${index}`, plantedText(index, field)])),
  );

const addressOfDomain = (index: number, by: 'name' | 'uuid' = 'uuid') =>
  `/domains/${encodeURIComponent(plantedText(index, `domain.${by}`))}`;

const DESTINATION = `/notifications/${encodeURIComponent(plantedText(0, 'destination.uuid'))}`;

test('every string of every response has a place @additions', () => {
  expect(INDEXES).toHaveLength(40);
  expect(everyField()).toEqual(new Set([...Object.values(SHOWN).flat(), ...NEVER_SHOWN]));
});

test.beforeEach(({ faults }) => faults.expect(FAILED_TO_LOAD));

const body = (page: Page): Locator => page.locator('body');
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Acts while the service refuses, expects the problem in `place`, and acts again. */
async function insist(
  stranger: HostileService,
  calls: RegExp,
  act: () => Promise<void>,
  place: Locator,
  indexes: readonly number[],
): Promise<void> {
  stranger.refuse(calls);
  await act();
  await expectLiteral(place, textsOf(indexes, ...SHOWN.refusal));
  stranger.obey();
  await act();
}

for (const indexes of inTens(SHOWN_ALONE)) {
  const which = `resources ${indexes.join(', ')} @additions @sweep`;

  test(`a contact: ${which}`, async ({ page, stranger }) => {
    test.slow();
    for (const index of indexes) {
      stranger.turnTo(index);
      await page.goto(`/contacts/${plainId(index)}`);
      await expectLiteral(body(page), textsOf([index], ...SHOWN.shell, ...SHOWN.contact));
      await actOnContact(page, stranger, index);
      await editContact(page, stranger, index);
      await page.getByLabel('More actions').click();
      await page.getByRole('button', { name: 'Erase this person …' }).click();
      await expectLiteral(page.getByRole('dialog'), textsOf([index], ...SHOWN.erase));
      await page.keyboard.press('Escape');
      await expectNothingInjected(page);
    }
  });

  test(`a domain: ${which}`, async ({ page, stranger }) => {
    await page.goto('/domains');
    for (const index of indexes) {
      const link = page
        .getByRole('row')
        .nth(index + 1)
        .getByRole('link')
        .first();
      // URLs have no lone surrogates.
      if (plantedText(index, 'domain.name').isWellFormed()) await link.click();
      else await page.goto(addressOfDomain(index));
      const records = region(page, 'DNS records');
      await records
        .getByRole('button', { name: /^Details of / })
        .first()
        .click();
      expect(new URL(page.url()).pathname).toMatch(/^\/domains\/[^/]+$/);
      await expectLiteral(body(page), textsOf([index], ...SHOWN.domain));
      await expectLiteral(records, textsOf([index], ...SHOWN.report));
      await expectHistoryLiteral(page, index);
      const head = region(page, 'State of the domain');
      await insist(stranger, /\/check$/, () => press(page, 'Check'), head.getByRole('alert'), [index]);
      await expect(head.getByText(/^Checked at/)).toBeVisible();
      for (const button of await page.getByRole('button', { name: /^Details of / }).all()) await button.click();
      await expectLiteral(records, textsOf([index], ...SHOWN.check, ...SHOWN.advice));
      stranger.refuse(/\/check$/);
      await press(page, 'Watch');
      await expectLiteral(
        page.getByRole('group', { name: 'Just done' }),
        textsOf([index], 'domain.name', 'problem.detail'),
      );
      stranger.obey();
      await expectNothingInjected(page);
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('link', { name: 'Domains', exact: true }).click();
    }
  });
}

async function expectHistoryLiteral(page: Page, index: number): Promise<void> {
  // It's open where nothing needs fixing: the fault is accepted.
  const history = region(page, 'Last 90 days');
  await history.getByRole('slider').first().press('End');
  await history.getByText('Evidence', { exact: true }).first().click();
  await expectLiteral(history, textsOf([index], ...SHOWN['domain history']));
}

async function actOnContact(page: Page, stranger: HostileService, index: number): Promise<void> {
  const subscription = region(page, 'Subscription');
  const dialog = page.getByRole('dialog');
  await press(page, 'Unsubscribe');
  await expectLiteral(dialog, textsOf([index], ...NAMES, EMAIL));
  await insist(stranger, /\/unsubscribe$/, () => confirm(page, 'Unsubscribe'), dialog, [index]);
  await expect(subscription).toContainText('Unsubscribed');
  await expectLiteral(page.getByRole('group', { name: 'Just done' }), textsOf([index], ...NAMES));
  await press(page, 'Subscribe again');
  await expectLiteral(dialog, textsOf([index], ...NAMES, EMAIL));
  await dialog.getByLabel('Reason').fill('asked for it');
  await insist(stranger, /\/subscribe$/, () => confirm(page, 'Subscribe again'), dialog, [index]);
  await expect(dialog).toBeHidden();
}

async function editContact(page: Page, stranger: HostileService, index: number): Promise<void> {
  const form = region(page, 'Attributes');
  await form.getByRole('button', { name: 'Edit all' }).click();
  await expectLiteral(form, textsOf([index], ...attributesOf('contact')));
  await form.getByRole('textbox').first().fill('another');
  await expectLiteral(form.locator('[aria-live]'), textsOf([index], NAMES[0] ?? ''));
  await insist(stranger, /^POST \/v1\/contacts\/[^/]+$/, () => press(page, 'Save'), form, [index]);
  await expect(form.getByRole('button', { name: 'Edit all' })).toBeVisible();
}

test('the overview, and finding a contact @additions @sweep', async ({ page }) => {
  await page.goto('/');
  await expectLiteral(body(page), textsOf([0], ...SHOWN.shell, ...SHOWN.overview));
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await expectLiteral(body(page), textsOf([0], ...SHOWN['look-up']));
  await expectNothingInjected(page);
});

const STORY = 'section[aria-labelledby=story]';
for (const [name, address, places] of [
  ['contacts', '/contacts', { body: SHOWN.contacts }],
  ['a story', `/contacts/${plainId(0)}`, { [STORY]: [...SHOWN.events, ...SHOWN.history] }],
  ['events in a table', `/contacts/${plainId(0)}?view=table`, { [STORY]: SHOWN.events }],
  ['the activity', '/activity', { body: SHOWN.activity }],
  ['people', '/people', { body: SHOWN.people }],
  ['sessions', '/sessions', { body: SHOWN.sessions }],
  ['tokens', '/tokens', { body: SHOWN.tokens }],
  ['destinations', '/notifications', { body: SHOWN.destinations }],
  ['deliveries', DESTINATION, { 'section[aria-labelledby=deliveries]': SHOWN.deliveries }],
  ['domains', '/domains', { body: SHOWN.domains }],
  [
    'sender addresses',
    `${addressOfDomain(0, 'name')}?addresses=open`,
    { 'section[aria-labelledby=addresses]': SHOWN.addresses },
  ],
  ['all addresses', '/addresses', { body: SHOWN['all addresses'] }],
] as const) {
  test(`a list of ${name} @additions @sweep`, async ({ page }) => {
    await page.goto(address);
    for (const [place, fields] of Object.entries<readonly string[]>(places))
      await expectLiteral(page.locator(place), textsOf(INDEXES, ...fields));
    await expectNothingInjected(page);
  });
}

test('saved views @additions @sweep', async ({ page }) => {
  await page.goto('/contacts');
  await expectLiteral(page.getByRole('navigation', { name: 'Views of contacts' }), textsOf([0], ...SHOWN.views));
  await press(page, 'Views');
  await expectLiteral(page.getByRole('dialog'), textsOf([0], ...SHOWN.views));
  await expectNothingInjected(page);
});

test('removing a member, and a new token @additions @sweep', async ({ page, stranger }) => {
  await page.goto('/people');
  await page.getByRole('button', { name: 'Remove' }).first().click();
  await expectLiteral(page.getByRole('dialog'), textsOf([0], 'member.name'));
  await expectNothingInjected(page);
  await page.goto('/tokens');
  await press(page, 'Create a token');
  await page.getByLabel('Name').fill('any');
  await insist(stranger, /^POST \/v1\/tokens$/, () => press(page, 'Create'), page.getByRole('dialog'), [0]);
  await expectLiteral(page.getByRole('dialog'), textsOf([0], ...SHOWN['a new token']));
  await expectNothingInjected(page);
});

test('a link to the records of a domain @additions @sweep', async ({ page, stranger }) => {
  await page.goto(addressOfDomain(0, 'name'));
  await press(page, 'Send to the DNS person');
  const dialog = page.getByRole('dialog');
  await expectLiteral(dialog, textsOf(INDEXES, 'link.created_by'));
  await insist(stranger, /^POST .*\/shared-links$/, () => press(page, 'Create a link'), dialog, [0]);
  await expectLiteral(dialog, textsOf([0], 'domain.name', ...SHOWN['a new shared link']));
  await expectNothingInjected(page);
});

test('a destination, a test message and a new secret @additions @sweep', async ({ page, stranger }) => {
  await page.goto(DESTINATION);
  await expectLiteral(body(page), textsOf([0], ...SHOWN.destinations, ...SHOWN.destination));
  const send = () => press(page, 'Send a test message');
  await insist(stranger, /\/test$/, send, page.getByRole('main').getByRole('alert'), [0]);
  await expectLiteral(body(page), textsOf([0], ...SHOWN['a test message']));
  await press(page, 'Rotate the secret');
  const dialog = page.getByRole('dialog');
  await insist(stranger, /\/secret$/, () => confirm(page, 'Rotate'), dialog, [0]);
  await expectLiteral(dialog, textsOf([0], ...SHOWN['a new secret']));
  await expectNothingInjected(page);
});

test('a check of the domains shown @additions @sweep', async ({ page, stranger }) => {
  await page.goto('/domains');
  await expectLiteral(body(page), textsOf(INDEXES, 'domain.name'));
  // After failures in a row, the console stops checking.
  for (const refused of [0, 1]) {
    stranger.refuse(refused === 0 ? /[02468]\/check$/ : /[13579]\/check$/);
    await page.getByRole('button', { name: 'Check all 40 shown' }).click();
    const failed = INDEXES.filter((index) => index % 2 === refused);
    const checked = INDEXES.filter((index) => index % 2 !== refused);
    await expectLiteral(body(page), {
      ...textsOf(failed, 'problem.detail'),
      ...textsOf(checked, ...SHOWN['a check of the domains shown']),
    });
    await expectNothingInjected(page);
  }
});

test('refusals in few words, and the palette @additions @sweep', async ({ page, stranger }) => {
  stranger.refuse(/^GET \/v1\/contacts$/, 422, ['title']);
  await page.goto('/contacts');
  await expectLiteral(page.getByRole('alert'), textsOf([0], ...SHOWN['refusal in few words']));
  await expectNothingInjected(page);
  stranger.obey();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog');
  for (let from = 0; from < INDEXES.length; from += 5) {
    stranger.turnTo(from);
    await palette.getByRole('combobox').fill(`x${from}`);
    await expectLiteral(palette, textsOf(INDEXES.slice(from, from + 5), ...NAMES, EMAIL, 'domain.name'));
  }
  await expectNothingInjected(page);
});

test('responses to a bulk list @additions @sweep', async ({ page, stranger }) => {
  await page.goto('/desk');
  stranger.refuse(/^POST .*unsubscribe/);
  for (const indexes of inTens(INDEXES)) {
    await page.getByLabel('Who should be unsubscribed?').fill(indexes.map(plainId).join('\n'));
    await page.getByRole('button', { name: 'Read the list' }).click();
    await runList(page, 10);
    await expectLiteral(region(page, 'The list'), textsOf(indexes, 'problem.detail'));
    await expectNothingInjected(page);
    await press(page, 'New list');
    await confirm(page, 'Delete it');
  }
});

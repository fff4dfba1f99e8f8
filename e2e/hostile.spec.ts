import { expect } from './fixtures.ts';
import { test, type Behaviour } from './hostileProxy.ts';
import { enterToken, finder, signIn } from './steps.ts';

// A service, or a proxy in front of it, that misbehaves: never a blank page, never an endless spinner.

const DOMAINS = /^\/v1\/domains\?/;
const FAILED_TO_LOAD = /Failed to load resource/;

test.describe('signed in', () => {
  test.beforeEach(async ({ page, demo }) => {
    await signIn(page, demo);
  });

  const failures: [Behaviour, RegExp][] = [
    ['html', /A web page came instead of data \(status 200\)/],
    [204, /The answer \(status 204\) is empty/],
    ['empty', /The answer \(status 200\) is empty/],
    ['truncated', /not JSON or was cut off|connection broke/],
    ['oversized', /larger than 5 MB/],
    ['missing-meta', /does not match the interface at “meta”/],
    [403, /The service does not allow this/],
    [404, /The service has nothing at this address/],
    [500, /The service could not do this \(500\)/],
    [503, /The service could not do this \(503\)/],
    ['reset', /The service is not reachable, or the connection broke/],
    [429, /The service asks us to slow down/],
  ];
  for (const [behaviour, sentence] of failures) {
    test(`${behaviour}: the list says what happened and can be read again`, async ({ page, hostile, faults }) => {
      faults.expect(FAILED_TO_LOAD);
      hostile.answer(DOMAINS, behaviour);
      await page.goto('/domains');
      const alert = page.getByRole('alert');
      await expect(alert).toContainText(sentence, { timeout: 20_000 });
      await expect(page.getByRole('heading', { name: 'Domains' })).toBeVisible();
      await expect(alert).not.toContainText('secret.js');

      hostile.calm();
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
      await expect(alert).toBeHidden();
    });
  }

  test('a failure that passes by itself is never shown', async ({ page, hostile, faults }) => {
    faults.expect(FAILED_TO_LOAD);
    hostile.answer(DOMAINS, 'fails once');
    await page.goto('/domains');
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
  });

  test('rows that were read stay when reading them again fails', async ({ page, hostile, faults }) => {
    faults.expect(FAILED_TO_LOAD);
    await page.goto('/domains');
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
    hostile.answer(DOMAINS, 403);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('alert')).toContainText(/Showing what was read at \d\d:\d\d\./);
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  });

  test('while an answer is slow the table keeps its shape', async ({ page, hostile }) => {
    hostile.answer(DOMAINS, 'slow');
    await page.goto('/domains');
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
    await expect(page.locator('tbody tr')).toHaveCount(25);
    hostile.calm();
    await expect(page.getByRole('row')).toHaveCount(26);
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
  });

  test('an answer that never comes ends in a sentence', async ({ page, hostile }) => {
    test.slow();
    hostile.answer(/^\/v1\/contacts\//, 'slow');
    await page.goto('/contacts');
    await finder(page).fill('nobody@nowhere.test');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('There was no complete answer within 15 seconds.', {
      timeout: 70_000,
    });
  });

  test('an answer that comes too late does not replace a newer one', async ({ page, hostile, demo }) => {
    await page.goto('/domains');
    const links = page.getByRole('row').getByRole('link');
    await expect(links.first()).toBeVisible();
    const [first, second] = [demo.domains[2]!.name, demo.domains[9]!.name];
    const box = page.getByRole('searchbox', { name: 'Search domains' });
    hostile.answer(/^\/v1\/domains\?.*search=/, 'out-of-order');
    await box.fill(first);
    await expect.poll(() => hostile.calls.some((call) => call.includes(`search=${first}`))).toBe(true);
    await box.fill(second);
    await expect(page.getByRole('link', { name: second, exact: true })).toBeVisible();
    hostile.calm();
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
    await expect(page.getByRole('link', { name: second, exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: first, exact: true })).toBeHidden();
  });

  test('unknown words are shown as they are', async ({ page, hostile, demo }) => {
    hostile.answer(/^\/v1\//, 'unknown-words');
    await page.goto(`/domains/${demo.domains[0]!.name}`);
    await expect(page.getByText('quarantined')).toBeVisible();
    await expect(page.getByText('sideways').first()).toBeVisible();
  });

  test('events without attributes are events', async ({ page, hostile, demo }) => {
    hostile.answer(/\/events\?/, 'null-attributes');
    await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
    await expect(page.getByRole('region', { name: 'Events', exact: true }).locator('summary').first()).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
  });

  test('a service that ignores the page of events gets one growing page', async ({ page, hostile, demo }) => {
    hostile.answer(/\/events\?/, 'unpaged');
    await page.goto(`/contacts/${demo.busiest.contact.uuid}?page=2`);
    await expect(page.getByText(/This service does not page events. Showing the first 50 of/)).toBeVisible();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(page.getByText(/Showing the first 75 of/)).toBeVisible();
  });

  test('a row that comes twice is gone when it comes once again', async ({ page, hostile, demo }) => {
    hostile.answer(/\/events\?/, 'each row twice');
    await page.goto(`/contacts/${demo.busiest.contact.uuid}`);
    const events = page.getByRole('region', { name: 'Events', exact: true });
    await expect(events.locator('ol > li > details')).toHaveCount(50);
    hostile.calm();
    await events.getByRole('button', { name: 'Refresh' }).click();
    await expect(events.locator('ol > li > details')).toHaveCount(25);
  });

  test('a domain that comes twice is checked once @additions', async ({ page, hostile }) => {
    hostile.answer(/^\/v1\/domains\?/, 'each row twice');
    await page.goto('/domains?view=matrix&search=notify.globex.example');
    await page
      .getByRole('button', { name: /^Check/ })
      .first()
      .click();
    await expect(page.locator('#announcements')).toHaveText(/^1 of 1 checked/);
  });

  test('a history that has always one more page is read to its end @additions', async ({ page, hostile, demo }) => {
    hostile.answer(/\/changes\?/, 'a history without end');
    await page.goto(`/contacts/${demo.unsubscribed.uuid}`);
    await expect(page.getByRole('button', { name: 'Copy for ticket' })).toBeEnabled();
    await expect.poll(() => hostile.inFlight()).toBe(0);
    const count = (path: string) => hostile.calls.filter((call) => call.includes(path)).length;
    const [changes, events] = [count('/changes?'), count('/events?')];
    // On the same page, where requests could continue: any of them would be sent before this one is answered.
    await page.getByRole('region', { name: 'Events', exact: true }).getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => count('/events?')).toBeGreaterThan(events);
    await expect.poll(() => hostile.inFlight()).toBe(0);
    expect(count('/changes?')).toBe(changes);
  });

  test('a session that ends says why the sign-in page comes', async ({ page, hostile, faults }) => {
    faults.expect(FAILED_TO_LOAD);
    await page.goto('/contacts');
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
    hostile.answer(DOMAINS, 401);
    await page.getByRole('link', { name: 'Domains' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Your session ended' })).toBeVisible();
  });

  test('without a network the page says so, and works again with it', async ({ page, context, faults }) => {
    faults.expect(FAILED_TO_LOAD);
    await page.goto('/domains');
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('alert')).toContainText('This computer is offline.');
    await context.setOffline(false);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('alert')).toBeHidden();
  });
});

const signInFailures: [Behaviour, RegExp][] = [
  ['html', /A web page came instead of data/],
  [404, /This address does not offer sign-in/],
  ['reset', /The service is not reachable/],
  ['missing-data', /does not match the interface at “data”/],
];
for (const [behaviour, sentence] of signInFailures) {
  test(`signing in to something else (${behaviour}) has a sentence of its own`, async ({
    page,
    hostile,
    demo,
    faults,
  }) => {
    faults.expect(FAILED_TO_LOAD);
    await page.goto('/sign-in');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    hostile.answer(/^\/session/, behaviour);
    await enterToken(page, demo.token);
    await expect(page.getByRole('alert')).toContainText(sentence);
  });
}

import { copyDemo } from '../support/demo.ts';
import { expect, test as base } from '../support/fixtures.ts';
import { startSendroom } from '../support/startSendroom.ts';
import { confirm, enterToken, lookUpHere, press } from '../support/steps.ts';
import { subscription } from '../support/subscription.ts';
import { startSubPathProxy, type SubPathProxy } from '../support/subPathProxy.ts';

// Behind a proxy that serves the console under a path of its host: PUBLIC_URL=https://example.com/tools/sendroom/.

const NOT_SIGNED_IN = /status of 401.*\/tools\/sendroom\/(session|v1\/domains)/;

const test = base.extend<object, { front: SubPathProxy }>({
  front: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
    async ({}, provide) => {
      const front = await startSubPathProxy();
      await provide(front);
      front.close();
    },
    { scope: 'worker' },
  ],
  sendroom: [
    async ({ demo, additions, front }, provide, { workerIndex }) => {
      const database = await copyDemo(demo);
      // It prints the public address, not the port.
      const host = `127.46.${1 + (workerIndex % 200)}.1`;
      const sendroom = await startSendroom({
        DATABASE_URL: database.url,
        ADDITIONS: additions,
        PUBLIC_URL: front.url,
        HOST: host,
        PORT: '4600',
      });
      front.forwardTo(`http://${host}:4600`);
      await provide(sendroom);
      await sendroom.stop();
      await database.remove();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ front, sendroom }, provide) => {
    expect(`${sendroom.url}/`).toBe(front.url);
    await provide(front.url);
  },
  ignoreHTTPSErrors: true,
});

test.beforeEach(({ faults }) => faults.expect(NOT_SIGNED_IN));
test.afterEach(({ front }) => expect(front.outside.splice(0), 'requests outside the path').toEqual([]));

test('everything from sign-in to sign-out stays under the path', async ({ page, demo, person }) => {
  // Another application of the host stores something, which the console must not touch.
  await page.goto('/other');
  await page.evaluate(() => localStorage.setItem('other', 'kept'));
  await page.goto('domains?search=mail');
  await expect(page).toHaveURL('sign-in');
  await enterToken(page, demo.token, demo.workspace);
  await expect(page).toHaveURL('domains?search=mail');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({
    name: '__Secure-sendroom',
    path: new URL(page.url()).pathname.replace('domains', ''),
  });

  await page.getByRole('link', { name: 'Contacts' }).click();
  await lookUpHere(page, String(person.attributes.email));
  await expect(page).toHaveURL(/\/tools\/sendroom\/contacts\/./);
  await page.reload();
  await press(page, 'Unsubscribe');
  await confirm(page, 'Unsubscribe');
  await expect(subscription(page).getByText('Unsubscribed', { exact: true })).toBeVisible();

  await page.goto('desk');
  await expect(page.getByLabel('Who should be unsubscribed?')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('other'))).toBe('kept');
  await page.goto('/other');
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
});

test("the service's sign-in link works @additions", async ({ page, sendroom }) => {
  await page.goto(sendroom.signInLink);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused();
  expect(page.url()).not.toContain('code');
});

test('an unencoded link leads to a page under the path @additions', async ({ page, faults }) => {
  faults.expect(/status of 404/);
  await page.goto('contacts/50%');
  await expect(page.getByRole('heading', { name: 'Sign in to Sendroom' })).toBeVisible();
});

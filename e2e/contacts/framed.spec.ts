import type { Frame, Page } from '@playwright/test';
import { copyDemo } from '../support/demo.ts';
import { expect, test as base } from '../support/fixtures.ts';
import { startSendroom } from '../support/startSendroom.ts';
import { startSubPathProxy, type SubPathProxy } from '../support/subPathProxy.ts';
import { nameOf } from '../support/subscription.ts';

// The contact next to a ticket, in frames of other origins. Ports belong to an origin, but not to a site.

const test = base.extend<object, { front: SubPathProxy; desk: SubPathProxy }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
  front: [async ({}, provide) => withProxy(provide), { scope: 'worker' }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
  desk: [async ({}, provide) => withProxy(provide), { scope: 'worker' }],
  sendroom: [
    async ({ demo, additions, front, desk }, provide, { workerIndex }) => {
      const database = await copyDemo(demo);
      // It prints the public address, not the port.
      const host = `127.47.${1 + (workerIndex % 200)}.1`;
      const sendroom = await startSendroom({
        DATABASE_URL: database.url,
        ADDITIONS: additions,
        PUBLIC_URL: front.url,
        FRAME_ANCESTORS: [sameSite(desk), otherSite(desk)].join(),
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

async function withProxy(provide: (proxy: SubPathProxy) => Promise<void>): Promise<void> {
  const proxy = await startSubPathProxy();
  await provide(proxy);
  proxy.close();
}

const sameSite = ({ url }: SubPathProxy) => new URL(url).origin;
const otherSite = (proxy: SubPathProxy) => sameSite(proxy).replace('127.0.0.1', 'localhost');

/** Opens `address` in a frame of a page of `origin`. */
async function openFramed(page: Page, origin: string, address: string): Promise<Frame> {
  await page.goto(`${origin}/other`);
  const framed = page.waitForEvent('framenavigated', (frame) => frame.parentFrame() !== null);
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    Object.assign(frame, { src, width: 320, height: 640 });
    document.body.append(frame);
  }, address);
  return framed;
}

test.beforeEach(async ({ page, demo, faults }) => {
  faults.expect(/^foreign origin: https:\/\/(127\.0\.0\.1|localhost):/, /frame-ancestors/, /status of 401/);
  const session = await page.request.post('session', {
    headers: { 'sendroom-console': '1' },
    data: { token: demo.token },
  });
  expect(session.status()).toBe(200);
});

test('a page of the same site frames the contact, signed in @additions', async ({ page, front, desk, person }) => {
  const frame = await openFramed(page, sameSite(desk), `${front.url}contacts/${person.uuid}?panel=1`);
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText(nameOf(person));
  await expect(frame.getByRole('button', { name: 'Unsubscribe', exact: true })).toBeVisible();
});

test('in a frame of another site nobody is signed in, and the panel says what to do @additions', async ({
  page,
  front,
  desk,
  person,
}) => {
  const frame = await openFramed(page, otherSite(desk), `${front.url}contacts/${person.uuid}?panel=1`);
  await expect(frame.getByText('this page belongs to another site')).toBeVisible();
  await expect(frame.getByLabel('Access token')).toHaveCount(0);
  const opened = page.waitForEvent('popup');
  await frame.getByRole('link', { name: 'Sign in in a new tab' }).click();
  await expect((await opened).getByRole('heading', { level: 1 })).toHaveText(nameOf(person));
});

test('no origin that isn’t in the setting frames it, and no other page is framed @additions', async ({
  page,
  front,
  desk,
  person,
}) => {
  for (const [origin, path] of [
    [sameSite(front), `contacts/${person.uuid}?panel=1`],
    [sameSite(desk), `contacts/${person.uuid}`],
  ] as const) {
    const frame = await openFramed(page, origin, front.url + path);
    expect(frame.url(), `${path} in ${origin}`).toMatch(/^chrome-error:/);
  }
});

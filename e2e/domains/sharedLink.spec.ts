import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { SharedCheckLine } from '#contract/domains/sharedLinks.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test as base, watchBrowserErrors } from '../support/fixtures.ts';
import { pasted, signIn } from '../support/steps.ts';

const DOMAIN = 'notify.globex.example';
const LINK = /http:\S+\/shared#[\da-f]{64}/;

/** Creates a link in the console, as its user would. */
async function createLink(page: Page): Promise<string> {
  await page.goto(`/domains/${DOMAIN}`);
  await page.getByRole('button', { name: 'Send to the DNS person' }).click();
  await page.getByRole('button', { name: 'Create a link' }).click();
  const shown = page.getByRole('region', { name: 'The new link' });
  await expect(shown).toContainText(LINK);
  return LINK.exec(await shown.innerText())?.[0] ?? '';
}

const test = base.extend<{ link: string; shared: Page }>({
  link: async ({ page, demo }, provide) => {
    await signIn(page, demo);
    await provide(await createLink(page));
  },
  /** A page in a browser that has never been here. */
  shared: async ({ browser, baseURL }, provide) => {
    await using context = await browser.newContext({ baseURL: baseURL ?? '', serviceWorkers: 'block' });
    await provide(await context.newPage());
  },
});
test.use({ database: 'own' });

test('a link shows the records without a sign-in, and its secret is in no address, Referer or history @additions', async ({
  page,
  demo,
  link,
  shared,
}) => {
  const secret = link.split('#')[1] ?? '';
  await page.getByRole('button', { name: 'Copy a note with the link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await pasted(page)).toContain(link);

  const faults = await watchBrowserErrors(shared.context(), new URL(link).origin);
  const requests: { url: string; referer: string | undefined; cookie: string | undefined }[] = [];
  shared.on('request', (request) => {
    const { referer, cookie } = request.headers();
    requests.push({ url: request.url(), referer, cookie });
  });
  await shared.goto(link);
  await expect(shared.getByRole('heading', { level: 1, name: `DNS records of ${DOMAIN}` })).toBeVisible();
  await expect(shared.getByText(/^\d of 5 records (is|are) right\./)).toBeVisible();
  await expect(shared.getByRole('listitem').filter({ hasText: 'Needs fixing' }).first()).toContainText(
    '_domainkey.notify',
  );
  await expect(shared).toHaveURL('/shared');
  await shared.reload();
  await expect(shared.getByText(/^\d of 5 records (is|are) right\./)).toBeVisible();
  expect(requests.filter(({ url }) => url.includes(secret.slice(0, 20)))).toEqual([]);
  expect(requests.filter(({ referer = '', cookie = '' }) => referer !== '' || cookie !== '')).toEqual([]);
  // The tab went from an empty page to this one, without an entry that has the secret.
  await shared.goBack();
  expect(shared.url()).not.toContain(secret);

  const text = await shared.goForward().then(() => shared.locator('body').innerText());
  for (const word of ['Acme', 'hello@', demo.workspace]) expect(text).not.toContain(word);
  expect(faults).toEqual([]);
});

test('a record turns green while the page is open, and checks end when all are right @additions', async ({
  link,
  shared,
}) => {
  await shared.clock.install();
  let published = 0;
  let checks = 0;
  await shared.route('**/shared/domain/check', async (route) => {
    checks++;
    const lines = [0, 1].map((index): SharedCheckLine => {
      const record = { type: 'TXT', name: `name${index}.${DOMAIN}`, value: 'value' };
      const isRight = index < published;
      return {
        kind: 'record',
        index,
        record,
        finding: {
          result: isRight ? 'ok' : 'fail',
          found: isRight ? ['value'] : [],
          diagnosis: isRight ? 'The record is right.' : `${record.name} does not exist.`,
          turn: isRight ? null : 'owner',
          fix: isRight ? null : { ...record, todo: 'Add this record.', host: `name${index}`, priority: null },
          until: null,
        },
      };
    });
    const end: SharedCheckLine = { kind: 'end', checked_at: new Date().toISOString() };
    const body = [...lines, end].map((line) => `${JSON.stringify(line)}\n`).join('');
    await route.fulfill({ status: 200, contentType: 'application/x-ndjson', body });
  });
  await shared.goto(link);
  await expect(shared.getByText('0 of 2 records are right. 2 need a change in the DNS records.')).toBeVisible();
  const first = shared.getByRole('listitem').first();
  await expect(first).toContainText('Add this record.');
  published = 1;
  await shared.clock.runFor(21_000);
  await expect(first).toHaveText(`OKTXT name0.${DOMAIN}`);
  await expect(shared.getByText('1 of 2 records is right. 1 needs a change in the DNS records.')).toBeVisible();
  published = 2;
  await shared.clock.runFor(21_000);
  await expect(shared.getByText('All 2 records are right')).toBeVisible();
  const before = checks;
  await shared.clock.runFor(300_000);
  expect(checks).toBe(before);
  await shared.getByRole('button', { name: 'Check again' }).click();
  await expect.poll(() => checks).toBe(before + 1);
});

test('a link that is revoked says so on the open page, and one that is cut says what is missing @additions', async ({
  page,
  link,
  shared,
}) => {
  await shared.goto(link);
  await expect(shared.getByText(/^\d of 5 records (is|are) right\./)).toBeVisible();
  await page
    .getByRole('button', { name: /^Revoke the link/ })
    .first()
    .click();
  await expect(page.getByText('Revoked', { exact: true }).first()).toBeVisible();
  await shared.reload();
  await expect(shared.getByRole('status').filter({ hasText: 'This link has expired or was revoked' })).toBeVisible();
  await expect(shared.getByText('_domainkey')).toHaveCount(0);
  // Another link in the same tab only changes the fragment.
  await page.getByRole('button', { name: 'Done' }).click();
  await shared.goto(await createLink(page));
  await expect(shared.getByText(/^\d of 5 records (is|are) right\./)).toBeVisible();
  const other = await shared.context().newPage();
  await other.goto('/shared#cut');
  await expect(other.getByText('Open the whole link that you were sent')).toBeVisible();
});

test('no other site can frame the page, and no search engine lists it @additions', async ({
  page,
  baseURL,
  shared,
}) => {
  const response = await page.request.get('/shared', { headers: { accept: 'text/html' } });
  expect(response.headers()).toMatchObject({
    'x-robots-tag': 'noindex',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(/frame-ancestors 'none'/),
  });
  expect(await response.text()).toContain('<meta name="robots" content="noindex" />');
  const server = createServer((_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<iframe src="${baseURL}/shared#${'0'.repeat(64)}"></iframe>`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const refused = shared.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await shared.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await refused;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the page is usable at 320 pixels, and axe finds nothing wrong @additions', async ({ link, shared }) => {
  await shared.setViewportSize({ width: 320, height: 800 });
  await shared.goto(link);
  await expect(shared.getByText(/^\d of 5 records (is|are) right\./)).toBeVisible();
  await expectNoSidewaysScroll(shared);
  await expectAccessible(shared);
});

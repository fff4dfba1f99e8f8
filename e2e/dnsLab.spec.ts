import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyDemo } from './demo.ts';
import { expect, test as base } from './fixtures.ts';
import { type Lab, startLab } from './startLab.ts';
import { type Sendroom, startSendroom } from './startSendroom.ts';
import { pasted, signIn } from './steps.ts';

// The page, the service and real name servers: the test publishes what the page says, and the page finds it.
// What each fault of name servers leads to: lab/situations.lab.test.ts.

const test = base.extend<{ resolver: string; lab: Lab; own: Sendroom }>({
  resolver: ['validating', { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
  lab: async ({}, provide) => {
    const lab = await startLab();
    await provide(lab);
    await lab.stop();
  },
  own: async ({ demo, lab, resolver }, provide, testInfo) => {
    const database = await copyDemo(demo);
    const file = testInfo.outputPath('domains.ndjson');
    await writeFile(file, JSON.stringify({ name: DOMAIN, mail_from_domain: `bounce.${DOMAIN}`, dns: RECORDS }));
    const command = ['server/cli.ts', 'import', 'domains', file, '--workspace', demo.workspace];
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url };
    await promisify(execFile)(process.execPath, command, { cwd: join(import.meta.dirname, '..'), env });
    const sendroom = await startSendroom({ DATABASE_URL: database.url, DNS_SERVERS: lab.resolvers[resolver] ?? '' });
    await provide(sendroom);
    await sendroom.stop();
    await database.remove();
  },
  baseURL: async ({ own }, provide) => provide(own.url),
});

// A namespace has one lab at a time.
test.describe.configure({ mode: 'default' });

const DOMAIN = 'shop.com';
const TOKEN = `site-verification=${'a token "of" more than 255 bytes; '.repeat(10)}end`;
const RECORDS = [
  { type: 'CNAME', name: `k1._domainkey.${DOMAIN}`, value: 'k1.dkim.mailprovider.net' },
  { type: 'MX', name: `bounce.${DOMAIN}`, value: '10 feedback.mailprovider.net' },
  { type: 'TXT', name: `bounce.${DOMAIN}`, value: 'v=spf1 include:spf.mailprovider.net ~all' },
  { type: 'TXT', name: DOMAIN, value: TOKEN },
].map((record) => ({ ...record, is_valid: false }));

test('records go from missing to right in the page when its zone-file text is published @additions @lab @sweep', async ({
  page,
  demo,
  lab,
}) => {
  await lab.publish(DOMAIN, 'other A 192.0.2.1');
  await signIn(page, demo);
  await page.goto(`/domains/${DOMAIN}`);
  const records = page.getByRole('region', { name: 'DNS records' });
  await records.getByRole('button', { name: 'Watch' }).click();
  await expect(records.getByText('4 need fixing')).toBeVisible();
  await expect(records.getByText(`Nothing exists at bounce.${DOMAIN}.`).first()).toBeVisible();

  await records.getByRole('button', { name: /Copy as zone file/ }).click();
  await lab.publish(DOMAIN, await pasted(page));
  await expect(records.getByText('4 correct')).toBeVisible({ timeout: 40_000 });
  await expect(records.getByText('Not valid')).toHaveCount(0);
  await expect(page.getByText('The domain is verified: the service accepts mail from its addresses.')).toBeVisible();
});

const RIGHT = [
  'k1._domainkey CNAME k1.dkim.mailprovider.net.',
  'bounce MX 10 feedback.mailprovider.net.',
  'bounce TXT "v=spf1 include:spf.mailprovider.net ~all"',
].join('\n');

test.describe('no network', () => {
  test.use({ resolver: 'unreachable' });

  test('the page says so, and the service goes on @additions @lab @sweep', async ({ page, demo, lab }) => {
    await lab.publish(DOMAIN, RIGHT);
    await signIn(page, demo);
    await page.goto(`/domains/${DOMAIN}`);
    const records = page.getByRole('region', { name: 'DNS records' });
    await records.getByRole('button', { name: 'Check now' }).click();
    await expect(records.getByText('4 unknown')).toBeVisible();
    for (const record of await records.locator('tbody').all())
      await expect(record).toContainText(/No resolver answers/i);
    // An unknown result is not right.
    await expect(page.getByText(/DNS records are correct|DNS is correct/)).toHaveCount(0);
    expect((await page.request.get('/healthz')).status()).toBe(200);
  });
});

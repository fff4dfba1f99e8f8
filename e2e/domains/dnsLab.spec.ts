import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runAdmin } from '../support/admin.ts';
import { copyDemo } from '../support/demo.ts';
import { expect, test as base } from '../support/fixtures.ts';
import { type Sendroom, startSendroom } from '../support/startSendroom.ts';
import { pasted, signIn } from '../support/steps.ts';

// The test publishes the zone-file text of the page, and the page detects it.

/** Real name servers in the network namespace of this process (testing/lab/main.ts). */
type Lab = {
  /** Addresses by the names of testing/lab/addresses.ts. */
  resolvers: Readonly<Record<string, string>>;
  /** Replaces a zone: zone-file text without its SOA and name servers. */
  publish: (name: string, text: string) => Promise<void>;
  stop: () => Promise<void>;
};

type LabMessage = { resolvers?: Lab['resolvers']; published?: string; error?: string };

async function startLab(): Promise<Lab> {
  const child = spawn(process.execPath, ['testing/lab/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<LabMessage> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The lab ended; what it said is above.');
    return JSON.parse(value) as LabMessage;
  };
  const { resolvers = {} } = await next();
  return {
    resolvers,
    publish: async (name, text) => {
      child.stdin.write(`${JSON.stringify({ name, text })}\n`);
      const { error } = await next();
      if (error !== undefined) throw new Error(error);
    },
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

const test = base.extend<{ lab: Lab; own: Sendroom }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
  lab: async ({}, provide) => {
    const lab = await startLab();
    await provide(lab);
    await lab.stop();
  },
  own: async ({ demo, lab }, provide, testInfo) => {
    const database = await copyDemo(demo);
    const file = testInfo.outputPath('domains.ndjson');
    await writeFile(file, JSON.stringify({ name: DOMAIN, mail_from_domain: `bounce.${DOMAIN}`, dns: RECORDS }));
    await runAdmin(database.url, 'import', 'domains', file, '--workspace', demo.workspace);
    const sendroom = await startSendroom({ DATABASE_URL: database.url, DNS_SERVERS: lab.resolvers.validating ?? '' });
    await provide(sendroom);
    await sendroom.stop();
    await database.remove();
  },
  baseURL: async ({ own }, provide) => provide(own.url),
});

const DOMAIN = 'shop.com';
const TOKEN = `site-verification=${'a token "of" more than 255 bytes; '.repeat(10)}end`;
/** What receivers require of the domain that is not listed. */
const UNLISTED = '@ A 192.0.2.1\n_dmarc TXT "v=DMARC1; p=none"\n';
const RECORDS = [
  { type: 'CNAME', name: `k1._domainkey.${DOMAIN}`, value: 'k1.dkim.mailprovider.net' },
  { type: 'MX', name: `bounce.${DOMAIN}`, value: '10 feedback.mailprovider.net' },
  { type: 'TXT', name: `bounce.${DOMAIN}`, value: 'v=spf1 include:spf.mailprovider.net ~all' },
  { type: 'TXT', name: DOMAIN, value: TOKEN },
].map((record) => ({ ...record, is_valid: false }));

test("records turn correct once the page's zone-file text is published @additions @lab @sweep", async ({
  page,
  demo,
  lab,
}) => {
  await lab.publish(DOMAIN, UNLISTED);
  await signIn(page, demo);
  await page.goto(`/domains/${DOMAIN}`);
  const records = page.getByRole('region', { name: 'DNS records' });
  const head = page.getByRole('region', { name: 'State of the domain' });
  await head.getByRole('button', { name: 'Watch' }).click();
  await expect(head).toContainText('Needs fixing: 4 of 4');
  await expect(records.getByText(`Nothing exists at bounce.${DOMAIN}.`).first()).toBeVisible();

  await head.getByRole('button', { name: 'Send to the DNS person' }).click();
  await page.getByRole('button', { name: 'Copy changes' }).click();
  await page.keyboard.press('Escape');
  await lab.publish(DOMAIN, `${UNLISTED}${await pasted(page)}`);
  await expect(records.getByText('OK', { exact: true }).nth(3)).toBeVisible({ timeout: 40_000 });
  await expect(head).not.toContainText('Needs fixing');
  await expect(head.getByText('completed')).toBeVisible();
});

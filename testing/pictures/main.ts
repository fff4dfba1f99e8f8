import { type Browser, chromium, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSendroom } from '../../e2e/support/startSendroom.ts';
import { obtainBrowser } from '../programs/browser.ts';
import { obtainProgram, type Program } from '../programs/debianPackages.ts';

// `npm run pictures`: takes the pictures of README.md from the demo, in both color schemes, at twice the pixels.

const FOLDER = join(import.meta.dirname, '../../docs/pictures');
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** Each is unsubscribed once. */
const TICKETS: Record<Scheme, string> = {
  light: 'Mateo Costa <mateo.costa@example.com>',
  dark: 'Grace Adeyemi <grace.adeyemi@example.com>',
};

type Frame = { file: string; milliseconds: number };

async function main(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'sendroom-pictures-'));
  const browser = await chromium.launch({ executablePath: obtainBrowser(console.log) });
  try {
    const webp = (name: string) => obtainProgram(work, name, ['webp']);
    const sendroom = await startSendroom({ DATABASE_URL: `file:${join(work, 'demo.db')}` });
    try {
      const session = await signIn(browser, sendroom.signInLink);
      for (const scheme of SCHEMES) {
        const context = await browser.newContext({
          baseURL: sendroom.url,
          storageState: session,
          colorScheme: scheme,
          deviceScaleFactor: 2,
          locale: 'en-GB',
          timezoneId: 'UTC',
          viewport: { width: 1280, height: 800 },
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        await still(page, 'domains', scheme, work, webp('cwebp'), showDomains);
        await still(page, 'wall', scheme, work, webp('cwebp'), showWall);
        await still(page, 'dns', scheme, work, webp('cwebp'), showDns);
        await still(page, 'bulk', scheme, work, webp('cwebp'), showBulk);
        await page.setViewportSize({ width: 1000, height: 640 });
        await animate(await record(page, TICKETS[scheme], work), `unsubscribe-${scheme}`, webp('img2webp'));
        await context.close();
      }
    } finally {
      await sendroom.stop();
    }
  } finally {
    await browser.close();
    await rm(work, { recursive: true, force: true });
  }
}

async function signIn(browser: Browser, link: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

async function still(
  page: Page,
  name: string,
  scheme: Scheme,
  work: string,
  cwebp: Program,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  await show(page);
  const file = join(work, 'still.png');
  await page.screenshot({ path: file });
  execFileSync(cwebp.path, ['-quiet', '-q', '85', '-m', '6', file, '-o', join(FOLDER, `${name}-${scheme}.webp`)], {
    env: cwebp.env,
  });
}

async function showDomains(page: Page): Promise<void> {
  await page.goto('/domains');
  await page.getByRole('row').getByRole('link').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function showWall(page: Page): Promise<void> {
  await page.goto('/domains?view=wall');
  await page.getByRole('dialog').getByRole('link').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function showDns(page: Page): Promise<void> {
  await page.goto('/domains/mail.cafe-central.example');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText(/^Checked at/).waitFor();
  await page.waitForLoadState('networkidle');
}

async function showBulk(page: Page): Promise<void> {
  const { data } = (await (
    await page.request.get('/v1/contacts?page=6&per_page=12', { headers: { 'sendroom-console': '1' } })
  ).json()) as { data: { attributes: { email?: string } }[] };
  const emails = data.flatMap(({ attributes: { email } }) => (email === undefined ? [] : [email]));
  await page.goto('/desk');
  await page
    .locator('main textarea')
    .fill(['Owner,Email', ...emails.map((email) => `ana@acme.example,${email}`)].join('\n'));
  await page.locator('main button[type="submit"]').click();
  await page.getByRole('button', { name: /^Check \d+/ }).click();
  await page.getByRole('button', { name: /^Check \d+/ }).waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

/** A ticket's text is pasted, the contact opened, unsubscribed, and the proof shown: some ten seconds. */
async function record(page: Page, ticket: string, work: string): Promise<Frame[]> {
  const frames: Frame[] = [];
  const hold = async (milliseconds: number) => {
    const file = join(work, `frame-${frames.length}.png`);
    await page.screenshot({ path: file });
    frames.push({ file, milliseconds });
  };
  await page.goto('/contacts');
  await page.getByRole('row').getByRole('link').first().waitFor();
  const box = page.getByRole('searchbox').first();
  await box.click();
  await hold(1000);
  await box.fill(ticket);
  await hold(300);
  await page.locator('kbd', { hasText: 'Enter' }).waitFor();
  await hold(1700);
  await box.press('Enter');
  const unsubscribe = page.getByRole('button', { name: /^Unsubscribe/ }).first();
  await unsubscribe.waitFor();
  await page.waitForLoadState('networkidle');
  await hold(1300);
  await unsubscribe.hover();
  await hold(400);
  await unsubscribe.click();
  const confirm = page.locator('dialog[open] button[type="submit"]');
  await confirm.waitFor();
  await hold(1800);
  await confirm.click();
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /for .*ticket/ })
    .first()
    .waitFor();
  await page.waitForLoadState('networkidle');
  await hold(3500);
  return frames;
}

async function animate(frames: readonly Frame[], name: string, img2webp: Program): Promise<void> {
  const parts = frames.flatMap(({ file, milliseconds }) => ['-lossless', '-d', String(milliseconds), file]);
  execFileSync(img2webp.path, ['-loop', '0', ...parts, '-o', join(FOLDER, `${name}.webp`)], { env: img2webp.env });
}

await main();

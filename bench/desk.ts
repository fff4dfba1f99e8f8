import { chromium } from '@playwright/test';
import { join } from 'node:path';
import { obtainBrowser } from '../.ci/programs/browser.ts';
import { startHostileProxy } from '../e2e/hostileProxy.ts';
import { pasteText } from '../e2e/steps.ts';
import { startSendroom } from '../e2e/startSendroom.ts';
import { putContacts } from '../server/contacts/store.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { createToken, createWorkspace } from '../server/workspaces/store.ts';
import type { BenchmarkRow } from './table.ts';

const LINES = 2_000;
const SHARES = { 'Not found': 0.05, 'Already unsubscribed': 0.1, Duplicate: 0.03, Unreadable: 0.01 };
const LONGEST_MINUTES = 20;

/**
 * Some thousand lines at the desk, with a service that sometimes fails: time per line, and the longest time the page was
 * blocked.
 */
export async function measureDesk(folder: string): Promise<BenchmarkRow[]> {
  const databaseUrl = `file:${join(folder, 'desk.db')}`;
  const { token, text, expected } = await fill(databaseUrl);
  const sendroom = await startSendroom({ DATABASE_URL: databaseUrl, DEMO: 'off' });
  const proxy = await startHostileProxy(sendroom.url);
  const browser = await chromium.launch({
    executablePath: obtainBrowser(console.log, 'full'),
    args: ['--disable-gpu'],
  });
  try {
    const page = await browser.newPage({ baseURL: proxy.url });
    await page.request.post('/session', { headers: { 'sendroom-console': '1' }, data: { token } });
    await page.addInitScript(watchLongTasks);
    await page.goto('/desk');
    await page.getByLabel('Who wants no more mail?').focus();
    await pasteText(page, text);
    const start = page.getByRole('button', { name: /^Unsubscribe [\d,]+$/ });
    await start.waitFor();
    const reading = await page.evaluate(takeLongest);
    proxy.answer(/^\/v1\//, 'flaky');
    const began = performance.now();
    await start.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Unsubscribe [\d,]+$/ })
      .click();
    await page.getByRole('region', { name: 'Receipt' }).waitFor({ timeout: LONGEST_MINUTES * 60_000 });
    const took = performance.now() - began;
    const running = await page.evaluate(takeLongest);
    const filters = await page.getByRole('group', { name: 'Show' }).getByRole('button').allInnerTexts();
    const counted = Object.fromEntries(filters.map((filter) => [filter.replace(/ [\d,]+$/, ''), countIn(filter)]));
    for (const [state, count] of Object.entries(expected)) {
      if (counted[state] !== count) throw new Error(`${state}: ${counted[state]} instead of ${count}.`);
    }
    return [
      [
        `desk, ${LINES.toLocaleString('en')} lines, one call in twenty refused: whole run`,
        `${(took / 1000).toFixed(0)} s`,
      ],
      ['the same, each line', `${(took / LINES).toFixed(1)} ms`],
      ['longest task of the page while it runs', longest(running), 'under 50 ms'],
      ['longest task of the page while it reads the list', longest(reading), 'under 50 ms'],
    ];
  } finally {
    await browser.close();
    await proxy.close();
    await sendroom.stop();
  }
}

const countIn = (filter: string) => Number(/[\d,]+$/.exec(filter)?.[0].replaceAll(',', ''));
/** The browser reports tasks from 50 ms on. */
const longest = (task: number) => (task === 0 ? 'under 50 ms' : `${task.toFixed(0)} ms`);

async function fill(databaseUrl: string): Promise<{ token: string; text: string; expected: Record<string, number> }> {
  const database = await openDatabase(databaseUrl);
  const now = Date.now();
  const workspace = await createWorkspace(database, { name: 'bench', identity_field: null }, now);
  const { token } = await createToken(workspace, database, { name: 'bench', role: 'admin' }, now);
  const emails = Array.from({ length: LINES }, (_, index) => `c${index}@example.com`);
  const out = LINES * SHARES['Already unsubscribed'];
  const contacts = emails.map((email, index) => ({ attributes: { email }, subscribed: index >= out }));
  await database.write(workspace, (scope) => putContacts(scope, contacts, now - 86_400_000));
  await database.close();
  const expected = Object.fromEntries(Object.entries(SHARES).map(([state, share]) => [state, LINES * share]));
  const known = LINES - LINES * (SHARES['Not found'] + SHARES.Duplicate + SHARES.Unreadable);
  const lines = [
    ...emails.slice(0, known),
    ...Array.from({ length: LINES * SHARES['Not found'] }, (_, index) => `nobody${index}@nowhere.test`),
    ...emails.slice(0, LINES * SHARES.Duplicate).map((email) => email.toUpperCase()),
    ...Array.from({ length: LINES * SHARES.Unreadable }, () => 'no idea who this is'),
  ];
  return { token, text: lines.join('\n'), expected: { ...expected, Unsubscribed: known - out } };
}

type LongTaskWindow = { longestTask: number };

/** Runs in the page, before anything else. */
function watchLongTasks(): void {
  const watched = window as unknown as LongTaskWindow;
  watched.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longestTask = Math.max(watched.longestTask, duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** Runs in the page: the longest task since the last call, in milliseconds. */
function takeLongest(): number {
  const watched = window as unknown as LongTaskWindow;
  const longest = watched.longestTask;
  watched.longestTask = 0;
  return longest;
}

import type { Page } from '@playwright/test';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { createToken, runAdmin } from './admin.ts';
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts';
import { expect, test as base } from './fixtures.ts';
import { startSendroom, type Sendroom } from './startSendroom.ts';
import { columnOf } from './steps.ts';

// A deliverability person with more domains than a page holds: which of them need me?

type Fleet = { sendroom: Sendroom; token: string };

/** As they are listed, newest first: those that need somebody are on the third page of 25. */
const STATES = [
  ...Array.from({ length: 55 }, () => 'healthy'),
  ...Array.from({ length: 6 }, () => 'broken'),
  ...Array.from({ length: 20 }, () => 'healthy'),
  ...Array.from({ length: 3 }, () => 'new'),
] as const;
const BROKEN = STATES.flatMap((state, index) => (state === 'broken' ? [nameOf(index)] : []));
const START = Date.parse('2026-01-31T12:00:00Z');

function nameOf(index: number): string {
  return `mail${String(index).padStart(2, '0')}.example`;
}

function domainOf(state: (typeof STATES)[number], index: number) {
  const isRight = state === 'healthy';
  const word = state === 'new' ? 'pending' : 'completed';
  const name = nameOf(index);
  return {
    name,
    verified: state !== 'new',
    status: word,
    verification: word,
    mail_from_domain: '',
    provider: 'ses',
    created_at: new Date(START - index * 60_000).toISOString(),
    dns: [
      { type: 'CNAME', name: `k1._domainkey.${name}`, value: 'k1.dkim.mail.example.net', is_valid: isRight },
      { type: 'TXT', name: `_dmarc.${name}`, value: 'v=DMARC1; p=none', is_valid: state !== 'new' },
    ],
  };
}

const test = base.extend<object, { fleet: Fleet }>({
  fleet: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
    async ({}, provide, workerInfo) => {
      const folder = workerInfo.project.outputDir;
      const url = `file:${join(folder, `domains-${workerInfo.workerIndex}-${Date.now()}.db`)}`;
      const file = join(folder, `domains-${workerInfo.workerIndex}.ndjson`);
      await writeFile(file, STATES.map((state, index) => JSON.stringify(domainOf(state, index))).join('\n'));
      const made = await runAdmin(url, 'workspace', 'create', '--name', 'Acme');
      const workspace = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(made)?.[0] ?? '';
      const token = await createToken(url, workspace, 'admin');
      await runAdmin(url, 'import', 'domains', file, '--workspace', workspace);
      const sendroom = await startSendroom({ DATABASE_URL: url, DEMO: 'off' });
      await provide({ sendroom, token });
      await sendroom.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ fleet }, provide) => provide(fleet.sendroom.url),
});

const states = (page: Page) => page.getByRole('group', { name: 'State of all domains' });
/** Waits until as many rows as that are shown. */
async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  await expect(page.getByRole('row')).toHaveCount(names.length + 1);
  expect(await columnOf(page.getByRole('table'), 'Domain')).toEqual(names);
}

async function signInToFleet(page: Page, fleet: Fleet): Promise<void> {
  const answer = await page.request.post('/session', {
    headers: { 'sendroom-console': '1' },
    data: { token: fleet.token },
  });
  expect(answer.status()).toBe(200);
  // As in a browser without a file picker: a system dialog cannot be operated here.
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
}

test.beforeEach(({ page, fleet }) => signInToFleet(page, fleet));

test('"which of my 84 domains need me?" is one click, and the six of page 3 are there @additions', async ({ page }) => {
  await page.goto('/domains');
  await expect(states(page).getByRole('button')).toHaveText(['75 healthy', '3 being set up', '6 need you']);
  await states(page).getByRole('button', { name: '6 need you' }).click();
  await expectNames(page, BROKEN);
  await expect(page).toHaveURL('/domains?state=failing');
  await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText('1–6 of 6');
  await expect(states(page).getByRole('button', { name: '6 need you' })).toHaveAttribute('aria-pressed', 'true');

  const first = page.getByRole('row').nth(1);
  await expect(first.getByRole('link', { name: 'Needs fixing' })).toHaveAccessibleDescription(
    'Verified: yes Status: completed Verification: completed DNS records: 1 of 2 valid',
  );
  await expect(first.getByRole('list')).toMatchAriaSnapshot(`
    - list:
      - /children: equal
      - listitem:
        - 'img "DKIM: needs fixing at last check"'
      - listitem:
        - 'img "SPF: no record needed"'
      - listitem:
        - 'img "DMARC: correct at last check"'
      - listitem:
        - 'img "MAIL FROM: no record needed"'
  `);
  await expectAccessible(page);
  await states(page).getByRole('button', { name: 'Show all 84' }).click();
  await expect(page).toHaveURL('/domains');
  await expect(page.getByRole('row')).toHaveCount(26);
  // The same button, once more, also ends what it began.
  const pending = states(page).getByRole('button', { name: '3 being set up' });
  await pending.click();
  await expect(page).toHaveURL('/domains?state=pending');
  await expect(pending).toHaveAttribute('aria-pressed', 'true');
  await pending.click();
  await expect(page).toHaveURL('/domains');
});

test('the counts are read again with the list, and a state that none has left stays as the filter that it is @additions @sweep', async ({
  page,
}) => {
  await page.goto('/domains?state=failing');
  await expect(states(page).getByRole('button', { name: '6 need you' })).toBeVisible();
  await page.route('**/v1/domains/summary', (route) =>
    route.fulfill({ json: { data: { total: 84, healthy: 81, pending: 3, failing: 0 } } }),
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(states(page).getByRole('button', { name: '0 need you' })).toHaveAttribute('aria-pressed', 'true');
});

test('turning a page reads the counts again once they are stale, and a refresh at once @additions @sweep', async ({
  page,
}) => {
  const start = Date.now();
  // The count that is shown is the number of readings, so that a reading has ended once it is seen.
  let reads = 0;
  await page.route('**/v1/domains/summary', (route) =>
    route.fulfill({ json: { data: { total: 84, healthy: 0, pending: 0, failing: ++reads } } }),
  );
  const turn = async (button: string, shown: string) => {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('navigation', { name: 'Pages of domains' })).toContainText(shown);
  };
  const asked: string[] = [];
  await page.clock.setFixedTime(start);
  await page.goto('/domains?page=3');
  await expect(states(page).getByRole('button', { name: '1 needs you' })).toBeVisible();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) asked.push(pathname);
  });
  await page.clock.setFixedTime(start + 5000);
  await turn('Previous page', '26–50 of 84');
  await page.clock.setFixedTime(start + 6000);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(states(page).getByRole('button', { name: '2 need you' })).toBeVisible();
  expect(asked).toEqual(['/v1/domains', '/v1/domains', '/v1/domains/summary']);
  await page.clock.setFixedTime(start + 30_000);
  await turn('Previous page', '1–25 of 84');
  await expect(states(page).getByRole('button', { name: '3 need you' })).toBeVisible();
});

test('the link to them works in a fresh session, sorted and searched, and in the matrix @additions @sweep', async ({
  page,
}) => {
  await page.goto('/domains?state=failing&sort=name&search=mail5');
  await expectNames(
    page,
    BROKEN.filter((name) => name.includes('mail5')),
  );
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('');
  await expectNames(page, BROKEN);

  await page.goto('/domains?view=matrix&state=failing');
  await expectNames(page, BROKEN);
  await expect(page.getByRole('button', { name: 'Check all 6 shown' })).toBeEnabled();
  // A link to results of a check, in a session that has checked nothing, is no dead end.
  await page.goto('/domains?view=fleet&result=fail');
  await expect(page.getByRole('row')).toHaveCount(26);
  await expect(page.getByRole('button', { name: 'Check all 25 shown' })).toBeEnabled();
});

test('they are exported, and nobody else, with all fields @additions @sweep', async ({ page }) => {
  await page.goto('/domains?state=failing');
  await page.getByRole('button', { name: 'Export and share domains' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export and share domains' });
  await expect(dialog).toContainText('6 domains');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as CSV' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  const records: Record<string, string>[] = parse(text, { bom: true, columns: true, record_delimiter: '\r\n' });
  expect(records.map(({ name }) => name)).toEqual(BROKEN);
  expect(Object.keys(records[0]!)).toEqual(expect.arrayContaining(['verified', 'status', 'verification', 'dns']));
});

test('with the keyboard alone, and on a narrow screen in the dark @additions @sweep', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 720 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/domains');
  const choice = states(page).getByRole('button', { name: '6 need you' });
  await choice.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/domains?state=failing');
  await expect(choice).toBeFocused();
  await expect(page.getByRole('row').filter({ hasText: BROKEN[0]! })).toContainText('Needs fixing');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

import type { Download, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import { PER_PAGE_MAX, type Page as PageOf } from '#contract/list.ts';
import type { Demo } from '../support/demo.ts';
import { expect, test } from '../support/fixtures.ts';
import { signIn } from '../support/steps.ts';

// An exported file is read back and compared with the data of the service.

test.beforeEach(({ page, demo }) => signIn(page, demo));

type Resource = { uuid: string; attributes?: Record<string, unknown> };

async function readAll(page: Page, { token }: Demo, path: string, query = ''): Promise<Resource[]> {
  const all: Resource[] = [];
  for (let number = 1; ; number++) {
    const response = await page.request.get(`${path}?per_page=${PER_PAGE_MAX}&page=${number}&${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data, meta } = (await response.json()) as PageOf<Resource>;
    all.push(...data);
    if (!meta.has_next) return all;
  }
}

const dialog = (page: Page, what: string) => page.getByRole('dialog', { name: `Export and share ${what}` });

async function openExport(page: Page, what: string): Promise<void> {
  await page.getByRole('button', { name: `Export and share ${what}` }).click();
  await expect(dialog(page, what)).toBeVisible();
}

async function save(page: Page, what: string, format: 'CSV' | 'NDJSON'): Promise<Download> {
  await openExport(page, what);
  const download = page.waitForEvent('download');
  await dialog(page, what)
    .getByRole('button', { name: `Save as ${format}` })
    .click();
  return download;
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8');
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
const recordsOf = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, record_delimiter: '\r\n' });

test('the unsubscribed contacts of a filter are all in the file @additions', async ({ page, demo }) => {
  await page.goto('/suppressions?reason=complaint');
  const records = recordsOf(await textOf(await save(page, 'unsubscribed contacts', 'CSV')));
  const expected = (await readAll(page, demo, '/v1/suppressions', 'reason=complaint')) as unknown as {
    contact: Resource;
    recorded_at: string | null;
  }[];
  expect(expected.length).toBeGreaterThan(20);
  expect(records.map((record) => record['contact.uuid'])).toEqual(expected.map(({ contact }) => contact.uuid));
  const emails = expected.map(({ contact }) => contact.attributes?.email ?? '');
  expect(emails.filter((email) => email !== '').length).toBeGreaterThan(20);
  expect(records.map((record) => record['contact.attributes.email'])).toEqual(emails);
  const names = expected.map(({ contact }) => contact.attributes?.first_name ?? '');
  expect(records.map((record) => record['contact.attributes.first_name'])).toEqual(names);
  expect(Object.keys(records[0] ?? {})).toContain('contact.attributes.customer_id');
  expect(new Set(records.map(({ reason }) => reason))).toEqual(new Set(['complaint']));
  expect(records.map(({ recorded_at }) => recorded_at)).toEqual(expected.map((one) => one.recorded_at ?? ''));
});

test('a CSV has the filter and order of the table, and is safe for a spreadsheet @additions', async ({
  page,
  demo,
}) => {
  await page.goto('/contacts?subscribed=false&sort=email');
  const text = await textOf(await save(page, 'contacts', 'CSV'));
  expect(text.startsWith('\uFEFFuuid,subscribed,created_at,updated_at,attributes.email,')).toBe(true);
  const expected = await readAll(page, demo, '/v1/contacts', 'subscribed=false&sorting[]={"id":"email","desc":false}');
  expect(expected.length).toBeGreaterThan(100);
  const records = recordsOf(text);
  expect(records.map(({ uuid }) => uuid)).toEqual(expected.map(({ uuid }) => uuid));
  for (const [index, record] of records.entries()) {
    const { attributes = {} } = expected[index]!;
    expect(JSON.parse(record.attributes!)).toEqual(attributes);
    expect(record['attributes.email']).toBe(attributes.email ?? '');
    const phone = typeof attributes.phone === 'string' ? `'${attributes.phone}` : '';
    expect(record['attributes.phone']).toBe(phone);
    expect(record['attributes.customer_id']).toBe(attributes.customer_id ?? '');
  }
  expect(records.flatMap((record) => Object.values(record)).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
});

test('a chosen file is written as rows arrive @additions @sweep', async ({ page, demo }) => {
  await page.addInitScript(() => {
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        const folder = await navigator.storage.getDirectory();
        return folder.getFileHandle(suggestedName, { create: true });
      },
    });
  });
  const { uuid } = demo.busiest.contact;
  await page.goto(`/contacts/${uuid}?search=email_clicked`);
  await openExport(page, 'events');
  await dialog(page, 'events').getByRole('button', { name: 'Save as NDJSON' }).click();
  const message = dialog(page, 'events').getByText(/events saved as sendroom-events/);
  await expect(message).toBeVisible();
  const name = /as (\S+)$/.exec(await message.innerText())![1]!;
  const text = await page.evaluate(async (file) => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle(file)).getFile()).text();
  }, name);
  const query = 'search=email_clicked&sorting[]={"id":"created_at","desc":true}';
  const expected = await readAll(page, demo, `/v1/contacts/${uuid}/events`, query);
  expect(expected.length).toBeGreaterThan(PER_PAGE_MAX);
  expect(linesOf(text)).toEqual(expected.map((event) => ({ contact: uuid, ...event })));
});

test('an export shows progress, and leaves nothing when cancelled @additions', async ({ page }) => {
  // From the second page on.
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/v1\/contacts\?.*page=[2-9]\d*&per_page=100/, async (route) => {
    await promise;
    await route.continue();
  });
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  await page.goto('/contacts');
  await openExport(page, 'contacts');
  await dialog(page, 'contacts').getByRole('button', { name: 'Save as CSV' }).click();
  await expect(dialog(page, 'contacts')).toContainText(/100 of 2,\d{3} contacts exported/);
  const cancel = dialog(page, 'contacts').getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'contacts')).toContainText('No contacts were saved.');
  release();
  await dialog(page, 'contacts').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(downloads).toEqual([]);
});

test('an export survives a temporary failure, and says what the file has if it fails @additions @sweep', async ({
  page,
  faults,
}) => {
  faults.expect(/Failed to load resource/);
  await page.route(/\/v1\/contacts\?page=3&per_page=100/, (route) => route.fulfill({ status: 503, body: '' }), {
    times: 1,
  });
  await page.route(/\/v1\/contacts\?page=4&per_page=100/, (route) => route.fulfill({ status: 403, body: '' }));
  await page.goto('/contacts');
  const download = await save(page, 'contacts', 'NDJSON');
  expect(linesOf(await textOf(download))).toHaveLength(300);
  const alert = dialog(page, 'contacts').getByRole('alert');
  await expect(alert).toContainText('The service does not allow this.');
  await expect(alert).toContainText(/The file has the first 300 of 2,\d{3} contacts\./);
});

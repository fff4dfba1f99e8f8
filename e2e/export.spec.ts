import type { Download, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { PER_PAGE_MAX, type Page as PageOf } from '#contract/list.ts';
import type { Demo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { pasted, signIn } from './steps.ts';

// An exported file is read back and compared with the data of the service.

test.beforeEach(async ({ page, demo }) => {
  await signIn(page, demo);
  // As in a browser without a file picker: a system dialog cannot be operated here.
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
});

type Resource = { uuid: string; attributes?: Record<string, unknown> };

/** All rows of a list, as another program reads them. */
async function readAll(page: Page, { token }: Demo, path: string, query = ''): Promise<Resource[]> {
  const all: Resource[] = [];
  for (let number = 1; ; number++) {
    const answer = await page.request.get(`${path}?per_page=${PER_PAGE_MAX}&page=${number}&${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data, meta } = (await answer.json()) as PageOf<Resource>;
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

test('every contact, exactly as the service holds it, as NDJSON @additions', async ({ page, demo }) => {
  await page.goto('/contacts');
  const download = await save(page, 'contacts', 'NDJSON');
  expect(download.suggestedFilename()).toMatch(/^sendroom-contacts-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.ndjson$/);
  const expected = await readAll(page, demo, '/v1/contacts', 'sorting[]={"id":"created_at","desc":true}');
  expect(expected.length).toBeGreaterThanOrEqual(2000);
  expect(linesOf(await textOf(download))).toEqual(expected);
  const said = `${expected.length.toLocaleString('en')} contacts saved as sendroom-contacts`;
  await expect(dialog(page, 'contacts').getByText(said)).toBeVisible();
});

test('contacts as CSV, filtered and sorted as the table is, safe for a spreadsheet @additions', async ({
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

test('the events of a contact, searched and oldest first @additions @sweep', async ({ page, demo }) => {
  const { uuid } = demo.busiest.contact;
  await page.goto(`/contacts/${uuid}?search=email&sort=created_at`);
  const download = await save(page, 'events', 'NDJSON');
  expect(download.suggestedFilename()).toContain(`sendroom-events-of-${uuid}-`);
  const query = 'search=email&sorting[]={"id":"created_at","desc":false}';
  const expected = await readAll(page, demo, `/v1/contacts/${uuid}/events`, query);
  expect(expected.length).toBeGreaterThan(PER_PAGE_MAX);
  expect(linesOf(await textOf(download))).toEqual(expected);
});

test('domains and sender addresses @additions @sweep', async ({ page, demo }) => {
  await page.goto('/domains?sort=name');
  const domains = await readAll(page, demo, '/v1/domains', 'sorting[]={"id":"name","desc":false}');
  const records = recordsOf(await textOf(await save(page, 'domains', 'CSV')));
  expect(records.map((record) => ({ name: record.name, dns: JSON.parse(record.dns!) as unknown }))).toEqual(
    domains.map((domain) => ({ name: 'name' in domain && domain.name, dns: 'dns' in domain && domain.dns })),
  );

  const domain = demo.domains.find(({ uuid }) => (demo.addresses[uuid] ?? 0) > 1)!;
  await page.goto(`/domains/${domain.name}`);
  const download = await save(page, 'sender addresses', 'NDJSON');
  expect(download.suggestedFilename()).toContain(`sendroom-addresses-of-${domain.name}-`);
  expect(linesOf(await textOf(download))).toEqual(await readAll(page, demo, `/v1/domains/${domain.uuid}/addresses`));
});

test('a list of one is not counted in the plural @additions @sweep', async ({ page, demo }) => {
  const { name } = demo.domains.find(
    (domain) => !demo.domains.some((other) => other !== domain && other.name.includes(domain.name)),
  )!;
  await page.goto(`/domains?search=${name}`);
  await expect(page.getByRole('cell', { name, exact: true })).toBeVisible();
  await save(page, 'domains', 'NDJSON');
  await expect(dialog(page, 'domains')).toContainText(`1 domain that matches “${name}”, from every page`);
  await expect(dialog(page, 'domains')).toContainText('1 domain saved as sendroom-domains');
  await expect(page.locator('#announcements')).toContainText(/Exported 1 domain$/);
});

test('a file of the user’s choice is written as it goes @additions @sweep', async ({ page, demo }) => {
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
  const said = dialog(page, 'events').getByText(/events saved as sendroom-events/);
  await expect(said).toBeVisible();
  const name = /as (\S+)$/.exec(await said.innerText())![1]!;
  const text = await page.evaluate(async (file) => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle(file)).getFile()).text();
  }, name);
  const query = 'search=email_clicked&sorting[]={"id":"created_at","desc":true}';
  const expected = await readAll(page, demo, `/v1/contacts/${uuid}/events`, query);
  expect(expected.length).toBeGreaterThan(PER_PAGE_MAX);
  expect(linesOf(text)).toEqual(expected);
});

test('no file chosen is no export @additions @sweep', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, {
      showSaveFilePicker: () => Promise.reject(new DOMException('The user aborted a request.', 'AbortError')),
    });
  });
  await page.goto('/domains');
  await openExport(page, 'domains');
  const button = dialog(page, 'domains').getByRole('button', { name: 'Save as CSV' });
  await button.click();
  await expect(button).toBeEnabled();
  await expect(dialog(page, 'domains').getByText('saved')).toBeHidden();
  await expect(dialog(page, 'domains').getByRole('alert')).toBeHidden();
});

/** Lets the pages of contacts pass one at a time, from the second page of an export on. */
async function holdPages(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/v1\/contacts\?.*page=[2-9]\d*&per_page=100/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('progress is shown, and an export that is cancelled leaves nothing @additions', async ({ page }) => {
  const release = await holdPages(page);
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

test('a list that changes while it is read is said to have changed @additions @sweep', async ({
  page,
  demo,
  person,
}) => {
  const release = await holdPages(page);
  await page.goto('/contacts?sort=-updated_at');
  await openExport(page, 'contacts');
  const download = page.waitForEvent('download');
  await dialog(page, 'contacts').getByRole('button', { name: 'Save as NDJSON' }).click();
  await expect(dialog(page, 'contacts')).toContainText(/100 of 2,\d{3} contacts exported/);
  // It comes first in this order and moves another one to the next page, where it is read again.
  await page.request.post(`/v1/contacts/${person.uuid}`, {
    headers: { authorization: `Bearer ${demo.token}` },
    data: { attributes: { company: 'Changed Ltd' } },
  });
  release();
  const uuids = (linesOf(await textOf(await download)) as Resource[]).map(({ uuid }) => uuid);
  expect(new Set(uuids).size).toBe(uuids.length);
  await expect(dialog(page, 'contacts')).toContainText('The list changed during the export');
});

test('an export that breaks off says what the file holds @additions @sweep', async ({ page, faults }) => {
  faults.expect(/Failed to load resource/);
  await page.route(/\/v1\/contacts\?page=4&per_page=100/, (route) => route.fulfill({ status: 403, body: '' }));
  await page.goto('/contacts');
  const download = await save(page, 'contacts', 'NDJSON');
  expect(linesOf(await textOf(download))).toHaveLength(300);
  const alert = dialog(page, 'contacts').getByRole('alert');
  await expect(alert).toContainText('The service does not allow this.');
  await expect(alert).toContainText(/The file has the first 300 of 2,\d{3} contacts\./);
});

test('a failure that passes is not seen in the file @additions @sweep', async ({ page, demo, faults }) => {
  faults.expect(/Failed to load resource/);
  let failed = false;
  await page.route(/\/v1\/contacts\?page=3&per_page=100/, async (route) => {
    if (failed) return route.continue();
    failed = true;
    await route.fulfill({ status: 503, body: '' });
  });
  await page.goto('/contacts?subscribed=true');
  const download = await save(page, 'contacts', 'NDJSON');
  const expected = await readAll(
    page,
    demo,
    '/v1/contacts',
    'subscribed=true&sorting[]={"id":"created_at","desc":true}',
  );
  expect(linesOf(await textOf(download))).toEqual(expected);
  expect(failed).toBe(true);
});

test('the command that is copied reads the page that is shown @additions @sweep', async ({ page, demo }) => {
  await page.goto('/domains?sort=-name&page=2&per_page=10');
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
  await openExport(page, 'domains');
  await dialog(page, 'domains').getByRole('button', { name: 'Copy as curl' }).click();
  await page.keyboard.press('Escape');
  const command = await pasted(page);
  expect(command).toContain('$TOKEN');
  const { stdout } = await promisify(execFile)('sh', ['-c', standIn(command)], {
    env: { ...process.env, TOKEN: demo.token },
  });
  const { data, meta } = JSON.parse(stdout) as PageOf<{ name: string }>;
  expect(meta.current_page).toBe(2);
  const shown = page.getByRole('table').getByRole('row').getByRole('cell').and(page.locator(':first-child'));
  await expect(shown).toHaveText(data.map(({ name }) => name));
});

/** Runs `command` with a curl written in Node, for machines without one; it sends the address and each header. */
function standIn(command: string): string {
  const script = `
    const [url, ...words] = process.argv.slice(1);
    const headers = words.filter((_, index) => words[index - 1] === '--header').map((line) => line.split(': '));
    fetch(url, { headers }).then(async (answer) => process.stdout.write(await answer.text()));`;
  return `curl() { '${process.execPath}' -e '${script.replaceAll("'", String.raw`'\''`)}' -- "$@"; }\n${command}`;
}

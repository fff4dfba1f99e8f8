import type { Page } from '@playwright/test';
import { expect, expectLiteral, expectNothingInjected, test } from '../support/literal.ts';
import { PAYLOADS } from '../support/payloads.ts';
import { signIn, updateAsCaller } from '../support/steps.ts';

// The payloads as input: typed, pasted, in a link, or stored by our own service.

const ENTRIES = Object.entries(PAYLOADS);
/** With this every payload is in both places: `npm run drill -- payloads`. Otherwise each is in one. */
const isWhole = process.env['EVERY_PAYLOAD'] === '1';
/** The payloads that are tried one by one in this place. */
const halfOf = (place: 0 | 1) => ENTRIES.filter((_, index) => isWhole || index % 2 === place);
/** What the service accepts as the name of an attribute, in a search, and in a URL. */
const isTaken = (text: string) => text.length <= 128 && text.isWellFormed() && !text.includes('\u0000');
/** As an input field has it: without line breaks and lone surrogates. */
const inField = (text: string) => text.toWellFormed().replaceAll(/[\r\n]/g, ' ');
/** The same for a list, where separators split values. */
const inLine = (text: string) => inField(text.replaceAll(/[,;\t|]/g, ' ')).trim();
/** As cells of a table, each unreadable: most others contain an address. */
const asTable = (texts: readonly string[]) =>
  [
    'Row,Email',
    ...texts.map((_, index) => `${index},jane${index}@x.test`),
    ...texts.map((text) => `x,"${text.replaceAll('"', '""')}"`),
    'x,jane@x.test',
  ].join('\n');
const FAILED_TO_LOAD = /Failed to load resource/;

test.beforeEach(async ({ page, demo, faults }) => {
  faults.expect(FAILED_TO_LOAD);
  await signIn(page, demo);
});

async function goWithin(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

test('stored names and values @additions', async ({ page, demo, person }) => {
  const kept = ENTRIES.filter(([, text]) => isTaken(text));
  expect(kept).toHaveLength(38);
  const attributes = Object.fromEntries(
    kept.map(([name, text]) => [text, { [`in ${text}`]: [`value ${name}: ${text}`] }]),
  );
  await updateAsCaller(page, demo, person.uuid, { ...attributes, company: PAYLOADS['script'] });
  await page.goto(`/contacts/${person.uuid}`);
  const texts = Object.fromEntries(
    kept.flatMap(([name, text]) => [
      [name, text],
      [`in ${name}`, `in ${text}`],
      [`value of ${name}`, `value ${name}: ${text}`],
    ]),
  );
  await expectLiteral(page.getByRole('region', { name: 'Attributes' }), texts);
  await expectLiteral(page.getByRole('region', { name: 'Story', exact: true }), texts);
  await expectNothingInjected(page);
});

test('a search that reorders the text around it @additions', async ({ page }) => {
  const text = 'any\u202egnp';
  await page.goto(`/domains?search=${encodeURIComponent(text)}`);
  await expectLiteral(page.getByText('No domain matches'), { text });
  await expectNothingInjected(page);
  await page.getByRole('button', { name: 'Export and share domains' }).click();
  await expectLiteral(page.getByRole('dialog'), { text });
  await expectNothingInjected(page);
});

const TIMEOUT = isWhole ? 900_000 : 240_000;

test('in the URL of a page @additions @sweep', async ({ page, person }) => {
  test.setTimeout(TIMEOUT);
  await page.goto('/domains');
  for (const [name, text] of halfOf(0)) {
    const typed = text.toWellFormed();
    const escaped = encodeURIComponent(typed);
    if (isTaken(text)) await page.goto(`/domains/${escaped}`);
    else await goWithin(page, `/domains/${escaped}`);
    const main = page.getByRole('main');
    await expectLiteral(main.getByRole('heading', { level: 1 }), { [name]: typed });
    await expectNothingInjected(page);
    for (const place of ['/domains', `/contacts/${person.uuid}`]) {
      const query = ['search', 'sort', 'page', 'per_page', 'view', 'records'].map((key) => `${key}=${escaped}`);
      await goWithin(page, `${place}?${query.join('&')}`);
      await expect(main.getByRole('searchbox')).toHaveCount(1);
      await expectLiteral(main, { [name]: typed });
      if (isTaken(text)) await expectLiteral(main.getByText(/^No (domain|event) matches/), { [name]: typed });
      await expectNothingInjected(page);
    }
    await goWithin(page, `/contacts/${escaped}`);
    await expectLiteral(main.getByRole('search', { name: 'Find a contact' }), { [name]: typed });
    await goWithin(page, `/nowhere/${escaped}#${escaped}`);
    await expect(main.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expectNothingInjected(page);
  }
});

test('in a bulk list @additions @sweep', async ({ page }) => {
  test.setTimeout(TIMEOUT);
  await page.goto('/desk');
  for (const [name, text] of halfOf(1)) {
    const fileName = text.toWellFormed().slice(0, 200);
    const file = { name: fileName, mimeType: 'text/csv', buffer: Buffer.from('jane@example.com') };
    await page.getByLabel('File with the list').setInputFiles(file);
    const plan = page.getByRole('region', { name: 'What will happen' });
    await expectLiteral(plan, { [name]: fileName });
    await expectNothingInjected(page);
    await plan.getByRole('button', { name: 'New list' }).click();
  }
  for (const from of [0, 10, 20, 30]) {
    const part = ENTRIES.slice(from, from + 10);
    const lines = Object.fromEntries(part.map(([name, text]) => [name, inLine(text).slice(0, 900)]));
    await page.getByLabel('Who should be unsubscribed?').fill(asTable(Object.values(lines)));
    await page.getByRole('button', { name: 'Read the list' }).click();
    await expectLiteral(page.getByRole('region', { name: 'The list' }), lines);
    await expectNothingInjected(page);
    await page.getByRole('button', { name: 'New list' }).click();
  }
});

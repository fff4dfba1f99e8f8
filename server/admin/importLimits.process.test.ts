import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { escapeFormulas, escapeFormulasInJson } from '#contract/csvInjection.ts';
import { findContact } from '../contacts/store.ts';
import { startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';

// Files with generated, extreme content.

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const MB = 1_000_000;

/** The command with so little memory that it fails if a file is held as a whole, or in millions of pieces. */
const importWithLittleMemory = (file: string, megabytes = 128) =>
  t.admin(['import', 'contacts', file, '--workspace', t.workspace.uuid, '--json'], {
    settings: { NODE_OPTIONS: `--max-old-space-size=${megabytes}` },
  });

/** A file with one line of mostly empty cells. */
function columns(count: number): string {
  const names = Array.from({ length: count - 1 }, (_, index) => `c${index}`).join(',');
  return `email,${names}\nann@example.com,x${','.repeat(count - 2)}\n`;
}

test('a file of more columns than anybody has is one sentence', async () => {
  const many = await t.importFile('contacts', await t.file('many.csv', columns(100_000)));
  expect(many).toMatchObject({ code: 1 });
  expect(many.result()).toEqual({
    error: 'The first line of the file names 100,000 columns, and an import takes at most 1,000.',
  });
  expect((await t.importFile('contacts', await t.file('more.csv', columns(1001)))).code).toBe(1);
  const most = await t.importFile('contacts', await t.file('most.csv', columns(1000)));
  expect(most.result()).toMatchObject({ added: 1, refused: 0 });
  expect(most.err).toMatch(/^Columns read as attributes: c0, c1, .*, c19 and 979 more\.\n$/);
});

describe('100 MB in one record', () => {
  const QUOTE = 'A quote opens here that does not close within 1 MiB: no line after it was read.';
  const LINE = 'The line is longer than 1 MiB.';
  test.each([
    ['of lines inside a quote', 'csv', `"${'\n'.repeat(100 * MB)}"\n`, QUOTE],
    ['of text inside a quote', 'csv', `"${'x'.repeat(100 * MB)}"\n`, LINE],
    ['of cells', 'csv', `${'x,'.repeat(50 * MB)}\n`, LINE],
    ['of JSON', 'ndjson', `{"attributes":{"note":"${'x'.repeat(100 * MB)}"}}\n`, LINE],
    ['of brackets', 'ndjson', `{"attributes":{"note":${'['.repeat(100 * MB)}}\n`, LINE],
  ])('%s is a fault of its line', async (_, format, record, fault) => {
    const head = format === 'csv' ? 'email,note\nbob@example.com,' : '';
    const after = format === 'csv' ? 'eve@example.com,\n' : '{"attributes":{"email":"eve@example.com"}}\n';
    const said = await importWithLittleMemory(await t.file(`long.${format}`, head + record + after));
    expect(said.result()).toMatchObject({
      refused: 1,
      faults: [{ line: format === 'csv' ? 2 : 1, message: fault }],
    });
    const isRead = fault === LINE;
    expect((await findContact(t.workspace, t.database, 'eve@example.com')) !== null).toBe(isRead);
  });
});

const nested = (levels: number) => `{"attributes":{"note":${'['.repeat(levels)}${']'.repeat(levels)}}}\n`;

test('nested lines, too long and just not too long, need no more memory than some of them', async () => {
  const said = await importWithLittleMemory(
    await t.file('deep.ndjson', nested(4 * MB).repeat(6) + nested(500_000).repeat(10)),
    256,
  );
  expect(said.result()).toMatchObject({
    refused: 16,
    faults: expect.arrayContaining([
      { line: 6, message: 'The line is longer than 1 MiB.' },
      { line: 16, message: 'attributes.note: A value is nested more than 20 levels deep.' },
    ]) as unknown,
  });
});

test('numbers that lose digits are faults in every format, and text is kept', async () => {
  const fault =
    'A value has a number beyond ±9007199254740991, which programs read with other digits: send it as text.';
  const lines = [
    '{"attributes":{"email":"a@x.test","customer_id":9007199254740993}}',
    '{"attributes":{"email":"b@x.test","points":1e400}}',
    '{"attributes":{"email":"c@x.test","points":9007199254740991}}',
  ];
  const faults = [
    { line: 1, message: `attributes.customer_id: ${fault}` },
    { line: 2, message: `attributes.points: ${fault}` },
  ];
  const said = await t.importFile('contacts', await t.file('numbers.ndjson', lines.join('\n')));
  expect(said.result()).toMatchObject({ added: 1, refused: 2, faults });

  const csv = [
    'email,customer_id,points,attributes',
    'd@x.test,9007199254740993,1e400,',
    'e@x.test,-0,NaN,',
    'f@x.test,,,"{""points"":12345678901234567890}"',
  ];
  const cells = await t.importFile('contacts', await t.file('numbers.csv', csv.join('\n')));
  expect(cells.result()).toMatchObject({
    added: 2,
    refused: 1,
    faults: [{ line: 4, message: `attributes.points: ${fault}` }],
  });
  for (const [identity, points] of [
    ['9007199254740993', '1e400'],
    ['-0', 'NaN'],
  ] as const) {
    expect((await findContact(t.workspace, t.database, identity))?.attributes).toMatchObject({
      customer_id: identity,
      points,
    });
  }
  expect(await findContact(t.workspace, t.database, '9007199254740992')).toBeNull();
});

test('what the console exports as CSV comes back as it was', async () => {
  const attributes = {
    email: '=cmd@example.com',
    phone: '+44 20 7946 0000',
    customer_id: 7,
    first_name: "'=quoted'",
    last_name: '-',
    company: 'a;=HYPERLINK("http://x.test")\n-1\t@x',
    job_title: '\u200b\u202e=1+1',
    points: -5,
    list: ['a;=1', -1, { 'k;+': null }],
    flag: true,
    text: '7',
  };
  const contact = {
    uuid: '00000000-0000-4000-8000-000000000001',
    subscribed: false,
    attributes,
    created_at: '2024-02-29T10:00:00.123Z',
    updated_at: '2025-01-01T00:00:00.456Z',
  };
  const { attributes: _, ...fields } = contact;
  const cells = [
    ...Object.entries(fields).map(([name, value]) => [name, String(value)]),
    ['provider', ''],
    ...Object.entries(attributes).map(([name, value]) => [
      `attributes.${name}`,
      typeof value === 'string' ? escapeFormulas(value) : escapeFormulasInJson(JSON.stringify(value)),
    ]),
    ['attributes', escapeFormulasInJson(JSON.stringify(attributes))],
  ];
  const line = (at: 0 | 1) => cells.map((cell) => `"${cell[at]?.replaceAll('"', '""')}"`).join(',');
  const file = await t.file('export.csv', `\ufeff${line(0)}\r\n${line(1)}\r\n`);
  expect((await t.importFile('contacts', file)).result()).toMatchObject({ added: 1, refused: 0 });
  expect(await findContact(t.workspace, t.database, contact.uuid)).toEqual(contact);
  expect((await t.importFile('contacts', file)).result()).toMatchObject({ unchanged: 1, refused: 0 });
});

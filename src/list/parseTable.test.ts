import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTable } from './parseTable.ts';
import { decodeText } from './readFile.ts';

const DELIMITERS = [',', ';', '\t', '|'];

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('reads the cells that a strict parser reads, whatever they hold', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'ü', ' ', '"', ',', ';', '\t', '|', '\n', '\r\n'),
    maxLength: 8,
  });
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(...DELIMITERS),
      fc.constantFrom('\n', '\r\n'),
      async (cells, delimiter, end) => {
        const write = (row: readonly string[]) => row.map(quote).join(delimiter);
        const data = cells.map(([one, other], index) => [one, `person${index}@example.com`, other]);
        const csv = [['x', 'Email', 'y'], ...data].map(write).join(end) + end;

        const expected = parse(csv, { delimiter, skip_empty_lines: false });
        const table = await parseTable(csv, null);
        expect([table?.headings, ...(table?.rows ?? []).filter((row) => row.length > 1)]).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

test('a line by which a spreadsheet names the delimiter is no row', async () => {
  const table = await parseTable('sep=;\r\nName;Email\r\nDoe, Jane;jane@example.com\r\n', null);
  expect([table?.headings, table?.rows[0]]).toEqual([
    ['Name', 'Email'],
    ['Doe, Jane', 'jane@example.com'],
  ]);
});

/** `Jörg,€` as each code page has it. */
test.each<[string, number[], boolean]>([
  ['UTF-8', [0x4a, 0xc3, 0xb6, 0x72, 0x67, 0x2c, 0xe2, 0x82, 0xac], false],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x4a, 0xc3, 0xb6, 0x72, 0x67, 0x2c, 0xe2, 0x82, 0xac], false],
  ['Windows-1252', [0x4a, 0xf6, 0x72, 0x67, 0x2c, 0x80], true],
  ['UTF-16LE', [0xff, 0xfe, 0x4a, 0, 0xf6, 0, 0x72, 0, 0x67, 0, 0x2c, 0, 0xac, 0x20], false],
  ['UTF-16BE', [0xfe, 0xff, 0, 0x4a, 0, 0xf6, 0, 0x72, 0, 0x67, 0, 0x2c, 0x20, 0xac], false],
])('%s is decoded', (_, bytes, isWindows) => {
  expect(decodeText('list.csv', new Uint8Array(bytes))).toEqual({ text: 'Jörg,€', isWindows });
});

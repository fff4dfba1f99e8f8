import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { anyText } from '../../testing/testText.ts';
import { CSV_BOM, csvLine } from './csv.ts';

test.each([
  [['Ann', 42, -1.5, true, null, undefined], 'Ann,42,-1.5,true,,\r\n'],
  [['a,b', 'say "hi"', 'two\nlines', 'a;b', ' x '], '"a,b","say ""hi""","two\nlines","a;b"," x "\r\n'],
  [[{ a: [1, 'x'] }, []], '"{""a"":[1,""x""]}",[]\r\n'],
])('the cells %j are quoted as RFC 4180 wants', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

test.each(['=1+1', '+44 20 7946 0000', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', ' =1', '＝1'])(
  'a spreadsheet reads %j as text, not as a formula',
  (text) => {
    const [[cell = ''] = []] = parse(csvLine([text]), { record_delimiter: '\r\n' });
    expect(cell).toBe(`'${text}`);
  },
);

/** Characters that start a formula, that separate cells, and that a spreadsheet may skip before them. */
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '−'];
const PARTS = [';', ',', '\t', '\r', '\n', '\r\n'];
const INVISIBLE = [
  0x00, 0x07, 0x1b, 0x20, 0xa0, 0xad, 0x115f, 0x180e, 0x200b, 0x202e, 0x2060, 0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff,
  0xe0041,
];
const PASSED = ['"', '""', "'", ...INVISIBLE.map((code) => String.fromCodePoint(code))];
const hostileText = fc
  .array(fc.constantFrom(...SIGNS, ...PARTS, ...PASSED, 'a', '1', 'cmd|x', '|', '{'), { maxLength: 9 })
  .map((parts) => parts.join(''));
const hostileValue = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  hostileText.map((text) => ({ [text]: [text, -1] })),
  fc.constantFrom(-1, -1.5, 5, null, true),
);

/** The start of a cell for a program that skips invisible characters and quotes. */
const beginning = (cell: string) => cell.replace(/^[\s"\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+/u, '');
const FORMULA = /^[=+\-@＝＋－＠﹦−]/;
const NUMBER = /^-\d+(\.\d+)?$/;

test.each([',', ';', '\t'])('no cell is a formula where %j parts cells', (delimiter) => {
  const relaxed = {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  };
  fc.assert(
    fc.property(fc.array(fc.array(hostileValue, { minLength: 1, maxLength: 4 }), { maxLength: 3 }), (rows) => {
      const file = CSV_BOM + rows.map(csvLine).join('');
      let records: string[][] = [];
      try {
        records = parse(file, { ...relaxed, bom: true });
      } catch {
        // Wrong quotes for this separator: one reader fails, the other does not.
      }
      for (const cell of [...records, ...Papa.parse<string[]>(file.slice(1), { delimiter }).data].flat()) {
        if (FORMULA.test(beginning(cell)) && !NUMBER.test(cell)) expect.fail(JSON.stringify({ file, cell }));
      }
    }),
    { numRuns: 2000 },
  );
});

test('what is in JSON stays JSON', () => {
  const value = { note: 'a;=1;b', '=': ['\t=1', -1] };
  const [[cell = ''] = []] = parse(csvLine([value]), { record_delimiter: '\r\n' });
  expect(cell).toBe('{"note":"a\\u003b=1;b","=":["\\t=1",-1]}');
  expect(JSON.parse(cell)).toEqual(value);
});

test('every text comes back whole when an import has taken the apostrophes away', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText, hostileText), { minLength: 2, maxLength: 5 }), (any) => {
      const texts = any.map((text) => text.toWellFormed());
      const [cells = []] = parse(CSV_BOM + csvLine(texts), { bom: true, record_delimiter: '\r\n' });
      expect(cells.map(unescapeFormulas)).toEqual(texts);
    }),
    { numRuns: 1000 },
  );
});

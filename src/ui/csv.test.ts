import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testText.ts';
import { CSV_BOM, csvLine } from './csv.ts';

test('cells are parted by commas, and the line ends as RFC 4180 wants', () => {
  expect(csvLine(['Ann', 42, -1.5, true, null, undefined])).toBe('Ann,42,-1.5,true,,\r\n');
});

test('what would break a cell or a line is quoted', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'a;b', ' x '])).toBe(
    '"a,b","say ""hi""","two\nlines","a;b"," x "\r\n',
  );
});

test('objects and lists are written as JSON', () => {
  expect(csvLine([{ a: [1, 'x'] }, []])).toBe('"{""a"":[1,""x""]}",[]\r\n');
});

test.each(['=1+1', '+44 20 7946 0000', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', ' =1', '＝1'])(
  'a spreadsheet reads %j as text, not as a formula',
  (text) => {
    const [[cell = ''] = []] = parse(csvLine([text]), { record_delimiter: '\r\n' });
    expect(cell).toBe(`'${text}`);
  },
);

test('every text comes back whole, but for the apostrophe of a formula', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 2, maxLength: 5 }), (any) => {
      const texts = any.map((text) => text.toWellFormed());
      const [cells = []] = parse(CSV_BOM + csvLine(texts), { bom: true, record_delimiter: '\r\n' });
      expect(cells).toEqual(texts.map((text, index) => (cells[index] === text ? text : `'${text}`)));
    }),
  );
});

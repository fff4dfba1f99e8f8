import { expect, test } from 'vitest';
import { readCsvText } from './csvRecords.ts';

const QUOTE = 'A cell has a quote in the wrong place.';
const OPEN = "A quote opens here and doesn't close before the end of the file. The lines after it weren't read.";

test.each([
  [
    'rows with the number of their first line',
    'a,b\n1,2\n3,4',
    [
      [1, 'a|b'],
      [2, '1|2'],
      [3, '3|4'],
    ],
  ],
  [
    'CRLF, and a last line end',
    'a,b\r\n1,2\r\n',
    [
      [1, 'a|b'],
      [2, '1|2'],
    ],
  ],
  [
    'semicolons, by the first line',
    'a;b;c,d\n1;2;3',
    [
      [1, 'a|b|c,d'],
      [2, '1|2|3'],
    ],
  ],
  [
    'tabs',
    'a\tb\n1\t',
    [
      [1, 'a|b'],
      [2, '1|'],
    ],
  ],
  [
    'a line break, a delimiter and a quote in quotes',
    'a,b\n"x\ny","1,""2"""\n3,4',
    [
      [1, 'a|b'],
      [2, 'x\ny|1,"2"'],
      [4, '3|4'],
    ],
  ],
  [
    'quotes at the end of a CRLF line',
    'a,b\r\n1,"2"\r\n3,4',
    [
      [1, 'a|b'],
      [2, '1|2'],
      [3, '3|4'],
    ],
  ],
  [
    'empty lines left out',
    '\n\na,b\n,\n1,2\n\n',
    [
      [3, 'a|b'],
      [5, '1|2'],
    ],
  ],
  [
    'an empty quoted cell',
    'a,b\n"",2',
    [
      [1, 'a|b'],
      [2, '|2'],
    ],
  ],
  [
    'another number of cells',
    'a,b\n1\n2,3',
    [
      [1, 'a|b'],
      [2, 'The line has 1 cells; the first line has 2.'],
      [3, '2|3'],
    ],
  ],
  [
    'a quote within a cell, and after one',
    'a,b\nx"y,1\n"x"y,1\n2,3',
    [
      [1, 'a|b'],
      [2, QUOTE],
      [3, QUOTE],
      [4, '2|3'],
    ],
  ],
  [
    'a quote that does not close',
    'a,b\n1,2\n"3,4\n5,6',
    [
      [1, 'a|b'],
      [2, '1|2'],
      [3, OPEN],
    ],
  ],
  ['nothing', '', []],
])('%s', (_, text, expected) => {
  const rows = Array.from(readCsvText(text), (row) => [row.number, 'fault' in row ? row.fault : row.cells.join('|')]);
  expect(rows).toEqual(expected);
});

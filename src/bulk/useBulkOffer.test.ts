import { expect, test } from 'vitest';
import { countListed } from './useBulkOffer.ts';

const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@north.example`);

test.each([
  ['a list', people(40).join('\n'), 40],
  ['a table with a head', ['E-Mail;Name', ...people(40).map((email) => `${email};P`)].join('\r\n'), 40],
  ['customer numbers', 'C-11554\nC-11555\n\nC-11556\n', 3],
  ['two people', people(2).join('\n'), 0],
  [
    'a message',
    `Hello,\n\nplease remove\n${people(3).join('\n')}\nfrom your list.\n\nKind regards\nIda Roe\nNorth Ltd`,
    0,
  ],
  ['a name', 'Ida Roe', 0],
  ['nothing', '', 0],
])('%s', (_, text, count) => {
  expect(countListed(text, 'customer_id')).toBe(count);
});

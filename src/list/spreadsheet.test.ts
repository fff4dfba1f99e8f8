import { expect, test } from 'vitest';
import { parseList } from './parseList.ts';
import { readInput } from './readInput.ts';

const HEADINGS = 'Name;E-Mail;Telefon;Kundennr;Bemerkung';

/** A file as Excel saves it. */
const save = (...rows: readonly string[]) => new File([`\ufeff${rows.join('\r\n')}\r\n`], 'list.csv');

/** What is read of such a file: the column, and of each entry its row, by what it is looked up, and where that stands. */
async function read(...rows: readonly string[]) {
  const input = await readInput(save(...rows), 'customer_id', () => {});
  const entries = await parseList(input, 'customer_id');
  const heading = input.column === null ? null : (input.table?.headings[input.column] ?? null);
  return {
    heading,
    isUndecided: input.isUndecided,
    entries: entries.map(({ line, values: [value = null], source }) => [line, value, source]),
  };
}

test.each(['"a@x.test; b@x.test"', 'a@x.test, b@x.test', 'a@x.test b@x.test', 'a@x.test / b@x.test'])(
  'a cell with two addresses is two people, and changes nothing else: %s',
  async (cell) => {
    const rows = ['p1@x.test', 'p2@x.test', cell, 'p4@x.test', 'p5@x.test', '', ''].map(
      (email, n) => `Name;${email};+49 30 10015${10 + n};1000${n};`,
    );
    const { heading, isUndecided, entries } = await read(HEADINGS, ...rows);
    expect([heading, isUndecided]).toEqual(['E-Mail', false]);
    expect(entries.slice(0, 6)).toEqual([
      [2, 'p1@x.test', 'E-Mail'],
      [3, 'p2@x.test', 'E-Mail'],
      [4, 'a@x.test', 'E-Mail'],
      [4, 'b@x.test', 'E-Mail'],
      [5, 'p4@x.test', 'E-Mail'],
      [6, 'p5@x.test', 'E-Mail'],
    ]);
  },
);

test.each([
  [
    'with cells that are mostly empty',
    ['A;a@x.test;;;', 'B;b@x.test, c@x.test;;;', 'C;;+49 30 1001511;;', 'D;;;K-7;', 'E;;;;'],
  ],
  ['with rows that end early', ['A;a@x.test', 'B;b@x.test', 'C;c@x.test;+49 30 1001511;K-77001;']],
])('a table %s stays a table', async (_, rows) => {
  const { heading, entries } = await read(HEADINGS, ...rows);
  expect(heading).toBe('E-Mail');
  expect(entries.slice(0, 2)).toEqual([
    [2, 'a@x.test', 'E-Mail'],
    [3, 'b@x.test', 'E-Mail'],
  ]);
});

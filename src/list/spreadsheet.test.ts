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
    notes: input.notes,
    entries: entries.map(({ line, values: [value = null], source }) => [line, value, source]),
    ticked: entries.flatMap(({ values: [value], leftOut }) => (value === undefined || leftOut != null ? [] : [value])),
    offered: entries.flatMap(({ values: [value], leftOut }) => (value === undefined || leftOut == null ? [] : [value])),
    faults: entries.flatMap(({ line, values, as }) => (values.length === 0 ? [[line, as]] : [])),
  };
}

const PEOPLE = ['A;a@x.test;;;', 'B;b@x.test;;;', 'D;d@x.test;;;'];

test.each(['"a@x.test; b@x.test"', 'a@x.test, b@x.test', 'a@x.test b@x.test', 'a@x.test / b@x.test'])(
  'a cell with two addresses is two people, and changes nothing else: %s',
  async (cell) => {
    const rows = ['p1@x.test', cell, 'p3@x.test', 'p4@x.test'].map(
      (email, n) => `N;${email};+49 30 100151${n};K-${n};`,
    );
    const { heading, isUndecided, entries } = await read(HEADINGS, ...rows);
    expect([heading, isUndecided]).toEqual(['E-Mail', false]);
    expect(entries.map(([line, value]) => `${line} ${value}`)).toEqual([
      '2 p1@x.test',
      '3 a@x.test',
      '3 b@x.test',
      '4 p3@x.test',
      '5 p4@x.test',
    ]);
  },
);

test.each([
  ['with cells that are mostly empty', [...PEOPLE, 'C;;+49 30 1001511;;', 'E;;;K-7;', 'F;;;;']],
  ['with rows that end early', ['A;a@x.test', 'B;b@x.test', 'C;c@x.test;+49 30 1001511;K-77001;']],
])('a table %s stays a table', async (_, rows) => {
  const { heading, entries } = await read(HEADINGS, ...rows);
  expect(heading).toBe('E-Mail');
  expect(entries[1]).toEqual([3, 'b@x.test', 'E-Mail']);
});

test('a row with an empty cell is read by its next identity, and says by which', async () => {
  const { heading, entries } = await read(
    HEADINGS,
    'A;a@x.test;+49 30 1001509;K-77001;',
    'B;b@x.test;;;',
    'C;;+49 30 1001511;K-77003;',
    'D;-;0049 30 1001512;;',
    'E;n/a;030 1001513;;',
    'F;;;0077006;',
    'G;;;;moved',
  );
  expect(heading).toBe('E-Mail');
  expect(entries).toEqual([
    [2, 'a@x.test', 'E-Mail'],
    [3, 'b@x.test', 'E-Mail'],
    [4, '+49 30 1001511', 'Telefon'],
    [5, '0049 30 1001512', 'Telefon'],
    [6, '030 1001513', 'Telefon'],
    [7, '0077006', 'Kundennr'],
    [8, null, 'E-Mail'],
  ]);
});

test('of an email and a phone number, the one that more rows have is read first', async () => {
  const phones = ['B;;030 1001511;;', 'C;;030 1001512;;', 'D;;030 1001513;;'];
  expect(await read(HEADINGS, 'A;a@x.test;;;', ...phones)).toMatchObject({
    heading: 'Telefon',
    isUndecided: false,
    ticked: ['a@x.test', '030 1001511', '030 1001512', '030 1001513'],
  });
});

test.each([
  ['an agent', 'E-Mail;Betreuer', 'kim@agents.test'],
  ['an agent’s phone', 'E-Mail;Telefon Vertrieb', '+49 30 1001511'],
  ['a contact person', 'E-Mail;Telefon Kontaktperson', '+49 30 1001511'],
  ['a contact person in English', 'Email;Contact person email', 'kim@agents.test'],
  ['an order', 'E-Mail;Bestellnummer', '1001511'],
  ['a postcode', 'E-Mail;PLZ', '10115'],
  ['a number of which nothing is known', 'E-Mail;Ref', '1001511'],
])('nobody is read by the column of %s', async (_, headings, other) => {
  const { ticked, offered, faults } = await read(headings, `a@x.test;${other}`, 'b@x.test;', 'c@x.test;', `;${other}9`);
  expect([ticked, offered]).toEqual([['a@x.test', 'b@x.test', 'c@x.test'], []]);
  expect(faults).toEqual([[5, 'This cell is empty.']]);
});

const SECOND = 'Name;E-Mail;Telefon;E-Mail 2;x';
test.each([
  ['says something', HEADINGS, 'C;bitte nicht abmelden;+49 30 1001511;;', '+49 30 1001511'],
  ['is empty, and another row has the same phone', HEADINGS, 'C;;+49 (30) 1001509;;', '+49 (30) 1001509'],
  ['is empty, and there is a second address', SECOND, 'C;;;c@x.test;', 'c@x.test'],
  ['is empty, and there is another address', SECOND.replace('2', 'Firma'), 'C;;;c@x.test;', 'c@x.test'],
])('where the cell %s, somebody has to tick the row', async (_, headings, row, value) => {
  const { ticked, offered } = await read(headings, ...PEOPLE.with(0, 'A;a@x.test;+49 30 1001509;;'), row);
  expect([ticked, offered]).toEqual([['a@x.test', 'b@x.test', 'd@x.test'], [value]]);
});

test('of a row with more cells than the table, somebody has to tick who is meant', async () => {
  const { ticked, offered, faults } = await read(
    HEADINGS,
    'A;a@x.test;+49 30 1001509;K-77001;',
    'B;b@x.test; c@x.test;+49 30 1001511;K-77002;',
    'D;d@x.test;;;',
    'E;e;f;g;h;i',
  );
  expect(ticked).toEqual(['a@x.test', 'd@x.test']);
  expect(offered).toEqual(['b@x.test', 'c@x.test', '+49 30 1001511', 'K-77002']);
  expect(faults).toEqual([[5, 'This row has more than 5 cells.']]);
});

test('nobody is named by a row of totals', async () => {
  const rows = ['A;K-77001;3', 'B;K-77002;4'];
  const byNumber = await read('Name;Kundennr;Mails', ...rows, 'Summe;2;7');
  expect(byNumber).toMatchObject({ ticked: ['K-77001', 'K-77002'], faults: [[4, 'This is a row of totals.']] });
  const byEmail = await read('E-Mail;Kundennr', 'a@x.test;K-77001', 'b@x.test;K-77002', 'Anzahl: 2;77002');
  expect(byEmail).toMatchObject({ ticked: ['a@x.test', 'b@x.test'], faults: [[4, 'This is a row of totals.']] });
});

test.each([
  ['a title above it', ['Abmeldungen 2026;;;', ';;;', 'Name;E-Mail;Betreuer;x']],
  ['a title of one cell above it', ['Abmeldungen 2026', '', 'Name;E-Mail;Betreuer;x']],
  ['headings of groups above its own', ['Person;Kontakt;Intern;', 'Name;E-Mail;Betreuer;x', '']],
  ['a quote that is not closed', ['', 'Name;E-Mail;Betreuer;x', '"Z;z@x.test;kim@agents.test;']],
])('a table with %s is read by its column, and not with its agents', async (_, head) => {
  const { heading, ticked, entries, faults } = await read(
    ...head,
    'A;a@x.test;kim@agents.test;',
    'B;b@x.test;kim@agents.test;',
    'C;c@x.test;lee@agents.test;',
  );
  expect(heading).toBe('E-Mail');
  expect([ticked.slice(-3), faults]).toEqual([['a@x.test', 'b@x.test', 'c@x.test'], []]);
  expect(ticked.some((value) => value.endsWith('@agents.test'))).toBe(false);
  expect(entries.slice(-3).map(([line]) => line)).toEqual([4, 5, 6]);
});

test('a text with columns that is read by its lines says so, and a list of people does not', async () => {
  const told = [expect.stringMatching(/^Read as text: no column names the contacts for sure\./)];
  const asText = await read('A;a@x.test;', 'B;;+49 30 1001511', 'C;;+49 30 1001512');
  expect(asText).toMatchObject({ heading: null, notes: told });
  expect((await read('a@x.test;b@x.test', 'c@x.test;d@x.test;e@x.test')).notes).toEqual([]);
  expect((await read('Hello, please remove', 'a@x.test, thanks', 'Jane')).notes).toEqual([]);
});

test('without headings, two columns of addresses beside names are asked about, and beside nothing are all people', async () => {
  const named = await read('Name 1;a@x.test;kim@agents.test', 'Name 2;b@x.test;lee@agents.test');
  expect(named).toMatchObject({ heading: 'Column 2', isUndecided: true });
  const unnamed = await read('a@x.test;b@x.test', 'c@x.test;d@x.test');
  expect(unnamed).toMatchObject({ heading: null, isUndecided: false });
});

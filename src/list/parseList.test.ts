import { describe, expect, test } from 'vitest';
import { escapeFormulas } from '#contract/csvInjection.ts';
import { isChoice, parseList } from './parseList.ts';
import { parseTable } from './parseTable.ts';
import { readInput } from './readInput.ts';

const UUID = '7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d';
const SHORTENED = 'A spreadsheet has shortened this number: show all its digits there.';
const GUESS = 'May be an ID in a sentence';

/** As the desk reads it: a table by its most likely column, anything else line by line. */
const read = async (text: string, identityField: string | null = null) =>
  parseList(await readInput(text, identityField, () => {}), identityField);
/** The same where the workspace has IDs of its own. */
const readWithIds = (text: string) => read(text, 'customer_id');

/** As lines of a text. */
function readLines(lines: readonly string[], identityField: string | null) {
  const source = lines.map((text, index) => ({ text, line: index + 1, source: null, isProse: false }));
  return parseList({ lines: source, table: null, summary: null, column: null }, identityField);
}

/** The identities to look up; `-` for an unreadable entry, `= 1` for a duplicate of line 1. */
const brief = (entries: Awaited<ReturnType<typeof read>>) =>
  entries.map(({ values, repeats }) => (values.length === 0 ? '-' : repeats === null ? values[0] : `= ${repeats}`));

describe('a list of one per line', () => {
  test('is read whatever its entries wear, and each says how', async () => {
    const lines = [
      'jane@x.test',
      'Bob Doe <Bob@X.test>',
      'mailto:eve@x.test',
      UUID,
      '',
      '"q n"@x.test',
      'somebody called',
    ];
    const entries = await read(lines.join('\n'));
    expect(brief(entries)).toEqual(['jane@x.test', 'bob@x.test', 'eve@x.test', UUID, '"q n"@x.test', '-']);
    expect(entries.map(({ line }) => line)).toEqual([1, 2, 3, 4, 6, 7]);
    expect(entries[1]).toMatchObject({ text: 'Bob Doe <Bob@X.test>', as: 'the email bob@x.test' });
    expect(entries[5]).toMatchObject({ text: 'somebody called', as: /^No email, phone number/ });
  });

  test.each([
    ['jane@x.test\n JANE@X.test \nJane <jane@x.test>', ['jane@x.test', '= 1', '= 1']],
    ['+49301001556\n0049301001556\n＋49 30 1001556\n(+49) 30 1001556', ['+49301001556', '= 1', '= 1', '= 1']],
    // Two numbers of one town.
    ['+49 (0) 40 / 55500-03\n+49 (0)40 / 5550006', ['+49 (0) 40 / 55500-03', '+49 (0)40 / 5550006']],
    ['N;Telefon\nA;+49 (0) 40 / 55500-03\nB;+49 (0)40 / 5550006', ['+49 (0) 40 / 55500-03', '+49 (0)40 / 5550006']],
  ])('names nobody twice: %j', async (list, values) => {
    expect(brief(await read(list))).toEqual(values);
  });

  test('knows identities of the workspace’s own where it has them', async () => {
    const list = 'C-1001\nC-1002\nC-1001';
    expect(brief(await readWithIds(list))).toEqual(['C-1001', 'C-1002', '= 1']);
    expect(brief(await read(list))).toEqual(['-', '-', '-']);
  });
});

/** Whom a text names: ticked, and to be chosen. */
async function told(text: string) {
  const entries = (await read(text)).filter(({ values }) => values.length > 0);
  const named = (isChosen: boolean) =>
    entries
      .filter((entry) => isChoice({ leftOut: entry.leftOut ?? null }) === isChosen)
      .map(({ values }) => values.at(-1));
  return [named(false), named(true)];
}

describe('an address that is broken over two lines', () => {
  test.each([
    'Jane <\njane@example.com>, please',
    'Jane <ja\nne@example.com>',
    '> Jane <jane@\n> example.com> wrote',
    'Please remove jane@exam=\nple.com and nobody else',
    'Please remove jane@example=\n.com.',
    'Please remove jane@ex=\nam=\nple.com',
  ])('is read as one: %j', async (text) => {
    expect(await told(text)).toEqual([['jane@example.com'], []]);
  });

  test.each(['.', '-', '_', '+', '='])('is not taken for its end, behind %j', async (sign) => {
    const whole = `long${sign === '=' ? '' : sign}name@example.com`;
    const wide = 'Please remove from all of your lists, as soon as you can, (long';
    for (const text of [`${wide}${sign}\r\nname@example.com) and`, `> ${wide}${sign}\n> name@example.com`])
      expect(await told(text)).toEqual([[], ['name@example.com', whole]]);
  });

  test.each([
    [
      'a sentence ends',
      ['Stop it!\njane@example.com', 'Remove them ...\njane@example.com', 'Remove them.\njane@example.com'],
    ],
    ['a quoted sentence ends', ['> Please remove them.\n> jane@example.com']],
    ['a line is empty', ['Remove them.\n\njane@example.com']],
    ['the address is not the next word', ['Remove.\nIt is jane@example.com', 'Remove.\n<jane@example.com>']],
    ['signs stand alone', ['1.\njane@example.com', '--\njane@example.com', 'A < B\njane@example.com']],
  ])('is none where %s', async (_, texts) => {
    for (const text of texts) expect(await told(text), text).toEqual([['jane@example.com'], []]);
  });

  test('is none where it is the sender of the mail, or where each line ends with a full stop', async () => {
    const [ticked, chosen] = await told('From: jane@example.com\nSubject: x\nDate: x\n\nRemove me.\njane@example.com');
    expect([new Set(ticked), chosen]).toEqual([new Set(['jane@example.com']), []]);
    expect(await told('jane@x.test.\nbob@x.test.\n')).toEqual([['jane@x.test', 'bob@x.test'], []]);
  });

  test.each(['<', '=\n', 'a@b=\n>', '<a\n', 'a.\n', 'a@', '. '])('is looked for in linear time: %j', async (piece) => {
    await read(piece.repeat(20_000 / piece.length));
  });
});

describe('an address', () => {
  test.each(['"jane@x.test" <bob@x.test>', '“jane@x.test” <bob@x.test>', 'To: "jane@x.test" <bob@x.test>;'])(
    'in place of a name is not the one that counts (RFC 5322): %s',
    async (line) => {
      expect(brief(await read(line))).toEqual(['bob@x.test']);
      expect(brief(await read(`${line}, "Eve" <eve@x.test>`))).toEqual(['bob@x.test', 'eve@x.test']);
    },
  );

  test('behind words without a blank is two readings, and none is run until it is chosen', async () => {
    const entries = await read('请退订jane@example.com谢谢\nbob@example.com');
    expect(entries.map(({ values, leftOut }) => [values[0], leftOut])).toEqual([
      ['请退订jane@example.com', 'Or jane@example.com? Tick whom this line means'],
      ['jane@example.com', 'Or 请退订jane@example.com? Tick whom this line means'],
      ['bob@example.com', undefined],
    ]);
  });
});

test.each([
  [
    'a mail header',
    'To: "Doe, Jane" <j@x.test>, Bob <b@x.test>,\n e@x.test; m@x.test',
    ['j@x.test', 'b@x.test', 'e@x.test', 'm@x.test'],
  ],
  ['a ticket', `Hello,\nremove j@x.test and b@x.test. Thanks!\nMy ID ${UUID}`, ['-', 'j@x.test', 'b@x.test', UUID]],
  // Counts of reactions, times and emoji are no IDs.
  ['a chat', 'Jane Roe  10:45 AM\nj@x.test\n:+1:\n2\n10:45\nC-1001', ['-', 'j@x.test', '-', '-', '-', 'C-1001']],
  ['short numbers', '12\n7\n301', ['12', '7', '301']],
  ['a column of short numbers', 'customer_id,Name\n7,Jane\n8,Bob', ['7', '8']],
  ['a file of one column of IDs', 'customer_id\nA-100\n007\n7\nC-1001', ['A-100', '007', '7', 'C-1001']],
  ['such a file without its heading', 'A-100\n007\nB-200\nC-1001', ['A-100', '-', 'B-200', 'C-1001']],
  ['decimals of a spreadsheet', 'customer_id;Name\n12345.0;Jane', ['12345']],
  ['decimals in a list', '12345.0\n4711,0\n4712,00', ['12345', '4711', '4712']],
  ['an ID with a sign in it', '2024-0017\n2024/0018', ['2024-0017', '2024/0018']],
  ['an ID filled with zeros', 'K-000012345\nKD-00471-22334455', ['K-000012345', 'KD-00471-22334455']],
  ['an amount', '4711,50\n12,345\n1,234,567', ['-', '-', '-']],
  ['a numbered list', '1. 12345\n2. 12346', ['-', '-']],
  ['several IDs, parted by blanks', '4711 4712\n12345 67890', ['-', '-']],
  ['IDs parted by commas', '4711,4712\n4713, 4714', ['4711', '4712', '4713', '4714']],
  ['the name of an ID', 'Customer no. 2024-0017\nNuméro de client : 030-1234567', ['2024-0017', '030-1234567']],
  ['an ID with and without its name', '10042\ncustomer no. 10042\n10042.0', ['10042', '= 1', '= 1']],
  ['zeros that are no country code', '000012345678\n0012345678', ['000012345678', '0012345678']],
  ['empty cells of a spreadsheet', '#N/A\nn/a\n-\nTotal\nE-Mail\n4.9301E+10', ['-', '-', '-', '-', '-', '-']],
  ['shortened cells', 'customer_id;Name\n7,91612E+10;Ivan\nK-10;Olga', ['-', 'K-10']],
])('a text is read for what it holds, and a number never as another one: %s', async (_, text, values) => {
  expect(brief(await readWithIds(text))).toEqual(values);
});

test.each([
  '7,91612E+10\n4,47911E+11',
  'Telefon\n7,91612E+10\n7,49512E+10',
  'Sci One,4.47911E+11\nSci Two,4.47911000002E+11',
  'Bitte Kunde 7,91612E+10 abmelden, danke\nKundennummer 7,91612E+10',
])('a number that a spreadsheet has shortened is not read as others: %j', async (list) => {
  const entries = await readWithIds(list);
  expect(entries.map(({ as, values }) => [as, values])).toEqual([
    [SHORTENED, []],
    [SHORTENED, []],
  ]);
});

test('in the column of the workspace’s own ID, no phone number is looked up', async () => {
  const cells = ['0049301001556', '030-1234567', '2024 0017', '+49 30 1001556', '12345.0', '4711', 'K-17'];
  const ids = cells.map((cell) => [cell.replace('.0', '')]);
  const table = `customer_id;Name\n${cells.map((cell) => `${cell};Jane`).join('\n')}`;
  expect((await readWithIds(table)).map(({ values }) => values)).toEqual(ids);
});

describe('a line that names a customer by an ID and by a phone number', () => {
  const line = 'Customer C-11516 called from +49 30 1001553, wants no mail';

  test('is an entry for each, and none is run until it is chosen; other lines are', async () => {
    expect(await readWithIds(`C-11516\n${line}\n+49 30 1001553`)).toMatchObject([
      { line: 1, values: ['C-11516'] },
      { line: 2, text: `C-11516 (in “${line}”)`, leftOut: 'Or +49 30 1001553? Tick whom this line means' },
      { line: 2, values: ['+49 30 1001553', '+49301001553'], leftOut: 'Or C-11516? Tick whom this line means' },
      { line: 3, values: ['+49 30 1001553', '+49301001553'] },
    ]);
  });

  test('is such a line with an address in it too, and none where the workspace has no IDs', async () => {
    const entries = await readWithIds(`${line}, jane@example.com`);
    expect(brief(entries)).toEqual(['C-11516', '+49 30 1001553', 'jane@example.com']);
    expect(entries.every(({ leftOut }) => leftOut?.endsWith('Tick whom this line means'))).toBe(true);
    expect(brief(await read(line))).toEqual(['+49 30 1001553']);
  });
});

describe('a customer number in a sentence', () => {
  test.each([
    ['please unsubscribe customer 1234567 and C-10153, thanks', ['1234567', 'C-10153']],
    ['Bitte Kundennr. 1234567 abmelden', ['1234567']],
    ['le client n° 1234567 ne veut plus rien', ['1234567']],
    ['el cliente 1234567 no quiere nada', ['1234567']],
    ['klant 1234567 wil niets meer', ['1234567']],
    ['klient nr 1234567 nie chce nic', ['1234567']],
    ['Bitte die Kundin mit der Kundennummer K-00471 abmelden, sie hat angerufen.', ['K-00471']],
    ['my customer number: K-00487.', ['K-00487']],
    ['Customer no. ab_4711_X too.', ['ab_4711_X']],
    ['Customer no. K\u20110047 too.', ['K\u20100047']],
    ['Meine Kundennummer lautet K-00471, danke', ['K-00471']],
    ['Die Kundennummern K-00471, K-00472 und K-00473 bitte.', ['K-00471', 'K-00472', 'K-00473']],
    ['Please stop customers 4711 and 4712 now', ['4711', '4712']],
    ['customer since 2nd of May', []],
    ['Our customers love Web3 and Q4', []],
    ['the customer paid 500EUR', []],
  ])('is an entry that is not run until somebody ticks it: %s', async (line, ids) => {
    const header = 'From: Maria <doppel2@example.de>\nTo: support@acme.test\nSubject: WG: Abmeldung\n\n';
    for (const text of [line, header + line]) {
      const guesses = (await readWithIds(text)).filter(({ leftOut }) => leftOut === GUESS);
      expect(guesses.map(({ values }) => values[0])).toEqual(ids);
    }
    expect((await read(line)).flatMap(({ values }) => values)).not.toContain(ids[0]);
  });

  test.each([
    ['bitte streichen Sie mich (Kundennummer K-00471) und meinen Mann (hans@x.test)', 'K-00471', 'hans@x.test'],
    ['jane@example.com, customer no. 4711', '4711', 'jane@example.com'],
  ])('of which its name is told, beside an address, is one to choose: %s', async (line, id, address) => {
    for (const text of [line, `From: kim@example.com\nTo: support@acme.test\nSubject: stop\n\n${line}`]) {
      const chosen = (await readWithIds(text)).filter(({ leftOut }) => leftOut?.endsWith('Tick whom this line means'));
      expect(chosen.map(({ values }) => values[0])).toEqual([id, address]);
    }
    expect(brief(await read(line))).toEqual([address]);
  });

  test('of which only its form tells is left out, and who is beside it is run', async () => {
    const entries = await readWithIds(`jane@x.test C-10001\n${UUID} (C-10002)\nbroken@@x.test Kunde C-10003`);
    expect(brief(entries)).toEqual(['jane@x.test', 'C-10001', UUID, 'C-10002', '-', 'C-10003']);
    expect(entries.map(({ leftOut }) => leftOut === GUESS)).toEqual([false, true, false, true, false, true]);
    expect(brief(await readWithIds('Email,Note\njane@x.test,customer no. 4711'))).toEqual(['jane@x.test']);
  });

  test.each(['customer no. ', 'id_', 'customer k-', 'customer 4711,'])(
    'is looked for in linear time: %j',
    async (piece) => {
      await readWithIds(`From: a@x.test\nTo: b@x.test\n\n${piece.repeat(190_000 / piece.length)}`);
    },
  );
});

const readEmptyCells = (count: number) => {
  const rows = Array.from({ length: count }, () => ['', 'x']);
  const table = { headings: ['Email', 'Name'], hasHeadings: true, rows, firstRow: 2 };
  return parseList({ lines: [], table, summary: null, column: 0 }, null);
};

describe('nobody is left out, and nobody is added', () => {
  test.each([
    ['two numbers in each line', '+49301001556, +49301000317\n+49301001111, +49301000222', 4],
    ['an address and a number', 'jane@example.com and my wife, +49 30 1001652', 2],
    ['prose with a comma in each line', 'Dear team, please unsubscribe\nI am jane@example.com, or +49 30 1001556', 3],
    ['lines of JSON', `{"uuid":"${UUID}","email":"jane@example.com"}\n{"email":"bob@example.com"}`, 3],
  ])('%s', async (_, text, count) => {
    expect(await read(text)).toHaveLength(count);
  });

  test('a hostile line does not hold up the page', async () => {
    const lines = ['x@ ' + 'a'.repeat(199_000), '@'.repeat(200_000), '+1 '.repeat(66_000), 'a.'.repeat(99_000) + '@'];
    lines.push('00' + '1 '.repeat(99_000), '+1' + '('.repeat(199_000), '+1 / '.repeat(39_000), '001('.repeat(49_000));
    // Parsing in quadratic time would need many minutes.
    expect(await readLines(lines, 'customer_id')).toHaveLength(8);
  });

  test.each([
    [200_000, { values: ['bob@example.com'] }],
    [200_001, { values: [], as: 'This line is longer than 200,000 characters: put one contact on each line.' }],
  ])('a line without an end is not read, and says so: %d characters', async (length, expected) => {
    const entries = await read(`jane@example.com\n${'bob@example.com '.padEnd(length, '.')}\neve@example.com`);
    expect(entries.slice(1)).toMatchObject([expected, { line: 3, values: ['eve@example.com'] }]);
    // It would be stored in the browser, and shown.
    if (expected.values.length === 0) expect(entries[1]?.text).toHaveLength(200);
  });

  test('a list of more entries than a browser keeps is refused with a sentence', async () => {
    // Cells that are empty are entries too, and take the least time to read.
    expect(await readEmptyCells(500_000)).toHaveLength(500_000);
    await expect(readEmptyCells(500_001)).rejects.toThrow('There are more than 500,000 entries: split the list.');
  });
});

/** A table of this number of columns. */
const wideTable = (count: number) => {
  const headings = Array.from({ length: count }, (_, n) => `${'abcdefghijklmnopqrstuvwxyz'[n % 26]}${n}x`);
  return `${headings.join(',')}\njane@example.com${','.repeat(count - 1)}\n`;
};

describe('a table', () => {
  test('is read by the column that holds the addresses, wherever it stands', async () => {
    const csv = 'Name,Email,Orders\n"Doe, Jane",jane@x.test,3\nBob,BOB@x.test,12\nEve,,1\nTwin,bob@x.test,2';
    const entries = await read(csv);
    expect(brief(entries)).toEqual(['jane@x.test', 'bob@x.test', '-', '= 3']);
    expect(entries.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });

  test('of more columns than anybody has is refused with a sentence', async () => {
    expect((await parseTable(wideTable(500), null))?.headings).toHaveLength(500);
    await expect(parseTable(wideTable(501), null)).rejects.toThrow(
      'The first line names 501 columns, and 500 are read at most. Save only the column with the contacts’ emails or IDs.',
    );
  });

  test('that the console exported is read without the apostrophes of its formulas', async () => {
    const csv = `name,phone\r\n${escapeFormulas('=Jane')},${escapeFormulas('+44 20 7946 0958')}\r\n`;
    expect(await read(csv)).toMatchObject([{ values: ['+44 20 7946 0958', '+442079460958'] }]);
  });

  test('of many rows is read to the last one', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `c${index}@example.com,${index},"a, b"`);
    const entries = await read(`email,n,x\n${rows.join('\n')}`);
    expect(entries).toHaveLength(30_000);
    expect(entries.at(-1)).toMatchObject({ line: 30_001, values: ['c29999@example.com'], repeats: null });
  });
});

import { describe, expect, test } from 'vitest';
import { escapeFormulas } from '#contract/csvInjection.ts';
import { isChoice, parseList } from './parseList.ts';
import { parseTable } from './parseTable.ts';
import { readInput } from './readInput.ts';

const UUID = '7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d';

/** As the desk reads it: a table by its most likely column, anything else line by line. */
async function read(text: string, { identityField }: { identityField?: string | null } = { identityField: null }) {
  return parseList(await readInput(text, identityField, () => {}), identityField);
}

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
    const entries = await read(`jane@example.com
Bob Doe <Bob@Example.com>
mailto:eve@example.com
${UUID.toUpperCase()}
+44 (0)20 7946 0958

"quoted name"@example.com`);
    expect(brief(entries)).toEqual([
      'jane@example.com',
      'bob@example.com',
      'eve@example.com',
      UUID,
      '+44 (0)20 7946 0958',
      '"quoted name"@example.com',
    ]);
    expect(entries.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 7]);
    expect(entries[1]).toMatchObject({ text: 'Bob Doe <Bob@Example.com>', as: 'the email bob@example.com' });
  });

  test('names nobody twice: letter casing and spaces do not count in an email, nor the dress of a number', async () => {
    expect(
      brief(
        await read('jane@example.com\n JANE@Example.COM \nJane <jane@example.com>\n+44 20 7946 0958\n+44-20-79460958'),
      ),
    ).toEqual(['jane@example.com', '= 1', '= 1', '+44 20 7946 0958', '= 4']);
  });

  test('knows identities of the workspace’s own where it has them', async () => {
    const list = 'C-1001\nC-1002\nC-1001';
    expect(brief(await read(list, { identityField: 'customer_id' }))).toEqual(['C-1001', 'C-1002', '= 1']);
    expect(brief(await read(list, {}))).toEqual(['C-1001', 'C-1002', '= 1']);
    expect(brief(await read(list))).toEqual(['-', '-', '-']);
  });

  test('says what it cannot read instead of leaving it out', async () => {
    const [entry] = await read('somebody called about this');
    expect(entry).toMatchObject({ text: 'somebody called about this', values: [], as: /^No email, phone number/ });
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
    ['in angle brackets', 'Jane <\njane@example.com>, please'],
    ['in the local part, in angle brackets', 'Jane <ja\nne@example.com>'],
    ['in the domain, in angle brackets', '> Jane <jane@\n> example.com> wrote'],
    ['in the domain by a soft break', 'Please remove jane@exam=\nple.com and nobody else'],
    ['in the domain by a soft break where the start is an address', 'Please remove jane@example=\n.com.'],
    ['by several soft breaks', 'Please remove jane@ex=\nam=\nple.com'],
  ])('is read as one: %s', async (_, text) => {
    expect(await told(text)).toEqual([['jane@example.com'], []]);
  });

  test.each(['.', '-', '_', '+', '='])('is not taken for its end, behind %j', async (sign) => {
    const whole = `long${sign === '=' ? '' : sign}name@example.com`;
    const wide = 'Please remove from all of your lists, as soon as you can, (';
    for (const text of [
      `long${sign}\nname@example.com`,
      `${wide}long${sign}\r\nname@example.com) and`,
      `> ${wide}long${sign}\n> name@example.com`,
    ])
      expect(await told(text)).toEqual([[], ['name@example.com', whole]]);
  });

  test.each([
    'Stop it!\njane@example.com',
    'Remove:\njane@example.com',
    'Remove them ...\njane@example.com',
    'Please remove them.\njane@example.com',
    '> Please remove them.\n> jane@example.com',
    'Remove them.\n\njane@example.com',
    'Remove them. \njane@example.com',
    'Remove them.\nIt is jane@example.com',
    'Remove them.\n<jane@example.com>',
    '1.\njane@example.com',
    '--\njane@example.com',
    'A < B\njane@example.com',
  ])('nothing is broken in %j', async (text) => {
    expect(await told(text)).toEqual([['jane@example.com'], []]);
  });

  test('nor in one that is named before, as the sender of the mail', async () => {
    const [ticked, chosen] = await told('From: jane@example.com\nSubject: x\nDate: x\n\nRemove me.\njane@example.com');
    expect([new Set(ticked), chosen]).toEqual([new Set(['jane@example.com']), []]);
  });

  test('nor where each line ends with a full stop', async () => {
    expect(await told('jane@example.com.\nbob@example.com.\n')).toEqual([['jane@example.com', 'bob@example.com'], []]);
  });

  test('is looked for in linear time', async () => {
    for (const piece of ['<', '=\n', 'a@b=\n>', '<a\n', '<\n', 'a.\n', 'a@', 'a@b=\n', '. ']) {
      await read(piece.repeat(20_000 / piece.length));
    }
  });
});

describe('running text', () => {
  test('of a mail header: all its addresses, commas in names or not', async () => {
    const header = 'To: "Doe, Jane" <jane@example.com>, Bob <bob@example.com>,\n eve@example.com; mallory@example.com';
    expect(brief(await read(header))).toEqual([
      'jane@example.com',
      'bob@example.com',
      'eve@example.com',
      'mallory@example.com',
    ]);
  });

  test('of a ticket: what is in its sentences, and the lines that hold nothing', async () => {
    const ticket = `Hello support,
please remove jane@example.com and bob@example.com. Thanks!
My number is +44 20 7946 0958, my ID ${UUID}
Call +49 30 1234567 if unsure.`;
    expect(brief(await read(ticket, { identityField: 'customer_id' }))).toEqual([
      '-',
      'jane@example.com',
      'bob@example.com',
      '+44 20 7946 0958',
      UUID,
      '+49 30 1234567',
    ]);
  });
});

describe('a chat', () => {
  const chat = 'Jane Roe  10:45 AM\njane@example.com\n:+1:\n2\n10:45\nC-1001';

  test('has counts of reactions, times and emoji in it, which are no IDs', async () => {
    expect(brief(await read(chat, { identityField: 'customer_id' }))).toEqual([
      '-',
      'jane@example.com',
      '-',
      '-',
      '-',
      'C-1001',
    ]);
  });

  test('is not what a list of short numbers is', async () => {
    expect(brief(await read('12\n7\n301', { identityField: 'customer_id' }))).toEqual(['12', '7', '301']);
    const table = 'customer_id,Name\n7,Jane\n8,Bob';
    expect(brief(await read(table, { identityField: 'customer_id' }))).toEqual(['7', '8']);
  });
});

const readWithIds = (text: string) => read(text, { identityField: 'customer_id' });

describe('a number is never read as another one', () => {
  test.each([
    ['decimals of a spreadsheet', 'customer_id;Name\n12345.0;Jane', ['12345']],
    ['in a list', '12345.0\n4711,0\n4712,00', ['12345', '4711', '4712']],
    ['an ID with a sign in it', '2024-0017\n2024/0018', ['2024-0017', '2024/0018']],
    ['an ID filled with zeros behind letters', 'K-000012345\nKD-00471-22334455', ['K-000012345', 'KD-00471-22334455']],
    ['an amount', '4711,50\n12,345\n1,234,567', ['-', '-', '-']],
    ['a numbered list', '1. 12345\n2. 12346', ['-', '-']],
    ['several IDs, parted by blanks', '4711 4712\n12345 67890', ['-', '-']],
    ['IDs parted by commas', '4711,4712\n4713, 4714', ['4711', '4712', '4713', '4714']],
    ['behind the name of an ID', 'Customer no. 2024-0017\nCustomer no. 030-1234567', ['2024-0017', '030-1234567']],
    ['zeros that are no country code', '000012345678\n0012345678', ['000012345678', '0012345678']],
  ])('%s', async (_, text, values) => {
    const entries = await readWithIds(text);
    expect(brief(entries)).toEqual(values);
    expect(entries.flatMap((entry) => entry.values)).toEqual(values.filter((value) => value !== '-'));
  });

  test('in the column of the workspace’s own ID: no phone number is looked up', async () => {
    const cells = ['0049301001556', '030-1234567', '2024 0017', '+49 30 1001556', '12345.0', '4711', 'K-17'];
    const ids = cells.map((cell) => [cell.replace('.0', '')]);
    const table = `customer_id;Name\n${cells.map((cell) => `${cell};Jane`).join('\n')}`;
    expect((await readWithIds(table)).map(({ values }) => values)).toEqual(ids);
    const list = `Customer number\n${cells.join('\n')}`;
    expect((await readWithIds(list)).map(({ values }) => values)).toEqual(ids);
  });

  test('with and without its name it is the same', async () => {
    expect(brief(await readWithIds('10042\ncustomer no. 10042\n10042.0'))).toEqual(['10042', '= 1', '= 1']);
  });
});

describe('a line that names a customer by an ID and by a phone number', () => {
  const line = 'Customer C-11516 called from +49 30 1001553, wants no mail';

  test('is an entry for each, with the whole line, and none is run until it is chosen', async () => {
    const entries = await readWithIds(line);
    expect(entries).toMatchObject([
      { line: 1, values: ['C-11516'], text: `C-11516 (in “${line}”)` },
      { line: 1, values: ['+49 30 1001553', '+49301001553'], text: `+49 30 1001553 (in “${line}”)` },
    ]);
    expect(entries.map(({ leftOut }) => leftOut)).toEqual([
      'Or +49 30 1001553? Tick whom this line means',
      'Or C-11516? Tick whom this line means',
    ]);
  });

  test('does not keep another line from being run, before it or after', async () => {
    const entries = await readWithIds(`C-11516\n${line}\n+49 30 1001553`);
    expect(brief(entries)).toEqual(['C-11516', 'C-11516', '+49 30 1001553', '+49 30 1001553']);
    expect(entries.map(({ leftOut }) => leftOut === undefined)).toEqual([true, false, false, true]);
  });

  test('is such a line with an address in it too, and none where the workspace has no IDs', async () => {
    const entries = await readWithIds(`${line}, jane@example.com`);
    expect(brief(entries)).toEqual(['C-11516', '+49 30 1001553', 'jane@example.com']);
    expect(entries.every(({ leftOut }) => leftOut?.endsWith('Tick whom this line means'))).toBe(true);
    expect(brief(await read(line))).toEqual(['+49 30 1001553']);
  });
});

describe('an address', () => {
  test.each([
    'jane@example.com!',
    'jane@example.com?',
    '„jane@example.com“',
    '*jane@example.com*',
    'Email：jane@example.com',
    'jane@example.com’s',
    'jane@example.com—urgent',
    'https://example.com/u?email=jane%40example.com&x=1',
    'I would like you to take jane@example.com off your lists, please',
  ])('stands out from %s', async (line) => {
    expect(brief(await read(line))).toEqual(['jane@example.com']);
  });

  test('with blanks in its local part is tried as it stands, before its last word', async () => {
    const [entry] = await read('a+b/c d@x.test');
    expect(entry?.values).toEqual(['a+b/c d@x.test', 'd@x.test']);
  });
});

test('a Latin address behind words without a blank is two readings, and none is run until it is chosen', async () => {
  const entries = await read('请退订jane@example.com谢谢\nbob@example.com');
  expect(brief(entries)).toEqual(['请退订jane@example.com', 'jane@example.com', 'bob@example.com']);
  expect(entries.map(({ leftOut }) => leftOut)).toEqual([
    'Or jane@example.com? Tick whom this line means',
    'Or 请退订jane@example.com? Tick whom this line means',
    undefined,
  ]);
});

describe('a customer number in a sentence', () => {
  test('is an entry that is not run until somebody ticks it', async () => {
    const line = 'please unsubscribe customer 1234567 and C-10153, thanks';
    expect(await readWithIds(line)).toMatchObject([
      { values: ['1234567'], text: `1234567 (in “${line}”)`, leftOut: 'May be an ID in a sentence' },
      { values: ['C-10153'], text: `C-10153 (in “${line}”)`, leftOut: 'May be an ID in a sentence' },
    ]);
    expect(brief(await read(line))).toEqual(['-']);
  });

  test.each([
    'Bitte Kundennr. 1234567 abmelden',
    'Kunde 1234567 möchte nichts mehr',
    'le client n° 1234567 ne veut plus rien',
    'el cliente 1234567 no quiere nada',
    'klant 1234567 wil niets meer',
    'klient nr 1234567 nie chce nic',
  ])('is read from %j', async (line) => {
    expect(await readWithIds(line)).toMatchObject([{ values: ['1234567'], leftOut: 'May be an ID in a sentence' }]);
  });

  test('alone with its name needs no question', async () => {
    expect(await readWithIds('customer no. K-77001\nNuméro de client : 1234567')).toMatchObject([
      { values: ['K-77001'] },
      { values: ['1234567'] },
    ]);
  });
});

describe('a customer number in the text of a mail', () => {
  const header = 'From: Maria <doppel2@example.de>\nTo: support@acme.test\nSubject: WG: Abmeldung\n\n';

  test.each([
    ['Bitte die Kundin mit der Kundennummer K-00471 abmelden, sie hat angerufen.', ['K-00471']],
    ['my customer number: K-00487.', ['K-00487']],
    ['My wife, Kundennummer K-00471, also.', ['K-00471']],
    ['Customer no. 4711 too.', ['4711']],
    ['Customer no. ab_4711_X too.', ['ab_4711_X']],
    ['Customer no. K\u20110047 too.', ['K\u20100047']],
    ['Meine Kundennummer lautet K-00471, danke', ['K-00471']],
    ['My customer number is 4711, thanks', ['4711']],
    ['Die Kundennummern K-00471, K-00472 und K-00473 bitte.', ['K-00471', 'K-00472', 'K-00473']],
    ['Please stop customers 4711 and 4712 now', ['4711', '4712']],
    ['the customer customer 4711 too', ['4711']],
  ])('is an entry that is not run until somebody ticks it: %s', async (line, ids) => {
    for (const text of [header + line, line]) {
      const guesses = (await readWithIds(text)).filter(({ leftOut }) => leftOut === 'May be an ID in a sentence');
      expect(guesses.map(({ values }) => values[0])).toEqual(ids);
    }
  });

  test.each(['customer since 2nd of May', 'Our customers love Web3 and Q4', 'the customer paid 500EUR'])(
    'is none in %s',
    async (line) => {
      expect(brief(await readWithIds(header + line))).toEqual(['doppel2@example.de', 'support@acme.test']);
    },
  );

  test('is looked for in linear time', async () => {
    for (const piece of ['customer no. ', 'id_', 'id ', 'customer k-', 'customer 4711,', 'kunde a']) {
      await readWithIds(`${header}${piece.repeat(190_000 / piece.length)}`);
    }
  });
});

describe('an ID beside an address in a line', () => {
  test.each([
    ['bitte streichen Sie mich (Kundennummer K-00471) und meinen Mann (hans@example.de)', 'K-00471', 'hans@example.de'],
    ['Kundennummer K-00471 möchte nichts mehr (gemeldet von doppel2@example.de)', 'K-00471', 'doppel2@example.de'],
    ['jane@example.com, customer no. 4711', '4711', 'jane@example.com'],
  ])('of which its name is told is one to choose: %s', async (line, id, address) => {
    const source = 'From: kim@example.com\nTo: support@acme.test\nSubject: stop\n\n';
    for (const text of [line, source + line]) {
      const chosen = (await readWithIds(text)).filter(({ leftOut }) => leftOut?.endsWith('Tick whom this line means'));
      expect(chosen.map(({ values }) => values[0])).toEqual([id, address]);
    }
  });

  test('that only its form tells is left out, and the address is run', async () => {
    const entries = await readWithIds(`jane@example.com C-10001\n${UUID} (C-10002)\nbroken@@example.com Kunde C-10003`);
    expect(entries.map(({ values, leftOut }) => [values[0] ?? '-', leftOut ?? ''])).toEqual([
      ['jane@example.com', ''],
      ['C-10001', 'May be an ID in a sentence'],
      [UUID, ''],
      ['C-10002', 'May be an ID in a sentence'],
      ['-', ''],
      ['C-10003', 'May be an ID in a sentence'],
    ]);
  });

  test('is none in a table, or where the workspace has none', async () => {
    expect(brief(await readWithIds('Email,Note\njane@example.com,customer no. 4711'))).toEqual(['jane@example.com']);
    expect(brief(await read('jane@example.com, customer no. 4711'))).toEqual(['jane@example.com']);
  });
});

/** Three lines, of which the second has this number of characters. */
const secondLine = (length: number) => `jane@example.com\n${'bob@example.com '.padEnd(length, '.')}\neve@example.com`;

describe('nobody is left out, and nobody is added', () => {
  test.each([
    ['two numbers in each line', '+49301001556, +49301000317\n+49301001111, +49301000222', 4],
    [
      'two UUIDs in each line',
      `${UUID},${UUID.replace('7', '8')}\n${UUID.replace('7', '9')},${UUID.replace('7', 'a')}`,
      4,
    ],
    ['two addresses parted by a slash', 'jane@example.com/bob@example.com', 2],
    ['an address and a number', 'jane@example.com and my wife, +49 30 1001652', 2],
    ['prose with a comma in each line', 'Dear team, please unsubscribe\nI am jane@example.com, or +49 30 1001556', 3],
    ['lines of JSON', `{"uuid":"${UUID}","email":"jane@example.com"}\n{"email":"bob@example.com"}`, 3],
  ])('%s', async (_, text, count) => {
    expect(await read(text)).toHaveLength(count);
  });

  test('what a spreadsheet leaves where a value is missing or spoilt is no identity', async () => {
    const list = '#N/A\nn/a\n-\nTotal\nE-Mail\n4.9301E+10';
    const entries = await read(list, { identityField: 'customer_id' });
    expect(brief(entries)).toEqual(['-', '-', '-', '-', '-', '-']);
    expect(entries[5]?.as).toBe('A spreadsheet has shortened this number: show all its digits there.');
  });

  test.each([
    ['a line alone', '7,91612E+10\n4,47911E+11'],
    ['a column', 'Telefon\n7,91612E+10\n7,49512E+10'],
    ['pasted CSV', 'Sci One,4.47911E+11\nSci Two,4.47911000002E+11'],
    ['a table with semicolons', 'Name;Telefon\nIvan;7,91612E+10\nOlga;7,49512E+10'],
    ['a sentence', 'Bitte Kunde 7,91612E+10 abmelden, danke\nKundennummer 7,91612E+10'],
  ])('a number that a spreadsheet has shortened is not read as others, in %s', async (_, list) => {
    const entries = await read(list, { identityField: 'customer_id' });
    expect(entries.map(({ as, values }) => [as, values])).toEqual(
      entries.slice(0, 2).map(() => ['A spreadsheet has shortened this number: show all its digits there.', []]),
    );
    expect(entries).toHaveLength(2);
  });

  test.each(['customer_id;Name\n7,91612E+10;Ivan\nK-10;Olga', 'Name,customer_id\nIvan,"7,91612E+10"\nOlga,K-10'])(
    'nor in a cell beside others: %j',
    async (table) => {
      expect(brief(await read(table, { identityField: 'customer_id' }))).toEqual(['-', 'K-10']);
    },
  );

  test('one number in many dresses is one', async () => {
    expect(brief(await read('+49301001556\n0049301001556\n＋49 30 1001556\n(+49) 30 1001556'))).toEqual([
      '+49301001556',
      '= 1',
      '= 1',
      '= 1',
    ]);
  });

  test('two numbers of one town are two, in lines and in a column', async () => {
    const numbers = ['+49 (0) 40 / 55500-03', '+49 (0)40 / 5550006'];
    expect(brief(await read(numbers.join('\n')))).toEqual(numbers);
    expect(brief(await read(`Name;Telefon\n${numbers.map((number) => `Jane;${number}`).join('\n')}`))).toEqual(numbers);
  });

  test('a hostile line does not hold up the page', async () => {
    const lines = ['x@ ' + 'a'.repeat(199_000), '@'.repeat(200_000), '+1 '.repeat(66_000), 'a.'.repeat(99_000) + '@'];
    lines.push('00' + '1 '.repeat(99_000), '+1' + '('.repeat(199_000), '+1 / '.repeat(39_000), '001('.repeat(49_000));
    // Parsing in quadratic time would need many minutes.
    expect(await readLines(lines, 'customer_id')).toHaveLength(8);
  });

  test('a line without an end is not read, and says so', async () => {
    const [, entry, ...rest] = await read(secondLine(200_000));
    expect([entry?.values, rest]).toMatchObject([['bob@example.com'], [{ line: 3, values: ['eve@example.com'] }]]);

    const [, long, ...others] = await read(secondLine(200_001));
    expect(long).toMatchObject({
      line: 2,
      values: [],
      as: 'This line is longer than 200,000 characters: put one contact on each line.',
    });
    // It would be stored in the browser, and shown.
    expect(long?.text).toHaveLength(200);
    expect(others).toMatchObject([{ line: 3, values: ['eve@example.com'] }]);
  });
});

/** Cells that are empty are entries too, and take the least time to read. */
function readEmptyCells(count: number) {
  const rows = Array.from({ length: count }, () => ['', 'x']);
  return parseList(
    {
      lines: [],
      table: { headings: ['Email', 'Name'], hasHeadings: true, rows, firstRow: 2 },
      summary: null,
      column: 0,
    },
    null,
  );
}

test('a list of more entries than a browser keeps is refused with a sentence', async () => {
  expect(await readEmptyCells(500_000)).toHaveLength(500_000);
  await expect(readEmptyCells(500_001)).rejects.toThrow('There are more than 500,000 entries: split the list.');
});

describe('a table', () => {
  test('is read by the column that holds the addresses, wherever it stands', async () => {
    const csv =
      'Name,Email,Orders\n"Doe, Jane",jane@example.com,3\nBob,BOB@example.com,12\nEve,,1\nTwin,bob@example.com,2';
    const entries = await read(csv);
    expect(brief(entries)).toEqual(['jane@example.com', 'bob@example.com', '-', '= 3']);
    expect(entries.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    expect((await parseTable(csv, null))?.headings).toEqual(['Name', 'Email', 'Orders']);
  });

  test('of more columns than anybody has is refused with a sentence', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const heading = (index: number) => `${letters[Math.floor(index / 26)]}${letters[index % 26]}`;
    const table = (count: number) => {
      const headings = Array.from({ length: count }, (_, index) => heading(index)).join(',');
      return `${headings}\njane@example.com${','.repeat(count - 1)}\n`;
    };
    expect((await parseTable(table(500), null))?.headings).toHaveLength(500);
    await expect(parseTable(table(501), null)).rejects.toThrow(
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

test('a file of one column of IDs has short ones too, as its heading says', async () => {
  const options = { identityField: 'customer_id' };
  expect(brief(await read('customer_id\nA-100\n007\n7\nC-1001', options))).toEqual(['A-100', '007', '7', 'C-1001']);
  expect(brief(await read('A-100\n007\nB-200\nC-1001', options))).toEqual(['A-100', '-', 'B-200', 'C-1001']);
});

test.each([
  '"jane@example.com" <bob@corp.test>',
  "'jane@example.com' <bob@corp.test>",
  '“jane@example.com” <bob@corp.test>',
  'To: "jane@example.com" <bob@corp.test>;',
])('an address in place of a name is not the one that counts (RFC 5322): %s', async (line) => {
  expect(brief(await read(line))).toEqual(['bob@corp.test']);
  expect(brief(await read(`${line}, "Eve" <eve@example.com>`))).toEqual(['bob@corp.test', 'eve@example.com']);
});

import { expect, test } from 'vitest';
import { escapeFormulas, escapeFormulasInJson } from '#contract/values/csvInjection.ts';
import { lineKinds } from './lineKinds.ts';
import { type Format, type ImportRow, readRows } from './readRows.ts';

const CONTACTS = lineKinds.contacts.columns({ identity_field: 'customer_id' });

async function read(content: string | Buffer, format: Format = 'csv', columns = CONTACTS) {
  const bytes = Buffer.from(content);
  async function* source() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const notes: string[] = [];
  const rows: ImportRow[] = await Array.fromAsync(
    readRows(source(), format, columns, (note) => notes.push(note), source),
  );
  return { notes, rows };
}

const many = ['email,note', ...Array.from({ length: 60_000 }, (_, row) => `p${row}@x.test,"a, b"`)];

test.each<[what: string, format: Format, lines: string[]]>([
  ['CSV', 'csv', ['email,plan', 'ada@x.test,gold']],
  ['CSV with quotes, more than a line may have', 'csv', many],
  ['one quoted column', 'csv', ['"email"', '"ada@x.test"']],
  ['NDJSON', 'ndjson', ['{"attributes":{"email":"a@x.test"}}', '{"attributes":{}}']],
])('lines of %s that end with CR alone are refused', async (_, format, lines) => {
  await expect(read(lines.map((line) => `${line}\r`).join(''), format)).rejects.toThrow(
    'The lines end with CR only. Save the file with LF or CRLF.',
  );
});

test('CR within quotes, or more than one at the end of a line, is none of these', async () => {
  expect((await read('email,"a\rnote"')).rows).toEqual([]);
  expect((await read('email,"a\r\nnote"\r\n')).rows).toEqual([]);
  expect((await read('email,note\r\r\nada@x.test,x\r\r\n')).rows).toHaveLength(1);
});

test('CSV as spreadsheets write it: mark, CRLF, quoted cells with line breaks, empty cells and lines', async () => {
  const lines = [
    '\ufeffuuid,email,attributes.phone,plan,attributes,subscribed',
    `U,ada@example.com,+49 1,"gold, ""old""\r\nsecond line","{""vip"":true}",TRUE`,
    '',
    ',,,,,',
    ',bob@example.com,,=HYPERLINK("x"),,',
    ',"cé@example.com",,"=HYPERLINK(""http://x.test"")",,',
    ',"one@example.com"',
  ];
  const { rows, notes } = await read(lines.join('\r\n'));
  expect(notes).toEqual(['Columns read as attributes: plan.']);
  const attributes = { vip: true, email: 'ada@example.com', phone: '+49 1', plan: 'gold, "old"\r\nsecond line' };
  expect(rows).toEqual([
    { number: 2, value: { uuid: 'U', subscribed: true, attributes } },
    { number: 6, fault: 'A cell has a quote in the wrong place.' },
    { number: 7, value: { attributes: { email: 'cé@example.com', plan: '=HYPERLINK("http://x.test")' } } },
    { number: 8, fault: 'The line has 2 cells; the first line has 6.' },
  ]);
});

test.each([
  ['email,unsubscribed', 'unsubscribed'],
  ['email,Status,opt_out,Email Opt Out', 'Status, opt_out, Email Opt Out'],
  ['email,marketing_consent', 'marketing_consent'],
  ['email,EMAIL_BLACKLISTED,Opted out of email: News', 'EMAIL_BLACKLISTED, Opted out of email: News'],
])('a CSV of another tool with the columns %s is told to unsubscribe nobody', async (head, named) => {
  const line = head.replaceAll(/[^,]+/g, 'yes');
  expect((await read(`${head}\n${line}\n`)).notes.join('\n')).toMatch(
    new RegExp(`(^|\n)${named}: this does NOT unsubscribe anybody\\..* a column called subscribed `),
  );
  for (const name of ['subscribed', 'suppression.since'])
    expect((await read(`${head},${name}\n${line},yes\n`)).notes.join('\n')).not.toContain('NOT unsubscribe');
});

test('a CSV is told of columns whose cells are answers, whatever they are called, and not of others', async () => {
  const csv = 'email,Abgemeldet,flag,plan,seats\na@x.test,ja,true,pro,1\nb@x.test,nein,,free,1\n';
  expect((await read(csv)).notes.at(-1)).toMatch(/^Abgemeldet, flag: this does NOT unsubscribe anybody\./);
});

test('lines of NDJSON are told the same, once, unless they say who is subscribed, or are no contacts', async () => {
  const line = '{"attributes":{"email":"a@x.test","opt_out":true,"plan":"gold"}}\n';
  expect((await read(line + line, 'ndjson')).notes).toEqual([
    expect.stringMatching(/^opt_out: this does NOT unsubscribe anybody\. .* a field called subscribed /),
  ]);
  expect((await read(line.replace('{', '{"subscribed":false,'), 'ndjson')).notes).toEqual([]);
  const events = lineKinds.events.columns({ identity_field: null });
  expect((await read(line, 'ndjson', events)).notes).toEqual([]);
});

test.each([',', ';', '\t'])('cells may be separated by %j, as the first line is', async (delimiter) => {
  const others = [',', ';', '\t'].filter((other) => other !== delimiter).join('');
  const { rows } = await read(
    ['email', 'plan'].join(delimiter) + `\n${['a@x.test', `"${others}""`].join(delimiter)}"\n`,
  );
  expect(rows).toEqual([{ number: 2, value: { attributes: { email: 'a@x.test', plan: `${others}"` } } }]);
});

test.each<[content: string | Buffer, sentence: string]>([
  ['', 'The file is empty. Its first line must name the columns.'],
  [
    'Name\nAda\n',
    'The first line must name the columns, including one of uuid, email, phone, customer_id, attributes.',
  ],
  [
    'Ada,ada@example.com\n',
    'The first line has an email address, so it names no columns. Put a line before it that does, such as email,first_name.',
  ],
  ['email,First Name\n', 'A column is called "First Name". Rename it to first_name.'],
  ['email,attributes.Job-Title\n', 'A column is called "attributes.Job-Title". Rename it to attributes.job_title.'],
  ['email,,\n', 'A column has no name.'],
  [`email${',a'.repeat(1000)}\n`, 'The first line names 1,001 columns; the maximum is 1,000.'],
  ['email,attributes.email\n', 'Two columns are for attributes.email.'],
  ['"email\n', "The first line can't be read as column names. A quote opens here and doesn't close"],
  [Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]), "The file begins as UTF-16 and isn't UTF-16. Save it as UTF-8."],
])('a CSV file that cannot be understood at all is one sentence: %j', async (content, sentence) => {
  await expect(read(content)).rejects.toThrow(sentence);
});

test('a column that a resource without attributes does not have is refused', async () => {
  const domains = read('name,colour\n', 'csv', lineKinds.domains.columns({ identity_field: null }));
  await expect(domains).rejects.toThrow(/^Unknown column "colour"\. Use .*mail_from_domain/);
});

test('a CSV file may have a thousand columns, the first of which are named', async () => {
  const names = Array.from({ length: 999 }, (_, index) => `c${index}`);
  const { notes } = await read(`email,${names.join(',')}\n`);
  expect(notes).toEqual([`Columns read as attributes: ${names.slice(0, 20).join(', ')} and 979 more.`]);
});

test('cells are text, except true, false and JSON where the column takes only that', async () => {
  const domains = 'name,verified,dns\nx.test,True,"[{""type"":""MX""}]"\nz.test,maybe,{\n';
  expect((await read(domains, 'csv', lineKinds.domains.columns({ identity_field: null }))).rows).toEqual([
    { number: 2, value: { name: 'x.test', verified: true, dns: [{ type: 'MX' }] } },
    { number: 3, fault: "dns isn't JSON." },
  ]);
  const attributes = { customer_id: '9007199254740993', points: '1e400' };
  expect((await read('customer_id,points\n9007199254740993,1e400\n')).rows).toEqual([
    { number: 2, value: { attributes } },
  ]);
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
    list: ['a;=1', -1, { 'k;+': null }],
    flag: true,
    text: '7',
  };
  const cells = [
    ['subscribed', 'false'],
    ['provider', ''],
    ...Object.entries(attributes).map(([name, value]) => [
      `attributes.${name}`,
      typeof value === 'string' ? escapeFormulas(value) : escapeFormulasInJson(JSON.stringify(value)),
    ]),
    ['attributes', escapeFormulasInJson(JSON.stringify(attributes))],
  ];
  const line = (at: 0 | 1) => cells.map((cell) => `"${cell[at]?.replaceAll('"', '""')}"`).join(',');
  const { rows } = await read(`\ufeff${line(0)}\r\n${line(1)}\r\n`);
  expect(rows).toEqual([{ number: 2, value: { subscribed: false, attributes } }]);
});

test('subscribed may be yes or no, and an address may have a name, which is left out', async () => {
  const text = 'email,subscribed\nJane <a@x.test>,No\nb@x.test,1\n"Doe, Jane <c@x.test>",maybe\n';
  const { rows, notes } = await read(text);
  expect(rows).toEqual([
    { number: 2, value: { attributes: { email: 'a@x.test' }, subscribed: false } },
    { number: 3, value: { attributes: { email: 'b@x.test' }, subscribed: true } },
    { number: 4, value: { attributes: { email: 'c@x.test' }, subscribed: 'maybe' } },
  ]);
  expect(notes).toEqual([
    'Line 2: email has a name before the address. Only the address is imported. Further such lines are not shown.',
  ]);
});

const unsubscribed = (email: string, reason: string, since: string) => ({
  subscribed: false,
  suppression: { reason, since: `${since}T00:00:00.000Z` },
  attributes: expect.objectContaining({ email }) as unknown,
});

test('columns called suppression.since and suppression.reason say of an unsubscribe what the console reads', async () => {
  const text =
    'email,suppression.since,suppression.reason,plan\na@x.test,28/11/2024,Spam complaint,pro\nb@x.test,,,pro\nc@x.test,03/05/2024,moved away,\nd@x.test,soon,,\n';
  const { rows, notes } = await read(text);
  expect(rows).toEqual([
    { number: 2, value: unsubscribed('a@x.test', 'complaint', '2024-11-28') },
    { number: 3, value: { attributes: { email: 'b@x.test', plan: 'pro' } } },
    { number: 4, value: unsubscribed('c@x.test', 'other', '2024-05-03') },
    {
      number: 5,
      fault: "suppression.since isn't a date that can be read in one way only. Write a date like 2026-01-31.",
    },
  ]);
  expect(notes).toEqual([
    'Columns read as attributes: plan.',
    'Line 4: suppression.reason: "moved away" isn\'t a known reason, so it becomes "other".',
  ]);
});

test('together with a column subscribed they say only why and since when', async () => {
  const text =
    'email,subscribed,suppression.since\na@x.test,yes,2025-05-01\nb@x.test,no,01/02/2025\nc@x.test,no,2025-05-01\n';
  const { rows, notes } = await read(text);
  expect(rows.map((row) => 'value' in row && row.value)).toMatchObject([
    { subscribed: true },
    { subscribed: false, suppression: { reason: null } },
    { subscribed: false, suppression: { since: '2025-05-01T00:00:00.000Z' } },
  ]);
  expect(rows[0]).not.toHaveProperty('value.suppression');
  expect(notes.map((note) => note.split(' ', 2).join(' '))).toEqual(['Line 2:', 'Line 3:']);
  await expect(read('email,suppression.reason\n')).rejects.toThrow('No column says who is unsubscribed');
  await expect(read('email,suppression,suppression.reason\n')).rejects.toThrow('exclude each other');
});

test('a link to an address is that address, and a link with more is left as it is', async () => {
  const cells = ['mailto:a@x.test', 'MAILTO:b@x.test', 'Jane <mailto:c@x.test>', 'mailto:d@x.test?cc=e@x.test'];
  const { rows } = await read(['email', ...cells].join('\n'));
  const emails = ['a@x.test', 'b@x.test', 'c@x.test', 'mailto:d@x.test?cc=e@x.test'];
  expect(rows).toEqual(emails.map((email, index) => ({ number: index + 2, value: { attributes: { email } } })));
});

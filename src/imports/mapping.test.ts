import { expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { csvLine } from '../ui/format/csv.ts';
import {
  findConsents,
  findMappingFault,
  findSources,
  firstValueOf,
  groupFaults,
  isChoosable,
  planImport,
  translate,
  type Choice,
  type Choices,
  type Translated,
} from './mapping.ts';
import { readExport } from './readExport.ts';

const read = (text: string | Uint8Array<ArrayBuffer>) => readExport(new File([text], 'export.csv'));
const OTHER = 'Other file: contacts';
const MAILCHIMP = 'Email Address,Plan,MEMBER_RATING,OPTIN_TIME,UNSUB_TIME\n';

async function importOf(text: string, choices: Choices = new Map(), id?: string) {
  const file = await read(text);
  const { found, all } = findSources(file);
  const source = must(id === undefined ? found[0] : all.find((one) => one.id === id));
  const plan = planImport(source, file, choices);
  return { file, found, plan, ...(await translate(file, plan, null)) };
}

test('an export is recognised by its columns, and each line becomes a row with its number', async () => {
  const { found, rows, refused } = await importOf(`${MAILCHIMP}a@x.test,pro,3,,2025-05-01 10:00:00\nx"y,pro,3,,\n`);
  expect(found.map(({ label }) => label)).toEqual(['Mailchimp: unsubscribed contacts']);
  expect(rows).toEqual([
    {
      number: 2,
      row: {
        attributes: { email: 'a@x.test', Plan: 'pro' },
        suppression: { reason: 'request', since: '2025-05-01T10:00:00.000Z' },
      },
    },
  ]);
  expect(refused).toEqual([{ number: 3, fault: 'A cell has a quote in the wrong place.' }]);
});

test.each([
  ['bounces', ['Customer.io: bounces (ESP suppressions)']],
  ['blocks', ['Customer.io: blocks']],
  ['unheard of', []],
])('suppressions of Customer.io in the category %s are none of SendGrid', async (category, labels) => {
  const entry = { created: 1_714_725_000, email: 'a@x.test', reason: 'Said', status: '550' };
  const { found } = findSources(await read(JSON.stringify({ category, suppressions: [entry] })));
  expect(found.map(({ label }) => label)).toEqual(labels);
});

test('a cell that is longer than an attribute may be is named, and the columns show the beginning of it', async () => {
  const long = 'x'.repeat(10_000_000);
  const { file, rows, refused } = await importOf(`email,notes\na@x.test,"${long}"\nb@x.test,y\n`, new Map(), OTHER);
  expect(refused).toEqual([{ number: 2, fault: 'notes is longer than 8 KiB, the maximum of an attribute.' }]);
  expect(rows.map(({ number }) => number)).toEqual([3]);
  expect(firstValueOf(file, 1)).toBe(`${'x'.repeat(200)} …`);
});

test('a column gets another attribute, is left out, or comes in', async () => {
  const choices = new Map([
    [1, 'plan'],
    [2, 'rating'],
    // Never dropped: it's part of an unsubscribe.
    [4, null],
  ]);
  const { rows } = await importOf(`${MAILCHIMP}a@x.test,pro,3,,2025-05-01\n`, choices);
  expect(rows[0]?.row).toEqual({
    attributes: { email: 'a@x.test', plan: 'pro', rating: '3' },
    suppression: { reason: 'request', since: '2025-05-01T00:00:00.000Z' },
  });
  expect((await importOf(`${MAILCHIMP}a@x.test,pro,3,,\n`, new Map([[1, null]]))).rows[0]?.row.attributes).toEqual({
    email: 'a@x.test',
  });
});

const ADA = '018f0000-0000-7000-8000-00000000000a';
const AT = '2024-05-03T08:30:00.000Z';
const LATER = '2025-05-03T08:30:00.000Z';
const ada = { email: 'ada@x.test', age: 36, zip: '007', note: '=1+1; -2', tags: { vip: true } };
const asStored = { uuid: ADA, attributes: ada, created_at: AT, updated_at: LATER };
const ourCsv = (...lines: unknown[][]) => `\ufeff${lines.map(csvLine).join('')}`;

test('our own export of contacts maps by itself, with types, unsubscribes and times', async () => {
  const cells = [ADA, false, AT, LATER, ada.email, '', ada.age, ada.zip, ada];
  const names = ['email', 'phone', 'age', 'zip'].map((name) => `attributes.${name}`);
  const csv = ourCsv(['uuid', 'subscribed', 'created_at', 'updated_at', ...names, 'attributes'], cells);
  const unsubscribed = { ...asStored, suppression: { reason: null } };
  const entry = { uuid: ADA, subscribed: false, attributes: ada, created_at: AT, updated_at: LATER };
  const page = JSON.stringify({ data: [entry], meta: { total: 1 } });
  for (const text of [csv, `${JSON.stringify(entry)}\n`, page]) {
    const { file, found, rows, plan } = await importOf(text);
    expect(found.map(({ label }) => label)).toEqual(['Sendroom: contacts']);
    expect(rows.map(({ row }) => row)).toEqual([unsubscribed]);
    expect([findMappingFault(plan, null), findConsents(file, plan)]).toEqual([null, []]);
  }
  expect((await importOf(csv.replace('false', 'true'))).rows[0]?.row).toEqual(asStored);
  // A cell that somebody edited counts.
  expect((await importOf(csv.replace('ada@x.test,', 'ada@y.test,'))).rows[0]?.row.attributes['email']).toBe(
    'ada@y.test',
  );
});

test('what is left out of our own export, or becomes another attribute, is not in its attributes either', async () => {
  const csv = ourCsv(
    ['uuid', 'attributes.email', 'attributes.age', 'attributes.zip', 'attributes'],
    [ADA, ada.email, ada.age, ada.zip, ada],
  );
  const choices = new Map([
    [2, null],
    [3, 'postcode'],
  ]);
  const { age: _, zip: postcode, ...others } = ada;
  expect((await importOf(csv, choices)).rows[0]?.row.attributes).toEqual({ ...others, postcode });
});

test('our own export of selected contacts maps by itself, also without the subscription', async () => {
  const head = ['uuid', 'attributes.first_name', 'attributes.last_name', 'attributes.email'];
  const line = [ADA, 'Ada', '', 'ada@x.test'];
  const { found, rows } = await importOf(ourCsv(head, line));
  expect(found.map(({ label }) => label)).toEqual(['Sendroom: contacts']);
  expect(rows[0]?.row).toEqual({ uuid: ADA, attributes: { first_name: 'Ada', email: 'ada@x.test' } });
  expect((await importOf(ourCsv([...head, 'subscribed'], [...line, 'maybe']))).refused[0]?.fault).toBe(
    'subscribed must be true or false, or yes or no.',
  );
});

test('our own export of unsubscribed contacts unsubscribes for the same reasons', async () => {
  const attributes = ['email', 'phone', 'first_name', 'customer_id'].map((name) => `contact.attributes.${name}`);
  const head = ['contact.uuid', ...attributes, 'reason', 'ticket', 'origin'];
  const csv = ourCsv(
    [...head, 'actor.kind', 'actor.uuid', 'since'],
    [ADA, 'ada@x.test', '', 'Ada', 'C-1', 'bounce', 'ZD-1', 'program', 'token', '', AT],
    [ADA, 'ada@x.test', '', 'Ada', 'C-1', null, null, null, 'command', null, AT],
  );
  const { found, rows } = await importOf(csv);
  expect(found.map(({ label }) => label)).toEqual(['Sendroom: unsubscribed contacts']);
  const row = { uuid: ADA, attributes: { email: 'ada@x.test', first_name: 'Ada', customer_id: 'C-1' } };
  expect(rows.map(({ row }) => row)).toEqual(
    ['bounce', null].map((reason) => ({ ...row, suppression: { reason, since: AT } })),
  );
  const contact = { uuid: ADA, subscribed: false, attributes: ada, created_at: AT, updated_at: LATER };
  const line = { contact, reason: 'bounce', ticket: null, origin: 'program', actor: { kind: 'token' }, since: AT };
  expect((await importOf(JSON.stringify(line))).rows[0]?.row).toEqual({
    ...asStored,
    suppression: { reason: 'bounce', since: AT },
  });
});

test.each([
  ['uuid,subscribed,attributes\nx,true,\n', "uuid isn't a UUID."],
  ['uuid,subscribed,attributes\n,true,[1]\n', "attributes isn't a JSON object."],
  ['uuid,subscribed,attributes\n,true,{"__proto__":1}\n', 'A cell has a quote in the wrong place.'],
  ['uuid,subscribed,attributes\n,true,"{""__proto__"":1}"\n', "An attribute can't be called __proto__."],
])('a line of our own that was broken has a sentence: %j', async (text, sentence) => {
  expect((await importOf(text)).refused).toEqual([{ number: 2, fault: sentence }]);
});

test('a first line with an email address is a contact, and its columns have no names', async () => {
  const { file, found, plan, rows } = await importOf(
    'Ada,ada@x.test,1\nBo,bo@x.test,2\n',
    new Map([[2, 'seats']]),
    OTHER,
  );
  expect([found, file.header]).toEqual([[], ['Column 1', 'Column 2', 'Column 3']]);
  expect(plan.columns.map(({ target }) => target)).toEqual(['nowhere', { attribute: 'email' }, { attribute: 'seats' }]);
  expect(rows).toEqual([
    { number: 1, row: { attributes: { email: 'ada@x.test', seats: '1' } } },
    { number: 2, row: { attributes: { email: 'bo@x.test', seats: '2' } } },
  ]);
  // Which one is theirs isn't certain.
  const two = await importOf('ada@x.test,boss@x.test\n', new Map(), OTHER);
  expect(two.plan.columns.map(({ target }) => target)).toEqual(['nowhere', 'nowhere']);
  expect(findMappingFault(two.plan, null)).toMatch(/^No column identifies a contact/);
});

test('of another file its columns are attributes, and who is in it is chosen', async () => {
  const text = 'Mail,First Name,Opt-out,plan\na@x.test,Ann,yes,pro\n';
  const contacts = await importOf(text, new Map(), OTHER);
  expect(contacts.found).toEqual([]);
  expect(contacts.rows[0]?.row).toEqual({
    attributes: { email: 'a@x.test', first_name: 'Ann', 'Opt-out': 'yes', plan: 'pro' },
  });
  expect(findConsents(contacts.file, contacts.plan)).toEqual(['Opt-out']);
  const without = await importOf(text, new Map([[2, null]]), OTHER);
  expect(findConsents(without.file, without.plan)).toEqual([]);
  const bounced = await importOf(text, new Map(), 'Other file: addresses that bounced');
  expect(bounced.rows[0]?.row.suppression).toEqual({ reason: 'bounce' });
});

test.each([
  ['EMAIL,EMAIL_BLACKLISTED,SMS_BLACKLISTED', ['EMAIL_BLACKLISTED', 'SMS_BLACKLISTED']],
  ['Email,Opted out of email: News,Opted In', ['Opted out of email: News', 'Opted In']],
  ['email,suppressed,OptOut,unsubscribed_at,Status', ['suppressed', 'OptOut', 'unsubscribed_at', 'Status']],
  ['email,vip', ['vip']],
  // The others are no answer to who gets mail.
  ['email,subscribed,vip,Opt-In', ['Opt-In']],
])('columns of %s with yes look as if they said who gets no mail: %j', async (header, names) => {
  const line = header.split(',').map(() => 'yes');
  const { file, plan } = await importOf(`${header}\n${line.join()}\n`, new Map(), OTHER);
  expect(findConsents(file, plan)).toEqual(names);
});

const SUBSCRIBED = { to: 'subscribed' } as const;
const UNSUBSCRIBED = { to: 'unsubscribed' } as const;
const ANSWERS = 'email,Abonniert\na@x.test,no\nb@x.test,YES\nc@x.test,\nd@x.test,ja\n';

test.each<[Choice, unsubscribed: string[]]>([
  ['subscribed', ['a@x.test']],
  [' Subscribed', ['a@x.test']],
  [SUBSCRIBED, ['a@x.test']],
  [UNSUBSCRIBED, ['b@x.test']],
])('a column that becomes %j says who is unsubscribed, as one of that heading does', async (choice, unsubscribed) => {
  const { file, plan, rows, refused } = await importOf(ANSWERS, new Map([[1, choice]]), OTHER);
  expect(rows.flatMap(({ row }) => (row.suppression ? row.attributes['email'] : []))).toEqual(unsubscribed);
  expect(rows.map(({ row }) => Object.keys(row.attributes))).toEqual([['email'], ['email'], ['email']]);
  expect(refused).toEqual([{ number: 5, fault: 'Abonniert must be true or false, or yes or no.' }]);
  expect([findMappingFault(plan, null), findConsents(file, plan)]).toEqual([null, []]);
});

test('a date next to a column that was chosen for who is unsubscribed says only since when', async () => {
  const text = 'email,Abonniert,Left\na@x.test,no,2025-05-01\nb@x.test,yes,2025-05-01\n';
  const choices = new Map<number, Choice>([
    [1, 'subscribed'],
    [2, DAY],
  ]);
  expect(suppressionsOf(await importOf(text, choices, OTHER))).toEqual([
    [2, { reason: null, since: '2025-05-01T00:00:00.000Z' }],
    [3, undefined],
  ]);
});

test('a column that is called as a field of a contact is that field', async () => {
  const text = `Mail,key,Since,created_at\na@x.test,${ADA},2025-05-03T08:30:00Z,2024-05-03T08:30:00Z\n`;
  const choices = new Map([
    [1, 'uuid'],
    [2, 'updated_at'],
  ]);
  const { plan, rows } = await importOf(text, choices, OTHER);
  expect(rows[0]?.row).toEqual({ uuid: ADA, attributes: { email: 'a@x.test' }, created_at: AT, updated_at: LATER });
  expect(plan.columns.every(isChoosable)).toBe(true);
  // Under another name it's an attribute.
  const other = await importOf(text, new Map([[3, 'signed_up']]), OTHER);
  expect(other.rows[0]?.row.attributes).toMatchObject({ signed_up: '2024-05-03T08:30:00Z', key: ADA });
});

test.each<[source: string, choices: [number, Choice][], sentence: RegExp]>([
  ['people who unsubscribed', [[1, 'subscribed']], /^Everyone in this file is unsubscribed/],
  ['people who unsubscribed', [[1, UNSUBSCRIBED]], /^Everyone in this file is unsubscribed/],
  [
    'contacts',
    [
      [1, 'subscribed'],
      [2, UNSUBSCRIBED],
    ],
    /^Two columns say who is unsubscribed/,
  ],
  [
    'contacts',
    [
      [1, 'uuid'],
      [2, 'uuid'],
    ],
    /^Two columns are for uuid/,
  ],
  ['contacts', [[1, 'suppression']], /^suppression is no attribute/],
])('of %s the choices %j are refused', async (source, choices, sentence) => {
  const text = 'email,Abonniert,Abgemeldet\na@x.test,no,yes\n';
  const { plan } = await importOf(text, new Map(choices), `Other file: ${source}`);
  expect(findMappingFault(plan, null)).toMatch(sentence);
});

test('of another file a column called subscribed says who is unsubscribed, as in the command, and subscribes nobody', async () => {
  const text = 'Mail, Subscribed \na@x.test,FALSE\nb@x.test,yes\nc@x.test,No\nd@x.test,\ne@x.test,0\nf@x.test,maybe\n';
  const { file, plan, rows, refused } = await importOf(text, new Map(), OTHER);
  const none = { suppression: { reason: null } };
  expect(rows.map(({ row }) => row)).toEqual([
    { attributes: { email: 'a@x.test' }, ...none },
    { attributes: { email: 'b@x.test' } },
    { attributes: { email: 'c@x.test' }, ...none },
    { attributes: { email: 'd@x.test' } },
    { attributes: { email: 'e@x.test' }, ...none },
  ]);
  expect(refused).toEqual([{ number: 7, fault: 'Subscribed must be true or false, or yes or no.' }]);
  expect(findConsents(file, plan)).toEqual([]);
  // Where everyone is unsubscribed it can't say otherwise.
  const list = await importOf(text, new Map(), 'Other file: people who unsubscribed');
  expect(list.rows[1]?.row).toEqual({
    attributes: { email: 'b@x.test', Subscribed: 'yes' },
    suppression: { reason: 'request' },
  });
  expect(findConsents(list.file, list.plan)).toEqual(['Subscribed']);
});

const DAY = { to: 'since' } as const;
const REASON = { to: 'reason' } as const;
const DAY_AND_REASON: Choices = new Map<number, Choice>([
  [1, DAY],
  [2, REASON],
]);
const suppressionsOf = ({ rows }: Translated) => rows.map(({ number, row }) => [number, row.suppression]);
const UNREADABLE = "Left isn't a date that can be read in one way only. Write a date like 2026-01-31.";

test('of another file a column is chosen for the day of the unsubscribe, and one for its reason', async () => {
  const text =
    'Mail,Left,Why\na@x.test,2025-05-01,Spam complaint\nb@x.test,,\nc@x.test,28/11/2024,moved away\nd@x.test,03/05/2024, HARD_bounce\ne@x.test,,bounced\nf@x.test,03/05/2024 10:30,\n';
  const done = await importOf(text, DAY_AND_REASON, OTHER);
  expect(suppressionsOf(done)).toEqual([
    [2, { reason: 'complaint', since: '2025-05-01T00:00:00.000Z' }],
    [3, undefined],
    [4, { reason: 'other', since: '2024-11-28T00:00:00.000Z' }],
    [5, { reason: 'bounce', since: '2024-05-03T00:00:00.000Z' }],
    [6, undefined],
    [7, { reason: null, since: '2024-05-03T10:30:00.000Z' }],
  ]);
  expect([findMappingFault(done.plan, null), done.refused]).toEqual([null, []]);
  expect(done.doubts).toEqual([
    { number: 4, fault: 'Why: "moved away" isn\'t a known reason, so it becomes "other".' },
    { number: 6, fault: 'Nothing in the line unsubscribes the contact, so Why is left out.' },
  ]);
});

test('a date is no unsubscribe unless it was chosen as one, and only if it can be read in one way', async () => {
  const dates = ['01/02/2025', '2025-02-30', 'n/a', '0', 'never', '3/4/25', '2025-02-03T04:05:06Z'];
  const text = `Mail,Left,Why\n${dates.map((date, index) => `p${index}@x.test,${date},\n`).join('')}`;
  expect(suppressionsOf(await importOf(text, new Map(), OTHER)).map(([, found]) => found)).toEqual(
    dates.map(() => undefined),
  );
  const chosen = await importOf(text, DAY_AND_REASON, OTHER);
  expect(suppressionsOf(chosen)).toEqual([[8, { reason: null, since: '2025-02-03T04:05:06.000Z' }]]);
  expect(chosen.refused).toEqual([2, 3, 4, 5, 6, 7].map((number) => ({ number, fault: UNREADABLE })));
  const future = await importOf('Mail,Left\na@x.test,2999-12-31\n', new Map([[1, DAY]]), OTHER);
  expect(future.refused).toEqual([{ number: 2, fault: 'Left is in the future. Write a date like 2026-01-31.' }]);
  // Days and months in both orders decide nothing.
  const both = await importOf(
    'Mail,Left\na@x.test,28/11/2024\nb@x.test,11/28/2024\nc@x.test,01/02/2025\n',
    new Map([[1, DAY]]),
    OTHER,
  );
  expect(both.refused).toEqual([{ number: 4, fault: UNREADABLE }]);
  const american = await importOf('Mail,Left\na@x.test,11/28/2024\nc@x.test,01/02/2025\n', new Map([[1, DAY]]), OTHER);
  expect(american.rows[1]?.row.suppression?.since).toBe('2025-01-02T00:00:00.000Z');
});

test('where something else says who is unsubscribed, the date says only since when', async () => {
  const text =
    'Mail,Left,Why,subscribed\na@x.test,2025-05-01,spam,yes\nb@x.test,01/02/2025,,no\nc@x.test,2025-05-01,,no\nd@x.test,2025-05-01,,\n';
  const { doubts, ...some } = await importOf(text, DAY_AND_REASON, OTHER);
  expect(suppressionsOf({ doubts, ...some })).toEqual([
    [2, undefined],
    [3, { reason: null }],
    [4, { reason: null, since: '2025-05-01T00:00:00.000Z' }],
    [5, undefined],
  ]);
  expect(doubts.map(({ number, fault }) => [number, fault.replace(/.*so /, '')])).toEqual([
    [2, 'Left and Why are left out.'],
    [3, "it's left out."],
    [5, 'Left is left out.'],
  ]);
  const list = await importOf(text, DAY_AND_REASON, 'Other file: people who unsubscribed');
  expect(suppressionsOf(list).map(([, found]) => found)).toEqual([
    { reason: 'complaint', since: '2025-05-01T00:00:00.000Z' },
    { reason: 'request' },
    { reason: 'request', since: '2025-05-01T00:00:00.000Z' },
    { reason: 'request', since: '2025-05-01T00:00:00.000Z' },
  ]);
});

test('columns called suppression.since and suppression.reason are read as the command reads them', async () => {
  const text = 'email,suppression.since,suppression.reason\na@x.test,2025-05-01,complaint\n';
  const done = await importOf(text, new Map(), OTHER);
  expect(suppressionsOf(done)).toEqual([[2, { reason: 'complaint', since: '2025-05-01T00:00:00.000Z' }]]);
  const left = await importOf(
    text,
    new Map([
      [1, null],
      [2, 'why'],
    ]),
    OTHER,
  );
  expect(left.rows[0]?.row).toEqual({ attributes: { email: 'a@x.test', why: 'complaint' } });
});

test.each([
  [
    [
      [1, DAY],
      [2, DAY],
    ],
    'Two columns say since when somebody is unsubscribed. Leave one out.',
  ],
  [
    [
      [1, REASON],
      [2, REASON],
    ],
    'Two columns say why somebody is unsubscribed. Leave one out.',
  ],
  [[[2, REASON]], 'No column says who is unsubscribed, so the reason is about nobody.'],
] as [[number, Choice][], string][])('the choices %j have a sentence', async (choices, sentence) => {
  const { plan } = await importOf('Mail,Left,Why\na@x.test,2025-05-01,spam\n', new Map(choices), OTHER);
  expect(findMappingFault(plan, null)).toBe(sentence);
});

test('an email with an invisible character is announced and stays as it is', async () => {
  const file = await read('email,id\na@x.test,7\na\u200b@x.test,8\u200b\n');
  const source = must(findSources(file).all.find(({ id }) => id === OTHER));
  const { rows, doubts } = await translate(file, planImport(source, file, new Map()), 'id');
  expect(rows[1]?.row.attributes).toEqual({ email: 'a\u200b@x.test', id: '8\u200b' });
  expect(doubts.map(({ number, fault }) => [number, fault.split(':')[0]])).toEqual([
    [3, 'email has an invisible character'],
    [3, 'id has an invisible character'],
  ]);
});

test('an address with a name is read, and what is no such form is left to the service to refuse', async () => {
  const lines = [
    'Jane <d8@x.test>',
    '"Doe, Jane" <d9@x.test>',
    '<e@x.test>',
    'Jane <x.test>',
    'Jane d@x.test',
    'a@x.test <b@x.test>',
  ];
  const { rows, doubts } = await importOf(`Mail\n${lines.map((cell) => csvLine([cell])).join('')}`, new Map(), OTHER);
  expect(rows.map(({ row }) => row.attributes['email'])).toEqual([
    'd8@x.test',
    'd9@x.test',
    'e@x.test',
    ...lines.slice(3),
  ]);
  expect(doubts).toEqual(
    [2, 3].map((number) => ({ number, fault: 'Mail has a name before the address. Only the address is imported.' })),
  );
  const headless = await importOf('Jane <d8@x.test>\nd9@x.test\n', new Map(), OTHER);
  expect(headless.rows.map(({ row }) => row.attributes)).toEqual([{ email: 'd8@x.test' }, { email: 'd9@x.test' }]);
});

test('a column that is left out is not warned of as an attribute', async () => {
  const text = 'status,reason,email,created\n5.1.1,unknown,a@x.test,1700000000\n';
  const bounces = await importOf(text, new Map(), 'SendGrid: bounces');
  expect(findConsents(bounces.file, bounces.plan)).toEqual([]);
  expect(bounces.rows[0]?.row).toMatchObject({ attributes: { email: 'a@x.test' }, suppression: { reason: 'bounce' } });
  const kept = await importOf(text, new Map([[0, 'status']]), 'SendGrid: bounces');
  expect(findConsents(kept.file, kept.plan)).toEqual(['status']);
});

test('apostrophes against formulas are removed from CSV, and only there', async () => {
  const texts = { email: 'a@x.test', phone: '+49301555', note: '=1+1;-2', name: "'t Hart" };
  const csv = `${csvLine(Object.keys(texts))}${csvLine(Object.values(texts))}`;
  expect(csv).toContain("'=1+1;'-2");
  expect((await importOf(csv, new Map(), OTHER)).rows[0]?.row.attributes).toEqual(texts);
  const guarded = { ...texts, note: "'=1+1" };
  expect((await importOf(JSON.stringify([guarded]), new Map(), OTHER)).rows[0]?.row.attributes).toEqual(guarded);
});

const faultOf = async (choices: Choices, field: string | null = null) =>
  findMappingFault((await importOf(`${MAILCHIMP}a@x.test,p,3,,\n`, choices)).plan, field);

test('columns that cannot be imported have a sentence', async () => {
  expect(await faultOf(new Map())).toBeNull();
  expect(await faultOf(new Map([[0, null]]))).toBe(
    'No column identifies a contact. Name the column that is email or phone.',
  );
  expect(await faultOf(new Map([[0, 'customer_id']]), 'customer_id')).toBeNull();
  expect(await faultOf(new Map([[1, 'email']]))).toBe('Two columns are for email. Leave one out or rename it.');
  expect(await faultOf(new Map([[1, '__proto__']]))).toBe('An attribute can’t be called __proto__.');
});

test('lines with the same fault are together, the most frequent first', () => {
  const lines = [
    { number: 9, fault: 'A' },
    { number: 3, fault: 'B' },
    { number: 2, fault: 'B' },
  ];
  expect(groupFaults(lines)).toEqual([
    { fault: 'B', numbers: [2, 3] },
    { fault: 'A', numbers: [9] },
  ]);
});

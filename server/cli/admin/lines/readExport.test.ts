import { expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { FILE_KINDS } from '#contract/importFiles/recogniseFile.ts';
import { parseSourceTime } from '#contract/importFiles/sourceTime.ts';
import { type ExportedFile, readExport } from './readExport.ts';
import type { Format, ImportRow } from './readRows.ts';

async function read(content: string | Buffer, { format = 'csv', ...file }: ExportedFile & { format?: Format }) {
  const bytes = Buffer.from(content);
  async function* source() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  }
  const notes: string[] = [];
  const rows: ImportRow[] = await Array.fromAsync(readExport(source(), format, file, (note) => notes.push(note)));
  return { notes, rows };
}

const table = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join('');
const json = (value: unknown) => JSON.stringify(value, null, 2);
const out = (reason: string, since?: string) => ({
  subscribed: false,
  suppression: { reason, ...(since && { since }) },
});
const who = (email: string, more: object = {}) => ({ attributes: { email, ...more } });

const MAILCHIMP = 'Email Address,First Name,Last Name,Plan,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP';
const ada = 'ada@example.com,Ada,Byron,gold,2,,,"2013-06-25 17:38:27",192.0.2.1';
const adaThere = who('ada@example.com', {
  first_name: 'Ada',
  last_name: 'Byron',
  Plan: 'gold',
  confirm_time: '2013-06-25 17:38:27',
  confirm_ip: '192.0.2.1',
});
const AT = '2024-05-03T08:30:00.000Z';

test.each<[what: string, file: ExportedFile, content: string, lines: object[]]>([
  [
    'Mailchimp, subscribed',
    { provider: 'mailchimp', kind: 'subscribed' },
    table(`${MAILCHIMP},LEID,EUID,NOTES,TAGS`, `${ada},44877845,c2cb0681af,"met, ""twice""","""a"",""b"""`),
    [{ attributes: { ...adaThere.attributes, notes: 'met, "twice"', tags: '"a","b"' } }],
  ],
  [
    'Mailchimp, non-subscribed',
    { provider: 'mailchimp', kind: 'nonsubscribed' },
    table(MAILCHIMP, ada),
    [{ ...adaThere, ...out('other') }],
  ],
  [
    'Mailchimp, unsubscribed',
    { provider: 'mailchimp' },
    table(
      `${MAILCHIMP},UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER`,
      ...['NORMAL', 'ABUSE', 'SPAM', ''].map((said) => `${ada},2024-05-03 08:30:00,May,17,${said},`),
    ),
    [
      ['NORMAL', 'request'],
      ['ABUSE', 'complaint'],
      ['SPAM', 'complaint'],
      ['', 'request'],
    ].map(([said, reason]) => ({
      attributes: { ...adaThere.attributes, unsub_campaign_title: 'May', ...(said && { unsub_reason: said }) },
      ...out(must(reason), AT),
    })),
  ],
  [
    'Mailchimp, cleaned',
    { provider: 'mailchimp' },
    table(`${MAILCHIMP},CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID`, `${ada},2024-05-03 08:30:00,,`),
    [{ ...adaThere, ...out('bounce', AT) }],
  ],
  [
    'HubSpot',
    { provider: 'hubspot' },
    table(
      'First Name,Last Name,Email,Phone Number,Company Name,Unsubscribed from all email',
      'Ada,Byron,ada@example.com,+44 1,Northwind,Yes',
      'Bob,,bob@example.com,,,No',
      'Cy,,cy@example.com,,,',
      'Di,,di@example.com,,,perhaps',
    ),
    [
      {
        ...who('ada@example.com', {
          first_name: 'Ada',
          last_name: 'Byron',
          'Phone Number': '+44 1',
          company: 'Northwind',
        }),
        ...out('request'),
      },
      who('bob@example.com', { first_name: 'Bob' }),
      who('cy@example.com', { first_name: 'Cy' }),
      { fault: 'Unsubscribed from all email must be true or false, or yes or no.' },
    ],
  ],
  [
    'HubSpot, with hard bounces',
    { provider: 'hubspot' },
    table(
      'Email,Email hard bounce reason,Unsubscribed from all email',
      'ada@example.com,UNKNOWN_USER,No',
      'bob@example.com,,No',
    ),
    [
      { ...who('ada@example.com', { 'Email hard bounce reason': 'UNKNOWN_USER' }), ...out('bounce') },
      who('bob@example.com'),
    ],
  ],
  [
    'Customer.io, people',
    { provider: 'customerio' },
    table(
      'cio_id,id,email,created_at,unsubscribed,plan',
      'a3,7,ada@example.com,1714725000,true,gold',
      'a4,8,bob@example.com,,,',
    ),
    [
      { ...who('ada@example.com', { id: '7', plan: 'gold' }), created_at: AT, ...out('request') },
      who('bob@example.com', { id: '8' }),
    ],
  ],
  [
    'Customer.io, ESP suppressions',
    { provider: 'customerio' },
    json({
      category: 'spam_reports',
      suppressions: [{ created: 1_714_725_000, email: 'ada@example.com', reason: 'Uploaded', status: '550' }],
    }),
    [{ ...who('ada@example.com'), ...out('complaint', AT) }],
  ],
  [
    'Brevo, contacts, with semicolons',
    { provider: 'brevo', kind: 'unsubscribed' },
    table(
      'EMAIL;FIRSTNAME;LASTNAME;SMS;ADDED_TIME;MODIFIED_TIME',
      'ada@example.com;Ada;"By;ron";441;2024-05-03 08:30:00;',
    ),
    [
      {
        ...who('ada@example.com', { first_name: 'Ada', last_name: 'By;ron', SMS: '441' }),
        created_at: AT,
        ...out('request'),
      },
    ],
  ],
  [
    'Brevo, blocked contacts',
    { provider: 'brevo' },
    json({
      count: 3,
      contacts: ['hardBounce', 'contactFlaggedAsSpam', 'adminBlocked'].map((code, index) => ({
        email: `p${index}@example.com`,
        senderEmail: 'news@example.org',
        reason: { code, message: 'Said.' },
        blockedAt: '2024-05-03T10:30:00+02:00',
      })),
    }),
    ['bounce', 'complaint', 'other'].map((reason, index) => ({ ...who(`p${index}@example.com`), ...out(reason, AT) })),
  ],
  [
    'SendGrid, contacts',
    { provider: 'sendgrid' },
    table('email,first_name,last_name,city', 'ada@example.com,Ada,Byron,Ealing'),
    [who('ada@example.com', { first_name: 'Ada', last_name: 'Byron', city: 'Ealing' })],
  ],
  [
    'SendGrid, bounces',
    { provider: 'sendgrid', kind: 'bounces' },
    table('status,reason,email,created', '5.1.1,"550 5.1.1 no ""user"", sorry",ada@example.com,1714725000'),
    [{ ...who('ada@example.com'), ...out('bounce', AT) }],
  ],
  [
    'SendGrid, spam reports',
    { provider: 'sendgrid' },
    json([{ created: 1_714_725_000, email: 'ada@example.com', ip: '192.0.2.1' }]),
    [{ ...who('ada@example.com'), ...out('complaint', AT) }],
  ],
  [
    'SendGrid, invalid addresses',
    { provider: 'sendgrid' },
    json([{ created: 1_714_725_000, email: 'ada@example.com', reason: 'Known bad domain' }]),
    [{ ...who('ada@example.com'), ...out('bounce', AT) }],
  ],
  [
    'SendGrid, global unsubscribes',
    { provider: 'sendgrid' },
    table('email,created', 'ada@example.com,1714725000'),
    [{ ...who('ada@example.com'), ...out('request', AT) }],
  ],
  [
    'SES',
    { provider: 'ses' },
    json({
      SuppressedDestinationSummaries: [
        { EmailAddress: 'ada@example.com', Reason: 'COMPLAINT', LastUpdateTime: '2024-05-03T08:30:00.000000+00:00' },
        { EmailAddress: 'bob@example.com', Reason: 'BOUNCE', LastUpdateTime: 1_714_725_000.123 },
      ],
      NextToken: 'x',
    }),
    [
      { ...who('ada@example.com'), ...out('complaint', AT) },
      { ...who('bob@example.com'), ...out('bounce', '2024-05-03T08:30:00.123Z') },
    ],
  ],
  [
    'Postmark',
    { provider: 'postmark' },
    json({
      Suppressions: [
        ['ManualSuppression', 'Recipient'],
        ['HardBounce', 'Recipient'],
        ['SpamComplaint', 'Recipient'],
        ['ManualSuppression', 'Customer'],
      ].map(([SuppressionReason, Origin], index) => ({
        EmailAddress: `p${index}@example.com`,
        SuppressionReason,
        Origin,
        CreatedAt: '2024-05-03T03:30:00-05:00',
      })),
    }),
    ['request', 'bounce', 'complaint', 'other'].map((reason, index) => ({
      ...who(`p${index}@example.com`),
      ...out(reason, AT),
    })),
  ],
  [
    'Mailgun, bounces, whose code may be empty',
    { provider: 'mailgun' },
    table(
      'address,code,error,created_at,MessageHash',
      'ada@example.com,550,No such mailbox,"Fri, 03 May 2024 08:30:00 UTC",x',
      'bob@example.com,,,"Fri, 03 May 2024 08:30:00 UTC",',
    ),
    ['ada', 'bob'].map((name) => ({ ...who(`${name}@example.com`), ...out('bounce', AT) })),
  ],
  [
    'Mailgun, unsubscribes; from a tag only is not from all',
    { provider: 'mailgun' },
    json({
      items: [
        { address: 'ada@example.com', tags: ['*'], created_at: 'Fri, 03 May 2024 08:30:00 UTC' },
        { address: 'cy@example.com', tags: ['newsletter', '*'], created_at: 'Fri, 03 May 2024 08:30:00 UTC' },
        { address: 'bob@example.com', tags: ['some tag'], created_at: 'Fri, 03 May 2024 08:30:00 UTC' },
      ],
    }),
    [
      { ...who('ada@example.com'), ...out('request', AT) },
      { ...who('cy@example.com'), ...out('request', AT) },
      { fault: expect.stringContaining('with a tag') },
    ],
  ],
  [
    'Mailgun, unsubscribes as CSV, whose tags are all if there are none',
    { provider: 'mailgun' },
    table(
      'address,tags,created_at',
      ...['', '*', '"[""*""]"', '"[""news"", ""*""]"', '[]', '[news]', '"[""a*""]"'].map(
        (tags) => `ada@example.com,${tags},"Fri, 03 May 2024 08:30:00 UTC"`,
      ),
    ),
    [
      ...Array.from({ length: 5 }, () => ({ ...who('ada@example.com'), ...out('request', AT) })),
      ...Array.from({ length: 2 }, () => ({ fault: expect.stringContaining('with a tag') })),
    ],
  ],
  [
    'Mailgun, complaints',
    { provider: 'mailgun' },
    table('address,created_at', 'ada@example.com,"Fri, 03 May 2024 08:30:00 UTC"'),
    [{ ...who('ada@example.com'), ...out('complaint', AT) }],
  ],
])('%s', async (_, file, content, lines) => {
  const format = content.startsWith('{') || content.startsWith('[') ? 'ndjson' : 'csv';
  const { rows } = await read(content, { ...file, format });
  expect(rows.map((row) => ('value' in row ? row.value : { fault: row.fault }))).toEqual(lines);
});

test.each<[ExportedFile, header: string, named: string | null]>([
  [{ provider: 'brevo', kind: 'subscribed' }, 'EMAIL,ADDED_TIME,EMAIL_BLACKLISTED', 'EMAIL_BLACKLISTED'],
  [{ provider: 'brevo', kind: 'unsubscribed' }, 'EMAIL,ADDED_TIME,EMAIL_BLACKLISTED', null],
  [{ provider: 'hubspot' }, 'Email,Unsubscribed from all email,Opted out of email: News', 'Opted out of email: News'],
  [{ provider: 'sendgrid', kind: 'bounces' }, 'status,reason,email,created', null],
])('of %j with %s, columns that look as if they unsubscribed are told: %s', async (file, header, named) => {
  const line = header.replaceAll(/[^,]+/g, 'no');
  const notes = (await read(table(header, line), file)).notes.filter((note) => note.includes('NOT unsubscribe'));
  expect(notes.map((note) => note.split(': this does NOT')[0])).toEqual(named === null ? [] : [named]);
});

test('apostrophes against formulas are removed from CSV, and only there', async () => {
  const file = { provider: 'brevo', kind: 'subscribed' } as const;
  const csv = await read(table('EMAIL,ADDED_TIME,SMS', "ada@x.test,2024-05-03,'+49301"), file);
  expect(csv.rows).toMatchObject([{ value: { attributes: { SMS: '+49301' } } }]);
  const list = json([{ EMAIL: 'ada@x.test', ADDED_TIME: '2024-05-03', SMS: "'+49301" }]);
  expect((await read(list, { ...file, format: 'ndjson' })).rows).toMatchObject([
    { value: { attributes: { SMS: "'+49301" } } },
  ]);
});

test('a description names its source and day, and is reached by its columns', () => {
  for (const { sources, seen, has, columns } of FILE_KINDS) {
    expect(sources.length).toBeGreaterThan(0);
    expect(seen).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect([...has, ...Object.keys(columns)].filter((name) => name !== name.toLowerCase())).toEqual([]);
  }
});

test('a value that every object inherits is none of a description', async () => {
  const ses = 'EmailAddress,Reason,LastUpdateTime,constructor\na@x.test,constructor,,x\n';
  expect((await read(ses, { provider: 'ses' })).rows).toEqual([
    expect.objectContaining({ value: { ...who('a@x.test'), ...out('other') } }),
  ]);
  const hubspot = 'Email,Unsubscribed from all email\na@x.test,constructor\n';
  expect((await read(hubspot, { provider: 'hubspot' })).rows).toEqual([
    expect.objectContaining({ number: 2, fault: expect.any(String) }),
  ]);
});

test('the order of columns, a mark, UTF-16 and the case of names change nothing', async () => {
  const expected = (await read('email,created\na@x.test,1714725000\n', { provider: 'sendgrid' })).rows;
  const same = [
    '\ufeffCreated\temail\r\n1714725000\ta@x.test',
    Buffer.from('\ufeffemail;created\na@x.test;1714725000\n', 'utf16le'),
    Buffer.from('\ufeffemail,created\na@x.test,1714725000\n', 'utf16le').swap16(),
  ];
  for (const content of same) expect((await read(content, { provider: 'sendgrid' })).rows).toEqual(expected);
});

test('what each column becomes is told, and what is left out', async () => {
  const { notes } = await read(table(`${MAILCHIMP},LEID`, `${ada},1`), { provider: 'mailchimp', kind: 'subscribed' });
  expect(notes).toEqual([
    'Read as subscribed contacts of mailchimp.',
    'Columns read as attributes: Plan.',
    'Columns left out: MEMBER_RATING, LEID.',
  ]);
});

test('a day that can be read in two ways is left out and told, and the person is still unsubscribed', async () => {
  const { rows, notes } = await read('email,created\na@x.test,03/05/2024\n', { provider: 'sendgrid' });
  expect(rows).toEqual([expect.objectContaining({ value: { ...who('a@x.test'), ...out('request') } })]);
  expect(notes).toContain("Line 2: created isn't a time that can be read in one way only, so it's left out.");
});

test.each<[content: string, file: ExportedFile, sentence: RegExp]>([
  ['Ada,ada@x.test\n', { provider: 'sendgrid' }, /^The first line has an email address, so it names no columns\./],
  [
    'email\na@x.test\n',
    { provider: 'mailgun' },
    /Expected are.*\n.*bounces: address, code, created_at \(or JSON with items\)/,
  ],
  ['address,code,created_at\n', { provider: 'mailchimp' }, /look like bounces of mailgun: add --from mailgun\.$/],
  [`${MAILCHIMP}\n`, { provider: 'mailchimp' }, /--kind subscribed \(subscribed contacts\) or --kind nonsubscribed/],
  ['status,reason,email,created\n', { provider: 'sendgrid' }, /--kind bounces .*--kind blocks .*--kind spam_reports/],
  ['status,reason,email,created\n', { provider: 'sendgrid', kind: 'blocks' }, /^Blocks are temporary/],
  [
    'email,created\n',
    { provider: 'sendgrid', kind: 'cleaned' },
    /^There is no kind cleaned\. Of sendgrid there are contacts,/,
  ],
  [
    'email,created\n',
    { provider: 'sendgrid', kind: 'bounces' },
    /Expected are.*\n {2}bounces: status, reason, email, created$/,
  ],
  [`${MAILCHIMP},Plan,Plan,UNSUB_TIME\n`, { provider: 'mailchimp' }, /^Two columns are for Plan\./],
])('what is not certain is a sentence: %j', async (content, file, sentence) => {
  await expect(read(content, file)).rejects.toThrow(sentence);
});

const CUSTOMERIO = [{ created: 1, email: 'a@x.test', reason: 'Said', status: '550' }];

test('a list of Customer.io is none of SendGrid, whose entries look the same', async () => {
  const file: ExportedFile & { format: Format } = { provider: 'sendgrid', kind: 'bounces', format: 'ndjson' };
  for (const category of ['bounces', 'blocks', 'unheard of'])
    await expect(read(json({ category, suppressions: CUSTOMERIO }), file)).rejects.toThrow(/aren't (columns|those) of/);
});

test.each<[ExportedFile['provider'], document: object, note: RegExp | null]>([
  ['ses', { NextToken: 'x' }, /more entries, on a next page\. Import the others too\.$/],
  ['ses', {}, null],
  ['brevo', { count: 9 }, /^The file says that the list has 9 entries, and has 1 of them\./],
  ['brevo', { count: 1 }, null],
  ['mailgun', { paging: { next: 'https://api.mailgun.net/v3/x' } }, /^The file is one page of a list/],
  ['sendroom', { meta: { total: 2 } }, /has 2 entries, and has 1 of them/],
])('of %s with %j, it is told whether the list has more', async (provider, document, note) => {
  const lists = {
    ses: { SuppressedDestinationSummaries: [{ EmailAddress: 'a@x.test', Reason: 'BOUNCE', LastUpdateTime: AT }] },
    brevo: { contacts: [{ email: 'a@x.test', reason: { code: 'hardBounce' }, blockedAt: AT }] },
    mailgun: { items: [{ address: 'a@x.test', created_at: AT }] },
    sendroom: { data: [{ uuid: 'x', subscribed: true }] },
  };
  const list = lists[provider as keyof typeof lists];
  const { notes } = await read(json({ ...list, ...document }), { provider, format: 'ndjson' });
  const said = notes.filter((one) => one.startsWith('The file'));
  expect(said).toEqual(note === null ? [] : [expect.stringMatching(note)]);
});

test('JSON that is none, or has no entries, is a sentence', async () => {
  const file: ExportedFile & { format: Format } = { provider: 'ses', format: 'ndjson' };
  await expect(read('{"a":\n', file)).rejects.toThrow("The file isn't JSON: see line 1.");
  await expect(read('{"SuppressedDestinationSummaries":[]}', file)).rejects.toThrow('The file has no entries.');
  const good = { EmailAddress: 'a@x.test', Reason: 'BOUNCE', LastUpdateTime: 1_714_725_000, more: null };
  const deep = `{"more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const bad = ['7', deep, '{"a":{"b":{"c":1}}}', '{"__proto__":"x","EmailAddress":"b@x.test"}'];
  const { rows } = await read([JSON.stringify(good), ...bad].join('\n'), file);
  expect(rows.map((row) => 'fault' in row)).toEqual([false, true, true, true, false]);
});

test.each([
  ['2024-02-30', null],
  ['03/05/2024', null],
  ['May 3rd', null],
  ['28-11-2024 10:00:00', Date.parse('2024-11-28T10:00:00Z')],
  ['11/28/2024', Date.parse('2024-11-28T00:00Z')],
  ['3.3.2024', Date.parse('2024-03-03T00:00Z')],
  ['31.02.2024', null],
  ['28/13/2024', null],
  ['31 Feb 2024 08:30:00 GMT', null],
  ['2024-05-03', Date.parse('2024-05-03T00:00Z')],
  ['2024-05-03 08:30 UTC', Date.parse(AT)],
  ['2024-05-03T10:30:00+0200', Date.parse(AT)],
  ['Fri, 3 May 2024 10:30:00 +0200', Date.parse(AT)],
  ['1714725000', Date.parse(AT)],
])('%s is the time %j', (text, time) => {
  expect(parseSourceTime(text)).toBe(time);
});

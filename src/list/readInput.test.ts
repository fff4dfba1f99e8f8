import { expect, test } from 'vitest';
import { readEntries } from './readEntries.ts';
import { readInput } from './readInput.ts';

type Expected = {
  /** Begin selected. */
  selected?: string[];
  /** Are shown, and begin unselected. */
  asked?: string[];
  /** Are shown with their text. */
  unreadable?: string[];
  /** A part of the reason of all that are asked about. */
  why?: string;
  /** The identity field of the workspace; `customer_id` unless another is named. */
  field?: string | null;
};
type Case = [name: string, input: string, expected: Expected];

const [IDA, PER, LIN, ANN] = [
  'ida.roe@north.example',
  'per.holm@south.example',
  'lin.wu@east.example',
  'ann@west.example',
];
const UUID = '7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d';
const OTHER_UUID = '0c8a7c52-90a8-4f8a-8d4b-6f0c3f9d2b11';
const lines = (...texts: string[]) => texts.join('\n');

async function check(input: string, { selected = [], asked = [], unreadable = [], why, field }: Expected) {
  const identityField = field === undefined ? 'customer_id' : field;
  const read = await readInput(input, identityField, () => {});
  const entries = (await readEntries(read, identityField)).filter(({ repeats }) => repeats === null);
  const named = entries.filter(({ values }) => values.length > 0);
  const list = (left: boolean) =>
    named.filter(({ leftOut }) => (leftOut !== null) === left).map(({ values }) => values[0]);
  expect({
    selected: list(false),
    asked: list(true),
    unreadable: entries.filter(({ values }) => values.length === 0).map(({ text }) => text),
  }).toEqual({ selected, asked, unreadable });
  for (const { leftOut } of named) if (leftOut !== null && why !== undefined) expect(leftOut).toContain(why);
}

const LISTS: Case[] = [
  ['one address', IDA, { selected: [IDA] }],
  ['a line each', lines(IDA, PER, LIN), { selected: [IDA, PER, LIN] }],
  ['Windows line ends and blank lines', `${IDA}\r\n\r\n${PER}\r\n`, { selected: [IDA, PER] }],
  ['commas', `${IDA}, ${PER},${LIN}`, { selected: [IDA, PER, LIN] }],
  ['semicolons', `${IDA}; ${PER}; ${LIN};`, { selected: [IDA, PER, LIN] }],
  ['bars', `${IDA} | ${PER}`, { selected: [IDA, PER] }],
  ['tabs', `${IDA}\t${PER}`, { selected: [IDA, PER] }],
  ['mailboxes', `Ida Roe <${IDA}>, "Holm, Per" <${PER}>; <${LIN}>`, { selected: [IDA, PER, LIN] }],
  ['mail links', `mailto:${IDA}\nmailto:${PER}?subject=stop`, { selected: [IDA, PER] }],
  ['bullets', lines(`- ${IDA}`, `• ${PER}`, `* ${LIN}`), { selected: [IDA, PER, LIN] }],
  ['numbered lines', lines(`1. ${IDA}`, `2) ${PER}`), { selected: [IDA, PER] }],
  ['quotes', lines(`"${IDA}",`, `'${PER}',`), { selected: [IDA, PER] }],
  ['phone numbers', lines('+44 20 7946 0958', '+49 30 1234567'), { selected: ['+44 20 7946 0958', '+49 30 1234567'] }],
  ['UUIDs', lines(UUID, OTHER_UUID), { selected: [UUID, OTHER_UUID] }],
  ['IDs of the workspace', lines('C-70001', 'C-70002'), { selected: ['C-70001', 'C-70002'] }],
  ['words, where the workspace has an ID', lines('anna_k', 'bobby'), { selected: ['anna_k', 'bobby'], field: 'login' }],
  ['words, where it has none', lines('anna', 'bobby'), { unreadable: ['anna', 'bobby'], field: null }],
  ['a heading', lines('Email', IDA, PER), { selected: [IDA, PER] }],
  [
    'several kinds',
    lines(IDA, '+44 20 7946 0958', UUID, 'C-70001'),
    { selected: [IDA, '+44 20 7946 0958', UUID, 'C-70001'] },
  ],
  ['the same twice', lines(IDA, IDA.toUpperCase()), { selected: [IDA] }],
  [
    'names without an address',
    `To: Ida Roe; Per Holm <${PER}>; Lin Wu`,
    { selected: [PER], unreadable: ['Ida Roe', 'Lin Wu'] },
  ],
  ['no value in a line', lines(IDA, 'n/a', '-', PER), { selected: [IDA, PER], unreadable: ['n/a', '-'] }],
  [
    'an address that is none',
    lines(IDA, 'per.holm@', '@south.example'),
    { selected: [IDA], unreadable: ['per.holm@', '@south.example'] },
  ],
  ['a comma for a dot', 'ted@north,example', { asked: ['ted@north'], unreadable: ['example'] }],
  [
    'a letter of another alphabet',
    lines(PER, 'idа.roe@north.example'),
    { selected: [PER], asked: ['idа.roe@north.example'], why: 'alphabets' },
  ],
  ['a whole address in another alphabet', 'ида@пример.example', { selected: ['ида@пример.example'] }],
  [
    'hashes',
    lines('5d41402abc4b2a76b9719d911017c592', 'd41d8cd98f00b204e9800998ecf8427e'),
    { asked: ['5d41402a-bc4b-2a76-b971-9d911017c592', 'd41d8cd9-8f00-b204-e980-0998ecf8427e'], why: 'hash' },
  ],
  ['two addresses run together', `${IDA}${PER}`, { unreadable: [`${IDA}${PER}`] }],
];

const BROKEN: Case[] = [
  [
    'behind a dot',
    lines(`${IDA}, per.`, 'holm@south.example'),
    { selected: [IDA], asked: [PER, 'holm@south.example'], why: 'line' },
  ],
  [
    'behind a tag',
    lines('so.long+tag', '-x@north.example'),
    { asked: ['so.long+tag-x@north.example'], unreadable: ['-x@north.example'], why: 'line' },
  ],
  [
    'by quoted-printable',
    lines('kim.long=', '.name@north.example'),
    { asked: ['kim.long.name@north.example'], unreadable: ['.name@north.example'] },
  ],
  ['behind the sign', lines('ida.roe@', 'north.example'), { asked: [IDA], unreadable: ['north.example'] }],
  [
    'in its domain',
    lines('ida.roe@north.', 'example', PER),
    { selected: [PER], asked: ['ida.roe@north', IDA], unreadable: [] },
  ],
  ['in angle brackets', lines('Ida <ida.roe@nor', 'th.example>'), { asked: [IDA], unreadable: ['th.example>'] }],
];

const TABLES: Case[] = [
  ['subscribed', lines('email,status', `${PER},subscribed`), { asked: [PER], why: 'subscribed' }],
  [
    'both states',
    lines('email,status', `${PER},subscribed`, `${IDA},unsubscribed`, `${LIN},cleaned`),
    { selected: [IDA, LIN], asked: [PER] },
  ],
  [
    'HubSpot',
    lines('Email,First Name,Unsubscribed from all email', `${IDA},Ida,No`, `${PER},Per,Yes`),
    { selected: [PER], asked: [IDA], why: 'Unsubscribed from all email' },
  ],
  [
    'Brevo',
    lines('EMAIL;EMAIL_BLACKLISTED;SMS_BLACKLISTED', `${IDA};true;false`, `${PER};false;false`),
    { selected: [IDA], asked: [PER] },
  ],
  [
    'Salesforce',
    lines('Id,Email,HasOptedOutOfEmail', `0035g00000XYZab,${IDA},1`, `0035g00000XYZac,${PER},0`),
    { selected: [IDA], asked: [PER] },
  ],
  ['German', lines('E-Mail;Abgemeldet', `${IDA};Nein`, `${PER};Ja`), { selected: [PER], asked: [IDA] }],
  [
    'our export',
    lines(
      'uuid,subscribed,attributes.email,attributes.first_name',
      `${UUID},true,${IDA},Ida`,
      `${OTHER_UUID},false,${PER},Per`,
    ),
    { selected: [OTHER_UUID], asked: [UUID] },
  ],
  [
    'a date that may be empty',
    lines('Email,Unsubscribed at', `${IDA},2026-01-02 10:00:00`, `${PER},`),
    { selected: [IDA], asked: [PER] },
  ],
  [
    'Mailchimp',
    lines('Email Address,OPTIN_TIME,UNSUB_TIME', `${IDA},2025-01-01 10:00:00,2026-01-01 10:00:00`),
    { selected: [IDA] },
  ],
  [
    'Klaviyo',
    lines('Email,Email Marketing Consent', `${IDA},SUBSCRIBED`, `${PER},UNSUBSCRIBED`, `${LIN},NEVER_SUBSCRIBED`),
    { selected: [PER], asked: [IDA, LIN] },
  ],
  [
    'Shopify',
    lines('First Name,Email,Accepts Email Marketing', `Ida,${IDA},yes`, `Per,${PER},no`),
    { selected: [PER], asked: [IDA] },
  ],
  ['French', lines('Courriel;Statut', `${IDA};Désabonné`, `${PER};Abonné`), { selected: [IDA], asked: [PER] }],
  ['no state', lines('Name,Email', `Ida,${IDA}`, `Per,${PER}`), { selected: [IDA, PER] }],
  [
    'an owner',
    lines('Owner,Email', `agent@acme.example,${IDA}`, `agent@acme.example,${PER}`),
    { selected: [IDA, PER] },
  ],
  [
    'two columns of addresses',
    lines('Email,Email address', `${IDA},${PER}`, `${LIN},${ANN}`),
    { asked: [IDA, LIN], why: 'column' },
  ],
  [
    'an owner alone',
    lines('Owner,Name', 'agent@acme.example,Ida', 'boss@acme.example,Per'),
    { asked: ['agent@acme.example', 'boss@acme.example'], why: 'column' },
  ],
  ['no headings', lines(`Ida,${IDA},3`, `Per,${PER},4`), { selected: [IDA, PER] }],
  [
    'an agent and no headings',
    lines(`Ida,agent@acme.example,${IDA}`, `Per,boss@acme.example,${PER}`),
    { asked: ['agent@acme.example', 'boss@acme.example'], why: 'column' },
  ],
  ['identities alone, in rows', lines(`${IDA},${PER}`, `${LIN},${ANN}`), { selected: [IDA, PER, LIN, ANN] }],
  [
    'an empty cell',
    lines('Name,Email', `Ida,${IDA}`, 'Per,', `Lin,${LIN}`),
    { selected: [IDA, LIN], unreadable: ['Per'] },
  ],
  [
    'a phone in place of an empty cell',
    lines('Email,Phone', `${IDA},`, ',+44 20 7946 0958', `${LIN},`),
    { selected: [IDA, LIN], asked: ['+44 20 7946 0958'], why: 'Phone' },
  ],
  ['two in a cell', lines('Name,Email', `Ida,"${IDA}; ${PER}"`, `Lin,${LIN}`), { selected: [IDA, PER, LIN] }],
  [
    'a row that is too long',
    lines('Name,Email', `Ida,${IDA}`, `Per,${PER}`, `Lin,Wu,${LIN}`),
    { selected: [IDA, PER], asked: [LIN] },
  ],
  [
    'JSON with escapes',
    '[{"email":"ida.roe\\u0040north.example"},{"email":"per.holm@south.example"}]',
    { selected: [IDA, PER] },
  ],
  [
    'NDJSON',
    lines(`{"email":"${IDA}","subscribed":false}`, `{"email":"${PER}","subscribed":true}`),
    { selected: [IDA], asked: [PER] },
  ],
  ['JSON strings', `["${IDA}","${PER}"]`, { selected: [IDA, PER] }],
  [
    'Mailgun',
    `{"items":[{"address":"${IDA}","tag":"*"}],"paging":{"next":"https://api.example/v3/u?address=${ANN}"}}`,
    { selected: [IDA] },
  ],
  ['SendGrid', `[{"created":1443651141,"email":"${IDA}","reason":"550","status":"5.1.1"}]`, { selected: [IDA] }],
  [
    'LDIF',
    lines(
      'dn: uid=ida,dc=north',
      'cn: Ida Roe',
      'mail: ida.roe@no',
      ' rth.example',
      '',
      'dn: uid=per',
      `mail:: ${btoa(PER)}`,
    ),
    { selected: [IDA, PER] },
  ],
  [
    'vCard 2.1',
    lines(
      'BEGIN:VCARD',
      'VERSION:2.1',
      'N;ENCODING=QUOTED-PRINTABLE:R=C3=B6e;Ida',
      'EMAIL;INTERNET;ENCODING=QUOTED-PRINTABLE:ida.roe=40no=',
      'rth.example',
      'END:VCARD',
    ),
    { selected: [IDA] },
  ],
  [
    'vCard with a note',
    lines('BEGIN:VCARD', 'VERSION:3.0', `EMAIL:${IDA}`, `NOTE:ask ${ANN}`, 'END:VCARD'),
    { selected: [IDA] },
  ],
  [
    'HTML',
    `<table><tr><th>Name</th><th>Email</th></tr><tr><td>Ida</td><td><a href="mailto:x">${IDA}</a></td></tr></table>`,
    { selected: [IDA] },
  ],
  [
    'Excel 2003',
    `<?xml version="1.0"?><Workbook><Worksheet><Table><Row><Cell><Data>Name</Data></Cell><Cell><Data>Email</Data></Cell></Row><Row><Cell ss:Index="2"><Data ss:Type="String">${IDA}</Data></Cell></Row></Table></Worksheet></Workbook>`,
    { selected: [IDA] },
  ],
];

const MESSAGE = 'message';
const MESSAGES: Case[] = [
  [
    'a covering note',
    lines('Hi, please remove these:', IDA, PER, LIN, 'Kind regards', 'Beatriz <beatriz@west.example>'),
    {
      asked: [IDA, PER, LIN, 'beatriz@west.example'],
      unreadable: ['Hi', 'please remove these:', 'Kind regards'],
      why: MESSAGE,
    },
  ],
  ['do not', `Do NOT unsubscribe ${IDA}`, { asked: [IDA], why: MESSAGE }],
  ['everybody except', `Remove everybody except ${ANN}.`, { asked: [ANN] }],
  ['a greeting and a signature', lines('Hi', IDA, 'Thanks', PER), { asked: [IDA, PER], unreadable: ['Hi', 'Thanks'] }],
  ['a greeting before a comma', `Thanks, ${IDA}`, { asked: [IDA], unreadable: ['Thanks'] }],
  ['a name before an address', lines(`Ida Roe ${IDA}`, PER), { asked: [IDA, PER] }],
  ['a chat', lines('Beatriz  10:02 AM', `can you take ${IDA} off?`, 'Kim  10:03 AM', 'done'), { asked: [IDA] }],
  [
    'a mail whose subject names another',
    lines(
      `From: Ann <${ANN}>`,
      `Subject: Unsubscribe ${PER}`,
      'Date: Mon, 2 Nov 2026 10:00:00 +0000',
      '',
      'See subject.',
    ),
    { asked: [ANN, PER] },
  ],
  [
    'an encoded subject',
    lines(
      `From: ${ANN}`,
      `Subject: =?utf-8?B?${btoa(`Unsubscribe ${PER}`)}?=`,
      'Message-ID: <1@west.example>',
      '',
      'See subject.',
    ),
    { asked: [ANN, PER] },
  ],
  [
    'another address for replies',
    lines(`From: ${ANN}`, `Reply-To: ${PER}`, 'Subject: stop', 'Message-ID: <1@west.example>', '', 'Stop.'),
    { asked: [ANN, PER] },
  ],
  [
    'a ticket',
    JSON.stringify({
      ticket: { id: 1, requester: { email: IDA }, assignee: { email: ANN }, description: `Stop ${PER}` },
    }),
    { asked: [IDA, ANN, PER] },
  ],
];

const REPORTS: Case[] = [
  [
    'SES complaint',
    JSON.stringify({
      notificationType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress: IDA }] },
      mail: { source: 'news@acme.example', destination: [IDA, PER] },
    }),
    { selected: [IDA] },
  ],
  [
    'SES bounce through SNS',
    JSON.stringify({
      Type: 'Notification',
      Message: JSON.stringify({
        notificationType: 'Bounce',
        bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: IDA }] },
        mail: { destination: [PER] },
      }),
    }),
    { selected: [IDA] },
  ],
  [
    'SES transient bounce',
    JSON.stringify({
      notificationType: 'Bounce',
      bounce: { bounceType: 'Transient', bouncedRecipients: [{ emailAddress: IDA }] },
    }),
    { asked: [IDA] },
  ],
  [
    'DSN',
    lines(
      'From: mailer-daemon@north.example',
      'To: news@acme.example',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      `No such user. Ask ${ANN}`,
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; north.example',
      '',
      `Final-Recipient: rfc822; ${IDA}`,
      'Action: failed',
      '',
      `Final-Recipient: rfc822; ${PER}`,
      'Action: delayed',
      '--b--',
    ),
    { selected: [IDA], asked: [PER] },
  ],
  [
    'ARF',
    lines(
      'From: fbl@isp.example',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      `Original-Rcpt-To: <${IDA}>`,
      '--b',
      'Content-Type: message/rfc822',
      '',
      'From: news@acme.example',
      `To: ${IDA}, ${PER}`,
      '',
      'News',
      '--b--',
    ),
    { selected: [IDA] },
  ],
];

test.each(LISTS)('a list with %s', async (_, input, expected) => check(input, expected));
test.each(BROKEN)('an address that is broken %s is shown both ways', async (_, input, expected) =>
  check(input, expected),
);
test.each(TABLES)('a table: %s', async (_, input, expected) => check(input, expected));
test.each(MESSAGES)('a message: %s', async (_, input, expected) => check(input, expected));
test.each(REPORTS)('a report: %s', async (_, input, expected) => check(input, expected));

test.each([
  ['alone', lines(`From: ${ANN}`, 'Subject: Stop', 'Message-ID: <1@west.example>', '', 'Please stop.'), ANN],
  [
    'beside another',
    lines(`From: ${ANN}`, 'Subject: Stop', 'Message-ID: <1@west.example>', '', `And ${PER}.`),
    undefined,
  ],
  [
    'of an automatic reply',
    lines(`From: ${ANN}`, 'Auto-Submitted: auto-replied', 'Subject: Away', 'Message-ID: <1@west.example>', '', 'Away.'),
    undefined,
  ],
])('the author of one message, %s, may be selected as a known contact', async (_, input, author) => {
  const read = await readInput(input, null, () => {});
  expect(read.author?.text).toBe(author);
});

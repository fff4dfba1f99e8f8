import { describe, expect, test } from 'vitest';
import { parseList } from '../parseList.ts';
import { readInput } from '../readInput.ts';
import { findBystanders, type KnownSenders } from './bystanders.ts';

// Whom a mail only mentions.

/** Each entry once: who it is, and why it is left out. */
async function readBystanders(
  input: string,
  isFile = false,
  known?: KnownSenders,
): Promise<Record<string, string | null>> {
  const read = await readInput(isFile ? new File([input], 'mail.eml') : input, null, () => {});
  const entries = await parseList(read, null);
  const bystanders = findBystanders(
    entries,
    read.lines,
    ({ values }) => values[0]?.endsWith('@own.test') ?? false,
    known,
  );
  return Object.fromEntries(
    entries
      .filter(({ repeats, values }) => repeats === null && values.length > 0)
      .map((entry) => [entry.values[0] ?? '', bystanders.get(entry) ?? null]),
  );
}

const FORWARDED = `From: Kim <kim@own.test>
To: desk@own.test, lee@agents.test
Cc: boss@agents.test
Subject: Fwd: stop
Date: Mon, 1 Jan 2024 10:00:00 +0000

Please take them off, max@example.com too.

--${' '}
Kim, +44 20 7946 0958

---------- Forwarded message ---------
From: Jane <jane@example.com>
Date: Mon, 1 Jan 2024 at 09:00
Subject: stop
To: News <news@agents.test>,
 Sales <sales@agents.test>
Cc: eve@example.com

Stop writing to me and to bob@example.com.
`;

test('of a mail that a colleague forwards: the signature, all recipients, and whom the quoted text names; not its sender, nor whom the colleague names', async () => {
  for (const isFile of [false, true]) {
    expect(await readBystanders(FORWARDED, isFile)).toEqual({
      'kim@own.test': null,
      'desk@own.test': 'Recipient of the mail',
      'lee@agents.test': 'Recipient of the mail',
      'boss@agents.test': 'Recipient of the mail',
      'max@example.com': null,
      '+44 20 7946 0958': 'In a signature',
      'jane@example.com': null,
      'news@agents.test': 'Recipient of a quoted mail',
      'sales@agents.test': 'Recipient of a quoted mail',
      'eve@example.com': 'Recipient of a quoted mail',
      'bob@example.com': QUOTED,
    });
  }
});

test('of the same mail that a stranger forwards: nobody, before somebody chooses', async () => {
  expect(await readBystanders(FORWARDED.replace('kim@own.test', 'kim@agents.test'))).toMatchObject({
    'kim@agents.test': UNCLEAR,
    'max@example.com': UNCLEAR,
    'jane@example.com': UNCLEAR,
    'bob@example.com': UNCLEAR,
    'eve@example.com': 'Recipient of a quoted mail',
  });
});

test('of a mail that quotes us: its writer is meant, and we make it no forwarded one', async () => {
  const mail =
    'From: jane@example.com\nTo: news@own.test\nSubject: stop\nDate: x\n\nStop.\n\nOn 1 Jan 2024, News <news@own.test> wrote:\n> Hello jane@example.com\n';
  expect(await readBystanders(mail)).toEqual({ 'jane@example.com': null, 'news@own.test': null });
});

test('a recipient whom a colleague also names in the text is meant', async () => {
  const mail = 'From: kim@own.test\nTo: max@example.com\nSubject: x\nDate: x\n\nRemove max@example.com.\n';
  expect(await readBystanders(mail)).toEqual({
    'kim@own.test': null,
    'max@example.com': null,
  });
});

/** A mail as a mailbox file has it. */
const mailOf = (from: string, text: string) =>
  `From ${from} Mon Jan  1 10:00:00 2024\nFrom: ${from}\nDate: x\nSubject: x\n\n${text}\n\n`;

test('of a mailbox file, each mail is for itself', async () => {
  const box = mailOf('jane@example.com', 'Stop.') + mailOf('kim@agents.test', 'Remove max@example.com.');
  expect(await readBystanders(box, true)).toEqual({
    'jane@example.com': null,
    'kim@agents.test': UNCLEAR,
    'max@example.com': UNCLEAR,
  });
});

test('of a list without a mail nobody is left out', async () => {
  expect(await readBystanders('jane@example.com\nTo: bob@example.com')).toEqual({
    'jane@example.com': null,
    'bob@example.com': null,
  });
});

const reply = (text: string, from = 'jane@example.com') =>
  `From: ${from}\nReply-To: jane.private@example.com\nTo: desk@own.test\nSubject: stop\nDate: x\n\n${text}\n`;

async function judged(known?: KnownSenders, text = 'Stop.') {
  const { 'jane@example.com': from, 'jane.private@example.com': to } = await readBystanders(reply(text), true, known);
  return [from, to];
}

describe('of a sender with another address for answers', () => {
  const OTHER = 'Other address of the sender';

  test.each([
    ['the one that is a contact is meant', '1', null, null, OTHER],
    ['and so the other', null, '1', OTHER, null],
    ['both where they are of the same contact', '1', '1', null, null],
    ['the sender where neither is', null, null, null, OTHER],
    ['nobody before somebody chooses where they are of two contacts', '1', '2', UNCLEAR, UNCLEAR],
  ])('%s', async (_, sender, replies, ...expected) => {
    const known = new Map([
      ['jane@example.com', sender],
      ['jane.private@example.com', replies],
    ]);
    expect(await judged(known)).toEqual(expected);
    expect(await judged(known, 'Stop writing to jane.private@example.com')).toEqual(expected);
  });

  test('nobody before somebody chooses where it is not known whether they are contacts', async () => {
    expect(await judged()).toEqual([UNCLEAR, UNCLEAR]);
    expect(await judged(new Map([['jane@example.com', '1']]))).toEqual([UNCLEAR, UNCLEAR]);
  });

  test('that of the form on our own page is meant, and an address that is the same is no other', async () => {
    const ofForm = await readBystanders(reply('Stop.', 'forms@own.test'), true);
    expect(ofForm).toMatchObject({ 'jane.private@example.com': null });
    const same = await readBystanders(reply('Stop.', 'Jane <JANE.private@example.com>'), true);
    expect(same).toMatchObject({ 'jane.private@example.com': null });
  });
});

const KETTE =
  'From: Rita Kette <rita@kette.example>\nTo: desk@own.test\nSubject: Abmeldung\nDate: x\n\nBitte melden Sie max@example.com ab.\n\nSchöne Grüße\nRita Kette\nzentrale@kette.example | +33 1 42 68 12 34\n';

test('a signature below a closing is one without its sign', async () => {
  expect(await readBystanders(KETTE, true)).toEqual({
    'rita@kette.example': UNCLEAR,
    'desk@own.test': 'Recipient of the mail',
    'max@example.com': UNCLEAR,
    'zentrale@kette.example': 'In a signature',
    '+33 1 42 68 12 34': 'In a signature',
  });
});

test.each([
  'Mit freundlichen Grüßen',
  'Mit freundlichen Grüßen,',
  'Viele Grüße aus Wien',
  'LG',
  'VG Jürgen',
  'MfG',
  'Danke!',
  'Best regards,',
  'Kind regards',
  'Thanks, Jürgen',
  'Cordialement,',
  'Saludos',
  'Distinti saluti',
  'Met vriendelijke groet,',
  'Com os melhores cumprimentos,',
  'Z poważaniem',
])('a paste that closes with %j has a signature below', async (closing) => {
  const text = `Guten Tag,\nbitte melden Sie meine Kollegin multi2@x.test ab\n\n${closing}\n\nJürgen Müller\nTel. +49 30 1001515\njuergen@firma.test\n`;
  expect(await readBystanders(text)).toEqual({
    'multi2@x.test': null,
    '+49 30 1001515': 'In a signature',
    'juergen@firma.test': 'In a signature',
  });
});

test.each([
  ['words of a sentence', 'Thanks for your call\njane@example.com'],
  ['the first line', 'Thanks,\njane@example.com'],
  [
    'a list below it',
    `Please unsubscribe these\nThanks,\njane@example.com\n${Array.from({ length: 30 }, (_, n) => `p${n}@example.com`).join('\n')}`,
  ],
  ['another letter below it', 'Stop.\nBest regards,\nKim\n\nDear support,\nremove:\njane@example.com'],
])('no signature begins at a closing that is none: %s', async (_, text) => {
  expect((await readBystanders(text))['jane@example.com']).toBe(null);
});

/** The mail of a customer, with this below its header. */
const customerMail = (text: string, subject = 'Re: Autumn offers', from = 'Jane Doe <jane@example.com>') =>
  `From: ${from}\nTo: desk@own.test\nSubject: ${subject}\nDate: x\n\n${text}\n`;
/** That of a colleague. */
const ownMail = (text: string, subject: string) => customerMail(text, subject, 'Kim <kim@own.test>');
const QUOTED = 'Only in quoted text';
const UNCLEAR = 'Unclear who is meant. Tick the right one.';

describe('of a reply its writer is meant, and nobody whom it quotes', () => {
  test.each([
    ['English', 'On Mon, 23 Nov 2026 at 09:00, Alice Smith <alice@corp.test> wrote:\n> Questions? Ask info@corp.test'],
    ['Apple Mail', '> On 23. Nov 2026, at 09:00, Alice Smith <alice@corp.test> wrote:\n> \n> Ask info@corp.test'],
    ['no date', 'Alice Smith <alice@corp.test> wrote:\n\nQuestions? Ask info@corp.test'],
    [
      'Outlook',
      '-----Ursprüngliche Nachricht-----\nVon: Alice <alice@corp.test>\nGesendet: Montag, 23. November 2026 08:00\nAn: Jane <jane@example.com>\nBetreff: Angebote\n\nFragen an info@corp.test',
    ],
    ['a header', 'From: Alice <alice@corp.test>\nSent: Monday\nTo: Jane\nSubject: Offers\n\nAsk info@corp.test'],
  ])('%s', async (_, quotation) => {
    for (const isFile of [false, true]) {
      const mail = customerMail(`Please unsubscribe me.\n\n${quotation}`);
      expect(await readBystanders(mail, isFile)).toEqual({
        'jane@example.com': null,
        'desk@own.test': 'Recipient of the mail',
        'alice@corp.test': QUOTED,
        'info@corp.test': QUOTED,
      });
    }
  });

  test('but where its text names somebody, or its sender is not known: nobody before somebody chooses', async () => {
    const text = 'Bitte melden Sie max@example.com ab.\n\nAm 1.1.2024 schrieb Alice <alice@corp.test>:\n> Hallo';
    expect(await readBystanders(customerMail(text))).toMatchObject({
      'jane@example.com': UNCLEAR,
      'max@example.com': UNCLEAR,
      'alice@corp.test': QUOTED,
    });
    const alone = 'Please unsubscribe me.\n\nOn 1 Jan 2024, Alice <alice@corp.test> wrote:\n> Hello';
    expect(await readBystanders(alone)).toEqual({ 'alice@corp.test': UNCLEAR });
  });
});

describe('of the answer of a colleague nobody is meant before somebody chooses', () => {
  const outlook =
    'Von: Max <max@example.com>\nGesendet: Montag\nAn: Kim\nBetreff: Abmelden\n\nBitte abmelden.\n\nFragen an info@corp.test';
  test('but whom it names', async () => {
    for (const isFile of [false, true]) {
      expect(await readBystanders(ownMail(`Bitte erledigen.\n\n${outlook}`, 'AW: Abmelden'), isFile)).toMatchObject({
        'max@example.com': UNCLEAR,
        'info@corp.test': UNCLEAR,
      });
    }
    const named = ownMail(`Bitte eve@example.com abmelden.\n\n${outlook}`, 'AW: Abmelden');
    expect(await readBystanders(named)).toMatchObject({ 'eve@example.com': null, 'max@example.com': UNCLEAR });
  });

  test('without an own text', async () => {
    expect(
      await readBystanders(ownMail(outlook.replace('\n\nFragen an info@corp.test', ''), 'AW: Abmelden')),
    ).toMatchObject({
      'max@example.com': UNCLEAR,
    });
  });
});

describe('a forwarded mail is known by', () => {
  const quotation = 'From: Max <max@example.com>\nSent: Monday\nTo: Jane\nSubject: stop\n\nStop.';
  test.each(['Fwd: stop', 'FW: stop', 'WG: stop', 'TR: stop', 'Fwd: Re: stop', '[EXTERNAL] Fwd: stop', '[Fwd: stop]'])(
    'its subject: %s',
    async (subject) => {
      expect(await readBystanders(ownMail(`See below.\n\n${quotation}`, subject))).toMatchObject({
        'max@example.com': null,
      });
      expect(await readBystanders(customerMail(`See below.\n\n${quotation}`, subject))).toMatchObject({
        'jane@example.com': UNCLEAR,
        'max@example.com': UNCLEAR,
      });
    },
  );

  test.each([
    '---------- Forwarded message ---------',
    '-----Weitergeleitete Nachricht-----',
    'Begin forwarded message:',
  ])('what stands above it: %s', async (mark) => {
    expect(await readBystanders(ownMail(`See below.\n\n${mark}\n${quotation}`, 'stop'))).toMatchObject({
      'max@example.com': null,
    });
    expect(await readBystanders(customerMail(`${mark}\n${quotation}`, 'stop'))).toMatchObject({
      'jane@example.com': UNCLEAR,
      'max@example.com': UNCLEAR,
    });
  });

  test('a mail that is attached to it', async () => {
    const attached = 'From: Max <max@example.com>\nSubject: stop\n\nStop.';
    expect(await readBystanders(withAttached('kim@own.test', attached), true)).toMatchObject({
      'max@example.com': null,
    });
    expect(await readBystanders(withAttached('jane@example.com', attached), true)).toEqual({
      'jane@example.com': UNCLEAR,
      'max@example.com': UNCLEAR,
    });
    // As where the mail came by itself.
    const naming = attached.replace('Stop.', 'Remove bob@corp.test and write to invoices@corp.test.');
    expect(await readBystanders(withAttached('kim@own.test', naming), true)).toMatchObject({
      'max@example.com': UNCLEAR,
      'bob@corp.test': UNCLEAR,
      'invoices@corp.test': UNCLEAR,
    });
  });

  test.each(['Re: stop', 'AW: stop', 'Re: Fwd: stop', 'stop'])('nothing else: %s', async (subject) => {
    expect(await readBystanders(customerMail(`Stop.\n\n${quotation}`, subject))).toMatchObject({
      'jane@example.com': null,
      'max@example.com': QUOTED,
    });
  });

  test('and where that quotes others, nobody is meant before somebody chooses', async () => {
    const text = `See below.\n\n${quotation}\n\nOn 1 Jan 2024, News <news@lists.test> wrote:\n> Offers`;
    expect(await readBystanders(ownMail(text, 'Fwd: stop'))).toMatchObject({
      'max@example.com': UNCLEAR,
      'news@lists.test': UNCLEAR,
    });
  });

  test.each([
    ['a sign before each of its lines', '>> Offers of news@lists.test'],
    ['an attribution', '> On 1 Jan 2024, News <news@lists.test> wrote:\n>> Offers'],
  ])('and so in one of Apple Mail, where each line has a sign: %s', async (_, inner) => {
    const header = '> From: Max <max@example.com>\n> Subject: Re: Offers\n> Date: 2 January 2024\n> To: Kim';
    const forward = (text: string) =>
      ownMail(`Bitte erledigen.\n\nBegin forwarded message:\n\n${header}\n> \n${text}`, 'Fwd: Offers');
    expect(await readBystanders(forward('> Stop.'))).toMatchObject({ 'max@example.com': null });
    for (const text of [`> Stop.\n> \n${inner}`, inner]) {
      expect(await readBystanders(forward(text))).toMatchObject({
        'max@example.com': UNCLEAR,
        'news@lists.test': UNCLEAR,
      });
    }
  });

  test.each([
    ['nobody', 'Offers of bob@corp.test'],
    [
      'two',
      'From: News <news@lists.test> on behalf of Bob <bob@corp.test>\nSent: Monday\nTo: Jane\nSubject: Offers\n\nHi',
    ],
  ])('and where that is from %s', async (_, text) => {
    expect(
      await readBystanders(ownMail(`See below.\n\n-----Forwarded message-----\n${text}`, 'Fwd: stop')),
    ).toMatchObject({ 'bob@corp.test': UNCLEAR });
  });

  test('a newsletter that a customer forwards means nobody before somebody chooses; one of ours means the customer', async () => {
    const newsletter =
      '---------- Forwarded message ---------\nFrom: Alice <alice@corp.test>\nDate: Mon, 23 Nov 2026\nSubject: Autumn offers\nTo: Jane Doe\n\nData protection: datenschutz@kanzlei.test';
    const mail = customerMail(`Please unsubscribe me.\n\n${newsletter}`, 'Fwd: Autumn offers');
    for (const isFile of [false, true]) {
      expect(await readBystanders(mail, isFile)).toMatchObject({
        'jane@example.com': UNCLEAR,
        'alice@corp.test': UNCLEAR,
        'datenschutz@kanzlei.test': UNCLEAR,
      });
    }
    const own = mail.replace('alice@corp.test', 'news@own.test').replace('datenschutz@kanzlei.test', 'dpo@own.test');
    expect(await readBystanders(own)).toMatchObject({ 'jane@example.com': null });
  });
});

describe('of a mail of a stranger that names others, nobody is meant before somebody chooses', () => {
  test.each([
    ['I already wrote to info@corp.test twice without any answer. Unsubscribe me!', 'info@corp.test'],
    ['Unsubscribe me!\n\nJane Doe\ninfo@corp.test', 'info@corp.test'],
    ['Please unsubscribe.\n\nJohn Smith +44 20 7946 0000', '+44 20 7946 0000'],
    ['do not unsubscribe bob@x.test', 'bob@x.test'],
  ])('%s', async (text, other) => {
    expect(await readBystanders(customerMail(text, 'stop'))).toMatchObject({
      'jane@example.com': UNCLEAR,
      [other]: UNCLEAR,
    });
  });

  test.each([
    'Please unsubscribe the following colleagues:\n\nbob@corp.test\nAlice Smith <alice@corp.test>',
    'Please unsubscribe these people:\n\nbob@corp.test\n\nalice@corp.test',
    'Bitte folgende Adressen löschen: bob@corp.test; alice@corp.test',
  ])('words that ask for others do not decide; but of a colleague, or pasted alone, these are: %s', async (text) => {
    expect(await readBystanders(customerMail(text, 'stop'))).toMatchObject({
      'jane@example.com': UNCLEAR,
      'bob@corp.test': UNCLEAR,
      'alice@corp.test': UNCLEAR,
    });
    for (const trusted of [ownMail(text, 'stop'), text]) {
      expect(await readBystanders(trusted)).toMatchObject({ 'bob@corp.test': null, 'alice@corp.test': null });
    }
  });

  test('who names only themselves, or us, is meant', async () => {
    const text = 'Unsubscribe jane@example.com, I wrote to news@own.test before.';
    expect(await readBystanders(customerMail(text, 'stop'))).toMatchObject({ 'jane@example.com': null });
  });
});

test('of a mailbox file, the sender of one mail who is a recipient of another is meant', async () => {
  const box = `${mailOf('kim@agents.test', 'Remove max@example.com.').replace('Date:', 'To: jane@example.com\nDate:')}${mailOf('jane@example.com', 'Stop.')}`;
  expect(await readBystanders(box, true)).toMatchObject({ 'jane@example.com': null, 'max@example.com': UNCLEAR });
});

describe('of an automatic reply (RFC 3834) nobody is meant', () => {
  const reply = customerMail('I am away. In urgent cases: bob@corp.test', 'Automatic reply: Offers');
  const AUTOMATIC = 'Automatic reply';
  test.each([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated (vacation)',
    'X-Autoreply: yes',
    'Precedence: auto_reply',
  ])('%s', async (field) => {
    const nobody = { 'jane@example.com': AUTOMATIC, 'bob@corp.test': AUTOMATIC };
    expect(await readBystanders(`${field}\n${reply}`, true)).toMatchObject(nobody);
    // The same as an attached mail, and as one of a mailbox.
    expect(await readBystanders(withAttached('kim@own.test', `${field}\n${reply}`), true)).toMatchObject(nobody);
    expect(await readBystanders(withAttached('kim@agents.test', `${field}\n${reply}`), true)).toMatchObject({
      ...nobody,
      'kim@agents.test': 'Sender of a mail that names others',
    });
    const box = `From x Mon Jan  1 10:00:00 2024\n${field}\n${reply}\n${mailOf('eve@example.com', 'Stop.')}`;
    expect(await readBystanders(box, true)).toMatchObject({ ...nobody, 'eve@example.com': null });
  });

  test.each(['Auto-Submitted: no', 'Auto-Submitted: No ; x=y', 'Precedence: bulk'])(
    'but whoever writes by hand is: %s',
    async (field) => {
      expect(await readBystanders(`${field}\n${customerMail('Stop.')}`, true)).toMatchObject({
        'jane@example.com': null,
      });
    },
  );

  test('a report of a server has its own rules', async () => {
    const report = reportOf('delivery-status', HUMAN, statusOf(['max@example.com', 'Action: failed']));
    expect(await readBystanders(`Auto-Submitted: auto-replied\n${report}`, true)).toMatchObject({
      'mailer-daemon@mx.test': BESIDE,
      'max@example.com': null,
    });
  });
});

/** A mail to which this one is attached. */
const withAttached = (from: string, attached: string) =>
  `From: ${from}\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b2\n\n--b2\nContent-Type: text/plain\n\nSee below.\n--b2\nContent-Type: message/rfc822\n\n${attached}\n--b2--\n`;

/** A report of a server (RFC 6522) with these parts, each with its header. */
const reportOf = (type: string, ...parts: string[]) =>
  `From: Mail Delivery System <mailer-daemon@mx.test>\nTo: news@own.test\nSubject: Report\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=${type}; boundary=b1\n\n${parts.map((part) => `--b1\n${part}\n`).join('')}--b1--\n`;
const RETURNED =
  'Content-Type: message/rfc822\n\nFrom: News <news@lists.test>\nTo: max@example.com\nCc: bob@corp.test\nSubject: Offers\n\nAsk info@corp.test\n\n> or sales@corp.test';
const HUMAN = 'Content-Type: text/plain\n\nPlease send mail to postmaster@mx.test.\n<max@example.com>: unknown user';
const BESIDE = 'Named by a server that reports of others';

const statusOf = (...recipients: [address: string, action: string][]) =>
  `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n${recipients.map(([address, action]) => `\nFinal-Recipient: rfc822;\n ${address}\n${action}\n`).join('')}`;
/** A bounce that somebody has passed on as an attached mail. */
const passedOn = (action: string) =>
  withAttached('kim@agents.test', reportOf('delivery-status', HUMAN, statusOf(['max@example.com', action])));
const feedback = (type: string, recipient = 'Original-Rcpt-To: <max@example.com>\n') =>
  `Content-Type: message/feedback-report\n\nFeedback-Type: ${type}\nVersion: 1\nOriginal-Mail-From: <news@own.test>\n${recipient}Reported-Domain: own.test\n`;
/** A complaint that does not say by whom, with this mail. */
const namelessComplaint = (returned: string) => reportOf('feedback-report', HUMAN, feedback('abuse', ''), returned);

describe('of a bounce (RFC 3464)', () => {
  test('those are meant whom it could not be delivered to, and nobody whom it names besides', async () => {
    const status = statusOf(['max@example.com', 'Action: failed'], ['eve@example.com', 'action: Failed']);
    expect(await readBystanders(reportOf('delivery-status', HUMAN, status, RETURNED), true)).toEqual({
      'mailer-daemon@mx.test': BESIDE,
      'news@own.test': BESIDE,
      'postmaster@mx.test': BESIDE,
      'max@example.com': null,
      'eve@example.com': null,
      'news@lists.test': BESIDE,
      'bob@corp.test': BESIDE,
      'info@corp.test': BESIDE,
      'sales@corp.test': BESIDE,
    });
  });

  test.each([
    ['delayed', 'Delayed, and tried again, to'],
    ['relayed', 'Relayed to'],
    ['delivered', 'Delivered to'],
    ['expanded', 'Relayed to the members of'],
    ['unheard-of', 'Not told whether delivered to'],
    ['', 'Not told whether delivered to'],
  ])('who is %j is not meant, and is told as %j', async (action, source) => {
    const status = statusOf(['eve@example.com', `Action: ${action}`], ['max@example.com', 'Action: failed']);
    const mail = reportOf('delivery-status', HUMAN, status);
    expect(await readBystanders(mail, true)).toMatchObject({
      'eve@example.com': 'The report does not say that delivery failed',
      'max@example.com': null,
    });
    const entries = await parseList(await readInput(mail, null, () => {}), null);
    expect(entries.find(({ values }) => values[0] === 'eve@example.com')?.source).toBe(source);
  });

  test('that somebody passed on: not that one either', async () => {
    expect(await readBystanders(passedOn('Action: failed'), true)).toMatchObject({
      'kim@agents.test': 'Sender of a mail that names others',
      'max@example.com': null,
    });
    expect(await readBystanders(passedOn('Action: delayed'), true)).toMatchObject({
      'kim@agents.test': 'Sender of a mail that names others',
      'max@example.com': 'The report does not say that delivery failed',
    });
  });
});

describe('of a complaint (RFC 5965)', () => {
  test.each(['abuse', 'Opt-Out', 'opt-out-list'])('who complained is meant: %s', async (type) => {
    const mail = reportOf('feedback-report', HUMAN, feedback(type), RETURNED);
    expect(await readBystanders(mail, true)).toMatchObject({
      'mailer-daemon@mx.test': BESIDE,
      'max@example.com': null,
      'bob@corp.test': BESIDE,
    });
    expect((await readInput(mail, null, () => {})).notes).toHaveLength(1);
  });

  test.each(['not-spam', 'auth-failure', 'fraud'])('nobody is meant by a report that is none: %s', async (type) => {
    const mail = reportOf('feedback-report', HUMAN, feedback(type), RETURNED);
    expect(await readBystanders(mail, true)).toMatchObject({
      'mailer-daemon@mx.test': BESIDE,
      'max@example.com': 'The report is no complaint',
    });
  });

  test.each(['message/rfc822', 'text/rfc822-headers'])(
    'that does not name them, the one is meant to whom the returned mail was; of several, nobody before somebody chooses: %s',
    async (type) => {
      const returned = RETURNED.replace('message/rfc822', type);
      expect(await readBystanders(namelessComplaint(returned), true)).toMatchObject({
        'mailer-daemon@mx.test': BESIDE,
        'max@example.com': null,
      });
      const several = returned.replace('To: max', 'To:\n Max <max@example.com>, eve');
      expect(await readBystanders(namelessComplaint(several), true)).toMatchObject({
        'mailer-daemon@mx.test': BESIDE,
        'max@example.com': UNCLEAR,
        'eve@example.com': UNCLEAR,
      });
    },
  );
});

import { describe, expect, test } from 'vitest';
import { parseList } from '../parseList.ts';
import { readInput } from '../readInput.ts';
import { findBystanders, type KnownSenders } from './bystanders.ts';

// Whom a mail only mentions.

const QUOTED = 'Only in quoted text';
const UNCLEAR = 'Unclear who is meant. Tick the right one.';
const AUTOMATIC = 'Automatic reply';
const BESIDE = 'Named by a server that reports of others';
const NAMES_OTHERS = 'Sender of a mail that names others';
const NOT_FAILED = 'The report does not say that delivery failed';

const isOwn = ({ values }: { values: readonly string[] }) => values[0]?.endsWith('@own.test') ?? false;

/** Each entry once: who it is, and why it is left out. */
async function reasons(input: string, isFile = false, known?: KnownSenders): Promise<Record<string, string | null>> {
  const read = await readInput(isFile ? new File([input], 'mail.eml') : input, null, () => {});
  const entries = await parseList(read, null);
  const bystanders = findBystanders(entries, read.lines, isOwn, known);
  const shown = entries.filter(({ repeats, values }) => repeats === null && values.length > 0);
  return Object.fromEntries(shown.map((entry) => [entry.values[0] ?? '', bystanders.get(entry) ?? null]));
}

const sign = (why: string | null) => (why === null ? '+' : why === UNCLEAR ? '?' : '-');

/** The same in short, as `+jane ?max -info`: meant, to be chosen, left out. */
async function judge(...args: Parameters<typeof reasons>): Promise<string> {
  const all = Object.entries(await reasons(...args));
  return all.map(([who, why]) => sign(why) + who.replace(/@.*/, '')).join(' ');
}

/** The mail of a customer, with this below its header. */
const customer = (text: string, subject = 'Re: Offers', from = 'Jane Doe <jane@example.com>') =>
  `From: ${from}\nSubject: ${subject}\nDate: x\n\n${text}\n`;
/** That of a colleague. */
const colleague = (text: string, subject = 'stop') => customer(text, subject, 'Kim <kim@own.test>');
/** A mail as a mailbox file has it. */
const mailOf = (from: string, text: string, to = 'desk') =>
  `From ${from} Mon Jan  1 10:00:00 2024\nFrom: ${from}\nTo: ${to}@x.test\nDate: x\nSubject: x\n\n${text}\n\n`;
/** A mail to which this one is attached. */
const withAttached = (from: string, attached: string) =>
  `From: ${from}\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b2\n\n--b2\nContent-Type: text/plain\n\nSee below.\n--b2\nContent-Type: message/rfc822\n\n${attached}\n--b2--\n`;

test('of a mail that a colleague forwards, nobody is meant but its sender and whom the colleague names; of a stranger, nobody', async () => {
  const forwarded = `From: Kim <kim@own.test>
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
  for (const isFile of [false, true]) {
    expect(await reasons(forwarded, isFile)).toEqual({
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
  expect(await judge(forwarded.replace('kim@own.test', 'kim@agents.test'))).toBe(
    '?kim -desk -lee -boss ?max -+44 20 7946 0958 ?jane -news -sales -eve ?bob',
  );
});

const QUOTATION = 'On 1 Jan 2024, Alice <alice@corp.test> wrote:\n> Hello';
const OUTLOOK = 'Von: Max <max@example.com>\nGesendet: Montag\nAn: Kim\nBetreff: Abmelden\n\nBitte abmelden.';
const STOP = 'From: Max <max@example.com>\nSent: Monday\nTo: Jane\nSubject: stop\n\nStop.';
const ATTACHED = 'From: Max <max@example.com>\nSubject: stop\n\nStop.';
const FORWARD = '---------- Forwarded message ---------';
const OF_TWO = 'From: a@x.test on behalf of b@x.test\nTo: J\nSubject: O\n\nHi';
const NEWSLETTER = `${FORWARD}\nFrom: Alice <alice@corp.test>\nSubject: Offers\nTo: Jane\n\nAsk dpo@corp.test`;
const OUR_NEWSLETTER = NEWSLETTER.replaceAll('corp.test', 'own.test');
const APPLE = '> From: Max <max@example.com>\n> Subject: Re: Offers\n> Date: 2 January 2024\n> To: Kim\n> \n';
const apple = (text: string) => colleague(`Bitte.\n\nBegin forwarded message:\n\n${APPLE}${text}`, 'Fwd: Offers');

test.each([
  ['of ours that is quoted', customer('Stop.\n\nOn 1 Jan, News <news@own.test> wrote:\n> Hi'), '+jane +news'],
  ['a list without a mail', 'jane@x.test\nTo: bob@x.test', '+jane +bob'],
  ['a recipient whom a colleague names', `To: max@x.test\n${colleague('Remove max@x.test.')}`, '+max +kim'],
  ['a stranger who names somebody', customer('do not unsubscribe bob@x.test'), '?jane ?bob'],
  ['a stranger who signs with another address', customer('Stop!\n\nJane Doe\ninfo@corp.test'), '?jane ?info'],
  ['a stranger who asks for others', customer('Please unsubscribe these:\n\nbob@x.test'), '?jane ?bob'],
  ['a colleague who asks for others', colleague('Please unsubscribe these:\n\nbob@x.test'), '+kim +bob'],
  ['a request that is pasted alone', 'Please unsubscribe these:\n\nbob@x.test', '+bob'],
  ['who names themselves, or us', customer('Stop jane@example.com, I wrote to news@own.test.'), '+jane +news'],
  ['a reply that names somebody', customer(`Bitte max@x.test.\n\n${QUOTATION}`), '?jane ?max -alice'],
  ['a reply without its header', `Unsubscribe me.\n\n${QUOTATION}`, '?alice'],
  ['the answer of a colleague', colleague(`Bitte.\n\n${OUTLOOK}\n\nAn info@x.test`, 'AW: x'), '+kim ?max ?info'],
  ['such an answer that names somebody', colleague(`Bitte eve@x.test.\n\n${OUTLOOK}`, 'AW: x'), '+kim +eve ?max'],
  ['such an answer without words', colleague(OUTLOOK, 'AW: x'), '+kim ?max'],
  ['a forwarded mail that quotes others', colleague(`${STOP}\n\n${QUOTATION}`, 'Fwd: x'), '+kim ?max ?alice'],
  ['a forwarded mail from nobody', colleague(`${FORWARD}\nOffers of bob@x.test`, 'Fwd: x'), '+kim ?bob'],
  ['a forwarded mail from two', colleague(`${FORWARD}\n${OF_TWO}`, 'Fwd: x'), '+kim ?a ?b'],
  ['a newsletter that a customer forwards', customer(`Stop.\n\n${NEWSLETTER}`, 'Fwd: x'), '?jane ?alice ?dpo'],
  ['a newsletter of ours', customer(`Stop.\n\n${OUR_NEWSLETTER}`, 'Fwd: x'), '+jane +alice +dpo'],
  ['one in Apple Mail', apple('> Stop.'), '+kim +max'],
  ['one in Apple Mail that quotes', apple('> Stop.\n> \n>> Offers of news@lists.test'), '+kim ?max ?news'],
  ['one in Apple Mail that only quotes', apple('> On 1 Jan, News <news@x.test> wrote:\n>> Hi'), '+kim ?max ?news'],
])('who is meant: %s', async (_, text, verdicts) => {
  expect(await judge(text)).toBe(verdicts);
});

test.each([
  ['each for itself', mailOf('a@x.test', 'Stop.') + mailOf('k@x.test', 'Not b@x.test.'), '+a -desk ?k ?b'],
  [
    'its sender, to whom another went',
    mailOf('k@x.test', 'b@x.test', 'a') + mailOf('a@x.test', 'Stop.'),
    '?k +a ?b -desk',
  ],
  ['one that a colleague attaches', withAttached('kim@own.test', ATTACHED), '+kim +max'],
  ['one that a stranger attaches', withAttached('jane@example.com', ATTACHED), '?jane ?max'],
  ['one that names others', withAttached('kim@own.test', `${ATTACHED} Write to bob@x.test.`), '+kim ?max ?bob'],
])('of several mails in a file: %s', async (_, mail, verdicts) => {
  expect(await judge(mail, true)).toBe(verdicts);
});

test.each([
  ['English', 'On Mon, 23 Nov 2026 at 09:00, Alice Smith <alice@corp.test> wrote:\n> Questions? Ask info@corp.test'],
  ['Apple Mail', '> On 23. Nov 2026, at 09:00, Alice Smith <alice@corp.test> wrote:\n> \n> Ask info@corp.test'],
  ['no date', 'Alice Smith <alice@corp.test> wrote:\n\nQuestions? Ask info@corp.test'],
  [
    'Outlook',
    '-----Ursprüngliche Nachricht-----\nVon: Alice <alice@corp.test>\nAn: Jane <jane@example.com>\nBetreff: x\n\ninfo@corp.test',
  ],
  ['a header', 'From: Alice <alice@corp.test>\nSent: Monday\nTo: Jane\nSubject: Offers\n\nAsk info@corp.test'],
])('of a reply its writer is meant, and nobody whom it quotes: %s', async (_, quotation) => {
  for (const isFile of [false, true]) {
    expect(await reasons(customer(`Please unsubscribe me.\n\n${quotation}`), isFile)).toEqual({
      'jane@example.com': null,
      'alice@corp.test': QUOTED,
      'info@corp.test': QUOTED,
    });
  }
});

test.each([
  ['Fwd: stop', '', true],
  ['WG: stop', '', true],
  ['Fwd: Re: stop', '', true],
  ['[EXTERNAL] Fwd: stop', '', true],
  ['stop', `${FORWARD}\n`, true],
  ['stop', '-----Weitergeleitete Nachricht-----\n', true],
  ['stop', 'Begin forwarded message:\n', true],
  ['Re: stop', '', false],
  ['Re: Fwd: stop', '', false],
  ['stop', '', false],
])('the subject %j and the mark %j tell a forwarded mail: %s', async (subject, mark, isForwarded) => {
  const text = `See below.\n\n${mark}${STOP}`;
  expect(await judge(customer(text, subject))).toBe(isForwarded ? '?jane ?max' : '+jane -max');
  if (isForwarded) expect(await judge(colleague(text, subject))).toBe('+kim +max');
});

describe('a signature', () => {
  test.each([
    [['Mit freundlichen Grüßen,', 'VG Jürgen', 'MfG', 'Danke!', 'Best regards,', 'Thanks, Jürgen', 'Cordialement,']],
    [['Saludos', 'Distinti saluti', 'Met vriendelijke groet,', 'Com os melhores cumprimentos,', 'Z poważaniem']],
  ])('is below the closing: %j', async (closings) => {
    const signed = { '+49 30 1001515': 'In a signature', 'juergen@firma.test': 'In a signature' };
    for (const closing of closings) {
      const text = `Bitte melden Sie multi2@x.test ab\n\n${closing}\n\nJürgen\nTel. +49 30 1001515\njuergen@firma.test\n`;
      expect(await reasons(text), closing).toEqual({ 'multi2@x.test': null, ...signed });
      expect(await reasons(customer(text), true)).toMatchObject({ 'jane@example.com': UNCLEAR, ...signed });
    }
  });

  test.each([
    ['words of a sentence', 'Thanks for your call\njane@example.com'],
    ['the first line', 'Thanks,\njane@example.com'],
    [
      'a list below it',
      `Unsubscribe\nThanks,\njane@example.com\n${Array.from({ length: 30 }, (_, n) => `p${n}@x.test`).join('\n')}`,
    ],
    ['another letter below it', 'Stop.\nBest regards,\nKim\n\nDear support,\nremove:\njane@example.com'],
  ])('does not begin at %s', async (_, text) => {
    expect((await reasons(text))['jane@example.com']).toBe(null);
  });
});

const reply = (text: string, from = 'jane@example.com') =>
  `From: ${from}\nReply-To: jane.private@example.com\nTo: desk@own.test\nSubject: stop\nDate: x\n\n${text}\n`;

describe('of a sender with another address for answers', () => {
  const OTHER = 'Other address of the sender';

  test.each([
    ['the one that is a contact is meant', '1', null, null, OTHER],
    ['and so the other', null, '1', OTHER, null],
    ['both where they are of the same contact', '1', '1', null, null],
    ['the sender where neither is', null, null, null, OTHER],
    ['nobody before somebody chooses where they are of two contacts', '1', '2', UNCLEAR, UNCLEAR],
    ['nobody before somebody chooses where it is not known of both', '1', undefined, UNCLEAR, UNCLEAR],
  ])('%s', async (_, sender, replies, from, to) => {
    const known = new Map([['jane@example.com', sender]]);
    if (replies !== undefined) known.set('jane.private@example.com', replies);
    for (const text of ['Stop.', 'Stop writing to jane.private@example.com']) {
      const expected = { 'jane@example.com': from, 'jane.private@example.com': to };
      expect(await reasons(reply(text), true, known)).toMatchObject(expected);
    }
  });

  test.each(['forms@own.test', 'Jane <JANE.private@example.com>'])(
    'that of a form on our page is meant, and one that is the same is no other: %s',
    async (from) => {
      expect(await reasons(reply('Stop.', from), true)).toMatchObject({ 'jane.private@example.com': null });
    },
  );
});

/** A report of a server (RFC 6522) with these parts, each with its header. */
const reportOf = (type: string, ...parts: string[]) =>
  `From: Mail Delivery System <mailer-daemon@mx.test>\nTo: news@own.test\nSubject: Report\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=${type}; boundary=b1\n\n${parts.map((part) => `--b1\n${part}\n`).join('')}--b1--\n`;
const RETURNED =
  'Content-Type: message/rfc822\n\nFrom: News <news@lists.test>\nTo: max@example.com\nCc: bob@corp.test\nSubject: Offers\n\nAsk info@corp.test\n\n> or sales@corp.test';
const HUMAN = 'Content-Type: text/plain\n\nPlease send mail to postmaster@mx.test.\n<max@example.com>: unknown user';

const statusOf = (...recipients: [address: string, action: string][]) =>
  `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n${recipients.map(([address, action]) => `\nFinal-Recipient: rfc822;\n ${address}\n${action}\n`).join('')}`;
const bounceOf = (...recipients: [address: string, action: string][]) =>
  reportOf('delivery-status', HUMAN, statusOf(...recipients), RETURNED);
const complaint = (type: string, recipient = 'Original-Rcpt-To: <max@example.com>\n', returned = RETURNED) =>
  reportOf(
    'feedback-report',
    HUMAN,
    `Content-Type: message/feedback-report\n\nFeedback-Type: ${type}\nVersion: 1\n${recipient}Reported-Domain: own.test\n`,
    returned,
  );

describe('of an automatic reply (RFC 3834) nobody is meant', () => {
  const away = customer('I am away. In urgent cases: bob@corp.test', 'Automatic reply: Offers');
  const nobody = { 'jane@example.com': AUTOMATIC, 'bob@corp.test': AUTOMATIC };

  test.each([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated (vacation)',
    'X-Autoreply: yes',
    'Precedence: auto_reply',
  ])('%s', async (field) => {
    expect(await reasons(`${field}\n${away}`, true)).toMatchObject(nobody);
  });

  test('nor where it is attached, or one of a mailbox', async () => {
    const automatic = `Auto-Submitted: auto-replied\n${away}`;
    expect(await reasons(withAttached('kim@own.test', automatic), true)).toMatchObject(nobody);
    const ofStranger = { ...nobody, 'kim@agents.test': NAMES_OTHERS };
    expect(await reasons(withAttached('kim@agents.test', automatic), true)).toMatchObject(ofStranger);
    const box = `From x Mon Jan  1 10:00:00 2024\n${automatic}\n${mailOf('eve@example.com', 'Stop.')}`;
    expect(await reasons(box, true)).toMatchObject({ ...nobody, 'eve@example.com': null });
  });

  test.each(['Auto-Submitted: no', 'Auto-Submitted: No ; x=y', 'Precedence: bulk'])(
    'but whoever writes by hand is: %s',
    async (field) => {
      expect(await judge(`${field}\n${customer('Stop.')}`, true)).toBe('+jane');
    },
  );

  test('a report of a server has its own rules', async () => {
    const report = bounceOf(['max@example.com', 'Action: failed']);
    expect(await reasons(`Auto-Submitted: auto-replied\n${report}`, true)).toMatchObject({ 'max@example.com': null });
  });
});

describe('of a bounce (RFC 3464)', () => {
  test('those are meant whom it could not be delivered to, and nobody whom it names besides', async () => {
    const mail = bounceOf(['max@example.com', 'Action: failed'], ['eve@example.com', 'action: Failed']);
    const found = await reasons(mail, true);
    expect(await judge(mail, true)).toBe('-mailer-daemon -news +max +eve -postmaster -news -bob -info -sales');
    expect(new Set(Object.values(found))).toEqual(new Set([BESIDE, null]));
  });

  test.each([
    ['delayed', 'Delayed, and tried again, to'],
    ['relayed', 'Relayed to'],
    ['delivered', 'Delivered to'],
    ['expanded', 'Relayed to the members of'],
    ['unheard-of', 'Not told whether delivered to'],
    ['', 'Not told whether delivered to'],
  ])('who is %j is not meant, and is told as %j', async (action, source) => {
    const mail = bounceOf(['eve@example.com', `Action: ${action}`], ['max@example.com', 'Action: failed']);
    expect(await reasons(mail, true)).toMatchObject({ 'eve@example.com': NOT_FAILED, 'max@example.com': null });
    const entries = await parseList(await readInput(mail, null, () => {}), null);
    expect(entries.find(({ values }) => values[0] === 'eve@example.com')?.source).toBe(source);
  });

  test.each([
    ['failed', null],
    ['delayed', NOT_FAILED],
  ])('that somebody passed on, not that one either: %s', async (action, why) => {
    const mail = withAttached('kim@agents.test', bounceOf(['max@example.com', `Action: ${action}`]));
    expect(await reasons(mail, true)).toMatchObject({ 'kim@agents.test': NAMES_OTHERS, 'max@example.com': why });
  });
});

describe('of a complaint (RFC 5965)', () => {
  test.each([
    ['abuse', null],
    ['Opt-Out', null],
    ['opt-out-list', null],
    ['not-spam', 'The report is no complaint'],
    ['auth-failure', 'The report is no complaint'],
  ])('of the type %s, who complained is judged: %j', async (type, why) => {
    const others = { 'mailer-daemon@mx.test': BESIDE, 'bob@corp.test': BESIDE };
    expect(await reasons(complaint(type), true)).toMatchObject({ ...others, 'max@example.com': why });
  });

  test.each(['message/rfc822', 'text/rfc822-headers'])(
    'that does not name them, the one is meant to whom the returned mail was; of several, nobody before somebody chooses: %s',
    async (type) => {
      const returned = RETURNED.replace('message/rfc822', type);
      expect(await reasons(complaint('abuse', '', returned), true)).toMatchObject({ 'max@example.com': null });
      const several = returned.replace('To: max', 'To:\n Max <max@example.com>, eve');
      expect(await reasons(complaint('abuse', '', several), true)).toMatchObject({
        'mailer-daemon@mx.test': BESIDE,
        'max@example.com': UNCLEAR,
        'eve@example.com': UNCLEAR,
      });
    },
  );
});

import { describe, expect, test } from 'vitest';
import { readInput } from '../readInput.ts';
import { parseList } from '../parseList.ts';

/** A mail with the line ends of RFC 5322; signs above U+00FF are not in it. */
const latin1 = (text: string) => Uint8Array.from(text.replaceAll(/\r?\n/g, '\r\n'), (sign) => sign.charCodeAt(0));

/** Each entry as `source: identity`; a duplicate with `=`. */
async function entriesOf(input: string | Uint8Array<ArrayBuffer>): Promise<string[]> {
  const file = typeof input === 'string' ? input : new File([input], 'mail.eml');
  const entries = await parseList(await readInput(file, null, () => {}), null);
  return entries.map(
    ({ source, values, text, repeats }) => `${source}: ${repeats === null ? '' : '= '}${values[0] ?? `? ${text}`}`,
  );
}

const HEADER = `Return-Path: <bounce-17@mailer.test>
Received: from mx.mailer.test (mx.mailer.test [192.0.2.1]) for <inbox@acme.test>;
 Mon, 1 Jan 2024 10:00:00 +0000
DKIM-Signature: v=1; a=rsa-sha256; d=mailer.test; i=@mailer.test; b=abc@def.test
Message-ID: <msg.1@mail.example.com>
In-Reply-To: <msg.0@mail.acme.test>
References: <msg.0@mail.acme.test> <msg.00@mail.acme.test>
List-Unsubscribe: <mailto:stop@lists.test>
X-Sender: script@mailer.test
From: "Roe, Jane" <Jane@example.com>
To: Support <help@acme.test>, bob@example.com
Cc: =?utf-8?B?SsO2cmc=?= <joerg@example.com>,
 "ceo@acme.test" <eve@example.com>
Reply-To: jane.private@example.com
Subject: stop mailing someone@subject.test
Date: Mon, 1 Jan 2024 10:00:00 +0000
MIME-Version: 1.0
`;
const PEOPLE = [
  'From: jane@example.com',
  'To: help@acme.test',
  'To: bob@example.com',
  'Cc: joerg@example.com',
  'Cc: eve@example.com',
  'Reply-To: jane.private@example.com',
];

test('a mail is told apart into header, text, quoted text and signature; IDs and machines are nobody', async () => {
  const mail = `${HEADER}Content-Type: text/plain; charset=utf-8

Please remove max@example.com too.

On Sun, 31 Dec 2023 at 10:00, Acme <news@acme.test> wrote:
> Hello jane@example.com,
> write to sales@acme.test

--${' '}
Jane Roe, jane.work@example.com
`;
  const expected = [
    ...PEOPLE,
    'Text: max@example.com',
    'Quoted sender: news@acme.test',
    'Quoted text: = jane@example.com',
    'Quoted text: sales@acme.test',
    'Signature: jane.work@example.com',
  ];
  expect(await entriesOf(latin1(mail))).toEqual(expected);
  expect(await entriesOf(mail), 'pasted source').toEqual(expected);
});

/** `max@example.com` and `Jörg` in the text, as the encodings of RFC 2045 have it. */
describe('a body is decoded', () => {
  test.each([
    ['base64', 'utf-8', 'base64', 'bWF4QGV4YW1w\nbGUuY29tIErDtnJn\n'],
    ['quoted-printable', 'iso-8859-1', 'quoted-printable', 'max=40exam=\nple.com J=F6rg\n'],
    ['8bit', 'windows-1252', '8bit', 'max@example.com J\xf6rg\n'],
    ['UTF-16 in base64', 'utf-16le', 'base64', 'bQBhAHgAQABlAHgAYQBtAHAAbABlAC4AYwBvAG0A\n'],
    ['ISO-2022-JP', 'iso-2022-jp', '7bit', '\x1b$B$3$s\x1b(B max@example.com\n'],
    ['a charset that nobody knows', 'x-nobody', '8bit', 'max@example.com\n'],
    ['a charset that lies', 'us-ascii', '8bit', 'max@example.com J\xc3\xb6rg\n'],
    ['a broken base64', 'utf-8', 'base64', 'bWF4QGV4YW1wbGUuY29tIA=!=?\n'],
  ])('%s', async (_, charset, encoding, body) => {
    const mail = `${HEADER}Content-Type: text/plain; charset="${charset}"\nContent-Transfer-Encoding: ${encoding}\n\n${body}`;
    expect((await entriesOf(latin1(mail))).slice(PEOPLE.length)).toEqual(['Text: max@example.com']);
  });
});

test('of the alternatives, the plain text is read once; HTML only where there is nothing else', async () => {
  const html = `Content-Type: text/html; charset=utf-8

<style>a@style.test</style><p>Remove <a href="mailto:max@example.com">Max</a></p><script>b@script.test</script>
<blockquote>old@example.com</blockquote>
`;
  const both = `${HEADER}Content-Type: multipart/alternative; boundary="=_1"

preamble@nowhere.test
--=_1
Content-Type: text/plain

Remove max@example.com
--=_1
${html}
--=_1--
epilogue@nowhere.test
`;
  expect((await entriesOf(latin1(both))).slice(PEOPLE.length)).toEqual(['Text: max@example.com']);
  expect((await entriesOf(latin1(HEADER + html))).slice(PEOPLE.length)).toEqual([
    'Text: max@example.com',
    'Quoted text: old@example.com',
  ]);
});

/** A mail with these parts, each with its header. */
const multipart = (...parts: string[]) =>
  `From: jane@example.com\nDate: x\nContent-Type: multipart/mixed; boundary=b1\n\n${parts.map((part) => `--b1\n${part}\n`).join('')}--b1--\n`;

test('nobody in a header is lost by a comma that is lacking, or encoded', async () => {
  const mail =
    'From: jane@example.com\nDate: x\nTo: A <a@x.test>\n =?utf-8?q?=2C?= B <b@x.test> C <c@x.test>, "<d@x.test>" <e@x.test>\n\n';
  expect(await entriesOf(latin1(mail))).toEqual([
    'From: jane@example.com',
    'To: a@x.test',
    'To: b@x.test',
    'To: e@x.test',
    'To: c@x.test',
  ]);
});

test('mails that are attached are read too, and attachments that are not are named', async () => {
  const inner = 'From: old@example.com\nTo: older@example.com\nMessage-ID: <9@mail.test>\n\nmax@example.com\n';
  const mail = multipart(
    'Content-Type: text/plain\n\nsee below',
    `Content-Type: message/rfc822\n\n${inner}`,
    `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${btoa(inner.replaceAll('old', 'new'))}`,
    'Content-Type: text/csv; name=list.csv\nContent-Disposition: attachment\n\nfar@example.com',
    'Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=',
  );
  expect(await entriesOf(latin1(mail))).toEqual([
    'From: jane@example.com',
    'From: old@example.com',
    'To: older@example.com',
    'Text: max@example.com',
    'From: new@example.com',
    'To: newer@example.com',
    'Text: = max@example.com',
  ]);
  const { notes } = await readInput(new File([latin1(mail)], 'mail.eml'), null, () => {});
  expect(notes).toEqual([
    'Read as 3 mails: header, text, quoted text and signature apart. Lines that name nobody are left away.',
    'Attachments were not read: list.csv.',
  ]);
});

test('a bounce names for whom it was (RFC 3464)', async () => {
  const mail = multipart(
    'Content-Type: text/plain\n\nYour mail was not delivered.',
    'Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\nOriginal-Recipient: rfc822;max@example.com\nFinal-Recipient: rfc822; Max@example.com\nAction: failed\n',
  );
  expect(await entriesOf(latin1(mail))).toEqual([
    'From: jane@example.com',
    'Not delivered to: max@example.com',
    'Not delivered to: = max@example.com',
  ]);
});

test('all mails of a mailbox file are read (RFC 4155)', async () => {
  const box = ['jane', 'bob']
    .map(
      (name) =>
        `From ${name}@envelope.test Mon Jan  1 10:00:00 2024\nFrom: ${name}@example.com\nDate: x\n\n>From here\nFrom a friend of ${name}.2024\n\n`,
    )
    .join('');
  expect(await entriesOf(latin1(box))).toEqual(['From: jane@example.com', 'From: bob@example.com']);
});

test('a client’s copy of a thread is told apart, with the lines of the text', async () => {
  const text =
    'Please stop. max@example.com\n\nOn 1 Jan 2024, Jane <jane@example.com> wrote:\n> bob@example.com\n\n-- \nmax.work@example.com';
  const entries = await parseList(await readInput(text, null, () => {}), null);
  expect(entries.map(({ line, source, values }) => [line, source, values[0]])).toEqual([
    [1, 'Text', 'max@example.com'],
    [3, 'Quoted sender', 'jane@example.com'],
    [4, 'Quoted text', 'bob@example.com'],
    [7, 'Signature', 'max.work@example.com'],
  ]);
  expect(
    await entriesOf(
      'From: Jane <jane@example.com>\nSent: Monday\nTo: Bob <bob@example.com>; eve@example.com\nSubject: x\n\nmax@example.com',
    ),
  ).toEqual(['From: jane@example.com', 'To: bob@example.com', 'To: eve@example.com', 'Text: max@example.com']);
});

/** Most of them continue a field of the header, which takes the parser the least time. */
const mailOfLines = (count: number) =>
  latin1(`From: jane@example.com\nDate: x\nX-Long: x\n${' \n'.repeat(count - 5)}\nmax@example.com\n`);

describe('a hostile mail', () => {
  test('whose boundary never comes is read to its end', async () => {
    const mail = 'From: jane@example.com\nDate: x\nContent-Type: multipart/mixed; boundary=never\n\nmax@example.com\n';
    expect(await entriesOf(latin1(mail))).toEqual(['From: jane@example.com', 'Text: max@example.com']);
  });

  test('of 10,000 parts beside each other is read', async () => {
    const mail = multipart(
      ...Array.from({ length: 10_000 }, (_, n) => `Content-Type: text/plain\n\np${n}@example.com`),
    );
    expect(await entriesOf(latin1(mail))).toHaveLength(10_001);
  });

  test('of 10,000 parts within each other is refused with a sentence', async () => {
    const parts = Array.from(
      { length: 10_000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
    );
    await expect(entriesOf(latin1(`From: jane@example.com\nDate: x\n${parts.join('')}`))).rejects.toThrow(
      'This mail cannot be read: ',
    );
  });

  test('of mails within mails is read to a depth, and says what was left', async () => {
    let mail = 'From: last@example.com\nDate: x\n\n';
    for (let depth = 20; depth > 0; depth--) {
      mail = `From: p${depth}@example.com\nDate: x\nContent-Type: message/rfc822\n\n${mail}`;
    }
    const { lines, notes } = await readInput(new File([latin1(mail)], 'mail.eml'), null, () => {});
    expect(lines.filter(({ source }) => source === 'From')).toHaveLength(11);
    expect(notes[1]).toBe('1 of the mails within were not read: they are too many, too large or too deep.');
  });

  test('of more lines than a page reads at once is refused with a sentence', async () => {
    expect(await entriesOf(mailOfLines(300_000))).toEqual(['From: jane@example.com', 'Text: max@example.com']);
    await expect(entriesOf(mailOfLines(300_001))).rejects.toThrow(
      'This mail has more than 300,000 lines. Copy the part with the contacts, and paste it.',
    );
  });

  test('with a header of megabytes is refused with a sentence', async () => {
    const mail = `From: jane@example.com\nDate: x\nX-Bomb: ${'a'.repeat(3_000_000)}\n\nmax@example.com`;
    await expect(entriesOf(latin1(mail))).rejects.toThrow('This mail cannot be read: ');
  });
});

test.each([
  ['LF', '\n'],
  ['CR and LF', '\r\n'],
  // As a program of an old Macintosh, or a careless conversion, writes it.
  ['CR', '\r'],
])('a mail whose lines end with %s has its sender, its recipients and everybody in its text', async (_, end) => {
  const mail = [
    'From: Ann <a@x.org>',
    'To: support@x.org',
    'Subject: list',
    'MIME-Version: 1.0',
    '',
    'Please unsubscribe',
  ];
  const people = ['jane@example.com', 'john@example.com', 'mary@example.com', ''];
  const bytes = new TextEncoder().encode([...mail, ...people].join(end));
  expect(await entriesOf(bytes)).toEqual([
    'From: a@x.org',
    'To: support@x.org',
    'Text: jane@example.com',
    'Text: john@example.com',
    'Text: mary@example.com',
  ]);
});

test.each([
  ['`a@`', `<${'a@'.repeat(250_000)}`],
  ['quotation marks that never close', `"${String.raw`\"`.repeat(250_000)}`],
  ['brackets that never close', '<a@b'.repeat(120_000)],
])('half a megabyte of %s in a header takes linear time', async (_, header) => {
  const entries = await entriesOf(latin1(`From: jane@example.com\nDate: x\nTo: ${header}\n\nbob@example.com`));
  expect(entries).toContain('From: jane@example.com');
  expect(entries).toContain('Text: bob@example.com');
});

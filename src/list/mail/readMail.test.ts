import { describe, expect, test } from 'vitest';
import { parseList } from '../parseList.ts';
import { readInput } from '../readInput.ts';

/** A mail with the line ends of RFC 5322; signs above U+00FF are not in it. */
const latin1 = (text: string) => Uint8Array.from(text.replaceAll(/\r?\n/g, '\r\n'), (sign) => sign.charCodeAt(0));

const readFile = (bytes: Uint8Array<ArrayBuffer>) => readInput(new File([bytes], 'mail.eml'), null, () => {});

/** Each entry as `source: identity`; a duplicate with `=`. */
async function entriesOf(input: string | Uint8Array<ArrayBuffer>): Promise<string[]> {
  const read = await (typeof input === 'string' ? readInput(input, null, () => {}) : readFile(input));
  const entries = await parseList(read, null);
  return entries.map(
    ({ source, values, text, repeats }) => `${source}: ${repeats === null ? '' : '= '}${values[0] ?? `? ${text}`}`,
  );
}

const FROM = 'From: jane@example.com\nDate: x\n';
/** A mail with these parts, each with its header. */
const multipart = (...parts: string[]) =>
  `${FROM}Content-Type: multipart/mixed; boundary=b1\n\n${parts.map((part) => `--b1\n${part}\n`).join('')}--b1--\n`;

test('a mail is told apart into header, text, quoted text and signature; IDs and machines are nobody', async () => {
  const mail = `Return-Path: <bounce-17@mailer.test>
Received: from mx.mailer.test (mx.mailer.test [192.0.2.1]) for <inbox@acme.test>;
 Mon, 1 Jan 2024 10:00:00 +0000
DKIM-Signature: v=1; a=rsa-sha256; d=mailer.test; i=@mailer.test; b=abc@def.test
Message-ID: <msg.1@mail.example.com>
References: <msg.0@mail.acme.test> <msg.00@mail.acme.test>
List-Unsubscribe: <mailto:stop@lists.test>
X-Sender: script@mailer.test
From: "Roe, Jane" <Jane@example.com>
To: Support <help@acme.test>, bob@example.com
Cc: =?utf-8?B?SsO2cmc=?= <joerg@example.com>,
 "ceo@acme.test" <eve@example.com>
Reply-To: jane.private@example.com
Subject: stop mailing someone@subject.test
Content-Type: text/plain; charset=utf-8

Please remove max@example.com too.

On Sun, 31 Dec 2023 at 10:00, Acme <news@acme.test> wrote:
> Hello jane@example.com,
> write to sales@acme.test

--${' '}
Jane Roe, jane.work@example.com
`;
  const expected = [
    'From: jane@example.com',
    'To: help@acme.test',
    'To: bob@example.com',
    'Cc: joerg@example.com',
    'Cc: eve@example.com',
    'Reply-To: jane.private@example.com',
    'Text: max@example.com',
    'Quoted sender: news@acme.test',
    'Quoted text: = jane@example.com',
    'Quoted text: sales@acme.test',
    'Signature: jane.work@example.com',
  ];
  expect(await entriesOf(latin1(mail))).toEqual(expected);
  expect(await entriesOf(mail), 'pasted source').toEqual(expected);
});

test.each([
  ['base64', 'utf-8', 'base64', 'bWF4QGV4YW1w\nbGUuY29tIErDtnJn\n'],
  ['quoted-printable', 'iso-8859-1', 'quoted-printable', 'max=40exam=\nple.com J=F6rg\n'],
  ['8bit', 'windows-1252', '8bit', 'max@example.com J\xf6rg\n'],
  ['UTF-16 in base64', 'utf-16le', 'base64', 'bQBhAHgAQABlAHgAYQBtAHAAbABlAC4AYwBvAG0A\n'],
  ['ISO-2022-JP', 'iso-2022-jp', '7bit', '\x1b$B$3$s\x1b(B max@example.com\n'],
  ['a charset that nobody knows', 'x-nobody', '8bit', 'max@example.com\n'],
  ['a charset that lies', 'us-ascii', '8bit', 'max@example.com J\xc3\xb6rg\n'],
  ['a broken base64', 'utf-8', 'base64', 'bWF4QGV4YW1wbGUuY29tIA=!=?\n'],
])('a body is decoded: %s', async (_, charset, encoding, body) => {
  const mail = `${FROM}Content-Type: text/plain; charset="${charset}"\nContent-Transfer-Encoding: ${encoding}\n\n${body}`;
  expect(await entriesOf(latin1(mail))).toEqual(['From: jane@example.com', 'Text: max@example.com']);
});

test('of the alternatives, the plain text is read once; HTML only where there is nothing else', async () => {
  const html = `Content-Type: text/html; charset=utf-8

<style>a@style.test</style><p>Remove <a href="mailto:max@example.com">Max</a></p><script>b@script.test</script>
<blockquote>old@example.com</blockquote>
`;
  const both = multipart('Content-Type: text/plain\n\nRemove max@example.com', html)
    .replace('/mixed', '/alternative')
    .replace('--b1', 'preamble@nowhere.test\n--b1');
  const expected = ['From: jane@example.com', 'Text: max@example.com'];
  expect(await entriesOf(latin1(`${both}epilogue@nowhere.test`))).toEqual(expected);
  expect(await entriesOf(latin1(FROM + html))).toEqual([...expected, 'Quoted text: old@example.com']);
});

test('nobody in a header is lost by a comma that is lacking, or encoded', async () => {
  const to = 'A <a@x.test>\n =?utf-8?q?=2C?= B <b@x.test> C <c@x.test>, "<d@x.test>" <e@x.test>';
  const found = await entriesOf(latin1(`${FROM}To: ${to}\n\n`));
  expect(found.slice(1)).toEqual(['To: a@x.test', 'To: b@x.test', 'To: e@x.test', 'To: c@x.test']);
});

test('mails that are attached are read too, and attachments that are not are named', async () => {
  const inner = 'From: old@example.com\nTo: older@example.com\nMessage-ID: <9@mail.test>\n\nmax@example.com\n';
  const mail = multipart(
    'Content-Type: text/plain\n\nsee below',
    `Content-Type: message/rfc822\n\n${inner}`,
    `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${btoa(inner.replaceAll('old', 'new'))}`,
    'Content-Type: text/csv; name=list.csv\nContent-Disposition: attachment\n\nfar@example.com',
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
  expect((await readFile(latin1(mail))).notes).toEqual([
    'Read as 3 mails: header, text, quoted text and signature apart. Lines that name nobody are left away.',
    'Attachments were not read: list.csv.',
  ]);
});

const mailOf = (name: string) =>
  `From ${name}@envelope.test Mon Jan  1 10:00:00 2024\nFrom: ${name}@example.com\nDate: x\n\n>From here\nFrom a friend of ${name}.2024\n\n`;

test('all mails of a mailbox file are read (RFC 4155)', async () => {
  const found = await entriesOf(latin1(mailOf('jane') + mailOf('bob')));
  expect(found).toEqual(['From: jane@example.com', 'From: bob@example.com']);
});

test.each([
  ['LF', '\n'],
  ['CR and LF', '\r\n'],
  // As a program of an old Macintosh, or a careless conversion, writes it.
  ['CR', '\r'],
])('a mail whose lines end with %s has its sender and everybody in its text', async (_, end) => {
  const lines = ['From: a@x.test', 'Subject: list', 'MIME-Version: 1.0', '', 'Stop', 'b@x.test', 'c@x.test', ''];
  const bytes = new TextEncoder().encode(lines.join(end));
  expect(await entriesOf(bytes)).toEqual(['From: a@x.test', 'Text: b@x.test', 'Text: c@x.test']);
});

/** Most of them continue a field of the header, which takes the parser the least time. */
const mailOfLines = (count: number) => latin1(`${FROM}X-Long: x\n${' \n'.repeat(count - 5)}\nmax@example.com\n`);

const nested = (_: unknown, n: number) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`;

describe('a hostile mail', () => {
  test('whose boundary never comes is read to its end', async () => {
    const mail = `${FROM}Content-Type: multipart/mixed; boundary=never\n\nmax@example.com\n`;
    expect(await entriesOf(latin1(mail))).toEqual(['From: jane@example.com', 'Text: max@example.com']);
  });

  test('of 10,000 parts beside each other is read', async () => {
    const parts = Array.from({ length: 10_000 }, (_, n) => `Content-Type: text/plain\n\np${n}@example.com`);
    expect(await entriesOf(latin1(multipart(...parts)))).toHaveLength(10_001);
  });

  test.each([
    ['of 10,000 parts within each other', Array.from({ length: 10_000 }, nested).join('')],
    ['with a header of megabytes', `X-Bomb: ${'a'.repeat(3_000_000)}\n\nmax@example.com`],
  ])('%s is refused with a sentence', async (_, mail) => {
    await expect(entriesOf(latin1(FROM + mail))).rejects.toThrow('This mail cannot be read: ');
  });

  test('of mails within mails is read to a depth, and says what was left', async () => {
    const within = (mail: string, depth: number): string =>
      depth === 0
        ? mail
        : within(`From: p${depth}@x.test\nDate: x\nContent-Type: message/rfc822\n\n${mail}`, depth - 1);
    const { lines, notes } = await readFile(latin1(within('From: last@x.test\nDate: x\n\n', 20)));
    expect(lines.filter(({ source }) => source === 'From')).toHaveLength(11);
    expect(notes[1]).toBe('1 of the mails within were not read: they are too many, too large or too deep.');
  });

  test('of more lines than a page reads at once is refused with a sentence', async () => {
    expect(await entriesOf(mailOfLines(300_000))).toEqual(['From: jane@example.com', 'Text: max@example.com']);
    await expect(entriesOf(mailOfLines(300_001))).rejects.toThrow(
      'This mail has more than 300,000 lines. Copy the part with the contacts, and paste it.',
    );
  });

  test.each([
    ['`a@`', `<${'a@'.repeat(250_000)}`],
    ['quotation marks that never close', `"${String.raw`\"`.repeat(250_000)}`],
    ['brackets that never close', '<a@b'.repeat(120_000)],
  ])('with half a megabyte of %s in a header takes linear time', async (_, header) => {
    const entries = await entriesOf(latin1(`${FROM}To: ${header}\n\nbob@example.com`));
    expect(entries).toContain('From: jane@example.com');
    expect(entries).toContain('Text: bob@example.com');
  });
});

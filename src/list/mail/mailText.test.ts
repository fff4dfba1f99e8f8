import { describe, expect, test } from 'vitest';
import { isThread, splitMailText } from './mailText.ts';

/** Each line that is not blank, as `b text` for the body, `q` for what is quoted, `s` for a signature. */
const split = (text: string) =>
  [...splitMailText(text.split('\n'))]
    .filter((line) => line.text.trim() !== '')
    .map(({ text: line, part }) => `${part[0]} ${line}`);

/** The part that each line is of. */
const partsOf = (text: string) => [...splitMailText(text.split('\n'))].map(({ part }) => part);

describe('the parts of a mail', () => {
  test('below its text: what is quoted, as RFC 3676 marks it, and the signature', () => {
    const wrote = 'On Mon, 1 Jan 2024 at 10:00, Jane Roe <jane@example.com> wrote:';
    expect(split(`Stop.\n\n${wrote}\n> Hello\n>> older\n\nMore.\n-- \nBob`)).toEqual([
      'b Stop.',
      `q ${wrote}`,
      'q > Hello',
      'q >> older',
      'b More.',
      's -- ',
      's Bob',
    ]);
  });

  test.each([
    ['English', 'On 1 Jan 2024, Jane <jane@example.com> wrote:'],
    ['German', 'Am 01.01.2024 um 10:00 schrieb Jane <jane@example.com>:'],
    ['French', 'Le lun. 1 janv. 2024 à 10:00, Jane <jane@example.com> a écrit :'],
    ['Spanish', 'El lun, 1 ene 2024 a las 10:00, Jane (<jane@example.com>) escribió:'],
    ['Italian', 'Il giorno lun 1 gen 2024 alle ore 10:00 Jane <jane@example.com> ha scritto:'],
    ['Dutch', 'Op ma 1 jan 2024 om 10:00 schreef Jane <jane@example.com>:'],
    ['Portuguese', 'Em seg., 1 de jan. de 2024 às 10:00, Jane <jane@example.com> escreveu:'],
    ['no words', '2024-01-01 10:00 GMT+01:00 Jane <jane@example.com>:'],
    ['three lines', 'On Mon, 1 Jan 2024 at 10:00,\nJane Roe from a company\n<jane@example.com> wrote:'],
    ['dashes', '-----Original Message-----'],
    ['dashes of a forwarder', '---------- Forwarded message ---------'],
    ['words of a forwarder', 'Begin forwarded message:'],
    ['a header', 'From: Jane <jane@example.com>\nSent: Monday, 1 January 2024 10:00\nTo: Bob\nSubject: Offer'],
    ['a German header', 'Von: Jane <jane@example.com>\nGesendet: Montag, 1. Januar 2024\nAn: Bob\nBetreff: Angebot'],
    ['dashes of T-Online', '-----Original-Nachricht-----'],
    ['a Polish header', 'Od: Jane <jane@example.com>\nWysłano: poniedziałek\nDo: Bob\nTemat: Oferta'],
    ['a Portuguese header', 'De: Jane <jane@example.com>\nEnviada em: segunda-feira\nPara: Bob\nAssunto: Oferta'],
    ['a Spanish header', 'De: Jane <jane@example.com>\nEnviado el: lunes\nAsunto: Oferta'],
    ['a header that begins with the subject', 'Betreff: x\nDatum: 1.1.2024\nVon: J <jane@example.com>\nAn: Bob'],
    ['a copy', 'Von: Jane <jane@example.com>\nGesendet: Montag\nKopie (CC): Eve\nBetreff: Angebot'],
    ['a bold header', '*From:* Jane <jane@example.com>\n*Date:* Monday\n*To:* Bob'],
  ])('all below what a client writes above a quotation is quoted: %s', (_, mark) => {
    const lines = split(`Please stop.\n\n${mark}\n\nHello,\nbuy this.\n-- \nJane`);
    expect(lines[0]).toBe('b Please stop.');
    expect(lines.slice(1).map((line) => line[0])).toEqual(
      lines.slice(1).map((line) => (/^\S \*?(?:To|An|Do|Para|Kopie \(CC\)):/.test(line) ? 'r' : 'q')),
    );
  });

  test('who wrote what is quoted is told apart from what it says', () => {
    const header = partsOf('Subject: Offer\nDate: Monday\nFrom: Jane\nTo: Bob,\n Eve\n\nHello').join(' ');
    expect(header).toBe('quoted quoted quotedSender recipients recipients quoted quoted');
    expect(partsOf('On 1 Jan 2024,\nJane <jane@example.com> wrote:\n\nHello')).toEqual([
      ...Array(2).fill('quotedSender'),
      ...Array(2).fill('quoted'),
    ]);
  });

  test('are no marks: a sentence with such words, a word with a colon, a dash', () => {
    expect(split('On Monday I wrote:\nstop\nFrom: here\n--- \nOn it: go').every((line) => line.startsWith('b '))).toBe(
      true,
    );
  });
});

test('IDs of mails and traces of machines are left out, folded ones too', () => {
  expect(
    split(`From: Jane <jane@example.com>
Message-ID: <1@mail.example.com>
References: <2@mail.example.com>
 <3@mail.example.com>
List-Unsubscribe: <mailto:stop@lists.example>
> In-Reply-To: <4@mail.example.com>
see cid:5@mail.example.com and bob@example.com`),
  ).toEqual(['b From: Jane <jane@example.com>', 'b see   and bob@example.com']);
});

test('a pasted thread is known by its marks, and a list is none', () => {
  expect(isThread(['stop', 'On 1 Jan 2024, Jane <jane@example.com> wrote:', 'Hello'])).toBe(true);
  expect(isThread(['stop', '> one', '> two'])).toBe(true);
  expect(isThread(['jane@example.com', '> bob@example.com', 'To: eve@example.com', 'Customers:'])).toBe(false);
});

test('hostile lines do not hold up the page', () => {
  const lines = [
    'On '.repeat(50_000),
    '1'.repeat(200_000),
    `${'2024 <'.repeat(30_000)}:`,
    `On 11${'1'.repeat(180)}<a${'@'.repeat(200)}:`,
    `On 1${' wrote'.repeat(60)} 2024 <a@b>`,
    `${'2024 <a@b> '.repeat(30)}:`,
    '>'.repeat(100_000),
    ' '.repeat(100_000),
  ];
  // Comparing in quadratic time would need many minutes.
  expect([
    ...splitMailText(Array.from({ length: 2000 }, (_, index) => lines[index % lines.length] ?? '')),
  ]).toHaveLength(2000);
});

import { expect, test } from 'vitest';
import { judgeDmarc } from './judgeDmarc.ts';

const NONE = 'v=DMARC1; p=none';
const judge = (texts: readonly string[], expected: string | null = NONE) =>
  judgeDmarc({ texts, expected, inherited: null });

// A truncated address may be the mailbox of somebody else: nothing is offered.
test.each([
  'mailto:dmarc@my company.test',
  'mailto:dmarc@my.co mpany.test',
  'mailto:dmarc@reports,test',
  'mailto:a@b.test,mailto:x@bank.co;m',
  'mailto:x@bank.co; m; fo=1',
  'mailto:x@bank.co|m',
  'mailto:a@b.test mailto:c',
  'mailto:john doe@b.test',
  'mailto:john; doe@b.test',
  'john, doe@b.test',
  'Name <a@b.test>',
  'mailto:a@my(company).test',
  'mailto:dmarc@localhost',
  'dmarc@localhost',
])('a broken address is not offered: %s', (addresses) => {
  for (const tag of ['rua', 'ruf']) {
    for (const policy of ['none', 'rejct']) {
      const { code, offer } = judge([`v=DMARC1; p=${policy}; ${tag}=${addresses}`]);
      if (code !== 'MATCH') expect([code, offer]).toEqual([expect.stringMatching(/^DMARC_|^SPOILT/), null]);
    }
  }
});

test('a policy is not offered together with an address whose domain has no dot', () => {
  const judged = judge(['v=DMARC1; p=none; rua=mailto:dmarc@my'], 'v=DMARC1; p=reject');
  expect(judged).toMatchObject({ code: 'DMARC_WEAKER_THAN_LISTED', offer: null });
});

test.each([
  'p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB',
  'p=reject; site-verification=abc',
  'rua=mailto:a@b.test',
  'p=block; rua=mailto:a@b.test',
  'k=rsa; p=none',
  'p',
])('what is not only tags of DMARC with a policy is no record: %s', (text) => {
  expect(judge([text]).code).toBe('DMARC_MISSING');
});

test('nothing that comes again and again keeps the reader busy', () => {
  for (const [before = '', piece = '', after = ''] of [
    ['v=DMARC1; p=none; x=a', ' ', 'x'],
    ['v=DMARC1; p=none; x=', ',', '!'],
    ['v=DMARC1; p=none; x=a', ' :', '\u00a0x'],
    ['v=DMARC1; rua=a:b', ',a:b', ''],
    ['v=', ' ', 'x'],
    ...[' ', ';', '"', ',', 'p=', 'rua=a@', '<a ', '\u200b', '\t'].map((piece) => ['v=DMARC1', piece, '\u00a0x']),
  ]) {
    for (const length of [4000, 65_000]) judge([before + piece.repeat(length / piece.length) + after]);
  }
});

test('a text that is longer than any record is read as receivers do, and not guessed at', () => {
  const notes = `n=${'x'.repeat(5000)}`;
  expect(judge([`v=DMARC1; p=none; rua=a@b.test; ${notes}`]).code).toBe('MATCH');
  expect(judge([`v=dmarc1; p=none; ${notes}`]).code).toBe('DMARC_MISSING');
  expect(judge([`v=DMARC1; p=none; rua=a@b.test; n=x`]).code).toBe('DMARC_TAG_UNREADABLE');
});

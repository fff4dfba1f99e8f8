import { describe, expect, test } from 'vitest';
import { judgeOldType } from './judgeUnreadableSpf.ts';
import { EXPECTED, testJudgements, WORLD, fakeLookUp } from '../../testing/testSpf.ts';

describe('it is spoilt', () => {
  testJudgements([
    ['hello', 'SPF_MISSING', undefined, { texts: 1 }],
    ['v=spf1; include:spf.p.test ~all', 'SPF_VERSION', EXPECTED, { found: 'v=spf1;' }],
    [`"${EXPECTED}"`, 'QUOTES_IN_VALUE', EXPECTED],
    ['v=spf1 mx" "-all', 'QUOTES_IN_VALUE', 'v=spf1 mx include:spf.p.test -all'],
    [` ${EXPECTED}`, 'SPACES_AROUND', EXPECTED],
    [`${EXPECTED} `, 'MATCH'],
    ['v=spf1 include:spf.p.test~all', 'SPACE_LOST_AT_SPLIT', EXPECTED],
    // Here is one space too many.
    [
      'v=spf1 include: spf.p.test ~all',
      'SPF_SYNTAX',
      EXPECTED,
      { corrections: [{ found: 'include: spf.p.test', should: 'include:spf.p.test' }] },
    ],
    // Without the quotation marks it would still be broken, and only this text tells why.
    [
      '"v=spf1 include:nine.test mx -all"',
      'SPF_SYNTAX',
      null,
      {
        corrections: [{ found: '"v=spf1 include:nine.test mx -all"', should: 'v=spf1 include:nine.test mx -all' }],
        why: { kind: 'lookUps', count: 12, now: null },
      },
    ],
    // All of them are corrupted: one record for what they meant.
    [
      ['v=spf1, mx -all', 'v=spf1; include:spf.p.test -all'],
      'SPF_VERSION',
      'v=spf1 mx include:spf.p.test -all',
      { found: 'v=spf1,', besides: ['v=spf1; include:spf.p.test -all'] },
    ],
    [
      '\u201cv=spf1 mx -all\u201d',
      'SPOILT_CHARACTERS',
      'v=spf1 mx include:spf.p.test -all',
      { characters: ['U+201C', 'U+201D'] },
    ],
    ['spf2.0/pra mx -all', 'SPF_SENDER_ID', undefined],
    [
      'v=spf1 bogus:x include:spf.p.test -all',
      'SPF_SYNTAX',
      'v=spf1 include:spf.p.test -all',
      { leftOut: ['bogus:x'] },
    ],
    // What cannot be corrected is reported also if there are quotation marks.
    [
      '"v=spf1 bogus:x include:spf.p.test -all"',
      'SPF_SYNTAX',
      'v=spf1 include:spf.p.test -all',
      { leftOut: ['bogus:x'] },
    ],
    // Whatever the version is, the offer contains the owner's senders.
    ['spf2.0/pra include:own.o.test ~all', 'SPF_SENDER_ID', 'v=spf1 include:own.o.test include:spf.p.test ~all'],
    [
      `spf2.0/pra ${'ip4:192.0.2.1 '.repeat(400)}-all`,
      'SPF_SENDER_ID',
      null,
      { why: { kind: 'long', length: 11 + 400 * 14 + 4 } },
    ],
    ['spf2.0/pra include:open.test -all', 'SPF_SENDER_ID', null, { why: { kind: 'open' } }],
    [
      'TXT v=spf1 include:own.o.test ~all',
      'SPF_VERSION',
      'v=spf1 include:own.o.test include:spf.p.test ~all',
      { found: 'TXT' },
    ],
    [
      'o.test. 300 IN TXT "v=spf1 mx include:own.o.test -all"',
      'SPF_VERSION',
      'v=spf1 mx include:own.o.test include:spf.p.test -all',
      { found: 'o.test. 300 IN TXT' },
    ],
    [
      'v=spf1&nbsp;include:own.o.test&nbsp;~all',
      'SPF_SYNTAX',
      'v=spf1 include:own.o.test include:spf.p.test ~all',
      { corrections: [{ should: 'v=spf1 include:own.o.test ~all' }] },
    ],
    // The text before it may be needed: nothing is offered in its place.
    [
      'site-verification=abc v=spf1 include:own.o.test ~all',
      'SPF_VERSION',
      null,
      { found: 'site-verification=abc', why: { kind: 'joined', before: 'site-verification=abc' } },
    ],
    ['we have v=spf1 a in it', 'SPF_MISSING'],
    // It doesn't count as a second record if receivers can read another.
    [[EXPECTED, 'spf2.0/pra mx -all', 'site-verification=abc v=spf1 mx -all'], 'MATCH'],
    ['v=spf1 redirect=spf.p.test redirect=spf.p.test', 'SPF_SYNTAX', 'v=spf1 redirect=spf.p.test'],
    // The senders of both are kept.
    [
      'v=spf1 redirect=spf.p.test redirect=own.o.test',
      'SPF_SYNTAX',
      'v=spf1 include:spf.p.test include:own.o.test ~all',
    ],
    // RFC 7208, section 3.3: strings are joined in their order, which was the wrong one here.
    [
      'include:own.o.test ~allv=spf1 ip4:192.0.2.9 ',
      'STRINGS_SWAPPED',
      'v=spf1 ip4:192.0.2.9 include:own.o.test include:spf.p.test ~all',
    ],
    ['own.o.test -allv=spf1 include:', 'STRINGS_SWAPPED', 'v=spf1 include:own.o.test include:spf.p.test -all'],
    ['site-verification=abcv=spf1 include:own.o.test ~all', 'SPF_MISSING'],
  ]);
});

test('the record is there with the type SPF alone', async () => {
  const asked = { name: 'o.test', expected: EXPECTED, lookUp: fakeLookUp(WORLD) };
  expect(await judgeOldType({ ...asked, texts: ['v=spf1 mx -all'] })).toMatchObject({
    code: 'SPF_OLD_TYPE',
    offer: 'v=spf1 mx include:spf.p.test -all',
  });
  expect(await judgeOldType({ ...asked, texts: [EXPECTED] })).toMatchObject({ offer: EXPECTED });
  expect(await judgeOldType({ ...asked, texts: ['hello'] })).toBeNull();
});

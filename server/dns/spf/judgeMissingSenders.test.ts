import { describe, expect, test } from 'vitest';
import { judgeSpf } from './judgeSpf.ts';
import { EXPECTED, testJudgements, WORLD, fakeLookUp } from '../../testing/testSpf.ts';

describe('the provider may not send', () => {
  testJudgements([
    [
      'v=spf1 mx -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 mx include:spf.p.test -all',
      { missing: ['include:spf.p.test'], because: null },
    ],
    [
      'v=spf1 ?include:spf.p.test -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:spf.p.test -all',
      { because: { term: '?include:spf.p.test', is: 'qualifier' } },
    ],
    ['v=spf1 -include:spf.p.test ~all', 'SPF_WITHOUT_INCLUDE', 'v=spf1 include:spf.p.test ~all'],
    // What decides differently has to come later.
    ['v=spf1 ~include:_spf.o.test ~all', 'SPF_WITHOUT_INCLUDE', 'v=spf1 include:spf.p.test ~include:_spf.o.test ~all'],
    [
      'v=spf1 mx -all include:spf.p.test',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 mx include:spf.p.test -all',
      { because: { term: '-all', is: 'all_before' } },
    ],
    [
      'v=spf1 -ip4:0.0.0.0/0 include:spf.p.test -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:spf.p.test -ip4:0.0.0.0/0 -all',
      { because: { term: '-ip4:0.0.0.0/0', is: 'all_before' } },
    ],
    [
      'v=spf1 ip4:192.0.2.1 include=spf.p.test -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 ip4:192.0.2.1 include:spf.p.test -all',
      { because: { term: 'include=spf.p.test', is: 'ignored' } },
    ],
    [
      'v=spf1 redirect=own.o.test',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:spf.p.test redirect=own.o.test',
      { because: { term: 'redirect=own.o.test', is: 'redirect' } },
    ],
    [
      'v=spf1 redirect=spf.p.test -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:spf.p.test -all',
      { because: { term: 'redirect=spf.p.test', is: 'redirect_ignored' } },
    ],
    [
      'v=spf1 -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:spf.p.test -all',
      { because: { term: 'v=spf1 -all', is: 'nobody' }, example: null },
    ],
    [
      'v=spf1 ip4:198.51.100.0/25 -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 ip4:198.51.100.0/25 include:spf.p.test -all',
      { example: '198.51.100.128' },
    ],
    // There is no room for it.
    [
      'v=spf1 include:nine.test -all',
      'SPF_WITHOUT_INCLUDE',
      null,
      {
        why: {
          kind: 'lookUps',
          now: 10,
          count: 11,
          isMore: false,
          terms: [
            { term: 'include:nine.test', lookUps: 10 },
            { term: 'include:spf.p.test', lookUps: 1 },
          ],
        },
      },
    ],
    [
      'v=spf1 mx -all include:by.test',
      'SPF_WITHOUT_INCLUDE',
      null,
      { why: { kind: 'broken', fault: { kind: 'none', term: 'include:by.test', at: 'by.test' } } },
    ],
    // Macros of another provider tell nothing about this one.
    [
      'v=spf1 include:salesforce.test -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:salesforce.test include:spf.p.test -all',
    ],
    ['v=spf1 -ip4:198.51.100.7 include:spf.p.test -all', 'SPF_REFUSES_SENDERS', null, { by: ['-ip4:198.51.100.7'] }],
  ]);
});

describe('macros', () => {
  testJudgements([
    // What only address and domain decide can be evaluated for the senders of the provider.
    [
      'v=spf1 exists:%{i}._i.%{d}._d.hosted.test exp=why.o.test -all',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 exists:%{i}._i.%{d}._d.hosted.test exp=why.o.test include:spf.p.test -all',
      { missing: ['include:spf.p.test'], example: '198.51.100.1' },
    ],
    [
      'v=spf1 redirect=%{i}.%{d}.hosted.test',
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:spf.p.test redirect=%{i}.%{d}.hosted.test',
    ],
    [
      'v=spf1 exists:%{i}.list.test -all',
      'SPF_FLATTENED',
      'v=spf1 exists:%{i}.list.test include:spf.p.test -all',
      { by: 'exists:%{i}.list.test' },
    ],
    ['v=spf1 include:list.hosted.test -all', 'SPF_FLATTENED'],
    ['v=spf1 exists:%{i}.part.test -all', 'SPF_WITHOUT_INCLUDE', undefined, { example: '198.51.100.127' }],
    ['v=spf1 -exists:%{l}.o.test exists:%{i}.list.test -all', 'SPF_FLATTENED'],
    [
      'v=spf1 exists:%{i}.slow.test -all',
      'SPF_NOT_ASKED',
      null,
      { target: '198.51.100.1.slow.test', asked: 'A', term: 'exists:%{i}.slow.test' },
    ],
    // What the rest of a message decides cannot be known from outside.
    ['v=spf1 exists:%{l}._user.%{d}.hosted.test -all', 'SPF_MACROS', null, { missing: ['include:spf.p.test'] }],
    ['v=spf1 exists:%{s}.hosted.test -all', 'SPF_MACROS', null, { term: 'exists:%{s}.hosted.test' }],
    ['v=spf1 include:%{i}._ip.%{h}._ehlo.%{d}._spf.hosted.test -all', 'SPF_MACROS', null],
    ['v=spf1 exists:%{p}.hosted.test -all', 'SPF_MACROS', null],
    ['v=spf1 redirect=%{l}.hosted.test', 'SPF_MACROS', null],
    ['v=spf1 exists:%{i}.part.test exists:%{l}.hosted.test -all', 'SPF_MACROS', null],
    ['v=spf1 include:mailbox.o.test -all', 'SPF_MACROS', null],
    // Mailboxes of another provider tell nothing about this one.
    ['v=spf1 include:mailbox.hosted.test -all', 'SPF_WITHOUT_INCLUDE'],
    // None of the provider's names belongs to the owner.
    ['v=spf1 ptr -all', 'SPF_WITHOUT_INCLUDE', 'v=spf1 ptr include:spf.p.test -all'],
    // The provider may send besides the macros.
    ['v=spf1 exists:%{l}._i.%{d}._d.hosted.test include:spf.p.test -all', 'MATCH'],
  ]);
  testJudgements([['v=spf1 include:macro.p.test -all', 'MATCH']], 'v=spf1 include:macro.p.test ~all');
  // The addresses from which the provider sends are not known.
  testJudgements(
    [
      ['v=spf1 exists:%{i}.list.test -all', 'SPF_MACROS', null],
      ['v=spf1 mx -all', 'SPF_WITHOUT_INCLUDE', 'v=spf1 mx include:macro.p.test -all'],
    ],
    'v=spf1 include:macro.p.test ~all',
  );
});

test('what one address of the provider decides is asked once', async () => {
  const lookUp = fakeLookUp(WORLD);
  await judgeSpf({ name: 'o.test', texts: ['v=spf1 exists:%{i}.gone.test -all'], expected: EXPECTED, lookUp });
  expect(lookUp.asked.filter((question) => question.includes('gone.test'))).toEqual(['198.51.100.1.gone.test A']);
});

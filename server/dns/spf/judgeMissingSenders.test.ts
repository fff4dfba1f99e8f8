import { describe, expect, test } from 'vitest';
import { judgeSpf } from './judgeSpf.ts';
import { EXPECTED, WORLD, fakeLookUp, testRecords } from '../../testing/testSpf.ts';

const because = (term: string, is: string) => ({ because: { term, is } });
const WITHOUT = 'SPF_WITHOUT_INCLUDE';

describe('the provider may not send', () => {
  testRecords([
    ['mx -all', WITHOUT, 'mx # -all', { missing: ['include:spf.p.test'], because: null }],
    ['?include:spf.p.test -all', WITHOUT, '# -all', because('?include:spf.p.test', 'qualifier')],
    ['-include:spf.p.test ~all', WITHOUT, '# ~all'],
    // What decides differently has to come later.
    ['~include:_spf.o.test ~all', WITHOUT, '# ~include:_spf.o.test ~all'],
    ['mx -all #', WITHOUT, 'mx # -all', because('-all', 'all_before')],
    ['-ip4:0.0.0.0/0 # -all', WITHOUT, '# -ip4:0.0.0.0/0 -all', because('-ip4:0.0.0.0/0', 'all_before')],
    [
      'ip4:192.0.2.1 include=spf.p.test -all',
      WITHOUT,
      'ip4:192.0.2.1 # -all',
      because('include=spf.p.test', 'ignored'),
    ],
    ['redirect=own.o.test', WITHOUT, '# redirect=own.o.test', because('redirect=own.o.test', 'redirect')],
    ['redirect=spf.p.test -all', WITHOUT, '# -all', because('redirect=spf.p.test', 'redirect_ignored')],
    ['-all', WITHOUT, '# -all', { because: { term: 'v=spf1 -all', is: 'nobody' }, example: null }],
    ['ip4:198.51.100.0/25 -all', WITHOUT, 'ip4:198.51.100.0/25 # -all', { example: '198.51.100.128' }],
    // There is no room for it.
    [
      'include:nine.test -all',
      WITHOUT,
      null,
      { why: { kind: 'lookUps', now: 10, count: 11, isMore: false, terms: { length: 2 } } },
    ],
    [
      'mx -all include:by.test',
      WITHOUT,
      null,
      { why: { kind: 'broken', error: { kind: 'none', term: 'include:by.test', at: 'by.test' } } },
    ],
    // Macros of another provider tell nothing about this one.
    ['include:salesforce.test -all', WITHOUT, 'include:salesforce.test # -all'],
    ['-ip4:198.51.100.7 # -all', 'SPF_REFUSES_SENDERS', null, { by: ['-ip4:198.51.100.7'] }],
  ]);
});

describe('macros', () => {
  testRecords([
    // What only address and domain decide can be evaluated for the senders of the provider.
    [
      'exists:%{i}._i.%{d}._d.hosted.test exp=why.o.test -all',
      WITHOUT,
      'exists:%{i}._i.%{d}._d.hosted.test exp=why.o.test # -all',
      { missing: ['include:spf.p.test'], example: '198.51.100.1' },
    ],
    ['redirect=%{i}.%{d}.hosted.test', WITHOUT, '# redirect=%{i}.%{d}.hosted.test'],
    ['exists:%{i}.list.test -all', 'SPF_FLATTENED', 'exists:%{i}.list.test # -all', { by: 'exists:%{i}.list.test' }],
    ['include:list.hosted.test -all', 'SPF_FLATTENED'],
    ['exists:%{i}.part.test -all', WITHOUT, undefined, { example: '198.51.100.127' }],
    ['-exists:%{l}.o.test exists:%{i}.list.test -all', 'SPF_FLATTENED'],
    [
      'exists:%{i}.slow.test -all',
      'SPF_NOT_ASKED',
      null,
      { target: '198.51.100.1.slow.test', asked: 'A', term: 'exists:%{i}.slow.test' },
    ],
    // What the rest of a message decides cannot be known from outside.
    ['exists:%{l}._user.%{d}.hosted.test -all', 'SPF_MACROS', null, { missing: ['include:spf.p.test'] }],
    ['exists:%{s}.hosted.test -all', 'SPF_MACROS', null, { term: 'exists:%{s}.hosted.test' }],
    ['include:%{i}._ip.%{h}._ehlo.%{d}._spf.hosted.test -all', 'SPF_MACROS', null],
    ['exists:%{p}.hosted.test -all', 'SPF_MACROS', null],
    ['redirect=%{l}.hosted.test', 'SPF_MACROS', null],
    ['exists:%{i}.part.test exists:%{l}.hosted.test -all', 'SPF_MACROS', null],
    ['include:mailbox.o.test -all', 'SPF_MACROS', null],
    // Mailboxes of another provider tell nothing about this one.
    ['include:mailbox.hosted.test -all', WITHOUT],
    // None of the provider's names belongs to the owner.
    ['ptr -all', WITHOUT, 'ptr # -all'],
    // The provider may send besides the macros.
    ['exists:%{l}._i.%{d}._d.hosted.test # -all', 'MATCH'],
  ]);
  testRecords([['include:macro.p.test -all', 'MATCH']], 'include:macro.p.test ~all');
  // The addresses from which the provider sends are not known.
  testRecords(
    [
      ['exists:%{i}.list.test -all', 'SPF_MACROS', null],
      ['mx -all', WITHOUT, 'mx include:macro.p.test -all'],
    ],
    'include:macro.p.test ~all',
  );
});

test('what one address of the provider decides is asked once', async () => {
  const lookUp = fakeLookUp(WORLD);
  await judgeSpf({ name: 'o.test', texts: ['v=spf1 exists:%{i}.gone.test -all'], expected: EXPECTED, lookUp });
  expect(lookUp.asked.filter((question) => question.includes('gone.test'))).toEqual(['198.51.100.1.gone.test A']);
});

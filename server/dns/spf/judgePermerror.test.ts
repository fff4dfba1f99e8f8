import { describe } from 'vitest';
import { LISTED, ten, testRecords } from '../../testing/testSpf.ts';

const BROKEN = 'SPF_INCLUDE_BROKEN';
const TOO_MANY = 'SPF_TOO_MANY_LOOKUPS';

describe('receivers treat it as broken', () => {
  const nine = ten.slice(0, 9).join(' ');
  testRecords([
    [['mx -all', LISTED], 'SEVERAL_SPF', 'mx # -all', { count: 2 }],
    [['ip4:192.0.2.1 ?all', '+all', LISTED], 'SEVERAL_SPF', 'ip4:192.0.2.1 # ~all'],
    // The record that it redirects to ends in "-all".
    [
      ['ip4:192.0.2.1 ~all', 'redirect=own.o.test'],
      'SEVERAL_SPF',
      'ip4:192.0.2.1 include:own.o.test # -all',
      { included: ['include:own.o.test'] },
    ],
    [['~all', LISTED], 'SEVERAL_SPF', LISTED],
    // Each record rejects what the other allows: the owner has to choose.
    [['-ip4:203.0.113.0/24 ~all', 'ip4:203.0.113.0/24 ~all'], 'SEVERAL_SPF', null, { why: { kind: 'conflict' } }],
    [['include:open.test -all', LISTED], 'SEVERAL_SPF', null, { why: { kind: 'open', by: 'include:open.test' } }],
    ['# include:gone.test -all', BROKEN, '# -all', { kind: 'none', leftOut: ['include:gone.test'] }],
    ['# redirect=gone.test', BROKEN, LISTED, { leftOut: ['redirect=gone.test'] }],
    ['# include:by.test -all', BROKEN, null, { target: 'gone.test', at: 'by.test' }],
    ['# include:two.test -all', BROKEN, null, { kind: 'several', target: 'two.test' }],
    ['# include:bad.test -all', BROKEN, null, { kind: 'syntax', words: ['ip4:1.2.3'] }],
    ['include:me@other.test # -all', BROKEN, 'include:other.test # -all', { should: 'include:other.test' }],
    [`# ${ten.join(' ')} -all`, TOO_MANY, null, { terms: { length: 11 } }],
    [
      `# include:eight.test mx a -all`,
      TOO_MANY,
      null,
      { terms: [{ lookUps: 1 }, { lookUps: 9 }, { lookUps: 1 }, { term: 'a', lookUps: 1 }], count: 12, isMore: false },
    ],
    [`# ${nine} a:h0.test -all`, TOO_MANY, `# ${nine} -all`],
    // "_spf" has the provider's include already.
    [`# include:_spf.o.test ${ten.slice(0, 8).join(' ')} -all`, TOO_MANY, null],
    ['exists:%{i}.h.test a:x.test a:y.test # -all', 'SPF_VOID_LOOKUPS', 'exists:%{i}.h.test # -all'],
    ['a:x.test a:y.test mx:z.test # -all', 'SPF_VOID_LOOKUPS', '# -all', { voids: { length: 3 } }],
    ['# include:o.test -all', 'SPF_LOOP', '# -all', { term: 'include:o.test', target: 'o.test' }],
    ['redirect=o.test', 'SPF_LOOP', LISTED, { target: 'o.test' }],
    ['# include:loop.test -all', 'SPF_LOOP', null, { term: 'include:loop.test', target: 'o.test' }],
    [`# ${ten.join(' ')} include:nine.test include:eight.test -all`, TOO_MANY, null, { isMore: true }],
    // The permerror is not the only reason why nothing can be offered.
    [
      '# include:gone.test include:by.test -all',
      BROKEN,
      null,
      { term: 'include:gone.test', why: { kind: 'broken', error: { term: 'include:by.test' } } },
    ],
    ['# include:by.test -all', BROKEN, null, { why: null }],
    ['# mx:many.test -all', 'SPF_TOO_MANY_MX', null, { target: 'many.test', count: 11 }],
  ]);
  testRecords(
    [
      ['include:broken.p.test -all', 'SPF_PROVIDER_BROKEN', null, { target: 'gone.p.test' }],
      ['mx -all', 'SPF_PROVIDER_BROKEN', null],
    ],
    'include:broken.p.test ~all',
  );
  testRecords([['include:all.p.test -all', 'SPF_PROVIDER_ALLOWS_ALL', null]], 'include:all.p.test ~all');
});

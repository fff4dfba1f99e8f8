import { describe } from 'vitest';
import { LISTED, ten, testRecords } from '../../testing/testSpf.ts';

describe('receivers treat it as broken', () => {
  const nine = ten.slice(0, 9).join(' ');
  testRecords([
    [['mx -all', LISTED], 'SEVERAL_SPF', 'mx include:spf.p.test -all', { count: 2 }],
    [['ip4:192.0.2.1 ?all', '+all', LISTED], 'SEVERAL_SPF', 'ip4:192.0.2.1 include:spf.p.test ~all'],
    // The record that it redirects to ends in "-all".
    [
      ['ip4:192.0.2.1 ~all', 'redirect=own.o.test'],
      'SEVERAL_SPF',
      'ip4:192.0.2.1 include:own.o.test include:spf.p.test -all',
      { included: ['include:own.o.test'] },
    ],
    [['~all', LISTED], 'SEVERAL_SPF', LISTED],
    // Each record rejects what the other allows: the owner has to choose.
    [['-ip4:203.0.113.0/24 ~all', 'ip4:203.0.113.0/24 ~all'], 'SEVERAL_SPF', null, { why: { kind: 'conflict' } }],
    [['include:open.test -all', LISTED], 'SEVERAL_SPF', null, { why: { kind: 'open', by: 'include:open.test' } }],
    [
      'include:spf.p.test include:gone.test -all',
      'SPF_INCLUDE_BROKEN',
      'include:spf.p.test -all',
      { kind: 'none', term: 'include:gone.test', leftOut: ['include:gone.test'] },
    ],
    ['include:spf.p.test redirect=gone.test', 'SPF_INCLUDE_BROKEN', LISTED, { leftOut: ['redirect=gone.test'] }],
    [
      'include:spf.p.test include:by.test -all',
      'SPF_INCLUDE_BROKEN',
      null,
      { term: 'include:by.test', target: 'gone.test', at: 'by.test' },
    ],
    ['include:spf.p.test include:two.test -all', 'SPF_INCLUDE_BROKEN', null, { kind: 'several', target: 'two.test' }],
    ['include:spf.p.test include:bad.test -all', 'SPF_INCLUDE_BROKEN', null, { kind: 'syntax', words: ['ip4:1.2.3'] }],
    [
      'include:me@other.test include:spf.p.test -all',
      'SPF_INCLUDE_BROKEN',
      'include:other.test include:spf.p.test -all',
      { should: 'include:other.test' },
    ],
    [`include:spf.p.test ${ten.join(' ')} -all`, 'SPF_TOO_MANY_LOOKUPS', null, { terms: { length: 11 } }],
    [
      `include:spf.p.test include:eight.test mx a -all`,
      'SPF_TOO_MANY_LOOKUPS',
      null,
      {
        terms: [
          { term: 'include:spf.p.test', lookUps: 1 },
          { term: 'include:eight.test', lookUps: 9 },
          { term: 'mx', lookUps: 1 },
          // Receivers do not reach this one.
          { term: 'a', lookUps: 1 },
        ],
        count: 12,
        isMore: false,
        why: null,
      },
    ],
    [`include:spf.p.test ${nine} a:h0.test -all`, 'SPF_TOO_MANY_LOOKUPS', `include:spf.p.test ${nine} -all`],
    // "_spf" has the provider's include already.
    [`include:spf.p.test include:_spf.o.test ${ten.slice(0, 8).join(' ')} -all`, 'SPF_TOO_MANY_LOOKUPS', null],
    [
      'exists:%{i}.h.test a:x.test a:y.test include:spf.p.test -all',
      'SPF_VOID_LOOKUPS',
      'exists:%{i}.h.test include:spf.p.test -all',
    ],
    [
      'a:x.test a:y.test mx:z.test include:spf.p.test -all',
      'SPF_VOID_LOOKUPS',
      'include:spf.p.test -all',
      { voids: [{ target: 'x.test' }, { target: 'y.test' }, { target: 'z.test' }] },
    ],
    [
      'include:spf.p.test include:o.test -all',
      'SPF_LOOP',
      'include:spf.p.test -all',
      { term: 'include:o.test', target: 'o.test' },
    ],
    ['redirect=o.test', 'SPF_LOOP', LISTED, { target: 'o.test' }],
    ['include:spf.p.test include:loop.test -all', 'SPF_LOOP', null, { term: 'include:loop.test', target: 'o.test' }],
    [
      `include:spf.p.test ${ten.join(' ')} include:nine.test include:eight.test -all`,
      'SPF_TOO_MANY_LOOKUPS',
      null,
      { isMore: true },
    ],
    // The permerror is not the only reason why nothing can be offered.
    [
      'include:spf.p.test include:gone.test include:by.test -all',
      'SPF_INCLUDE_BROKEN',
      null,
      { term: 'include:gone.test', why: { kind: 'broken', fault: { term: 'include:by.test' } } },
    ],
    ['include:spf.p.test include:by.test -all', 'SPF_INCLUDE_BROKEN', null, { why: null }],
    ['include:spf.p.test mx:many.test -all', 'SPF_TOO_MANY_MX', null, { target: 'many.test', count: 11 }],
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

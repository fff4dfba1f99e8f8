import { describe, expect, test } from 'vitest';
import type { LookUp } from '../conversation/lookUp.ts';
import { EXPECTED, LISTED, WORLD, fakeLookUp, judgeTexts, testJudgements, testRecords } from '../../testing/testSpf.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import { judgeSpf } from './judgeSpf.ts';

describe('the provider may send', () => {
  testJudgements([
    [EXPECTED, 'MATCH'],
    ['v=spf1 INCLUDE:SPF.P.TEST. -all', 'MATCH'],
    [[EXPECTED, 'site-verification=1'], 'MATCH'],
    ['v=spf1 ip4:192.0.2.1 include:other.test include:spf.p.test ~all', 'MATCH'],
    ['v=spf1 redirect=spf.p.test', 'MATCH'],
    ['v=spf1 a mx redirect=_spf.o.test', 'MATCH'],
    ['v=spf1 include:_spf.o.test -all', 'MATCH'],
    // It rejects another of the owner's hosts, not one of the provider's.
    ['v=spf1 -ip4:203.0.113.9 include:other.test include:spf.p.test -all', 'MATCH'],
    ['v=spf1 include:spf.p.test -all include:gone.test', 'MATCH'],
  ]);
});

// RFC 7208, section 5.2, asks for the record of the name, and an alias is followed (RFC 1034, section 3.6.2).
test.each([
  ['an alias of the name of the provider', 'v=spf1 include:inc.o.test ~all', 'spf.p.test', 'MATCH'],
  ['an alias of another name', 'v=spf1 include:inc.o.test ~all', 'other.test', 'SPF_WITHOUT_INCLUDE'],
  ['a copy of the record', 'v=spf1 include:_copy.o.test ~all', 'spf.p.test', 'SPF_FLATTENED'],
])('%s', async (_, record, target, code) => {
  const zone = fakeLookUp({ ...WORLD, '_copy.o.test': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] } });
  const lookUp: LookUp = async (name, type) => zone(name === 'inc.o.test' ? target : name, type);
  expect((await judgeSpf({ name: 'o.test', texts: [record], expected: EXPECTED, lookUp })).code).toBe(code);
});

test('two aliases of one record may come to lead to two', async () => {
  const zone = fakeLookUp(WORLD);
  const lookUp: LookUp = async (name, type) => zone(/^inc\.[op]\.test$/.test(name) ? 'spf.p.test' : name, type);
  const expected = 'v=spf1 include:inc.p.test ~all';
  const judgement = await judgeSpf({ name: 'o.test', texts: ['v=spf1 include:inc.o.test ~all'], expected, lookUp });
  expect(judgement.code).toBe('SPF_FLATTENED');
});

test('the name that could not be asked for is kept whole, and is short in the sentence', async () => {
  const slow = `${'x'.repeat(60)}.${'y'.repeat(60)}.slow.test`;
  const lookUp = fakeLookUp({ ...WORLD, 'by.o.test': { TXT: [`v=spf1 a:${slow} -all`] }, [slow]: { A: null } });
  const texts = ['v=spf1 include:by.o.test include:spf.p.test ~all'];
  const { facts } = await judgeSpf({ name: 'o.test', texts, expected: EXPECTED, lookUp });
  expect(facts).toMatchObject({ target: slow, asked: 'A', term: 'include:by.o.test' });
  const said = catalogue.SPF_NOT_ASKED.describe(facts as never, { name: 'o.test' } as never);
  expect(said).toContain(`the A record of ${slow.slice(0, 100)}... couldn't be queried`);
});

describe('not everybody answers', () => {
  testRecords([
    ['include:slow.test # -all', 'SPF_NOT_ASKED', null, { target: 'slow.test', asked: 'TXT', reason: 'timed out' }],
    ['# mx:slow.test -all', 'SPF_NOT_ASKED', null, { target: 'slow.test', asked: 'MX' }],
    [['include:slow.test -all', LISTED], 'SEVERAL_SPF', null, { why: { kind: 'unasked' } }],
  ]);
});

const opener = (term: string, by: string | null = null) => ({ openers: [{ term, by }] });

describe('everybody may send', () => {
  testRecords([
    ['# +all', 'SPF_ALLOWS_ALL', LISTED, { percent: 100, ...opener('+all') }],
    ['mx # all', 'SPF_ALLOWS_ALL', 'mx # ~all'],
    ['# ip4:0.0.0.0/0 -all', 'SPF_ALLOWS_ALL', '# -all', { ...opener('ip4:0.0.0.0/0'), leftOut: ['ip4:0.0.0.0/0'] }],
    ['# ip4:192.0.2.1/0 -all', 'SPF_ALLOWS_ALL', '# ip4:192.0.2.1 -all', { leftOut: [] }],
    ['ip4:0.0.0.0/1 ip4:128.0.0.0/1 # -all', 'SPF_ALLOWS_ALL', '# -all', { openers: { length: 2 } }],
    ['# ip6:::/0 -all', 'SPF_ALLOWS_ALL', '# -all'],
    ['a/0 # -all', 'SPF_ALLOWS_ALL', 'a # -all', opener('a/0')],
    ['mx//0 # -all', 'SPF_ALLOWS_ALL', 'mx # -all', opener('mx//0')],
    ['exists:o.test # -all', 'SPF_ALLOWS_ALL', '# -all'],
    // It may contain other senders of the owner: only the owner knows what should replace it.
    [
      'include:open.test # -all',
      'SPF_ALLOWS_ALL',
      null,
      { openers: [{ at: 'open.test', by: 'include:open.test' }, { at: 'open.test' }] },
    ],
    ['# redirect=all.p.test', 'SPF_ALLOWS_ALL', null, opener('+all', 'redirect=all.p.test')],
    // A /8 is large, but some senders have one.
    ['ip4:10.0.0.0/8 # -all', 'MATCH'],
    // A network of IPv6 addresses has more of them than there are of IPv4, and does not count as large for that.
  ]);
});

describe('it works, and is not well', () => {
  testJudgements([
    [
      'v=spf1 ip4:198.51.100.0/24 mx -all',
      'SPF_FLATTENED',
      'v=spf1 ip4:198.51.100.0/24 mx include:spf.p.test -all',
      { missing: ['include:spf.p.test'] },
    ],
    ['v=spf1 include:spf.p.test', 'SPF_WITHOUT_ALL', EXPECTED, { cut: null }],
    ['v=spf1 mx include:spf.p.test -a', 'SPF_WITHOUT_ALL', 'v=spf1 mx include:spf.p.test -all', { cut: '-a' }],
    [
      'v=spf1 ip4=192.0.2.9 include:spf.p.test -all',
      'SPF_TERMS_IGNORED',
      'v=spf1 ip4:192.0.2.9 include:spf.p.test -all',
      { corrections: [{ found: 'ip4=192.0.2.9', should: 'ip4:192.0.2.9' }] },
    ],
    ['v=spf1 mx v=spf1 include:spf.p.test ~all', 'SPF_DOUBLED', 'v=spf1 mx include:spf.p.test ~all'],
    ['v=spf1 mx ~all v=spf1 include:spf.p.test ~all', 'SPF_WITHOUT_INCLUDE', 'v=spf1 mx include:spf.p.test ~all'],
    ['v=spf1 ptr include:spf.p.test ~all', 'SPF_PTR', null, { term: 'ptr' }],
    // RFC 7208, section 4.6.4: two are allowed, and the third makes it an error.
    [
      'v=spf1 a:x.test mx:y.test include:spf.p.test ~all',
      'SPF_VOIDS_AT_LIMIT',
      null,
      { voids: [{ target: 'x.test' }, { target: 'y.test' }] },
    ],
    ['v=spf1 a:x.test include:spf.p.test ~all', 'MATCH'],
    // Each look-up counts, of whichever name.
    ['v=spf1 a:x.test mx:x.test include:spf.p.test ~all', 'SPF_VOIDS_AT_LIMIT', null],
    // RFC 7208, section 5.1: what is after "all" is never tested.
    [
      'v=spf1 include:spf.p.test ~all ip4:192.0.2.9',
      'SPF_TERMS_IGNORED',
      'v=spf1 include:spf.p.test ip4:192.0.2.9 ~all',
      { corrections: [{ found: '~all ip4:192.0.2.9', should: 'ip4:192.0.2.9 ~all' }] },
    ],
    // A stricter end may affect senders that the owner has not listed.
    ['v=spf1 include:spf.p.test ?all', 'SPF_NEUTRAL_END', null],
    ['v=spf1 include:spf.p.test ?all -all', 'SPF_NEUTRAL_END', null],
    ['v=spf1 include:spf.p.test ~all ?all', 'MATCH'],
    [[EXPECTED, 'v=spf1; mx -all', 'hello'], 'SPF_SPOILT_SECOND', null, { besides: ['v=spf1; mx -all'] }],
    [
      ['"v=spf1 mx -all"', 'v=spf1 mx -all'],
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 mx include:spf.p.test -all',
      { besides: ['"v=spf1 mx -all"'] },
    ],
    // The senders of the spoilt one are those of the owner, and must be in the offer.
    [
      ['"v=spf1 include:own.o.test -all"', 'v=spf1 mx ~all'],
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 mx include:own.o.test include:spf.p.test ~all',
    ],
    [
      ['v=spf1; include:own.o.test ~all', 'v=spf1 -all'],
      'SPF_WITHOUT_INCLUDE',
      'v=spf1 include:own.o.test include:spf.p.test -all',
    ],
    [
      ['v=spf1; bogus:x include:own.o.test -all', 'v=spf1 mx -all'],
      'SPF_WITHOUT_INCLUDE',
      null,
      { why: { kind: 'besides' } },
    ],
    [[EXPECTED, 'v=spf10 -all', 'spf2.0/pra -all', ''], 'MATCH'],
    [
      'v=spf1 include:nine.test ip4:198.51.100.0/24 -all',
      'SPF_FLATTENED',
      null,
      { by: null, why: { kind: 'lookUps', now: 10 } },
    ],
  ]);
  testRecords([['include:spf.p.test ?all', 'MATCH']], 'include:spf.p.test ?all');
  testRecords([['include:spf.p.test ?all', 'MATCH']], 'include:spf.p.test');
  testRecords([['include:spf.p.test', 'MATCH']], 'include:spf.p.test');
  testRecords(
    [
      ['ip4:198.51.100.0/24 -all', 'MATCH'],
      ['ip4:198.51.0.0/16 -all', 'MATCH'],
      ['include:spf.p.test -all', 'MATCH'],
    ],
    'ip4:198.51.100.0/24 ~all',
  );
  testRecords([['mx include:spf.p.test ptr -all', 'MATCH']], 'ptr include:spf.p.test ~all');
});

describe('advice, where no record is listed', () => {
  testJudgements(
    [
      ['v=spf1 mx -all', 'SPF_PUBLISHED'],
      ['v=spf1 include:%{d}.hosted.test -all', 'SPF_INCLUDE_BROKEN'],
      ['v=spf1 exists:%{i}.hosted.test -all', 'SPF_PUBLISHED'],
      ['hello', 'SPF_MISSING', null],
      [[], 'SPF_MISSING', null],
      ['spf2.0/pra mx -all', 'SPF_SENDER_ID', null],
      ['v=spf1 mx', 'SPF_WITHOUT_ALL', 'v=spf1 mx ~all'],
      ['v=spf1 mx ?all', 'SPF_NEUTRAL_END', null],
      ['v=spf1 mx +all', 'SPF_ALLOWS_ALL', 'v=spf1 mx ~all'],
      [' v=spf1 mx -all', 'SPACES_AROUND', 'v=spf1 mx -all'],
      [['v=spf1 mx -all', 'v=spf1 a ~all'], 'SEVERAL_SPF', 'v=spf1 mx a -all'],
      ['v=spf1 include:gone.test mx -all', 'SPF_INCLUDE_BROKEN', 'v=spf1 mx -all'],
      ['v=spf1 include:slow.test -all', 'SPF_NOT_ASKED', null],
    ],
    null,
  );
});

test('what a stranger wrote stays short', async () => {
  for (const [word, times] of [
    ['x'.repeat(2000), 900],
    ['x'.repeat(6000), 1000],
  ] as const) {
    const { facts, offer } = await judgeTexts([`v=spf1 ${word} ${'y '.repeat(times)}include:spf.p.test -all`]);
    expect(offer).toBe('v=spf1 include:spf.p.test -all');
    expect(JSON.stringify(facts).length).toBeLessThan(5000);
  }
});

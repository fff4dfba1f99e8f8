import { describe, expect, test } from 'vitest';
import { describeDifference } from './describeDifference.ts';

/** Subject, values before, values after, and the difference in words. */
type Case = [before: string[], after: string[], words: string[]];

function expectWords(subject: string, cases: readonly Case[]) {
  test.each(cases)('%j to %j', (before, after, words) => {
    expect(describeDifference(subject, before, after)).toEqual(words);
  });
}

const record = (tags: string) => [`v=DMARC1; ${tags}`];

describe('DMARC, by tags (RFC 9989, section 4.7)', () => {
  expectWords('dmarc', [
    [record('p=quarantine'), record('p=none'), ['p: quarantine → none, weaker']],
    [record('p=none'), record('p=reject'), ['p: none → reject, stronger']],
    [record('p=reject'), record('p=reject;'), []],
    [record('p=reject'), record('P = REJECT'), []],
    [record('p=none'), record('p=none; rua=mailto:a@x.test'), ['rua added: mailto:a@x.test']],
    [record('p=none; rua=mailto:a@x.test'), record('p=none'), ['rua removed: mailto:a@x.test']],
    [
      record('p=none; rua=mailto:a@x.test'),
      record('p=none; rua=mailto:b@x.test'),
      ['rua: mailto:a@x.test → mailto:b@x.test'],
    ],
    // A tag that isn't there has its default.
    [record('p=reject; adkim=s'), record('p=reject'), ['adkim: s → r (default), weaker']],
    [record('p=reject'), record('p=reject; aspf=s'), ['aspf: r (default) → s, stronger']],
    [record('p=reject'), record('p=reject; t=y'), ['t: n (default) → y, weaker']],
    [record('p=reject; pct=20'), record('p=reject; pct=50'), ['pct: 20 → 50, stronger']],
    [record('p=reject; pct=20'), record('p=reject'), ['pct: 20 → 100 (default), stronger']],
    // Without sp, the policy of p applies to subdomains.
    [record('p=reject; sp=none'), record('p=reject'), ['sp removed: none']],
    [
      record('p=reject; sp=none'),
      record('p=none; sp=reject'),
      ['p: reject → none, weaker', 'sp: none → reject, stronger'],
    ],
    [record('p=none'), [...record('p=none'), ...record('p=reject')], ['added: v=DMARC1; p=reject']],
    [record('p=none'), [], ['gone: v=DMARC1; p=none']],
    [[], record('p=none'), ['published: v=DMARC1; p=none']],
  ]);
});

describe('SPF, by terms (RFC 7208, section 4.6.1)', () => {
  expectWords('TXT bounce.x.test', [
    [['v=spf1 include:a.test ~all'], ['v=spf1 include:a.test include:b.test ~all'], ['added: include:b.test']],
    [['v=spf1 include:a.test include:b.test ~all'], ['v=spf1 include:b.test ~all'], ['removed: include:a.test']],
    [
      ['v=spf1 include:a.test ~all'],
      ['v=spf1 include:b.test ~all'],
      ['added: include:b.test', 'removed: include:a.test'],
    ],
    [['v=spf1 a -all'], ['v=spf1 a ~all'], ['-all → ~all, weaker']],
    [['v=spf1 a ?all'], ['v=spf1 a -all'], ['?all → -all, stronger']],
    [['v=spf1 a all'], ['v=spf1 a +all'], []],
    [['v=spf1 a -all'], ['v=spf1 a'], ['removed: -all']],
    [['v=spf1 a mx -all'], ['v=spf1 mx a -all'], ['the same terms in another order']],
    [['v=spf1 INCLUDE:A.test -all'], ['v=spf1 include:a.test -all'], []],
    [['v=spf1 a -all'], ['v=spf1 a -all', 'v=spf1 mx -all'], ['added: v=spf1 mx -all']],
  ]);
});

describe('a DKIM key (RFC 6376, section 3.6.1)', () => {
  expectWords('TXT k1._domainkey.x.test', [
    [['v=DKIM1; k=rsa; p=MIIBone'], ['v=DKIM1; k=rsa; p=MIIBtwo'], ['the key changed']],
    [['v=DKIM1; p=MIIBone'], ['v=DKIM1; p='], ['the key was revoked (p is empty)']],
    [['v=DKIM1; p=MIIB one'], ['v=DKIM1; p=MIIBone'], []],
    [['v=DKIM1; k=rsa; p=MIIBone'], ['v=DKIM1; k=ed25519; p=two'], ['the key changed', 'k: rsa → ed25519']],
    [['p=MIIBone'], ['v=DKIM1; t=y; p=MIIBone'], ['t added: y']],
    [['v=DKIM1; p=MIIBone'], [], ['gone: v=DKIM1; p=MIIBone']],
  ]);
});

describe('targets and sets of names', () => {
  expectWords('CNAME k1._domainkey.x.test', [
    [['a.dkim.test'], ['b.dkim.test'], ['a.dkim.test → b.dkim.test']],
    [['a.dkim.test'], ['A.dkim.test.'], []],
    [['a.dkim.test'], [], ['gone: a.dkim.test']],
  ]);
  expectWords('ns', [
    [
      ['ns1.a.test', 'ns2.a.test'],
      ['ns1.b.test', 'ns2.a.test'],
      ['added: ns1.b.test', 'removed: ns1.a.test'],
    ],
    [['ns1.a.test', 'ns2.a.test'], ['NS2.a.test.', 'ns1.a.test'], []],
  ]);
  expectWords('mx', [
    [['10 mx.a.test'], ['20 mx.a.test'], ['mx.a.test: preference 10 → 20']],
    [['10 mx.a.test'], ['10 mx.a.test', '20 mx.b.test'], ['added: 20 mx.b.test']],
    [['10 mx.a.test'], ['0 .'], ['added: 0 .', 'removed: 10 mx.a.test']],
  ]);
});

describe('DS (RFC 4034, section 5)', () => {
  expectWords('ds', [
    [['12345 13 2 AB12'], [], ['DNSSEC was switched off: no DS is left']],
    [[], ['12345 13 2 AB12'], ['DNSSEC was switched on: key 12345, algorithm 13']],
    [['12345 13 2 AB12'], ['54321 13 2 CD34'], ['added: key 54321, algorithm 13', 'removed: key 12345, algorithm 13']],
    [['12345 13 2 AB12'], ['12345 13 2 ab12'], []],
    [['12345 13 2 AB12'], ['12345 13 2 AB12', '12345 13 4 EF56'], ['added: key 12345, algorithm 13, digest 4']],
  ]);
});

test('anything else is compared as a set of values', () => {
  expect(describeDifference('TXT x.test', ['one', 'two'], ['two', 'three'])).toEqual(['added: three', 'removed: one']);
  expect(describeDifference('soa', [], [])).toEqual([]);
});

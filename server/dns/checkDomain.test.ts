import { generateKeyPairSync } from 'node:crypto';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Asker } from './asker.ts';
import { checkDomain, checkWholeDomain, type RecordCheck } from './checkDomain.ts';
import type { SendingDomain } from './expectation.ts';
import { RCODES } from './nameServer.ts';
import { addZone, NS1, NS2, RESOLVER, startTestDns, type TestDns } from './testDns.ts';

let dns: TestDns;
beforeAll(async () => {
  dns = await startTestDns();
  addZone(dns, 'host.test', [
    { type: 'A', name: 'ns1.host.test', data: NS1 },
    { type: 'A', name: 'ns2.host.test', data: NS2 },
    { type: 'A', name: 'lame.host.test', data: '127.0.0.13' },
  ]);
  addZone(dns, 'provider.test', [
    txt('k1.dkim.provider.test', 'p=abc'),
    txt('spf.provider.test', 'v=spf1 ip4:192.0.2.0/24 -all'),
    { type: 'A', name: 'feedback.provider.test', data: '192.0.2.25' },
  ]);
});
afterAll(() => dns[Symbol.asyncDispose]());
beforeEach(() => {
  dns.misbehave = Object.assign(dns.misbehave, { [NS1]: () => {}, [NS2]: () => {}, [RESOLVER]: () => {} });
  dns.asked.length = 0;
});

function txt(name: string, ...data: string[]): Answer {
  return { type: 'TXT', name, data: data.flatMap((text) => text.match(/.{1,255}/gs) ?? ['']) };
}
const cname = (name: string, data: string): Answer => ({ type: 'CNAME', name, data });
const mx = (name: string, preference: number, exchange: string): Answer => ({
  type: 'MX',
  name,
  data: { preference, exchange },
});

const SPF = 'v=spf1 include:spf.provider.test ~all';
const key = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64');
const KEY = `v=DKIM1; k=rsa; p=${key(2048)}`;
const WEAK = `v=DKIM1; p=${key(512)}`;
const SHORT = `v=DKIM1; p=${key(1024)}`;
const DMARC = 'v=DMARC1; p=none';

let count = 0;
/** A zone of its own for each test; `@` stands for it in names and values. */
type Zone = (at: (name: string) => string) => Answer[];
type Wanted = { type: string; name: string; value: string; is_valid?: boolean };

async function check(
  zone: Zone,
  { is_valid = false, ...wanted }: Wanted,
  asker = dns.asker(),
): Promise<RecordCheck['finding'] & { zone: string }> {
  const name = `d${count++}.test`;
  addZone(
    dns,
    name,
    zone((host) => (host === '@' ? name : `${host}.${name}`)),
  );
  const domain = {
    name,
    mail_from_domain: `bounce.${name}`,
    dns: [{ ...wanted, value: wanted.value.replace('@', name), is_valid }],
  };
  // Leaves before advice is asked for.
  for await (const { finding } of checkDomain(asker, domain)) return { ...finding, zone: name };
  throw new Error('There is one record.');
}

async function checkRecords(asker: Asker, domain: SendingDomain): Promise<RecordCheck[]> {
  return (await checkWholeDomain(asker, domain)).records;
}

const K1: Wanted = { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.provider.test' };
const MX: Wanted = { type: 'MX', name: 'bounce', value: '10 feedback.provider.test' };
const BOUNCE_SPF: Wanted = { type: 'TXT', name: 'bounce', value: SPF };
const DKIM: Wanted = { type: 'TXT', name: 's._domainkey', value: KEY };
const POLICY: Wanted = { type: 'TXT', name: '_dmarc', value: DMARC };
const TOKEN: Wanted = { type: 'TXT', name: '@', value: 'site-verification=abc def' };
const A: Wanted = { type: 'A', name: 'track', value: '192.0.2.1' };

// Each row: what is published, what is expected, the code.
test.each<[string, Zone, Wanted]>([
  ['MATCH', (at) => [cname(at('k1._domainkey'), 'K1.DKIM.provider.test')], K1],
  ['MATCH', (at) => [mx(at('bounce'), 10, 'feedback.provider.test')], MX],
  ['MATCH', (at) => [mx(at('bounce'), 30, 'feedback.provider.test')], { ...MX, value: 'feedback.provider.test.' }],
  [
    'MATCH',
    (at) => [txt(at('bounce'), 'v=spf1 include:spf.', 'provider.test ~all'), txt(at('bounce'), '')],
    BOUNCE_SPF,
  ],
  ['MATCH', (at) => [txt(at('bounce'), 'v=spf1 ip4:192.0.2.1 INCLUDE:spf.provider.test -all')], BOUNCE_SPF],
  ['MATCH', (at) => [txt(at('s._domainkey'), KEY.slice(0, 200), KEY.slice(200))], DKIM],
  ['MATCH', (at) => [txt(at('_dmarc'), 'v=DMARC1;p=reject; rua=mailto:a@b.test')], POLICY],
  ['MATCH', (at) => [txt(at('@'), ' site-verification=abc def '), txt(at('@'), 'other')], TOKEN],
  ['MATCH', (at) => [{ type: 'A', name: at('track'), data: '192.0.2.1' }], A],
  [
    'MATCH',
    (at) => [{ type: 'AAAA', name: at('track'), data: '2001:db8::1' }],
    { ...A, type: 'AAAA', value: '2001:DB8:0:0::1' },
  ],
  ['EXTRA_VALUES', () => [], { type: 'NS', name: '@', value: 'NS1.host.test.' }],
  ['WRONG_TARGET', () => [], { type: 'NS', name: '@', value: 'ns3.host.test' }],
  ['NAME_MISSING', () => [], K1],
  ['RECORD_MISSING', (at) => [txt(at('bounce'), SPF)], MX],
  ['RECORD_MISSING', (at) => [txt(at('below.k1._domainkey'), 'x')], K1],
  ['NAME_DOUBLED', (at) => [cname(`${at('k1._domainkey')}.${at('@')}`, 'k1.dkim.provider.test')], K1],
  ['WRONG_HOST', (at) => [cname(at('k1'), 'k1.dkim.provider.test')], K1],
  ['ONLY_AT_DOMAIN', (at) => [mx(at('@'), 10, 'feedback.provider.test')], MX],
  ['ONLY_AT_DOMAIN', (at) => [txt(at('@'), 'v=spf1 include:spf.provider.test ip4:192.0.2.1 ~all')], BOUNCE_SPF],
  ['ONLY_AT_DOMAIN', (at) => [{ type: 'A', name: at('@'), data: '192.0.2.1' }], A],
  ['ONLY_AT_DOMAIN', (at) => [txt(at('@'), 'token=1')], { type: 'TXT', name: '_verify', value: 'token=1' }],
  [
    'NAME_MISSING',
    (at) => [cname(at('go'), 'provider.test')],
    { type: 'CNAME', name: 'go.track', value: 'provider.test' },
  ],
  ['WRONG_HOST', (at) => [txt(at('@'), KEY)], DKIM],
  ['WRONG_HOST', (at) => [txt(at('@'), DMARC)], POLICY],
  ['UNDERSCORE_LOST', (at) => [cname(at('k1.domainkey'), 'k1.dkim.provider.test')], K1],
  ['WRONG_TARGET', (at) => [cname(at('k1._domainkey'), 'k9.dkim.provider.test')], K1],
  ['WRONG_TARGET', (at) => [{ type: 'A', name: at('track'), data: '192.0.2.9' }], A],
  ['TARGET_DOUBLED', (at) => [cname(at('k1._domainkey'), `k1.dkim.provider.test.${at('@')}`)], K1],
  ['TARGET_DOUBLED', (at) => [mx(at('bounce'), 10, `feedback.provider.test.${at('@')}`)], MX],
  ['CNAME_FLATTENED', (at) => [{ type: 'A', name: at('k1._domainkey'), data: '192.0.2.7' }], K1],
  ['WRONG_TYPE', (at) => [txt(at('k1._domainkey'), 'k1.dkim.provider.test')], K1],
  ['TXT_COPIED_FROM_TARGET', (at) => [txt(at('k1._domainkey'), 'p=abc')], K1],
  ['OTHER_TYPE_AT_NAME', (at) => [mx(at('k1._domainkey'), 10, 'a.test')], K1],
  ['CNAME_AT_NAME', (at) => [cname(at('bounce'), 'feedback.provider.test')], MX],
  ['ADDRESS_THROUGH_CNAME', (at) => [cname(at('track'), at('@')), { type: 'A', name: at('@'), data: '192.0.2.1' }], A],
  ['ADDRESS_THROUGH_CNAME', (at) => [cname(at('track'), 'feedback.provider.test')], { ...A, value: '192.0.2.25' }],
  ['CNAME_AT_NAME', (at) => [cname(at('track'), 'feedback.provider.test')], A],
  ['TEXT_THROUGH_CNAME', (at) => [cname(at('s._domainkey'), at('keys')), txt(at('keys'), KEY)], DKIM],
  [
    'SEVERAL_CNAMES',
    (at) => [cname(at('k1._domainkey'), 'k1.dkim.provider.test'), cname(at('k1._domainkey'), 'b.test')],
    K1,
  ],
  ['CNAME_AND_OTHER', (at) => [cname(at('bounce'), 'b.test'), mx(at('bounce'), 10, 'feedback.provider.test')], MX],
  ['CNAME_CHAIN', (at) => [cname(at('k1._domainkey'), at('hop')), cname(at('hop'), 'k1.dkim.provider.test')], K1],
  ['CNAME_LOOP', (at) => [cname(at('k1._domainkey'), at('hop')), cname(at('hop'), at('k1._domainkey'))], K1],
  ['CNAME_LOOP', (at) => [cname(at('s._domainkey'), at('hop')), cname(at('hop'), at('s._domainkey'))], DKIM],
  [
    'TARGET_NOT_THERE',
    (at) => [cname(at('gone._domainkey'), 'gone.dkim.provider.test')],
    { ...K1, name: 'gone._domainkey', value: 'gone.dkim.provider.test' },
  ],
  ['WILDCARD_ANSWERS', (at) => [cname(at('*'), 'parking.host.test')], MX],
  ['WILDCARD_ANSWERS', (at) => [txt(at('*'), 'v=spf1 -all')], BOUNCE_SPF],
  ['WILDCARD_ANSWERS', (at) => [txt(at('*'), 'v=spf1 -all')], POLICY],
  ['MX_PRIORITY', (at) => [mx(at('bounce'), 20, 'feedback.provider.test')], MX],
  ['EXTRA_MX', (at) => [mx(at('bounce'), 10, 'feedback.provider.test'), mx(at('bounce'), 5, 'mx.other.test')], MX],
  [
    'EXTRA_VALUES',
    (at) => [mx(at('in'), 10, 'feedback.provider.test'), mx(at('in'), 5, 'mx.other.test')],
    { ...MX, name: 'in' },
  ],
  ['EXTRA_VALUES', (at) => ['1', '2'].map((last) => ({ type: 'A', name: at('track'), data: `192.0.2.${last}` })), A],
  ['PRIORITY_IN_HOST', (at) => [mx(at('bounce'), 10, '10 feedback.provider.test')], MX],
  ['MX_IS_ADDRESS', (at) => [mx(at('bounce'), 10, '192.0.2.25')], MX],
  ['NULL_MX', (at) => [mx(at('bounce'), 0, '.')], MX],
  ['TEXT_MISSING', (at) => [txt(at('@'), 'site-verification=old')], TOKEN],
  ['TEXT_MISSING', (at) => [txt(at('@'), 'other')], TOKEN],
  ['QUOTES_IN_VALUE', (at) => [txt(at('bounce'), `"${SPF}"`)], BOUNCE_SPF],
  ['QUOTES_IN_VALUE', (at) => [txt(at('_dmarc'), 'v=DMARC1\\; p=none')], POLICY],
  ['SPACES_AROUND', (at) => [txt(at('bounce'), `  ${SPF} `)], BOUNCE_SPF],
  ['SPACES_AROUND', (at) => [txt(at('_dmarc'), ` ${DMARC}`)], POLICY],
  ['SPACE_LOST_AT_SPLIT', (at) => [txt(at('bounce'), 'v=spf1 include:spf.provider.test', '~all')], BOUNCE_SPF],
  ['SPACE_LOST_AT_SPLIT', (at) => [txt(at('@'), 'site-verification=abc', 'def')], TOKEN],
  ['VALUE_CUT', (at) => [txt(at('s._domainkey'), KEY.slice(0, 255))], DKIM],
  [
    'KEY_IN_SEVERAL_RECORDS',
    (at) => [txt(at('s._domainkey'), KEY.slice(0, 200)), txt(at('s._domainkey'), KEY.slice(200))],
    DKIM,
  ],
  ['DKIM_REVOKED', (at) => [txt(at('s._domainkey'), 'v=DKIM1; p=')], DKIM],
  ['DKIM_SYNTAX', (at) => [txt(at('s._domainkey'), `${KEY}; p=again`)], DKIM],
  ['DKIM_SYNTAX', (at) => [txt(at('s._domainkey'), `${KEY}; h=sha1`)], DKIM],
  ['DKIM_WEAK_KEY', (at) => [txt(at('s._domainkey'), WEAK)], { ...DKIM, value: WEAK }],
  ['DKIM_SHORT_KEY', (at) => [txt(at('s._domainkey'), SHORT)], { ...DKIM, value: SHORT }],
  ['WRONG_VALUE', (at) => [txt(at('s._domainkey'), SHORT)], DKIM],
  ['DKIM_WEAK_KEY', (at) => [txt(at('s._domainkey'), KEY)], { ...DKIM, value: WEAK }],
  ['EXPECTED_KEY_UNREADABLE', (at) => [txt(at('s._domainkey'), 'v=DKIM1; p=x')], { ...DKIM, value: 'v=DKIM1; p=x' }],
  ['EXPECTED_KEY_UNREADABLE', (at) => [txt(at('s._domainkey'), KEY)], { ...DKIM, value: `${KEY}; h=sha1` }],
  ['SPF_MISSING', (at) => [txt(at('bounce'), 'hello')], BOUNCE_SPF],
  ['SEVERAL_SPF', (at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'v=spf1 include:b.test -all')], BOUNCE_SPF],
  ['SPF_WITHOUT_INCLUDE', (at) => [txt(at('bounce'), 'v=spf1 a mx -all include:spf.provider.test')], BOUNCE_SPF],
  ['SPF_ALLOWS_ALL', (at) => [txt(at('bounce'), 'v=spf1 include:spf.provider.test +all')], BOUNCE_SPF],
  ['SPF_WITHOUT_ALL', (at) => [txt(at('bounce'), 'v=spf1 include:spf.provider.test')], BOUNCE_SPF],
  [
    'SPF_TOO_MANY_LOOKUPS',
    (at) => [txt(at('bounce'), `v=spf1 ${'exists:%{i}.a.test '.repeat(10)}include:spf.provider.test ~all`)],
    BOUNCE_SPF,
  ],
  [
    'SPF_VOID_LOOKUPS',
    (at) => [txt(at('bounce'), `v=spf1 a:${at('x')} a:${at('y')} mx:${at('z')} include:spf.provider.test ~all`)],
    BOUNCE_SPF,
  ],
  [
    'SPF_LOOP',
    (at) => [txt(at('bounce'), `v=spf1 include:spf.provider.test include:${at('bounce')} ~all`)],
    BOUNCE_SPF,
  ],
  ['DMARC_MISSING', (at) => [txt(at('_dmarc'), 'hello')], POLICY],
  ['SEVERAL_DMARC', (at) => [txt(at('_dmarc'), DMARC), txt(at('_dmarc'), 'v=DMARC1; p=reject')], POLICY],
  ['DMARC_SYNTAX', (at) => [txt(at('_dmarc'), 'v=DMARC1, p=none')], POLICY],
  ['TYPE_UNSUPPORTED', () => [], { type: 'TLSA', name: '_25._tcp', value: '3 1 1 00' }],
  ['NAME_OUTSIDE', () => [], { ...A, name: 'metadata.google.internal.' }],
  ['VALUE_UNREADABLE', () => [], { ...A, value: 'here' }],
])('%s, as it is published', async (code, zone, wanted) => {
  expect(await check(zone, wanted)).toMatchObject({ code });
});

test('a fix keeps what else an SPF record allows, and ends a target with a dot', async () => {
  const allowing = await check(
    (at) => [txt(at('bounce'), 'v=spf1 ip4:192.0.2.9 include:spf.provider.test +all')],
    BOUNCE_SPF,
  );
  expect(allowing.fix?.value).toBe('v=spf1 ip4:192.0.2.9 include:spf.provider.test ~all');
  const closed = await check((at) => [txt(at('bounce'), 'v=spf1 ip4:192.0.2.9 -all')], BOUNCE_SPF);
  expect(closed.fix?.value).toBe('v=spf1 ip4:192.0.2.9 include:spf.provider.test -all');
  const several = await check((at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'v=spf1 a -all')], BOUNCE_SPF);
  expect(several.fix?.value).toBe('v=spf1 a include:spf.provider.test -all');
  const doubled = await check((at) => [mx(at('bounce'), 10, `feedback.provider.test.${at('@')}`)], MX);
  expect(doubled.fix).toMatchObject({ type: 'MX', host: 'bounce', value: 'feedback.provider.test.', priority: 10 });
});

/** What SPF records of the domain lead to. */
const INCLUDED: Zone = (at) => [
  txt(at('_spf'), 'v=spf1 ip4:198.51.100.2 -all'),
  txt(at('bad'), 'v=spf1 ip4:1.2.3 -all'),
  txt(at('by'), `v=spf1 include:${at('bad')} -all`),
  txt(at('two'), 'v=spf1 -all'),
  txt(at('two'), 'v=spf1 a -all'),
];

describe('an SPF record to type', () => {
  // Each row: the code, the published records, the record to type; `@` is the domain.
  test.each<[string, string[], string | null, string?]>([
    [
      'SPF_WITHOUT_INCLUDE',
      ['v=spf1 redirect=_spf.@'],
      'v=spf1 include:spf.provider.test redirect=_spf.@',
      'Publish this record in its place.',
    ],
    ['MATCH', ['v=spf1 a redirect=spf.provider.test'], null],
    ['SPF_WITHOUT_INCLUDE', ['v=spf1 redirect=spf.provider.test ?all'], 'v=spf1 include:spf.provider.test ?all'],
    [
      'SEVERAL_SPF',
      ['v=spf1 ip4:198.51.100.1 -all', 'v=spf1 redirect=_spf.@'],
      'v=spf1 ip4:198.51.100.1 include:spf.provider.test include:_spf.@ -all',
      'Delete them and publish this one. It has include:_spf.@ in place of "redirect", which receivers ignore beside "all".',
    ],
    [
      'SEVERAL_SPF',
      ['v=spf1 redirect=_spf.@', 'v=spf1 redirect=spf.provider.test'],
      'v=spf1 include:spf.provider.test include:_spf.@ ~all',
    ],
    [
      'SEVERAL_SPF',
      ['v=spf1 ip4:192.0.2.1 ?all', 'v=spf1 ip4:192.0.2.2 -all', 'v=spf1 ip4:192.0.2.3 ~all'],
      'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ip4:192.0.2.3 include:spf.provider.test -all',
    ],
    ['SEVERAL_SPF', [SPF, 'v=spf1 redirect=_spf.@'], 'v=spf1 include:spf.provider.test redirect=_spf.@'],
    [
      'SEVERAL_SPF',
      [SPF, 'v=spf1 ip4:192.0.2.1 ?all', 'v=spf1 +all'],
      'v=spf1 ip4:192.0.2.1 include:spf.provider.test ?all',
    ],
    [
      'SPF_INCLUDE_BROKEN',
      [`${SPF.slice(0, -5)} include:gone.nowhere.test -all`],
      'v=spf1 include:spf.provider.test -all',
      'Publish this record in its place. It leaves out include:gone.nowhere.test, which receivers cannot use.',
    ],
    ['SPF_INCLUDE_BROKEN', ['v=spf1 include:spf.provider.test redirect=gone.nowhere.test'], SPF],
    ['SPF_INCLUDE_BROKEN', [`${SPF.slice(0, -5)} include:gone.nowhere.test`], SPF],
    [
      'SPF_INCLUDE_BROKEN',
      ['v=spf1 include:spf.provider.test include:by.@ include:two.@ a:@ ~all'],
      'v=spf1 include:spf.provider.test a:@ ~all',
    ],
    [
      'SPF_WITHOUT_INCLUDE',
      ['v=spf1 include:spf.provider.tset ip4:192.0.2.9 -all'],
      'v=spf1 ip4:192.0.2.9 include:spf.provider.test -all',
    ],
    [
      'SPF_SYNTAX',
      ['v=spf1 ip4:999.1.1.1 bogus:x include:spf.provider.test -all'],
      'v=spf1 include:spf.provider.test -all',
    ],
    [
      'MATCH',
      [
        'v=spf1 exists:%{i}._spf.%{d2} include:spf.provider.test. a/24//64 MX//96 ptr IP4:192.0.2.0/24 ip6:2001:db8::/32 ra=post exp=why.%{d} -all',
      ],
      null,
    ],
  ])('%s: %j', async (code, records, better, todo) => {
    const finding = await check(
      (at) => [...INCLUDED(at), ...records.map((text) => txt(at('bounce'), text.replaceAll('@', at('@'))))],
      BOUNCE_SPF,
    );
    expect([finding.code, finding.fix?.value ?? null]).toEqual([code, better?.replaceAll('@', finding.zone) ?? null]);
    if (todo !== undefined) expect(finding.fix?.todo).toBe(todo.replaceAll('@', finding.zone));
    expect(dns.asked.length).toBeLessThanOrEqual(15);
    if (better !== null && !better.includes('@')) {
      expect((await check((at) => [txt(at('bounce'), better)], BOUNCE_SPF)).code).toBe('MATCH');
    }
  });

  test.each([
    ['v=spf1 redirect=spf.q.test', 'include:spf.provider.test.'],
    ['v=spf1 -all include:spf.provider.test', 'include:spf.provider.test where receivers look, because of its "all".'],
  ])('comes with a sentence about %j', async (record, lacks) => {
    const { diagnosis } = await check((at) => [txt(at('bounce'), record)], BOUNCE_SPF);
    expect(diagnosis).toBe(`The SPF record does not have ${lacks}`);
  });

  test('is none where the provider has to mend its own', async () => {
    const wanted = { ...BOUNCE_SPF, value: 'v=spf1 include:gone.nowhere.test ~all' };
    expect(await check((at) => [txt(at('bounce'), wanted.value)], wanted)).toMatchObject({
      code: 'SPF_INCLUDE_BROKEN',
      fix: null,
      diagnosis:
        'Receivers treat the SPF record as broken, because there is no SPF record at gone.nowhere.test. The provider must mend that.',
      dig: expect.stringContaining('gone.nowhere.test TXT'),
    });
  });
});

test('what the domain itself may need stays, and the token of somebody else as well', async () => {
  const elsewhere = await check((at) => [txt(at('@'), SPF)], BOUNCE_SPF);
  expect(elsewhere.fix?.todo).toMatch(
    /^Add the TXT record with the host "bounce" .+ The one at d\d+\.test can stay\.$/,
  );
  expect(elsewhere.fix?.value).toBe(SPF);
  const other = { type: 'TXT', name: '@', value: 'google-site-verification=BBB' };
  expect(await check((at) => [txt(at('@'), 'google-site-verification=AAAOTHER')], other)).toMatchObject({
    diagnosis: expect.stringContaining('(1 found, another "google-site-verification=" among them)'),
    fix: { todo: 'Add the TXT record at "@"; other TXT records can stay.' },
  });
});

// Each row: the code, what is published, what is expected, what the command asks for, the answer that it had.
test.each<[string, Zone, Wanted, RegExp, string[]]>([
  [
    'NAME_DOUBLED',
    (at) => [cname(`${at('k1._domainkey')}.${at('@')}`, K1.value)],
    K1,
    / k1\._domainkey\.(d\d+\.test)\.\1 CNAME/,
    [K1.value],
  ],
  ['ONLY_AT_DOMAIN', (at) => [txt(at('@'), SPF)], BOUNCE_SPF, / d\d+\.test TXT/, [SPF]],
  ['WRONG_HOST', (at) => [txt(at('@'), DMARC)], POLICY, / d\d+\.test TXT/, [DMARC]],
  ['WILDCARD_ANSWERS', (at) => [txt(at('*'), 'v=spf1 -all')], BOUNCE_SPF, / zz-\w+\.d\d+\.test TXT/, ['v=spf1 -all']],
  ['WRONG_TYPE', (at) => [txt(at('k1._domainkey'), K1.value)], K1, / k1\._domainkey\.d\d+\.test TXT/, [K1.value]],
  [
    'CNAME_CHAIN',
    (at) => [cname(at('k1._domainkey'), at('hop')), cname(at('hop'), K1.value)],
    K1,
    / hop\.d\d+\.test CNAME/,
    [K1.value],
  ],
  [
    'TARGET_NOT_THERE',
    (at) => [cname(at('k1._domainkey'), 'gone.test')],
    { ...K1, value: 'gone.test' },
    / gone\.test TXT/,
    [],
  ],
])(
  '%s: the answer that shows it is in the evidence, and the command asks for it',
  async (code, zone, wanted, asks, values) => {
    const finding = await check(zone, wanted);
    expect(finding.code).toBe(code);
    expect(finding.dig).toMatch(asks);
    expect(finding.evidence.at(-1)?.records.map(({ value }) => value)).toEqual(values);
  },
);

test('a name that somebody else wrote is no part of a command', async () => {
  const { code, dig } = await check(
    (at) => [cname(at('k1._domainkey'), at('a;b')), cname(at('a;b'), at('k1._domainkey'))],
    K1,
  );
  expect(code).toBe('CNAME_LOOP');
  expect(dig).toMatch(/ k1\._domainkey\.d\d+\.test CNAME/);
});

/** One record right, then what servers make of it. */
const RIGHT: Zone = (at) => [cname(at('k1._domainkey'), 'k1.dkim.provider.test')];
const DELEGATED: Zone = (at) => [{ type: 'NS', name: at('_domainkey'), data: 'ns2.host.test' }];
const LARGE: Zone = (at) => [
  txt(at('bounce'), SPF),
  ...Array.from({ length: 30 }, (_, index) => txt(at('bounce'), `verification-${index}=${'x'.repeat(60)}`)),
];
const isAbout = (name: string, host = 'k1._domainkey') => name.startsWith(`${host}.d`);
const NONE = { flags: RCODES.NXDOMAIN, authorities: [soa('test', 40)] };

function soa(zone: string, minimum: number): Answer {
  const data = { mname: 'a.test', rname: 'h.test', serial: 7, refresh: 1, retry: 1, expire: 1, minimum };
  return { type: 'SOA', name: zone, ttl: 300, data };
}

describe('what servers make of it', () => {
  const soon = { limits: { timeout: 600 } };

  test('a resolver that asked too early is waited for, as long as its answer says', async () => {
    dns.misbehave[RESOLVER] = ({ name }) => (isAbout(name) ? NONE : undefined);
    const before = Date.now();
    const { result, code, until, fix } = await check(RIGHT, K1);
    expect({ result, code, fix }).toEqual({ result: 'pending', code: 'CACHED_NEGATIVE', fix: null });
    expect(Date.parse(until ?? '') - before).toBeGreaterThanOrEqual(40_000);
    expect(Date.parse(until ?? '') - before).toBeLessThan(45_000);
  });

  test('a resolver that remembers another value is waited for', async () => {
    dns.misbehave[RESOLVER] = ({ name }) =>
      isAbout(name) ? { answers: [{ ttl: 30, ...cname(name, 'old.provider.test') } as Answer] } : undefined;
    expect(await check(RIGHT, K1)).toMatchObject({ code: 'CACHED_OLD_VALUE', found: ['old.provider.test'] });
  });

  test('one of two resolvers that remembers the old answer is enough to wait', async () => {
    const resolvers = [RESOLVER, '127.0.0.10'].map((address) => ({ address, port: dns.port }));
    dns.misbehave['127.0.0.10'] = ({ name }) => (isAbout(name) ? NONE : undefined);
    const { code, evidence } = await check(RIGHT, K1, dns.asker({ resolvers }));
    dns.misbehave['127.0.0.10'] = () => undefined;
    expect(code).toBe('CACHED_NEGATIVE');
    expect(evidence.map(({ answer }) => answer)).toEqual(['NOERROR', 'NOERROR', 'NOERROR', 'NXDOMAIN']);
  });

  test('what the service found valid and only resolvers still know is an alarm', async () => {
    dns.misbehave[RESOLVER] = ({ name }) =>
      isAbout(name) ? { answers: [{ ttl: 30, ...cname(name, 'k1.dkim.provider.test') } as Answer] } : undefined;
    expect(await check(() => [], { ...K1, is_valid: true })).toMatchObject({ result: 'fail', code: 'STILL_CACHED' });
  });

  test('no resolver is asked for a record that its name servers do not have', async () => {
    await check(() => [], K1);
    expect(dns.asked.filter((line) => line.startsWith(`${RESOLVER} k1._domainkey.d`))).toEqual([]);
  });

  test('one name server without the record is named, with the versions of the zone', async () => {
    dns.misbehave[NS2] = ({ name, type }) => {
      if (type === 'SOA') return { answers: [soa(name, 60)] };
      return isAbout(name) ? NONE : undefined;
    };
    const { result, code, diagnosis } = await check(RIGHT, K1);
    expect({ result, code }).toEqual({ result: 'warn', code: 'SOME_NAMESERVERS_WRONG' });
    expect(diagnosis).toContain(
      'ns2.host.test has none; ns1.host.test has the zone in version 1; ns2.host.test has the zone in version 7',
    );
  });

  test('a name server that refuses does not vote', async () => {
    dns.misbehave[NS2] = () => ({ flags: RCODES.REFUSED });
    expect(await check(RIGHT, K1)).toMatchObject({
      code: 'SOME_NAMESERVERS_SILENT',
      diagnosis: expect.stringContaining('ns2.host.test: REFUSED'),
    });
  });

  test('DNSSEC that does not validate is told from a missing record', async () => {
    dns.misbehave[RESOLVER] = ({ name }, _, { flags = 0 }) =>
      isAbout(name) && (flags & 16) === 0 ? { flags: RCODES.SERVFAIL } : undefined;
    expect(await check(RIGHT, K1)).toMatchObject({
      result: 'fail',
      code: 'DNSSEC_BOGUS',
      dig: expect.stringContaining('+cdflag'),
    });
  });

  test.each<[string, 'silence' | { flags: number }]>([
    ['refuse', { flags: RCODES.REFUSED }],
    ['are silent', 'silence'],
  ])('name servers that %s are a fault of the delegation', async (_, fault) => {
    dns.misbehave[NS1] = dns.misbehave[NS2] = () => fault;
    dns.misbehave[RESOLVER] = ({ name }) => (/(^|\.)d\d+\.test$/.test(name) ? { flags: RCODES.SERVFAIL } : undefined);
    const { code, diagnosis, zone } = await check(RIGHT, K1, dns.asker(soon));
    expect(code).toBe('NAMESERVERS_FAIL');
    expect(diagnosis).toContain(`No name server answers for ${zone} (ns1.host.test: `);
  });

  test('silence of the resolver about one domain is not silence of the resolver', async () => {
    dns.misbehave[RESOLVER] = ({ name }) => (/d\d+\.test$/.test(name) ? 'silence' : undefined);
    const limits = { limits: { timeout: 600 } };
    expect(await check(RIGHT, K1, dns.asker({ ...limits, authorities: 'off' }))).toMatchObject({
      code: 'NAMESERVERS_FAIL',
    });
    dns.misbehave[RESOLVER] = () => 'silence';
    expect(await check(RIGHT, K1, dns.asker(limits))).toMatchObject({
      result: 'unknown',
      code: 'RESOLVER_UNREACHABLE',
    });
  });

  test('a resolver where nobody listens makes everything unknown', async () => {
    const resolvers = [{ address: '127.0.0.99', port: dns.port }];
    const { result, code, evidence } = await check(RIGHT, K1, dns.asker({ resolvers }));
    expect({ result, code }).toEqual({ result: 'unknown', code: 'RESOLVER_UNREACHABLE' });
    expect(evidence).toMatchObject([{ address: '127.0.0.99', answer: 'unreachable', records: [] }]);
  });

  test('the second resolver is asked when the first does not answer', async () => {
    const resolvers = ['127.0.0.99', RESOLVER].map((address) => ({ address, port: dns.port }));
    expect(await check(RIGHT, K1, dns.asker({ resolvers }))).toMatchObject({ code: 'MATCH' });
  });

  test.each([
    ['REFUSED', 'RESOLVER_FAILS'],
    ['NOTIMP', 'RESOLVER_FAILS'],
  ] as const)('%s of a resolver is %s', async (rcode, code) => {
    dns.misbehave[RESOLVER] = () => ({ flags: RCODES[rcode] });
    expect(await check(RIGHT, K1)).toMatchObject({
      result: 'unknown',
      code,
      diagnosis: expect.stringContaining(rcode),
    });
  });

  test('a filter is not taken for a missing record', async () => {
    const data = Buffer.from([0, 15, ...Buffer.from('by policy')]);
    const opt = {
      type: 'OPT',
      name: '.',
      udpPayloadSize: 1232,
      extendedRcode: 0,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
    };
    const additionals = [{ ...opt, options: [{ code: 15, data }] }] as unknown as Answer[];
    dns.misbehave[RESOLVER] = ({ name }) => (isAbout(name) ? { ...NONE, additionals } : undefined);
    expect(await check(RIGHT, K1)).toMatchObject({
      result: 'unknown',
      code: 'BLOCKED_BY_FILTER',
      diagnosis: expect.stringContaining('by policy'),
    });
  });

  test('an answer that fits only TCP is fetched there', async () => {
    expect(await check(LARGE, BOUNCE_SPF)).toMatchObject({ code: 'MATCH' });
  });

  test('an answer that is too large and does not come over TCP makes the record unknown', async () => {
    dns.misbehave[RESOLVER] = ({ name }, isTcp) => (isAbout(name) ? (isTcp ? 'garbage' : 'truncated') : undefined);
    expect(await check(RIGHT, K1)).toMatchObject({ result: 'unknown', code: 'ANSWER_TOO_LARGE' });
  });

  test.each(['garbage', 'wrong id', 'wrong question'] as const)('%s is not believed', async (fault) => {
    dns.misbehave[NS1] = dns.misbehave[NS2] = () => fault;
    const { code, evidence } = await check(() => [], K1, dns.asker({ limits: { timeout: 600 } }));
    expect(code).toBe('NAME_MISSING');
    expect(evidence.map(({ answer }) => answer)).toEqual(['timeout', 'timeout', 'NXDOMAIN']);
  });

  test('a server that cannot read a modern question is asked an old one', async () => {
    dns.misbehave[NS1] = (_, __, { additionals = [] }) =>
      additionals.length > 0 ? { flags: RCODES.FORMERR } : undefined;
    const { code, evidence } = await check(RIGHT, K1);
    expect([code, ...evidence.map(({ answer }) => answer)]).toEqual(['MATCH', 'NOERROR', 'NOERROR', 'NOERROR']);
  });

  test('where resolvers do not know the name servers of a domain, its registry does', async () => {
    dns.misbehave[RESOLVER] = ({ name, type }) =>
      type === 'NS' && /^d\d+\.test$/.test(name) ? { flags: RCODES.SERVFAIL } : undefined;
    const { code, evidence } = await check(RIGHT, K1);
    expect([code, ...evidence.map(({ server }) => server)]).toEqual(['MATCH', 'ns1.host.test', 'ns2.host.test', null]);
  });

  test('a name server that was silent is not waited for again in the same run', async () => {
    dns.misbehave[NS2] = () => 'silence';
    const name = `d${count++}.test`;
    const hosts = Array.from({ length: 8 }, (_, index) => `k${index}._domainkey.${name}`);
    addZone(
      dns,
      name,
      hosts.map((host) => cname(host, 'k1.dkim.provider.test')),
    );
    const { records } = await checkWholeDomain(dns.asker(soon), {
      name,
      mail_from_domain: null,
      dns: hosts.map((host) => ({ ...K1, name: host, is_valid: false })),
    });
    expect(new Set(records.map(({ finding }) => finding.code))).toEqual(new Set(['SOME_NAMESERVERS_SILENT']));
    // Four at once had to find out.
    expect(new Set(dns.asked.filter((line) => line.startsWith(NS2))).size).toBe(4);
  });

  test('a resolver that was silent is not waited for again while another one answers', async () => {
    const resolvers = ['127.0.0.10', RESOLVER].map((address) => ({ address, port: dns.port }));
    dns.misbehave['127.0.0.10'] = () => 'silence';
    const { code } = await check(RIGHT, K1, dns.asker({ resolvers, ...soon }));
    dns.misbehave['127.0.0.10'] = () => undefined;
    expect(code).toBe('MATCH');
    expect(new Set(dns.asked.filter((line) => line.startsWith('127.0.0.10'))).size).toBe(1);
  });

  test('a datagram that got lost is sent again', async () => {
    const lost = new Set<string>();
    dns.misbehave[RESOLVER] = ({ name, type }) => {
      if (lost.has(name + type)) return undefined;
      lost.add(name + type);
      return 'silence';
    };
    expect(await check(RIGHT, K1, dns.asker(soon))).toMatchObject({ code: 'MATCH' });
  });
});

describe('delegations', () => {
  test('a delegated _domainkey is found, and the fix is relative to that zone', async () => {
    const zone = `d${count}.test`;
    dns.zones[NS2] = {
      ...dns.zones[NS2],
      [`_domainkey.${zone}`]: { records: [cname(`k1._domainkey.${zone}`, 'k1.dkim.provider.test')] },
    };
    expect(await check(DELEGATED, K1)).toMatchObject({ code: 'MATCH' });
    dns.zones[NS2] = {
      ...dns.zones[NS2],
      [`_domainkey.d${count}.test`]: { records: [txt(`a._domainkey.d${count}.test`, 'x')] },
    };
    expect(await check(DELEGATED, K1)).toMatchObject({ code: 'NAME_MISSING', fix: { host: 'k1' } });
  });

  test('a domain that its registry does not know is not a missing record', async () => {
    const [checked] = await checkRecords(dns.asker(), {
      name: 'nobody.test',
      mail_from_domain: null,
      dns: [{ ...K1, is_valid: false }],
    });
    expect(checked?.finding).toMatchObject({ result: 'fail', code: 'DOMAIN_NOT_DELEGATED', fix: null });
  });

  test('a subdomain that is no zone gets hosts relative to the zone, and its mix-up with the parent is told', async () => {
    addZone(dns, 'parent.test', [cname('k1._domainkey.parent.test', 'k1.dkim.provider.test')]);
    const records = [
      { ...K1, is_valid: false },
      { ...MX, is_valid: false },
    ];
    const checked = await checkRecords(dns.asker(), {
      name: 'mail.parent.test',
      mail_from_domain: null,
      dns: records,
    });
    expect(checked.map(({ finding }) => [finding.code, finding.fix?.host, finding.fix?.name])).toEqual([
      ['NAME_IN_PARENT', 'k1._domainkey.mail', 'k1._domainkey.mail.parent.test'],
      ['NAME_MISSING', 'bounce.mail', 'bounce.mail.parent.test'],
    ]);
  });

  test('addresses of Cloudflare are told from others, where Cloudflare answers for the zone', async () => {
    const zone = 'proxied.test';
    addZone(dns, zone, [{ type: 'A', name: `k1._domainkey.${zone}`, data: '104.16.1.1' }]);
    dns.misbehave[RESOLVER] = ({ name, type }) =>
      name === zone && type === 'NS'
        ? { answers: [{ type: 'NS', name, ttl: 60, data: 'ada.ns.cloudflare.com' }] }
        : name === 'ada.ns.cloudflare.com'
          ? { answers: [{ type: 'A', name, ttl: 60, data: NS1 }] }
          : undefined;
    const [checked] = await checkRecords(dns.asker(), {
      name: zone,
      mail_from_domain: null,
      dns: [{ ...K1, is_valid: false }],
    });
    expect(checked?.finding).toMatchObject({ code: 'PROXIED_CLOUDFLARE', found: ['104.16.1.1'] });
  });

  test('name servers at special addresses are never asked', async () => {
    // Without the port for tests the addresses of the name servers count, and these are on loopback.
    const { code, evidence } = await check(RIGHT, K1, dns.asker({ authorityPort: undefined }));
    expect(code).toBe('MATCH');
    expect(evidence.map(({ server, answer }) => [server, answer])).toEqual([
      ['ns1.host.test', 'refused address'],
      ['ns2.host.test', 'refused address'],
      [null, 'NOERROR'],
    ]);
    expect(dns.asked.every((line) => line.startsWith(RESOLVER))).toBe(true);
  });

  test('where only name servers are believed, nothing is known when they cannot be asked', async () => {
    const asker = dns.asker({ authorities: 'on', authorityPort: undefined });
    expect(await check(RIGHT, K1, asker)).toMatchObject({
      result: 'unknown',
      code: 'NAMESERVERS_UNREACHABLE',
      diagnosis: expect.stringContaining('ns1.host.test: refused address'),
    });
    expect(await check(RIGHT, K1, dns.asker({ authorities: 'on' }))).toMatchObject({ code: 'MATCH' });
  });

  test('name servers are left alone on demand', async () => {
    expect(await check(RIGHT, K1, dns.asker({ authorities: 'off' }))).toMatchObject({ code: 'MATCH' });
    expect(dns.asked.every((line) => line.startsWith(RESOLVER))).toBe(true);
  });
});

describe('limits', () => {
  test('16 questions are under way at most, and 4 to one server', async () => {
    const addresses = [RESOLVER, NS1, NS2, '127.0.0.10', '127.0.0.13'];
    for (const address of addresses) dns.misbehave[address] = () => 'silence';
    const askFor = dns.asker({ limits: { timeout: 600 } }).startRun();
    const replies = addresses.flatMap((address) => {
      const ask = askFor();
      const server = { name: null, address, port: dns.port };
      return [1, 2, 3, 4, 5].map((n) => ask(server, { name: `q${n}.test`, type: 'A', isRecursive: true }));
    });
    await Promise.race(replies);
    const sent = [...new Set(dns.asked)];
    expect(sent.length).toBe(16);
    for (const address of addresses) {
      expect(sent.filter((line) => line.startsWith(`${address} `)).length).toBeLessThanOrEqual(4);
    }
    await Promise.all(replies);
    expect(new Set(dns.asked).size).toBe(25);
    for (const address of addresses) dns.misbehave[address] = () => undefined;
  });

  test('five right records take few questions, and none is asked twice', async () => {
    const name = `d${count++}.test`;
    const names = ['k1', 'k2', 'k3'].map((selector) => `${selector}._domainkey.${name}`);
    addZone(dns, name, [
      ...names.map((host) => cname(host, 'k1.dkim.provider.test')),
      mx(`bounce.${name}`, 10, 'feedback.provider.test'),
      txt(`bounce.${name}`, SPF),
    ]);
    const records = [...names.map((host) => ({ ...K1, name: host })), MX, BOUNCE_SPF];
    const checked = await checkRecords(dns.asker(), {
      name,
      mail_from_domain: `bounce.${name}`,
      dns: records.map((record) => ({ ...record, is_valid: true })),
    });
    expect(checked.map(({ finding }) => finding.code)).toEqual(records.map(() => 'MATCH'));
    expect(dns.asked.length).toBeLessThanOrEqual(8 * records.length);
    expect(new Set(dns.asked).size).toBe(dns.asked.length);
  });

  test('a wrong record takes at most 15 questions', async () => {
    await check(() => [], K1);
    expect(dns.asked.length).toBeLessThanOrEqual(15);
    dns.asked.length = 0;
    await check((at) => [txt(at('bounce'), 'hello')], BOUNCE_SPF);
    expect(dns.asked.length).toBeLessThanOrEqual(15);
  });

  test('questions and time that are used up make a record unknown, not missing', async () => {
    expect(await check(RIGHT, K1, dns.asker({ limits: { questionsPerRecord: 3 } }))).toMatchObject({
      code: 'TOO_MANY_QUESTIONS',
    });
    expect(await check(RIGHT, K1, dns.asker({ limits: { questionsPerDomain: 3 } }))).toMatchObject({
      code: 'TOO_MANY_QUESTIONS',
    });
    expect(await check(RIGHT, K1, dns.asker({ limits: { deadline: 0 } }))).toMatchObject({ code: 'OUT_OF_TIME' });
  });
});

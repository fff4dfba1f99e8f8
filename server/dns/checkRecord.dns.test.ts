import { expect, test } from 'vitest';
import {
  address,
  ADDRESS,
  BOUNCE_SPF,
  checkInZone,
  cname,
  DKIM,
  DMARC,
  K1,
  KEY,
  type ListedRecord,
  mx,
  MX,
  POLICY,
  SHORT_KEY,
  SPF,
  TOKEN,
  txt,
  WEAK_KEY,
  type BuildZone,
  startTestProvider,
} from '../testing/testZone.ts';

// Records at a name, and the result of the check.

const dns = startTestProvider();

type Case = [code: string, published: BuildZone, listed: ListedRecord];
const check = ([code, published, listed]: Case) =>
  checkInZone(dns, published, listed).then((finding) => expect(finding).toMatchObject({ code }));

test.each<Case>([
  ['MATCH', (at) => [cname(at('k1._domainkey'), 'K1.DKIM.provider.test')], K1],
  ['WRONG_TARGET', (at) => [cname(at('k1._domainkey'), 'k9.dkim.provider.test')], K1],
  ['TARGET_DOUBLED', (at) => [cname(at('k1._domainkey'), `k1.dkim.provider.test.${at('@')}`)], K1],
  [
    'SEVERAL_CNAMES',
    (at) => [cname(at('k1._domainkey'), 'k1.dkim.provider.test'), cname(at('k1._domainkey'), 'b.test')],
    K1,
  ],
  ['CNAME_CHAIN', (at) => [cname(at('k1._domainkey'), at('hop')), cname(at('hop'), 'k1.dkim.provider.test')], K1],
  ['CNAME_LOOP', (at) => [cname(at('k1._domainkey'), at('hop')), cname(at('hop'), at('k1._domainkey'))], K1],
  ['CNAME_LOOP', (at) => [cname(at('s._domainkey'), at('hop')), cname(at('hop'), at('s._domainkey'))], DKIM],
  [
    'DKIM_KEY_MISSING',
    (at) => [cname(at('gone._domainkey'), 'gone.dkim.provider.test')],
    { ...K1, name: 'gone._domainkey', value: 'gone.dkim.provider.test' },
  ],
  [
    'TARGET_NOT_THERE',
    (at) => [cname(at('click'), 'gone.provider.test')],
    { type: 'CNAME', name: 'click', value: 'gone.provider.test' },
  ],
])('a CNAME: %s', (...one) => check(one));

test.each<Case>([
  ['MATCH', (at) => [mx(at('bounce'), 10, 'feedback.provider.test')], MX],
  ['MATCH', (at) => [mx(at('bounce'), 30, 'feedback.provider.test')], { ...MX, value: 'feedback.provider.test.' }],
  ['TARGET_DOUBLED', (at) => [mx(at('bounce'), 10, `feedback.provider.test.${at('@')}`)], MX],
  ['CNAME_AT_NAME', (at) => [cname(at('bounce'), 'feedback.provider.test')], MX],
  ['MX_THROUGH_CNAME', (at) => [cname(at('bounce'), at('other')), mx(at('other'), 10, 'feedback.provider.test')], MX],
  ['CNAME_AND_OTHER', (at) => [cname(at('bounce'), 'b.test'), mx(at('bounce'), 10, 'feedback.provider.test')], MX],
  ['MX_PRIORITY', (at) => [mx(at('bounce'), 20, 'feedback.provider.test')], MX],
  ['EXTRA_MX', (at) => [mx(at('bounce'), 10, 'feedback.provider.test'), mx(at('bounce'), 5, 'mx.other.test')], MX],
  [
    'EXTRA_VALUES',
    (at) => [mx(at('in'), 10, 'feedback.provider.test'), mx(at('in'), 5, 'mx.other.test')],
    { ...MX, name: 'in' },
  ],
  [
    'MX_TWICE',
    (at) => [mx(at('bounce'), 10, 'feedback.provider.test'), mx(at('bounce'), 20, 'feedback.provider.test')],
    MX,
  ],
  ['PRIORITY_IN_HOST', (at) => [mx(at('bounce'), 10, '10 feedback.provider.test')], MX],
  ['MX_IS_ADDRESS', (at) => [mx(at('bounce'), 10, '192.0.2.25')], MX],
  ['NULL_MX', (at) => [mx(at('bounce'), 0, '.')], MX],
])('an MX: %s', (...one) => check(one));

test.each<Case>([
  ['MATCH', (at) => [address(at('track'), '192.0.2.1')], ADDRESS],
  [
    'MATCH',
    (at) => [{ type: 'AAAA', name: at('track'), data: '2001:db8::1' }],
    { ...ADDRESS, type: 'AAAA', value: '2001:DB8:0:0::1' },
  ],
  ['EXTRA_VALUES', () => [], { type: 'NS', name: '@', value: 'NS1.host.test.' }],
  ['WRONG_TARGET', () => [], { type: 'NS', name: '@', value: 'ns3.host.test' }],
  ['WRONG_TARGET', (at) => [address(at('track'), '192.0.2.9')], ADDRESS],
  ['EXTRA_VALUES', (at) => ['1', '2'].map((last) => address(at('track'), `192.0.2.${last}`)), ADDRESS],
  ['ADDRESS_THROUGH_CNAME', (at) => [cname(at('track'), at('@')), address(at('@'), '192.0.2.1')], ADDRESS],
  [
    'ADDRESS_THROUGH_CNAME',
    (at) => [cname(at('track'), 'feedback.provider.test')],
    { ...ADDRESS, value: '192.0.2.25' },
  ],
  ['CNAME_AT_NAME', (at) => [cname(at('track'), 'feedback.provider.test')], ADDRESS],
])('an address or a name server: %s', (...one) => check(one));

test.each<Case>([
  ['MATCH', (at) => [txt(at('s._domainkey'), KEY.slice(0, 200), KEY.slice(200))], DKIM],
  ['TEXT_THROUGH_CNAME', (at) => [cname(at('s._domainkey'), at('keys')), txt(at('keys'), KEY)], DKIM],
  ['DKIM_OTHER_KEY', (at) => [txt(at('s._domainkey'), SHORT_KEY)], DKIM],
  ['EXPECTED_KEY_UNREADABLE', (at) => [txt(at('s._domainkey'), KEY)], { ...DKIM, value: WEAK_KEY }],
  // As listed, so only its provider can correct it.
  ['DKIM_BROKEN_KEY', (at) => [txt(at('s._domainkey'), 'v=DKIM1; p=x')], { ...DKIM, value: 'v=DKIM1; p=x' }],
])('a DKIM key: %s', (...one) => check(one));

test.each<Case>([
  [
    'MATCH',
    (at) => [txt(at('bounce'), 'v=spf1 include:spf.', 'provider.test ~all'), txt(at('bounce'), '')],
    BOUNCE_SPF,
  ],
  ['MATCH', (at) => [txt(at('bounce'), 'v=spf1 a mx redirect=spf.provider.test')], BOUNCE_SPF],
  ['SPF_MISSING', (at) => [txt(at('bounce'), 'hello')], BOUNCE_SPF],
  ['SEVERAL_SPF', (at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'v=spf1 include:b.test -all')], BOUNCE_SPF],
  ['SPF_WITHOUT_INCLUDE', (at) => [txt(at('bounce'), 'v=spf1 a mx -all include:spf.provider.test')], BOUNCE_SPF],
  [
    'SPF_TOO_MANY_LOOKUPS',
    (at) => [
      address(at('a'), '192.0.2.7'),
      txt(at('bounce'), `v=spf1 ${`a:${at('a')} `.repeat(10)}include:spf.provider.test ~all`),
    ],
    BOUNCE_SPF,
  ],
])('an SPF record: %s', (...one) => check(one));

test.each<Case>([
  [
    'MATCH',
    (at) => [address(at('in'), '192.0.2.7'), txt(at('_dmarc'), `v=DMARC1;p=reject; rua=mailto:a@${at('in')}`)],
    POLICY,
  ],
  ['DMARC_REPORTS_LOST', (at) => [txt(at('_dmarc'), 'v=DMARC1; p=reject; rua=mailto:a@b.test')], POLICY],
  ['DMARC_MISSING', (at) => [txt(at('_dmarc'), 'hello')], POLICY],
  ['SEVERAL_DMARC', (at) => [txt(at('_dmarc'), DMARC), txt(at('_dmarc'), 'v=DMARC1; p=reject')], POLICY],
])('a DMARC record: %s', (...one) => check(one));

test.each<Case>([
  ['MATCH', (at) => [txt(at('@'), ' site-verification=abc def '), txt(at('@'), 'other')], TOKEN],
  ['TEXT_MISSING', (at) => [txt(at('@'), 'site-verification=old')], TOKEN],
  ['TEXT_MISSING', (at) => [txt(at('@'), 'other')], TOKEN],
])('another text: %s', (...one) => check(one));

test.each<Case>([
  ['TYPE_UNSUPPORTED', () => [], { type: 'TLSA', name: '_25._tcp', value: '3 1 1 00' }],
  ['NAME_OUTSIDE', () => [], { ...ADDRESS, name: 'metadata.google.internal.' }],
  ['VALUE_UNREADABLE', () => [], { ...ADDRESS, value: 'here' }],
])('what cannot be checked: %s', (...one) => check(one));

import { expect, test } from 'vitest';
import { addZone, NS1, RESOLVER } from '../testing/testDns.ts';
import {
  address,
  ADDRESS,
  BOUNCE_SPF,
  checkInZone,
  checkRecords,
  cname,
  DKIM,
  DMARC,
  K1,
  KEY,
  type ListedRecord,
  mx,
  MX,
  POLICY,
  SPF,
  txt,
  type BuildZone,
  startTestProvider,
} from '../testing/testZone.ts';

// Why a record is missing: where it was put instead, and what is in its place.

const dns = startTestProvider();

test.each<[code: string, published: BuildZone, listed: ListedRecord]>([
  ['NAME_MISSING', () => [], K1],
  ['RECORD_MISSING', (at) => [txt(at('bounce'), SPF)], MX],
  ['RECORD_MISSING', (at) => [txt(at('below.k1._domainkey'), 'x')], K1],
  ['NAME_DOUBLED', (at) => [cname(`${at('k1._domainkey')}.${at('@')}`, 'k1.dkim.provider.test')], K1],
  ['WRONG_HOST', (at) => [cname(at('k1'), 'k1.dkim.provider.test')], K1],
  ['WRONG_HOST', (at) => [txt(at('@'), KEY)], DKIM],
  ['WRONG_HOST', (at) => [txt(at('@'), DMARC)], POLICY],
  ['MX_AT_DOMAIN', (at) => [mx(at('@'), 10, 'feedback.provider.test')], MX],
  ['ONLY_AT_DOMAIN', (at) => [txt(at('@'), 'v=spf1 include:spf.provider.test ip4:192.0.2.1 ~all')], BOUNCE_SPF],
  ['ONLY_AT_DOMAIN', (at) => [address(at('@'), '192.0.2.1')], ADDRESS],
  ['ONLY_AT_DOMAIN', (at) => [txt(at('@'), 'token=1')], { type: 'TXT', name: '_verify', value: 'token=1' }],
  [
    'NAME_MISSING',
    (at) => [cname(at('go'), 'provider.test')],
    { type: 'CNAME', name: 'go.track', value: 'provider.test' },
  ],
  ['UNDERSCORE_LOST', (at) => [cname(at('k1.domainkey'), 'k1.dkim.provider.test')], K1],
  ['UNDERSCORE_DOUBLED', (at) => [txt(at('_dmarc._dmarc'), DMARC)], POLICY],
  ['CNAME_FLATTENED', (at) => [address(at('k1._domainkey'), '192.0.2.7')], K1],
  ['WRONG_TYPE', (at) => [txt(at('k1._domainkey'), 'k1.dkim.provider.test')], K1],
  ['TXT_COPIED_FROM_TARGET', (at) => [txt(at('k1._domainkey'), KEY)], K1],
  ['DKIM_COPY_WITHDRAWN', (at) => [txt(at('k1._domainkey'), KEY)], { ...K1, value: 'gone.dkim.provider.test' }],
  ['OTHER_TYPE_AT_NAME', (at) => [mx(at('k1._domainkey'), 10, 'a.test')], K1],
  ['WILDCARD_ANSWERS', (at) => [cname(at('*'), 'parking.host.test')], MX],
  ['WILDCARD_ANSWERS', (at) => [txt(at('*'), 'v=spf1 -all')], BOUNCE_SPF],
  ['WILDCARD_ANSWERS', (at) => [txt(at('*'), 'v=spf1 -all')], POLICY],
  ['WILDCARD_ANSWERS', (at) => [address(at('*._domainkey'), '192.0.2.80')], K1],
])('%s, as it is published', async (code, published, listed) => {
  expect(await checkInZone(dns, published, listed)).toMatchObject({ code });
});

// Each row: the code, what is published, what is listed, the `dig` command, its answer.
test.each<[string, BuildZone, ListedRecord, RegExp, string[]]>([
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
    'DKIM_KEY_MISSING',
    (at) => [cname(at('k1._domainkey'), 'gone.test')],
    { ...K1, value: 'gone.test' },
    / gone\.test TXT/,
    [],
  ],
  [
    'DKIM_REVOKED',
    (at) => [cname(at('k1._domainkey'), at('key')), txt(at('key'), 'v=DKIM1; p=')],
    { ...K1, value: 'key.@' },
    / key\.d\d+\.test TXT/,
    ['v=DKIM1; p='],
  ],
])(
  '%s: the answer that shows it is in the evidence, and the command asks for it',
  async (code, published, listed, asks, values) => {
    const finding = await checkInZone(dns, published, listed);
    expect(finding.code).toBe(code);
    expect(finding.dig).toMatch(asks);
    expect(finding.evidence.at(-1)?.records.map(({ value }) => value)).toEqual(values);
  },
);

/** A name to which the DNS host has appended the domain. */
const twice = (at: (host: string) => string, host: string) => `${at(host)}.${at('@')}`;

test('a name and its target without final dots are doubled both', async () => {
  const key = await checkInZone(
    dns,
    (at) => [cname(twice(at, 'k1._domainkey'), `k1.dkim.provider.test.${at('@')}`)],
    K1,
  );
  expect(key).toMatchObject({ code: 'NAME_DOUBLED', fix: { host: 'k1._domainkey', value: `${K1.value}.` } });
  expect(key.diagnosis).toMatch(/and the target needs its final dot/);
  const bounce = await checkInZone(dns, (at) => [mx(twice(at, 'bounce'), 10, `feedback.provider.test.${at('@')}`)], MX);
  expect(bounce).toMatchObject({ code: 'NAME_DOUBLED', fix: { host: 'bounce', value: 'feedback.provider.test.' } });
  expect(bounce.diagnosis).toMatch(/and the target needs its final dot/);
  const once = await checkInZone(dns, (at) => [cname(twice(at, 'k1._domainkey'), K1.value)], K1);
  expect(once.diagnosis).not.toMatch(/final dot/);
});

test('a name that somebody else wrote is no part of a command', async () => {
  const { code, dig } = await checkInZone(
    dns,
    (at) => [cname(at('k1._domainkey'), at('a;b')), cname(at('a;b'), at('k1._domainkey'))],
    K1,
  );
  expect(code).toBe('CNAME_LOOP');
  expect(dig).toMatch(/ k1\._domainkey\.d\d+\.test CNAME/);
});

test('what the domain itself may need stays, and the token of somebody else as well', async () => {
  const elsewhere = await checkInZone(dns, (at) => [txt(at('@'), SPF)], BOUNCE_SPF);
  expect(elsewhere.fix?.todo).toMatch(
    /^Add the TXT record with the host "bounce" .+ The one at d\d+\.test can stay\.$/,
  );
  expect(elsewhere.fix?.value).toBe(SPF);
  const token = { type: 'TXT', name: '@', value: 'google-site-verification=BBB' };
  const other = await checkInZone(dns, (at) => [txt(at('@'), 'google-site-verification=AAAOTHER')], token);
  expect(other.diagnosis).toContain('There is another one of the same kind');
  expect(other.diagnosis).toContain("It may be somebody else's.");
  expect(other.fix?.todo).toMatch(/^Add the TXT record with the host "@" .+ Leave other TXT records where they are\.$/);
});

test('a null MX beside the listed one is of no use to anybody (RFC 7505, section 3)', async () => {
  const { code, fix } = await checkInZone(
    dns,
    (at) => [mx(at('bounce'), 10, 'feedback.provider.test'), mx(at('bounce'), 0, '.')],
    MX,
  );
  expect(code).toBe('EXTRA_MX');
  expect(fix?.todo).toBe('Keep only the expected one. The null MX (0 .) says that the name accepts no mail.');
});

test('an MX that takes the mail of the domain away is to be added where it belongs, and deleted there', async () => {
  const { diagnosis, fix } = await checkInZone(
    dns,
    (at) => [mx(at('@'), 10, 'feedback.provider.test'), mx(at('@'), 20, 'mx.office.test')],
    MX,
  );
  expect(diagnosis).toContain('takes mail to the domain away from 20 mx.office.test');
  expect(fix).toMatchObject({ host: 'bounce', value: 'feedback.provider.test', priority: 10 });
  expect(fix?.todo).toMatch(/Then delete the one at d\d+\.test\.$/);
});

test('a target is offered with the dot that it lacks', async () => {
  const { fix } = await checkInZone(dns, (at) => [mx(at('bounce'), 10, `feedback.provider.test.${at('@')}`)], MX);
  expect(fix).toMatchObject({ type: 'MX', host: 'bounce', value: 'feedback.provider.test.', priority: 10 });
});

test('a circle of aliases is cut by the record that belongs there', async () => {
  const { code, fix } = await checkInZone(
    dns,
    (at) => [cname(at('bounce'), at('hop')), cname(at('hop'), at('bounce'))],
    MX,
  );
  expect([code, fix?.todo]).toEqual(['CNAME_LOOP', 'Delete the CNAME at "bounce", then add the MX record.']);
});

test('a subdomain that is no zone gets hosts relative to the zone, and its mix-up with the parent is told', async () => {
  addZone(dns, 'parent.test', [cname('k1._domainkey.parent.test', 'k1.dkim.provider.test')]);
  const records = [K1, MX].map((record) => ({ ...record, is_valid: false }));
  const checked = await checkRecords(dns.dnsClient(), {
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
  addZone(dns, zone, [address(`k1._domainkey.${zone}`, '104.16.1.1')]);
  dns.misbehave[RESOLVER] = ({ name, type }) =>
    name === zone && type === 'NS'
      ? { answers: [{ type: 'NS', name, ttl: 60, data: 'ada.ns.cloudflare.com' }] }
      : name === 'ada.ns.cloudflare.com'
        ? { answers: [{ type: 'A', name, ttl: 60, data: dns.addresses[NS1] }] }
        : undefined;
  const [checked] = await checkRecords(dns.dnsClient(), {
    name: zone,
    mail_from_domain: null,
    dns: [{ ...K1, is_valid: false }],
  });
  expect(checked?.finding).toMatchObject({ code: 'PROXIED_CLOUDFLARE', found: ['104.16.1.1'] });
});

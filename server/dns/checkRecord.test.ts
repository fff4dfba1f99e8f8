import { expect, test } from 'vitest';
import type { Code } from './catalogue/catalogue.ts';
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
  OTHER_KEY,
  POLICY,
  SPF,
  txt,
  WEAK_KEY,
  type BuildZone,
  createTestProvider,
} from '../testing/testZone.ts';

// One listed record, and what is published at its name and elsewhere. What its answer alone decides is in
// assessResponse.test.ts and in the tests of texts.

const dns = createTestProvider();
// Another organisation.
addZone(dns, 'news.test', [
  txt('dkim.news.test', OTHER_KEY),
  address('go.news.test', '192.0.2.70'),
  mx('back.news.test', 10, 'go.news.test'),
]);

const FEEDBACK = 'feedback.provider.test';
const KEY_NAME = 'k1._domainkey';
const IN: ListedRecord = { ...ADDRESS, type: 'AAAA', value: '2001:DB8:0:0::1' };
const BROKEN: ListedRecord = { ...DKIM, value: 'v=DKIM1; p=x' };
const GONE: ListedRecord = { ...K1, value: 'gone.dkim.provider.test' };
const TLSA: ListedRecord = { type: 'TLSA', name: '_25._tcp', value: '3 1 1 00' };
const GO: ListedRecord = { type: 'CNAME', name: 'go.track', value: 'provider.test' };
const VERIFY: ListedRecord = { type: 'TXT', name: '_verify', value: 'token=1' };
const SITE: ListedRecord = { type: 'TXT', name: '@', value: 'google-site-verification=BBB' };
const SERVER: ListedRecord = { type: 'NS', name: '@', value: 'NS1.host.test.' };

const key =
  (target: string): BuildZone =>
  (at) => [cname(at(KEY_NAME), target.endsWith('.test') ? target : at(target))];
/** MX records at a host. */
const exchanges =
  (host: string, ...all: [preference: number, exchange: string][]): BuildZone =>
  (at) =>
    all.map((one) => mx(at(host), ...one));
const text =
  (host: string, value: string): BuildZone =>
  (at) => [txt(at(host), value)];
/** An alias at a host, and what is at its target, or an address of a domain. */
const alias =
  (host: string, target: string, ...more: ((name: string) => ReturnType<typeof txt>)[]): BuildZone =>
  (at) => [cname(at(host), at(target)), ...more.map((one) => one(at(target)))];
const loop =
  (host: string, hop = 'hop'): BuildZone =>
  (at) => [cname(at(host), at(hop)), cname(at(hop), at(host))];
/** A name to which the DNS host has appended the domain. */
const twice = (at: (host: string) => string, host: string) => `${at(host)}.${at('@')}`;

// Each row: the code, what is published, what is listed, what is said, and the last answer in the evidence.
test.each<[Code, BuildZone, ListedRecord, (string | RegExp)?, string[]?]>([
  ['MATCH', key('K1.DKIM.provider.test'), K1],
  ['CNAME_CHAIN', alias(KEY_NAME, 'hop', (hop) => cname(hop, K1.value)), K1, / hop\.d\d+\.test CNAME$/, [K1.value]],
  ['CNAME_LOOP', loop(DKIM.name), DKIM],
  ['CNAME_LOOP', loop('bounce'), MX, 'Delete the CNAME at "bounce", then add the MX record.'],
  // A name that somebody else wrote is no part of a command.
  ['CNAME_LOOP', loop(KEY_NAME, 'a;b'), K1, / k1\._domainkey\.d\d+\.test CNAME$/],
  ['DKIM_KEY_MISSING', key(GONE.value), GONE, / gone\.dkim\.provider\.test TXT$/, []],
  [
    'DKIM_REVOKED',
    alias(KEY_NAME, 'key', (at) => txt(at, 'v=DKIM1; p=')),
    { ...K1, value: 'key.@' },
    / key\.d\d+\.test TXT$/,
    ['v=DKIM1; p='],
  ],

  ['MATCH', exchanges('bounce', [30, FEEDBACK]), { ...MX, value: 'feedback.provider.test.' }],
  [
    'TARGET_DOUBLED',
    (at) => [mx(at('bounce'), 10, `${FEEDBACK}.${at('@')}`)],
    MX,
    'MX bounce = feedback.provider.test. 10',
  ],
  ['CNAME_AT_NAME', (at) => [cname(at('bounce'), FEEDBACK)], MX, 'Delete the CNAME at "bounce", then add the MX'],
  // The return path of another sender.
  ['CNAME_AT_NAME', (at) => [cname(at('bounce'), 'back.news.test')], MX, 'If nothing uses news.test under this name'],
  [
    'CNAME_AT_NAME',
    alias(VERIFY.name, 'other', (at) => txt(at, 'token=7')),
    VERIFY,
    /If nothing uses other\.d\d+\.test under/,
  ],
  ['CNAME_AT_NAME', alias('bounce', 'hop', (hop) => cname(hop, 'back.news.test')), MX, 'If nothing uses news.test'],
  ['MX_THROUGH_CNAME', alias('bounce', 'other', (at) => mx(at, 10, FEEDBACK)), MX],
  ['CNAME_AND_OTHER', (at) => [cname(at('bounce'), 'b.test'), mx(at('bounce'), 10, FEEDBACK)], MX],
  ['MAIL_FROM_MX_TWICE', exchanges('bounce', [10, FEEDBACK], [20, FEEDBACK]), MX],
  ['PRIORITY_IN_HOST', exchanges('bounce', [10, `10 ${FEEDBACK}`]), MX],
  ['MX_IS_ADDRESS', exchanges('bounce', [10, '192.0.2.25']), MX],
  ['MX_IS_ADDRESS', exchanges('bounce', [10, '[192.0.2.25]']), MX],
  ['MX_IS_ADDRESS', (at) => [mx(at('bounce'), 10, `[ipv6:2001:db8::25].${at('@')}`)], MX],
  ['NULL_MX', exchanges('bounce', [0, '.']), MX],
  // A null MX must be the only one (RFC 7505, section 3).
  [
    'EXTRA_MX',
    exchanges('bounce', [10, FEEDBACK], [0, '.']),
    MX,
    'Keep only the expected one. The null MX (0 .) declares',
  ],

  ['MATCH', (at) => [{ type: 'AAAA', name: at('track'), data: '2001:db8::1' }], IN],
  ['EXTRA_VALUES', () => [], SERVER],
  ['ADDRESS_THROUGH_CNAME', alias('track', '@', (at) => address(at, '192.0.2.1')), ADDRESS],
  ['CNAME_AT_NAME', (at) => [cname(at('track'), FEEDBACK)], ADDRESS],
  ['TEXT_THROUGH_CNAME', alias(DKIM.name, 'keys', (at) => txt(at, KEY)), DKIM],
  ['EXPECTED_KEY_UNREADABLE', text(DKIM.name, KEY), { ...DKIM, value: WEAK_KEY }],
  // As listed, so only its provider can correct it.
  ['DKIM_BROKEN_KEY', text(DKIM.name, BROKEN.value), BROKEN],
  ['MATCH', text('bounce', 'v=spf1 a redirect=spf.provider.test'), BOUNCE_SPF],
  ['DMARC_REPORTS_LOST', text('_dmarc', 'v=DMARC1; p=reject; rua=mailto:a@b.test'), POLICY],
  // DMARC services keep the record behind an alias: its operator can publish it.
  ['DMARC_ALIAS_EMPTY', alias('_dmarc', 'hosted'), POLICY, /Ask the DMARC service behind hosted\.d\d+\.test/],
  ['DMARC_ALIAS_EMPTY', alias('_dmarc', 'hosted', (at) => txt(at, 'token=7')), POLICY],
  // The token of somebody else stays.
  [
    'TEXT_MISSING',
    text('@', 'google-site-verification=AAAOTHER'),
    SITE,
    /another one of the same kind.*someone else's.*Add the TXT record with the host "@" .+ Leave other TXT records where they are\./,
  ],
  ['TYPE_UNSUPPORTED', () => [], TLSA],
  ['NAME_OUTSIDE', () => [], { ...ADDRESS, name: 'metadata.google.internal.' }],
  ['VALUE_UNREADABLE', () => [], { ...ADDRESS, value: 'here' }],

  ['NAME_MISSING', () => [], K1],
  ['RECORD_MISSING', text('bounce', SPF), MX],
  ['RECORD_MISSING', text(`below.${KEY_NAME}`, 'x'), K1],
  [
    'NAME_DOUBLED',
    (at) => [cname(twice(at, KEY_NAME), K1.value)],
    K1,
    / k1\._domainkey\.(d\d+\.test)\.\1 CNAME$/,
    [K1.value],
  ],
  // The target needs its final dot, too.
  [
    'NAME_DOUBLED',
    (at) => [cname(twice(at, KEY_NAME), `${K1.value}.${at('@')}`)],
    K1,
    /end the target with a dot.* CNAME k1\._domainkey = k1\.dkim\.provider\.test\. /,
  ],
  [
    'NAME_DOUBLED',
    (at) => [mx(twice(at, 'bounce'), 10, `${FEEDBACK}.${at('@')}`)],
    MX,
    'MX bounce = feedback.provider.test. 10',
  ],
  ['WRONG_HOST', (at) => [cname(at('k1'), K1.value)], K1],
  ['WRONG_HOST', (at) => [cname(at('k1_domainkey'), K1.value)], K1],
  ['WRONG_HOST', (at) => [cname(at('_domainkey'), K1.value)], K1],
  ['NAME_DOUBLED', (at) => [cname(`${KEY_NAME}.${at('@').replace('.test', '')}.${at('@')}`, K1.value)], K1],
  ['WRONG_HOST', text('@', KEY), DKIM],
  ['WRONG_HOST', text('@', DMARC), POLICY, / d\d+\.test TXT$/, [DMARC]],
  [
    'MX_AT_DOMAIN',
    exchanges('@', [10, FEEDBACK], [20, 'mx.office.test']),
    MX,
    /diverts the domain's mail from 20 mx\.office\.test.*Then delete the one at d\d+\.test\. MX bounce = feedback\.provider\.test 10/,
  ],
  // What the domain itself may need stays.
  [
    'ONLY_AT_DOMAIN',
    text('@', SPF),
    BOUNCE_SPF,
    /Add the TXT record with the host "bounce" .+ Keep the one at d\d+\.test\. .* d\d+\.test TXT$/,
    [SPF],
  ],
  ['ONLY_AT_DOMAIN', (at) => [address(at('@'), '192.0.2.1')], ADDRESS],
  ['ONLY_AT_DOMAIN', text('@', 'token=1'), VERIFY],
  ['NAME_MISSING', (at) => [cname(at('go'), 'provider.test')], GO],
  [
    'WILDCARD_SHADOWED',
    (at) => [mx(at('*'), 10, FEEDBACK), txt(at('bounce'), 'x')],
    MX,
    "wildcards don't apply at or below an existing name, and bounce.",
  ],
  // RFC 4592, section 2.2.2: "_domainkey" exists for the name below it.
  ['WILDCARD_SHADOWED', (at) => [cname(at('*'), K1.value), txt(at('x._domainkey'), KEY)], K1, 'and _domainkey.'],
  ['UNDERSCORE_LOST', (at) => [cname(at('k1.domainkey'), K1.value)], K1],
  ['UNDERSCORE_LOST', (at) => [cname(at('k1domainkey'), K1.value)], K1],
  ['WRONG_HOST', (at) => [cname(at(`${KEY_NAME}.www`), K1.value)], K1],
  ['UNDERSCORE_DOUBLED', text('_dmarc._dmarc', DMARC), POLICY],
  ['UNDERSCORE_DOUBLED', exchanges('bounce.bounce', [10, FEEDBACK]), MX, / MX bounce = feedback\.provider\.test 10 /],
  [
    'CNAME_FLATTENED',
    (at) => [address(at(KEY_NAME), '192.0.2.7')],
    K1,
    'If not, find out who uses the addresses, such as a mail server or website. Only if nobody does, replace them',
  ],
  // What another service uses is not replaced without a word, also behind an alias of the owner.
  [
    'SELECTOR_TAKEN',
    alias(KEY_NAME, 'hop', (hop) => cname(hop, 'dkim.news.test')),
    K1,
    /key of news\.test \(dkim\.news/,
  ],
  ['SELECTOR_TAKEN', (at) => [cname(at(DKIM.name), 'dkim.news.test')], DKIM, 'publish the listed record instead'],
  ['WRONG_TARGET', key('own'), K1, ' Change the value. '],
  [
    'WRONG_TARGET',
    alias(KEY_NAME, 'own', (at) => txt(at, OTHER_KEY)),
    K1,
    /If nothing uses the key at own\.d\d+\.test under/,
  ],
  [
    'WRONG_TARGET',
    (at) => [cname(at(GO.name), 'go.news.test')],
    GO,
    'If nothing uses news.test under this name any more,',
  ],
  ['WRONG_TARGET', (at) => [cname(at(GO.name), 'back.news.test')], GO, 'and ask the provider for another name. '],
  ['WRONG_TARGET', (at) => [cname(at(GO.name), 'gone.news.test')], GO, ' Change the value. '],
  ['WRONG_TARGET', (at) => [cname(at(GO.name), 'feedback.provider.test')], GO, ' Change the value. '],
  [
    'WRONG_TARGET',
    exchanges('bounce', [10, 'go.news.test']),
    MX,
    'If nothing uses news.test under this name any more,',
  ],
  ['WRONG_TARGET', exchanges('bounce', [10, 'gone.news.test']), MX, ' Change the value. '],
  [
    'WRONG_THROUGH_CNAME',
    alias(DKIM.name, 'own', (at) => txt(at, OTHER_KEY)),
    DKIM,
    /If nothing uses the key at own\.d\d+\.test under.* for another selector\./,
  ],
  // The mail server of the domain has the listed name.
  [
    'MX_NAMES_HOST',
    (at) => [mx(at('@'), 10, at(GO.name)), address(at(GO.name), '192.0.2.25')],
    GO,
    /The MX of (d\d+\.test) names go\.track\.\1, .*ask the provider for another name\. undefined/,
  ],
  ['MX_NAMES_HOST', (at) => [mx(at('@'), 10, at('bounce')), cname(at('bounce'), 'go.news.test')], MX],
  ['NAME_MISSING', (at) => [mx(at('@'), 10, at(GO.name)), address(at('track'), '192.0.2.9')], GO, 'Add the CNAME'],
  ['RECORD_MISSING', (at) => [mx(at('@'), 10, at('bounce')), address(at('bounce'), '192.0.2.25')], MX],
  [
    'WRONG_TARGET',
    alias(GO.name, 'shop', (at) => address(at, '192.0.2.9')),
    GO,
    /If nothing uses shop\.d\d+\.test under/,
  ],
  ['WRONG_TARGET', (at) => [cname(at(GO.name), at('gone'))], GO, ' Change the value. '],
  ['WRONG_TARGET', (at) => [address(at('track'), '192.0.2.9')], ADDRESS, 'If nothing uses 192.0.2.9 under this name'],
  // An ALIAS, or flattening.
  [
    'CNAME_FLATTENED',
    (at) => [address(at(GO.name), '192.0.2.25')],
    { ...GO, value: FEEDBACK },
    'the addresses of feedback.provider.test',
  ],
  ['OTHER_TYPE_AT_NAME', text(GO.name, 'token=7'), GO, '(token=7)'],
  // As hosts have it by default.
  [
    'DMARC_WEAKER_THAN_LISTED',
    alias('_dmarc', 'default', (at) => txt(at, 'v=DMARC1; p=none')),
    { ...POLICY, value: 'v=DMARC1; p=reject' },
    /is an alias \(CNAME\) of default\.d\d+\.test, .* undefined/,
  ],
  ['WRONG_TYPE', text(KEY_NAME, K1.value), K1, / k1\._domainkey\.d\d+\.test TXT$/, [K1.value]],
  ['TXT_COPIED_FROM_TARGET', text(KEY_NAME, KEY), K1],
  ['DKIM_COPY_WITHDRAWN', text(KEY_NAME, KEY), GONE],
  ['OTHER_TYPE_AT_NAME', exchanges(KEY_NAME, [10, 'a.test']), K1],
  ['WILDCARD_ANSWERS', (at) => [cname(at('*'), 'parking.host.test')], MX],
  ['WILDCARD_ANSWERS', text('*', 'v=spf1 -all'), BOUNCE_SPF, / zz-\w+\.d\d+\.test TXT$/, ['v=spf1 -all']],
  ['WILDCARD_ANSWERS', text('*', 'v=spf1 -all'), POLICY],
  ['WILDCARD_ANSWERS', (at) => [address(at('*._domainkey'), '192.0.2.80')], K1],
])('%s (%#)', async (code, published, listed, said = '', values) => {
  const { diagnosis, fix, dig, ...finding } = await checkInZone(dns, published, listed);
  expect(finding.code).toBe(code);
  const typed = `${fix?.todo} ${fix?.type} ${fix?.host} = ${fix?.value} ${fix?.priority}`;
  expect(`${diagnosis} ${typed} ${dig.replace(' +norecurse', '')}`).toMatch(said);
  if (values) expect(finding.evidence.at(-1)?.records.map(({ value }) => value)).toEqual(values);
});

test('a subdomain that is no zone gets hosts relative to the zone, and its mix-up with the parent is told', async () => {
  addZone(dns, 'parent.test', [cname('k1._domainkey.parent.test', 'k1.dkim.provider.test')]);
  const records = [K1, MX].map((record) => ({ ...record, is_valid: false }));
  const domain = { name: 'mail.parent.test', mail_from_domain: null, dns: records };
  const checked = await checkRecords(dns.dnsClient(), domain);
  expect(checked.map(({ finding }) => [finding.code, finding.fix?.host, finding.fix?.name])).toEqual([
    ['NAME_IN_PARENT', 'k1._domainkey.mail', 'k1._domainkey.mail.parent.test'],
    ['NAME_MISSING', 'bounce.mail', 'bounce.mail.parent.test'],
  ]);
});

test.each([K1, ADDRESS])('addresses of Cloudflare are told from others, where it answers', async (listed) => {
  const zone = `proxied-${listed.type.toLowerCase()}.test`;
  addZone(dns, zone, [address(`${listed.name}.${zone}`, '104.16.1.1')]);
  dns.misbehave[RESOLVER] = ({ name, type }) =>
    name === zone && type === 'NS'
      ? { answers: [{ type: 'NS', name, ttl: 60, data: 'ada.ns.cloudflare.com' }] }
      : name === 'ada.ns.cloudflare.com'
        ? { answers: [{ type: 'A', name, ttl: 60, data: dns.addresses[NS1] }] }
        : undefined;
  const domain = { name: zone, mail_from_domain: null, dns: [{ ...listed, is_valid: false }] };
  const [checked] = await checkRecords(dns.dnsClient(), domain);
  expect(checked?.finding).toMatchObject({ code: 'PROXIED_CLOUDFLARE', found: ['104.16.1.1'] });
});

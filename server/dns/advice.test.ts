import { type Answer, AUTHENTIC_DATA, AUTHORITATIVE_ANSWER } from 'dns-packet';
import { expect, test } from 'vitest';
import type { DnsClientOptions } from './conversation/dnsClient.ts';
import { checkDomain } from './checkDomain.ts';
import type { Code } from './catalogue/catalogue.ts';
import { RCODES, addZone, NS1, NS2, RESOLVER } from '../testing/testDns.ts';
import {
  address,
  adviseInZone,
  BOUNCE_SPF,
  checkInZone,
  K1,
  RIGHT_ZONE,
  MX,
  onFault,
  publishZone,
  cname,
  lastZone,
  mx as mxOf,
  type SendingSetup,
  SPF,
  txt,
  type BuildZone,
  createTestProvider,
} from '../testing/testZone.ts';

// Advice about what is not listed and matters to the mail of a domain.

const dns = createTestProvider();
addZone(dns, 'reports.test', [
  address('refuses.reports.test', '192.0.2.25'),
  txt('refuses.reports.test', 'nothing'),
  txt('_dmarc.hosted.reports.test', 'v=DMARC1; p=reject'),
]);

const advise = (...more: [BuildZone, SendingSetup?, Partial<DnsClientOptions>?]) => adviseInZone(dns, ...more);
const mx = (name: string, exchange: string) => mxOf(name, 10, exchange);

const NONE = 'v=DMARC1; p=none';
const REJECT = 'v=DMARC1; p=reject';

/** Both are authoritative, and the zone names only the first one. */
const ONLY_FIRST: BuildZone = (at) => {
  const zone = at('@');
  dns.misbehave[NS1] = ({ name, type }) =>
    name === zone && type === 'NS'
      ? { flags: AUTHORITATIVE_ANSWER, answers: [{ type: 'NS', name, ttl: 60, data: 'ns1.host.test' }] }
      : undefined;
  return [];
};
const LAME_SECOND: BuildZone = (at) => {
  const zone = at('@');
  dns.misbehave[NS2] = ({ name }) => (name.endsWith(zone) ? { flags: RCODES.REFUSED } : undefined);
  return [];
};

/** The registrar has a DS record, and only the first server has keys. */
const UNSIGNED_SECOND: BuildZone = () => {
  const signer = { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) };
  const key = { flags: 257, algorithm: 13, key: Buffer.alloc(64) };
  dns.misbehave['registry'] = ({ name, type }) =>
    type === 'DS' ? { flags: AUTHORITATIVE_ANSWER, answers: [{ type, name, ttl: 60, data: signer }] } : undefined;
  dns.misbehave[NS1] = ({ name, type }) =>
    type === 'DNSKEY' ? { flags: AUTHORITATIVE_ANSWER, answers: [{ type, name, ttl: 60, data: key }] } : undefined;
  return [];
};

/** There is no IPv6 here. */
const UNREACHED: BuildZone = (at) => {
  const host: Answer = { type: 'AAAA', name: at('ns6'), data: '2001:67c:2e8::53' };
  const apex: Answer = { type: 'NS', name: at('@'), data: at('ns6') };
  dns.zones['registry']?.['test']?.records.push(apex, host);
  return [apex, host];
};

/** A load balancer that has the name for bounces, and no zone. */
const WITHOUT_SOA: BuildZone = (at) => {
  const bounce = at('bounce');
  dns.misbehave[NS1] = dns.misbehave[NS2] = ({ name, type }) =>
    name === bounce && type === 'SOA' ? { flags: AUTHORITATIVE_ANSWER } : undefined;
  return [txt(bounce, SPF)];
};

// Each row: its subject, the code, what is published, and how mail is sent.
test.each<[string, Code, BuildZone, SendingSetup?]>([
  ['mail_from_mx', 'MX_PUBLISHED', (at) => [mx(at('bounce'), 'feedback.provider.test')]],
  ['mail_from_mx', 'MX_PUBLISHED', (at) => [cname(at('bounce'), at('b')), mx(at('b'), 'feedback.provider.test')]],
  ['mail_from_mx', 'MX_TARGET_WITHOUT_ADDRESS', (at) => [mx(at('bounce'), 'gone.provider.test')]],
  ['mail_from_mx', 'MX_TARGET_PRIVATE', (at) => [mx(at('bounce'), at('in')), address(at('in'), '10.0.0.1')]],
  ['mail_from_mx', 'MX_MISSING', (at) => [txt(at('bounce'), SPF)]],
  ['mail_from_mx', 'NULL_MX', (at) => [mx(at('bounce'), '.')]],
  ['mail_from_spf', 'SPF_PUBLISHED', (at) => [txt(at('bounce'), SPF), txt(at('bounce'), 'other')]],
  ['mail_from_spf', 'SPF_MISSING', (at) => [txt(at('bounce'), 'other')]],
  ['mail_from_spf', 'SPF_INCLUDE_BROKEN', (at) => [txt(at('bounce'), 'v=spf1 include:gone.nowhere.test ~all')]],
  ['mail_from_spf', 'SPF_NOT_ASKED', (at) => [txt(at('bounce'), 'v=spf1 include:spf.silent.invalid ~all')]],

  ['dmarc', 'DMARC_APPLIES', (at) => [txt(at('_dmarc'), NONE)]],
  ['dmarc', 'DMARC_APPLIES', (at) => [cname(at('_dmarc'), '_dmarc.hosted.reports.test')]],
  ['dmarc', 'DMARC_ABSENT', () => []],
  ['dmarc', 'DMARC_AT_DOMAIN', (at) => [txt(at('@'), NONE)]],
  ['dmarc', 'NAME_DOUBLED', (at) => [txt(`${at('_dmarc')}.${at('@')}`, REJECT)]],
  ['dmarc', 'UNDERSCORE_LOST', (at) => [txt(at('dmarc'), REJECT)]],
  ['dmarc', 'UNDERSCORE_DOUBLED', (at) => [txt(at('_dmarc._dmarc'), REJECT)]],
  ['dmarc', 'UNDERSCORE_DOUBLED', (at) => [txt(at('__dmarc'), REJECT)]],
  ['dmarc', 'CNAME_AND_OTHER', (at) => [txt(at('_dmarc'), NONE), cname(at('_dmarc'), '_dmarc.hosted.reports.test')]],
  ['dmarc', 'DMARC_REPORTS_REFUSED', (at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@refuses.reports.test`)]],
  ['dmarc', 'DMARC_REPORTS_LOST', (at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@${at('nowhere')}`)]],

  ['from_soa', 'SOA_FOUND', () => []],
  ['from_soa', 'SOA_FOUND', (at) => [mx(at('news'), 'feedback.provider.test')], { from: 'news' }],
  ['from_soa', 'SOA_NOT_FOUND', () => [], { from: 'news' }],
  ['from_host', 'FROM_HOST_FOUND', (at) => [mx(at('@'), 'feedback.provider.test')]],
  ['from_host', 'FROM_HOST_FOUND', (at) => [address(at('@'), '192.0.2.1')]],
  ['from_host', 'FROM_HOST_FOUND', (at) => [{ type: 'AAAA', name: at('@'), data: '2001:db8::1' }]],
  ['from_host', 'FROM_HOST_FOUND', (at) => [cname(at('news'), 'feedback.provider.test')], { from: 'news' }],
  ['from_host', 'FROM_HOST_ABSENT', (at) => [txt(at('@'), 'other')]],
  ['from_host', 'FROM_NULL_MX', (at) => [mx(at('@'), '.'), address(at('@'), '192.0.2.1')]],
  ['mail_from_soa', 'SOA_FOUND', (at) => [txt(at('bounce'), SPF)]],
  ['mail_from_soa', 'SOA_NOT_FOUND', WITHOUT_SOA],

  ['alignment', 'ALIGNED', (at) => [txt(at('_dmarc'), NONE)]],
  ['alignment', 'ALIGNED_BY_DKIM', (at) => [txt(at('_dmarc'), NONE)], { mailFrom: null }],
  ['alignment', 'DKIM_NOT_LISTED', (at) => [txt(at('_dmarc'), NONE)], { records: [] }],

  ['delegation', 'DELEGATION_RIGHT', () => []],
  ['delegation', 'DELEGATION_DIFFERS', ONLY_FIRST],
  ['delegation', 'DELEGATION_LAME', LAME_SECOND],
  ['delegation', 'SOME_UNSIGNED', UNSIGNED_SECOND],
  ['delegation', 'ZONE_IS_ALIAS', (at) => [cname(at('@'), 'shops.test')]],
])('%s: %s, as it is published', async (about, code, zone, sending) => {
  if (code === 'SPF_NOT_ASKED')
    dns.misbehave[RESOLVER] = ({ name }) => (name.endsWith('invalid') ? { flags: RCODES.SERVFAIL } : undefined);
  const { [about]: finding } = await advise(zone, sending);
  expect(finding).toMatchObject({ code, expected: null, until: null });
  expect(['ok', 'warn', 'fail', 'unknown']).toContain(finding?.result);
});

test('a name server that this machine cannot reach is not said to answer', async () => {
  const { delegation } = await advise(UNREACHED);
  const [zone, ns6] = [delegation?.zone, `ns6.${delegation?.zone}`];
  expect(delegation).toMatchObject({ result: 'ok', code: 'DELEGATION_RIGHT', turn: null });
  expect(delegation?.diagnosis).toBe(
    `The registrar and ${zone} itself list the same name servers: ns1.host.test, ns2.host.test, ${ns6}. It isn't known whether ${ns6} responds.`,
  );
  expect(delegation?.evidence.map(({ server, answer }) => [server, answer])).toContainEqual([ns6, 'no route']);
});

test('an owner who meant to reject is never offered less', async () => {
  const doubled = await advise((at) => [txt(`${at('_dmarc')}.${at('@')}`, REJECT)]);
  expect(doubled.dmarc?.fix).toMatchObject({ host: '_dmarc', value: REJECT });
  const lost = await advise((at) => [txt(at('dmarc'), REJECT)]);
  expect(lost.dmarc?.fix).toMatchObject({ host: '_dmarc', value: REJECT });
  const unclear = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=block')]);
  expect(unclear.dmarc).toMatchObject({ code: 'DMARC_SYNTAX', fix: null });
});

test('a record to type is whole, and keeps what its owner decided', async () => {
  const absent = await advise((at) => [txt(at('_dmarc'), 'x')]);
  expect(absent.dmarc?.fix).toMatchObject({ type: 'TXT', host: '_dmarc', value: 'v=DMARC1; p=none' });
  const strict = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=reject; aspf=s')]);
  expect(strict.alignment?.fix).toMatchObject({ host: '_dmarc', value: 'v=DMARC1; p=reject; aspf=r' });
  const broken = await advise((at) => [txt(at('bounce'), 'v=spf1 include:gone.nowhere.test -all')]);
  expect(broken.mail_from_spf).toMatchObject({ dig: expect.stringMatching(/ gone\.nowhere\.test TXT$/) });
  expect(broken.mail_from_spf?.evidence.at(-1)?.answer).toBe('NXDOMAIN');
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@refuses.reports.test`)]);
  expect(dmarc).toMatchObject({ turn: 'report_receiver' });
  expect(dmarc?.fix).toMatchObject({
    host: `${lastZone()}._report._dmarc.refuses`,
    name: `${lastZone()}._report._dmarc.refuses.reports.test`,
    value: 'v=DMARC1',
  });
});

// Each row: the record of the domain, and what is said about mail from a name below it that has no addresses.
test.each([
  ['v=DMARC1; p=none; sp=quarantine; np=reject', 'reject mail that fails (np=reject)'],
  ['v=DMARC1; p=none; sp=quarantine', 'treat mail that fails as suspicious (sp=quarantine)'],
  ['v=DMARC1; p=reject; t=y', 'treat mail that fails as suspicious (p=reject, one step weaker because of t=y)'],
  ['v=DMARC1', 'Some receivers treat it as p=none; others ignore the record.'],
])('the policy of %s is told', async (record, said) => {
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), record)], { from: 'mail', mailFrom: null });
  expect(dmarc?.diagnosis).toContain(said);
});

test('where the walk gets no answer, only what is known without it is said', async () => {
  dns.misbehave[RESOLVER] = ({ name }) => (name === '_dmarc.test' ? { flags: RCODES.SERVFAIL } : undefined);
  const inherited = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=none')], { from: 'mail' });
  expect([inherited.dmarc?.code, inherited.alignment?.code]).toEqual(['NOT_ASKED', 'NOT_ASKED']);
  const reports = await advise((at) => [txt(at('_dmarc'), `${NONE}; rua=mailto:a@refuses.reports.test`)]);
  expect([reports.dmarc?.code, reports.alignment?.code]).toEqual(['DMARC_APPLIES', 'NOT_ASKED']);
  expect(reports.dmarc?.diagnosis).toContain("Couldn't check whether refuses.reports.test gets its reports.");
});

const MAIL_FROM: BuildZone = (at) => [mx(at('bounce'), 'feedback.provider.test'), txt(at('bounce'), SPF)];

test('what is listed is checked as a record and not repeated as advice, but its policy is', async () => {
  const records: SendingSetup['records'] = [
    ['MX', 'bounce', '10 feedback.provider.test'],
    ['TXT', 'bounce', SPF],
    ['TXT', '_dmarc', 'v=DMARC1; p=none'],
  ];
  const always = ['delegation', 'from_host', 'from_soa', 'mail_from_soa'];
  expect(Object.keys(await advise(MAIL_FROM, { records })).toSorted()).toEqual(always);
  const published: BuildZone = (at) => [...MAIL_FROM(at), txt(at('_dmarc'), 'v=DMARC1; p=reject')];
  expect(Object.keys(await advise(published, { records })).toSorted()).toEqual(
    ['alignment', 'dmarc', ...always].toSorted(),
  );
});

test('a record that is right is found once, so a change of it is one change', async () => {
  const at = publishZone(dns, (name) => [
    ...RIGHT_ZONE(name),
    ...MAIL_FROM(name),
    txt(name('_dmarc'), NONE),
    mx(name('@'), 'mail.provider.test'),
  ]);
  const key = { ...K1, name: at(K1.name), is_valid: null };
  const policy = { type: 'TXT', name: at('_dmarc'), value: NONE, is_valid: null };
  for (const listed of [[key, policy], [key]]) {
    const domain = { name: at('@'), mail_from_domain: at('bounce'), dns: listed };
    const lines = await Array.fromAsync(checkDomain(dns.dnsClient(), domain, { onError: onFault }));
    expect(lines.filter(({ finding }) => finding.result !== 'ok').map(({ finding }) => finding.code)).toEqual([]);
    const found = lines.flatMap(({ finding }) => finding.found);
    expect(found).toContain(NONE);
    expect(found).toContain('10 mail.provider.test');
    expect(found.filter((value, index) => found.indexOf(value) !== index)).toEqual([]);
  }
});

test('of a domain that nobody registered, advice says that, with the cause of its records', async () => {
  const domain = {
    name: 'unregistered.test',
    mail_from_domain: 'bounce.unregistered.test',
    dns: [{ ...K1, name: 'k1._domainkey.unregistered.test', is_valid: null }],
  };
  const lines = await Array.fromAsync(checkDomain(dns.dnsClient(), domain, { onError: onFault }));
  const wrong = lines.filter(({ finding }) => finding.result === 'fail' || finding.result === 'warn');
  expect(wrong.map(({ kind }) => kind)).toContain('advice');
  expect(new Set(wrong.map(({ finding }) => `${finding.code} ${finding.cause}`))).toEqual(
    new Set(['DOMAIN_NOT_DELEGATED registrar:unregistered.test']),
  );
});

/** Checks everything of a domain, and returns the queries after the last record. */
async function askedForAdvice(zone: BuildZone, from = '@'): Promise<{ lines: string[]; asked: string[] }> {
  const at = publishZone(dns, zone);
  const domain = { name: at(from), mail_from_domain: at('bounce'), dns: [{ ...K1, is_valid: null }] };
  const lines: string[] = [];
  let before = 0;
  for await (const line of checkDomain(dns.dnsClient(), domain, { onError: onFault })) {
    if (line.kind !== 'watch') lines.push(line.kind === 'record' ? 'record' : line.finding.code);
    if (line.kind === 'record') before = dns.queries.length;
  }
  return { lines, asked: dns.queries.slice(before) };
}

test('advice comes after the records, and following an SPF record comes last, with 25 questions at most', async () => {
  const includes = Array.from({ length: 10 }, (_, index) => `i${index}`);
  const { lines, asked } = await askedForAdvice(
    (at) => [
      txt(at('bounce'), `v=spf1 ${includes.map((host) => `include:${at(host)}`).join(' ')} ~all`),
      ...includes.map((host) => txt(at(host), 'v=spf1 mx -all')),
      ...includes.map((host) => mx(at(host), at('mail'))),
      address(at('mail'), '192.0.2.1'),
    ],
    'a.b.c.d.e.f.g.h',
  );
  expect([lines.at(0), ...lines.slice(1, -1).toSorted(), lines.at(-1)]).toEqual([
    'record',
    'DELEGATION_RIGHT',
    'DMARC_ABSENT',
    'FROM_HOST_ABSENT',
    'MX_MISSING',
    'SOA_FOUND',
    'SOA_NOT_FOUND',
    'SPF_TOO_MANY_LOOKUPS',
  ]);
  expect(asked.length).toBeLessThanOrEqual(40 + 25 + 60);
});

test('advice on a domain of the usual kind takes eighteen questions', async () => {
  const { asked } = await askedForAdvice((at) => [...MAIL_FROM(at), txt(at('_dmarc'), NONE), mx(at('@'), at('mail'))]);
  expect(asked).toHaveLength(18);
});

test('questions that are used up make advice unknown, not missing', async () => {
  const found = await advise(() => [], {}, { limits: { questionsPerDomain: 8 } });
  const codes = ['dmarc', 'alignment', 'mail_from_mx', 'mail_from_spf'].map((about) => found[about]?.code);
  expect(codes.every((code) => code === 'NOT_ASKED')).toBe(true);
  expect(found.mail_from_spf?.diagnosis).toContain('too many questions');
});

const ofZone = ({ name }: { name: string }) => name.endsWith(lastZone());
test.for([
  ['resolvers', () => true, [RESOLVER]],
  ['resolvers that can’t reach its name servers', ofZone, [RESOLVER, NS1, NS2]],
  ['name servers', ofZone, [NS1, NS2]],
] as const)('while %s don’t respond, the delegation is unknown, not missing', async ([, isSilent, servers]) => {
  for (const server of servers) dns.misbehave[server] = (asked) => (isSilent(asked) ? 'silence' : undefined);
  const { delegation } = await advise(() => [], { records: [] });
  expect(delegation).toMatchObject({ result: 'unknown', code: 'NOT_ASKED' });
});

test('a name server that was still to answer when the time was over is not said to be at fault', async () => {
  dns.misbehave[NS2] = ({ type }) => (type === 'SOA' ? 'silence' : undefined);
  const { delegation } = await advise(() => [], { records: [] }, { limits: { timeout: 5000, deadline: 1500 } });
  expect(delegation).toMatchObject({ code: 'DELEGATION_RIGHT' });
  expect(delegation?.diagnosis).toContain("It isn't known whether ns2.host.test responds.");
});

test('servers in charge are asked, so that no resolver remembers that there was nothing', async () => {
  await advise((at) => [txt(at('_dmarc'), NONE)], { from: 'mail', mailFrom: 'bounce' });
  const byResolver = dns.queries.filter((line) => line.startsWith(RESOLVER) && /bounce|_dmarc\.(mail|d\d)/.test(line));
  expect(byResolver).toEqual([]);
  dns.misbehave[NS1] = dns.misbehave[NS2] = () => ({ flags: RCODES.REFUSED });
  const { dmarc } = await advise((at) => [txt(at('_dmarc'), 'v=DMARC1; p=none')]);
  expect(dmarc).toMatchObject({ code: 'DMARC_APPLIES', dig: expect.stringContaining(`@${dns.addresses.resolver}`) });
});

// An attacker who guesses an id can forge a negative answer over UDP. It is confirmed over TCP before it is used.

function deny(forged: (name: string) => boolean): void {
  for (const server of [NS1, NS2, RESOLVER]) {
    dns.misbehave[server] = ({ name }, isTcp) => (!isTcp && forged(name) ? { flags: RCODES.NXDOMAIN } : undefined);
  }
}

test('a denial over UDP that somebody forged takes nothing away from a record', async () => {
  deny((name) => /^(_spf|k1\.dkim|feedback|_dmarc\.d\d+)\./.test(name));
  const own = SPF.replace('~all', 'include:@ ~all');
  const zone: BuildZone = (at) => [
    txt(at('bounce'), own.replace('@', at('_spf'))),
    txt(at('_spf'), 'v=spf1 ip4:198.51.100.7 -all'),
    cname(at('k1._domainkey'), 'k1.dkim.provider.test'),
    mx(at('bounce'), 'feedback.provider.test'),
    txt(at('_dmarc'), 'v=DMARC1; p=reject'),
  ];
  for (const listed of [BOUNCE_SPF, K1, MX])
    expect(await checkInZone(dns, zone, listed)).toMatchObject({ result: 'ok' });
  const { dmarc } = await advise(zone);
  expect(dmarc).toMatchObject({ code: 'DMARC_APPLIES', fix: null });
});

const adviseOnIncoming = (zone: BuildZone) => advise(zone, { advisesOnIncoming: true });
const MAIL = (at: (host: string) => string) => [mx(at('@'), 'feedback.provider.test')];

// Each row: the code, and what is published besides the MX of the domain.
test.each<['mta_sts' | 'tls_rpt' | 'dane', Code, BuildZone]>([
  ['mta_sts', 'MTA_STS_ABSENT', () => []],
  [
    'mta_sts',
    'MTA_STS_PUBLISHED',
    (at) => [txt(at('_mta-sts'), 'v=STSv1; id=2026;'), address(at('mta-sts'), '192.0.2.9')],
  ],
  ['mta_sts', 'MTA_STS_BROKEN', (at) => [txt(at('_mta-sts'), 'v=STSv1; id=2026;')]],
  [
    'mta_sts',
    'MTA_STS_BROKEN',
    (at) => [txt(at('_mta-sts'), 'v=STSv1; id=2026-11'), address(at('mta-sts'), '192.0.2.9')],
  ],
  ['tls_rpt', 'TLS_RPT_ABSENT', () => []],
  ['tls_rpt', 'TLS_RPT_PUBLISHED', (at) => [txt(at('_smtp._tls'), 'v=TLSRPTv1; rua=mailto:t@a.test,https://a.test/t')]],
  ['tls_rpt', 'TLS_RPT_BROKEN', (at) => [txt(at('_smtp._tls'), 'v=TLSRPTv1; rua=t@a.test')]],
  ['dane', 'DANE_ABSENT', () => []],
])('%s: %s', async (about, code, zone) => {
  const { [about]: finding } = await adviseOnIncoming((at) => [...MAIL(at), ...zone(at)]);
  expect(finding).toMatchObject({ code });
});

// RFC 7672: DANE counts with DNSSEC only, and with the usages 2 and 3.
test.each<[Code, usage: number, flags: number]>([
  ['DANE_PUBLISHED', 3, AUTHENTIC_DATA],
  ['DANE_BROKEN', 3, 0],
  ['DANE_BROKEN', 1, AUTHENTIC_DATA],
])('%s for the usage %i with the flags %i', async (code, usage, flags) => {
  const data = { usage, selector: 1, matchingType: 1, certificate: Buffer.alloc(32) };
  dns.misbehave[RESOLVER] = ({ name, type }) =>
    type === 'TLSA' ? { flags, answers: [{ type, name, ttl: 60, data }] } : undefined;
  expect((await adviseOnIncoming(MAIL)).dane).toMatchObject({ code });
});

test('a domain that receives no mail, or is not asked about it, gets no such advice', async () => {
  const about = new Set(['mta_sts', 'tls_rpt', 'dane']);
  expect(Object.keys(await adviseOnIncoming(() => [])).filter((one) => about.has(one))).toEqual([]);
  expect(Object.keys(await advise(MAIL)).filter((one) => about.has(one))).toEqual([]);
});

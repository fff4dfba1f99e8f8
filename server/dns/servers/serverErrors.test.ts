import { type Answer, AUTHORITATIVE_ANSWER, CHECKING_DISABLED } from 'dns-packet';
import { expect, test } from 'vitest';
import type { Code } from '../catalogue/catalogue.ts';
import type { DnsClientOptions } from '../conversation/dnsClient.ts';
import { RCODES, addZone, type Misbehaviour, NS1, NS2, RESOLVER, type TestDns } from '../../testing/testDns.ts';
import {
  address,
  BOUNCE_SPF,
  checkInZone,
  checkRecords,
  cname,
  K1,
  MX,
  mx,
  DMARC,
  POLICY,
  type ListedRecord,
  RIGHT_ZONE,
  SPF,
  txt,
  type BuildZone,
  createTestProvider,
} from '../../testing/testZone.ts';

// What resolvers and name servers do to a right record, or to a missing one.

const dns = createTestProvider();
addZone(dns, 'nested.test', [
  txt('outer.nested.test', 'v=spf1 include:net.nested.test -all'),
  ...['net', 'a-net'].map((host) => txt(`${host}.nested.test`, 'v=spf1 ip4:192.0.2.0/24 -all')),
  address('net.nested.test', '192.0.2.1'),
]);

type Fault = TestDns['misbehave'][string];

const KEY_NAME = /^k1\._domainkey\.d/;
const BOUNCE_NAME = /(^|\.)bounce\.d\d+\.test$/;
const IN_ZONE = /(^|\.)d\d+\.test$/;
const FEEDBACK = /^feedback\.provider\.test$/;
const SERVFAIL = { flags: RCODES.SERVFAIL };
const REFUSED = { flags: RCODES.REFUSED };
const NONE = { flags: RCODES.NXDOMAIN, authorities: [soa('test', 40)] };

function soa(name: string, minimum: number, serial = 7): Answer {
  const data = { mname: 'ns1.host.test', rname: 'h.test', serial, refresh: 1, retry: 1, expire: 1, minimum };
  return { type: 'SOA', name, ttl: 300, data };
}

/** What a server does about names like this. */
const about =
  (names: RegExp, fault: Misbehaviour): Fault =>
  ({ name }) =>
    names.test(name) ? fault : undefined;
/** Answers without validation only (RFC 4035, section 5.5). */
const bogus =
  (names: RegExp): Fault =>
  ({ name }, _, { flags = 0 }) =>
    names.test(name) && (flags & CHECKING_DISABLED) === 0 ? SERVFAIL : undefined;
const pointsTo =
  (data: string): Fault =>
  ({ name }) =>
    KEY_NAME.test(name) ? { answers: [{ type: 'CNAME', name, ttl: 30, data }] } : undefined;
/** The addresses of a host of this type only; queries for the other fail. */
const only =
  (wanted: 'A' | 'AAAA', data: string): Fault =>
  ({ name, type }) =>
    FEEDBACK.test(name)
      ? type === wanted
        ? { answers: [{ type: wanted, name, ttl: 60, data }] }
        : SERVFAIL
      : undefined;
const failing = (times: number): Fault => {
  let failed = 0;
  return ({ name, type }, _, { flags = 0 }) => {
    if (!FEEDBACK.test(name) || type === 'SOA' || (flags & CHECKING_DISABLED) !== 0) return undefined;
    return type === 'AAAA' || ++failed <= times ? SERVFAIL : undefined;
  };
};
const both = (fault: Fault) => ({ ns1: fault, ns2: fault });
/** All servers answer with these records, at the name that is asked for. */
function answer(...data: Answer[]): Record<string, Fault> {
  const by =
    (flags: number): Fault =>
    ({ name, type }) =>
      data.some((record) => record.type === type) && /^(bounce|_dmarc)\.d\d+\.test$/.test(name)
        ? { flags, answers: data.map((record) => ({ ...record, name, ttl: 60 }) as Answer) }
        : undefined;
  return { ...both(by(AUTHORITATIVE_ANSWER)), resolver: by(0) };
}

/** Has nothing, in this version of the zone. The other one has version 1. */
const nothingIn =
  (serial: number): Fault =>
  ({ name, type }) => {
    if (type === 'SOA') return { flags: AUTHORITATIVE_ANSWER, answers: [soa(name, 60, serial)] };
    const authorities = [soa(name.slice('k1._domainkey.'.length), 60, serial)];
    return KEY_NAME.test(name) ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN, authorities } : undefined;
  };
const TRANSFER =
  'ns2.host.test has none; ns1.host.test has the zone in version 1; ns2.host.test has the zone in version 0. Wait for the transfer; if it takes more than an hour, tell the DNS host.';
const twoSpf: Fault = ({ name, type }) =>
  type === 'TXT' && name.startsWith('bounce.d')
    ? { flags: AUTHORITATIVE_ANSWER, answers: [txt(name, SPF), txt(name, 'v=spf1 -all')] }
    : undefined;
/** Nor does the zone above answer. */
const bogusBelow: Fault = (question, isTcp, packet) =>
  bogus(IN_ZONE)(question, isTcp, packet) && (BOUNCE_NAME.test(question.name) ? SERVFAIL : REFUSED);
const unsignedSecond: Record<string, Fault> = {
  resolver: bogus(KEY_NAME),
  registry: ({ name, type }) =>
    type === 'DS'
      ? {
          flags: AUTHORITATIVE_ANSWER,
          answers: [
            { type, name, ttl: 60, data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) } },
          ],
        }
      : undefined,
  ns1: ({ name, type }) =>
    type === 'DNSKEY'
      ? {
          flags: AUTHORITATIVE_ANSWER,
          answers: [{ type, name, ttl: 60, data: { flags: 257, algorithm: 13, key: Buffer.alloc(64) } }],
        }
      : undefined,
};
const overUdp: Fault = ({ name }, isTcp) =>
  KEY_NAME.test(name) && !isTcp
    ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN, authorities: [soa(name.slice('k1._domainkey.'.length), 60)] }
    : undefined;
const forgedOnce = (): Fault => {
  let left = 1;
  return (question, isTcp, packet) =>
    !isTcp && KEY_NAME.test(question.name) && left-- > 0 ? overUdp(question, isTcp, packet) : undefined;
};
/** Has another target over TCP, or nothing. */
const overTcp =
  (target: string | null): Fault =>
  (question, isTcp, packet) => {
    const { name } = question;
    if (!isTcp || !KEY_NAME.test(name)) return undefined;
    if (target === null) return overUdp(question, false, packet);
    return { flags: AUTHORITATIVE_ANSWER, answers: [cname(name, target)] };
  };
const tooLarge: Fault = ({ name }, isTcp) => (KEY_NAME.test(name) ? (isTcp ? 'garbage' : 'truncated') : undefined);
const data = Buffer.from([0, 15, ...Buffer.from('by policy')]);
const additionals = [
  { type: 'OPT', name: '.', udpPayloadSize: 1232, options: [{ code: 15, data }] },
] as unknown as Answer[];

/** Denies the name above the record, which exists for the record below it (RFC 8020). */
const deniesAbove: Fault = ({ name }) =>
  name.startsWith('_domainkey.d')
    ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN, authorities: [soa(name.slice(11), 60)] }
    : undefined;

type More = { zone?: BuildZone; listed?: ListedRecord } & Partial<DnsClientOptions>;
const SPLIT: Answer = { type: 'TXT', name: '', data: ['v=spf1 ', SPF.slice(7)] };
const EMPTY: More = { zone: () => [] };
const SPF_THERE: More = { zone: (at) => [txt(at('bounce'), SPF)], listed: BOUNCE_SPF };
const SPF_ALONE: More = { ...EMPTY, listed: BOUNCE_SPF };
const VALID: More = { ...EMPTY, listed: { ...K1, is_valid: true } };
const MX_ALONE: More = { ...EMPTY, listed: MX };
const EXCHANGE: More = { zone: (at) => [mx(at('bounce'), 10, 'feedback.provider.test')], listed: MX };
const nested = (own: string, include: string): More => ({
  zone: (at) => [txt(at('bounce'), `v=spf1 ${own}include:${include}.nested.test ~all`)],
  listed: { ...BOUNCE_SPF, value: `v=spf1 include:${include}.nested.test ~all` },
});
/** The MAIL FROM name is a zone of its own. */
const OWN_ZONE: More = {
  zone: (at) => {
    addZone(dns, at('bounce'), [txt(at('bounce'), SPF)]);
    return [];
  },
  listed: BOUNCE_SPF,
};
/** Resolvers; nobody listens at the last one. */
const using = (...servers: ('resolver' | 'registry' | 'lame' | 'nobody')[]) => ({
  resolvers: servers.map((server) => ({
    address: server === 'nobody' ? '127.0.0.99' : dns.addresses[server],
    port: 53,
  })),
});

// Each row: what happens, what servers do, the code, what is said, and what else is special.
test.each<[string, Record<string, Fault>, Code, (string | RegExp)?, More?]>([
  ['a resolver remembers another value', { resolver: pointsTo('old.test') }, 'CACHED_OLD_VALUE', /^pending/],
  ['one of two resolvers is behind', { lame: about(KEY_NAME, NONE) }, 'CACHED_NEGATIVE', '', using('resolver', 'lame')],
  [
    'resolvers find nothing below a name that name servers deny',
    { ...both(deniesAbove), resolver: about(KEY_NAME, NONE) },
    'NAME_ABOVE_DENIED',
    /^fail dns_host .* ns1\.host\.test says that _domainkey\.d\d+\.test doesn't exist .*, any TXT record at _domainkey\.d/,
  ],
  [
    'one of two name servers denies it',
    { ns2: deniesAbove, resolver: about(KEY_NAME, NONE) },
    'NAME_ABOVE_DENIED',
    /ns2\.host\.test says/,
  ],
  ['only resolvers know what is valid', { resolver: pointsTo(K1.value) }, 'STILL_CACHED', /^fail/, VALID],
  // Resolvers ask any of the servers (RFC 1034, section 4.3.5).
  ['one name server is behind', { ns2: nothingIn(0) }, 'SOME_NAMESERVERS_WRONG', TRANSFER],
  ['it is ahead', { ns2: nothingIn(7) }, 'PRIMARY_WRONG', /^fail owner .*ns2\.host\.test, where it's wrong, has/],
  ['one name server has two', { ns2: twoSpf }, 'SOME_NAMESERVERS_WRONG', /^pending dns_host/, SPF_THERE],
  ['they deny it over UDP only', both(overUdp), 'UDP_AND_TCP_DIFFER', /^fail dns_host .* over TCP but not over UDP/],
  [
    'one of them does',
    { ns2: overUdp },
    'UDP_AND_TCP_DIFFER',
    /^fail dns_host ns2\.host\.test has the record over TCP/,
  ],
  ['one of them did once', { ns2: forgedOnce() }, 'MATCH'],
  ['they deny it over TCP only', both(overTcp(null)), 'WRONG_OVER_TCP', /^warn dns_host .*TCP \(nothing there\)/],
  ['one has another over TCP', { ns2: overTcp('old.test') }, 'WRONG_OVER_TCP', /^warn dns_host ns2.*TCP \(old\.test\)/],
  ['a firewall drops TCP', both((_, isTcp) => (isTcp ? 'silence' : undefined)), 'MATCH'],
  ['one that refuses does not vote', { ns2: () => REFUSED }, 'SOME_NAMESERVERS_SILENT', 'ns2.host.test: REFUSED'],
  ['one is not in charge', { ns2: about(KEY_NAME, NONE) }, 'SOME_NAMESERVERS_SILENT', 'ns2.host.test: not in charge'],
  [
    'all refuse',
    { ...both(() => REFUSED), resolver: about(IN_ZONE, SERVFAIL) },
    'LAME_DELEGATION',
    /^fail owner.*\(ns1\.host\.test: /,
  ],
  ['all fail', { ...both(() => SERVFAIL), resolver: about(IN_ZONE, SERVFAIL) }, 'NAMESERVERS_FAIL', /^fail dns_host/],
  [
    'all are silent',
    { ...both(() => 'silence'), resolver: about(IN_ZONE, SERVFAIL) },
    'NAMESERVERS_SILENT',
    /^unknown/,
  ],
  ['garbage is not believed', both(() => 'garbage'), 'NAME_MISSING', '', EMPTY],

  // RFC 2181, section 5: a set has no duplicates.
  ['SPF twice', answer(txt('', SPF), txt('', SPF)), 'MATCH', '', SPF_ALONE],
  ['DMARC twice', answer(txt('', DMARC), txt('', DMARC)), 'MATCH', '', { ...EMPTY, listed: POLICY }],
  ['an MX twice', answer(...['f', 'F'].map((f) => mx('', 10, `${f}eedback.provider.test`))), 'MATCH', '', MX_ALONE],
  // They differ in their data, so that there are two for RFC 7208, section 4.5.
  ['SPF split otherwise', answer(txt('', SPF), SPLIT), 'SEVERAL_SPF', '', SPF_ALONE],

  // Nobody knows then whether mail arrives (RFC 5321, section 5.1).
  [
    'nobody answers for the host of an MX',
    { resolver: about(FEEDBACK, REFUSED) },
    'TARGET_NOT_ASKED',
    /^unknown checker .*: REFUSED\)/,
    EXCHANGE,
  ],
  ['silence about it', { resolver: about(FEEDBACK, 'silence') }, 'TARGET_NOT_ASKED', ': timeout)', EXCHANGE],
  [
    'only its IPv4 addresses',
    { resolver: only('A', '10.0.0.1') },
    'TARGET_NOT_ASKED',
    'feedback.provider.test AAAA',
    EXCHANGE,
  ],
  ['only its IPv6 addresses', { resolver: only('AAAA', '2001:db8::25') }, 'MATCH', '', EXCHANGE],
  ['it fails each time', { resolver: failing(Infinity) }, 'TARGET_BOGUS', /^fail/, EXCHANGE],
  ['it failed once', { resolver: failing(1) }, 'TARGET_NOT_ASKED', /^unknown/, EXCHANGE],
  ['DNSSEC behind the include', { resolver: bogus(/^net\./) }, 'TARGET_BOGUS', /^fail provider/, nested('', 'outer')],
  [
    'DNSSEC as well',
    { resolver: bogus(/^net\./) },
    'TARGET_BOGUS',
    /^fail owner/,
    nested('a:net.nested.test ', 'a-net'),
  ],

  // The registrar has a DS record, and one of the servers has no signatures: resolvers fail there.
  [
    'one name server without signatures',
    unsignedSecond,
    'SOME_UNSIGNED',
    /^warn dns_host .* ns2\.host\.test serves it/,
  ],
  [
    'DNSSEC of a name',
    { resolver: bogus(KEY_NAME) },
    'DNSSEC_BOGUS',
    /C of d\d+\.test .* at the registrar, .*\+cdflag/,
  ],
  [
    'of a zone below',
    { resolver: bogus(BOUNCE_NAME) },
    'DNSSEC_BOGUS',
    /C of bounce\..* record in d\d+\.test, /,
    OWN_ZONE,
  ],
  ['of two zones', { resolver: bogus(IN_ZONE) }, 'DNSSEC_BOGUS', /C of d\d+\.test .* at the registrar, /, OWN_ZONE],
  ['below nobody', { resolver: bogusBelow }, 'DNSSEC_BOGUS', /C of bounce\..* in the zone above, /, OWN_ZONE],
  [
    'silence about one domain',
    { resolver: about(IN_ZONE, 'silence') },
    'RESOLVER_FAILS',
    '',
    { authoritativeMode: 'off' },
  ],
  ['silence', { resolver: () => 'silence' }, 'RESOLVER_UNREACHABLE', /^unknown checker/],
  [
    'silence to the end',
    { resolver: about(IN_ZONE, 'silence') },
    'OUT_OF_TIME',
    /^unknown/,
    { limits: { deadline: 500 } },
  ],
  ['nobody listens', {}, 'RESOLVER_UNREACHABLE', 'connection refused', using('nobody')],
  ['nobody listens at the first of two', {}, 'MATCH', '', using('nobody', 'resolver')],
  ['a resolver refuses', { resolver: () => REFUSED }, 'RESOLVER_FAILS', /^unknown .*REFUSED/],
  ['a resolver refers to others', {}, 'RESOLVER_FAILS', 'answers with a referral to other servers', using('registry')],
  [
    'a resolver filters',
    { resolver: about(KEY_NAME, { ...NONE, additionals }) },
    'BLOCKED_BY_FILTER',
    /^unknown .*by policy/,
  ],
  ['an answer does not come over TCP', { resolver: tooLarge }, 'ANSWER_TOO_LARGE', /^unknown/],
])('%s', async (_, faults, code, said = '', { zone = RIGHT_ZONE, listed = K1, ...options } = {}) => {
  Object.assign(dns.misbehave, faults);
  const { result, turn, diagnosis, dig, ...finding } = await checkInZone(dns, zone, listed, dns.dnsClient(options));
  expect(finding.code).toBe(code);
  expect(`${result} ${turn} ${diagnosis} ${dig}`).toMatch(said);
  if (result !== 'fail') expect(finding.fix).toBeNull();
});

test('a resolver that asked too early is waited for, as long as its answer says', async () => {
  dns.misbehave[RESOLVER] = about(KEY_NAME, NONE);
  const { until, evidence, ...finding } = await checkInZone(dns, RIGHT_ZONE, K1);
  expect(finding).toMatchObject({ result: 'pending', code: 'CACHED_NEGATIVE', turn: null, fix: null });
  expect(Date.parse(until ?? '') - Date.parse(evidence.at(-1)?.at ?? '')).toBe(40_000);
});

test('no resolver is asked for a record that its name servers do not have', async () => {
  await checkInZone(dns, () => [], K1);
  expect(dns.queries.filter((line) => line.startsWith(`${RESOLVER} k1._domainkey.d`))).toEqual([]);
});

test('a resolver that was silent is not waited for again while another one answers', async () => {
  dns.misbehave.lame = () => 'silence';
  await checkInZone(dns, RIGHT_ZONE, K1, dns.dnsClient(using('lame', 'resolver')));
  expect(new Set(dns.queries.filter((line) => line.startsWith('lame'))).size).toBe(1);
});

// Each row: who is silent, how many records there are, their code, and the time for the domain; 600 ms are for a question.
test.each<[silent: RegExp, records: number, code: string, deadline: number]>([
  [/^(ns[12]|resolver .*many)/, 12, 'NAMESERVERS_SILENT', 2000],
  [/^ns2/, 8, 'SOME_NAMESERVERS_SILENT', 10_000],
  [/^(ns[12]|registry)/, 20, 'MATCH', 2400],
])('where %s are silent, %i records take little time', async (silent, count, code, deadline) => {
  for (const server of [NS1, NS2, 'registry', RESOLVER]) {
    dns.misbehave[server] = ({ name }) => (silent.test(`${server} ${name}`) ? 'silence' : undefined);
  }
  const name = `many${count}.test`;
  const hosts = Array.from({ length: count }, (_, index) => `k${index}._domainkey.${name}`);
  addZone(dns, name, code === 'NAMESERVERS_SILENT' ? [] : hosts.map((host) => cname(host, K1.value)));
  const records = await checkRecords(dns.dnsClient({ limits: { timeout: 600, deadline } }), {
    name,
    mail_from_domain: null,
    dns: hosts.map((host) => ({ ...K1, name: host, is_valid: false })),
  });
  expect(new Set(records.map(({ finding }) => finding.code))).toEqual(new Set([code]));
  // Four at once had to detect it.
  const asked = new Set(dns.queries.filter((line) => line.startsWith(`${NS2} k`)));
  if (count === 8) expect(asked.size).toBe(4);
});

import { type Answer, AUTHORITATIVE_ANSWER, CHECKING_DISABLED, type Packet } from 'dns-packet';
import { beforeAll, describe, expect, test } from 'vitest';
import { RCODES } from './nameServer.ts';
import { addZone, NS1, NS2, RESOLVER } from '../testing/testDns.ts';
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
  nextZone,
  POLICY,
  type ListedRecord,
  RIGHT_ZONE,
  SPF,
  txt,
  type BuildZone,
  startTestProvider,
} from '../testing/testZone.ts';

// What resolvers and name servers do to a right record, or to a missing one.

const dns = startTestProvider();

const soon = { limits: { timeout: 600 } };
const check = (zone: BuildZone, listed: ListedRecord = K1, client = dns.dnsClient()) =>
  checkInZone(dns, zone, listed, client);

const LARGE: BuildZone = (at) => [
  txt(at('bounce'), SPF),
  ...Array.from({ length: 30 }, (_, index) => txt(at('bounce'), `verification-${index}=${'x'.repeat(60)}`)),
];
const BOUNCE_ZONE: BuildZone = (at) => [mx(at('bounce'), 10, 'feedback.provider.test')];
const isAbout = (name: string, host = 'k1._domainkey') => name.startsWith(`${host}.d`);
const NONE = { flags: RCODES.NXDOMAIN, authorities: [soa('test', 40)] };

function soa(zone: string, minimum: number): Answer {
  const data = { mname: 'ns1.host.test', rname: 'h.test', serial: 7, refresh: 1, retry: 1, expire: 1, minimum };
  return { type: 'SOA', name: zone, ttl: 300, data };
}

/** Addresses of resolvers; the last one has no listener. */
const endpoints = (...servers: ('resolver' | 'registry' | 'lame' | 'nobody')[]) =>
  servers.map((server) => ({ address: server === 'nobody' ? '127.0.0.99' : dns.addresses[server], port: 53 }));

describe('memory', () => {
  test('a resolver that asked too early is waited for, as long as its answer says', async () => {
    dns.misbehave[RESOLVER] = ({ name }) => (isAbout(name) ? NONE : undefined);
    const before = Date.now();
    const { result, code, turn, until, fix } = await check(RIGHT_ZONE);
    expect({ result, code, turn, fix }).toEqual({ result: 'pending', code: 'CACHED_NEGATIVE', turn: null, fix: null });
    expect(Date.parse(until ?? '') - before).toBeGreaterThanOrEqual(40_000);
    expect(Date.parse(until ?? '') - before).toBeLessThan(45_000);
  });

  test('a resolver that remembers another value is waited for', async () => {
    dns.misbehave[RESOLVER] = ({ name }) =>
      isAbout(name) ? { answers: [{ ttl: 30, ...cname(name, 'old.provider.test') } as Answer] } : undefined;
    expect(await check(RIGHT_ZONE)).toMatchObject({ code: 'CACHED_OLD_VALUE', found: ['old.provider.test'] });
  });

  test('one of two resolvers that remembers the old answer is enough to wait', async () => {
    dns.misbehave.lame = ({ name }) =>
      isAbout(name) ? NONE : { answers: [{ ...cname('x.test', 'y.test') }], flags: 0 };
    const client = dns.dnsClient({ resolvers: endpoints('resolver', 'lame') });
    const { code, evidence } = await check(RIGHT_ZONE, K1, client);
    expect(code).toBe('CACHED_NEGATIVE');
    expect(evidence.map(({ answer }) => answer)).toEqual(['NOERROR', 'NOERROR', 'NOERROR', 'NXDOMAIN']);
  });

  test('what the service found valid and only resolvers still know is an alarm', async () => {
    dns.misbehave[RESOLVER] = ({ name }) =>
      isAbout(name) ? { answers: [{ ttl: 30, ...cname(name, 'k1.dkim.provider.test') } as Answer] } : undefined;
    expect(await check(() => [], { ...K1, is_valid: true })).toMatchObject({ result: 'fail', code: 'STILL_CACHED' });
  });

  test('no resolver is asked for a record that its name servers do not have', async () => {
    await check(() => []);
    expect(dns.queries.filter((line) => line.startsWith(`${RESOLVER} k1._domainkey.d`))).toEqual([]);
  });
});

describe('name servers', () => {
  test('one without the record is named, with the versions of the zone', async () => {
    dns.misbehave[NS2] = ({ name, type }) => {
      if (type === 'SOA') return { flags: AUTHORITATIVE_ANSWER, answers: [soa(name, 60)] };
      const authorities = [soa(name.slice('k1._domainkey.'.length), 60)];
      return isAbout(name) ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN, authorities } : undefined;
    };
    const { result, code, turn, diagnosis, until } = await check(RIGHT_ZONE);
    // Resolvers ask any of the servers (RFC 1034, section 4.3.5).
    expect({ result, code, turn }).toEqual({ result: 'pending', code: 'SOME_NAMESERVERS_WRONG', turn: 'dns_host' });
    expect(until).toBeNull();
    expect(diagnosis).toContain(
      'ns2.host.test has none; ns1.host.test has the zone in version 1; ns2.host.test has the zone in version 7. Wait for the transfer; if it takes more than an hour, tell the DNS host.',
    );
  });

  test('one with two SPF records is waited for, too', async () => {
    dns.misbehave[NS2] = ({ name, type }) =>
      type === 'TXT' && isAbout(name, 'bounce')
        ? { flags: AUTHORITATIVE_ANSWER, answers: [txt(name, SPF), txt(name, 'v=spf1 -all')] }
        : undefined;
    expect(await check((at) => [txt(at('bounce'), SPF)], BOUNCE_SPF)).toMatchObject({
      result: 'pending',
      code: 'SOME_NAMESERVERS_WRONG',
      found: [SPF],
      fix: null,
    });
  });

  test('one that refuses does not vote', async () => {
    dns.misbehave[NS2] = () => ({ flags: RCODES.REFUSED });
    expect(await check(RIGHT_ZONE)).toMatchObject({
      code: 'SOME_NAMESERVERS_SILENT',
      diagnosis: expect.stringContaining('ns2.host.test: REFUSED'),
    });
  });

  test('one that does not say that it is in charge is not believed', async () => {
    dns.misbehave[NS2] = ({ name }) => (isAbout(name) ? NONE : undefined);
    expect(await check(RIGHT_ZONE)).toMatchObject({
      code: 'SOME_NAMESERVERS_SILENT',
      diagnosis: expect.stringContaining('ns2.host.test: not in charge'),
    });
  });

  // Each row: what they do, the result, the code, who is responsible.
  test.each<[string, 'silence' | { flags: number }, object]>([
    ['refuse', { flags: RCODES.REFUSED }, { result: 'fail', code: 'LAME_DELEGATION', turn: 'owner' }],
    ['fail', { flags: RCODES.SERVFAIL }, { result: 'fail', code: 'NAMESERVERS_FAIL', turn: 'dns_host' }],
    ['are silent', 'silence', { result: 'unknown', code: 'NAMESERVERS_SILENT', turn: 'dns_host' }],
  ])('all that %s are told from a missing record', async (_, fault, expected) => {
    dns.misbehave[NS1] = dns.misbehave[NS2] = () => fault;
    dns.misbehave[RESOLVER] = ({ name }) => (/(^|\.)d\d+\.test$/.test(name) ? { flags: RCODES.SERVFAIL } : undefined);
    const { zone, ...finding } = await check(RIGHT_ZONE, K1, dns.dnsClient(soon));
    expect(finding).toMatchObject(expected);
    expect(finding.diagnosis).toContain(zone);
    expect(finding.diagnosis).toContain('(ns1.host.test: ');
    expect(finding.fix).toBeNull();
  });

  test('silence is no fault of theirs, also where there is no time to ask all of them again', async () => {
    dns.misbehave[NS1] = dns.misbehave[NS2] = () => 'silence';
    dns.misbehave[RESOLVER] = ({ name }) => (name.endsWith('silent.test') ? 'silence' : undefined);
    const name = 'silent.test';
    const hosts = Array.from({ length: 12 }, (_, index) => `k${index}._domainkey.${name}`);
    addZone(dns, name, []);
    // Twice for the resolver, once for the name servers, and a little more.
    const client = dns.dnsClient({ limits: { timeout: 600, deadline: 2000 } });
    const records = await checkRecords(client, {
      name,
      mail_from_domain: null,
      dns: hosts.map((host) => ({ ...K1, name: host, is_valid: false })),
    });
    expect(new Set(records.map(({ finding }) => finding.code))).toEqual(new Set(['NAMESERVERS_SILENT']));
  });

  test('one that was silent is not waited for again in the same run', async () => {
    dns.misbehave[NS2] = () => 'silence';
    const name = 'eight.test';
    const hosts = Array.from({ length: 8 }, (_, index) => `k${index}._domainkey.${name}`);
    addZone(
      dns,
      name,
      hosts.map((host) => cname(host, 'k1.dkim.provider.test')),
    );
    const records = await checkRecords(dns.dnsClient({ limits: { timeout: 1500 } }), {
      name,
      mail_from_domain: null,
      dns: hosts.map((host) => ({ ...K1, name: host, is_valid: false })),
    });
    expect(new Set(records.map(({ finding }) => finding.code))).toEqual(new Set(['SOME_NAMESERVERS_SILENT']));
    // Four at once had to detect it.
    const asked = dns.queries.filter((line) => line.startsWith(`${NS2} k`));
    expect(new Set(asked).size).toBe(4);
  });

  test('where none can be reached from here, resolvers are believed about many records in little time', async () => {
    dns.misbehave.registry = dns.misbehave[NS1] = dns.misbehave[NS2] = () => 'silence';
    const name = 'twenty.test';
    const hosts = Array.from({ length: 20 }, (_, index) => `k${index}._domainkey.${name}`);
    addZone(
      dns,
      name,
      hosts.map((host) => cname(host, 'k1.dkim.provider.test')),
    );
    // Twice the time for a query, and as much for everything else.
    const client = dns.dnsClient({ limits: { timeout: 600, deadline: 2400 } });
    const records = await checkRecords(client, {
      name,
      mail_from_domain: null,
      dns: hosts.map((host) => ({ ...K1, name: host, is_valid: false })),
    });
    expect(new Set(records.map(({ finding }) => finding.code))).toEqual(new Set(['MATCH']));
  });

  // BADVERS has its upper bits in the OPT record (RFC 6891, section 6.1.3).
  const badVersion = { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 1, ednsVersion: 0, options: [] };
  test.each<[string, Packet]>([
    ['FORMERR', { flags: RCODES.FORMERR }],
    ['BADVERS', { flags: AUTHORITATIVE_ANSWER, additionals: [badVersion as unknown as Answer] }],
  ])('one that cannot read a modern question, and says %s, is asked an old one', async (_, response) => {
    dns.misbehave[NS1] = (__, ___, { additionals = [] }) => (additionals.length > 0 ? response : undefined);
    const { code, evidence } = await check(RIGHT_ZONE);
    expect([code, ...evidence.map(({ answer }) => answer)]).toEqual(['MATCH', 'NOERROR', 'NOERROR', 'NOERROR']);
  });

  test.each(['garbage', 'wrong id', 'wrong question'] as const)('%s is not believed', async (fault) => {
    dns.misbehave[NS1] = dns.misbehave[NS2] = () => fault;
    const { code, evidence } = await check(() => [], K1, dns.dnsClient(soon));
    expect(code).toBe('NAME_MISSING');
    expect(evidence.map(({ answer }) => answer)).toEqual(['garbled', 'garbled', 'NXDOMAIN']);
  });
});

/** All servers answer with these records, at the name that is queried. */
const answerTwice = (...data: Answer[]) => {
  for (const server of [NS1, NS2, RESOLVER]) {
    dns.misbehave[server] = ({ name, type }) =>
      data.some((record) => record.type === type) && /^(bounce|_dmarc)\.d\d+\.test$/.test(name)
        ? {
            flags: server === RESOLVER ? 0 : AUTHORITATIVE_ANSWER,
            answers: data.map((record) => ({ ...record, name, ttl: 60 }) as Answer),
          }
        : undefined;
  }
};

describe('a record that is twice in an answer', () => {
  // RFC 2181, section 5: a set has no duplicates.
  test.each<[string, ListedRecord, string[], Answer[]]>([
    ['SPF', BOUNCE_SPF, [SPF], [txt('', SPF), txt('', SPF)]],
    ['DMARC', POLICY, [DMARC], [txt('', DMARC), txt('', DMARC)]],
    ['MX', MX, [MX.value], [mx('', 10, 'feedback.provider.test'), mx('', 10, 'FEEDBACK.provider.test')]],
  ])('is one: %s', async (_, listed, found, answers) => {
    answerTwice(...answers);
    expect(await check(() => [], listed)).toMatchObject({ code: 'MATCH', found });
  });

  // They differ in their data, so that there are two for RFC 7208, section 4.5.
  test('is two where the text is split in another way', async () => {
    answerTwice(txt('', SPF), { type: 'TXT', name: '', data: ['v=spf1 ', SPF.slice('v=spf1 '.length)] });
    expect(await check(() => [], BOUNCE_SPF)).toMatchObject({ code: 'SEVERAL_SPF', found: [SPF, SPF] });
  });
});

describe('the host of an MX', () => {
  // Nobody knows then whether mail arrives (RFC 5321, section 5.1).
  test.each<['silence' | { flags: number }, string]>([
    [{ flags: RCODES.SERVFAIL }, 'SERVFAIL'],
    [{ flags: RCODES.REFUSED }, 'REFUSED'],
    ['silence', 'timeout'],
  ])('that cannot be asked for makes the record unknown', async (fault, reason) => {
    dns.misbehave[RESOLVER] = ({ name }) => (name === 'feedback.provider.test' ? fault : undefined);
    expect(await check(BOUNCE_ZONE, MX, dns.dnsClient(soon))).toMatchObject({
      result: 'unknown',
      code: 'TARGET_NOT_ASKED',
      turn: 'checker',
      diagnosis: expect.stringContaining(
        `feedback.provider.test could not be asked (${dns.addresses.resolver}: ${reason})`,
      ),
      dig: expect.stringContaining('feedback.provider.test A'),
    });
  });

  test('is asked for by the look-up that failed, and the record is not said to be right yet', async () => {
    dns.misbehave[RESOLVER] = ({ name, type }) => {
      if (name !== 'feedback.provider.test') return undefined;
      return type === 'AAAA' ? { flags: RCODES.SERVFAIL } : { answers: [address(name, '10.0.0.1')] };
    };
    const { code, diagnosis, dig } = await check(BOUNCE_ZONE, MX);
    expect(code).toBe('TARGET_NOT_ASKED');
    expect(diagnosis).not.toContain('right');
    expect(dig).toContain('feedback.provider.test AAAA');
  });

  // RFC 4035, section 5.5: SERVFAIL with validation, an answer without.
  test.each([
    ['that fails each time has broken DNSSEC', Number.POSITIVE_INFINITY, 'fail', 'TARGET_BOGUS'],
    ['that failed once is unknown', 1, 'unknown', 'TARGET_NOT_ASKED'],
  ])('%s', async (_, times, result, code) => {
    let failed = 0;
    dns.misbehave[RESOLVER] = ({ name, type }, __, { flags = 0 }) => {
      if (name !== 'feedback.provider.test' || type === 'SOA' || (flags & CHECKING_DISABLED) !== 0) return undefined;
      return type === 'AAAA' || ++failed <= times ? { flags: RCODES.SERVFAIL } : undefined;
    };
    expect(await check(BOUNCE_ZONE, MX)).toMatchObject({ result, code });
  });

  test('is right where only its IPv6 addresses can be asked for', async () => {
    dns.misbehave[RESOLVER] = ({ name, type }) => {
      if (name !== 'feedback.provider.test') return undefined;
      return type === 'AAAA'
        ? { answers: [{ type: 'AAAA', name, ttl: 60, data: '2001:db8::25' }] }
        : { flags: RCODES.SERVFAIL };
    };
    expect(await check(BOUNCE_ZONE, MX)).toMatchObject({ code: 'MATCH' });
  });
});

describe('what an SPF record leads to, with broken DNSSEC', () => {
  beforeAll(() =>
    addZone(dns, 'nested.test', [
      txt('outer.nested.test', 'v=spf1 include:net.nested.test -all'),
      ...['net', 'a-net'].map((host) => txt(`${host}.nested.test`, 'v=spf1 ip4:192.0.2.0/24 -all')),
      address('net.nested.test', '192.0.2.1'),
    ]),
  );

  test.each([
    ['behind the include of the provider', 'include:outer.nested.test', '', 'provider'],
    ['beside the include of the provider', 'include:a-net.nested.test', 'a:net.nested.test ', 'owner'],
  ])('%s', async (_, listed, own, turn) => {
    dns.misbehave[RESOLVER] = ({ name }, __, { flags = 0 }) =>
      name === 'net.nested.test' && (flags & CHECKING_DISABLED) === 0 ? { flags: RCODES.SERVFAIL } : undefined;
    const zone: BuildZone = (at) => [txt(at('bounce'), `v=spf1 ${own}${listed} ~all`)];
    const finding = await check(zone, { ...BOUNCE_SPF, value: `v=spf1 ${listed} ~all` });
    expect(finding).toMatchObject({ result: 'fail', code: 'TARGET_BOGUS', turn });
    expect(finding.diagnosis).toContain('leads to net.nested.test,');
  });
});

describe('resolvers', () => {
  test('DNSSEC that does not validate is told from a missing record', async () => {
    dns.misbehave[RESOLVER] = ({ name }, _, { flags = 0 }) =>
      isAbout(name) && (flags & CHECKING_DISABLED) === 0 ? { flags: RCODES.SERVFAIL } : undefined;
    expect(await check(RIGHT_ZONE)).toMatchObject({
      result: 'fail',
      code: 'DNSSEC_BOGUS',
      dig: expect.stringContaining('+cdflag'),
      diagnosis: expect.stringMatching(
        /^DNSSEC of d\d+\.test is broken: .* Renew or remove its DS record at the registrar, /,
      ),
    });
  });

  test.each<[string, (zone: string) => string]>([
    ['bounce.', (zone) => `Renew or remove its DS record in ${zone}, `],
    ['', () => 'Renew or remove its DS record at the registrar, '],
  ])('DNSSEC that breaks at "%s" of a domain is told of the highest zone that is broken', async (broken, remedy) => {
    const name = nextZone();
    addZone(dns, `bounce.${name}`, [txt(`bounce.${name}`, SPF)]);
    dns.misbehave[RESOLVER] = (question, _, { flags = 0 }) =>
      question.name.endsWith(broken + name) && (flags & CHECKING_DISABLED) === 0
        ? { flags: RCODES.SERVFAIL }
        : undefined;
    const { code, diagnosis } = await check(() => [], BOUNCE_SPF);
    expect(code).toBe('DNSSEC_BOGUS');
    expect(diagnosis).toContain(`DNSSEC of ${broken}${name} is broken`);
    expect(diagnosis).toContain(remedy(name));
  });

  test('a zone that could not be asked about is not said to be broken, nor who has the DS record below it', async () => {
    const name = nextZone();
    addZone(dns, `bounce.${name}`, [txt(`bounce.${name}`, SPF)]);
    dns.misbehave[RESOLVER] = (question, _, { flags = 0 }) => {
      if ((flags & CHECKING_DISABLED) !== 0) return undefined;
      if (question.name.endsWith(`bounce.${name}`)) return { flags: RCODES.SERVFAIL };
      return question.name === name ? { flags: RCODES.REFUSED } : undefined;
    };
    const { code, diagnosis } = await check(() => [], BOUNCE_SPF);
    expect(code).toBe('DNSSEC_BOGUS');
    expect(diagnosis).toContain(`DNSSEC of bounce.${name} is broken`);
    expect(diagnosis).toContain('Renew or remove its DS record where it is kept, ');
  });

  test('silence about one domain is not silence of the resolver', async () => {
    dns.misbehave[RESOLVER] = ({ name }) => (/d\d+\.test$/.test(name) ? 'silence' : undefined);
    const about = await check(RIGHT_ZONE, K1, dns.dnsClient({ ...soon, authoritativeMode: 'off' }));
    expect(about).toMatchObject({ result: 'unknown', code: 'RESOLVER_FAILS' });
    dns.misbehave[RESOLVER] = () => 'silence';
    const all = await check(RIGHT_ZONE, K1, dns.dnsClient(soon));
    expect(all).toMatchObject({ result: 'unknown', code: 'RESOLVER_UNREACHABLE', turn: 'checker' });
  });

  test('silence until the time for the domain is over is not taken for that of a closed port', async () => {
    dns.misbehave[RESOLVER] = ({ name }) => (/d\d+\.test$/.test(name) ? 'silence' : undefined);
    const short = dns.dnsClient({ limits: { timeout: 2000, deadline: 500 } });
    const { result, code, diagnosis } = await check(RIGHT_ZONE, K1, short);
    expect({ result, code }).toEqual({ result: 'unknown', code: 'OUT_OF_TIME' });
    expect(diagnosis).toContain('The time for checking the domain was over');
  });

  test('one where nobody listens makes everything unknown', async () => {
    const client = dns.dnsClient({ resolvers: endpoints('nobody') });
    const { result, code, evidence } = await check(RIGHT_ZONE, K1, client);
    expect({ result, code }).toEqual({ result: 'unknown', code: 'RESOLVER_UNREACHABLE' });
    expect(evidence).toMatchObject([{ address: '127.0.0.99', answer: 'connection refused', records: [] }]);
  });

  test('the second one is asked when the first does not answer', async () => {
    const client = dns.dnsClient({ resolvers: endpoints('nobody', 'resolver') });
    expect(await check(RIGHT_ZONE, K1, client)).toMatchObject({ code: 'MATCH' });
  });

  test('one that was silent is not waited for again while another one answers', async () => {
    const resolvers = endpoints('lame', 'resolver');
    dns.misbehave.lame = () => 'silence';
    const { code } = await check(RIGHT_ZONE, K1, dns.dnsClient({ resolvers, ...soon }));
    expect(code).toBe('MATCH');
    expect(new Set(dns.queries.filter((line) => line.startsWith('lame'))).size).toBe(1);
  });

  test.each(['REFUSED', 'NOTIMP'] as const)('%s is what the resolver does, and nothing is known', async (rcode) => {
    dns.misbehave[RESOLVER] = () => ({ flags: RCODES[rcode] });
    expect(await check(RIGHT_ZONE)).toMatchObject({
      result: 'unknown',
      code: 'RESOLVER_FAILS',
      diagnosis: expect.stringContaining(rcode),
    });
  });

  test('a server that only refers to others is no resolver', async () => {
    const client = dns.dnsClient({ resolvers: endpoints('registry') });
    expect(await check(RIGHT_ZONE, K1, client)).toMatchObject({
      result: 'unknown',
      code: 'RESOLVER_FAILS',
      diagnosis: expect.stringContaining('answers with a referral to other servers'),
    });
  });

  test('a filter is not taken for a missing record', async () => {
    const data = Buffer.from([0, 15, ...Buffer.from('by policy')]);
    const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, options: [{ code: 15, data }] };
    const additionals = [opt as unknown as Answer];
    dns.misbehave[RESOLVER] = ({ name }) => (isAbout(name) ? { ...NONE, additionals } : undefined);
    expect(await check(RIGHT_ZONE)).toMatchObject({
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
    expect(await check(RIGHT_ZONE)).toMatchObject({ result: 'unknown', code: 'ANSWER_TOO_LARGE' });
  });

  test('a datagram that got lost is sent again', async () => {
    const lost = new Set<string>();
    dns.misbehave[RESOLVER] = ({ name, type }) => {
      if (lost.has(name + type)) return undefined;
      lost.add(name + type);
      return 'silence';
    };
    expect(await check(RIGHT_ZONE, K1, dns.dnsClient(soon))).toMatchObject({ code: 'MATCH' });
  });
});

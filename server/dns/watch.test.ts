import { type Answer, AUTHORITATIVE_ANSWER } from 'dns-packet';
import { expect, test } from 'vitest';
import { NS1, NS2, RESOLVER, type TestDns } from '../testing/testDns.ts';
import { type BuildZone, createTestProvider, mx, onFault, publishZone } from '../testing/testZone.ts';
import { checkWholeDomain } from './checkDomain.ts';
import type { DnsClientOptions } from './conversation/dnsClient.ts';

const dns = createTestProvider();

type Fault = TestDns['misbehave'][string];
const NONE: BuildZone = () => [];
const MAIL: BuildZone = (at) => [mx(at('@'), 20, 'MX2.provider.test'), mx(at('@'), 10, 'mx1.provider.test')];
const DIGEST = 'AB'.repeat(32);

/** What is watched of a domain, as its code and the values found. */
async function watch(zone: BuildZone, options: Partial<DnsClientOptions> = {}, host = '@') {
  const at = publishZone(dns, zone);
  const domain = { name: at(host), mail_from_domain: null, dns: [] };
  const { watched } = await checkWholeDomain(dns.dnsClient(options), domain, { onError: onFault });
  return Object.fromEntries(watched.map(({ about, finding }) => [about, [finding.code, ...finding.found]]));
}

const USUAL = {
  ns: ['NS_FOUND', 'ns1.host.test', 'ns2.host.test'],
  ds: ['DS_NONE'],
  soa: ['SOA_OF_ZONE', 'ns1.host.test h.test'],
  mx: ['MX_FOUND', '10 mx1.provider.test', '20 mx2.provider.test'],
};

test('NS and DS of the zone above, the SOA without its serial, and the MX, sorted', async () => {
  expect(await watch(MAIL)).toEqual(USUAL);
});

test('a domain below the top of a zone has the NS, DS and SOA of the zone', async () => {
  expect(await watch(NONE, {}, 'news')).toEqual({ ...USUAL, mx: ['MX_NONE'] });
});

test('resolvers stand in if name servers are never queried', async () => {
  expect(await watch(MAIL, { authoritativeMode: 'off' })).toEqual(USUAL);
});

const ds =
  (flags: number): Fault =>
  ({ name, type }) => {
    const data = { keyTag: 7, algorithm: 13, digestType: 2, digest: Buffer.from(DIGEST, 'hex') };
    return type === 'DS' ? { flags, answers: [{ type, name, ttl: 60, data }] } : undefined;
  };
const soa =
  (mname: string): Fault =>
  ({ name, type }) => {
    const data = { mname, rname: 'H.test', serial: 9, refresh: 1, retry: 1, expire: 1, minimum: 1 };
    const answer: Answer = { type: 'SOA', name, ttl: 60, data };
    return type === 'SOA' ? { flags: AUTHORITATIVE_ANSWER, answers: [answer] } : undefined;
  };
const inZone =
  (type: string, says: ReturnType<Fault>): Fault =>
  (question) =>
    /^d\d+\.test$/.test(question.name) && question.type === type ? says : undefined;

// Each row: what servers do, and what is seen then.
test.each<[string, Record<string, Fault>, Partial<typeof USUAL>]>([
  ['a DS record', { registry: ds(AUTHORITATIVE_ANSWER) }, { ds: ['DS_FOUND', `7 13 2 ${DIGEST}`] }],
  ['the resolver has an old DS record', { [RESOLVER]: ds(0) }, { ds: ['DS_NONE'] }],
  ['the registry is silent about the DS record', { registry: inZone('DS', 'silence') }, { ds: ['NOT_ASKED'] }],
  [
    'the registry is silent about the delegation',
    { registry: inZone('NS', 'silence') },
    { ns: ['NOT_ASKED'], ds: ['NOT_ASKED'], soa: ['NOT_ASKED'] },
  ],
  ['another serial', { [NS1]: soa('ns1.host.test'), [NS2]: soa('NS1.host.test') }, {}],
  [
    'each server says it is the primary',
    { [NS1]: soa('ns1.host.test'), [NS2]: soa('ns2.host.test') },
    { soa: ['SOA_OF_ZONE', 'ns1.host.test h.test', 'ns2.host.test h.test'] },
  ],
  ['one server is silent, and the other as before', { [NS2]: inZone('SOA', 'silence') }, {}],
  [
    'no server has the MX',
    { [NS1]: inZone('MX', { flags: AUTHORITATIVE_ANSWER }), [NS2]: inZone('MX', { flags: AUTHORITATIVE_ANSWER }) },
    { mx: ['MX_NONE'] },
  ],
])('%s', async (_, faults, seen) => {
  Object.assign(dns.misbehave, faults);
  expect(await watch(MAIL)).toEqual({ ...USUAL, ...seen });
});

test('a domain that is not registered is delegated to nobody', async () => {
  const domain = { name: 'nobody.test', mail_from_domain: null, dns: [] };
  const { watched } = await checkWholeDomain(dns.dnsClient(), domain, { onError: onFault });
  const codes = Object.fromEntries(watched.map(({ about, finding: { code, result } }) => [about, [result, code]]));
  expect(codes).toEqual({
    ns: ['ok', 'NS_NONE'],
    ds: ['ok', 'DS_NONE'],
    soa: ['ok', 'SOA_NONE'],
    mx: ['ok', 'MX_NONE'],
  });
});

test('nothing is known without resolvers', async () => {
  dns.misbehave[RESOLVER] = () => 'silence';
  const at = publishZone(dns, MAIL);
  const domain = { name: at('@'), mail_from_domain: null, dns: [] };
  const { watched } = await checkWholeDomain(dns.dnsClient(), domain, { onError: onFault });
  expect(new Set(watched.map(({ finding: { result, turn } }) => `${result} ${turn}`))).toEqual(
    new Set(['unknown checker']),
  );
});

test('the evidence is the referral of the zone above', async () => {
  const at = publishZone(dns, MAIL);
  const domain = { name: at('@'), mail_from_domain: null, dns: [] };
  const { watched } = await checkWholeDomain(dns.dnsClient(), domain, { onError: onFault });
  const ns = watched.find(({ about }) => about === 'ns')?.finding;
  expect(ns?.evidence.flatMap(({ address, records }) => records.map(({ value }) => [address, value]))).toEqual([
    [dns.addresses.registry, 'ns1.host.test'],
    [dns.addresses.registry, 'ns2.host.test'],
  ]);
  expect(ns?.confirmed_by).toMatchObject({ authoritative: 1, resolvers: 0 });
});

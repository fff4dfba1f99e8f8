import { expect, test } from 'vitest';
import { type Answer, AUTHORITATIVE_ANSWER } from 'dns-packet';
import { RCODES, NS2, RESOLVER } from '../../testing/testDns.ts';
import {
  address,
  checkInZone,
  checkRecords,
  cname,
  K1,
  nextZone,
  RIGHT_ZONE,
  txt,
  type BuildZone,
  createTestProvider,
} from '../../testing/testZone.ts';

// Finding the authoritative name servers.

const dns = createTestProvider();

const handedOver =
  (server: string): BuildZone =>
  (at) => [{ type: 'NS', name: at('_domainkey'), data: `${server}.host.test` }];

/** The zone has one server, at this address, for resolvers and at the registrar. */
function heldBy(zone: string, host: string, at: string): void {
  const ns: Answer = { type: 'NS', name: zone, ttl: 60, data: host };
  const glue = { ttl: 60, ...address(host, at) } as Answer;
  dns.misbehave[RESOLVER] = ({ name, type }) => {
    if (name === zone && type === 'NS') return { answers: [ns] };
    return name === host && type === 'A' ? { answers: [glue] } : undefined;
  };
  dns.misbehave.registry = ({ name }) => (name.endsWith(zone) ? { authorities: [ns], additionals: [glue] } : undefined);
}

/** Adds a zone to the second name server only. */
function addToSecond(zone: string, records: Answer[]): void {
  dns.zones[NS2] = { ...dns.zones[NS2], [zone]: { records } };
}

test('a delegated _domainkey is found, and the fix is relative to that zone', async () => {
  const right = nextZone();
  addToSecond(`_domainkey.${right}`, [cname(`k1._domainkey.${right}`, 'k1.dkim.provider.test')]);
  expect(await checkInZone(dns, handedOver('ns2'), K1)).toMatchObject({ code: 'MATCH', zone: right });
  const empty = nextZone();
  addToSecond(`_domainkey.${empty}`, [txt(`a._domainkey.${empty}`, 'x')]);
  expect(await checkInZone(dns, handedOver('ns2'), K1)).toMatchObject({ code: 'NAME_MISSING', fix: { host: 'k1' } });
});

test('a _domainkey that is handed over to servers that do not know it is told as that', async () => {
  dns.misbehave[RESOLVER] = ({ name }) => (name.includes('_domainkey') ? { flags: RCODES.SERVFAIL } : undefined);
  const { code, diagnosis } = await checkInZone(dns, handedOver('lame'), K1);
  expect(code).toBe('LAME_DELEGATION');
  expect(diagnosis).toMatch(/^NS records in d\d+\.test hand _domainkey\.d\d+\.test over to name servers/);
});

test('a domain that its registry does not know is not a missing record', async () => {
  const domain = { name: 'nobody.test', mail_from_domain: null, dns: [{ ...K1, is_valid: false }] };
  const [checked] = await checkRecords(dns.dnsClient(), domain);
  expect(checked?.finding).toMatchObject({ code: 'DOMAIN_NOT_DELEGATED', turn: 'registrar', fix: null });
});

test('where resolvers do not know the name servers of a domain, its registry does', async () => {
  dns.misbehave[RESOLVER] = ({ name, type }) =>
    type === 'NS' && /^d\d+\.test$/.test(name) ? { flags: RCODES.SERVFAIL } : undefined;
  const { code, evidence } = await checkInZone(dns, RIGHT_ZONE, K1);
  expect([code, ...evidence.map(({ server }) => server)]).toEqual(['MATCH', 'ns1.host.test', 'ns2.host.test', null]);
});

test('a server that only the registrar names is asked too, for some of the world asks nobody else', async () => {
  const zone = nextZone();
  dns.misbehave[RESOLVER] = ({ name, type }) =>
    name === zone && type === 'NS' ? { answers: [{ type: 'NS', name, ttl: 60, data: 'ns1.host.test' }] } : undefined;
  const soa = { mname: 'ns1.host.test', rname: 'h.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 };
  const authorities: Answer[] = [{ type: 'SOA', name: zone, ttl: 60, data: soa }];
  dns.misbehave[NS2] = ({ name }) =>
    name.endsWith(zone) ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN, authorities } : undefined;
  const finding = await checkInZone(dns, RIGHT_ZONE, K1);
  expect(finding).toMatchObject({ result: 'fail', code: 'REGISTRAR_NAMES_OTHERS', turn: 'registrar' });
  expect(finding.diagnosis).toContain('ns2.host.test');
});

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254'])('name servers at %s are never asked', async (at) => {
  heldBy(nextZone(), 'inner.host.test', at);
  const { code, evidence } = await checkInZone(dns, RIGHT_ZONE, K1);
  expect([code, evidence.at(0)?.answer]).toEqual(['MATCH', 'refused address']);
});

test('where resolvers do not come through to such servers either, that is the cause', async () => {
  const zone = nextZone();
  heldBy(zone, 'inner.host.test', '10.1.2.3');
  const known = dns.misbehave[RESOLVER];
  dns.misbehave[RESOLVER] = (question, ...more) =>
    question.name === `k1._domainkey.${zone}` ? { flags: RCODES.SERVFAIL } : known?.(question, ...more);
  const { code, diagnosis } = await checkInZone(dns, RIGHT_ZONE, K1);
  expect([code, diagnosis]).toEqual(['NAMESERVERS_PRIVATE', expect.stringContaining('inner.host.test at 10.1.2.3')]);
});

test('where only name servers are believed, nothing is known when they cannot be asked', async () => {
  heldBy(nextZone(), 'inner.host.test', '10.1.2.3');
  const client = () => dns.dnsClient({ authoritativeMode: 'on' });
  const { code, diagnosis } = await checkInZone(dns, RIGHT_ZONE, K1, client());
  expect(code).toBe('NAMESERVERS_UNREACHABLE');
  expect(diagnosis).toContain('inner.host.test: its address 10.1.2.3 is not public');
  expect(await checkInZone(dns, RIGHT_ZONE, K1, client())).toMatchObject({ code: 'MATCH' });
});

test('name servers are left alone on demand', async () => {
  const client = dns.dnsClient({ authoritativeMode: 'off' });
  expect(await checkInZone(dns, RIGHT_ZONE, K1, client)).toMatchObject({ code: 'MATCH' });
  expect(dns.queries.filter((line) => !line.startsWith(RESOLVER))).toEqual([]);
});

test('two name servers at one address are asked once', async () => {
  const twin: Answer = { type: 'NS', name: nextZone(), data: 'twin.host.test' };
  const at: Answer = { type: 'A', name: 'twin.host.test', ttl: 60, data: dns.addresses.ns1 };
  dns.misbehave[RESOLVER] = ({ name, type }) =>
    name === 'twin.host.test' && type === 'A' ? { answers: [at] } : undefined;
  const { code, evidence } = await checkInZone(dns, (name) => [...RIGHT_ZONE(name), twin], K1);
  expect([code, ...evidence.map(({ server }) => server)]).toEqual(['MATCH', 'ns1.host.test', 'ns2.host.test', null]);
});

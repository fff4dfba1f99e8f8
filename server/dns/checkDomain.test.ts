import { describe, expect, test } from 'vitest';
import { checkWholeDomain } from './checkDomain.ts';
import { DnsClient } from './conversation/dnsClient.ts';
import { addZone, NS1, NS2, RESOLVER } from '../testing/testDns.ts';
import {
  address,
  BOUNCE_SPF,
  checkInZone,
  K1,
  mx,
  MX,
  onFault,
  RIGHT_ZONE,
  SPF,
  txt,
  type BuildZone,
  type ListedRecord,
  createTestProvider,
} from '../testing/testZone.ts';
import { Conversation } from './conversation/conversation.ts';
import type { Transport } from './wire/transport.ts';

// What the records of a domain share: queries, time, and results.

const dns = createTestProvider();

describe('limits', () => {
  test('16 questions are under way at most, and 4 to one name server', async () => {
    const servers = [RESOLVER, NS1, NS2, 'registry', 'lame'] as const;
    const sent: string[] = [];
    const over = Promise.withResolvers<'timeout'>();
    const transport: Transport = ({ address }, { name }) => {
      sent.push(`${address} ${name}`);
      return over.promise;
    };
    const conversation = Conversation.start(dns.dnsClient({ transport }));
    const replies = servers.flatMap((server) => {
      const endpoint = { name: server === RESOLVER ? null : server, address: dns.addresses[server], port: 53 };
      return [1, 2, 3, 4, 5].map((n) =>
        conversation.query(endpoint, { name: `q${n}.test`, type: 'A', isRecursive: true }),
      );
    });
    await new Promise(setImmediate);
    expect(sent).toHaveLength(16);
    over.resolve('timeout');
    await Promise.all(replies);
    // A silent name server is not queried for the fifth.
    const asked = servers.slice(1).map((server) => sent.filter((line) => line.startsWith(`${dns.addresses[server]} `)));
    expect(Math.max(...asked.map(({ length }) => length))).toBe(4);
  });

  test.each<[most: number, BuildZone, ListedRecord]>([
    [8, RIGHT_ZONE, K1],
    [8, (at) => [mx(at('bounce'), 10, 'feedback.provider.test')], MX],
    [8, (at) => [txt(at('bounce'), SPF)], BOUNCE_SPF],
    [18, () => [], K1],
    [16, (at) => [txt(at('bounce'), 'hello')], BOUNCE_SPF],
  ])('a record takes at most %i questions', async (most, zone, listed) => {
    expect((await checkInZone(dns, zone, listed)).result).toBe(most === 8 ? 'ok' : 'fail');
    // None is asked twice, but over TCP if there is nothing; the registrar's name servers are queried once for all records of a domain, outside of their limits.
    const aboutRegistrar = /^(registry |resolver (test|\.|registry\.test) )/;
    expect(new Set(dns.queries.filter((line) => !aboutRegistrar.test(line))).size).toBeLessThanOrEqual(most);
  });

  test('an SPF record may name ten hosts of an MX that have no IPv6 address, for senders that have', async () => {
    addZone(dns, 'six.test', [
      txt('spf.six.test', 'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8:5::/48 -all'),
      address('www.six.test', '192.0.2.80'),
      address('shop.six.test', '192.0.2.81'),
    ]);
    const value = 'v=spf1 mx a:www.six.test include:spf.six.test a:shop.six.test ~all';
    const hosts = Array.from({ length: 10 }, (_, index) => `mail${index}`);
    const zone: BuildZone = (at) => [
      txt(at('bounce'), value),
      ...hosts.flatMap((host) => [mx(at('bounce'), 10, at(host)), address(at(host), '192.0.2.25')]),
    ];
    expect(await checkInZone(dns, zone, { ...BOUNCE_SPF, value })).toMatchObject({ code: 'MATCH' });
  });

  test.each([
    [{ questionsPerRecord: 1 }, 'TOO_MANY_QUESTIONS'],
    [{ questionsPerDomain: 3 }, 'TOO_MANY_QUESTIONS'],
    [{ deadline: 0 }, 'OUT_OF_TIME'],
  ])('beyond %j a record is unknown, not missing', async (limits, code) => {
    const finding = await checkInZone(dns, RIGHT_ZONE, K1, dns.dnsClient({ limits }));
    expect(finding).toMatchObject({ result: 'unknown', code });
  });
});

test('a fault of ours is one unknown record, and is told', async () => {
  const faults: unknown[] = [];
  const broken = new TypeError('this cannot be');
  const client = new DnsClient({
    resolvers: dns.resolvers,
    transport: async (_, { name }) => {
      if (name.startsWith('k1.')) throw broken;
      return 'timeout';
    },
  });
  const domain = { name: 'five.test', mail_from_domain: null, dns: [{ ...K1, is_valid: null }] };
  const { records } = await checkWholeDomain(client, domain, { onError: (fault) => faults.push(fault) });
  expect(records.map(({ finding }) => finding.result)).toEqual(['unknown']);
  expect(faults.length === 0 ? records[0]?.finding.code : 'CHECK_FAILED').toBe(records[0]?.finding.code);
});

test('after the signal nothing more is asked', async () => {
  const stop = new AbortController();
  dns.misbehave[RESOLVER] = () => {
    stop.abort();
    return undefined;
  };
  const domain = { name: 'five.test', mail_from_domain: null, dns: [{ ...K1, is_valid: null }] };
  const { records, advice } = await checkWholeDomain(dns.dnsClient(), domain, {
    signal: stop.signal,
    onError: onFault,
  });
  expect(dns.queries).toEqual(['resolver five.test NS']);
  expect([...records, ...advice].map(({ finding }) => finding.result)).not.toContain('fail');
});

import { AUTHORITATIVE_ANSWER } from 'dns-packet';
import { expect, test } from 'vitest';
import type { Confirmation } from '#contract/domains/dnsCheck.ts';
import { NS1, NS2, RCODES, RESOLVER, type TestDns } from '../testing/testDns.ts';
import { type BuildZone, checkInZone, cname, createTestProvider, K1, RIGHT_ZONE } from '../testing/testZone.ts';
import type { DnsClientOptions } from './conversation/dnsClient.ts';

const dns = createTestProvider();

type Fault = TestDns['misbehave'][string];
const NOTHING: BuildZone = () => [];
const OTHER: BuildZone = (at) => [cname(at(K1.name), 'other.provider.test')];

const deny =
  (isDenied: (isTcp: boolean) => boolean): Fault =>
  ({ name }, isTcp) =>
    name.startsWith('k1._domainkey.d') && isDenied(isTcp)
      ? { flags: AUTHORITATIVE_ANSWER | RCODES.NXDOMAIN }
      : undefined;
const silent: Fault = ({ name }) => (name.startsWith('k1._domainkey.d') ? 'silence' : undefined);

const gone = { authoritative: 2, of: 2, over_tcp: true, resolvers: 0, is_gone: true };

// Each row: what the zone and the servers have, and what confirms the finding on `K1`.
test.each<[string, BuildZone, Record<string, Fault>, Confirmation | null, Partial<DnsClientOptions>?]>([
  ['right everywhere', RIGHT_ZONE, {}, { ...gone, resolvers: 1, is_gone: false }],
  ['missing everywhere', NOTHING, {}, gone],
  ['another value everywhere', OTHER, {}, { ...gone, is_gone: false }],
  ['missing at one', RIGHT_ZONE, { [NS2]: deny(() => true) }, { ...gone, authoritative: 1, is_gone: false }],
  ['missing, and one is silent', NOTHING, { [NS2]: silent }, { ...gone, authoritative: 1, is_gone: false }],
  [
    'right, and one is silent',
    RIGHT_ZONE,
    { [NS2]: silent },
    { ...gone, authoritative: 1, resolvers: 1, is_gone: false },
  ],
  [
    'missing over UDP only',
    RIGHT_ZONE,
    { [NS1]: deny((isTcp) => !isTcp), [NS2]: deny((isTcp) => !isTcp) },
    { ...gone, over_tcp: false, is_gone: false },
  ],
  ['a resolver is late', RIGHT_ZONE, { [RESOLVER]: deny(() => true) }, { ...gone, is_gone: false }],
  [
    'only resolvers are queried',
    NOTHING,
    {},
    { authoritative: 0, of: 0, over_tcp: false, resolvers: 1, is_gone: false },
    { authoritativeMode: 'off' },
  ],
  ['nothing responds', RIGHT_ZONE, { [RESOLVER]: () => 'silence' }, null],
])('%s', async (_, zone, faults, expected, options = {}) => {
  Object.assign(dns.misbehave, faults);
  const { confirmed_by } = await checkInZone(dns, zone, K1, dns.dnsClient(options));
  expect(confirmed_by).toEqual(expected);
});

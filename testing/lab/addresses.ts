import { type FaultName, faults } from './situations/faults.ts';

// The addresses of the lab (docs/decisions/0018-namespace-lab.md). They look public, because the check queries no
// others.

/** Name servers with zone files, by process. */
export const AUTHORITIES = {
  registry: {
    'a.root-servers.net': '198.41.0.4',
    'b.root-servers.net': '170.247.170.2',
    'a.gtld-servers.net': '192.5.6.30',
    'b.gtld-servers.net': '192.33.14.30',
    'a0.org.afilias-nst.info': '199.19.56.1',
    'nsa.nic.uk': '156.154.100.3',
    'a.nic.de': '194.0.0.53',
  },
  dnshost1: { 'ns1.dnshost.net': '185.136.96.53' },
  dnshost2: { 'ns2.dnshost.net': '185.136.97.53' },
  otherhost1: { 'ns1.otherhost.net': '208.94.148.53' },
  otherhost2: { 'ns2.otherhost.net': '208.80.124.53' },
  // Both serve the same zones.
  cloudflare: { 'ada.ns.cloudflare.com': '108.162.192.101', 'bob.ns.cloudflare.com': '172.64.33.53' },
  // In their customers' zones every name leads to a page that sells it.
  parking: { 'ns1.sedoparking.com': '91.195.240.8', 'ns1.pendingrenewaldeletion.com': '66.96.142.146' },
  // The working server behind `FAULTY`.
  behind: { 'behind.badhost.net': '45.95.11.53' },
  // The server of the private zones of the resolver with the same name.
  inside: { inside: '45.95.11.54' },
} as const satisfies Record<string, Record<string, string>>;
export type AuthorityName = keyof typeof AUTHORITIES;

/** Below badhost.net, by fault. */
export const FAULTY = addressesOf('45.95.10', 3);

/** The one that is right, and one with each fault. */
export const RESOLVERS = { validating: '9.9.9.10', ...addressesOf('45.95.12', 1), unreachable: '45.96.0.2' };
export type ResolverName = keyof typeof RESOLVERS;

function addressesOf(network: string, from: number): Record<FaultName, string> {
  return Object.fromEntries(faults.map(([name], index) => [name, `${network}.${from + index}`])) as Record<
    FaultName,
    string
  >;
}

/** BIND listens only on addresses that an interface has. */
export const INTERFACE_ADDRESSES = [RESOLVERS.validating];

/** Blocks of local addresses, of which each test uses a part (`server/testing/testDns.ts`). */
export const TEST_BLOCK = '45.90';

/** Other local addresses in the network namespace, besides 127.0.0.0/8. */
export const LOCAL_NETWORKS: readonly string[] = [
  ...Object.values(AUTHORITIES).flatMap((process) => Object.values<string>(process)),
  '45.95.0.0/16',
  `${TEST_BLOCK}.0.0/16`,
];

/** The address of an interface that is not loopback. */
export const ONLINE_ADDRESS = '45.94.0.1';

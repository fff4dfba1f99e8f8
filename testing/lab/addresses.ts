// The addresses of the lab (docs/decisions/0018-namespace-lab.md). They look public, because the check queries no
// others.

/** Name servers that answer from zone files. The key is the process. */
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
  // Their customers' zones have an answer for every name: a page that sells it.
  parking: { 'ns1.sedoparking.com': '91.195.240.8', 'ns1.pendingrenewaldeletion.com': '66.96.142.146' },
  // The server behind those of `FAULTY`.
  behind: { 'behind.badhost.net': '45.95.11.53' },
  // The server of the private zones of the resolver with the same name.
  inside: { inside: '45.95.11.54' },
} as const satisfies Record<string, Record<string, string>>;
export type AuthorityName = keyof typeof AUTHORITIES;

/** Below badhost.net. The fault of each is in `faultyServers.ts`, except for those without a listener. */
export const FAULTY = {
  silent: '45.95.10.3',
  closed: '45.95.10.4',
  refused: '45.95.10.5',
  servfail: '45.95.10.6',
  notimp: '45.95.10.7',
  formerr: '45.95.10.8',
  'no-tcp': '45.95.10.9',
  truncating: '45.95.10.10',
  'no-edns': '45.95.10.11',
  old: '45.95.10.12',
  upward: '45.95.10.13',
  garbage: '45.95.10.14',
  'wrong-id': '45.95.10.15',
  'wrong-question': '45.95.10.16',
  nxdomain: '45.95.10.17',
  empty: '45.95.10.18',
  'not-authoritative': '45.95.10.19',
  'two-cnames': '45.95.10.20',
  'cname-beside': '45.95.10.21',
  'cname-on-demand': '45.95.10.22',
  'text-beside': '45.95.10.23',
  'nothing-without-soa': '45.95.10.25',
  'forged-once': '45.95.10.26',
  'half-tcp': '45.95.10.27',
  'servfail-at-key': '45.95.10.28',
  'denies-over-udp': '45.95.10.29',
  'denies-over-tcp': '45.95.10.30',
  'alias-at-top': '45.95.10.31',
  'denies-above': '45.95.10.32',
} as const;
export type FaultyServer = keyof typeof FAULTY;

/** Addresses below badhost.net without a server. */
export const UNSERVED_HOSTS = {
  unreachable: 'A 45.96.0.1',
  private: 'A 10.20.30.40',
  v6only: 'AAAA 2001:67c:2e8::53',
  'no-address': 'TXT "no address"',
} as const;

export const RESOLVERS = {
  validating: '9.9.9.10',
  plain: '45.95.12.1',
  silent: '45.95.12.2',
  closed: '45.95.12.3',
  unreachable: '45.96.0.2',
  refused: '45.95.12.4',
  servfail: '45.95.12.5',
  nxdomain: '45.95.12.6',
  filtering: '45.95.12.7',
  truncating: '45.95.12.8',
  garbage: '45.95.12.10',
  rewriting: '45.95.12.11',
  inside: '45.95.12.12',
  'name-by-name': '45.95.12.13',
} as const;
export type ResolverName = keyof typeof RESOLVERS;

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

import type { Situation } from '../situation.ts';

// What servers do wrong and no zone file can express. `<name>.badhost.net` is a name server with the fault, in front of a
// working one; the resolver of the same name stands in front of the working resolver.

/** A response; records are written as in a zone file, for the name of the query. */
type WrongResponse = {
  rcode?: 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED';
  isTruncated?: true;
  isNotAuthoritative?: true;
  answers?: readonly string[];
  /** The name servers of a referral to the root. */
  referral?: string;
};

/** What stays of the right response. */
type ChangedResponse = { id?: 1; isNotAuthoritative?: true; question?: string };

export type FaultRule = {
  /** Applies to matching queries only. */
  when?: {
    name?: RegExp;
    types?: readonly string[];
    otherThan?: readonly string[];
    isTcp?: boolean;
    hasEdns?: true;
    /** What the right response is like. */
    right?: { rcode?: 'NXDOMAIN'; isEmpty?: true; over?: number };
  };
  respond: 'nothing' | 'garbage' | WrongResponse | { change: ChangedResponse };
};

export type Fault = {
  tcp?: 'refused' | 'broken';
  /** Nothing listens there, or this address record leads to nothing. */
  absent?: true | string;
  /** The first that matches; without one, the response is right. */
  rules?: readonly FaultRule[];
  /** How a resolver forwards. `inside` has versions of its own of some zones. */
  forwards?: 'without validation' | 'inside';
  /** Of a right domain whose only name server has the fault: nothing is known. */
  only?: readonly [is: string, code: string, turn: Situation['expect']['turn'], says?: RegExp];
  /** Of any domain, when the only resolver has it. */
  resolver?: readonly [does: string, code: string];
};

const OTHER = 'CNAME else.otherhost.net';
const RECORD = /^(k1|bounce)\b/;
const DENIED = { rcode: 'NXDOMAIN' } as const;

export const FAULTS = {
  silent: {
    rules: [{ respond: 'nothing' }],
    only: ['does not answer', 'NAMESERVERS_SILENT', 'dns_host'],
    resolver: ['does not answer at all', 'RESOLVER_UNREACHABLE'],
  },
  closed: {
    absent: true,
    only: ['has nothing that listens', 'NAMESERVERS_FAIL', 'dns_host', /connection refused/],
    resolver: ['does not listen', 'RESOLVER_UNREACHABLE'],
  },
  unreachable: {
    absent: 'A 45.96.0.1',
    only: ['has an address that no way leads to', 'NAMESERVERS_NO_ROUTE', 'checker'],
    resolver: ['cannot be reached: there is no network', 'RESOLVER_UNREACHABLE'],
  },
  refused: {
    rules: [{ respond: { rcode: 'REFUSED' } }],
    only: ['refuses to answer: the zone is not there', 'LAME_DELEGATION', 'owner', /REFUSED/],
    resolver: ['refuses to answer this machine', 'RESOLVER_FAILS'],
  },
  servfail: {
    rules: [{ respond: { rcode: 'SERVFAIL' } }],
    only: ['fails at every question', 'NAMESERVERS_FAIL', 'dns_host', /SERVFAIL/],
    resolver: ['fails at questions that cannot fail', 'RESOLVER_FAILS'],
  },
  notimp: {
    rules: [{ respond: { rcode: 'NOTIMP' } }],
    only: ['says that it cannot do this', 'NAMESERVERS_FAIL', 'dns_host', /NOTIMP/],
  },
  formerr: {
    rules: [{ respond: { rcode: 'FORMERR' } }],
    only: ['rejects every question', 'NAMESERVERS_FAIL', 'dns_host', /FORMERR/],
  },
  upward: {
    rules: [{ respond: { referral: 'a.root-servers.net' } }],
    only: ['points to the root: it does not have the zone', 'LAME_DELEGATION', 'owner'],
  },
  garbage: {
    rules: [{ respond: 'garbage' }],
    only: ['sends what cannot be read', 'NAMESERVERS_SILENT', 'dns_host'],
    resolver: ['sends what cannot be read', 'RESOLVER_UNREACHABLE'],
  },
  'wrong-id': {
    rules: [{ respond: { change: { id: 1 } } }],
    only: ['sends answers that do not belong to the questions', 'NAMESERVERS_SILENT', 'dns_host'],
  },
  'wrong-question': {
    rules: [{ respond: { change: { question: 'else.otherhost.net' } } }],
    only: ['answers other questions', 'NAMESERVERS_SILENT', 'dns_host'],
  },
  truncating: {
    tcp: 'refused',
    rules: [{ respond: { isTruncated: true } }],
    only: ['has answers that are too large for UDP, and no TCP', 'NAMESERVERS_WITHOUT_TCP', 'dns_host', /TCP/],
    resolver: ['cuts every answer off and has no TCP', 'ANSWER_TOO_LARGE'],
  },
  'no-address': {
    absent: 'TXT "no address"',
    only: ['has no address', 'NAMESERVERS_WITHOUT_ADDRESS', 'owner', /address/],
  },
  private: {
    absent: 'A 10.20.30.40',
    only: [
      'has an address that cannot be reached from outside',
      'NAMESERVERS_PRIVATE',
      'owner',
      /10\.20\.30\.40|private/,
    ],
  },
  v6only: {
    absent: 'AAAA 2001:67c:2e8::53',
    only: ['has only IPv6, and the network of this check has none', 'NAMESERVERS_NO_ROUTE', 'checker', /IPv6/],
  },
  nxdomain: {
    rules: [{ respond: DENIED }],
    resolver: ['says that nothing exists, not even com', 'RESOLVER_DENIES_ALL'],
  },
  'no-tcp': { tcp: 'refused', rules: [{ when: { right: { over: 512 } }, respond: { isTruncated: true } }] },
  'half-tcp': { tcp: 'broken', rules: [{ when: { isTcp: false }, respond: { isTruncated: true } }] },
  'no-edns': { rules: [{ when: { hasEdns: true }, respond: 'nothing' }] },
  old: { rules: [{ when: { hasEdns: true }, respond: { rcode: 'FORMERR' } }] },
  empty: { rules: [{ respond: {} }] },
  'not-authoritative': { rules: [{ respond: { change: { isNotAuthoritative: true } } }] },
  'cname-on-demand': { rules: [{ when: { name: RECORD, types: ['CNAME'] }, respond: { answers: [OTHER] } }] },
  'text-beside': { rules: [{ when: { name: RECORD, types: ['TXT'] }, respond: { answers: ['TXT p=old'] } }] },
  // The SOA has the TTL of a negative answer.
  'nothing-without-soa': { rules: [{ when: { name: RECORD, right: { isEmpty: true } }, respond: DENIED }] },
  // The zone is an alias, but for its own records.
  'alias-at-top': {
    rules: [
      { when: { name: /^[\w-]+\.com$/, otherThan: ['SOA', 'NS', 'DS', 'DNSKEY'] }, respond: { answers: [OTHER] } },
    ],
  },
  'servfail-at-key': { rules: [{ when: { name: /_domainkey/ }, respond: { rcode: 'SERVFAIL' } }] },
  plain: { forwards: 'without validation' },
  rewriting: {
    rules: [
      { when: { types: ['A'], right: { rcode: 'NXDOMAIN' } }, respond: { answers: ['A 198.105.244.130'] } },
      { when: { right: { rcode: 'NXDOMAIN' } }, respond: {} },
    ],
  },
  inside: { forwards: 'inside' },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

export const faults: readonly (readonly [FaultName, Fault])[] = Object.entries(FAULTS) as [FaultName, Fault][];

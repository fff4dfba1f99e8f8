import { type FaultName, faults } from './faults.ts';
import { situations, domainWithLines, rightDomain, expectFix, RIGHT, type RecordKind } from './zoneLines.ts';

const REGISTRAR = /registrar/i;
export const CALLED_MISSING = [/is missing/i, /nothing exists/i, /does not exist/i, /add (a|the) (CNAME|MX|TXT)/i];
const LARGE = Array.from({ length: 5 }, (_, index) => `bounce TXT "verification-${index}=${'kq7z'.repeat(40)}"`);

/** A right domain with all of its records at one server of badhost.net. */
const at = (server: FaultName | 'not-there', kind: RecordKind, domain: string) =>
  rightDomain(kind, domain, { ns: [`${server}.badhost.net`] });

const only = [
  ...faults.flatMap(([name, fault]) => (fault.only ? [[name, fault.only] as const] : [])),
  ['not-there', ['does not exist', 'NAMESERVERS_WITHOUT_ADDRESS', 'owner', /./]] as const,
] as const;

export const unansweredSituations = situations(
  Object.fromEntries(
    only.map(([server, [is, code, turn, says = /./]]) => [
      `server-${server}`,
      [
        `The only name server ${is}. Nothing is known about the record.`,
        at(server, 'dkim', `${server}-goods.com`),
        {
          result: ['unknown', 'fail'],
          code,
          turn,
          says: [new RegExp(`${server}\\.badhost\\.net`), says],
          neverSays: CALLED_MISSING,
          fix: null,
        },
      ],
    ]),
  ),
);

/** Name servers that answer late, badly or not always. */
export const serverSituations = situations({
  'server-no-tcp-with-a-large-answer': [
    'There are many texts at the name of the SPF record, so the response needs TCP, which the name server blocks. The DNS host has to open it; nothing is known about the record.',
    domainWithLines('spf', 'caraway-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net ~all"', ...LARGE], {
      ns: ['no-tcp.badhost.net'],
    }),
    {
      result: ['unknown', 'fail'],
      turn: ['dns_host', 'owner'],
      says: [/TCP/],
      neverSays: [REGISTRAR, ...CALLED_MISSING],
      fix: null,
    },
  ],
  'server-no-edns-dkim': [
    'A firewall at the name server drops modern questions (EDNS). Older ones are answered, and the record is right.',
    at('no-edns', 'dkim', 'chervil-goods.com'),
    {
      result: ['ok', 'warn'],
      code: 'NAMESERVERS_DROP_EDNS',
      neverSays: [REGISTRAR, ...CALLED_MISSING],
      fix: null,
    },
  ],
  'server-old-mx': [
    'The name server is old and does not know EDNS, which is no harm. The record is right.',
    at('old', 'mx', 'lovage-goods.com'),
    RIGHT,
  ],
  'server-not-authoritative-dkim': [
    'The name server answers as if it had only heard of the zone (without authority), so resolvers do not trust it. The DNS host has to look.',
    at('not-authoritative', 'dkim', 'cress-goods.com'),
    {
      result: ['fail', 'unknown', 'warn'],
      turn: ['dns_host', 'registrar', 'owner'],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  ],
  'server-servfail-at-key-dkim': [
    'The name server fails for names with "_domainkey" only. That is for the DNS host; the record may well be right.',
    at('servfail-at-key', 'dkim', 'sorrel-goods.com'),
    {
      result: ['unknown', 'fail'],
      turn: ['dns_host', 'owner'],
      says: [/SERVFAIL|servfail-at-key\.badhost\.net/],
      neverSays: [REGISTRAR, ...CALLED_MISSING],
      fix: null,
    },
  ],
  'server-alias-at-the-top-of-the-zone': [
    'The zone itself is an alias (CNAME) of a shop, which is illegal and hides the other records of the domain. The listed record below it is right; the owner replaces the alias.',
    at('alias-at-top', 'dkim', 'borage-goods.com'),
    {
      result: ['ok', 'warn'],
      neverSays: CALLED_MISSING,
      advice: { delegation: { result: 'warn', says: [/CNAME/, /else\.otherhost\.net/] } },
    },
  ],
  'server-cname-on-demand-mx': [
    'The MX exists, but a CNAME query gets an alias to else.otherhost.net, and everything else follows it then. Remove the CNAME.',
    at('cname-on-demand', 'mx', 'mint-goods.com'),
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/CNAME/] },
  ],
  'server-text-beside-dkim': [
    'There is a TXT record at the name of the CNAME, which is illegal: a TXT query gets "p=old" and not the key. Remove the TXT record.',
    at('text-beside', 'dkim', 'oregano-goods.com'),
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/TXT/] },
  ],
  'server-says-nothing-without-soa': [
    'The record is not there. That the name server leaves its SOA out makes no difference for the owner: add it.',
    domainWithLines('dkim', 'marjoram-goods.com', [], { ns: ['nothing-without-soa.badhost.net'] }),
    {
      result: ['fail', 'unknown'],
      says: [/k1\._domainkey\.marjoram-goods\.com/],
      neverOffers: [/mailprovider\.net\.marjoram/],
    },
  ],
  'server-empty-dkim': [
    'The name server answers every question with nothing, not even who it is. It is broken; the DNS host has to look.',
    at('empty', 'dkim', 'cassia-goods.com'),
    { result: ['fail', 'unknown'], turn: ['dns_host', 'owner', 'registrar'], neverSays: [/prox|flatten/i] },
  ],
  'server-one-of-two-refuses-and-record-missing': [
    'ns1.dnshost.net, which answers, does not have the record; the other name server refuses. Add the record; the refusal is for the DNS host.',
    domainWithLines('dkim', 'allspice-goods.com', [], { ns: ['ns1.dnshost.net', 'refused.badhost.net'] }),
    { fix: expectFix('dkim') },
  ],
});

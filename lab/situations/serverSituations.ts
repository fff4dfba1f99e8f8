import type { Situation } from '../situation.ts';
import { ownZone, domainWithLines, domainWithZone, rightDomain, expectFix, situations } from './zoneLines.ts';
import type { RecordKind } from './zoneLines.ts';

type Expect = Situation['expect'];

const REGISTRAR = /registrar/i;
const CALLED_MISSING = [/is missing/i, /nothing exists/i, /does not exist/i, /add (a|the) (CNAME|MX|TXT)/i];
const LARGE = Array.from({ length: 5 }, (_, index) => `bounce TXT "verification-${index}=${'kq7z'.repeat(40)}"`);

/** A right domain with all of its records at one server of badhost.net. */
const at = (server: string, kind: RecordKind, domain: string) =>
  rightDomain(kind, domain, { ns: [`${server}.badhost.net`] });

/** The expected result when no server could be queried: it is not known whether the record exists. */
function unanswered(server: string, more: Partial<Expect> = {}): Expect {
  return {
    result: ['unknown', 'fail'],
    turn: ['dns_host', 'registrar', 'owner'],
    says: [new RegExp(`${server}\\.badhost\\.net`)],
    neverSays: CALLED_MISSING,
    fix: null,
    ...more,
  };
}

/** Name servers that answer late, badly or not at all. */
export const serverSituations = situations({
  'server-slow-dkim': [
    'The name server takes a second and a half to answer. The record is right; if the answer comes too late, nothing is known. The registrar has no part in it.',
    at('slow', 'dkim', 'cumin-goods.com'),
    { result: ['ok', 'warn', 'unknown'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ],
  'server-veryslow-mx': [
    'The name server takes over three seconds. Whether the record is right could not be found out in time; that is no reason to change name servers at once.',
    at('veryslow', 'mx', 'fennel-goods.com'),
    { result: ['unknown', 'ok', 'warn'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ],
  'server-silent-dkim': [
    'The only name server of the domain does not answer. Nothing is known about the record, and mail suffers; the DNS host has to look.',
    at('silent', 'dkim', 'sage-goods.com'),
    unanswered('silent'),
  ],
  'server-closed-spf': [
    'At the only name server nothing listens. The DNS host has to look.',
    at('closed', 'spf', 'thyme-goods.com'),
    unanswered('closed'),
  ],
  'server-unreachable-dkim': [
    'No way leads to the address of the only name server, from here at least. Nothing is known about the record.',
    at('unreachable', 'dkim', 'basil-goods.com'),
    unanswered('unreachable', { turn: ['dns_host', 'registrar', 'owner', 'checker'] }),
  ],
  'server-refused-dmarc': [
    'The only name server refuses to answer for this domain: the zone is not there. Either it is created there, or the registrar gets others.',
    at('refused', 'dmarc', 'saffron-goods.com'),
    unanswered('refused'),
  ],
  'server-servfail-dkim': [
    'The only name server answers with SERVFAIL: something is broken at the DNS host.',
    at('servfail', 'dkim', 'ginger-goods.com'),
    unanswered('servfail', { says: [/servfail\.badhost\.net|SERVFAIL/] }),
  ],
  'server-notimp-mx': [
    'The name server says that it cannot do this (NOTIMP). The DNS host has to look.',
    at('notimp', 'mx', 'clove-goods.com'),
    unanswered('notimp'),
  ],
  'server-formerr-dkim': [
    'The name server rejects every question (FORMERR).',
    at('formerr', 'dkim', 'nutmeg-goods.com'),
    unanswered('formerr'),
  ],
  'server-garbage-dkim': [
    'What the name server sends cannot be read. Nothing is known about the record.',
    at('garbage', 'dkim', 'vanilla-goods.com'),
    unanswered('garbage'),
  ],
  'server-wrong-id-spf': [
    'The answers of the name server do not belong to the questions.',
    at('wrong-id', 'spf', 'pepper-goods.com'),
    unanswered('wrong-id'),
  ],
  'server-wrong-question-dkim': [
    'The answers of the name server belong to other questions, so they count for nothing.',
    at('wrong-question', 'dkim', 'paprika-goods.com'),
    unanswered('wrong-question'),
  ],
  'server-truncating-dkim': [
    'The name server says that its answers are too large for UDP, and TCP is closed there. The DNS host has to open TCP port 53.',
    at('truncating', 'dkim', 'anise-goods.com'),
    unanswered('truncating', { turn: 'dns_host', says: [/TCP/], neverSays: [REGISTRAR, ...CALLED_MISSING] }),
  ],
  'server-no-tcp-with-a-large-answer': [
    'Many texts stand beside the SPF record, so the answer needs TCP, which is closed at the name server. The DNS host has to open it; nothing is known about the record.',
    domainWithZone('spf', 'caraway-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net ~all"', ...LARGE], {
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
  'server-half-tcp-with-a-large-answer': [
    'The name server breaks TCP off in the middle of an answer. Nothing is known about the record.',
    domainWithZone('spf', 'mustard-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net ~all"', ...LARGE], {
      ns: ['half-tcp.badhost.net'],
    }),
    {
      result: ['unknown', 'fail'],
      turn: ['dns_host', 'owner'],
      says: [/TCP/],
      neverSays: [REGISTRAR, ...CALLED_MISSING],
      fix: null,
    },
  ],
  'server-no-tcp-dkim': [
    'TCP is closed at the name server, but the answer for this record is small. The record is right.',
    at('no-tcp', 'dkim', 'tarragon-goods.com'),
    { result: ['ok', 'warn'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ],
  'server-no-edns-dkim': [
    'A firewall at the name server drops modern questions (EDNS). Older ones are answered, and the record is right.',
    at('no-edns', 'dkim', 'chervil-goods.com'),
    { result: ['ok', 'warn'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ],
  'server-old-mx': [
    'The name server is old and does not know EDNS, which is no harm. The record is right.',
    at('old', 'mx', 'lovage-goods.com'),
    { result: 'ok', turn: null, fix: null },
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
  'server-servfail-at-key-mx': [
    'The MX is right; that other names fail is another matter.',
    at('servfail-at-key', 'mx', 'borage-goods.com'),
    {
      result: 'ok',
      turn: null,
      fix: null,
    },
  ],
  'server-forged-once-dkim': [
    'Somebody forges the first answer ("no such name"). The name server itself has the right record when asked again.',
    at('forged-once', 'dkim', 'dill-goods.com'),
    { result: ['ok', 'warn', 'pending'], neverSays: [/add (a|the) CNAME/i], fix: null },
  ],
  'server-two-cnames-dkim': [
    'The DNS host publishes two CNAMEs at one name, the right one and else.otherhost.net. That is illegal and the answer is luck: keep the right one only.',
    at('two-cnames', 'dkim', 'chive-goods.com'),
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/else\.otherhost\.net/] },
  ],
  'server-cname-beside-mx': [
    'An MX and a CNAME to else.otherhost.net stand at one name, which is illegal; receivers see one or the other. The CNAME has to go.',
    at('cname-beside', 'mx', 'parsley-goods.com'),
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/CNAME/, /else\.otherhost\.net/] },
  ],
  'server-cname-on-demand-mx': [
    'The MX is there, but who asks for a CNAME gets one to else.otherhost.net, and everything else follows it then. The CNAME has to go.',
    at('cname-on-demand', 'mx', 'mint-goods.com'),
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/CNAME/] },
  ],
  'server-text-beside-dkim': [
    'Beside the CNAME stands a TXT record at the same name, which is illegal: who asks for the text gets "p=old" and not the key. The TXT record has to go.',
    at('text-beside', 'dkim', 'oregano-goods.com'),
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/TXT/] },
  ],
  'server-says-nothing-without-soa': [
    'The record is not there. That the name server leaves its SOA out makes no difference for the owner: add it.',
    domainWithZone('dkim', 'marjoram-goods.com', [], { ns: ['nothing-without-soa.badhost.net'] }),
    {
      result: ['fail', 'unknown'],
      says: [/k1\._domainkey\.marjoram-goods\.com/],
      neverOffers: [/mailprovider\.net\.marjoram/],
    },
  ],
  'server-says-empty-without-soa': [
    'The MX is not there, and the name server says so in an untidy way. Add it.',
    domainWithZone('mx', 'turmeric-goods.com', [], { ns: ['nodata-without-soa.badhost.net'] }),
    { result: ['fail', 'unknown'], says: [/bounce\.turmeric-goods\.com/] },
  ],
  'server-empty-dkim': [
    'The name server answers every question with nothing, not even who it is. It is broken; the DNS host has to look.',
    at('empty', 'dkim', 'cassia-goods.com'),
    { result: ['fail', 'unknown'], turn: ['dns_host', 'owner', 'registrar'], neverSays: [/prox|flatten/i] },
  ],
  'server-one-of-two-dead': [
    'One of two name servers does not answer. The other has the right record, so mail works; the DNS host should look.',
    rightDomain('dkim', 'sesame-goods.com', { ns: ['ns1.dnshost.net', 'silent.badhost.net'] }),
    { result: ['ok', 'warn'], neverSays: CALLED_MISSING, fix: null },
  ],
  'server-one-of-two-says-nothing-exists': [
    'ns1.dnshost.net has the record, nxdomain.badhost.net says that nothing exists. Some receivers do not find the key; the DNS host has to repair its second server.',
    rightDomain('dkim', 'sumach-goods.com', { ns: ['ns1.dnshost.net', 'nxdomain.badhost.net'] }),
    { result: ['warn', 'fail', 'pending'], says: [/nxdomain\.badhost\.net/], fix: null },
  ],
  'server-one-of-two-refuses-and-record-missing': [
    'ns1.dnshost.net, which answers, does not have the record; the other name server refuses. Add the record; the refusal is for the DNS host.',
    domainWithZone('dkim', 'allspice-goods.com', [], { ns: ['ns1.dnshost.net', 'refused.badhost.net'] }),
    { fix: expectFix('dkim') },
  ],
  'server-other-zone-of-an-include-slow': [
    'The SPF record is right. Another include in it lies at a slow name server, which is no fault of the record.',
    domainWithLines('spf', 'fenugreek-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net include:_spf.fenugreeklist.net ~all"',
      {
        ...ownZone('fenugreeklist.net', ['dkim', 'mx', 'spf', 'dmarc'], ['_spf TXT "v=spf1 ip4:45.76.40.0/24 -all"']),
        ns: ['slow.badhost.net'],
      },
    ]),
    { result: ['ok', 'warn', 'unknown'], neverSays: [REGISTRAR], fix: null },
  ],
});

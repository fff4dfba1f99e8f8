import type { Situation } from '../situation.ts';
import { ownZone, domainWithLines, domainWithZone, rightDomain, expectFix, situations } from './zoneLines.ts';
import type { RecordKind } from './zoneLines.ts';

type Expect = Situation['expect'];

const REGISTRAR = /registrar/i;
const CALLED_MISSING = [/is missing/i, /nothing exists/i, /does not exist/i, /add (a|the) (CNAME|MX|TXT)/i];
const LARGE = Array.from({ length: 5 }, (_, index) => `bounce TXT "verification-${index}=${'kq7z'.repeat(40)}"`);

/** A right domain with all of its records at one server of badhost.net. */
function at(server: string, kind: RecordKind, domain: string, expert: string, expect: Expect): Situation {
  return {
    id: `server-${server}-${kind}`,
    expert,
    ...rightDomain(kind, domain, { ns: [`${server}.badhost.net`] }),
    expect,
  };
}

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
export const serverSituations: Situation[] = [
  at(
    'slow',
    'dkim',
    'cumin-goods.com',
    'The name server takes a second and a half to answer. The record is right; if the answer comes too late, nothing is known. The registrar has no part in it.',
    { result: ['ok', 'warn', 'unknown'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ),
  at(
    'veryslow',
    'mx',
    'fennel-goods.com',
    'The name server takes over three seconds. Whether the record is right could not be found out in time; that is no reason to change name servers at once.',
    { result: ['unknown', 'ok', 'warn'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ),
  at(
    'silent',
    'dkim',
    'sage-goods.com',
    'The only name server of the domain does not answer. Nothing is known about the record, and mail suffers; the DNS host has to look.',
    unanswered('silent'),
  ),
  at(
    'closed',
    'spf',
    'thyme-goods.com',
    'At the only name server nothing listens. The DNS host has to look.',
    unanswered('closed'),
  ),
  at(
    'unreachable',
    'dkim',
    'basil-goods.com',
    'No way leads to the address of the only name server, from here at least. Nothing is known about the record.',
    unanswered('unreachable', { turn: ['dns_host', 'registrar', 'owner', 'checker'] }),
  ),
  at(
    'refused',
    'dmarc',
    'saffron-goods.com',
    'The only name server refuses to answer for this domain: the zone is not there. Either it is created there, or the registrar gets others.',
    unanswered('refused'),
  ),
  at(
    'servfail',
    'dkim',
    'ginger-goods.com',
    'The only name server answers with SERVFAIL: something is broken at the DNS host.',
    unanswered('servfail', { says: [/servfail\.badhost\.net|SERVFAIL/] }),
  ),
  at(
    'notimp',
    'mx',
    'clove-goods.com',
    'The name server says that it cannot do this (NOTIMP). The DNS host has to look.',
    unanswered('notimp'),
  ),
  at('formerr', 'dkim', 'nutmeg-goods.com', 'The name server rejects every question (FORMERR).', unanswered('formerr')),
  at(
    'garbage',
    'dkim',
    'vanilla-goods.com',
    'What the name server sends cannot be read. Nothing is known about the record.',
    unanswered('garbage'),
  ),
  at(
    'wrong-id',
    'spf',
    'pepper-goods.com',
    'The answers of the name server do not belong to the questions.',
    unanswered('wrong-id'),
  ),
  at(
    'wrong-question',
    'dkim',
    'paprika-goods.com',
    'The answers of the name server belong to other questions, so they count for nothing.',
    unanswered('wrong-question'),
  ),
  at(
    'truncating',
    'dkim',
    'anise-goods.com',
    'The name server says that its answers are too large for UDP, and TCP is closed there. The DNS host has to open TCP port 53.',
    unanswered('truncating', { turn: 'dns_host', says: [/TCP/], neverSays: [REGISTRAR, ...CALLED_MISSING] }),
  ),
  ...situations({
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
  }),
  at(
    'no-tcp',
    'dkim',
    'tarragon-goods.com',
    'TCP is closed at the name server, but the answer for this record is small. The record is right.',
    { result: ['ok', 'warn'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ),
  at(
    'no-edns',
    'dkim',
    'chervil-goods.com',
    'A firewall at the name server drops modern questions (EDNS). Older ones are answered, and the record is right.',
    { result: ['ok', 'warn'], neverSays: [REGISTRAR, ...CALLED_MISSING], fix: null },
  ),
  at(
    'old',
    'mx',
    'lovage-goods.com',
    'The name server is old and does not know EDNS, which is no harm. The record is right.',
    { result: 'ok', turn: null, fix: null },
  ),
  at(
    'not-authoritative',
    'dkim',
    'cress-goods.com',
    'The name server answers as if it had only heard of the zone (without authority), so resolvers do not trust it. The DNS host has to look.',
    {
      result: ['fail', 'unknown', 'warn'],
      turn: ['dns_host', 'registrar', 'owner'],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  ),
  at(
    'servfail-at-key',
    'dkim',
    'sorrel-goods.com',
    'The name server fails for names with "_domainkey" only. That is for the DNS host; the record may well be right.',
    {
      result: ['unknown', 'fail'],
      turn: ['dns_host', 'owner'],
      says: [/SERVFAIL|servfail-at-key\.badhost\.net/],
      neverSays: [REGISTRAR, ...CALLED_MISSING],
      fix: null,
    },
  ),
  at('servfail-at-key', 'mx', 'borage-goods.com', 'The MX is right; that other names fail is another matter.', {
    result: 'ok',
    turn: null,
    fix: null,
  }),
  at(
    'forged-once',
    'dkim',
    'dill-goods.com',
    'Somebody forges the first answer ("no such name"). The name server itself has the right record when asked again.',
    { result: ['ok', 'warn', 'pending'], neverSays: [/add (a|the) CNAME/i], fix: null },
  ),
  at(
    'two-cnames',
    'dkim',
    'chive-goods.com',
    'The DNS host publishes two CNAMEs at one name, the right one and else.otherhost.net. That is illegal and the answer is luck: keep the right one only.',
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/else\.otherhost\.net/] },
  ),
  at(
    'cname-beside',
    'mx',
    'parsley-goods.com',
    'An MX and a CNAME to else.otherhost.net stand at one name, which is illegal; receivers see one or the other. The CNAME has to go.',
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/CNAME/, /else\.otherhost\.net/] },
  ),
  at(
    'cname-on-demand',
    'mx',
    'mint-goods.com',
    'The MX is there, but who asks for a CNAME gets one to else.otherhost.net, and everything else follows it then. The CNAME has to go.',
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/CNAME/] },
  ),
  at(
    'text-beside',
    'dkim',
    'oregano-goods.com',
    'Beside the CNAME stands a TXT record at the same name, which is illegal: who asks for the text gets "p=old" and not the key. The TXT record has to go.',
    { result: ['fail', 'warn'], turn: ['owner', 'dns_host'], says: [/TXT/] },
  ),
  ...situations({
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
  }),
  at(
    'empty',
    'dkim',
    'cassia-goods.com',
    'The name server answers every question with nothing, not even who it is. It is broken; the DNS host has to look.',
    { result: ['fail', 'unknown'], turn: ['dns_host', 'owner', 'registrar'], neverSays: [/prox|flatten/i] },
  ),
  ...situations({
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
      domainWithLines(
        'spf',
        'fenugreek-goods.com',
        ['bounce TXT "v=spf1 include:spf.mailprovider.net include:_spf.fenugreeklist.net ~all"'],
        [
          {
            ...ownZone(
              'fenugreeklist.net',
              ['dkim', 'mx', 'spf', 'dmarc'],
              ['_spf TXT "v=spf1 ip4:45.76.40.0/24 -all"'],
            ),
            ns: ['slow.badhost.net'],
          },
        ],
      ),
      { result: ['ok', 'warn', 'unknown'], neverSays: [REGISTRAR], fix: null },
    ],
  }),
];

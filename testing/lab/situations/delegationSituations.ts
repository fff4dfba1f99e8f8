import { CALLED_MISSING } from './serverSituations.ts';
import {
  situations,
  rightLines,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  rightDomain,
  expectFix,
} from './zoneLines.ts';

const DNSHOST = ['ns1.dnshost.net', 'ns2.dnshost.net'];
const OTHERHOST = ['ns1.otherhost.net', 'ns2.otherhost.net'];
const RIGHT_DKIM = 'k1._domainkey CNAME k1.dkim.mailprovider.net.';

/** The text of a zone that is right except for its DKIM record. */
function withoutDkim(domain: string): string {
  return ownZone(domain, 'dkim', []).text;
}

/** Which name servers are authoritative for the domain, and what the registrar lists. */
export const delegationSituations = situations({
  'delegation-none': [
    'bergen-goods.com is not in the DNS: not registered, expired or without name servers. Only the registrar helps; records come later.',
    rightDomain('dkim', 'bergen-goods.com', { parentNs: [] }),
    {
      result: 'fail',
      code: 'DOMAIN_NOT_DELEGATED',
      turn: ['registrar', 'owner'],
      says: [/regist|expired|delegat/i],
      neverSays: [/add (a|the) CNAME/i],
      fix: null,
    },
  ],
  'delegation-to-a-host-without-the-zone': [
    'The registrar names ns1.otherhost.net and ns2.otherhost.net, which do not know the domain. Either the zone is created there, or the registrar gets the right name servers.',
    rightDomain('dkim', 'malmo-goods.com', {
      parentNs: OTHERHOST,
      at: { 'ns1.otherhost.net': null, 'ns2.otherhost.net': null },
    }),
    {
      result: ['fail', 'unknown'],
      turn: ['registrar', 'owner', 'dns_host'],
      says: [/ns1\.otherhost\.net/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  ],
  'delegation-to-the-host-of-before': [
    'The registrar still lists the previous host (otherhost.net), whose copy lacks the record. The zone itself lists dnshost.net. Update the name servers at the registrar.',
    rightDomain('dkim', 'turku-goods.com', {
      parentNs: OTHERHOST,
      at: { 'ns1.otherhost.net': withoutDkim('turku-goods.com'), 'ns2.otherhost.net': withoutDkim('turku-goods.com') },
    }),
    { result: ['fail', 'warn'], turn: ['registrar', 'owner'], says: [/otherhost\.net/, /dnshost\.net/] },
  ],
  'delegation-sets-differ-in-one': [
    'The registrar and the zone name different sets of name servers. All of them have the record, so mail works; the sets should be made equal.',
    rightDomain('dkim', 'oulu-goods.com', { ns: ['ns1.dnshost.net', 'ns1.otherhost.net'], parentNs: DNSHOST }),
    {
      result: ['ok', 'warn'],
      advice: { delegation: { result: 'warn', says: [/ns1\.otherhost\.net/, /ns2\.dnshost\.net/] } },
    },
  ],
  'delegation-sets-differ-and-one-is-old': [
    'The zone names ns1.otherhost.net as well, which the registrar does not, and there the record is missing. Some receivers see it, some do not.',
    rightDomain('dkim', 'vaasa-goods.com', {
      ns: ['ns1.dnshost.net', 'ns1.otherhost.net'],
      parentNs: DNSHOST,
      at: { 'ns1.otherhost.net': withoutDkim('vaasa-goods.com') },
    }),
    { result: ['warn', 'fail', 'pending'], says: [/ns1\.otherhost\.net/] },
  ],
  'delegation-one-server-behind': [
    'ns1.dnshost.net has the record, ns2.dnshost.net does not yet. That is for the DNS host: its second server has not taken the change over.',
    rightDomain('dkim', 'narvik-goods.com', { at: { 'ns2.dnshost.net': withoutDkim('narvik-goods.com') } }),
    {
      result: ['warn', 'fail', 'pending'],
      turn: 'dns_host',
      says: [/ns2\.dnshost\.net/],
      neverSays: [/registrar/i],
      fix: null,
    },
  ],
  'delegation-one-server-has-an-old-value': [
    'ns2.dnshost.net still has the old SPF record, without the provider. The DNS host has to bring it up to date.',
    rightDomain('spf', 'bodo-goods.com', {
      at: { 'ns2.dnshost.net': ownZone('bodo-goods.com', 'spf', ['bounce TXT "v=spf1 -all"']).text },
    }),
    { result: ['warn', 'fail', 'pending'], turn: 'dns_host', says: [/ns2\.dnshost\.net/], fix: null },
  ],
  'delegation-one-server-without-the-zone': [
    'The record is right. ns2.dnshost.net does not have the zone and refuses; the other one carries the load.',
    rightDomain('dkim', 'tromso-goods.com', { at: { 'ns2.dnshost.net': null } }),
    { result: ['ok', 'warn'], neverSays: CALLED_MISSING, fix: null },
  ],
  'delegation-one-private-address-beside': [
    'The record is right at ns1.dnshost.net. The second name server has a private address and is useless.',
    rightDomain('dkim', 'horten-goods.com', { ns: ['ns1.dnshost.net', 'private.badhost.net'] }),
    { result: ['ok', 'warn'], neverSays: CALLED_MISSING, fix: null },
  ],
  'delegation-ipv6-beside': [
    'One name server has only IPv6, which this network does not have. That says nothing about it, and the record is right.',
    rightDomain('dkim', 'halden-goods.com', { ns: ['ns1.dnshost.net', 'v6only.badhost.net'] }),
    { result: ['ok', 'warn'], neverSays: CALLED_MISSING, fix: null },
  ],
  'delegation-of-domainkey-lame': [
    '_domainkey.voss-goods.com is delegated to refused.badhost.net, which does not have it. The owner takes that delegation out of the zone, or has that host repair it. The registrar has no part in it.',
    domainWithLines('dkim', 'voss-goods.com', [
      zone('_domainkey.voss-goods.com', ['k1 CNAME k1.dkim.mailprovider.net.'], { ns: ['refused.badhost.net'] }),
    ]),
    {
      result: ['fail', 'unknown'],
      turn: ['owner', 'dns_host'],
      says: [/_domainkey\.voss-goods\.com/, /refused\.badhost\.net/],
      neverSays: [/registrar/i],
    },
  ],
  'delegation-of-domainkey-without-the-record': [
    '_domainkey.flam-goods.com is a zone of its own at otherhost.net. The CNAME is missing there: the host to type is "k1", in that zone.',
    domainWithLines('dkim', 'flam-goods.com', [
      zone('_domainkey.flam-goods.com', ['k2 A 151.101.66.50'], { ns: OTHERHOST }),
    ]),
    {
      says: [/_domainkey\.flam-goods\.com/],
      fix: expectFix('dkim', { host: 'k1', name: 'k1._domainkey.flam-goods.com' }),
    },
  ],
  'delegation-of-a-subdomain-silent': [
    'news.geilo-goods.com is a zone of its own whose name server does not answer. geilo-goods.com is well, so the registrar has no part in it.',
    domainInZones('dkim', 'news.geilo-goods.com', [
      zone('geilo-goods.com', ['@ A 151.101.66.20']),
      zone('news.geilo-goods.com', rightLines(), { ns: ['silent.badhost.net'] }),
    ]),
    {
      result: ['fail', 'unknown'],
      turn: ['owner', 'dns_host'],
      says: [/silent\.badhost\.net/],
      neverSays: [/registrar/i, ...CALLED_MISSING],
      fix: null,
    },
  ],
  'delegation-dnssec-broken': [
    'The signatures of the zone do not match what it serves. Receivers that check DNSSEC see nothing. The DNS host re-signs the zone, or the registrar removes the DS record.',
    rightDomain('dkim', 'roros-goods.com', { signed: 'broken' }),
    {
      result: 'fail',
      turn: ['dns_host', 'registrar', 'owner'],
      says: [/DNSSEC/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  ],
  'delegation-dnssec-expired': [
    'The DNSSEC signatures of the zone have expired; validating receivers see nothing. The DNS host must re-sign the zone.',
    rightDomain('mx', 'lom-goods.com', { signed: 'expired' }),
    {
      result: 'fail',
      turn: ['dns_host', 'registrar', 'owner'],
      says: [/DNSSEC/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  ],
  'delegation-edited-at-the-wrong-host': [
    'otherhost.net answers for the domain, and there the record is missing. Changes at dnshost.net have no effect. Add it at otherhost.net.',
    domainWithLines('dkim', 'notodden-goods.com', [], {
      ns: OTHERHOST,
      primary: 'ns1.dnshost.net',
      at: { 'ns1.dnshost.net': ownZone('notodden-goods.com', 'dkim', [RIGHT_DKIM]).text },
    }),
    { code: 'EDITED_AT_WRONG_HOST', says: [/otherhost\.net/, /ns1\.dnshost\.net/], fix: expectFix('dkim') },
  ],
  'delegation-expired-domain': [
    'The domain has expired: the registrar has put it on its own name servers, which show a page for every name. It has to be renewed.',
    domainInZones('spf', 'kongsberg-goods.com', [
      zone('kongsberg-goods.com', ['@ A 66.96.162.92', '* A 66.96.162.92'], { ns: ['ns1.pendingrenewaldeletion.com'] }),
    ]),
    {
      result: 'fail',
      code: 'DOMAIN_EXPIRED',
      turn: ['registrar', 'owner'],
      says: [/expired|renew|park/i],
      neverSays: [/\b(remove|delete)\b/i],
    },
  ],
  'delegation-one-server-without-signatures': [
    'The zone is signed, and the registrar has its DS record. ns2.dnshost.net serves it without signatures, so validating resolvers fail whenever they ask there. The DNS host has to sign it there too.',
    rightDomain('dkim', 'svolvaer-goods.com', { signed: 'right', unsignedAt: ['ns2.dnshost.net'] }),
    {
      result: ['ok', 'warn'],
      advice: { delegation: { result: 'warn', says: [/ns2\.dnshost\.net/, /signatures/] } },
    },
  ],
});

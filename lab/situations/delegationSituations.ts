import type { Situation } from '../situation.ts';
import {
  listedRecord,
  ownZone,
  rightLines,
  domainWithLines,
  domainWithZone,
  rightDomain,
  expectFix,
  zone,
} from './zoneLines.ts';

const DNSHOST = ['ns1.dnshost.net', 'ns2.dnshost.net'];
const OTHERHOST = ['ns1.otherhost.net', 'ns2.otherhost.net'];
const RIGHT_DKIM = 'k1._domainkey CNAME k1.dkim.mailprovider.net.';
const CALLED_MISSING = [/is missing/i, /nothing exists/i, /does not exist/i, /add (a|the) CNAME/i];

/** The text of a zone that is right except for its DKIM record. */
function withoutDkim(domain: string): string {
  return ownZone(domain, 'dkim', []).text;
}

/** Which name servers are authoritative for the domain, and what the registrar lists. */
export const delegationSituations: Situation[] = [
  {
    id: 'delegation-none',
    expert:
      'bergen-goods.com is not in the DNS: not registered, expired or without name servers. Only the registrar helps; records come later.',
    ...rightDomain('dkim', 'bergen-goods.com', { parentNs: [] }),
    expect: {
      result: 'fail',
      turn: ['registrar', 'owner'],
      says: [/regist|expired|delegat/i],
      neverSays: [/add (a|the) CNAME/i],
      fix: null,
    },
  },
  {
    id: 'delegation-none-for-dmarc',
    expert: 'The domain gavle-goods.org is not in the DNS; that comes before any DMARC record.',
    ...rightDomain('dmarc', 'gavle-goods.org', { parentNs: [] }),
    expect: { result: 'fail', turn: ['registrar', 'owner'], says: [/regist|expired|delegat/i], fix: null },
  },
  {
    id: 'delegation-to-a-host-without-the-zone',
    expert:
      'The registrar names ns1.otherhost.net and ns2.otherhost.net, which do not know the domain. Either the zone is created there, or the registrar gets the right name servers.',
    ...rightDomain('dkim', 'malmo-goods.com', {
      parentNs: OTHERHOST,
      at: { 'ns1.otherhost.net': null, 'ns2.otherhost.net': null },
    }),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['registrar', 'owner', 'dns_host'],
      says: [/ns1\.otherhost\.net/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'delegation-to-the-host-of-before',
    expert:
      'The registrar still names the host of before (otherhost.net), whose copy lacks the record. The zone itself names dnshost.net. The name servers at the registrar have to be set.',
    ...rightDomain('dkim', 'turku-goods.com', {
      parentNs: OTHERHOST,
      at: { 'ns1.otherhost.net': withoutDkim('turku-goods.com'), 'ns2.otherhost.net': withoutDkim('turku-goods.com') },
    }),
    expect: {
      result: ['fail', 'warn'],
      turn: ['registrar', 'owner'],
      says: [/otherhost\.net/, /dnshost\.net/],
    },
  },
  {
    id: 'delegation-sets-differ-in-one',
    expert:
      'The registrar and the zone name different sets of name servers. All of them have the record, so mail works; the sets should be made equal.',
    ...rightDomain('dkim', 'oulu-goods.com', {
      ns: ['ns1.dnshost.net', 'ns1.otherhost.net'],
      parentNs: DNSHOST,
    }),
    expect: {
      result: ['ok', 'warn'],
      advice: { delegation: { result: 'warn', says: [/ns1\.otherhost\.net/, /ns2\.dnshost\.net/] } },
    },
  },
  {
    id: 'delegation-sets-differ-and-one-is-old',
    expert:
      'The zone names ns1.otherhost.net as well, which the registrar does not, and there the record is missing. Some receivers see it, some do not.',
    ...rightDomain('dkim', 'vaasa-goods.com', {
      ns: ['ns1.dnshost.net', 'ns1.otherhost.net'],
      parentNs: DNSHOST,
      at: { 'ns1.otherhost.net': withoutDkim('vaasa-goods.com') },
    }),
    expect: { result: ['warn', 'fail', 'pending'], says: [/ns1\.otherhost\.net/] },
  },
  {
    id: 'delegation-one-server-behind',
    expert:
      'ns1.dnshost.net has the record, ns2.dnshost.net does not yet. That is for the DNS host: its second server has not taken the change over.',
    ...rightDomain('dkim', 'narvik-goods.com', { at: { 'ns2.dnshost.net': withoutDkim('narvik-goods.com') } }),
    expect: {
      result: ['warn', 'fail', 'pending'],
      turn: 'dns_host',
      says: [/ns2\.dnshost\.net/],
      neverSays: [/registrar/i],
      fix: null,
    },
  },
  {
    id: 'delegation-one-server-has-an-old-value',
    expert:
      'ns2.dnshost.net still has the old SPF record, without the provider. The DNS host has to bring it up to date.',
    ...rightDomain('spf', 'bodo-goods.com', {
      at: {
        'ns2.dnshost.net': ownZone('bodo-goods.com', 'spf', ['bounce TXT "v=spf1 -all"']).text,
      },
    }),
    expect: { result: ['warn', 'fail', 'pending'], turn: 'dns_host', says: [/ns2\.dnshost\.net/], fix: null },
  },
  {
    id: 'delegation-one-server-without-the-zone',
    expert: 'The record is right. ns2.dnshost.net does not have the zone and refuses; the other one carries the load.',
    ...rightDomain('dkim', 'tromso-goods.com', { at: { 'ns2.dnshost.net': null } }),
    expect: { result: ['ok', 'warn'], neverSays: CALLED_MISSING, fix: null },
  },
  {
    id: 'delegation-name-servers-without-address',
    expert:
      'The name server no-address.badhost.net has no address, so nobody can ask it. The DNS host or the owner has to repair that.',
    ...rightDomain('dkim', 'molde-goods.com', { ns: ['no-address.badhost.net'] }),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['owner', 'registrar', 'dns_host'],
      says: [/no-address\.badhost\.net/, /address/i],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'delegation-name-servers-that-do-not-exist',
    expert: 'The registrar names not-there.badhost.net, which does not exist: a typing error or a host that is gone.',
    ...rightDomain('dkim', 'alta-goods.com', { ns: ['not-there.badhost.net'] }),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['owner', 'registrar', 'dns_host'],
      says: [/not-there\.badhost\.net/],
      neverSays: [/is missing/i, /add (a|the) CNAME/i],
      fix: null,
    },
  },
  {
    id: 'delegation-to-a-private-address',
    expert: 'The name server private.badhost.net has a private address, 10.20.30.40, that nobody outside can reach.',
    ...rightDomain('mx', 'skien-goods.com', { ns: ['private.badhost.net'] }),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['owner', 'dns_host', 'registrar'],
      says: [/private\.badhost\.net/, /10\.20\.30\.40|private address/i],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'delegation-to-loopback',
    expert: 'The name server loopback.badhost.net has the address 127.0.0.1, which leads every asker to himself.',
    ...rightDomain('dkim', 'larvik-goods.com', { ns: ['loopback.badhost.net'] }),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['owner', 'dns_host', 'registrar'],
      says: [/loopback\.badhost\.net/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'delegation-one-private-address-beside',
    expert: 'The record is right at ns1.dnshost.net. The second name server has a private address and helps nobody.',
    ...rightDomain('dkim', 'horten-goods.com', { ns: ['ns1.dnshost.net', 'private.badhost.net'] }),
    expect: { result: ['ok', 'warn'], neverSays: CALLED_MISSING, fix: null },
  },
  {
    id: 'delegation-ipv6-only',
    expert:
      'The only name server has an IPv6 address only, and the network of this check has no IPv6. Nothing can be said about the record from here.',
    ...rightDomain('dkim', 'moss-goods.com', { ns: ['v6only.badhost.net'] }),
    expect: {
      result: 'unknown',
      turn: ['checker', 'dns_host'],
      says: [/IPv6/],
      neverSays: [...CALLED_MISSING, /registrar/i],
      fix: null,
    },
  },
  {
    id: 'delegation-ipv6-beside',
    expert: 'The IPv6 address of the name server cannot be reached from here, its other one can. The record is right.',
    ...rightDomain('dkim', 'halden-goods.com', { ns: ['v6too.badhost.net'] }),
    expect: { result: ['ok', 'warn'], neverSays: CALLED_MISSING, fix: null },
  },
  {
    id: 'delegation-to-the-root',
    expert: 'upward.badhost.net answers with a pointer to the root: it does not have the zone.',
    ...rightDomain('dkim', 'hamar-goods.com', { ns: ['upward.badhost.net'] }),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['dns_host', 'registrar', 'owner'],
      says: [/upward\.badhost\.net/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'delegation-of-domainkey-lame',
    expert:
      '_domainkey.voss-goods.com is delegated to refused.badhost.net, which does not have it. The owner takes that delegation out of the zone, or has that host repair it. The registrar has no part in it.',
    ...domainWithLines(
      'dkim',
      'voss-goods.com',
      [],
      [zone('_domainkey.voss-goods.com', ['k1 CNAME k1.dkim.mailprovider.net.'], { ns: ['refused.badhost.net'] })],
    ),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['owner', 'dns_host'],
      says: [/_domainkey\.voss-goods\.com/, /refused\.badhost\.net/],
      neverSays: [/registrar/i],
    },
  },
  {
    id: 'delegation-of-domainkey-silent',
    expert:
      '_domainkey.odda-goods.com is delegated to silent.badhost.net, which does not answer. The rest of the zone is well.',
    ...domainWithLines(
      'dkim',
      'odda-goods.com',
      [],
      [zone('_domainkey.odda-goods.com', ['k1 CNAME k1.dkim.mailprovider.net.'], { ns: ['silent.badhost.net'] })],
    ),
    expect: {
      result: ['fail', 'unknown'],
      turn: ['owner', 'dns_host'],
      says: [/_domainkey\.odda-goods\.com/, /silent\.badhost\.net/],
      neverSays: [/registrar/i, ...CALLED_MISSING],
    },
  },
  {
    id: 'delegation-of-domainkey-without-the-record',
    expert:
      '_domainkey.flam-goods.com is a zone of its own at otherhost.net. The CNAME is missing there: the host to type is "k1", in that zone.',
    ...domainWithLines(
      'dkim',
      'flam-goods.com',
      [],
      [zone('_domainkey.flam-goods.com', ['k2 A 151.101.66.50'], { ns: OTHERHOST })],
    ),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/_domainkey\.flam-goods\.com/],
      fix: expectFix('dkim', { host: 'k1', name: 'k1._domainkey.flam-goods.com' }),
    },
  },
  {
    id: 'delegation-of-a-subdomain-silent',
    expert:
      'news.geilo-goods.com is a zone of its own whose name server does not answer. geilo-goods.com is well, so the registrar has no part in it.',
    domain: 'news.geilo-goods.com',
    mailFrom: 'bounce.news.geilo-goods.com',
    records: [listedRecord('dkim', 'news.geilo-goods.com')],
    zones: [
      zone('geilo-goods.com', ['@ A 151.101.66.20']),
      zone('news.geilo-goods.com', rightLines(), { ns: ['silent.badhost.net'] }),
    ],
    expect: {
      result: ['fail', 'unknown'],
      turn: ['owner', 'dns_host'],
      says: [/silent\.badhost\.net/],
      neverSays: [/registrar/i, ...CALLED_MISSING],
      fix: null,
    },
  },
  {
    id: 'delegation-dnssec-broken',
    expert:
      'The signatures of the zone do not match what it serves. Receivers that check DNSSEC see nothing of it. The DNS host signs anew, or the registrar takes the DS record out.',
    ...rightDomain('dkim', 'roros-goods.com', { signed: 'broken' }),
    expect: {
      result: 'fail',
      turn: ['dns_host', 'registrar', 'owner'],
      says: [/DNSSEC/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'delegation-dnssec-expired',
    expert:
      'The DNSSEC signatures of the zone have expired; validating receivers see nothing. The DNS host has to sign anew.',
    ...rightDomain('mx', 'lom-goods.com', { signed: 'expired' }),
    expect: {
      result: 'fail',
      turn: ['dns_host', 'registrar', 'owner'],
      says: [/DNSSEC/],
      neverSays: CALLED_MISSING,
      fix: null,
    },
  },
  {
    id: 'delegation-dnssec-broken-and-record-missing',
    expert: 'DNSSEC of the zone is broken. That comes first, whatever else may be missing.',
    ...domainWithZone('spf', 'rjukan-goods.com', [], { signed: 'broken' }),
    expect: { result: 'fail', turn: ['dns_host', 'registrar', 'owner'], says: [/DNSSEC/] },
  },
  {
    id: 'delegation-edited-at-the-wrong-host',
    expert:
      'otherhost.net answers for the domain, and there the record is missing. Changes at dnshost.net have no effect. Add it at otherhost.net.',
    ...domainWithZone('dkim', 'notodden-goods.com', [], {
      ns: OTHERHOST,
      at: { 'ns1.dnshost.net': ownZone('notodden-goods.com', 'dkim', [RIGHT_DKIM]).text },
    }),
    expect: { result: 'fail', turn: 'owner', says: [/otherhost\.net/], fix: expectFix('dkim') },
  },
  {
    id: 'delegation-expired-domain',
    expert:
      'The domain has expired: the registrar has put it on its own name servers, which show a page for every name. It has to be renewed.',
    ...rightDomain('spf', 'kongsberg-goods.com', {
      ns: ['ns1.pendingrenewaldeletion.com', 'ns2.pendingrenewaldeletion.com'],
      at: { 'ns1.pendingrenewaldeletion.com': null, 'ns2.pendingrenewaldeletion.com': null },
    }),
    expect: {
      result: 'fail',
      turn: ['registrar', 'owner'],
      says: [/expired|renew|park/i],
      neverSays: [/\b(remove|delete)\b/i],
    },
  },
  {
    id: 'delegation-parked-by-a-second-service',
    expert: 'The domain is at a parking service that answers for every name. The owner has to take it back first.',
    ...rightDomain('dkim', 'drammen-goods.com', {
      ns: ['ns1.parkingcrew.net', 'ns2.parkingcrew.net'],
      at: { 'ns1.parkingcrew.net': null, 'ns2.parkingcrew.net': null },
    }),
    expect: {
      result: 'fail',
      turn: ['registrar', 'owner'],
      says: [/expired|park/i],
      neverSays: [/prox|flatten/i, /\b(remove|delete)\b/i],
    },
  },
];

import {
  situations,
  ownZone,
  zone,
  domainWithLines,
  rightDomain,
  expectFix,
  RIGHT,
  type RecordKind,
} from './zoneLines.ts';

const FIVE = [
  'ada.ns.cloudflare.com',
  'ns1.dnshost.net',
  'ns2.dnshost.net',
  'ns1.otherhost.net',
  'ns2.otherhost.net',
] as const;
const TWO_HOSTS = ['ns1.dnshost.net', 'ns2.dnshost.net', 'ns1.otherhost.net', 'ns2.otherhost.net'] as const;
const WAITING = /\bwait\b/i;

/** A zone of the same content with an SOA of its own, without the records of these kinds. */
function withSoa(domain: string, kinds: readonly RecordKind[], primary: string, serial: number): string {
  const soa = `@ 300 SOA ${primary}. hostmaster.dnshost.net. ${serial} 3600 600 86400 300`;
  return `${soa}\n${ownZone(domain, kinds, []).text}`;
}

/** The same without the record of that kind, which `lines` replace. */
function without(domain: string, kind: RecordKind, primary: string, serial: number, lines = ''): string {
  return `${withSoa(domain, [kind], primary, serial)}${lines}`;
}

/** More than two name servers, two DNS hosts for one zone, its versions, and servers that can't be found. */
export const hostSituations = situations({
  'hosts-fifth-server-is-wrong': [
    'Of five name servers, the one that comes last in the alphabet lacks the record. Some receivers ask it, so it counts.',
    domainWithLines('dkim', 'alta-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.'], {
      ns: FIVE,
      at: { 'ns2.otherhost.net': without('alta-goods.com', 'dkim', 'ada.ns.cloudflare.com', 2026112001) },
    }),
    { result: ['fail', 'pending'], says: [/ns2\.otherhost\.net/], neverSays: [/nothing to change/i] },
  ],
  'hosts-five-servers-are-right': [
    'All five name servers of two hosts have the record.',
    rightDomain('mx', 'mo-goods.com', { ns: FIVE }),
    { result: 'ok', turn: null, fix: null, advice: { delegation: { result: 'ok', says: [/ns2\.otherhost\.net/] } } },
  ],
  'hosts-second-host-never-got-the-record': [
    'Two DNS hosts serve the zone, each from its own copy. The record is at dnshost.net only. Nobody carries it over to otherhost.net: the owner enters it there too. Waiting helps nothing.',
    domainWithLines('dkim', 'hamar-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.'], {
      ns: TWO_HOSTS,
      at: {
        'ns1.otherhost.net': without('hamar-goods.com', 'dkim', 'ns1.otherhost.net', 17),
        'ns2.otherhost.net': without('hamar-goods.com', 'dkim', 'ns1.otherhost.net', 17),
      },
    }),
    { code: 'DNS_HOSTS_DIFFER', says: [/otherhost\.net/], neverSays: [WAITING], fix: expectFix('dkim') },
  ],
  'hosts-second-host-has-an-older-spf': [
    'At otherhost.net the owner forgot the new sender of the SPF record, which is right at dnshost.net with the mail server of the owner. The same text belongs there, with that server.',
    domainWithLines('spf', 'moss-goods.com', ['bounce TXT "v=spf1 ip4:45.76.60.4 include:spf.mailprovider.net -all"'], {
      ns: TWO_HOSTS,
      at: {
        'ns1.otherhost.net': without('moss-goods.com', 'spf', 'ns1.otherhost.net', 3, 'bounce TXT "v=spf1 -all"\n'),
        'ns2.otherhost.net': without('moss-goods.com', 'spf', 'ns1.otherhost.net', 3, 'bounce TXT "v=spf1 -all"\n'),
      },
    }),
    {
      code: 'DNS_HOSTS_DIFFER',
      neverSays: [WAITING],
      fix: expectFix('spf', { value: 'v=spf1 ip4:45.76.60.4 include:spf.mailprovider.net -all' }),
    },
  ],
  'hosts-one-server-of-the-second-host-lacks-the-record': [
    'Each of two hosts has its own SOA. Of the four servers, only the last one lacks the record, in the version of its host: all were asked, and no transfer is due, least of all from the other host.',
    domainWithLines('dkim', 'perch-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.'], {
      ns: TWO_HOSTS,
      at: {
        'ns1.otherhost.net': withSoa('perch-goods.com', [], 'ns1.otherhost.net', 17),
        'ns2.otherhost.net': without('perch-goods.com', 'dkim', 'ns1.otherhost.net', 17),
      },
    }),
    { result: 'pending', turn: 'dns_host', says: [/ns2\.otherhost\.net has none/], neverSays: [WAITING], fix: null },
  ],
  'hosts-own-soa-at-each-and-all-are-right': [
    'Each of two hosts has its own SOA, and all four servers have the record.',
    rightDomain('dkim', 'sole-goods.com', {
      ns: TWO_HOSTS,
      at: {
        'ns1.otherhost.net': withSoa('sole-goods.com', [], 'ns1.otherhost.net', 17),
        'ns2.otherhost.net': withSoa('sole-goods.com', [], 'ns1.otherhost.net', 17),
      },
    }),
    { ...RIGHT, advice: { delegation: { result: 'ok', says: [/ns2\.otherhost\.net/] } } },
  ],
  'hosts-newer-version-lacks-the-record': [
    'ns2.dnshost.net has the newer version of the zone, without the record. The transfer will take it away from the other one as well, so the owner has to enter it again at the source. Waiting makes it worse.',
    domainWithLines('dkim', 'floro-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.'], {
      primary: 'hidden.dnshost.net',
      at: { 'ns2.dnshost.net': without('floro-goods.com', 'dkim', 'hidden.dnshost.net', 2026112002) },
    }),
    { code: 'PRIMARY_WRONG', says: [/ns2\.dnshost\.net/], neverSays: [WAITING], fix: expectFix('dkim') },
  ],
  'hosts-primary-lacks-the-mx': [
    'The primary ns1.dnshost.net no longer has the MX; the secondary still does, until it takes the change over. The owner has to enter it again.',
    domainWithLines('mx', 'sandnes-goods.com', ['bounce MX 10 feedback.mailprovider.net.'], {
      primary: 'ns1.dnshost.net',
      at: { 'ns1.dnshost.net': without('sandnes-goods.com', 'mx', 'ns1.dnshost.net', 2026112001) },
    }),
    { code: 'PRIMARY_WRONG', says: [/ns1\.dnshost\.net/], neverSays: [WAITING], fix: expectFix('mx') },
  ],
  'hosts-secondary-is-behind': [
    'The primary has the record in the newer version; the secondary has the older one. The transfer brings it.',
    domainWithLines('dkim', 'grimstad-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.'], {
      primary: 'ns1.dnshost.net',
      at: { 'ns2.dnshost.net': without('grimstad-goods.com', 'dkim', 'ns1.dnshost.net', 2026112000) },
    }),
    { result: 'pending', turn: 'dns_host', says: [WAITING, /ns2\.dnshost\.net/], fix: null },
  ],
  'hosts-names-in-the-zone-without-addresses': [
    'The registrar names ns1 and ns2 of the domain itself, and has no addresses for them. Nobody can find them. The owner has the registrar list their addresses.',
    domainWithLines('dkim', 'rjukan-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.'], {
      parentNs: ['ns1.rjukan-goods.com', 'ns2.rjukan-goods.com'],
    }),
    {
      code: 'NAMESERVERS_WITHOUT_ADDRESS',
      says: [/ns1\.rjukan-goods\.com/, /registrar/],
      fix: null,
    },
  ],
  'hosts-two-zones-in-each-other': [
    'The name servers of dale-goods.com are in dale-hosting.net, whose name servers are in dale-goods.com. Neither has an address at the registry, so neither can be found.',
    {
      domain: 'dale-goods.com',
      records: [{ type: 'CNAME', name: 'k1._domainkey.dale-goods.com', value: 'k1.dkim.mailprovider.net' }],
      zones: [
        zone('dale-goods.com', ['@ A 151.101.66.20'], { parentNs: ['ns1.dale-hosting.net', 'ns2.dale-hosting.net'] }),
        zone('dale-hosting.net', ['@ A 151.101.66.21'], { parentNs: ['ns1.dale-goods.com', 'ns2.dale-goods.com'] }),
      ],
    },
    { code: 'NAMESERVERS_WITHOUT_ADDRESS', says: [/ns1\.dale-hosting\.net/], fix: null },
  ],
  'hosts-one-name-in-the-zone-without-address': [
    'One of the two names is in the zone and has no address at the registrar; the other host carries the load, and the record is right.',
    rightDomain('dkim', 'odda-goods.com', {
      parentNs: ['ns1.dnshost.net', 'ns9.odda-goods.com'],
      ns: ['ns1.dnshost.net'],
    }),
    { result: ['ok', 'warn'], fix: null },
  ],
});

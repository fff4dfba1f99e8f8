import {
  listedRecord,
  ownZone,
  domainWithLines,
  domainAtApex,
  expectFix,
  zone,
  situations,
  judged,
} from './zoneLines.ts';

const WITH_INCLUDE = /^v=spf1 include:spf\.mailprovider\.net [~-]all$/;

/** Whether the servers of the provider may send. */
export const spfSituations = situations({
  'spf-none-beside-mx': [
    'bounce.heron-goods.com has its MX but no SPF record: servers of the provider are not allowed by anything. Add the TXT record; the MX stays.',
    domainWithLines('spf', 'heron-goods.com', []),
    {
      says: [/bounce\.heron-goods\.com/],
      neverSays: [/bounce\.heron-goods\.com does not exist/i, /(remove|delete) the MX/i],
      fix: expectFix('spf'),
    },
  ],
  'spf-only-other-senders': [
    'The SPF record allows the office suite only. Insert the include of the provider before "-all"; the office suite stays.',
    domainAtApex('finch-goods.com', [
      '@ TXT "v=spf1 include:_spf.finchoffice.net -all"',
      zone('finchoffice.net', ['_spf TXT "v=spf1 ip4:45.76.10.0/24 -all"']),
    ]),
    {
      says: [/include:spf\.mailprovider\.net/],
      fix: {
        name: 'finch-goods.com',
        type: 'TXT',
        value:
          /^v=spf1 (include:_spf\.finchoffice\.net include:spf\.mailprovider\.net|include:spf\.mailprovider\.net include:_spf\.finchoffice\.net) -all$/,
      },
    },
  ],
  'spf-include-after-all': [
    'The include stands after "-all". Receivers stop at "all", so it does not count: mail of the provider fails. Put it before.',
    domainAtApex('wren-goods.com', ['@ TXT "v=spf1 mx -all include:spf.mailprovider.net"']),
    {
      says: [/-all/],
      fix: {
        name: 'wren-goods.com',
        type: 'TXT',
        value: /^v=spf1 (mx include:spf\.mailprovider\.net|include:spf\.mailprovider\.net mx) -all$/,
      },
    },
  ],
  'spf-after-neutral-all': [
    '"?all" comes first and matches everybody, so the include behind it is never read and the answer is neutral.',
    domainWithLines('spf', 'swift-goods.com', ['bounce TXT "v=spf1 ?all include:spf.mailprovider.net ~all"']),
    { says: [/\?all/], fix: expectFix('spf', { value: /^v=spf1 include:spf\.mailprovider\.net [~?-]all$/ }) },
  ],
  'spf-question-include': [
    '"?include" answers neutral for the servers of the provider, which is not a pass. Take the question mark away.',
    domainWithLines('spf', 'stork-goods.com', ['bounce TXT "v=spf1 ?include:spf.mailprovider.net ~all"']),
    { says: [/\?include:spf\.mailprovider\.net/], fix: expectFix('spf') },
  ],
  'spf-minus-include': [
    '"-include" forbids exactly the servers of the provider. Take the minus away.',
    domainWithLines('spf', 'crane-goods.com', ['bounce TXT "v=spf1 -include:spf.mailprovider.net ~all"']),
    { says: [/-include:spf\.mailprovider\.net/], fix: expectFix('spf') },
  ],
  'spf-tilde-include': [
    '"~include" gives a soft fail to the servers of the provider; it has to be a plain include.',
    domainWithLines('spf', 'egret-goods.com', ['bounce TXT "v=spf1 ~include:spf.mailprovider.net -all"']),
    { says: [/~include:spf\.mailprovider\.net/], fix: expectFix('spf', { value: WITH_INCLUDE }) },
  ],
  'spf-nobody-may-send': [
    'The record says that nobody may send for bounce.ibis-goods.com. The include of the provider has to come in before "-all".',
    domainWithLines('spf', 'ibis-goods.com', ['bounce TXT "v=spf1 -all"']),
    { says: [/v=spf1 -all/], fix: expectFix('spf', { value: WITH_INCLUDE }) },
  ],
  'spf-forbidden-before-include': [
    'An address range of the provider is forbidden before the include that would allow it; the first match decides.',
    domainWithLines('spf', 'robin-goods.com', [
      'bounce TXT "v=spf1 -ip4:185.70.40.0/22 include:spf.mailprovider.net ~all"',
    ]),
    { says: [/-ip4:185\.70\.40\.0\/22/] },
  ],
  'spf-addresses-copied': [
    'The addresses of the provider were copied instead of including its record. That works until the provider changes them; the include is better.',
    domainWithLines('spf', 'gull-goods.com', [
      'bounce TXT "v=spf1 ip4:185.70.40.0/24 ip4:185.70.41.16/28 ip6:2001:67c:2e8::/48 -all"',
    ]),
    { result: 'warn', turn: 'owner', says: [/include:spf\.mailprovider\.net/], neverSays: [/not allowed/i] },
  ],
  'spf-addresses-copied-in-halves': [
    'All addresses of the provider are allowed, in smaller ranges; they break when the provider changes.',
    domainWithLines('spf', 'tern-goods.com', [
      'bounce TXT "v=spf1 ip4:185.70.40.0/25 ip4:185.70.40.128/25 ip4:185.70.41.16/28 ip6:2001:67c:2e8:0::/49 ip6:2001:67c:2e8:8000::/49 -all"',
    ]),
    { result: 'warn', turn: 'owner', says: [/include:spf\.mailprovider\.net/] },
  ],
  'spf-addresses-in-larger-ranges': [
    'Larger ranges hold the addresses of the provider, so its mail passes; the include would follow its changes.',
    domainWithLines('spf', 'skua-goods.com', ['bounce TXT "v=spf1 ip4:185.70.40.0/22 ip6:2001:67c:2e8::/46 -all"']),
    { result: 'warn', turn: 'owner', says: [/include:spf\.mailprovider\.net/] },
  ],
  'spf-addresses-flattened-by-a-service': [
    'A flattening record of the owner, behind an include, holds the addresses of the provider. It works until the provider changes them.',
    domainWithLines('spf', 'dove-goods.com', [
      'bounce TXT "v=spf1 include:_flat.dove-goods.com ~all"',
      '_flat TXT "v=spf1 ip4:185.70.40.0/24 ip4:185.70.41.16/28 ip6:2001:67c:2e8::/48 ~all"',
    ]),
    { result: 'warn', turn: 'owner', says: [/include:spf\.mailprovider\.net/] },
  ],
  'spf-addresses-copied-in-part': [
    'Only one of the ranges of the provider was copied. Mail from the others is not allowed; the include of the provider is needed.',
    domainWithLines('spf', 'rook-goods.com', ['bounce TXT "v=spf1 ip4:185.70.40.0/24 -all"']),
    { fix: expectFix('spf', { value: /^v=spf1 .*include:spf\.mailprovider\.net.* -all$/ }) },
  ],
  'spf-addresses-without-ipv6': [
    'The IPv6 range of the provider is not in the copied addresses, so what it sends over IPv6 fails.',
    domainWithLines('spf', 'crow-goods.com', ['bounce TXT "v=spf1 ip4:185.70.40.0/24 ip4:185.70.41.16/28 -all"']),
    {
      result: ['fail', 'warn'],
      turn: 'owner',
      fix: expectFix('spf', { value: /^v=spf1 .*include:spf\.mailprovider\.net.* -all$/ }),
    },
  ],
  'spf-hosted-macro-of-the-greeting': [
    'The record is kept by an SPF service and depends on the greeting of each sender. Nobody can read from outside whom it allows: ask that service, and leave the record alone.',
    domainWithLines('spf', 'plover-goods.com', [
      'bounce TXT "v=spf1 include:%{i}._ip.%{h}._ehlo.%{d}._spf.plovergate.net -all"',
      zone('plovergate.net', ['*._spf TXT "v=spf1 -all"']),
    ]),
    { result: 'unknown', says: [/macro/i, /plovergate\.net/], neverSays: [/not allow/i], fix: null },
  ],
  'spf-hosted-macro-of-the-mailbox': [
    'Whether the provider may send depends on the mailbox name of each sender, by a macro. It cannot be told from outside.',
    domainWithLines('spf', 'quail-goods.com', [
      'bounce TXT "v=spf1 exists:%{l}._user.%{d}.quailgate.net -all"',
      zone('quailgate.net', ['newsletter._user.bounce.quail-goods.com A 127.0.0.2']),
    ]),
    { result: 'unknown', says: [/macro/i, /quailgate\.net/], fix: null },
  ],
  'spf-hosted-macro-of-the-address': [
    'A list of addresses kept in the DNS by a service allows every address of the provider, which can be asked for samples. Mail passes.',
    domainWithLines('spf', 'snipe-goods.com', [
      'bounce TXT "v=spf1 exists:%{ir}.%{v}.snipegate.net -all"',
      zone('snipegate.net', [
        '*.40.70.185.in-addr A 127.0.0.2',
        '*.41.70.185.in-addr A 127.0.0.2',
        '*.8.e.2.0.c.7.6.0.1.0.0.2.ip6 A 127.0.0.2',
      ]),
    ]),
    { result: ['ok', 'warn', 'unknown'], neverOffers: [/^v=spf1 include:spf\.mailprovider\.net [~-]all$/] },
  ],
  'spf-redirect-elsewhere': [
    'The record hands everything to another record, which does not allow the provider. Put the include before the redirect, or into that record.',
    domainWithLines('spf', 'linnet-goods.com', [
      'bounce TXT "v=spf1 redirect=_spf.linnet-goods.com"',
      '_spf TXT "v=spf1 ip4:45.76.11.0/24 -all"',
    ]),
    { says: [/_spf\.linnet-goods\.com/], neverOffers: [/^v=spf1 include:spf\.mailprovider\.net [~-]all$/] },
  ],
  'spf-include-of-another-ending': [
    'spf.mailprovider.com is included, where spf.mailprovider.net was meant. That name has no SPF record, so the whole record is an error.',
    domainWithLines('spf', 'siskin-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.com ~all"']),
    { says: [/spf\.mailprovider\.com/], fix: expectFix('spf', { value: WITH_INCLUDE }) },
  ],
  'spf-provider-record-broken': [
    'The include is right, but the record of the provider itself cannot be read ("ip4:185.82.300.0/24"). Only the provider can repair that.',
    otherProvider('pipit-goods.com', 'pipitpost.net', ['spf TXT "v=spf1 ip4:185.82.300.0/24 -all"']),
    { result: 'fail', turn: 'provider', says: [/spf\.pipitpost\.net/], fix: null },
  ],
  'spf-provider-record-gone': [
    'The include is right, but spf.dunlinpost.net has no SPF record any more. The provider has to publish it again.',
    otherProvider('dunlin-goods.com', 'dunlinpost.net', ['spf A 185.82.10.20']),
    { result: 'fail', turn: 'provider', says: [/spf\.dunlinpost\.net/], fix: null },
  ],
  'spf-two-records': [
    'Two SPF records make SPF an error for every receiver. One record has to hold what both say, and the other is deleted.',
    domainAtApex('osprey-goods.com', [
      '@ TXT "v=spf1 include:_spf.ospreyoffice.net ~all"',
      '@ TXT "v=spf1 include:spf.mailprovider.net ~all"',
      zone('ospreyoffice.net', ['_spf TXT "v=spf1 ip4:45.76.12.0/24 -all"']),
    ]),
    {
      says: [/two|2/i],
      fix: {
        name: 'osprey-goods.com',
        type: 'TXT',
        value:
          /^v=spf1 (include:_spf\.ospreyoffice\.net include:spf\.mailprovider\.net|include:spf\.mailprovider\.net include:_spf\.ospreyoffice\.net) ~all$/,
      },
    },
  ],
  'spf-two-records-in-one': [
    'A second SPF record was pasted behind the first in the same text. What follows the first "-all" does not count, so the provider is not allowed.',
    domainAtApex('kestrel-goods.com', [
      '@ TXT "v=spf1 include:_spf.kestreloffice.net -all v=spf1 include:spf.mailprovider.net ~all"',
      zone('kestreloffice.net', ['_spf TXT "v=spf1 ip4:45.76.13.0/24 -all"']),
    ]),
    { says: [/-all/], neverOffers: [/^(?!.*include:_spf\.kestreloffice\.net)/, /all .*v=spf1/] },
  ],
  'spf-neutral-for-others': [
    'The provider may send. "?all" says nothing about everybody else; "~all" would.',
    domainWithLines('spf', 'merlin-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net ?all"']),
    { result: ['warn', 'ok'], says: [/\?all/], neverOffers: [/\?all/] },
  ],
  'spf-without-all': [
    'The provider may send, but the record has no "all" at its end and so says nothing about everybody else.',
    domainWithLines('spf', 'hobby-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net"']),
    { result: 'warn', turn: 'owner', says: [/\ball\b/], fix: expectFix('spf', { value: WITH_INCLUDE }) },
  ],
});

/** A domain whose provider has that zone, with its SPF record at `spf.`. */
function otherProvider(domain: string, provider: string, lines: readonly string[]) {
  const value = `v=spf1 include:spf.${provider} ~all`;
  const own = ownZone(domain, 'spf', [`bounce TXT "${value}"`]);
  return judged(domain, { ...listedRecord('spf', domain), value }, [own, zone(provider, lines)]);
}

import {
  situations,
  rightLines,
  listedRecord,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  domainAtApex,
  expectFix,
} from './zoneLines.ts';

const TAKES_AWAY = /(remove|delete)/i;
const NO_POLICY = /(^|[; ])p=none/;

/** An offered fix must keep everything that the owner has. */
export const fixSituations = situations({
  'fix-spf-keeps-every-sender': [
    'Only the include of the provider is missing. Mail servers, addresses, the other include and "-all" of the owner stay as they are.',
    domainAtApex('anvil-goods.com', [
      '@ TXT "v=spf1 a mx ip4:45.76.50.0/28 ip6:2a01:4f8:10::/64 include:_spf.anvilsuite.net -all"',
      zone('anvilsuite.net', ['_spf TXT "v=spf1 ip4:45.76.51.0/24 -all"']),
    ]),
    {
      fix: {
        name: 'anvil-goods.com',
        type: 'TXT',
        value:
          /^v=spf1 (?=.*\ba\b)(?=.*\bmx\b)(?=.*ip4:45\.76\.50\.0\/28)(?=.*ip6:2a01:4f8:10::\/64)(?=.*include:_spf\.anvilsuite\.net)(?=.*include:spf\.mailprovider\.net).* -all$/,
      },
    },
  ],
  'fix-spf-keeps-the-redirect': [
    'The owner hands everything else to another record by a redirect. The include of the provider comes before it; the redirect stays, and no "all" may be put behind.',
    domainWithLines('spf', 'chisel-goods.com', [
      'bounce TXT "v=spf1 ip4:45.76.52.4 redirect=_spf.chisel-goods.com"',
      '_spf TXT "v=spf1 ip4:45.76.53.0/24 -all"',
    ]),
    {
      fix: expectFix('spf', {
        value:
          /^v=spf1 (?=.*ip4:45\.76\.52\.4)(?=.*include:spf\.mailprovider\.net).* redirect=_spf\.chisel-goods\.com$/,
      }),
      neverOffers: [/\ball\b/],
    },
  ],
  'fix-spf-among-other-texts': [
    'There are three verification texts and no SPF record at the domain. Add the SPF record as one more TXT; the others stay.',
    domainAtApex('rasp-goods.com', [
      '@ TXT "google-site-verification=aB3kd9Wq"',
      '@ TXT "MS=ms40219837"',
      '@ TXT "apple-domain-verification=Zk20sLq"',
    ]),
    {
      neverSays: [/\b(remove|delete|replace)\b/i],
      fix: { name: 'rasp-goods.com', type: 'TXT', value: 'v=spf1 include:spf.mailprovider.net ~all' },
    },
  ],
  'fix-spf-bad-term-among-senders': [
    '"ip4:45.76.56.300" is no address and makes the whole record an error. The sound terms around it stay.',
    domainWithLines('spf', 'vise-goods.com', [
      'bounce TXT "v=spf1 ip4:45.76.56.1 ip4:45.76.56.300 include:spf.mailprovider.net -all"',
    ]),
    { says: [/45\.76\.56\.300/], neverOffers: [/45\.76\.56\.300/, /^(?!.*ip4:45\.76\.56\.1\b)/, /~all/] },
  ],
  'fix-dmarc-behind-an-alias': [
    'A reporting service hosts the DMARC record behind a CNAME, and it is broken there. Either that service fixes it, or a TXT record replaces the CNAME; they cannot coexist.',
    domainWithLines('dmarc', 'pliers-goods.com', [
      '_dmarc CNAME pliers-goods.com._d.pliersreports.net.',
      zone('pliersreports.net', ['pliers-goods.com._d TXT "v=DMARC1, p=quarantine, rua=mailto:d@pliers-goods.com"']),
    ]),
    {
      result: 'fail',
      code: 'WRONG_THROUGH_CNAME',
      says: [/CNAME|pliersreports\.net/],
      neverOffers: [NO_POLICY, /^(?!.*\brua=)/],
    },
  ],
  'fix-spf-in-the-place-of-an-alias': [
    'bounce.auger-goods.com is an alias of the website. A TXT record cannot join it: the CNAME has to be replaced, by the MX and the SPF record.',
    {
      domain: 'auger-goods.com',
      mailFrom: 'bounce.auger-goods.com',
      records: [listedRecord('spf', 'auger-goods.com'), listedRecord('mx', 'auger-goods.com')],
      zones: [ownZone('auger-goods.com', ['mx', 'spf'], ['bounce CNAME www'])],
    },
    { says: [/CNAME|alias/], fix: expectFix('spf', { todo: /CNAME/ }) },
  ],
  'fix-host-in-the-zone-above': [
    'The zone is ratchet-goods.co.uk, so the host to type for the subdomain is "bounce.eu.shop".',
    domainInZones('mx', 'eu.shop.ratchet-goods.co.uk', [
      zone('ratchet-goods.co.uk', ['@ A 151.101.66.20', ...rightLines(['mx'], '.eu.shop')]),
    ]),
    { fix: expectFix('mx', { host: 'bounce.eu.shop' }) },
  ],
  'stranger-inherited-beside-a-wildcard-alias': [
    'A wildcard sends every name to a shop, so that no DMARC record is found for news, and that of the organisation counts, which rejects. A weaker one must not be added.',
    {
      domain: 'news.plateau-trade.com',
      mailFrom: 'bounce.news.plateau-trade.com',
      records: [{ type: 'TXT', name: '_dmarc.news.plateau-trade.com', value: 'v=DMARC1; p=none' }],
      zones: [
        zone('plateau-trade.com', [
          '@ MX 10 mx1',
          'mx1 A 94.23.44.20',
          '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:d@plateau-trade.com"',
          '* CNAME shops.othermail.net.',
        ]),
      ],
    },
    { result: 'ok', turn: null, says: [/reject/, /plateau-trade\.com/], fix: null },
  ],
  'stranger-own-record-broken-below-a-stricter-one': [
    'The record of news cannot be read, so the stricter one of the organisation counts. What is typed must not be weaker, nor take the reports away.',
    {
      domain: 'news.canyon-trade.com',
      records: [{ type: 'TXT', name: '_dmarc.news.canyon-trade.com', value: 'v=DMARC1; p=none' }],
      zones: [
        zone('canyon-trade.com', [
          '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:d@canyon-trade.com"',
          '_dmarc.news TXT "v=DMARC1 p=none"',
          'news A 94.23.44.21',
        ]),
      ],
    },
    { result: ['fail', 'warn'], neverOffers: [/^(?!.*\brua=)/, /(^|[; ])p=none/] },
  ],
  'stranger-name-above-the-sending-domain': [
    'The listed name is that of the organisation, in full, and lies outside of the sending domain. It has no other.',
    {
      domain: 'news.ravine-trade.com',
      records: [{ type: 'CNAME', name: 'k1._domainkey.ravine-trade.com', value: 'k1.dkim.mailprovider.net' }],
      zones: [zone('ravine-trade.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.', 'news A 94.23.44.22'])],
    },
    { result: 'unknown', says: [/outside/], neverSays: [/ravine-trade\.com\.news/], fix: null },
  ],
  'stranger-alias-at-the-top-of-a-zone': [
    'A CNAME is impossible at the top of a zone, and everything of the owner is there. The provider has to name another record.',
    {
      domain: 'gorge-trade.com',
      records: [{ type: 'CNAME', name: 'gorge-trade.com', value: 'track.mailprovider.net' }],
      zones: [zone('gorge-trade.com', ['@ A 94.23.44.23', '@ MX 10 mx1', 'mx1 A 94.23.44.24'])],
    },
    { result: 'fail', turn: 'provider', neverSays: [/delete|remove/i], fix: null },
  ],
  'stranger-wildcard-text-at-the-doubled-name': [
    'No SPF record was ever created for bounce; the wildcard answers below it. Nothing was doubled.',
    domainInZones('spf', 'mesa-trade.com', [
      zone('mesa-trade.com', [
        'bounce A 94.23.44.25',
        '* TXT "v=spf1 include:spf.mailprovider.net -all"',
        '*.com.mesa-trade.com. TXT "v=spf1 include:spf.mailprovider.net -all"',
      ]),
    ]),
    { neverSays: [/appends the domain itself|created at/i], fix: { host: 'bounce' } },
  ],
  'stranger-listed-target-that-is-withdrawn': [
    'What is published works. The listed target has a withdrawn key: typing it would break the signatures. The provider has to say which one counts.',
    {
      domain: 'butte-trade.com',
      records: [{ type: 'CNAME', name: 'g._domainkey.butte-trade.com', value: 'withdrawn.dkim.mailprovider.net' }],
      zones: [zone('butte-trade.com', ['g._domainkey CNAME k1.dkim.mailprovider.net.'])],
    },
    { result: 'fail', code: 'LISTED_TARGET_BROKEN', turn: 'provider', fix: null },
  ],
  'stranger-mail-from-is-the-domain-with-mailboxes-by-address': [
    'The domain has no MX, so its mail goes to its address. The feedback MX would take it away: ask for a MAIL FROM name below.',
    {
      domain: 'bluff-trade.com',
      mailFrom: 'bluff-trade.com',
      records: [{ type: 'MX', name: 'bluff-trade.com', value: '10 feedback.mailprovider.net' }],
      zones: [zone('bluff-trade.com', ['@ A 94.23.44.26'])],
    },
    { result: 'fail', fix: null },
  ],
  'panel-second-spf-record-encoded': [
    'The wizard added a record with "%20" next to the complete one. One record must contain both.',
    domainAtApex('inn-panels.com', ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1%20include:spf.mailprovider.net%20~all"']),
    { says: [/%20/], fix: { host: '@', value: 'v=spf1 mx include:spf.mailprovider.net -all' } },
  ],
  'panel-wildcard-alias-and-no-dmarc': [
    'A wildcard alias of the website answers for _dmarc. Add the TXT record; the wildcard stays.',
    domainInZones('dmarc', 'naab-panels.com', [
      zone('naab-panels.com', ['@ A 75.2.60.5', '* CNAME naab.naabsites.net.']),
      zone('naabsites.net', ['naab A 75.2.60.5']),
    ]),
    { says: [/wildcard/], neverSays: [TAKES_AWAY], fix: expectFix('dmarc') },
  ],
});

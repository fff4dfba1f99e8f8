import { zone, situations, domainInZones } from './zoneLines.ts';

/** Cases that an outsider found with zones of their own, where a fix would have done harm. */
export const strangerSituations = situations({
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
    { neverSays: [/adds the domain name itself|created at/i], fix: { host: 'bounce' } },
  ],
  'stranger-listed-target-that-is-withdrawn': [
    'What is published works. The listed target has a withdrawn key: typing it would break the signatures. The provider has to say which one counts.',
    {
      domain: 'butte-trade.com',
      records: [{ type: 'CNAME', name: 'g._domainkey.butte-trade.com', value: 'withdrawn.dkim.mailprovider.net' }],
      zones: [zone('butte-trade.com', ['g._domainkey CNAME k1.dkim.mailprovider.net.'])],
    },
    { result: 'fail', turn: 'provider', fix: null },
  ],
  'stranger-one-of-two-listed-mx': [
    'The provider lists two servers, and one of them is there. Add the other, and leave the first.',
    {
      domain: 'crag-trade.com',
      mailFrom: 'bounce.crag-trade.com',
      records: [
        { type: 'MX', name: 'bounce.crag-trade.com', value: '10 feedback.mailprovider.net' },
        { type: 'MX', name: 'bounce.crag-trade.com', value: '20 mx.othermail.net' },
      ],
      zones: [zone('crag-trade.com', ['bounce MX 20 mx.othermail.net.'])],
    },
    {
      neverSays: [/change the value/i],
      fix: { host: 'bounce', value: 'feedback.mailprovider.net', priority: 10, todo: /add/i },
    },
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
});

import {
  situations,
  rightLines,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  domainBelow,
  expectFix,
} from './zoneLines.ts';

const SPF = '"v=spf1 include:spf.mailprovider.net ~all"';

/** The right record in the wrong place. */
export const placementSituations = situations({
  'placement-dkim-of-a-subdomain-doubled': [
    'Where "k1._domainkey.news" had to be typed, the full name was, and the DNS host added the zone cherry-goods.com to it.',
    domainBelow('dkim', 'cherry-goods.com', ['k1._domainkey.news.cherry-goods.com CNAME k1.dkim.mailprovider.net.']),
    {
      says: [/k1\._domainkey\.news\.cherry-goods\.com\.cherry-goods\.com/],
      fix: expectFix('dkim', { host: 'k1._domainkey.news' }),
    },
  ],
  'placement-dkim-below-the-bounces': [
    'The CNAME was created below bounce.lime-goods.com. Signatures name lime-goods.com, so it has to be there.',
    domainWithLines('dkim', 'lime-goods.com', ['k1._domainkey.bounce CNAME k1.dkim.mailprovider.net.']),
    { fix: expectFix('dkim') },
  ],
  'placement-dmarc-without-underscore': [
    'The record is at dmarc.papaya-goods.com. The underscore is missing: "_dmarc". The policy stays "p=quarantine".',
    domainWithLines('dmarc', 'papaya-goods.com', ['dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:d@papaya-goods.com"']),
    {
      says: [/(^|[^_])dmarc\.papaya-goods\.com/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=quarantine; rua=mailto:d@papaya-goods\.com;?$/ }),
    },
  ],
  'placement-dkim-in-a-zone-below': [
    'news.banana-goods.com is a zone of its own, so the host to type there is "k1._domainkey", not "k1._domainkey.news".',
    domainInZones('dkim', 'news.banana-goods.com', [
      zone('banana-goods.com', ['@ A 151.101.66.20']),
      zone('news.banana-goods.com', ['@ A 151.101.66.24', ...rightLines(['dkim'])], {
        ns: ['ns1.otherhost.net', 'ns2.otherhost.net'],
      }),
    ]),
    {
      says: [/otherhost\.net/],
      fix: expectFix('dkim', { host: 'k1._domainkey', name: 'k1._domainkey.news.banana-goods.com' }),
    },
  ],
  'placement-mx-below-a-zone-cut': [
    'bounce.kiwi-goods.com is a zone of its own and has no MX at its top: the host to type there is "@".',
    domainInZones('mx', 'kiwi-goods.com', [
      ownZone('kiwi-goods.com', ['mx', 'spf'], []),
      zone('bounce.kiwi-goods.com', [`@ TXT ${SPF}`], { ns: ['ns1.otherhost.net', 'ns2.otherhost.net'] }),
    ]),
    { fix: expectFix('mx', { host: '@', name: 'bounce.kiwi-goods.com' }) },
  ],
  'placement-dkim-labels-swapped': [
    'Nothing is at k1._domainkey.currant-goods.com; the CNAME was created with its parts the other way round.',
    domainWithLines('dkim', 'currant-goods.com', ['_domainkey.k1 CNAME k1.dkim.mailprovider.net.']),
    { fix: expectFix('dkim') },
  ],
  'placement-subdomain-typed-twice': [
    'The host was entered with "mail" once too often: k1._domainkey.mail.mail.guava-goods.com. It is k1._domainkey.mail.',
    domainInZones('dkim', 'mail.guava-goods.com', [
      zone('guava-goods.com', [
        '@ A 151.101.66.20',
        ...rightLines(['dkim'], '.mail'),
        'k1._domainkey.mail.mail CNAME k1.dkim.mailprovider.net.',
      ]),
    ]),
    { says: [/k1\._domainkey\.mail\.mail\.guava-goods\.com/], fix: expectFix('dkim', { host: 'k1._domainkey.mail' }) },
  ],
});

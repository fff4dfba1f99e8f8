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
  'placement-dkim-doubled': [
    'The CNAME was created at k1._domainkey.apple-goods.com.apple-goods.com: the DNS host adds the domain itself. Enter "k1._domainkey" only.',
    domainWithLines('dkim', 'apple-goods.com', ['k1._domainkey.apple-goods.com CNAME k1.dkim.mailprovider.net.']),
    { says: [/k1\._domainkey\.apple-goods\.com\.apple-goods\.com/], fix: expectFix('dkim') },
  ],
  'placement-spf-doubled': [
    'The SPF record was created at bounce.pear-goods.co.uk.pear-goods.co.uk. Enter "bounce" only.',
    domainWithLines('spf', 'pear-goods.co.uk', [`bounce.pear-goods.co.uk TXT ${SPF}`]),
    { says: [/bounce\.pear-goods\.co\.uk\.pear-goods\.co\.uk/], fix: expectFix('spf') },
  ],
  'placement-dkim-of-a-subdomain-doubled': [
    'Where "k1._domainkey.news" had to be typed, the full name was, and the DNS host added the zone cherry-goods.com to it.',
    domainBelow('dkim', 'cherry-goods.com', ['k1._domainkey.news.cherry-goods.com CNAME k1.dkim.mailprovider.net.']),
    {
      says: [/k1\._domainkey\.news\.cherry-goods\.com\.cherry-goods\.com/],
      fix: expectFix('dkim', { host: 'k1._domainkey.news' }),
    },
  ],
  'placement-dkim-in-the-parent': [
    'The CNAME is there for peach-goods.com, not for its subdomain news. The host to type is "k1._domainkey.news".',
    domainBelow('dkim', 'peach-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.']),
    { says: [/k1\._domainkey\.peach-goods\.com/], fix: expectFix('dkim', { host: 'k1._domainkey.news' }) },
  ],
  'placement-mx-at-the-domain': [
    'The MX of the provider is at fig-goods.com itself and diverts the mail of its mailboxes. It belongs at bounce; remove it from the domain.',
    domainWithLines('mx', 'fig-goods.com', ['@ MX 20 feedback.mailprovider.net.']),
    { says: [/fig-goods\.com/], neverSays: [/can stay/i], fix: expectFix('mx') },
  ],
  'placement-spf-at-the-domain': [
    'The include was put into the SPF record of date-goods.com itself. The sender of the bounces is bounce.date-goods.com, which needs its own record; the one at the domain can stay.',
    domainWithLines('spf', 'date-goods.com', ['@ TXT "v=spf1 mx include:spf.mailprovider.net -all"']),
    { neverSays: [/(delete|remove) .*date-goods\.com/i], fix: expectFix('spf') },
  ],
  'placement-dkim-without-underscore': [
    'The host lost its underscore: k1.domainkey.grape-goods.com. It has to be "k1._domainkey".',
    domainWithLines('dkim', 'grape-goods.com', ['k1.domainkey CNAME k1.dkim.mailprovider.net.']),
    { says: [/k1\.domainkey\.grape-goods\.com/], fix: expectFix('dkim') },
  ],
  'placement-dkim-without-dot-and-underscore': [
    'The host lost its "._": k1domainkey.barnet-goods.com. It has to be "k1._domainkey".',
    domainWithLines('dkim', 'barnet-goods.com', ['k1domainkey CNAME k1.dkim.mailprovider.net.']),
    { says: [/k1domainkey\.barnet-goods\.com/], fix: expectFix('dkim') },
  ],
  'placement-dkim-below-www': [
    'The CNAME was created below www.finchley-goods.com. Signatures name finchley-goods.com, so it has to be there.',
    domainWithLines('dkim', 'finchley-goods.com', ['k1._domainkey.www CNAME k1.dkim.mailprovider.net.']),
    { says: [/k1\._domainkey\.www\.finchley-goods\.com/], fix: expectFix('dkim') },
  ],
  'placement-dkim-selector-only': [
    'The CNAME was created at k1.lemon-goods.com; "_domainkey" is missing in the host.',
    domainWithLines('dkim', 'lemon-goods.com', ['k1 CNAME k1.dkim.mailprovider.net.']),
    { says: [/k1\.lemon-goods\.com/], fix: expectFix('dkim') },
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
  'placement-dmarc-twice-in-the-name': [
    'The record is at _dmarc._dmarc.lychee-goods.com: the DNS host adds "_dmarc" itself, or it was typed twice.',
    domainWithLines('dmarc', 'lychee-goods.com', [
      '_dmarc._dmarc TXT "v=DMARC1; p=none; rua=mailto:d@lychee-goods.com"',
    ]),
    {
      says: [/_dmarc\._dmarc\.lychee-goods\.com/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=none; rua=mailto:d@lychee-goods\.com;?$/ }),
    },
  ],
  'placement-dmarc-at-the-domain': [
    'The DMARC record is at olive-grove-goods.com itself; receivers look at _dmarc only. The policy stays.',
    domainWithLines('dmarc', 'olive-grove-goods.com', [
      '@ TXT "v=DMARC1; p=reject; rua=mailto:d@olive-grove-goods.com"',
    ]),
    { fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@olive-grove-goods\.com;?$/ }) },
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

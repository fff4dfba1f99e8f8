import type { Situation } from '../situation.ts';
import { listedRecord, ownZone, rightLines, domainWithLines, domainBelow, expectFix, zone } from './zoneLines.ts';

const SPF = '"v=spf1 include:spf.mailprovider.net ~all"';

/** The right record in the wrong place. */
export const placementSituations: Situation[] = [
  {
    id: 'placement-dkim-doubled',
    expert:
      'The CNAME was created at k1._domainkey.apple-goods.com.apple-goods.com: the DNS host adds the domain itself. Enter "k1._domainkey" only.',
    ...domainWithLines('dkim', 'apple-goods.com', ['k1._domainkey.apple-goods.com CNAME k1.dkim.mailprovider.net.']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/k1\._domainkey\.apple-goods\.com\.apple-goods\.com/],
      fix: expectFix('dkim'),
    },
  },
  {
    id: 'placement-mx-doubled',
    expert: 'The MX was created at bounce.plum-goods.com.plum-goods.com. Enter "bounce" only.',
    ...domainWithLines('mx', 'plum-goods.com', ['bounce.plum-goods.com MX 10 feedback.mailprovider.net.']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/bounce\.plum-goods\.com\.plum-goods\.com/],
      fix: expectFix('mx'),
    },
  },
  {
    id: 'placement-spf-doubled',
    expert: 'The SPF record was created at bounce.pear-goods.co.uk.pear-goods.co.uk. Enter "bounce" only.',
    ...domainWithLines('spf', 'pear-goods.co.uk', [`bounce.pear-goods.co.uk TXT ${SPF}`]),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/bounce\.pear-goods\.co\.uk\.pear-goods\.co\.uk/],
      fix: expectFix('spf'),
    },
  },
  {
    id: 'placement-dmarc-doubled',
    expert:
      'The DMARC record, "p=reject", was created at _dmarc.quince-goods.com.quince-goods.com. Enter "_dmarc" only; the policy stays.',
    ...domainWithLines('dmarc', 'quince-goods.com', ['_dmarc.quince-goods.com TXT "v=DMARC1; p=reject"']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/_dmarc\.quince-goods\.com\.quince-goods\.com/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject;?$/ }),
    },
  },
  {
    id: 'placement-dkim-of-a-subdomain-doubled',
    expert:
      'Where "k1._domainkey.news" had to be typed, the full name was, and the DNS host added the zone cherry-goods.com to it.',
    ...domainBelow('dkim', 'cherry-goods.com', ['k1._domainkey.news.cherry-goods.com CNAME k1.dkim.mailprovider.net.']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/k1\._domainkey\.news\.cherry-goods\.com\.cherry-goods\.com/],
      fix: expectFix('dkim', { host: 'k1._domainkey.news' }),
    },
  },
  {
    id: 'placement-dkim-in-the-parent',
    expert:
      'The CNAME is there for peach-goods.com, not for its subdomain news. The host to type is "k1._domainkey.news".',
    ...domainBelow('dkim', 'peach-goods.com', ['k1._domainkey CNAME k1.dkim.mailprovider.net.']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/k1\._domainkey\.peach-goods\.com/],
      fix: expectFix('dkim', { host: 'k1._domainkey.news' }),
    },
  },
  {
    id: 'placement-mx-in-the-parent',
    expert: 'The MX is at bounce.mango-goods.com; it has to be at bounce.news.mango-goods.com.',
    ...domainBelow('mx', 'mango-goods.com', ['bounce MX 10 feedback.mailprovider.net.']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/bounce\.mango-goods\.com/],
      fix: expectFix('mx', { host: 'bounce.news' }),
    },
  },
  {
    id: 'placement-mx-at-the-domain',
    expert:
      'The MX of the provider stands at fig-goods.com itself and takes the mail of its mailboxes away. It belongs at bounce; at the domain it must go.',
    ...domainWithLines('mx', 'fig-goods.com', ['@ MX 20 feedback.mailprovider.net.']),
    expect: { result: 'fail', turn: 'owner', says: [/fig-goods\.com/], neverSays: [/can stay/i], fix: expectFix('mx') },
  },
  {
    id: 'placement-spf-at-the-domain',
    expert:
      'The include was put into the SPF record of date-goods.com itself. The sender of the bounces is bounce.date-goods.com, which needs a record of its own; what stands at the domain can stay.',
    ...domainWithLines('spf', 'date-goods.com', ['@ TXT "v=spf1 mx include:spf.mailprovider.net -all"']),
    expect: { result: 'fail', turn: 'owner', neverSays: [/(delete|remove) .*date-goods\.com/i], fix: expectFix('spf') },
  },
  {
    id: 'placement-dkim-without-underscore',
    expert: 'The host lost its underscore: k1.domainkey.grape-goods.com. It has to be "k1._domainkey".',
    ...domainWithLines('dkim', 'grape-goods.com', ['k1.domainkey CNAME k1.dkim.mailprovider.net.']),
    expect: { result: 'fail', turn: 'owner', says: [/k1\.domainkey\.grape-goods\.com/], fix: expectFix('dkim') },
  },
  {
    id: 'placement-dkim-with-two-underscores',
    expert: 'The host has one underscore too many: k1.__domainkey.melon-goods.com.',
    ...domainWithLines('dkim', 'melon-goods.com', ['k1.__domainkey CNAME k1.dkim.mailprovider.net.']),
    expect: { result: 'fail', turn: 'owner', says: [/k1\.__domainkey\.melon-goods\.com/], fix: expectFix('dkim') },
  },
  {
    id: 'placement-dkim-selector-only',
    expert: 'The CNAME was created at k1.lemon-goods.com; "_domainkey" is missing in the host.',
    ...domainWithLines('dkim', 'lemon-goods.com', ['k1 CNAME k1.dkim.mailprovider.net.']),
    expect: { result: 'fail', turn: 'owner', says: [/k1\.lemon-goods\.com/], fix: expectFix('dkim') },
  },
  {
    id: 'placement-dkim-below-the-bounces',
    expert: 'The CNAME was created below bounce.lime-goods.com. Signatures name lime-goods.com, so it has to be there.',
    ...domainWithLines('dkim', 'lime-goods.com', ['k1._domainkey.bounce CNAME k1.dkim.mailprovider.net.']),
    expect: { result: 'fail', turn: 'owner', fix: expectFix('dkim') },
  },
  {
    id: 'placement-dmarc-without-underscore',
    expert:
      'The record stands at dmarc.papaya-goods.com. The underscore is missing: "_dmarc". The policy stays "p=quarantine".',
    ...domainWithLines('dmarc', 'papaya-goods.com', [
      'dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:d@papaya-goods.com"',
    ]),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/(^|[^_])dmarc\.papaya-goods\.com/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=quarantine; rua=mailto:d@papaya-goods\.com;?$/ }),
    },
  },
  {
    id: 'placement-dmarc-with-two-underscores',
    expert: 'The record stands at __dmarc.guava-goods.com, with one underscore too many.',
    ...domainWithLines('dmarc', 'guava-goods.com', ['__dmarc TXT "v=DMARC1; p=reject"']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/__dmarc\.guava-goods\.com/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject;?$/ }),
    },
  },
  {
    id: 'placement-dmarc-twice-in-the-name',
    expert:
      'The record stands at _dmarc._dmarc.lychee-goods.com: the DNS host adds "_dmarc" itself, or it was typed twice.',
    ...domainWithLines('dmarc', 'lychee-goods.com', [
      '_dmarc._dmarc TXT "v=DMARC1; p=none; rua=mailto:d@lychee-goods.com"',
    ]),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/_dmarc\._dmarc\.lychee-goods\.com/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=none; rua=mailto:d@lychee-goods\.com;?$/ }),
    },
  },
  {
    id: 'placement-dmarc-at-the-domain',
    expert: 'The DMARC record stands at olive-grove-goods.com itself; receivers look at _dmarc only. The policy stays.',
    ...domainWithLines('dmarc', 'olive-grove-goods.com', [
      '@ TXT "v=DMARC1; p=reject; rua=mailto:d@olive-grove-goods.com"',
    ]),
    expect: {
      result: 'fail',
      turn: 'owner',
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@olive-grove-goods\.com;?$/ }),
    },
  },
  {
    id: 'placement-dkim-in-a-zone-below',
    expert:
      'news.banana-goods.com is a zone of its own, so the host to type there is "k1._domainkey", not "k1._domainkey.news".',
    domain: 'news.banana-goods.com',
    mailFrom: 'bounce.news.banana-goods.com',
    records: [listedRecord('dkim', 'news.banana-goods.com')],
    zones: [
      zone('banana-goods.com', ['@ A 151.101.66.20']),
      zone('news.banana-goods.com', ['@ A 151.101.66.24', ...rightLines(['dkim'])], {
        ns: ['ns1.otherhost.net', 'ns2.otherhost.net'],
      }),
    ],
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/otherhost\.net/],
      fix: expectFix('dkim', { host: 'k1._domainkey', name: 'k1._domainkey.news.banana-goods.com' }),
    },
  },
  {
    id: 'placement-mx-below-a-zone-cut',
    expert: 'bounce.kiwi-goods.com is a zone of its own and has no MX at its top: the host to type there is "@".',
    domain: 'kiwi-goods.com',
    mailFrom: 'bounce.kiwi-goods.com',
    records: [listedRecord('mx', 'kiwi-goods.com')],
    zones: [
      ownZone('kiwi-goods.com', ['mx', 'spf'], []),
      zone('bounce.kiwi-goods.com', [`@ TXT ${SPF}`], { ns: ['ns1.otherhost.net', 'ns2.otherhost.net'] }),
    ],
    expect: {
      result: 'fail',
      turn: 'owner',
      fix: expectFix('mx', { host: '@', name: 'bounce.kiwi-goods.com' }),
    },
  },
  {
    id: 'placement-dkim-labels-swapped',
    expert: 'Nothing is at k1._domainkey.currant-goods.com; the CNAME was created with its parts the other way round.',
    ...domainWithLines('dkim', 'currant-goods.com', ['_domainkey.k1 CNAME k1.dkim.mailprovider.net.']),
    expect: { result: 'fail', turn: 'owner', fix: expectFix('dkim') },
  },
];

import { situations, zone, domainWithLines, domainInZones, domainBelow, expectFix } from './zoneLines.ts';

const NO_POLICY = /(^|[; ])p=none/;
const WITHOUT_RUA = /^(?!.*\brua=)/;

export const dmarcSituations = situations({
  'dmarc-nothing-there': [
    'There is no DMARC record for rhine-goods.com. Add the one that is listed.',
    domainWithLines('dmarc', 'rhine-goods.com', []),
    { says: [/_dmarc\.rhine-goods\.com/], fix: expectFix('dmarc', { value: 'v=DMARC1; p=none' }) },
  ],
  'dmarc-inherited-reject': [
    'news.seine-goods.com has no record of its own, but inherits "p=reject" from seine-goods.com. That is stricter than what is listed; a weaker record of its own would do harm.',
    domainBelow('dmarc', 'seine-goods.com', ['_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@seine-goods.com"']),
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY, WITHOUT_RUA], neverSays: [/no DMARC/i] },
  ],
  'dmarc-alias-to-nothing': [
    '_dmarc is an alias of a reporting service that has nothing there: salzach-goods.com._d.salzachreports.net. So there is no DMARC record.',
    domainWithLines('dmarc', 'salzach-goods.com', [
      '_dmarc CNAME salzach-goods.com._d.salzachreports.net.',
      zone('salzachreports.net', ['@ A 151.101.66.33']),
    ]),
    { result: 'fail', says: [/salzach-goods\.com\._d\.salzachreports\.net/] },
  ],
  'dmarc-advice-subdomain-typed-twice': [
    'The form already showed "mail", and it was typed again: the policy p=reject is at _dmarc.mail.mail and protects nothing. Move it; do not replace it with a weaker one.',
    domainInZones('dkim', 'mail.havel-goods.com', [
      zone('havel-goods.com', [
        'k1._domainkey.mail CNAME k1.dkim.mailprovider.net.',
        '_dmarc.mail.mail TXT "v=DMARC1; p=reject"',
      ]),
    ]),
    {
      result: 'ok',
      neverOffers: [/p=none/],
      advice: {
        dmarc: { result: 'fail', says: [/_dmarc\.mail\.mail\.havel-goods\.com/], value: 'v=DMARC1; p=reject' },
      },
    },
  ],
});

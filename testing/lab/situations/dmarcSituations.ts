import type { Situation } from '../situation.ts';
import {
  situations,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  domainBelow,
  expectFix,
  judged,
} from './zoneLines.ts';

const NO_POLICY = /(^|[; ])p=none/;
const WITHOUT_RUA = /^(?!.*\brua=)/;

export const dmarcSituations = situations({
  'dmarc-nothing-there': [
    'There is no DMARC record for rhine-goods.com. Add the one that is listed.',
    domainWithLines('dmarc', 'rhine-goods.com', []),
    { says: [/_dmarc\.rhine-goods\.com/], fix: expectFix('dmarc', { value: 'v=DMARC1; p=none' }) },
  ],
  'dmarc-two-records': [
    'There are two DMARC records, "p=reject" and "p=none". Receivers then take neither. The owner chooses the one that stays.',
    domainWithLines('dmarc', 'loire-goods.com', [
      '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@loire-goods.com"',
      '_dmarc TXT "v=DMARC1; p=none"',
    ]),
    { says: [/p=reject/, /p=none/], neverOffers: [NO_POLICY, WITHOUT_RUA] },
  ],
  'dmarc-inherited-reject': [
    'news.seine-goods.com has no record of its own, but inherits "p=reject" from seine-goods.com. That is stricter than what is listed; a weaker record of its own would do harm.',
    domainBelow('dmarc', 'seine-goods.com', ['_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@seine-goods.com"']),
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY, WITHOUT_RUA], neverSays: [/no DMARC/i] },
  ],
  'dmarc-reports-without-permission': [
    'moldauinbox.net has not said that it takes reports for this domain. It has to publish moldau-goods.com._report._dmarc.moldauinbox.net; the owner only asks.',
    reportsTo('moldau-goods.com', 'rua=mailto:d@moldauinbox.net', [
      zone('moldauinbox.net', ['@ MX 10 mx', 'mx A 94.23.46.10']),
    ]),
    {
      result: 'warn',
      turn: 'report_receiver',
      says: [/moldau-goods\.com\._report\._dmarc\.moldauinbox\.net/],
      fix: null,
    },
  ],
  'dmarc-pct-zero': [
    '"pct=0" asked older receivers to enforce nothing. Newer ones (RFC 9989) do not read it and quarantine fully already. "pct=0; t=y" says the same to both.',
    domainWithLines('dmarc', 'volga-goods.com', [
      '_dmarc TXT "v=DMARC1; p=quarantine; pct=0; rua=mailto:d@volga-goods.com"',
    ]),
    {
      result: 'warn',
      turn: 'owner',
      says: [/pct=0/, /t=y/],
      fix: expectFix('dmarc', {
        value: /^v=DMARC1; p=quarantine; (?=.*pct=0; t=y)(?=.*rua=mailto:d@volga-goods\.com)/,
      }),
    },
  ],
  'dmarc-alias-to-nothing': [
    '_dmarc is an alias of a reporting service that has nothing there: salzach-goods.com._d.salzachreports.net. So there is no DMARC record.',
    domainWithLines('dmarc', 'salzach-goods.com', [
      '_dmarc CNAME salzach-goods.com._d.salzachreports.net.',
      zone('salzachreports.net', ['@ A 151.101.66.33']),
    ]),
    { result: 'fail', says: [/salzach-goods\.com\._d\.salzachreports\.net/] },
  ],
  'dmarc-strict-spf-alignment': [
    'The record is fine. With "aspf=s" SPF of bounce.enns-goods.com does not count for enns-goods.com, so DMARC rests on DKIM alone.',
    domainWithLines('dmarc', 'enns-goods.com', ['_dmarc TXT "v=DMARC1; p=reject; aspf=s"']),
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY], advice: { alignment: { result: 'warn', says: [/aspf=s/] } } },
  ],
  'dmarc-not-listed-and-not-there': [
    'The DKIM record is right. There is no DMARC record, which many receivers want: advice, not a failure.',
    domainInZones('dkim', 'traun-goods.com', [ownZone('traun-goods.com', 'dmarc', [])]),
    {
      result: 'ok',
      turn: null,
      fix: null,
      advice: { dmarc: { result: 'warn', says: [/DMARC/], value: /^v=DMARC1; p=none/ } },
    },
  ],
  'spoilt-dmarc-commas': [
    'Between tags there are semicolons, not commas. "p=reject" and the report address stay.',
    domainWithLines('dmarc', 'cod-goods.com', ['_dmarc TXT "v=DMARC1, p=reject, rua=mailto:d@cod-goods.com"']),
    {
      says: [/comma|semicolon|,/i],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@cod-goods\.com;?$/ }),
    },
  ],
  'dmarc-reports-of-the-provider-missing': [
    'The provider wants reports, and the record sends them to the owner only. Its address is added; that of the owner stays.',
    judged(
      'neva-goods.com',
      { type: 'TXT', name: '_dmarc.neva-goods.com', value: 'v=DMARC1; p=none; rua=mailto:d@dmarcreports.net' },
      [ownZone('neva-goods.com', 'dmarc', ['_dmarc TXT "v=DMARC1; p=reject; rua=mailto:d@neva-goods.com"'])],
    ),
    {
      result: 'warn',
      turn: 'owner',
      says: [/dmarcreports\.net/],
      fix: { value: 'v=DMARC1; p=reject; rua=mailto:d@neva-goods.com,mailto:d@dmarcreports.net' },
    },
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
        dmarc: { result: 'warn', says: [/_dmarc\.mail\.mail\.havel-goods\.com/], value: 'v=DMARC1; p=reject' },
      },
    },
  ],
  'dmarc-advice-doubled': [
    'The owner wanted to reject, and the DNS host appended the domain to "_dmarc". The same record belongs at _dmarc; p=none is not what was meant.',
    domainInZones('dkim', 'ebro-goods.com', [
      ownZone('ebro-goods.com', 'dmarc', [
        '_dmarc.ebro-goods.com TXT "v=DMARC1; p=reject; rua=mailto:d@ebro-goods.com"',
      ]),
    ]),
    {
      result: 'ok',
      turn: null,
      neverOffers: [NO_POLICY, WITHOUT_RUA],
      advice: {
        dmarc: {
          result: 'warn',
          says: [/_dmarc\.ebro-goods\.com\.ebro-goods\.com/],
          value: 'v=DMARC1; p=reject; rua=mailto:d@ebro-goods.com',
        },
      },
    },
  ],
  'dmarc-advice-underscore-lost': [
    'The record is at dmarc.tagus-goods.com, without the underscore.',
    domainInZones('dkim', 'tagus-goods.com', [
      ownZone('tagus-goods.com', 'dmarc', ['dmarc TXT "v=DMARC1; p=quarantine"']),
    ]),
    {
      result: 'ok',
      turn: null,
      advice: { dmarc: { result: 'warn', says: [/underscore/], value: 'v=DMARC1; p=quarantine' } },
    },
  ],
  'dmarc-advice-policy-that-nobody-knows': [
    '"p=block" is no policy. The owner may have meant to reject, so p=none is not offered.',
    domainInZones('dkim', 'douro-goods.com', [ownZone('douro-goods.com', 'dmarc', ['_dmarc TXT "v=DMARC1; p=block"'])]),
    { result: 'ok', turn: null, advice: { dmarc: { result: 'warn', says: [/p=block/], value: null } } },
  ],
});

/** A domain with p=reject and reports to `rua`; `zones` belong to the report receivers. */
function reportsTo(domain: string, rua: string, receivers: Situation['zones']) {
  return domainWithLines('dmarc', domain, [`_dmarc TXT "v=DMARC1; p=reject; ${rua}"`, ...receivers]);
}

import type { Situation } from '../situation.ts';
import {
  listedRecord,
  ownZone,
  domainWithLines,
  domainBelow,
  expectFix,
  zone,
  situations,
  domainInZones,
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
  'dmarc-two-stricter-records': [
    'There are two DMARC records, both of the owner, with reports to two places. The owner has to make one of them; no report address may get lost unseen.',
    domainWithLines('dmarc', 'rhone-goods.com', [
      '_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:a@rhone-goods.com"',
      '_dmarc TXT "v=DMARC1; p=reject; ruf=mailto:b@rhone-goods.com"',
    ]),
    { says: [/p=quarantine/, /p=reject/], neverOffers: [NO_POLICY, /p=quarantine/, WITHOUT_RUA, /^(?!.*\bruf=)/] },
  ],
  'dmarc-inherited-reject': [
    'news.seine-goods.com has no record of its own, but inherits "p=reject" from seine-goods.com. That is stricter than what is listed; a weaker record of its own would do harm.',
    domainBelow('dmarc', 'seine-goods.com', ['_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@seine-goods.com"']),
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY, WITHOUT_RUA], neverSays: [/no DMARC/i] },
  ],
  'dmarc-inherited-none': [
    'news.elbe-goods.com inherits "p=none" from elbe-goods.com, which is what is listed.',
    domainBelow('dmarc', 'elbe-goods.com', ['_dmarc TXT "v=DMARC1; p=none; rua=mailto:dmarc@elbe-goods.com"']),
    { result: ['ok', 'warn'], neverOffers: [WITHOUT_RUA] },
  ],
  'dmarc-inherited-subdomain-policy': [
    'news.main-goods.com inherits "sp=quarantine" from main-goods.com. That satisfies the listed "p=none"; nothing has to be added.',
    domainBelow('dmarc', 'main-goods.com', [
      '_dmarc TXT "v=DMARC1; p=reject; sp=quarantine; rua=mailto:dmarc@main-goods.com"',
    ]),
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY] },
  ],
  'dmarc-inherited-from-the-middle': [
    'The domain eu.shop.oder-goods.com inherits from shop.oder-goods.com, which declares itself the organisation with "psd=n". Its "p=quarantine" satisfies the listed record.',
    {
      domain: 'eu.shop.oder-goods.com',
      records: [listedRecord('dmarc', 'eu.shop.oder-goods.com')],
      zones: [
        ownZone('oder-goods.com', 'dmarc', [
          '_dmarc TXT "v=DMARC1; p=reject"',
          '_dmarc.shop TXT "v=DMARC1; p=quarantine; psd=n"',
          'eu.shop A 151.101.66.22',
        ]),
      ],
    },
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY] },
  ],
  'dmarc-public-suffix-claimed': [
    '"psd=y" says that danube-goods.com is a public suffix, as co.uk is. An ordinary domain must not say so: the tag has to go, the policy stays.',
    domainWithLines('dmarc', 'danube-goods.com', ['_dmarc TXT "v=DMARC1; p=reject; psd=y"']),
    {
      result: ['warn', 'fail'],
      turn: 'owner',
      says: [/psd=y/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject(; psd=[nu])?;?$/ }),
    },
  ],
  'dmarc-subdomains-left-open': [
    'The domain rejects forgeries, but "sp=none" leaves all of its subdomains open. That weakens the policy; whether it is meant is for the owner to say.',
    domainWithLines('dmarc', 'tiber-goods.com', [
      '_dmarc TXT "v=DMARC1; p=reject; sp=none; rua=mailto:d@tiber-goods.com"',
    ]),
    { result: 'warn', turn: 'owner', says: [/sp=none/], neverOffers: [NO_POLICY, /p=quarantine/, WITHOUT_RUA] },
  ],
  'dmarc-reports-to-a-null-mx': [
    'Reports go to ebroinbox.net, which declares that it accepts no mail. They cannot arrive; name another address.',
    reportsTo('ebro-goods.com', 'rua=mailto:d@ebroinbox.net', [
      zone('ebroinbox.net', ['@ MX 0 .', '@ A 151.101.66.30', 'ebro-goods.com._report._dmarc TXT "v=DMARC1"']),
    ]),
    { result: 'warn', turn: ['owner', 'report_receiver'], says: [/ebroinbox\.net/], neverOffers: [/p=none/] },
  ],
  'dmarc-reports-without-a-mail-server': [
    'Reports go to douroinbox.net, which has neither an MX nor an address. They cannot arrive.',
    reportsTo('douro-goods.com', 'rua=mailto:d@douroinbox.net', [
      zone('douroinbox.net', ['douro-goods.com._report._dmarc TXT "v=DMARC1"', 'www A 151.101.66.31']),
    ]),
    { result: 'warn', turn: ['owner', 'report_receiver'], says: [/douroinbox\.net/], neverOffers: [/p=none/] },
  ],
  'dmarc-reports-to-no-domain': [
    'Reports go to tagusinbox.net, which does not exist. They cannot arrive.',
    reportsTo('tagus-goods.com', 'rua=mailto:d@tagusinbox.net', []),
    { result: 'warn', turn: 'owner', says: [/tagusinbox\.net/], neverOffers: [/p=none/] },
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
  'dmarc-one-of-two-reports-not-permitted': [
    'Reports to the own mailbox arrive. Those to savainbox.net do not: it has not agreed with a record sava-goods.com._report._dmarc.savainbox.net.',
    reportsTo('sava-goods.com', 'rua=mailto:d@sava-goods.com,mailto:d@savainbox.net', [
      zone('savainbox.net', ['@ MX 10 mx', 'mx A 94.23.46.11']),
    ]),
    { result: 'warn', turn: 'report_receiver', says: [/savainbox\.net/], neverOffers: [/^(?!.*d@sava-goods\.com)/] },
  ],
  'dmarc-report-address-without-mailto': [
    'The address of the reports lacks "mailto:" in front, so nobody sends them.',
    domainWithLines('dmarc', 'drava-goods.com', ['_dmarc TXT "v=DMARC1; p=quarantine; rua=dmarc@drava-goods.com"']),
    {
      result: ['warn', 'fail'],
      turn: 'owner',
      says: [/mailto:/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=quarantine; rua=mailto:dmarc@drava-goods\.com;?$/ }),
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
  'dmarc-pct-half': [
    'Newer receivers do not read "pct=50" and reject everything already, older ones half. The owner decides: one step weaker until the reports are clean, or the full policy.',
    domainWithLines('dmarc', 'neva-goods.com', [
      '_dmarc TXT "v=DMARC1; p=reject; pct=50; rua=mailto:d@neva-goods.com"',
    ]),
    { result: 'warn', turn: 'owner', says: [/pct=50/], neverOffers: [NO_POLICY, WITHOUT_RUA] },
  ],
  'dmarc-old-tags': [
    '"rf", "ri" and the size of the report address are not read any more. They do no harm.',
    domainWithLines('dmarc', 'warta-goods.com', [
      '_dmarc TXT "v=DMARC1; p=reject; rf=afrf; ri=86400; rua=mailto:d@warta-goods.com!10m"',
    ]),
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY, WITHOUT_RUA] },
  ],
  'dmarc-policy-not-given': [
    'The record has no "p", so receivers take it as "p=none". Write it down.',
    domainWithLines('dmarc', 'narew-goods.com', ['_dmarc TXT "v=DMARC1; rua=mailto:d@narew-goods.com"']),
    { result: ['warn', 'ok'], says: [/\bp=none/], neverOffers: [WITHOUT_RUA] },
  ],
  'dmarc-policy-unknown': [
    '"p=block" is no policy; receivers do not enforce anything. Write "reject", "quarantine" or "none".',
    domainWithLines('dmarc', 'vistula-goods.com', ['_dmarc TXT "v=DMARC1; p=block; rua=mailto:d@vistula-goods.com"']),
    { result: ['fail', 'warn'], turn: 'owner', says: [/block/], neverOffers: [WITHOUT_RUA] },
  ],
  'dmarc-version-not-first': [
    '"v=DMARC1" has to come first, or receivers do not see a DMARC record. The policy stays "p=reject".',
    domainWithLines('dmarc', 'isar-goods.com', ['_dmarc TXT "p=reject; v=DMARC1; rua=mailto:d@isar-goods.com"']),
    { says: [/v=DMARC1/], fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@isar-goods\.com;?$/ }) },
  ],
  'dmarc-version-in-lower-case': [
    '"v=dmarc1" is not "v=DMARC1": receivers do not take it as a DMARC record. The policy stays.',
    domainWithLines('dmarc', 'inn-goods.com', ['_dmarc TXT "v=dmarc1; p=quarantine"']),
    { says: [/v=dmarc1/], fix: expectFix('dmarc', { value: /^v=DMARC1; p=quarantine;?$/ }) },
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
  'dmarc-not-listed-and-inherited': [
    'DKIM is right, and DMARC is inherited from the parent, "p=reject". No record of its own is needed.',
    domainInZones('dkim', 'news.mur-goods.com', [
      zone('mur-goods.com', [
        '@ A 151.101.66.20',
        '_dmarc TXT "v=DMARC1; p=reject"',
        'k1._domainkey.news CNAME k1.dkim.mailprovider.net.',
        'bounce.news MX 10 feedback.mailprovider.net.',
        'bounce.news TXT "v=spf1 include:spf.mailprovider.net ~all"',
      ]),
    ]),
    { result: 'ok', turn: null, fix: null, neverOffers: [NO_POLICY] },
  ],
});

/** A domain with p=reject and reports to `rua`; the zones are those of the report receivers. */
function reportsTo(domain: string, rua: string, receivers: Situation['zones']) {
  return domainWithLines('dmarc', domain, [`_dmarc TXT "v=DMARC1; p=reject; ${rua}"`, ...receivers]);
}

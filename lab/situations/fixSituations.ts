import {
  listedRecord,
  ownZone,
  rightLines,
  domainWithLines,
  domainAtApex,
  expectFix,
  zone,
  situations,
  domainInZones,
} from './zoneLines.ts';

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
  'fix-spf-keeps-macros-and-explanation': [
    'The include of the provider is missing. A term with a macro and the explanation of the owner stay.',
    domainWithLines('spf', 'mallet-goods.com', [
      'bounce TXT "v=spf1 exists:%{ir}.allow.mallet-goods.com exp=why.mallet-goods.com -all"',
      '5.54.76.45.allow A 127.0.0.2',
      'why TXT "not a server of ours: %{i}"',
    ]),
    {
      fix: expectFix('spf', {
        value:
          /^v=spf1 (?=.*exists:%\{ir\}\.allow\.mallet-goods\.com)(?=.*include:spf\.mailprovider\.net.* -all)(?=.*exp=why\.mallet-goods\.com)/,
      }),
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
  'fix-spf-two-records-that-are-too-many-together': [
    'Two SPF records have to become one, but together they need more than 10 look-ups. What goes is for the owner to say.',
    domainAtApex('plane-goods.com', [
      '@ TXT "v=spf1 include:_spf.planesuite.net -all"',
      '@ TXT "v=spf1 include:spf.mailprovider.net ~all"',
      zone('planesuite.net', [
        `_spf TXT "v=spf1 ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((part) => `include:p${part}.planesuite.net`).join(' ')} -all"`,
        ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((part) => `p${part} TXT "v=spf1 ip4:45.78.${part}.0/24 -all"`),
      ]),
    ]),
    { says: [/two|2/i], fix: null },
  ],
  'fix-spf-everybody-and-other-senders': [
    '"+all" has to go, while the office suite and the mail servers of the owner stay.',
    domainAtApex('lathe-goods.com', [
      '@ TXT "v=spf1 mx include:_spf.lathesuite.net include:spf.mailprovider.net +all"',
      zone('lathesuite.net', ['_spf TXT "v=spf1 ip4:45.76.55.0/24 -all"']),
    ]),
    { fix: { type: 'TXT', value: /^v=spf1 mx include:_spf\.lathesuite\.net include:spf\.mailprovider\.net [~-]all$/ } },
  ],
  'fix-spf-bad-term-among-senders': [
    '"ip4:45.76.56.300" is no address and makes the whole record an error. The sound terms around it stay.',
    domainWithLines('spf', 'vise-goods.com', [
      'bounce TXT "v=spf1 ip4:45.76.56.1 ip4:45.76.56.300 include:spf.mailprovider.net -all"',
    ]),
    { says: [/45\.76\.56\.300/], neverOffers: [/45\.76\.56\.300/, /^(?!.*ip4:45\.76\.56\.1\b)/, /~all/] },
  ],
  'fix-dmarc-keeps-every-tag': [
    'Only "mailto:" is missing before the first report address. The policy, those for subdomains and all addresses stay.',
    domainWithLines('dmarc', 'file-goods.com', [
      '_dmarc TXT "v=DMARC1; p=quarantine; sp=reject; np=reject; rua=agg@file-goods.com; ruf=mailto:forensic@file-goods.com; adkim=s"',
    ]),
    {
      result: ['warn', 'fail'],
      turn: 'owner',
      says: [/mailto:/],
      fix: expectFix('dmarc', {
        value:
          /^v=DMARC1; p=quarantine; (?=.*sp=reject)(?=.*np=reject)(?=.*rua=mailto:agg@file-goods\.com)(?=.*ruf=mailto:forensic@file-goods\.com)(?=.*adkim=s)/,
      }),
    },
  ],
  'fix-dmarc-keeps-strictness-when-written-anew': [
    'Commas make the record unreadable. What it meant, "p=reject" with "sp=quarantine" and two addresses, stays.',
    domainWithLines('dmarc', 'hammer-goods.com', [
      '_dmarc TXT "v=DMARC1, p=reject, sp=quarantine, rua=mailto:a@hammer-goods.com, ruf=mailto:b@hammer-goods.com"',
    ]),
    {
      fix: expectFix('dmarc', {
        value:
          /^v=DMARC1; p=reject; (?=.*sp=quarantine)(?=.*rua=mailto:a@hammer-goods\.com)(?=.*ruf=mailto:b@hammer-goods\.com)/,
      }),
    },
  ],
  'fix-dmarc-same-record-twice': [
    'The same DMARC record stands there twice. Delete one of them; its policy and reports stay.',
    domainWithLines('dmarc', 'wrench-goods.com', [
      '_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:d@wrench-goods.com"',
      '_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:d@wrench-goods.com;"',
    ]),
    { says: [/two|2/i], neverOffers: [NO_POLICY, /^(?!.*\brua=)/] },
  ],
  'fix-dmarc-stricter-at-the-parent': [
    'The subdomain has a broken record of its own, while clamp-goods.com rejects forgeries. Offering the listed "p=none" would open the subdomain.',
    domainInZones('dmarc', 'news.clamp-goods.com', [
      zone('clamp-goods.com', [
        '@ A 151.101.66.20',
        '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:d@clamp-goods.com"',
        ...rightLines(['dmarc'], '.news'),
        '_dmarc.news TXT "v=DMARC1, p=reject"',
      ]),
    ]),
    { result: ['fail', 'warn', 'ok'], neverOffers: [NO_POLICY] },
  ],
  'fix-dmarc-behind-an-alias': [
    'The DMARC record is kept by a reporting service behind a CNAME, and it is broken there. Either that service repairs it, or the CNAME is replaced by a TXT record; both cannot stand together.',
    domainWithLines('dmarc', 'pliers-goods.com', [
      '_dmarc CNAME pliers-goods.com._d.pliersreports.net.',
      zone('pliersreports.net', ['pliers-goods.com._d TXT "v=DMARC1, p=quarantine, rua=mailto:d@pliers-goods.com"']),
    ]),
    { result: 'fail', says: [/CNAME|pliersreports\.net/], neverOffers: [NO_POLICY, /^(?!.*\brua=)/] },
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
  'fix-dkim-in-the-place-of-another-text': [
    'A text of something else stands at k1._domainkey. A CNAME has to be alone, so that text has to go or the provider has to name another selector.',
    domainWithLines('dkim', 'trowel-goods.com', ['k1._domainkey TXT "verification=93kd02"']),
    { says: [/TXT/], fix: expectFix('dkim', { todo: /TXT/ }) },
  ],
  'fix-mx-with-the-priority-of-the-owner': [
    'The only MX there is that of the provider, with a target that has a typing error: "feedbck". Type it anew; the SPF record beside stays.',
    domainWithLines('mx', 'spanner-goods.com', ['bounce MX 10 feedbck.mailprovider.net.']),
    { says: [/feedbck\.mailprovider\.net/], fix: expectFix('mx') },
  ],
  'fix-host-in-the-zone-above': [
    'The zone is ratchet-goods.co.uk, so the host to type for the subdomain is "bounce.eu.shop".',
    domainInZones('mx', 'eu.shop.ratchet-goods.co.uk', [
      zone('ratchet-goods.co.uk', ['@ A 151.101.66.20', ...rightLines(['mx'], '.eu.shop')]),
    ]),
    { fix: expectFix('mx', { host: 'bounce.eu.shop' }) },
  ],
  'fix-host-where-the-zone-is-unknown': [
    'The resolver cannot be asked, so nobody knows the zone, and nothing is offered for typing with a host relative to it.',
    { ...domainWithLines('dkim', 'gimlet-goods.com', []), resolver: 'silent' },
    { result: 'unknown', turn: 'checker', fix: null },
  ],
});

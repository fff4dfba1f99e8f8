import type { Situation } from '../situation.ts';
import { otherRsa2048, rsa2048 } from './keys.ts';
import {
  listedRecord,
  ownZone,
  rightLines,
  domainWithLines,
  domainAtApex,
  rightDomain,
  signedBy,
  txt,
  zone,
  situations,
  domainInZones,
  keyListed,
} from './zoneLines.ts';

type Expect = Situation['expect'];

const RIGHT: Expect = { result: 'ok', turn: null, fix: null };
const KEY = `v=DKIM1; k=rsa; p=${rsa2048}`;
/** A listed key; `published` is text of a zone file. */
const published = (domain: string, text: string) => keyListed(domain, KEY, [`s1._domainkey TXT ${text}`]);
const NO_POLICY = /(^|[; ])p=none/;

/** Right records that must pass, however unusual they look: DKIM and DMARC. */
export const rightSituations = situations({
  'right-dkim': [
    'The CNAME is as listed, and the key behind it is sound.',
    rightDomain('dkim', 'eiger-goods.com'),
    RIGHT,
  ],
  'right-mx': ['The MX is as listed.', rightDomain('mx', 'ortler-goods.com'), RIGHT],
  'right-spf': ['The SPF record is as listed and lets the provider send.', rightDomain('spf', 'etna-goods.org'), RIGHT],
  'right-dmarc': ['The DMARC record is as listed.', rightDomain('dmarc', 'rigi-goods.net'), RIGHT],
  'right-everything-below-co-uk': [
    'All four records are as listed.',
    {
      ...rightDomain('dkim', 'snowdon-goods.co.uk'),
      records: (['dkim', 'mx', 'spf', 'dmarc'] as const).map((kind) => listedRecord(kind, 'snowdon-goods.co.uk')),
    },
    RIGHT,
  ],
  'right-signed-zone': [
    'The zone is signed with DNSSEC and valid, and the record is as listed.',
    rightDomain('dkim', 'zugspitze-goods.com', { signed: 'right' }),
    RIGHT,
  ],
  'right-dkim-in-mixed-case': [
    'Upper case in names of the DNS means nothing.',
    domainWithLines('dkim', 'brenner-goods.com', ['K1._DomainKey CNAME K1.DKIM.MailProvider.NET.']),
    RIGHT,
  ],
  'right-listed-with-dots-and-upper-case': [
    'The list writes names in upper case and with a final dot, which is the same name.',
    {
      ...rightDomain('dkim', 'gotthard-goods.com'),
      records: [
        {
          type: 'cname',
          name: 'K1._domainkey.Gotthard-Goods.com.',
          value: 'K1.dkim.MAILPROVIDER.net.',
          is_valid: true,
        },
      ],
    },
    RIGHT,
  ],
  'right-listed-without-priority': [
    'The list names the server of the MX only; it is there.',
    {
      ...rightDomain('mx', 'simplon-goods.com'),
      records: [{ type: 'MX', name: 'bounce.simplon-goods.com', value: 'feedback.mailprovider.net' }],
    },
    RIGHT,
  ],
  'right-listed-in-quotes': [
    'The list writes the SPF text in quotation marks, as a zone file does. What is published is the same text.',
    {
      ...rightDomain('spf', 'splugen-goods.com'),
      records: [{ type: 'TXT', name: 'bounce.splugen-goods.com', value: '"v=spf1 include:spf.mailprovider.net ~all"' }],
    },
    RIGHT,
  ],
  'right-dkim-by-a-wildcard': [
    'A wildcard leads every selector to the key of the provider. Receivers find the right key.',
    domainWithLines('dkim', 'arlberg-goods.com', ['*._domainkey CNAME k1.dkim.mailprovider.net.']),
    { result: ['ok', 'warn'], neverSays: [/\b(remove|delete)\b/i] },
  ],
  'right-dkim-by-a-dname': [
    'All of _domainkey is redirected to the provider by a DNAME; k1 leads to the right key.',
    domainWithLines('dkim', 'furka-goods.com', ['_domainkey DNAME dkim.mailprovider.net.']),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-dkim-beside-a-wildcard-address': [
    'The CNAME is there; the wildcard of the website has no part in it.',
    {
      ...rightDomain('dkim', 'bernina-goods.com'),
      zones: [ownZone('bernina-goods.com', [], ['* A 151.101.66.20', '* TXT "v=spf1 -all"'])],
    },
    RIGHT,
  ],
  'right-dkim-beside-a-wildcard-that-withdraws': [
    'A wildcard withdraws all selectors but those that are used, which is good practice.',
    {
      ...rightDomain('dkim', 'julier-goods.com'),
      zones: [ownZone('julier-goods.com', [], ['*._domainkey TXT "v=DKIM1; p="'])],
    },
    RIGHT,
  ],
  'right-dkim-by-a-chain-of-the-owner': [
    'The CNAME takes a detour over a name of the owner and ends at the right key. It works; the short way is better.',
    domainWithLines('dkim', 'maloja-goods.com', [
      'k1._domainkey CNAME k1.keys',
      'k1.keys CNAME k1.current',
      'k1.current CNAME k1.dkim.mailprovider.net.',
    ]),
    { result: ['ok', 'warn'] },
  ],
  'right-dkim-by-a-chain-of-the-provider': [
    'The listed target is an alias inside the zone of the provider, which is its own matter.',
    signedBy('albula-goods.com', 'albulapost.net', null, {
      lines: ['k1.dkim CNAME k2026.keys', `k2026.keys TXT ${txt(KEY)}`],
    }),
    RIGHT,
  ],
  'right-domainkey-delegated': [
    '_domainkey is a zone of its own at another host, and the CNAME is there.',
    domainWithLines('dkim', 'grimsel-goods.com', [
      zone('_domainkey.grimsel-goods.com', ['k1 CNAME k1.dkim.mailprovider.net.'], {
        ns: ['ns1.otherhost.net', 'ns2.otherhost.net'],
      }),
    ]),
    RIGHT,
  ],
  'right-subdomain-in-the-zone-above': [
    'The sending domain is a name in the zone above, with its CNAME.',
    domainInZones('dkim', 'news.susten-goods.com', [
      zone('susten-goods.com', ['@ A 151.101.66.20', ...rightLines([], '.news')]),
    ]),
    RIGHT,
  ],
  'right-subdomain-as-a-zone': [
    'The sending domain is a zone of its own below another one, with its CNAME.',
    domainInZones('dkim', 'news.stelvio-goods.com', [
      zone('stelvio-goods.com', ['@ A 151.101.66.20']),
      zone('news.stelvio-goods.com', rightLines(), { ns: ['ns1.otherhost.net', 'ns2.otherhost.net'] }),
    ]),
    RIGHT,
  ],
  'right-name-with-umlaut': [
    'The domain is listed with its umlaut; in the DNS it is xn--grnhorn-goods-zob.com, and the CNAME is there.',
    domainInZones('dkim', 'gr\u00fcnhorn-goods.com', [
      ownZone(new URL('http://gr\u00fcnhorn-goods.com').hostname, [], []),
    ]),
    RIGHT,
  ],
  'right-listed-key-in-two-strings': [
    'A long key has to be cut into strings; receivers join them.',
    published('pilatus-goods.com', txt(KEY)),
    RIGHT,
  ],
  'right-listed-key-in-many-strings': [
    'The key is cut into strings of 40 bytes. Receivers join them; it is the listed key.',
    published('saentis-goods.com', txt(KEY, 40)),
    RIGHT,
  ],
  'right-listed-key-with-spaces': [
    'Spaces inside the key and between the tags mean nothing; it is the listed key.',
    published('calanda-goods.com', txt(`v=DKIM1;k=rsa ;  p=${rsa2048.slice(0, 100)} ${rsa2048.slice(100)};`)),
    RIGHT,
  ],
  'right-listed-key-without-version': [
    '"v" and "k" may be left out, other tags are read over. It is the listed key.',
    published('tambo-goods.com', txt(`n=made in spring; x=1; s=email; t=s; h=sha1:sha256; p=${rsa2048}`)),
    { result: ['ok', 'warn'], neverSays: [/another key|other key/i] },
  ],
  'right-dkim-with-notes-of-the-provider': [
    'The key of the provider carries notes and unknown tags, which receivers read over.',
    signedBy('adula-goods.com', 'adulapost.net', `v=DKIM1; k=rsa; s=*; t=s; n=2026; q=x; p=${otherRsa2048}`),
    RIGHT,
  ],
  'right-dmarc-stricter': [
    'The owner rejects forgeries, which is stricter than the listed "p=none" and satisfies it.',
    domainWithLines('dmarc', 'badile-goods.com', [
      '_dmarc TXT "v=DMARC1; p=reject; sp=reject; np=reject; adkim=r; rua=mailto:d@badile-goods.com"',
    ]),
    RIGHT,
  ],
  'right-dmarc-with-odd-spaces': [
    'Spaces around tags and a semicolon at the end mean nothing.',
    domainWithLines('dmarc', 'cevedale-goods.com', ['_dmarc TXT "v=DMARC1 ;p = none ; "']),
    RIGHT,
  ],
  'right-dmarc-without-spaces': [
    'It is the listed record, without its space and with a semicolon at the end.',
    domainWithLines('dmarc', 'disgrazia-goods.com', ['_dmarc TXT "v=DMARC1;p=none;"']),
    RIGHT,
  ],
  'right-dmarc-by-an-alias': [
    'A service keeps the DMARC record behind a CNAME. Receivers follow it; "p=quarantine" satisfies the list.',
    domainWithLines('dmarc', 'monviso-goods.com', [
      '_dmarc CNAME monviso-goods.com._d.monvisoreports.net.',
      zone('monvisoreports.net', ['monviso-goods.com._d TXT "v=DMARC1; p=quarantine; rua=mailto:d@monviso-goods.com"']),
    ]),
    RIGHT,
  ],
  'right-dmarc-pct-hundred': [
    '"pct=100" is what everybody does anyway. Nothing has to change.',
    domainWithLines('dmarc', 'similaun-goods.com', ['_dmarc TXT "v=DMARC1; p=quarantine; pct=100"']),
    RIGHT,
  ],
  'right-dmarc-under-test': [
    '"t=y" is how an owner tries a policy out today. The record is valid and stricter than listed.',
    domainWithLines('dmarc', 'weisshorn-goods.com', [
      '_dmarc TXT "v=DMARC1; p=reject; t=y; rua=mailto:d@weisshorn-goods.com"',
    ]),
    { result: ['ok', 'warn'], neverOffers: [NO_POLICY, /^(?!.*\brua=)/] },
  ],
  'right-dmarc-reports-permitted': [
    'Reports go to another domain, which has agreed to take them.',
    domainWithLines('dmarc', 'dammastock-goods.com', [
      '_dmarc TXT "v=DMARC1; p=none; rua=mailto:d@dammastockinbox.net"',
      zone('dammastockinbox.net', [
        '@ MX 10 mx',
        'mx A 94.23.46.20',
        'dammastock-goods.com._report._dmarc TXT "v=DMARC1;"',
      ]),
    ]),
    RIGHT,
  ],
  'right-dmarc-reports-permitted-for-everybody': [
    'Reports go to a service that takes those of everybody, by a wildcard.',
    domainWithLines('dmarc', 'finsteraar-goods.com', ['_dmarc TXT "v=DMARC1; p=none; rua=mailto:x7@dmarcreports.net"']),
    RIGHT,
  ],
  'right-dmarc-reports-below-the-own-domain': [
    'Reports go to a name below the own domain, which needs no permission.',
    domainWithLines('dmarc', 'jungfrau-goods.com', [
      '_dmarc TXT "v=DMARC1; p=none; rua=mailto:d@reports.jungfrau-goods.com"',
      'reports MX 10 mx1',
    ]),
    RIGHT,
  ],
  'right-dmarc-reports-to-the-domain-above': [
    'Reports of the subdomain go to the domain above, which is the same organisation and needs no permission.',
    domainInZones('dmarc', 'news.lyskamm-goods.com', [
      zone('lyskamm-goods.com', [
        '@ A 151.101.66.20',
        '@ MX 10 mx1',
        'mx1 A 94.23.44.11',
        '_dmarc TXT "v=DMARC1; p=reject"',
        ...rightLines(['dmarc'], '.news'),
        '_dmarc.news TXT "v=DMARC1; p=quarantine; rua=mailto:d@lyskamm-goods.com"',
      ]),
    ]),
    RIGHT,
  ],
  'right-dmarc-beside-another-text': [
    'A text that is no DMARC record stands beside; receivers read over it.',
    domainWithLines('dmarc', 'nadelhorn-goods.com', ['_dmarc TXT "v=DMARC1; p=none"', '_dmarc TXT "verification=77"']),
    RIGHT,
  ],
  'right-apex-text-listed': [
    'The listed verification text is one of several at the domain.',
    {
      ...domainAtApex('monterosa-goods.com', [
        '@ TXT "google-site-verification=aB3kd9Wq"',
        '@ TXT "mailprovider-verification=5512cc"',
        '@ TXT ""',
      ]),
      records: [{ type: 'TXT', name: 'monterosa-goods.com', value: 'mailprovider-verification=5512cc' }],
    },
    RIGHT,
  ],
});

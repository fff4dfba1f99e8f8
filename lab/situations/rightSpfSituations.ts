import type { Situation } from '../situation.ts';
import {
  listedRecord,
  ownZone,
  domainWithLines,
  domainAtApex,
  rightDomain,
  txt,
  zone,
  situations,
  domainInZones,
} from './zoneLines.ts';

type Expect = Situation['expect'];

const RIGHT: Expect = { result: 'ok', turn: null, fix: null };
const SPF = 'v=spf1 include:spf.mailprovider.net ~all';

/** Right records that must pass, however unusual they look: SPF, MX and servers. */
export const rightSpfSituations = situations({
  'right-spf-in-upper-case': [
    'SPF reads its terms in any case.',
    domainWithLines('spf', 'barley-goods.com', ['bounce TXT "V=SPF1 INCLUDE:SPF.MAILPROVIDER.NET ~ALL"']),
    RIGHT,
  ],
  'right-spf-in-two-strings': [
    'The text is split into two strings with its space kept; receivers join them.',
    domainWithLines('spf', 'oats-goods.com', ['bounce TXT "v=spf1 include:spf.mail" "provider.net ~all"']),
    RIGHT,
  ],
  'right-spf-with-many-spaces': [
    'More than one space between terms, and one at the end, mean nothing.',
    domainWithLines('spf', 'rye-goods.com', ['bounce TXT "v=spf1  include:spf.mailprovider.net   ~all "']),
    { result: ['ok', 'warn'] },
  ],
  'right-spf-with-a-final-dot': [
    'A dot at the end of the included name is allowed.',
    domainWithLines('spf', 'spelt-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net. ~all"']),
    { result: ['ok', 'warn'] },
  ],
  'right-spf-stricter-all': [
    'The owner has "-all" where "~all" is listed; that is stricter and fine.',
    domainWithLines('spf', 'millet-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net -all"']),
    { ...RIGHT, neverOffers: [/~all/] },
  ],
  'right-spf-with-other-senders': [
    'The include of the provider stands among other senders of the owner, before "all".',
    domainAtApex('lentil-goods.com', [
      '@ TXT "v=spf1 a mx ip4:45.76.60.0/28 include:_spf.othermail.net include:spf.mailprovider.net -all"',
    ]),
    RIGHT,
  ],
  'right-spf-by-a-redirect-of-the-owner': [
    'The record hands everything to another one of the owner, where the include of the provider is.',
    domainWithLines('spf', 'linseed-goods.com', [
      'bounce TXT "v=spf1 redirect=_spf.linseed-goods.com"',
      '_spf TXT "v=spf1 mx include:spf.mailprovider.net -all"',
    ]),
    RIGHT,
  ],
  'right-spf-by-an-include-of-the-owner': [
    'The include of the provider lies three includes deep in records of the owner. Receivers find it there.',
    domainWithLines('spf', 'maize-goods.com', [
      'bounce TXT "v=spf1 include:_spf.maize-goods.com ~all"',
      '_spf TXT "v=spf1 include:_out.maize-goods.com -all"',
      '_out TXT "v=spf1 include:spf.mailprovider.net -all"',
    ]),
    RIGHT,
  ],
  'right-spf-redirect-to-the-provider': [
    'A redirect to the record of the provider allows the same senders.',
    domainWithLines('spf', 'quinoa-goods.com', ['bounce TXT "v=spf1 redirect=spf.mailprovider.net"']),
    { result: ['ok', 'warn'] },
  ],
  'right-spf-another-record-of-the-provider': [
    '_spf.mailprovider.net includes the listed record, so the same senders are allowed.',
    domainWithLines('spf', 'sorghum-goods.com', ['bounce TXT "v=spf1 include:_spf.mailprovider.net ~all"']),
    { result: ['ok', 'warn'] },
  ],
  'right-spf-redirect-beside-all': [
    'A redirect beside "all" is not read. The provider may send.',
    domainWithLines('spf', 'teff-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net ~all redirect=_spf.teff-goods.com"',
    ]),
    { result: ['ok', 'warn'] },
  ],
  'right-spf-with-a-readable-macro': [
    'The include is written with a macro of the domain, which leads to the record of the owner with the provider in it.',
    domainWithLines('spf', 'carob-goods.com', [
      'bounce TXT "v=spf1 include:_spf.%{d2} ~all"',
      '_spf TXT "v=spf1 include:spf.mailprovider.net -all"',
    ]),
    RIGHT,
  ],
  'right-spf-macro-behind-the-provider': [
    'The provider is allowed first; what another service says by macros behind it does not matter to its mail.',
    domainWithLines('spf', 'cocoa-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net include:%{i}._ip.%{h}._ehlo.%{d}._spf.cocoagate.net -all"',
      zone('cocoagate.net', ['*._spf TXT "v=spf1 -all"']),
    ]),
    { result: ['ok', 'warn'], neverOffers: [/^(?!.*cocoagate\.net)/] },
  ],
  'right-spf-with-unknown-modifiers': [
    'An explanation and a modifier that nobody knows are read over.',
    domainWithLines('spf', 'hops-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net x-note=7 exp=why.hops-goods.com ~all"',
      'why TXT "Not one of our servers."',
    ]),
    RIGHT,
  ],
  'right-spf-beside-look-alikes': [
    'Texts that only look like SPF ("v=spf10", "spf2.0/pra") stand beside the right record and count for nothing.',
    domainWithLines('spf', 'cotton-goods.com', [
      `bounce TXT "${SPF}"`,
      'bounce TXT "v=spf10 -all"',
      'bounce TXT "spf2.0/pra -all"',
      'bounce TXT ""',
    ]),
    RIGHT,
  ],
  'right-spf-among-forty-texts': [
    'The answer is large, with forty texts in it, and the right SPF record is one of them.',
    domainAtApex('flax-goods.com', [
      `@ TXT "${SPF}"`,
      ...Array.from({ length: 40 }, (_, index) => `@ TXT "verification-${index}=${'kq7z'.repeat(15)}"`),
    ]),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-spf-with-ten-look-ups': [
    'SPF needs exactly the ten look-ups that are allowed. It works; there is no room for more.',
    domainAtApex('jute-goods.com', [
      '@ TXT "v=spf1 include:_spf.jutesuite.net include:spf.mailprovider.net -all"',
      zone('jutesuite.net', [
        `_spf TXT "v=spf1 ${[1, 2, 3, 4, 5, 6, 7, 8].map((part) => `include:p${part}.jutesuite.net`).join(' ')} -all"`,
        ...[1, 2, 3, 4, 5, 6, 7, 8].map((part) => `p${part} TXT "v=spf1 ip4:45.79.${part}.0/24 -all"`),
      ]),
    ]),
    { result: ['ok', 'warn'], neverSays: [/\b11\b/] },
  ],
  'right-spf-with-two-void-look-ups': [
    'Two names in the record do not exist, which is just allowed. The provider may send.',
    domainAtApex('hemp-goods.com', [
      '@ TXT "v=spf1 a:old1.hemp-goods.com a:old2.hemp-goods.com include:spf.mailprovider.net -all"',
    ]),
    { result: ['ok', 'warn'] },
  ],
  'right-spf-the-same-include-twice': [
    'Two includes lead to the same record. That is no loop; it only costs a look-up.',
    domainWithLines('spf', 'sisal-goods.com', [
      'bounce TXT "v=spf1 include:_a.sisal-goods.com include:_b.sisal-goods.com ~all"',
      '_a TXT "v=spf1 include:spf.mailprovider.net -all"',
      '_b TXT "v=spf1 include:spf.mailprovider.net -all"',
    ]),
    { result: ['ok', 'warn'], neverSays: [/loop/i] },
  ],
  'right-spf-long': [
    'The record has over 500 bytes in several strings, which makes answers large but works.',
    domainWithLines('spf', 'wheat-goods.com', [
      `bounce TXT ${txt(`v=spf1 include:spf.mailprovider.net ${Array.from({ length: 30 }, (_, index) => `ip4:45.80.${index + 10}.0/24`).join(' ')} -all`)}`,
    ]),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-spf-with-ptr': [
    '"ptr" is slow and out of use, but the provider may send.',
    domainWithLines('spf', 'bran-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net ptr ~all"']),
    { result: ['ok', 'warn'], neverOffers: [/^(?!.*include:spf\.mailprovider\.net)/] },
  ],
  'right-spf-with-a-list-of-addresses': [
    'A list of addresses kept in the DNS stands beside the provider. It allows one address of the owner and nobody else.',
    domainWithLines('spf', 'malt-goods.com', [
      'bounce TXT "v=spf1 exists:%{ir}.list.malt-goods.com include:spf.mailprovider.net -all"',
      '9.60.76.45.list A 127.0.0.2',
    ]),
    { result: ['ok', 'warn'], neverSays: [/everybody|anyone|anybody/i] },
  ],
  'right-spf-where-bounces-go-to-the-domain': [
    'The domain itself is the sender of the bounces. Its SPF record allows the provider and the servers of the owner.',
    {
      domain: 'semolina-goods.com',
      mailFrom: 'semolina-goods.com',
      records: [{ type: 'TXT', name: 'semolina-goods.com', value: SPF }],
      zones: [ownZone('semolina-goods.com', ['mx', 'spf'], ['@ TXT "v=spf1 mx include:spf.mailprovider.net ~all"'])],
    },
    RIGHT,
  ],
  'right-mx-in-upper-case': [
    'Upper case in the name of the server means nothing.',
    domainWithLines('mx', 'tapioca-goods.com', ['BOUNCE MX 10 FEEDBACK.MailProvider.Net.']),
    RIGHT,
  ],
  'right-mx-in-a-zone-of-its-own': [
    'bounce is a zone of its own at another host, and the MX is at its top.',
    domainInZones('mx', 'polenta-goods.com', [
      ownZone('polenta-goods.com', ['mx', 'spf'], []),
      zone('bounce.polenta-goods.com', ['@ MX 10 feedback.mailprovider.net.', `@ TXT "${SPF}"`], {
        ns: ['ns1.otherhost.net', 'ns2.otherhost.net'],
      }),
    ]),
    RIGHT,
  ],
  'right-mx-by-an-alias-of-the-provider': [
    'bounce is an alias of a name at the provider that has the listed MX and SPF. Mail follows it; only a provider that looks for an MX at the name itself would mind.',
    {
      domain: 'couscous-goods.com',
      mailFrom: 'bounce.couscous-goods.com',
      records: [{ ...listedRecord('mx', 'couscous-goods.com'), value: '10 feedback.mailprovider.net' }],
      zones: [
        ownZone('couscous-goods.com', ['mx', 'spf'], ['bounce CNAME bounces.couscouspost.net.']),
        zone('couscouspost.net', ['bounces MX 10 feedback.mailprovider.net.', `bounces TXT "${SPF}"`]),
      ],
    },
    { result: ['ok', 'warn'] },
  ],
  'right-mx-beside-a-wildcard-mx': [
    'A wildcard MX is for other names. bounce has its own MX, which wins.',
    {
      ...rightDomain('mx', 'bulgur-goods.com'),
      zones: [ownZone('bulgur-goods.com', [], ['* MX 10 mx1', '* A 151.101.66.20'])],
    },
    RIGHT,
  ],
  'right-older-serial-same-records': [
    'The second name server has the same records, with one change of the website less. That is no matter here.',
    rightDomain('dkim', 'amaranth-goods.com', {
      at: { 'ns2.dnshost.net': ownZone('amaranth-goods.com', [], ['shop A 151.101.66.29']).text },
    }),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-at-four-name-servers': [
    'Four name servers of two hosts answer alike.',
    rightDomain('dkim', 'buckwheat-goods.com', {
      ns: ['ns1.dnshost.net', 'ns2.dnshost.net', 'ns1.otherhost.net', 'ns2.otherhost.net'],
    }),
    RIGHT,
  ],
  'right-at-a-single-name-server': [
    'There is one name server only, which is thin but works.',
    rightDomain('mx', 'sago-goods.com', { ns: ['ns1.dnshost.net'] }),
    { result: ['ok', 'warn'], fix: null },
  ],
  'right-at-name-servers-of-the-domain': [
    'The name servers have names in the domain itself, with addresses at the registry.',
    {
      ...rightDomain('dkim', 'grits-goods.com'),
      zones: [
        ownZone('grits-goods.com', [], ['ns1 A 185.136.96.53', 'ns2 A 185.136.97.53'], {
          ns: ['ns1.grits-goods.com', 'ns2.grits-goods.com'],
        }),
      ],
    },
    RIGHT,
  ],
  'right-at-cloudflare': [
    'The zone is at Cloudflare and the CNAME is not proxied, as it should be.',
    rightDomain('dkim', 'orzo-goods.com', { ns: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    RIGHT,
  ],
  'right-with-short-and-long-ttl': [
    'Records that may be remembered for a week are right all the same.',
    rightDomain('spf', 'farro-goods.com', { ttl: 604_800 }),
    RIGHT,
  ],
});

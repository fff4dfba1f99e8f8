import type { Situation } from '../situation.ts';
import { domainWithLines, domainAtApex, txt, expectFix, zone, situations } from './zoneLines.ts';

const WITH_INCLUDE = /^v=spf1 include:spf\.mailprovider\.net [~-]all$/;

/** A zone whose `_spf` costs an including record `count` look-ups besides that of the include itself. */
function nested(name: string, count: number): Situation['zones'][number] {
  const parts = Array.from({ length: count }, (_, index) => `part${index + 1}`);
  return zone(name, [
    `_spf TXT ${txt(`v=spf1 ${parts.map((part) => `include:${part}.${name}`).join(' ')} -all`)}`,
    ...parts.map((part, index) => `${part} TXT "v=spf1 ip4:45.77.${index}.0/24 -all"`),
  ]);
}

/** Who else may send, and what makes the whole record an error. */
export const spfLimitSituations = situations({
  'spf-everybody-by-plus-all': [
    '"+all" lets everybody send in the name of bounce.eagle-goods.com. It has to be "~all" or "-all".',
    domainWithLines('spf', 'eagle-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net +all"']),
    { says: [/\+all/], fix: expectFix('spf', { value: WITH_INCLUDE }) },
  ],
  'spf-everybody-by-bare-all': [
    '"all" without a sign means "+all": everybody may send.',
    domainWithLines('spf', 'falcon-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net all"']),
    { says: [/\ball\b/], fix: expectFix('spf', { value: WITH_INCLUDE }) },
  ],
  'spf-everybody-by-zero-prefix': [
    '"ip4:0.0.0.0/0" allows every IPv4 address, whatever "-all" says behind it.',
    domainWithLines('spf', 'condor-goods.com', ['bounce TXT "v=spf1 ip4:0.0.0.0/0 include:spf.mailprovider.net -all"']),
    { says: [/0\.0\.0\.0\/0/], neverOffers: [/0\.0\.0\.0\/0/] },
  ],
  'spf-everybody-by-two-halves': [
    'The two ranges 0.0.0.0/1 and 128.0.0.0/1 together are every IPv4 address: everybody may send.',
    domainWithLines('spf', 'vulture-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all"',
    ]),
    { says: [/0\.0\.0\.0\/1/] },
  ],
  'spf-everybody-by-ipv6': [
    '"ip6:::/0" allows every IPv6 address.',
    domainWithLines('spf', 'buzzard-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net ip6:::/0 -all"']),
    { says: [/::\/0/], neverOffers: [/::\/0/] },
  ],
  'spf-everybody-by-a-zero': [
    '"a/0" is the address of the domain with no bit that counts, so every IPv4 address passes.',
    domainAtApex('kite-goods.com', ['@ TXT "v=spf1 a/0 include:spf.mailprovider.net -all"']),
    { says: [/\ba\/0/], neverOffers: [/\ba\/0/] },
  ],
  'spf-everybody-by-exists': [
    '"exists:www.harrier-goods.com" is true for every sender, since that name exists: everybody may send.',
    domainWithLines('spf', 'harrier-goods.com', [
      'bounce TXT "v=spf1 exists:www.harrier-goods.com include:spf.mailprovider.net -all"',
    ]),
    { says: [/exists:www\.harrier-goods\.com/] },
  ],
  'spf-everybody-by-an-include': [
    'The record of the other sender, _spf.owllist.net, ends in "+all". By way of its include everybody may send. That sender has to repair it, or the owner gives it up.',
    domainWithLines('spf', 'owl-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net include:_spf.owllist.net -all"',
      zone('owllist.net', ['_spf TXT "v=spf1 ip4:45.76.20.0/24 +all"']),
    ]),
    { result: 'fail', says: [/_spf\.owllist\.net/], neverOffers: [/include:_spf\.owllist\.net/] },
  ],
  'spf-everybody-by-a-redirect': [
    'The redirect leads to a record that ends in "+all": everybody may send.',
    domainWithLines('spf', 'raven-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net redirect=_spf.raven-goods.com"',
      '_spf TXT "v=spf1 mx +all"',
    ]),
    { says: [/_spf\.raven-goods\.com/] },
  ],
  'spf-eleven-look-ups': [
    'SPF needs 11 look-ups where 10 are allowed, and the provider comes last: its mail gets a permanent error. Which sender goes is for the owner to say.',
    domainAtApex('lark-goods.com', [
      '@ TXT "v=spf1 include:_spf.larksuite.net include:spf.mailprovider.net -all"',
      nested('larksuite.net', 9),
    ]),
    { says: [/\b11\b/, /\b10\b/, /larksuite\.net/], fix: null },
  ],
  'spf-eleven-look-ups-behind-the-provider': [
    'The provider comes first, but the whole record needs 11 look-ups, and for everybody else receivers meet a permanent error.',
    domainAtApex('thrush-goods.com', [
      '@ TXT "v=spf1 include:spf.mailprovider.net include:_spf.thrushsuite.net -all"',
      nested('thrushsuite.net', 9),
    ]),
    { says: [/\b11\b/, /\b10\b/], fix: null },
  ],
  'spf-no-room-for-the-include': [
    'The provider is not allowed yet, and the record needs 10 look-ups already: one more include would break it. Something has to go first.',
    domainAtApex('dipper-goods.com', [
      '@ TXT "v=spf1 include:_spf.dippersuite.net -all"',
      nested('dippersuite.net', 9),
    ]),
    { says: [/\b10\b/], fix: null },
  ],
  'spf-void-look-ups': [
    'Three names in the record do not exist (mail1, mail2, mail3). After two such empty look-ups receivers give up with an error. Take them out.',
    domainAtApex('magpie-goods.com', [
      '@ TXT "v=spf1 a:mail1.magpie-goods.com a:mail2.magpie-goods.com a:mail3.magpie-goods.com include:spf.mailprovider.net -all"',
    ]),
    { says: [/mail[123]\.magpie-goods\.com/], neverOffers: [/mail1.*mail2.*mail3/] },
  ],
  'spf-includes-itself': [
    'The record includes a record that includes it again. That is an endless loop and so a permanent error.',
    domainWithLines('spf', 'jay-goods.com', [
      'bounce TXT "v=spf1 include:_spf.jay-goods.com include:spf.mailprovider.net ~all"',
      '_spf TXT "v=spf1 include:bounce.jay-goods.com -all"',
    ]),
    { says: [/_spf\.jay-goods\.com/] },
  ],
  'spf-redirect-to-itself': [
    'The record redirects to itself; receivers meet a permanent error.',
    domainWithLines('spf', 'coot-goods.com', ['bounce TXT "v=spf1 redirect=bounce.coot-goods.com"']),
    {
      says: [/redirect=bounce\.coot-goods\.com|bounce\.coot-goods\.com/],
      fix: expectFix('spf', { value: WITH_INCLUDE }),
    },
  ],
  'spf-redirect-to-nothing': [
    'The redirect leads to _spf.teal-goods.com, which has no SPF record: a permanent error for everybody the include does not allow.',
    domainWithLines('spf', 'teal-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net redirect=_spf.teal-goods.com"',
    ]),
    { says: [/_spf\.teal-goods\.com/] },
  ],
  'spf-two-redirects': [
    'A record may have one redirect. With two of them it is a permanent error.',
    domainWithLines('spf', 'smew-goods.com', [
      'bounce TXT "v=spf1 include:spf.mailprovider.net redirect=_a.smew-goods.com redirect=_b.smew-goods.com"',
      '_a TXT "v=spf1 -all"',
      '_b TXT "v=spf1 -all"',
    ]),
    { says: [/redirect/] },
  ],
  'spf-include-without-spf': [
    'The included name shop.eider-goods.com has no SPF record. That makes the whole record a permanent error, although the provider is in it.',
    domainWithLines('spf', 'eider-goods.com', [
      'bounce TXT "v=spf1 include:shop.eider-goods.com include:spf.mailprovider.net ~all"',
      'shop A 151.101.66.21',
    ]),
    { says: [/shop\.eider-goods\.com/] },
  ],
  'spf-include-with-two-records': [
    'The included _spf.gannetshop.net has two SPF records, which makes this record an error too.',
    domainWithLines('spf', 'gannet-goods.com', [
      'bounce TXT "v=spf1 include:_spf.gannetshop.net include:spf.mailprovider.net ~all"',
      zone('gannetshop.net', ['_spf TXT "v=spf1 ip4:45.76.21.0/24 -all"', '_spf TXT "v=spf1 ip4:45.76.22.0/24 -all"']),
    ]),
    { result: 'fail', says: [/_spf\.gannetshop\.net/] },
  ],
  'spf-mx-with-eleven-hosts': [
    '"mx" stands before the include and the domain has 11 mail servers. Receivers look at 10 at most and answer with a permanent error.',
    domainAtApex('petrel-goods.com', [
      '@ TXT "v=spf1 mx include:spf.mailprovider.net -all"',
      ...Array.from({ length: 10 }, (_, index) => `@ MX 20 relay${index}\nrelay${index} A 94.23.45.${index + 10}`),
    ]),
    { says: [/\bmx\b/i, /\b1[01]\b/] },
  ],
  'spf-include-in-a-zone-that-fails': [
    'An include before that of the provider lies in a zone whose name server answers with SERVFAIL. Nobody can tell now whether mail passes: receivers may try later.',
    domainWithLines('spf', 'fulmar-goods.com', [
      'bounce TXT "v=spf1 include:_spf.fulmarlist.net include:spf.mailprovider.net ~all"',
      zone('fulmarlist.net', ['_spf TXT "v=spf1 ip4:45.76.23.0/24 -all"'], { ns: ['servfail.badhost.net'] }),
    ]),
    { result: 'unknown', says: [/fulmarlist\.net/], fix: null },
  ],
  'spf-include-in-a-silent-zone': [
    'The zone of another include does not answer at all. Whom the record allows cannot be told now.',
    domainWithLines('spf', 'puffin-goods.com', [
      'bounce TXT "v=spf1 include:_spf.puffinlist.net include:spf.mailprovider.net ~all"',
      zone('puffinlist.net', ['_spf TXT "v=spf1 ip4:45.76.24.0/24 -all"'], { ns: ['silent.badhost.net'] }),
    ]),
    { result: 'unknown', says: [/puffinlist\.net/], neverSays: [/remove the include/i], fix: null },
  ],
});

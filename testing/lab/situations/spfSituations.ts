import { txt } from '../zoneFile.ts';
import {
  situations,
  listedRecord,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  judged,
  domainAtApex,
  expectFix,
  RIGHT,
  SPF,
} from './zoneLines.ts';

const DUNLIN = 'v=spf1 include:spf.dunlinpost.net ~all';
const NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Whether the servers of the provider may send. */
export const spfSituations = situations({
  'spf-none-beside-mx': [
    'bounce.heron-goods.com has its MX but no SPF record: servers of the provider are not allowed by anything. Add the TXT record; the MX stays.',
    domainWithLines('spf', 'heron-goods.com', []),
    {
      says: [/bounce\.heron-goods\.com/],
      neverSays: [/bounce\.heron-goods\.com does not exist/i, /(remove|delete) the MX/i],
      fix: expectFix('spf'),
    },
  ],
  'spf-only-other-senders': [
    'The SPF record allows the office suite only. Insert the include of the provider before "-all"; the office suite stays.',
    domainAtApex('finch-goods.com', [
      '@ TXT "v=spf1 include:_spf.finchoffice.net -all"',
      zone('finchoffice.net', ['_spf TXT "v=spf1 ip4:45.76.10.0/24 -all"']),
    ]),
    {
      says: [/include:spf\.mailprovider\.net/],
      fix: {
        name: 'finch-goods.com',
        type: 'TXT',
        value:
          /^v=spf1 (include:_spf\.finchoffice\.net include:spf\.mailprovider\.net|include:spf\.mailprovider\.net include:_spf\.finchoffice\.net) -all$/,
      },
    },
  ],
  'spf-hosted-macro-of-the-address': [
    'A list of addresses kept in the DNS by a service allows every address of the provider, which can be asked for samples. Mail passes.',
    domainWithLines('spf', 'snipe-goods.com', [
      'bounce TXT "v=spf1 exists:%{ir}.%{v}.snipegate.net -all"',
      zone('snipegate.net', [
        '*.40.70.185.in-addr A 127.0.0.2',
        '*.41.70.185.in-addr A 127.0.0.2',
        '*.8.e.2.0.c.7.6.0.1.0.0.2.ip6 A 127.0.0.2',
      ]),
    ]),
    { result: ['ok', 'warn', 'unknown'], neverOffers: [/^v=spf1 include:spf\.mailprovider\.net [~-]all$/] },
  ],
  'spf-provider-record-gone': [
    'The include is right, but spf.dunlinpost.net has no SPF record any more. The provider has to publish it again.',
    judged('dunlin-goods.com', { ...listedRecord('spf', 'dunlin-goods.com'), value: DUNLIN }, [
      ownZone('dunlin-goods.com', 'spf', [`bounce TXT "${DUNLIN}"`]),
      zone('dunlinpost.net', ['spf A 185.82.10.20']),
    ]),
    { result: 'fail', turn: 'provider', says: [/spf\.dunlinpost\.net/], fix: null },
  ],
  'spf-two-records': [
    'Two SPF records make SPF an error for every receiver. One record has to hold what both say, and the other is deleted.',
    domainAtApex('osprey-goods.com', [
      '@ TXT "v=spf1 include:_spf.ospreyoffice.net ~all"',
      '@ TXT "v=spf1 include:spf.mailprovider.net ~all"',
      zone('ospreyoffice.net', ['_spf TXT "v=spf1 ip4:45.76.12.0/24 -all"']),
    ]),
    {
      says: [/two|2/i],
      fix: {
        name: 'osprey-goods.com',
        type: 'TXT',
        value:
          /^v=spf1 (include:_spf\.ospreyoffice\.net include:spf\.mailprovider\.net|include:spf\.mailprovider\.net include:_spf\.ospreyoffice\.net) ~all$/,
      },
    },
  ],
  'spf-eleven-look-ups': [
    'SPF needs 11 look-ups where 10 are allowed, and the provider comes last: its mail gets a permanent error. Which sender goes is for the owner to say.',
    domainAtApex('lark-goods.com', [
      '@ TXT "v=spf1 include:_spf.larksuite.net include:spf.mailprovider.net -all"',
      zone('larksuite.net', [
        `_spf TXT "v=spf1 ${NINE.map((part) => `include:p${part}.larksuite.net`).join(' ')} -all"`,
        ...NINE.map((part) => `p${part} TXT "v=spf1 ip4:45.77.${part}.0/24 -all"`),
      ]),
    ]),
    { says: [/\b11\b/, /\b10\b/, /larksuite\.net/], fix: null },
  ],
  'spf-void-look-ups': [
    'Three names in the record do not exist (mail1, mail2, mail3). After two such empty look-ups receivers give up with an error. Take them out.',
    domainAtApex('magpie-goods.com', [
      '@ TXT "v=spf1 a:mail1.magpie-goods.com a:mail2.magpie-goods.com a:mail3.magpie-goods.com include:spf.mailprovider.net -all"',
    ]),
    { says: [/mail[123]\.magpie-goods\.com/], neverOffers: [/mail1.*mail2.*mail3/] },
  ],
  'spf-include-in-a-zone-that-fails': [
    'An include before that of the provider lies in a zone whose name server answers with SERVFAIL. Nobody can tell now whether mail passes: receivers may try later.',
    domainWithLines('spf', 'fulmar-goods.com', [
      'bounce TXT "v=spf1 include:_spf.fulmarlist.net include:spf.mailprovider.net ~all"',
      zone('fulmarlist.net', ['_spf TXT "v=spf1 ip4:45.76.23.0/24 -all"'], { ns: ['servfail.badhost.net'] }),
    ]),
    { result: 'unknown', says: [/fulmarlist\.net/], fix: null },
  ],
  'spoilt-spf-smart-quotes': [
    'Typographic quotation marks became part of the value, so it does not begin with "v=spf1". Enter it without them.',
    domainWithLines('spf', 'trout-goods.com', [`bounce TXT ${txt(`\u201c${SPF}\u201d`)}`]),
    { says: [/\u201c|U\+201C|quot/i], fix: expectFix('spf') },
  ],
  'spoilt-spf-type-99': [
    'The record was created with the old type SPF, which no receiver asks for. Create it as TXT.',
    domainWithLines('spf', 'mullet-goods.com', [
      'bounce TYPE99 \\# 41 28763d7370663120696e636c7564653a7370662e6d61696c70726f76696465722e6e6574207e616c6c',
    ]),
    { says: [/\bTXT\b/], fix: expectFix('spf') },
  ],
  'spoilt-text-with-control-characters': [
    'There is another text with colours and line breaks for terminals. It is harmless and must not be printed raw; SPF is right.',
    domainInZones('spf', 'goby-goods.com', [
      ownZone('goby-goods.com', [], [`bounce TXT ${txt('\u001b[31mall fine\u001b[0m\n::error::x\u202e')}`]),
    ]),
    RIGHT,
  ],
  'spf-spoilt-record-beside-a-whole-one': [
    'The record with the senders at Google is in quotation marks, so only "-all" counts. One record for both keeps Google.',
    domainWithLines('spf', 'grebe-goods.com', [
      `bounce TXT ${txt('"v=spf1 include:_spf.grebesuite.net ~all"')}`,
      'bounce TXT "v=spf1 -all"',
      zone('grebesuite.net', ['_spf TXT "v=spf1 ip4:45.76.70.0/24 -all"']),
    ]),
    { fix: expectFix('spf', { value: /include:_spf\.grebesuite\.net.*include:spf\.mailprovider\.net.* -all$/ }) },
  ],
  'spf-record-without-blank-beside-a-whole-one': [
    '"v=spf1;" is ignored by receivers, and its mail server is meant all the same. It belongs into the one record.',
    domainWithLines('spf', 'sanderling-goods.com', [
      'bounce TXT "v=spf1; ip4:45.76.71.4 -all"',
      'bounce TXT "v=spf1 include:spf.othermail.net ~all"',
      zone('dunlinlist.net', ['@ A 45.76.71.5']),
    ]),
    { neverOffers: [/^(?!.*ip4:45\.76\.71\.4)/] },
  ],
  'spf-unreadable-record-beside-a-whole-one': [
    'Of the second record a word is not clear. Only the owner can put both together.',
    domainWithLines('spf', 'knot-goods.com', [
      'bounce TXT "v=spf1; ip4:45.76.72.4 frob:x -all"',
      'bounce TXT "v=spf1 ip4:45.76.72.9 -all"',
    ]),
    { says: [/frob:x/], fix: null },
  ],
  'spf-look-alike-of-the-provider': [
    'The "a" of the include is the Cyrillic letter U+0430. It should be the include of the provider.',
    domainWithLines('spf', 'ruff-goods.com', [`bounce TXT ${txt('v=spf1 include:spf.m\u0430ilprovider.net ~all')}`]),
    { says: [/U\+0430/, /should be "include:spf\.mailprovider\.net"/], neverSays: [/xn--/], fix: expectFix('spf') },
  ],
  'spf-look-alike-of-another-sender': [
    'The include of another service has a Cyrillic letter. What it should be is clear, since the rest is Latin.',
    domainWithLines('spf', 'godwit-goods.com', [
      `bounce TXT ${txt('v=spf1 include:_spf.g\u043edwitlist.net include:spf.mailprovider.net ~all')}`,
      zone('godwitlist.net', ['_spf TXT "v=spf1 ip4:45.76.73.0/24 -all"']),
    ]),
    { says: [/should be "include:_spf\.godwitlist\.net"/], neverSays: [/xn--/], neverOffers: [/xn--/] },
  ],
});

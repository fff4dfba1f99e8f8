import { ownZone, domainWithLines, txt, expectFix, zone, situations } from './zoneLines.ts';

/** A MAIL FROM name whose SPF record was corrupted when it was entered; the listed one is right. */
const spf = (domain: string, published: string | Uint8Array) =>
  domainWithLines('spf', domain, [`bounce TXT ${txt(published)}`]);
const SPF_FIX = expectFix('spf');

/** A DMARC record that was corrupted. */
const dmarc = (domain: string, published: string) => domainWithLines('dmarc', domain, [`_dmarc TXT ${txt(published)}`]);

const INVISIBLE = [/[\u200b\u00a0\ufeff]/];

export const spoiltSituations = situations({
  'spoilt-spf-smart-quotes': [
    'Typographic quotation marks became part of the value, so it does not begin with "v=spf1". Enter it without them.',
    spf('trout-goods.com', '\u201cv=spf1 include:spf.mailprovider.net ~all\u201d'),
    { says: [/\u201c|U\+201C|quot/i], fix: SPF_FIX },
  ],
  'spoilt-spf-plain-quotes': [
    'The quotation marks became part of the value. Enter it without them.',
    spf('perch-goods.com', '"v=spf1 include:spf.mailprovider.net ~all"'),
    { says: [/quot/i], fix: SPF_FIX },
  ],
  'spoilt-spf-no-break-space': [
    'A no-break space (U+00A0) stands behind "v=spf1", where a plain one has to be. Receivers do not see an SPF record.',
    spf('bream-goods.com', 'v=spf1\u00a0include:spf.mailprovider.net ~all'),
    { says: [/U\+00A0/i], neverSays: INVISIBLE, fix: SPF_FIX },
  ],
  'spoilt-spf-no-break-space-later': [
    'A no-break space (U+00A0) before "~all" makes the name of the include wrong.',
    spf('carp-goods.com', 'v=spf1 include:spf.mailprovider.net\u00a0~all'),
    { says: [/U\+00A0/i], neverSays: INVISIBLE, fix: SPF_FIX },
  ],
  'spoilt-spf-zero-width-space': [
    'An invisible character (U+200B, a zero-width space) stands before the name of the include. Type the value anew.',
    spf('tench-goods.com', 'v=spf1 include:\u200bspf.mailprovider.net ~all'),
    { says: [/U\+200B/i], neverSays: INVISIBLE, fix: SPF_FIX },
  ],
  'spoilt-spf-byte-order-mark': [
    'An invisible character (U+FEFF) stands before "v=spf1", so receivers do not see an SPF record.',
    spf('chub-goods.com', '\ufeffv=spf1 include:spf.mailprovider.net ~all'),
    { says: [/U\+FEFF/i], neverSays: INVISIBLE, fix: SPF_FIX },
  ],
  'spoilt-spf-line-feed': [
    'A line break stands in the value where a space has to be: the record cannot be read.',
    spf('roach-goods.com', 'v=spf1 include:spf.mailprovider.net\n~all'),
    { says: [/U\+000A|line (feed|break)|\\n|\\u000a/i], fix: SPF_FIX },
  ],
  'spoilt-spf-latin-byte': [
    'A byte that is no text (a no-break space of an old encoding) stands before "~all". Type the value anew.',
    spf('rudd-goods.com', Buffer.from('v=spf1 include:spf.mailprovider.net\u00a0~all', 'latin1')),
    { fix: SPF_FIX },
  ],
  'spoilt-spf-dash': [
    'The sign before "all" is a typographic dash (U+2013), not a minus: the record cannot be read.',
    spf('barbel-goods.com', 'v=spf1 include:spf.mailprovider.net \u2013all'),
    { says: [/U\+2013|\u2013/i], fix: expectFix('spf', { value: /^v=spf1 include:spf\.mailprovider\.net [~-]all$/ }) },
  ],
  'spoilt-spf-leading-space': [
    'A space before "v=spf1" makes receivers ignore the record.',
    spf('dace-goods.com', ' v=spf1 include:spf.mailprovider.net ~all'),
    { says: [/space|blank/i], fix: SPF_FIX },
  ],
  'spoilt-spf-semicolon-at-the-end': [
    '"~all;" is nothing SPF knows: the semicolon has to go.',
    spf('pike-goods.com', 'v=spf1 include:spf.mailprovider.net ~all;'),
    { says: [/;/], fix: SPF_FIX },
  ],
  'spoilt-spf-semicolons': [
    'SPF has no semicolons: "v=spf1;" is not "v=spf1", so receivers do not see an SPF record.',
    spf('zander-goods.com', 'v=spf1; include:spf.mailprovider.net; ~all'),
    { says: [/v=spf1;|semicolon/i], fix: SPF_FIX },
  ],
  'spoilt-spf-comma': [
    'A comma stands behind the name of the include. Between terms there are only spaces.',
    spf('burbot-goods.com', 'v=spf1 include:spf.mailprovider.net, ~all'),
    { says: [/,|comma/i], fix: SPF_FIX },
  ],
  'spoilt-spf-cut-sign': [
    '"~al" should be "~all"; like this the record cannot be read.',
    spf('loach-goods.com', 'v=spf1 include:spf.mailprovider.net ~al'),
    { says: [/~al\b/], fix: SPF_FIX },
  ],
  'spoilt-spf-equals-sign': [
    '"include=" has to be "include:". Receivers skip the term, and the provider is not allowed.',
    spf('minnow-goods.com', 'v=spf1 include=spf.mailprovider.net ~all'),
    { says: [/include=/], fix: SPF_FIX },
  ],
  'spoilt-spf-space-behind-the-colon': [
    'A space stands behind "include:", which makes two broken terms of one.',
    spf('gudgeon-goods.com', 'v=spf1 include: spf.mailprovider.net ~all'),
    { says: [/include:/], fix: SPF_FIX },
  ],
  'spoilt-spf-another-version': [
    '"spf2.0" is Sender ID, which nobody reads any more. SPF begins with "v=spf1".',
    spf('sprat-goods.com', 'spf2.0/pra include:spf.mailprovider.net ~all'),
    { says: [/spf2\.0/], fix: SPF_FIX },
  ],
  'spoilt-spf-no-space-behind-the-version': [
    'The space behind "v=spf1" is missing, so receivers do not see an SPF record.',
    spf('smelt-goods.com', 'v=spf1include:spf.mailprovider.net ~all'),
    { says: [/space|blank/i], fix: SPF_FIX },
  ],
  'spoilt-spf-space-lost-at-the-split': [
    'The text was split into two strings and the space between them got lost: "mailprovider.net~all".',
    domainWithLines('spf', 'turbot-goods.com', ['bounce TXT "v=spf1 include:spf.mailprovider.net" "~all"']),
    { says: [/space|blank/i], fix: expectFix('spf') },
  ],
  'spoilt-spf-ipv4': [
    '"ipv4:" has to be "ip4:". Until then the record is an error for the provider too.',
    domainWithLines('spf', 'sole-goods.com', ['bounce TXT "v=spf1 ipv4:45.76.30.4 include:spf.mailprovider.net ~all"']),
    {
      says: [/ipv4:45\.76\.30\.4/],
      fix: expectFix('spf', { value: 'v=spf1 ip4:45.76.30.4 include:spf.mailprovider.net ~all' }),
    },
  ],
  'spoilt-spf-bare-address': [
    'A bare address is no term of SPF: it needs "ip4:" in front. The sender it names must not get lost.',
    domainWithLines('spf', 'plaice-goods.com', ['bounce TXT "v=spf1 45.76.30.5 include:spf.mailprovider.net ~all"']),
    {
      says: [/45\.76\.30\.5/],
      fix: expectFix('spf', { value: 'v=spf1 ip4:45.76.30.5 include:spf.mailprovider.net ~all' }),
    },
  ],
  'spoilt-spf-u-label': [
    'The include of the office is written with an umlaut. In the DNS the name is xn--bchermail-q9a.net; like this the record is an error.',
    domainWithLines('spf', 'halibut-goods.com', [
      `bounce TXT ${txt('v=spf1 include:_spf.b\u00fcchermail.net include:spf.mailprovider.net ~all')}`,
      zone('xn--bchermail-q9a.net', ['_spf TXT "v=spf1 ip4:45.76.31.0/24 -all"']),
    ]),
    { says: [/xn--|b\u00fcchermail/], neverOffers: [/^(?!.*include:_spf\.xn--)/, /\u00fc/] },
  ],
  'spoilt-spf-type-99': [
    'The record was created with the old type SPF, which no receiver asks for. Create it as TXT.',
    domainWithLines('spf', 'mullet-goods.com', [
      'bounce TYPE99 \\# 41 28763d7370663120696e636c7564653a7370662e6d61696c70726f76696465722e6e6574207e616c6c',
    ]),
    { says: [/\bTXT\b/], fix: expectFix('spf') },
  ],
  'spoilt-dmarc-smart-quotes': [
    'Typographic quotation marks became part of the value, so receivers see no DMARC record. The policy stays.',
    dmarc('salmon-goods.com', '\u201cv=DMARC1; p=quarantine\u201d'),
    { says: [/\u201c|U\+201C|quot/i], fix: expectFix('dmarc', { value: /^v=DMARC1; p=quarantine;?$/ }) },
  ],
  'spoilt-dmarc-backslash': [
    'The backslashes of a zone file were typed into the form and are part of the value now. Take them out.',
    dmarc('herring-goods.com', 'v=DMARC1\\; p=reject\\; rua=mailto:d@herring-goods.com'),
    {
      says: [/backslash|\\/i],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@herring-goods\.com;?$/ }),
    },
  ],
  'spoilt-dmarc-commas': [
    'Between tags there are semicolons, not commas. "p=reject" and the report address stay.',
    dmarc('cod-goods.com', 'v=DMARC1, p=reject, rua=mailto:d@cod-goods.com'),
    {
      says: [/comma|semicolon|,/i],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@cod-goods\.com;?$/ }),
    },
  ],
  'spoilt-dmarc-no-semicolon': [
    'The semicolon behind "v=DMARC1" is missing.',
    dmarc('hake-goods.com', 'v=DMARC1 p=reject'),
    { says: [/;|semicolon/i], fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject;?$/ }) },
  ],
  'spoilt-dmarc-zero-width-space': [
    'An invisible character (U+200B) behind "reject" makes the policy unreadable.',
    dmarc('ling-goods.com', 'v=DMARC1; p=reject\u200b; rua=mailto:d@ling-goods.com'),
    {
      result: ['fail', 'warn'],
      turn: 'owner',
      says: [/U\+200B/i],
      neverSays: INVISIBLE,
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@ling-goods\.com;?$/ }),
    },
  ],
  'spoilt-dmarc-no-break-space': [
    'A no-break space (U+00A0) before "p" hides the policy from receivers.',
    dmarc('sardine-goods.com', 'v=DMARC1;\u00a0p=reject'),
    {
      result: ['fail', 'warn'],
      turn: 'owner',
      says: [/U\+00A0/i],
      neverSays: INVISIBLE,
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject;?$/ }),
    },
  ],
  'spoilt-dmarc-colon': [
    '"p:reject" has to be "p=reject".',
    dmarc('tuna-goods.com', 'v=DMARC1; p:reject; rua=mailto:d@tuna-goods.com'),
    {
      result: ['fail', 'warn'],
      turn: 'owner',
      says: [/p:reject/],
      fix: expectFix('dmarc', { value: /^v=DMARC1; p=reject; rua=mailto:d@tuna-goods\.com;?$/ }),
    },
  ],
  'spoilt-dmarc-report-addresses-by-space': [
    'Two report addresses are separated by a comma, not by a space. Both stay.',
    dmarc('eel-goods.com', 'v=DMARC1; p=reject; rua=mailto:a@eel-goods.com mailto:b@eel-goods.com'),
    {
      result: ['warn', 'fail'],
      turn: 'owner',
      fix: expectFix('dmarc', {
        value: /^v=DMARC1; p=reject; rua=mailto:a@eel-goods\.com, ?mailto:b@eel-goods\.com;?$/,
      }),
    },
  ],
  'spoilt-dkim-target-zero-width-space': [
    'An invisible character (U+200B) is part of the target. Type the target anew.',
    domainWithLines('dkim', 'anchovy-goods.com', ['k1._domainkey CNAME k1\\226\\128\\139.dkim.mailprovider.net.']),
    { says: [/U\+200B/i], neverSays: INVISIBLE, fix: expectFix('dkim') },
  ],
  'spoilt-mx-target-no-break-space': [
    'A no-break space (U+00A0) is part of the server name. Type it anew.',
    domainWithLines('mx', 'mackerel-goods.com', ['bounce MX 10 feedback.mailprovider.net\\194\\160.']),
    { says: [/U\+00A0/i], neverSays: INVISIBLE, fix: expectFix('mx') },
  ],
  'spoilt-dkim-target-with-url': [
    'The target was entered as an address of a website, "https://". Only the name belongs there.',
    domainWithLines('dkim', 'wrasse-goods.com', ['k1._domainkey CNAME https\\058\\047\\047k1.dkim.mailprovider.net.']),
    { says: [/https:/], fix: expectFix('dkim') },
  ],
  'spoilt-text-with-control-characters': [
    'A text of somebody with colours and line breaks for terminals stands beside the record. It is harmless and must not be printed raw; SPF is right.',
    {
      domain: 'goby-goods.com',
      mailFrom: 'bounce.goby-goods.com',
      records: [{ type: 'TXT', name: 'bounce.goby-goods.com', value: 'v=spf1 include:spf.mailprovider.net ~all' }],
      zones: [ownZone('goby-goods.com', [], [`bounce TXT ${txt('\u001b[31mall fine\u001b[0m\n::error::x\u202e')}`])],
    },
    { result: 'ok', turn: null, fix: null },
  ],
});

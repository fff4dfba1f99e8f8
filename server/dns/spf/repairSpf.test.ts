import { expect, test } from 'vitest';
import { repairSpf } from './repairSpf.ts';

test.each([
  ['ipv4:192.0.2.1 ipv6:2001:db8::1 ip:192.0.2.0/24 -all', 'ip4:192.0.2.1 ip6:2001:db8::1 ip4:192.0.2.0/24 -all'],
  ['192.0.2.1 2001:db8::/32 ip4=192.0.2.2 -all', 'ip4:192.0.2.1 ip6:2001:db8::/32 ip4:192.0.2.2 -all'],
  ['ip4:2001:db8::1 ip6:192.0.2.1 -all', 'ip6:2001:db8::1 ip4:192.0.2.1 -all'],
  ['include=b.test redirect:c.test', 'include:b.test redirect=c.test'],
  ['a -al', 'a -all'],
  ['a - all', 'a -all'],
  ['a ~ all', 'a ~all'],
  ['a -all.', 'a -all'],
  ['a ~all;', 'a ~all'],
  ['a ~a', 'a ~all'],
  ['a; mx; include:b.test; ~all', 'a mx include:b.test ~all'],
  ['ip4:192.0.2.1,192.0.2.2,-all', 'ip4:192.0.2.1 ip4:192.0.2.2 -all'],
  ['include:mail@b.test ~all', 'include:b.test ~all'],
  ['include:https://b.test/ ~all', 'include:b.test ~all'],
  ['include=http://b.test ~all', 'include:b.test ~all'],
  ['include:192.0.2.1 a:192.0.2.2 mx:192.0.2.0/24 -all', 'ip4:192.0.2.1 ip4:192.0.2.2 ip4:192.0.2.0/24 -all'],
  ['a:bücher.test -all', 'a:xn--bcher-kva.test -all'],
  // Cyrillic letters among Latin ones: U+0430, U+0456.
  ['include:\u0430mazonses.test -all', 'include:amazonses.test -all'],
  ['\u0456nclude:b.test -all', 'include:b.test -all'],
  // Nothing else in the label says whether Latin letters are meant, so nothing is said to be.
  ['a include:\u0441\u043e\u0441\u043e.test -all', 'a -all'],
  // No look-alike: a name in Cyrillic letters.
  ['include:\u0431\u0443\u043a\u0432\u0430.test -all', 'include:xn--80abd5a7b.test -all'],
  ['a v=spf1 include:b.test -all', 'a include:b.test -all'],
  ['include:b.testip4:192.0.2.1~all', 'include:b.test ip4:192.0.2.1 ~all'],
  ['include:b.test-all', 'include:b.test -all'],
  ['include:b.testinclude:c.test ~all', 'include:b.test include:c.test ~all'],
  ['a ~allinclude:b.test', 'a ~all include:b.test'],
  ['include: b.test ip4: 192.0.2.1 ~all', 'include:b.test ip4:192.0.2.1 ~all'],
  ['include b.test ~all', 'include:b.test ~all'],
  // What cannot be repaired is left out, and reported.
  ['bogus:x ip4:999.1.1.1 ip4:192.0.2.1/33 a -all', 'a -all'],
])('"v=spf1 %s" means "v=spf1 %s"', (text, meant) => {
  const repaired = repairSpf(`v=spf1 ${text}`);
  expect(repaired).toMatchObject({
    record: `v=spf1 ${meant}`,
    version: null,
    isQuoted: false,
    isIndented: false,
    characters: [],
  });
  expect(repaired?.corrections).not.toEqual([]);
});

test('what is right stays as it is, macros and unknown modifiers too', () => {
  const right =
    'v=spf1 +a/24//64 MX:b.test include:%{d2}.c.test exists:%{ir}.%{v}._spf.%{o1-} ?ptr ip4:192.0.2.0/24 ra=x exp=why.%{d} -all';
  expect(repairSpf(right)).toMatchObject({ record: right, corrections: [] });
});

test('each word that is not right is named, with what it should be', () => {
  expect(repairSpf('v=spf1 ipv4:192.0.2.1 mx junk - all')?.corrections).toEqual([
    { found: 'ipv4:192.0.2.1', should: 'ip4:192.0.2.1' },
    { found: 'junk', should: null },
    { found: '- all', should: '-all' },
  ]);
});

test.each([
  ['v=spf1; a -all', 'v=spf1;'],
  ['v=spf1, a -all', 'v=spf1,'],
  ['v=spf1. a -all', 'v=spf1.'],
  ['v=spf1,a -all', 'v=spf1,'],
  ['spf1 a -all', 'spf1'],
  ['v=spf 1 a -all', 'v=spf 1'],
  ['V = spf1 a -all', 'V = spf1'],
  ['v=spf1a -all', 'v=spf1a'],
  ['v=spf a -all', 'v=spf'],
])('"%s" begins with "%s"', (text, version) => {
  expect(repairSpf(text)).toMatchObject({ record: 'v=spf1 a -all', version, corrections: [] });
});

test.each([
  ['\u201cv=spf1 a -all\u201d', ['U+201C', 'U+201D']],
  ['v=spf1\u00a0a -all', ['U+00A0']],
  ['v=spf1 a\u200b -all', ['U+200B']],
  ['\ufeffv=spf1 a -all', ['U+FEFF']],
  ['v=spf1 a\n-all', ['U+000A']],
  ['v=spf1\ta\t-all', ['U+0009']],
  ['v=spf1 a \u2013all', ['U+2013']],
  ['v=spf1 a\u0000 -all', ['U+0000']],
  // Bytes that are not UTF-8: a no-break space of Latin-1, a dash of Windows-1252.
  ['v=spf1\udca0a \udc96all', ['\\160', '\\150']],
])('%j has characters that do not belong there', (text, characters) => {
  expect(repairSpf(text)).toMatchObject({ record: 'v=spf1 a -all', version: null, characters, corrections: [] });
});

test.each(['"v=spf1 a -all"', String.raw`\"v=spf1 a\" \"-all\"`, "'v=spf1 a -all'", 'v=spf1 "a" -all'])(
  '%s is quoted',
  (text) => {
    expect(repairSpf(text)).toMatchObject({ record: 'v=spf1 a -all', isQuoted: true });
  },
);

test('a blank before it', () => {
  expect(repairSpf('  v=spf1 a -all ')).toMatchObject({ record: 'v=spf1 a -all', isIndented: true, corrections: [] });
});

test.each(['spf1 is what we use', 'v=spf10 a', 'v=DMARC1; p=none', 'spf2.0/pra a -all', '', 'spf', 'v=spf1x'])(
  '%j is not meant as SPF',
  (text) => {
    expect(repairSpf(text)).toBeNull();
  },
);

test('repairs a text as long as a response can be', () => {
  for (const junk of ['x ', 'x;', 'a:', 'include:b.test', '%{', '"', 'ip4:1.2.3.4', '- ', '\u200b']) {
    repairSpf(`v=spf1 ${junk.repeat(64_000 / junk.length)}`);
  }
});

// The last one has a percent sign of its own (RFC 7208, section 7.1).
test.each([
  [
    '&#43;mx ip4:192.0.2.0&#x2F;24 include:&lowbar;spf.b.test -all',
    '+mx ip4:192.0.2.0/24 include:_spf.b.test -all',
    true,
  ],
  ['%2Bmx include%3Ab.test -all', '+mx include:b.test -all', true],
  ['exists:%{i}.b.test exists:%%2b.b.test -all', 'exists:%{i}.b.test exists:%%2b.b.test -all', false],
])('what is encoded in "%s" is decoded', (text, record, isEncoded) => {
  expect(repairSpf(`v=spf1 ${text}`)).toMatchObject({ record: `v=spf1 ${record}`, isEncoded });
});

import { expect, test } from 'vitest';
import { parseZone } from './zoneText.ts';

const valuesOf = (zone: string, domain: string | null = 'example.test') =>
  parseZone(zone, domain).dns?.map(({ name, value }) => [name, value]);

const ZONE = `$ORIGIN example.test.
$TTL 300
@ IN SOA ns1 h ( 1 ; serial
 1 1 1 1 )
k1._domainkey 300 IN CNAME k1.dkim.provider.test.
  TXT ( "a;b"
 "c" )
k2._domainkey.sub CNAME a.test.
`;

test('a zone is read with its directives, comments, parentheses and repeated names', () => {
  const records = [
    ['k1._domainkey.example.test', 'k1.dkim.provider.test.'],
    ['k1._domainkey.example.test', '"a;b" "c"'],
    ['k2._domainkey.sub.example.test', 'a.test.'],
  ];
  expect(valuesOf(ZONE, null)).toEqual(records);
  expect(valuesOf(ZONE, 'sub.example.test')).toEqual(records.slice(2));
});

test('the host of an MX is below the zone, unless it ends with a dot', () => {
  expect(valuesOf('@ MX 10 mx\nb MX 5 mx.provider.test.\n')).toEqual([
    ['example.test', '10 mx.example.test.'],
    ['b.example.test', '5 mx.provider.test.'],
  ]);
});

// RFC 3597, section 5. dnspython reads the same: "abc" "\"\228\010".
test('the form for unknown types is read for TXT', () => {
  expect(valuesOf('a TXT \\# 4 03616263\nb TYPE16 \\# 8 ( 03 6162 63 0322e4\n0A )\n')).toEqual([
    ['a.example.test', '"abc"'],
    ['b.example.test', String.raw`"abc" "\"\228\010"`],
  ]);
});

test.each([
  ...['a TXT \\# 5 03616263', 'a TXT \\# 4 04616263', 'a TXT \\# 0', 'a TXT \\# 1 zz', 'a MX \\# 4 000a0000'].map(
    (line) => [`\n${line}\n`, /Line 2: .*RFC 3597/],
  ),
  ['\nx TXT "open', 'Line 2: Unclosed quotation mark.'],
  ['x TXT ( "a"', 'Unclosed parenthesis.'],
  ['\n$INCLUDE b', "Line 2: $INCLUDE isn't supported."],
  ['\nx', "Line 2: This isn't a record."],
])('%j is refused', (zone, sentence) => {
  expect(() => parseZone(String(zone), 'example.test')).toThrow(sentence);
});

test('a zone that does not say of which domain it is, is refused', () => {
  for (const zone of ['', 'x TXT "a"']) {
    expect(() => parseZone(zone, null)).toThrow('Start with $ORIGIN, or pass --domain.');
  }
});

test.each([
  [
    'bounce MX 10 mx.test.\nbounce TXT "v=spf1 include:a.test -all"\n@ MX 10 m\n@ TXT "v=spf1 mx -all"\n',
    'bounce.example.test',
  ],
  ['bounce MX 10 mx.test.\n', null],
  ['@ MX 10 m\n@ TXT "v=spf1 mx -all"\n', null],
  ['a MX 10 m\na TXT "v=spf1 mx -all"\nb MX 10 m\nb TXT "v=spf1 mx -all"\n', null],
])('the MAIL FROM name of %j is %s', (zone, expected) => {
  expect(parseZone(zone, 'example.test').mail_from_domain).toBe(expected);
});

import { describe, expect, test } from 'vitest';
import { parseIdentity } from './parseIdentity.ts';

/** The look-ups in their order, or the error. */
function valuesOf(text: string, identityField: string | null | undefined): string[] | string {
  const reading = parseIdentity(text, identityField);
  return reading.ok ? reading.values : reading.fault;
}

describe('an email', () => {
  test.each<[dress: string, texts: string[]]>([
    ['alone', ['jane@x.test', '  jane@x.test\u00a0', 'JANE@X.test', 'jane＠x.test', 'jane@x.test\r\n']],
    ['in angle brackets', ['Jane Doe <jane@x.test>', 'Jane<jane@x.test>', '< jane@x.test >', 'Jane <jane@x.test>,']],
    [
      'behind a quoted name',
      ['"Doe, Jane" <jane@x.test>', 'Doe, Jane <jane@x.test>', '"Jane \\"J\\" D" <jane@x.test>'],
    ],
    ['before a sign', ['jane@x.test;', 'jane@x.test.', 'jane@x.test!', 'jane@x.test?!', 'jane@x.test …']],
    [
      'next to brackets',
      ['jane@x.test (Jane Doe)', 'jane@x.test(Jane)', 'Jane Doe (jane@x.test)', 'Jane [jane@x.test]'],
    ],
    ['in quotes', ['"jane@x.test"', "'jane@x.test'", '`jane@x.test`', '“jane@x.test”', '["jane@x.test"],']],
    ['in a quote that is not closed', ['"jane@x.test', 'jane@x.test"']],
    ['in a mail', ['> jane@x.test', 'To: jane@x.test', 'From: "Doe, Jane" <jane@x.test>', '• jane@x.test']],
    ['in a link', ['mailto:jane@x.test', 'mailto:jane%40x.test', '<mailto:jane@x.test?body=hi>', 'SMTP:jane@x.test']],
    [
      'in a link with more',
      ['MAILTO:jane@x.test?subject=Please%20stop&cc=other@x.test', 'jane@x.test<mailto:jane@x.test>'],
    ],
    [
      'in a row of a table',
      ['jane@x.test\tJane\tDoe', 'Jane\tDoe\tjane@x.test', 'jane@x.test,Jane,Doe', 'jane@x.test Jane Doe'],
    ],
    ['in disguise', ['jane (at) x.test', 'jane[at]x(dot)test', 'Jane Doe <jane {AT} x.test>']],
    ['twice', ['jane@x.test, Jane@X.test']],
    [
      'with what cannot be seen',
      ['\u200bjane\u200b@x.test\ufeff', '\u2068jane@x.test\u2069', 'jane@x\u00ad.test', '\u202ajane@x.test\u202c'],
    ],
    ['between joiners', ['\u200djane@x.test \u200c']],
  ])('is read %s', (_, texts) => {
    for (const text of texts) expect(valuesOf(text, null), text).toEqual(['jane@x.test']);
  });

  test.each([
    ['a+b/c@x.test', 'a+b/c@x.test'],
    ['mailto:a%2Bb%2Fc@x.test?subject=a+b', 'a+b/c@x.test'],
    ['mailto:100%@x.test', '100%@x.test'],
    ["o'neil@x.test", "o'neil@x.test"],
    ['"jane doe"@x.test', '"jane doe"@x.test'],
    ['Jane <"jane doe"@x.test>', '"jane doe"@x.test'],
    ['"a,b@c"@x.test', '"a,b@c"@x.test'],
    ['Jane <"a@b c@d"@x.test>', '"a@b c@d"@x.test'],
    ['"<ceo@x.test>"@x.test', '"<ceo@x.test>"@x.test'],
    ['jane@[192.0.2.1]', 'jane@[192.0.2.1]'],
  ])('keeps what belongs to it: %j', (text, address) => {
    expect(valuesOf(text, null)).toEqual([address]);
  });

  test.each([
    ['jane@bücher.example', 'jane@xn--bcher-kva.example'],
    ['jane@例え.テスト', 'jane@xn--r8jz45g.xn--zckzah'],
    ['jane@пример.рф', 'jane@xn--e1afmkfd.xn--p1ai'],
  ])('at %j is tried with the domain in ASCII, and the other way round', (address, ascii) => {
    expect(valuesOf(address, null)).toEqual([address, ascii]);
    expect(valuesOf(ascii.toUpperCase(), null)).toEqual([ascii, address]);
  });

  test.each([
    'jane@xn--a.example',
    'jane@xn--zzzzzzzzzz99999.example',
    'jane@xn--.example',
    'jane@xn--e1afmkfd9.example',
  ])('at a domain that is no valid punycode stays as it is: %s', (address) =>
    expect(valuesOf(address, null)).toEqual([address]),
  );

  test('with accents is tried in one character each first, then as it was typed', () => {
    expect(valuesOf('jo\u0308rg@x.test', null)).toEqual(['j\u00f6rg@x.test', 'jo\u0308rg@x.test']);
  });

  test.each(['"Jane <ceo@x.test>" <jane@x.test>', '"ceo@x.test" <jane@x.test>', 'ceo@x.test <jane@x.test>'])(
    'is the mailbox, not the name somebody gave it: %j',
    (text) => {
      expect(valuesOf(text, null)).toEqual(['jane@x.test']);
    },
  );

  test('with blanks before the @ is tried as it is first, then without what may be a name', () => {
    expect(valuesOf('a+b/c d@x.test', null)).toEqual(['a+b/c d@x.test', 'd@x.test']);
    expect(parseIdentity('Jane jane@x.test', null)).toMatchObject({
      as: 'the email jane jane@x.test; will also try jane@x.test',
    });
  });

  test('that could be another identity is tried in its own letters too', () => {
    expect(valuesOf('Jane@Tenant', 'login')).toEqual(['jane@tenant', 'Jane@Tenant']);
    expect(valuesOf('Jane@Tenant', undefined)).toEqual(['jane@tenant', 'Jane@Tenant']);
    expect(valuesOf('Jane@Tenant', null)).toEqual(['jane@tenant']);
  });

  test.each<[string, string[]]>([
    [
      'signs',
      ['a@x.test, b@x.test', 'a@x.test; b@x.test', 'a@x.test b@x.test', 'a@x.test\nb@x.test', 'a@x.test\tb@x.test'],
    ],
    // A text box drops the line break of what is pasted.
    ['nothing', ['a@x.testb@x.test']],
    ['brackets', ['A <a@x.test>, B <b@x.test>', 'A <a@x.test>, b@x.test', 'mailto:a@x.test,b@x.test']],
  ])('is not guessed among several with %s between them', (_, texts) => {
    for (const text of texts)
      expect(valuesOf(text, 'customer_id'), text).toBe('These are several addresses. Look up one at a time.');
  });

  test.each(['=cmd@x.test', '#1fan@x.test', '$cash@x.test', '%off@x.test', '^up@x.test'])(
    'begins with any sign that no text puts around it: %s',
    (text) => {
      expect(valuesOf(text, null)).toEqual([text]);
    },
  );

  test.each(['@JaneDoe', 'jane@', '@', 'mailto:?to=jane@x.test'])(
    'has something on both sides of its @: %j',
    (text) => {
      expect(parseIdentity(text, 'customer_id')).toMatchObject({ kind: 'custom' });
    },
  );
});

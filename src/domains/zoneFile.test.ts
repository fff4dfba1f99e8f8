import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { anyText } from '../testText.ts';
import { zoneFile } from './zoneFile.ts';

const X = { name: 'x.test', mail_from_domain: 'bounce.y.test' };

function record(type: string | null, name: string | null, value: string | null): ReadableDnsRecord {
  return { type, name, value, is_valid: null };
}

/** The one line a record makes in the zone of x.test. */
function lineOf(type: string | null, name: string | null, value: string | null): string {
  const [origin, ttl, line, ...rest] = zoneFile(X, [record(type, name, value)]).split('\n');
  expect([origin, ttl]).toEqual(['$ORIGIN x.test.', '$TTL 3600']);
  expect(rest).toEqual(['']);
  return line ?? '';
}

describe('a line of zone-file text', () => {
  test.each([
    ['CNAME', 'k1._domainkey.x.test', 'k1.dkim.y.test', 'k1._domainkey\tIN\tCNAME\tk1.dkim.y.test.'],
    ['cname', 'k1.x.test.', 'y.test.', 'k1\tIN\tCNAME\ty.test.'],
    ['NS', 'sub.x.test', 'ns.y.test', 'sub\tIN\tNS\tns.y.test.'],
    ['MX', 'x.test', '10 mx.y.test', '@\tIN\tMX\t10 mx.y.test.'],
    ['MX', '*.x.test', '10 mx.y.test.', '*\tIN\tMX\t10 mx.y.test.'],
    ['A', 'mail.x.test', '192.0.2.1', 'mail\tIN\tA\t192.0.2.1'],
    ['AAAA', 'mail.x.test', '2001:DB8::1', 'mail\tIN\tAAAA\t2001:DB8::1'],
    ['TXT', 'x.test', 'v=spf1 include:y.test -all', '@\tIN\tTXT\t"v=spf1 include:y.test -all"'],
    ['TXT', 'mail.x.test', '', 'mail\tIN\tTXT\t""'],
    // A name server has no use for what lies in another zone, and some refuse the whole file for it.
    ['TXT', 'mail.y.test.', 'a', '; for another zone: mail.y.test.\tIN\tTXT\t"a"'],
    ['TXT', 'bounce.y.test', 'a', '; for another zone: bounce.y.test.\tIN\tTXT\t"a"'],
    // Only a final dot tells a name that lies elsewhere, here as in a check.
    ['TXT', 'mail.y.test', 'a', 'mail.y.test\tIN\tTXT\t"a"'],
    ['CNAME', 'bücher.x.test', 'bücher.test', 'xn--bcher-kva\tIN\tCNAME\txn--bcher-kva.test.'],
    // Every MX has a number.
    ['MX', 'x.test', 'mx.y.test', '@\tIN\tMX\t10 mx.y.test.'],
    ['MX', 'x.test', '65535 mx.y.test', '@\tIN\tMX\t65535 mx.y.test.'],
    // Some services send names relative to the domain.
    ['TXT', '@', 'a', '@\tIN\tTXT\t"a"'],
    ['TXT', '_dmarc', 'a', '_dmarc\tIN\tTXT\t"a"'],
    ['TXT', '_dmarc.x.test.x.test', 'a', '_dmarc.x.test\tIN\tTXT\t"a"'],
  ])('%s %s %j', (type, name, value, line) => {
    expect(lineOf(type, name, value)).toBe(line);
  });

  test.each([
    ['quotes and backslashes', 'say "hi" \\o/', '"say \\"hi\\" \\\\o/"'],
    ['control characters', 'a\nb\r\tc\0', '"a\\010b\\013\\009c\\000"'],
    ['other letters, byte by byte', 'é😀', '"\\195\\169\\240\\159\\152\\128"'],
    ['a semicolon, which is no comment in quotes', 'v=DKIM1; k=rsa', '"v=DKIM1; k=rsa"'],
    ['text that is quoted already', '"v=DKIM1; " "p=abc"', '"v=DKIM1; p=abc"'],
    ['escapes of text that is quoted already', '"v=DKIM1\\; \\"p\\" \\195\\169"', '"v=DKIM1; \\"p\\" \\195\\169"'],
    ['a number that is no byte', '"\\300"', '"300"'],
    ['an empty quoted text', '""', '""'],
    ['a single quote', '"', '"\\""'],
    ['quotes that do not close', '"a" b"', '"\\"a\\" b\\""'],
  ])('of TXT data with %s', (_, value, data) => {
    expect(lineOf('TXT', 'x.test', value)).toBe(`@\tIN\tTXT\t${data}`);
  });

  test('cuts TXT data into strings of 255 bytes, not characters', () => {
    expect(lineOf('TXT', 'x.test', 'p'.repeat(255))).toBe(`@\tIN\tTXT\t"${'p'.repeat(255)}"`);
    expect(lineOf('TXT', 'x.test', 'p'.repeat(256))).toBe(`@\tIN\tTXT\t"${'p'.repeat(255)}" "p"`);
    const [first, second] = lineOf('TXT', 'x.test', 'é'.repeat(128)).replace('@\tIN\tTXT\t', '').split(' ');
    expect(first?.match(/\\\d{3}/g)).toHaveLength(255);
    expect(second).toBe('"\\169"');
  });

  test.each([
    ['a type it does not know', 'CAA', 'x.test', '0 issue "ca.test"'],
    ['no type', null, 'x.test', 'a'],
    ['a type that would break out', 'A\n@ IN A', 'x.test', '192.0.2.1'],
    ['no name', 'TXT', null, 'a'],
    ['a name with blanks', 'TXT', 'a b.x.test', 'a'],
    ['a name that would break out', 'TXT', 'a\n@ IN A 192.0.2.1\n.x.test', 'a'],
    ['a name with an empty label', 'TXT', 'a..x.test', 'a'],
    ['a directive as its name', 'TXT', '$INCLUDE', 'a'],
    ['no value', 'TXT', 'x.test', null],
    ['a value that would break out', 'CNAME', 'a.x.test', 'y.test.\n@ IN A 192.0.2.1'],
    ['a value with blanks', 'CNAME', 'a.x.test', 'y.test z.test'],
    ['a value that is the domain itself', 'CNAME', 'a.x.test', '@'],
    ['two final dots', 'CNAME', 'a.x.test', 'y.test..'],
    ['an MX without a server', 'MX', 'x.test', '10'],
    ['a priority beyond the largest', 'MX', 'x.test', '65536 mx.y.test'],
    ['a label that is too long', 'CNAME', `${'a'.repeat(64)}.x.test`, 'y.test'],
    ['a name that is too long', 'CNAME', 'a.x.test', `${'a.'.repeat(130)}test`],
    ['an address that is none', 'A', 'x.test', '192.0.2.1 ; drop'],
    ['an address of five numbers', 'A', 'x.test', '192.0.2.1.5'],
    ['an address with a number too large', 'A', 'x.test', '192.0.2.256'],
    ['an address of the other kind', 'AAAA', 'x.test', '192.0.2.1'],
    ['an IPv6 address that is none', 'AAAA', 'x.test', '2001:::1'],
  ])('is a comment for %s', (_, type, name, value) => {
    const line = lineOf(type, name, value);
    expect(line).toMatch(/^; not written: \{/);
    expect(JSON.parse(line.slice('; not written: '.length))).toEqual({ type: type?.toUpperCase() ?? '', name, value });
  });
});

describe('zone-file text', () => {
  test('names its origin first, with one final dot, and how long it may be kept', () => {
    expect(zoneFile(X, [])).toBe('$ORIGIN x.test.\n$TTL 3600\n');
    expect(zoneFile({ ...X, name: 'x.test.' }, [])).toBe('$ORIGIN x.test.\n$TTL 3600\n');
    expect(zoneFile({ ...X, name: 'bücher.test' }, [])).toBe('$ORIGIN xn--bcher-kva.test.\n$TTL 3600\n');
  });

  test.each(['x.test\n@ IN A 192.0.2.1', 'x.test ; y', '', '$INCLUDE /etc/passwd'])(
    'has a comment where the domain %j would have broken out',
    (domain) => {
      expect(zoneFile({ ...X, name: domain }, [])).toBe(`; not a domain: ${JSON.stringify(domain)}\n$TTL 3600\n`);
    },
  );

  test('is one line per record, whatever a record holds', () => {
    const text = fc.oneof(
      anyText,
      fc.constantFrom('x.test', 'a.x.test', '\n', '\r', '\r\n@ IN A 192.0.2.1', '"', '\\', '" "', '; a', '@', '$TTL 1'),
    );
    const any = fc.array(text, { maxLength: 3 }).map((parts) => parts.join(''));
    const type = fc.oneof(fc.constantFrom('TXT', 'MX', 'CNAME', 'NS', 'A', 'AAAA'), any);
    const field = fc.option(any);
    const records = fc.array(fc.tuple(type, field, field), { maxLength: 4 });
    fc.assert(
      fc.property(any, records, (domain, given) => {
        const lines = zoneFile(
          { ...X, name: domain },
          given.map((fields) => record(...fields)),
        ).split('\n');
        expect(lines).toHaveLength(given.length + 3);
        expect(lines.at(-1)).toBe('');
        for (const line of lines.slice(2, -1)) {
          expect(line).toMatch(/^(; not written: \{.*\}|(; for another zone: )?[\w*.@-]+\tIN\t[A-Z]+\t[ -~]+)$/u);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('keeps every byte of TXT data', () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { maxLength: 10 }).map((parts) => parts.join('')),
        (value) => {
          fc.pre(!value.startsWith('"'));
          const data = lineOf('TXT', 'x.test', value).replace('@\tIN\tTXT\t', '');
          // Read as RFC 1035, 5.1 says: strings in quotes, with \X and \DDD inside.
          const strings = [...data.matchAll(/"((?:[^"\\]|\\\d{3}|\\\D)*)"(?: |$)/g)].map(([, inner = '']) =>
            [...inner.matchAll(/\\(\d{3})|\\?(.)/g)]
              .map(([, code, char = '']) => code ?? char.charCodeAt(0))
              .map(Number),
          );
          expect(strings.every((bytes) => bytes.length <= 255)).toBe(true);
          expect(new TextDecoder().decode(Uint8Array.from(strings.flat()))).toBe(value.toWellFormed().trim());
        },
      ),
    );
  });
});

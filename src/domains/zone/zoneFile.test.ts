import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../testing/testText.ts';
import { createFinding, createRecord } from '../../testing/testCheck.ts';
import { zoneFile } from './zoneFile.ts';

const X = { name: 'x.test', mail_from_domain: 'bounce.y.test' };

/** The one line of a record without a known zone. */
function lineOf(...fields: Parameters<typeof createRecord>): string {
  const [ttl, line, ...rest] = zoneFile(X, [{ record: createRecord(...fields), finding: null }]).split('\n');
  expect(ttl).toBe('$TTL 3600');
  expect(rest).toEqual(['']);
  return line ?? '';
}

const joined = (text: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(text, { maxLength }).map((parts) => parts.join(''));

describe('a line of zone-file text', () => {
  test.each([
    ['CNAME', 'k1._domainkey.x.test', 'k1.dkim.y.test', 'k1._domainkey.x.test.\tIN\tCNAME\tk1.dkim.y.test.'],
    ['cname', 'k1.x.test.', 'y.test.', 'k1.x.test.\tIN\tCNAME\ty.test.'],
    ['NS', 'sub.x.test', 'ns.y.test', 'sub.x.test.\tIN\tNS\tns.y.test.'],
    ['MX', 'x.test', '10 mx.y.test', 'x.test.\tIN\tMX\t10 mx.y.test.'],
    ['MX', '*.x.test', '10 mx.y.test.', '*.x.test.\tIN\tMX\t10 mx.y.test.'],
    ['A', 'mail.x.test', '192.0.2.1', 'mail.x.test.\tIN\tA\t192.0.2.1'],
    ['AAAA', 'mail.x.test', '2001:DB8::1', 'mail.x.test.\tIN\tAAAA\t2001:DB8::1'],
    ['TXT', 'x.test', 'token=1', 'x.test.\tIN\tTXT\t"token=1"'],
    ['TXT', 'mail.x.test', '', 'mail.x.test.\tIN\tTXT\t""'],
    ['CNAME', 'bücher.x.test', 'bücher.test', 'xn--bcher-kva.x.test.\tIN\tCNAME\txn--bcher-kva.test.'],
    // Every MX has a priority.
    ['MX', 'x.test', 'mx.y.test', 'x.test.\tIN\tMX\t10 mx.y.test.'],
    // Some services send names relative to the domain.
    ['TXT', '@', 'a', 'x.test.\tIN\tTXT\t"a"'],
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
    expect(lineOf('TXT', 'x.test', value)).toBe(`x.test.\tIN\tTXT\t${data}`);
  });

  test('cuts TXT data into strings of 255 bytes, not characters', () => {
    expect(lineOf('TXT', 'x.test', 'p'.repeat(255))).toBe(`x.test.\tIN\tTXT\t"${'p'.repeat(255)}"`);
    expect(lineOf('TXT', 'x.test', 'p'.repeat(256))).toBe(`x.test.\tIN\tTXT\t"${'p'.repeat(255)}" "p"`);
    const [first, second] = lineOf('TXT', 'x.test', 'é'.repeat(128)).replace('x.test.\tIN\tTXT\t', '').split(' ');
    expect(first?.match(/\\\d{3}/g)).toHaveLength(255);
    expect(second).toBe('"\\169"');
  });

  test.each([
    ['a type it does not know', 'CAA', 'x.test', '0 issue "ca.test"'],
    ['a type that would break out', 'A\n@ IN A', 'x.test', '192.0.2.1'],
    ['no name', 'TXT', null, 'a'],
    ['a name with blanks', 'TXT', 'a b.x.test', 'a'],
    ['a name that would break out', 'TXT', 'a\n@ IN A 192.0.2.1\n.x.test', 'a'],
    ['a directive as its name', 'TXT', '$INCLUDE', 'a'],
    ['no value', 'TXT', 'x.test', null],
    ['a value that would break out', 'CNAME', 'a.x.test', 'y.test.\n@ IN A 192.0.2.1'],
    ['a value that is the domain itself', 'CNAME', 'a.x.test', '@'],
    ['two final dots', 'CNAME', 'a.x.test', 'y.test..'],
    ['an MX without a server', 'MX', 'x.test', '10'],
    ['a priority beyond the largest', 'MX', 'x.test', '65536 mx.y.test'],
    ['a name that is too long', 'CNAME', 'a.x.test', `${'a.'.repeat(130)}test`],
    ['an address that is none', 'A', 'x.test', '192.0.2.1 ; drop'],
    ['an address of the other kind', 'AAAA', 'x.test', '192.0.2.1'],
    ['an IPv6 address that is none', 'AAAA', 'x.test', '2001:::1'],
  ])('is a comment for %s', (_, type, name, value) => {
    const line = lineOf(type, name, value);
    expect(line).toMatch(/^; not written: \{/);
    expect(JSON.parse(line.slice('; not written: '.length))).toEqual({ type, name, value });
  });
});

describe('zone-file text', () => {
  test('is one line per record, whatever a record holds', () => {
    const text = fc.oneof(
      anyText,
      fc.constantFrom('x.test', 'a.x.test', '\n', '\r', '\r\n@ IN A 192.0.2.1', '"', '\\', '" "', '; a', '@', '$TTL 1'),
    );
    const any = joined(text, 3);
    const type = fc.oneof(fc.constantFrom('TXT', 'MX', 'CNAME', 'NS', 'A', 'AAAA'), any);
    const field = fc.option(any);
    const records = fc.array(fc.tuple(type, field, field), { maxLength: 4 });
    fc.assert(
      fc.property(any, records, (domain, given) => {
        const listed = given.map((fields, index) => {
          const [type, name, value] = fields;
          const said = [type, name, value, domain].map((text) => text ?? '');
          const [zone = '', todo = '', host = '', diagnosis = ''] = said;
          const fix = { todo, type: type ?? '', host, name: name ?? '', value: value ?? '', priority: null };
          const finding = createFinding({ zone, diagnosis, found: said.slice(index), fix: index === 1 ? fix : null });
          return { record: createRecord(...fields), finding: index === 0 ? null : finding };
        });
        const lines = zoneFile({ ...X, name: domain }, listed).split('\n');
        expect(lines.filter((line) => line === '$TTL 3600')).toHaveLength(1);
        expect(lines.at(-1)).toBe('');
        const imported = lines.slice(0, -1).filter((line) => !line.startsWith(';') && !line.startsWith('$'));
        expect(imported.length).toBeLessThanOrEqual(given.length);
        for (const line of imported) expect(line).toMatch(/^[\w*.@-]+\tIN\t[A-Z]+\t[ -~]+$/);
        for (const line of lines) {
          expect(line).not.toMatch(/(?!\t)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
          if (line.startsWith('$')) expect(line).toMatch(/^\$(TTL 3600|ORIGIN [\w.-]+\.)$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { anyText } from '../testing/testText.ts';
import type { Finding, Fix } from '#contract/dnsCheck.ts';
import { createFinding } from '../testing/testCheck.ts';
import { zoneFile } from './zoneFile.ts';

const X = { name: 'x.test', mail_from_domain: 'bounce.y.test' };

function record(type: string | null, name: string | null, value: string | null): ReadableDnsRecord {
  return { type, name, value, is_valid: null };
}

/** The one line of a record without a known zone. */
function lineOf(type: string | null, name: string | null, value: string | null): string {
  const [ttl, line, ...rest] = zoneFile(X, [{ record: record(type, name, value), finding: null }]).split('\n');
  expect(ttl).toBe('$TTL 3600');
  expect(rest).toEqual(['']);
  return line ?? '';
}

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
    // Only a final dot marks a name outside the domain, as in a check.
    ['TXT', 'mail.y.test', 'a', 'mail.y.test.x.test.\tIN\tTXT\t"a"'],
    ['CNAME', 'bücher.x.test', 'bücher.test', 'xn--bcher-kva.x.test.\tIN\tCNAME\txn--bcher-kva.test.'],
    // Every MX has a priority.
    ['MX', 'x.test', 'mx.y.test', 'x.test.\tIN\tMX\t10 mx.y.test.'],
    ['MX', 'x.test', '65535 mx.y.test', 'x.test.\tIN\tMX\t65535 mx.y.test.'],
    // Some services send names relative to the domain.
    ['TXT', '@', 'a', 'x.test.\tIN\tTXT\t"a"'],
    ['TXT', 'k1._domainkey', 'p=a', 'k1._domainkey.x.test.\tIN\tTXT\t"p=a"'],
    ['TXT', 'k1.x.test.x.test', 'a', 'k1.x.test.x.test.\tIN\tTXT\t"a"'],
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
    expect(JSON.parse(line.slice('; not written: '.length))).toEqual({ type, name, value });
  });
});

const CNAME = record('CNAME', 'k1._domainkey.mail.x.test', 'k1.y.test');
const SPF = record('TXT', 'mail.x.test', 'v=spf1 include:y.test ~all');
const DMARC = record('TXT', '_dmarc.mail.x.test', 'v=DMARC1; p=none');
const MAIL = { name: 'mail.x.test', mail_from_domain: 'bounce.mail.x.test' };

const fixOf = ({ type, name, value }: ReadableDnsRecord, more: Partial<Fix> = {}): Fix => ({
  todo: 'Do this.',
  type: type ?? '',
  host: null,
  name: name ?? '',
  value: value ?? '',
  priority: null,
  ...more,
});

/** The answer of a resolver or name server. */
const answer = (...records: [name: string, type: string, value: string][]): Finding['evidence'] => [
  {
    server: null,
    address: '192.0.2.53',
    at: '2026-03-04T05:06:07.000Z',
    answer: 'NOERROR',
    records: records.map(([name, type, value]) => ({ name, type, value, ttl: 60 })),
  },
];

/** The lines of zone-file text that an import reads, and those for people. */
function partsOf(...listed: [ReadableDnsRecord, Partial<Finding> | null][]): {
  imported: string[];
  comments: string[];
} {
  const text = zoneFile(
    MAIL,
    listed.map(([record, finding]) => ({ record, finding: finding && createFinding(finding) })),
  );
  const lines = text.trimEnd().split('\n');
  return {
    imported: lines.filter((line) => !line.startsWith(';')),
    comments: lines.filter((line) => line.startsWith(';')),
  };
}

describe('the origin', () => {
  test('is not written while nobody knows the zone: a zone cut may lie anywhere', () => {
    expect(partsOf([CNAME, null]).imported).toEqual(['$TTL 3600', `${CNAME.name}.\tIN\tCNAME\tk1.y.test.`]);
    const missing = { zone: null, fix: fixOf(CNAME) };
    expect(partsOf([CNAME, missing]).imported).toEqual(['$TTL 3600', `${CNAME.name}.\tIN\tCNAME\tk1.y.test.`]);
  });

  test.each([
    ['x.test', 'k1._domainkey.mail'],
    ['mail.x.test', 'k1._domainkey'],
    ['k1._domainkey.mail.x.test', '@'],
  ])('is the zone %s that a check found, and hosts are relative to it', (zone, host) => {
    expect(partsOf([CNAME, { zone, fix: fixOf(CNAME) }]).imported).toEqual([
      `$ORIGIN ${zone}.`,
      '$TTL 3600',
      `${host}\tIN\tCNAME\tk1.y.test.`,
    ]);
  });

  test.each(['x.test\n@ IN A 192.0.2.1', 'x.test ; y', '$INCLUDE /etc/passwd', 'elsewhere.test', ''])(
    'is never %j, in which the record does not lie',
    (zone) => {
      expect(partsOf([CNAME, { zone, fix: fixOf(CNAME) }]).imported).toEqual([
        '$TTL 3600',
        `${CNAME.name}.\tIN\tCNAME\tk1.y.test.`,
      ]);
    },
  );

  test('is the zone of most; what lies in a zone of its own is not imported into it', () => {
    const own = '_domainkey.mail.x.test';
    const { imported, comments } = partsOf(
      [CNAME, { zone: own, fix: fixOf(CNAME) }],
      [SPF, { zone: 'x.test', fix: fixOf(SPF) }],
      [DMARC, { zone: 'x.test', fix: fixOf(DMARC) }],
    );
    expect(imported).toEqual([
      '$ORIGIN x.test.',
      '$TTL 3600',
      'mail\tIN\tTXT\t"v=spf1 include:y.test ~all"',
      '_dmarc.mail\tIN\tTXT\t"v=DMARC1; p=none"',
    ]);
    expect(comments).toEqual([
      `; In another zone, ${own}. Import it there.`,
      `; ${CNAME.name}.\tIN\tCNAME\tk1.y.test.`,
      '; Do this.',
      '; Do this.',
    ]);
  });

  test('a name outside of the domain is no part of it', () => {
    expect(zoneFile(X, [{ record: record('TXT', 'mail.y.test.', 'a'), finding: null }])).toBe(
      '$TTL 3600\n; Not within x.test. Import it where this name is edited.\n; mail.y.test.\tIN\tTXT\t"a"\n',
    );
  });
});

describe('an import', () => {
  test('takes what the check offers, not what is listed', () => {
    const fix = fixOf(SPF, { value: 'v=spf1 include:own.test include:y.test -all' });
    expect(partsOf([SPF, { zone: 'x.test', fix }]).imported.at(-1)).toBe(
      'mail\tIN\tTXT\t"v=spf1 include:own.test include:y.test -all"',
    );
    const mx = record('MX', 'bounce.mail.x.test', 'mx.y.test');
    const offer = fixOf(mx, { value: 'mx.y.test', priority: 20 });
    expect(partsOf([mx, { fix: offer }]).imported.at(-1)).toBe('bounce.mail.x.test.\tIN\tMX\t20 mx.y.test.');
  });

  test('never makes a second SPF record: the one that is there is shown, and the better one is a comment', () => {
    const old = 'v=spf1 include:own.test -all';
    const fix = fixOf(SPF, { todo: 'Replace the SPF record.', value: 'v=spf1 include:own.test include:y.test -all' });
    const { imported, comments } = partsOf([SPF, { zone: 'x.test', found: [old], fix }]);
    expect(imported).toEqual(['$ORIGIN x.test.', '$TTL 3600']);
    expect(comments).toEqual([
      '; Replace the SPF record.',
      `; There now: ${old}`,
      '; An import would only add to that. Replace it by hand, or delete it and take the semicolon below away.',
      '; mail\tIN\tTXT\t"v=spf1 include:own.test include:y.test -all"',
    ]);
    const evidence = answer(['MAIL.x.test.', 'TXT', old]);
    expect(partsOf([SPF, { found: [old], evidence, fix }]).comments[1]).toBe(`; There now: TXT ${old}`);
  });

  test.each(['"v=spf1 a -all"', 'spf2.0/pra a -all', 'v=spf1; a -all', '\u200bv=spf1 a -all', 'V=SPF1 a'])(
    'takes the spoilt SPF record %j for one',
    (spoilt) => {
      expect(partsOf([SPF, { found: [spoilt], fix: fixOf(SPF) }]).imported).toEqual(['$TTL 3600']);
    },
  );

  test('adds an SPF record beside texts that are none', () => {
    const found = ['google-site-verification=abc', 'MS=ms1'];
    const evidence = answer([SPF.name!, 'TXT', found[0]!], [SPF.name!, 'MX', '10 mx.x.test']);
    expect(partsOf([SPF, { found, evidence, fix: fixOf(SPF) }]).imported).toHaveLength(2);
  });

  test.each([
    ['TXT', 'k1.y.test'],
    ['A', '192.0.2.1'],
    ['MX', '10 mx.x.test'],
    ['CNAME', 'old.y.test'],
  ])('never puts a CNAME beside a record of type %s', (type, value) => {
    const evidence = answer([CNAME.name!, type, value]);
    const { imported, comments } = partsOf([CNAME, { evidence, fix: fixOf(CNAME) }]);
    expect(imported).toEqual(['$TTL 3600']);
    expect(comments).toContain(`; There now: ${type} ${value}`);
  });

  test('never puts anything beside a CNAME', () => {
    for (const wanted of [SPF, record('MX', 'mail.x.test', 'mx.y.test')]) {
      const evidence = answer(['mail.x.test', 'CNAME', 'elsewhere.test']);
      expect(partsOf([wanted, { evidence, fix: fixOf(wanted) }]).imported).toEqual(['$TTL 3600']);
    }
  });

  test('adds what was found only under a wrong name', () => {
    const evidence = answer([`${CNAME.name}.x.test`, 'CNAME', 'k1.y.test'], ['x.test', 'SOA', 'serial 1']);
    expect(partsOf([CNAME, { found: ['k1.y.test'], evidence, fix: fixOf(CNAME) }]).imported).toHaveLength(2);
  });

  test('leaves out what is right already, or where nothing is to be typed, and says so', () => {
    expect(partsOf([SPF, { result: 'ok', found: ['v=spf1 include:own.test include:y.test -all'] }])).toEqual({
      imported: ['$TTL 3600'],
      comments: ['; Correct already.', '; Listed as: mail.x.test.\tIN\tTXT\t"v=spf1 include:y.test ~all"'],
    });
    expect(partsOf([CNAME, { result: 'fail', diagnosis: 'The target is gone at the provider.' }])).toEqual({
      imported: ['$TTL 3600'],
      comments: [
        '; Nothing to import: The target is gone at the provider.',
        `; Listed as: ${CNAME.name}.\tIN\tCNAME\tk1.y.test.`,
      ],
    });
    expect(partsOf([CNAME, { result: 'pending', diagnosis: 'It spreads.' }]).comments[0]).toBe(
      '; Nothing to import: It spreads.',
    );
    // A working record is not added again, even if it is not known what makes it work.
    expect(partsOf([SPF, { result: 'warn', fix: fixOf(SPF) }]).imported).toEqual(['$TTL 3600']);
  });

  test.each([
    ['before a check', null],
    ['where it could not be asked', { result: 'unknown' as const }],
  ])('%s, takes what there may be several of, and leaves the rest to the reader', (_, finding) => {
    const { imported, comments } = partsOf([CNAME, finding], [SPF, finding], [DMARC, finding]);
    expect(imported).toEqual(['$TTL 3600', `${CNAME.name}.\tIN\tCNAME\tk1.y.test.`]);
    expect(comments.filter((line) => line.includes('only'))).toEqual([
      '; Import it only if this name has no SPF record yet: there can be only one.',
      '; Import it only if this name has no DMARC record yet: there can be only one.',
    ]);
  });

  test('takes of listed records that exclude each other the first one', () => {
    const other = { ...SPF, value: 'v=spf1 include:z.test ~all' };
    const { imported, comments } = partsOf(
      [SPF, { fix: fixOf(SPF) }],
      [other, { fix: fixOf(other) }],
      [SPF, { fix: fixOf(SPF) }],
    );
    expect(imported).toHaveLength(2);
    expect(comments).toEqual([
      '; Do this.',
      '; It cannot stand beside the one above at the same name.',
      '; mail.x.test.\tIN\tTXT\t"v=spf1 include:z.test ~all"',
      '; The same as above.',
      '; Listed as: mail.x.test.\tIN\tTXT\t"v=spf1 include:y.test ~all"',
    ]);
  });

  test('takes one of several listed MX though another is there', () => {
    const [one, two] = ['10 mx1.y.test', '20 mx2.y.test'].map((value) => record('MX', 'mail.x.test', value));
    const fix = fixOf(two!, { value: 'mx2.y.test', priority: 20 });
    const evidence = answer(['mail.x.test', 'MX', '10 MX1.y.test.']);
    const finding = { found: ['10 MX1.y.test.'], evidence, fix };
    expect(partsOf([one!, { result: 'ok' }], [two!, finding]).imported).toHaveLength(2);
    expect(partsOf([two!, finding]).imported).toHaveLength(1);
  });
});

describe('zone-file text', () => {
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
        const listed = given.map((fields, index) => {
          const [type, name, value] = fields;
          const said = [type, name, value, domain].map((text) => text ?? '');
          const [zone = '', todo = '', host = '', diagnosis = ''] = said;
          const fix = { todo, type: type ?? '', host, name: name ?? '', value: value ?? '', priority: null };
          const finding = createFinding({ zone, diagnosis, found: said.slice(index), fix: index === 1 ? fix : null });
          return { record: record(...fields), finding: index === 0 ? null : finding };
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

  test('keeps every byte of TXT data', () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { maxLength: 10 }).map((parts) => parts.join('')),
        (value) => {
          fc.pre(!value.startsWith('"'));
          const data = lineOf('TXT', 'x.test', value).replace('x.test.\tIN\tTXT\t', '');
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

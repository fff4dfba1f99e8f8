import { describe, expect, test } from 'vitest';
import type { Finding, Fix } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { createFinding, createRecord } from '../../testing/testCheck.ts';
import { zoneFile } from './zoneFile.ts';

const X = { name: 'x.test', mail_from_domain: 'bounce.y.test' };
const CNAME = createRecord('CNAME', 'k1._domainkey.mail.x.test', 'k1.y.test');
const SPF = createRecord('TXT', 'mail.x.test', 'v=spf1 include:y.test ~all');
const DMARC = createRecord('TXT', '_dmarc.mail.x.test', 'v=DMARC1; p=none');
/** The import of `CNAME` where its zone is not known. */
const CNAME_ALONE = ['$TTL 3600', `${CNAME.name}.\tIN\tCNAME\tk1.y.test.`];
const MAIL = { name: 'mail.x.test', mail_from_domain: 'bounce.mail.x.test' };

function fixOf({ type, name, value }: Record<'type' | 'name' | 'value', string>, more: Partial<Fix> = {}): Fix {
  return { todo: 'Do this.', type, host: null, name, value, priority: null, ...more };
}

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
function partsOf(...listed: [ReadableDnsRecord, Partial<Finding> | null][]) {
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
    for (const finding of [null, { zone: null, fix: fixOf(CNAME) }]) {
      expect(partsOf([CNAME, finding]).imported).toEqual(CNAME_ALONE);
    }
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
      expect(partsOf([CNAME, { zone, fix: fixOf(CNAME) }]).imported).toEqual(CNAME_ALONE);
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
    expect(zoneFile(X, [{ record: createRecord('TXT', 'mail.y.test.', 'a'), finding: null }])).toBe(
      '$TTL 3600\n; Not in x.test. Import it where this name is edited.\n; mail.y.test.\tIN\tTXT\t"a"\n',
    );
  });
});

describe('an import', () => {
  test('takes what the check offers, not what is listed', () => {
    const fix = fixOf(SPF, { value: 'v=spf1 include:own.test include:y.test -all' });
    expect(partsOf([SPF, { zone: 'x.test', fix }]).imported.at(-1)).toBe(
      'mail\tIN\tTXT\t"v=spf1 include:own.test include:y.test -all"',
    );
    const mx = createRecord('MX', 'bounce.mail.x.test', 'mx.y.test');
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
      '; An import would only add to that. Replace it by hand, or delete it and uncomment the line below.',
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

  test('adds an SPF record to texts that are none', () => {
    const found = ['google-site-verification=abc', 'MS=ms1'];
    const evidence = answer([SPF.name, 'TXT', found[0]!], [SPF.name, 'MX', '10 mx.x.test']);
    expect(partsOf([SPF, { found, evidence, fix: fixOf(SPF) }]).imported).toHaveLength(2);
  });

  test.each([
    ['TXT', 'k1.y.test'],
    ['A', '192.0.2.1'],
    ['MX', '10 mx.x.test'],
    ['CNAME', 'old.y.test'],
  ])('never adds a CNAME to a record of type %s', (type, value) => {
    const evidence = answer([CNAME.name, type, value]);
    const { imported, comments } = partsOf([CNAME, { evidence, fix: fixOf(CNAME) }]);
    expect(imported).toEqual(['$TTL 3600']);
    expect(comments).toContain(`; There now: ${type} ${value}`);
  });

  test('never adds anything to a CNAME', () => {
    for (const wanted of [SPF, createRecord('MX', 'mail.x.test', 'mx.y.test')]) {
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
      comments: ['; Already OK.', '; Listed as: mail.x.test.\tIN\tTXT\t"v=spf1 include:y.test ~all"'],
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
    expect(imported).toEqual(CNAME_ALONE);
    expect(comments.filter((line) => line.includes('only'))).toEqual([
      '; Import it only if this name has no SPF record yet: there can be only one.',
      '; Import it only if this name has no DMARC record yet: there can be only one.',
    ]);
  });
});

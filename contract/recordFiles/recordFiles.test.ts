import { createContext, runInContext } from 'node:vm';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { RECORD_FILES, type RecordFileKind, writeRecordFile } from './recordFile.ts';
import { checkedRecords, response, rowText, rowTexts } from './testChecked.ts';
import { SITUATIONS } from './testSituations.ts';

const added = ({ published, after }: (typeof SITUATIONS)[number]) =>
  rowTexts(after).filter((row) => !rowTexts(published).includes(row));
const removed = ({ published, after }: (typeof SITUATIONS)[number]) =>
  rowTexts(published).filter((row) => !rowTexts(after).includes(row));

const full = (host: string, zone: string) => (host === '@' || host === '' ? zone : `${host}.${zone}`);
const withoutDot = (name: string) => name.replace(/\.$/, '');

const record =
  (type: string) =>
  (...data: unknown[]) => [type, ...data];

/** The calls that DNSControl would get. */
function runDnsControl(script: string): string[] {
  type Call = [type: string, host: string, ...data: unknown[]];
  const rows: string[] = [];
  const context = {
    ...Object.fromEntries(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'].map((type) => [type, record(type)])),
    TTL: (seconds: number) => ({ seconds }),
    END: null,
    D_EXTEND: (zone: string, ...calls: (Call | null)[]) => {
      expect(calls.at(-1)).toBe(null);
      for (const call of calls) {
        if (call === null) continue;
        const [type, host, ...data] = call;
        expect(data.pop()).toHaveProperty('seconds');
        const target = String(data.at(-1));
        // A target without a final dot would be relative.
        if (type === 'CNAME' || type === 'MX') expect(target).toMatch(/\.$/);
        const value = [...data.slice(0, -1), type === 'TXT' ? target : withoutDot(target)].join(' ');
        rows.push(rowText(full(host, zone), type, value));
      }
    },
  };
  runInContext(script, createContext(context));
  return rows.toSorted();
}

/** The record sets that octoDNS would read. */
function readOctoDns(text: string): string[] {
  type Value = string | { exchange: string; preference: number };
  type Entry = { ttl: number; type: string; value?: Value; values?: Value[] };
  const documents = parseAllDocuments(text);
  return [documents].flat().flatMap((document) => {
    expect('errors' in document && document.errors).toEqual([]);
    if (!('toJS' in document)) return [];
    const zone = withoutDot(/# (\S+)yaml/.exec(text)?.[1] ?? '');
    return Object.entries((document.toJS() ?? {}) as Record<string, Entry[]>).flatMap(([host, entries]) =>
      entries.flatMap((entry) => {
        const { type, value, values = [value ?? ''] } = entry;
        // The order is checked.
        expect(Object.keys(entry)).toEqual(Object.keys(entry).toSorted());
        return values.map((one) => {
          // As octodns/record/chunked.py validates it.
          if (type === 'TXT') expect(one).not.toMatch(/\w;|\\\\;/);
          const data =
            typeof one === 'string'
              ? type === 'TXT'
                ? one.replaceAll('\\;', ';')
                : withoutDot(one)
              : `${one.preference} ${one.exchange === '.' ? '.' : withoutDot(one.exchange)}`;
          return rowText(full(host, zone), type, data);
        });
      }),
    );
  });
}

describe.each(SITUATIONS)('$id', (situation) => {
  const { in: formats, after, says } = situation;
  const files = (kind: RecordFileKind) => writeRecordFile(kind, checkedRecords(situation));

  test('DNSControl gets what is to be added, unless it replaces something', () => {
    expect(runDnsControl(files('dnscontrol'))).toEqual(formats.includes('dnscontrol') ? added(situation) : []);
  });

  test('octoDNS gets whole sets', () => {
    const sets = new Set(added(situation).map((row) => row.split(' ', 2).join(' ')));
    for (const row of removed(situation)) {
      const set = row.split(' ', 2).join(' ');
      if (rowTexts(after).some((other) => other.startsWith(`${set} `)) && !says) sets.add(set);
    }
    const wanted = rowTexts(after).filter((row) => sets.has(row.split(' ', 2).join(' ')));
    expect(readOctoDns(files('octodns')).toSorted()).toEqual(formats.includes('octodns') ? wanted : []);
  });

  test('CSV has what goes and what comes', () => {
    const rows = parseCsv<Record<string, string>>(files('csv'), { columns: true });
    const of = (action: string) =>
      rows
        .filter((row) => row['action'] === action)
        .map(({ name = '', type = '', priority = '', value = '' }) =>
          rowText(name, type, priority === '' ? value : `${priority} ${value}`),
        )
        .map((row) =>
          row.replaceAll(/\[U\+(\w+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
        )
        .toSorted();
    if (formats.length === 0) expect(rows.map(({ action }) => action)).toEqual(['by hand']);
    else expect([of('delete'), of('add')]).toEqual([removed(situation), expect.arrayContaining(added(situation))]);
  });

  test('what a format lacks is a comment with the reason', () => {
    const comments = ['zone', 'nsupdate', 'dnscontrol', 'octodns', 'terraform'] as const;
    const left = comments.filter((kind) => /Not in this file:/.test(files(kind)));
    for (const kind of comments) if (!formats.includes(kind)) expect(left).toContain(kind);
    if (says) expect(comments.map(files).join('\n')).toMatch(says);
  });
});

test('the servers of a zone have different records: nothing replaces them', () => {
  const [first] = checkedRecords(SITUATIONS[2]!);
  const evidence = [
    response([['x.test', 'TXT', 'v=spf1 a -all']]),
    response([['x.test', 'TXT', 'v=spf1 mx -all']], 'ns2.x.test'),
  ];
  for (const kind of ['nsupdate', 'octodns', 'terraform'] as const) {
    const file = writeRecordFile(kind, [{ ...first!, finding: { ...first!.finding, evidence } }]);
    expect(file).toContain('What the name servers have differs');
    expect(file).not.toMatch(/^[^;#\n]/m);
  }
});

test('a published name with raw bytes is no international name', () => {
  const [first] = checkedRecords(SITUATIONS[0]!);
  for (const target of ['k1.dkim.y\u200b.test', 'k1.dkim.у.test']) {
    const evidence = [response([['k1._domainkey.x.test', 'CNAME', target]])];
    const file = writeRecordFile('nsupdate', [{ ...first!, finding: { ...first!.finding, evidence } }]);
    expect(file).toContain("can't be written with certainty");
    expect(file).not.toMatch(/^[^;\n]/m);
  }
});

test('without a zone there is only zone text with full names, and CSV', () => {
  const checked = checkedRecords(SITUATIONS[0]!, null);
  expect(writeRecordFile('zone', checked)).toContain('\nk1._domainkey.x.test.\t3600\tIN\tCNAME\tk1.dkim.y.test.\n');
  for (const kind of ['nsupdate', 'dnscontrol', 'octodns', 'terraform'] as const) {
    expect(writeRecordFile(kind, checked)).toContain("Its zone isn't known.");
    expect(writeRecordFile(kind, checked)).not.toMatch(/^[^;/#\n]/m);
  }
});

test('what is right or spreads is in no file', () => {
  const [one] = checkedRecords(SITUATIONS[0]!);
  const checked = (['ok', 'pending'] as const).map((result) => ({ ...one!, finding: { ...one!.finding, result } }));
  expect(writeRecordFile('zone', checked)).toBe('; Nothing has to change.\n');
  expect(writeRecordFile('csv', checked).trim().split('\n')).toHaveLength(1);
});

// RFC 2136, sections 2.4.2 and 2.5.4: conditions and deletions name a text string by string.
test('nsupdate names a text as it is cut', () => {
  const situation = SITUATIONS.find(({ id }) => id === 'a short text in two strings is replaced')!;
  const lines = writeRecordFile('nsupdate', checkedRecords(situation)).split('\n');
  const published = 'x.test. IN TXT "v=spf1 include:own" ".test ~all"';
  expect(lines).toEqual(expect.arrayContaining([`prereq yxrrset ${published}`, `update delete ${published}`]));
});

test('accepted faults are left out, and counted', () => {
  const [one] = checkedRecords(SITUATIONS[0]!);
  const accepted = { ...one!, isAccepted: true };
  expect(writeRecordFile('zone', [accepted])).toBe('; Nothing has to change.\n; 1 accepted fault is left out.\n');
  const right = { ...accepted, finding: { ...accepted.finding, result: 'ok' as const } };
  expect(writeRecordFile('zone', [right])).toBe('; Nothing has to change.\n');
  const other = { ...one!, title: 'b', finding: { ...one!.finding, fix: null } };
  expect(writeRecordFile('zone', [accepted, accepted, other])).toBe(
    '; 2 accepted faults are left out.\n; Not in this file:\n; b: It is wrong.\n',
  );
});

test('a fault without a record to enter is a comment', () => {
  const [one] = checkedRecords(SITUATIONS[0]!);
  const checked = [{ ...one!, finding: { ...one!.finding, fix: null, diagnosis: 'The target\nis gone.' } }];
  expect(writeRecordFile('terraform', checked)).toBe(
    '# Not in this file:\n# CNAME k1._domainkey.x.test: The target[U+000A]is gone.\n',
  );
});

test('octoDNS wants names in their natural order', () => {
  const names = ['k10._domainkey', 'k2._domainkey', '_dmarc', 'b', 'a'].map((label) => `${label}.x.test`);
  const changes = names.map((name) => ({ fix: { type: 'CNAME', name, value: 'y.test' } }));
  const file = writeRecordFile('octodns', checkedRecords({ id: '', published: [], changes, in: [], after: [] }));
  expect(file.match(/^'.*'/gm)).toEqual(["'_dmarc'", "'a'", "'b'", "'k2._domainkey'", "'k10._domainkey'"]);
});

// From the documentation of the provider hashicorp/dns, and of expressions in Terraform.
test.each<[string, string]>([
  [
    'a CNAME is missing',
    `resource "dns_cname_record" "k1__domainkey_x_test_cname" {
  zone  = "x.test."
  name  = "k1._domainkey"
  ttl   = 3600
  cname = "k1.dkim.y.test."
}`,
  ],
  [
    'an SPF record is missing next to another text at the apex',
    `import {
  to = dns_txt_record_set.x_test_txt
  id = "x.test."
}

resource "dns_txt_record_set" "x_test_txt" {
  zone = "x.test."
  ttl  = 60
  txt = [
    "google-site-verification=abc",
    "v=spf1 include:y.test -all",
  ]
}`,
  ],
  ['a text with quotes and backslashes', String.raw`    "say \\\"hi\\\" \\\\o/ or 'hi'",`],
  ['macros of SPF, which are templates elsewhere', '    "v=spf1 exists:%%{i}._spf.y.test $${a} -all",'],
  [
    'an MX is missing, and another listed one stays',
    `  mx {
    preference = 10
    exchange   = "a.y.test."
  }
  mx {
    preference = 20
    exchange   = "b.y.test."
  }
}`,
  ],
  ['other letters, byte by byte', String.raw`    "\\195\\169\\240\\159\\152\\128",`],
])('Terraform gets, where %s, its resource', (id, text) => {
  const situation = SITUATIONS.find((one) => one.id === id)!;
  expect(writeRecordFile('terraform', checkedRecords(situation))).toContain(`${text}\n`);
});

describe('whatever the DNS and the service say', () => {
  const LINES: Record<RecordFileKind, RegExp> = {
    zone: /^(;.*|\$ORIGIN [\w.-]+\.|[\w*.@-]+\t\d+\tIN\t[A-Z]+\t[ -~]+)?$/,
    nsupdate: /^(;.*|zone [\w.-]+\.|send|(prereq|update) [ -~]+)?$/,
    dnscontrol: /^( *\/\/.*|D_EXTEND\("[\w.-]+",| {2}[A-Z]+\(.*\),|END\);)?$/,
    octodns: /^( *#.*|---|'[\w*.-]*':| {2}- ttl: \d+| {4}(type|values?):.*| {6}(-| ) .*)?$/,
    terraform:
      /^( *#.*|import \{|resource "\w+" "[\w-]+" \{| {2}(to|id|zone|name|ttl|cname|txt|addresses|nameservers) +=.*| {2}mx \{| {4}.*| {2}[\]}]|\})?$/,
    csv: /^((add|delete|by hand|note|action),.*)?$/,
  };
  const unit = fc.array(fc.nat(0xffff), { maxLength: 12 }).map((codes) => String.fromCharCode(...codes));
  const piece = fc.constantFrom(
    'x.test',
    'a.x.test',
    '\n',
    '\r\n@ IN A 192.0.2.1',
    '"',
    "'",
    '\\',
    '; a',
    '*/',
    '${a}',
    '%{b}',
    '\u2028',
    '=1+1',
    '\nsend\n',
    '# c',
    '...',
    'v=spf1 ',
    '{}',
    '[U+',
  );
  const text = fc.array(fc.oneof(piece, unit), { maxLength: 3 }).map((parts) => parts.join(''));
  const type = fc.oneof(fc.constantFrom('TXT', 'MX', 'CNAME', 'NS', 'A', 'AAAA', 'txt', 'CAA', 'toString'), text);
  const name = fc.oneof(fc.constantFrom('x.test', 'a.x.test', '*.x.test', '_dmarc.x.test'), text);
  const zone = fc.oneof(fc.constant('x.test'), text);

  test.each(Object.keys(RECORD_FILES) as RecordFileKind[])('%s has only its own lines', (kind) => {
    const record = fc.tuple(name, type, text);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(record, fc.array(record, { maxLength: 3 }), zone, text), { maxLength: 3 }),
        (all) => {
          const checked = all.flatMap(([[owner, ofType, value], published, inZone, other]) => {
            const change = {
              fix: { type: ofType, name: owner, value, todo: other },
              diagnosis: other,
              code: other.length % 2 ? 'NAME_DOUBLED' : 'ANY',
              found: [value],
            };
            const rows = published.map(([a, b, c]) => [a, b, c] as const);
            return checkedRecords({ id: '', published: rows, changes: [change], in: [], after: [] }, inZone);
          });
          const file = writeRecordFile(
            kind,
            checked.map((one, index) => ({ ...one, title: all[index]?.[3] ?? '' })),
          );
          for (const line of file.split('\n')) {
            expect(line).toMatch(LINES[kind]);
            expect(line).not.toMatch(/(?!\t)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
          }
          if (kind === 'dnscontrol') runDnsControl(file);
          if (kind === 'octodns') readOctoDns(file);
          if (kind === 'csv') parseCsv(file, { columns: true });
        },
      ),
      { numRuns: 300 },
    );
  });
});

// @vitest-environment jsdom
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { type CheckReport, exitCodeOf } from '../report.ts';
import {
  EXAMPLE_REPORT,
  createFinding,
  createRecordLine,
  createReportOfText,
  createReport,
} from '../../../testing/testReport.ts';
import { formatGithub, formatStepSummary } from './formatGithub.ts';
import { formatNagiosError, nagiosCodeOf } from './formatNagios.ts';
import { formatFixes } from './formatFixes.ts';
import { type Format, FORMATS } from './formats.ts';

const ENDINGS: Record<Format, string> = {
  text: 'txt',
  json: 'json',
  ndjson: 'ndjson',
  csv: 'csv',
  junit: 'xml',
  prometheus: 'prom',
  github: 'txt',
  nagios: 'txt',
};
const formats = Object.entries(FORMATS) as [Format, (report: CheckReport) => string][];

const lineCounts = (report: CheckReport) => formats.map(([, format]) => format(report).split('\n').length);

const parseJunit = (report: CheckReport) =>
  new DOMParser().parseFromString(FORMATS.junit(report), 'application/xml').documentElement;

const elements = (report: CheckReport) => {
  const root = parseJunit(report);
  return [root, ...root.querySelectorAll('*')].map(({ tagName, attributes }) => [tagName, attributes.length]);
};

const cells = (report: CheckReport) =>
  [...new DOMParser().parseFromString(formatStepSummary(report), 'text/html').querySelectorAll('*')].map(
    ({ tagName }) => tagName,
  );

const many = (result: RecordStatus) =>
  Array.from({ length: 12 }, (_, index) => createRecordLine('A', `a${index}.test`, createFinding('CODE', result)));

describe('golden files', () => {
  test.each(formats)('%s', async (name, format) => {
    await expect(format(EXAMPLE_REPORT)).toMatchFileSnapshot(`../golden/${name}.${ENDINGS[name]}`);
  });

  test('the summary of a step', async () => {
    await expect(formatStepSummary(EXAMPLE_REPORT)).toMatchFileSnapshot('../golden/githubSummary.html');
  });
});

describe('whatever a text from the DNS holds', () => {
  const invisible =
    '\u001b[2J \n \r \u0000 \u0085 \u009b \u202e \u2066 \ud800 \udc00 \u2028 \u00a0 \u00ad \u200b \ufeff';
  const markup = '" \' \\ \\n & < > ]]> <!-- </td> % %0A ::error:: ##[error] | ` { }';
  const others = ['\u3164', '\u{e0061}', '\ufffe', '# HELP', '😀'.repeat(400)];
  const hostile = fc.constantFrom(...invisible.split(' '), ...markup.split(' '), ...others);
  const texts = fc
    .array(fc.oneof(hostile, fc.string({ unit: 'binary' })), { maxLength: 8 })
    .map((parts) => parts.join('') || 'a');
  const always = (holds: (report: CheckReport, text: string) => void) =>
    fc.assert(fc.property(texts, (text) => holds(createReportOfText(text), text)));

  test.each([...formats, ['summary', formatStepSummary] as const])(
    '%s holds nothing that steers a terminal or is not seen',
    (_, format) => {
      always((report) => {
        expect(format(report).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u3164]/u);
      });
    },
  );

  test('lines are ours: none begins with it, and none more are made', () => {
    const usual = lineCounts(createReportOfText('a'));
    always((report) => {
      expect(lineCounts(report)).toEqual(usual);
      expect(FORMATS.text(report)).not.toMatch(/^\s*(::|##\[)/m);
    });
  });

  test('JSON keeps it as it was', () => {
    always((report, text) => {
      const { records, advice } = JSON.parse(FORMATS.json(report)) as { records: object[]; advice: object[] };
      expect(records[0]).toMatchObject({ kind: 'record', domain: text, value: text, found: [text, text] });
      expect(advice[0]).toMatchObject({ kind: 'advice', domain: text, about: text, diagnosis: text });
      const lines = FORMATS.ndjson(report).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
        ...records.slice(0, 1),
        ...advice,
        ...records.slice(1),
      ]);
    });
  });

  test('JUnit stays XML of the same elements', () => {
    const usual = elements(createReportOfText('a'));
    expect(usual.length).toBeGreaterThan(5);
    always((report) => {
      expect(elements(report)).toEqual(usual);
    });
  });

  test('Prometheus stays lines of its grammar', () => {
    always((report) => {
      for (const line of FORMATS.prometheus(report).trimEnd().split('\n')) {
        expect(line).toMatch(
          /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+\{[a-z]+="([^"\\]|\\["\\n])*"(,[a-z]+="([^"\\]|\\["\\n])*")*\} \d+(\.\d+)?)$/,
        );
      }
    });
  });

  test('GitHub gets commands that are ours, with one title each', () => {
    const commands = /^(::(error|warning|notice) title=[^:,\r\n]*::(?:[^%\r\n]|%25|%0A)*|\d+ ok, [a-z0-9, ]+)$/;
    always((report) => {
      for (const line of FORMATS.github(report).trimEnd().split('\n')) expect(line).toMatch(commands);
    });
  });

  test('the summary stays a table of the same cells', () => {
    const usual = cells(createReportOfText('a'));
    always((report) => {
      expect(cells(report)).toEqual(usual);
    });
  });

  test('Nagios gets one line with one bar, and figures that are ours behind it', () => {
    always((report, text) => {
      expect(FORMATS.nagios(report)).toMatch(
        /^DNS CRITICAL - [^|`~$&"'<>\\\n]* \| ok=1;;;0 warn=0;;;0 fail=2;;;0 [a-z0-9=; ]+\n$/,
      );
      expect(formatNagiosError(text)).toMatch(/^DNS UNKNOWN - [^|\n]*\n$/);
    });
  });
});

const reportOn = (more: Partial<Finding>, result: RecordStatus = 'fail') =>
  createReport(createRecordLine('A', 'b.a.test', createFinding('CODE', result, more)));

test("whose turn it is, is told in every format that people read, unless it is nobody's", () => {
  for (const format of [FORMATS.text, FORMATS.github, FORMATS.junit, formatStepSummary]) {
    expect(format(reportOn({ turn: 'registrar' }))).toContain('You, at the registrar');
    expect(format(reportOn({ turn: null }))).not.toMatch(/Next:|<code>null/);
  }
  for (const result of ['unknown', 'pending'] as const) {
    expect(FORMATS.junit(reportOn({ turn: 'dns_host' }, result))).toContain('Next: Your DNS host');
  }
});

describe('what to type', () => {
  const fix = { todo: 'Add it.', type: 'TXT', host: null, name: 'b.a.test', value: 'x', priority: null };
  const people = [FORMATS.text, FORMATS.github, FORMATS.junit, formatStepSummary];

  test('is only the full name where the zone is not known', () => {
    expect(formatStepSummary(reportOn({ fix }))).toContain('TXT, full name b.a.test, value x');
    for (const format of people) expect(format(reportOn({ fix }))).not.toMatch(/host:? (b|null)/i);
  });

  test('is never cut: half a key or half an SPF record is worse than none', () => {
    const value = `v=spf1 ${'include:a-long-name.provider.test '.repeat(55)}-all`;
    for (const format of people) expect(format(reportOn({ fix: { ...fix, value } }))).toContain(value);
  });
});

test('GitHub is given ten of each kind, and the number of the others', () => {
  const out = formatGithub(createReport(...many('warn'), ...many('fail')));
  const of = (kind: string) => out.split('\n').filter((line) => line.startsWith(`::${kind} `));
  expect([of('error').length, of('warning').length]).toEqual([10, 10]);
  expect(of('notice')).toEqual(['::notice title=DNS check::Not shown here: 2 errors and 2 warnings.']);
  expect(of('error')[9]).toContain('a9.test');
});

test('a summary stays below what GitHub takes', () => {
  const lines = Array.from({ length: 400 }, () =>
    createRecordLine('A', 'a.test', createFinding('CODE', 'fail', { diagnosis: '&'.repeat(2000) })),
  );
  const summary = formatStepSummary(createReport(...lines));
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  expect(summary).toMatch(/<p>\d+ more not shown\.<\/p>\n\n$/);
});

test.each<[RecordStatus[], string, code: number]>([
  [['ok', 'warn'], 'OK', 0],
  [['ok', 'pending'], 'WARNING', 1],
  [['pending', 'unknown'], 'UNKNOWN', 3],
  [['pending', 'unknown', 'fail'], 'CRITICAL', 2],
])('records that are %j are %s for Nagios, and %i', (results, word, code) => {
  const lines = results.map((result) => createRecordLine('A', 'a.test', createFinding('CODE', result)));
  expect(nagiosCodeOf(exitCodeOf(lines))).toBe(code);
  expect(FORMATS.nagios(createReport(...lines))).toContain(`DNS ${word} - `);
});

test.each<[boolean, RecordStatus, string | null]>([
  [true, 'fail', 'still has this record as OK, until it checks again.'],
  [false, 'ok', "hasn't checked this record again yet"],
  [true, 'ok', null],
  [true, 'unknown', null],
])('stored as %s and live %s has its own sentence', (stored, live, sentence) => {
  const text = FORMATS.text(createReport(createRecordLine('A', 'a.test', createFinding('CODE', live), stored)));
  if (sentence === null) expect(text).not.toContain('The service');
  else expect(text).toContain(sentence);
});

describe('--only problems', () => {
  const lines = [
    createRecordLine('A', 'right.test', createFinding('MATCH', 'ok')),
    createRecordLine('A', 'better.test', createFinding('EXTRA_VALUES', 'warn')),
    createRecordLine('A', 'wrong.test', createFinding('NAME_MISSING', 'fail')),
    createRecordLine('A', 'later.test', createFinding('CACHED_NEGATIVE', 'pending')),
    createRecordLine('A', 'unasked.test', createFinding('OUT_OF_TIME', 'unknown')),
    {
      ...createRecordLine('A', 'known.test', createFinding('NAME_MISSING', 'fail')),
      isAccepted: true,
      isFailing: false,
    },
  ];
  const right = createReport(...lines.slice(0, 1)).domains;
  const report = { ...createReport(...lines), showsOnlyProblems: true };
  const all = { ...report, domains: [...right, ...report.domains] };

  test.each(['text', 'csv', 'ndjson'] as const)('%s lists what is not right, and counts everything', (format) => {
    const written = FORMATS[format](all);
    expect(written.match(/\b\w+\.test\b/g)?.filter((name) => name !== 'a.test')).toEqual([
      'wrong.test',
      'later.test',
      'unasked.test',
    ]);
    if (format === 'text')
      expect(written).toMatch(/^Domain a\.test\n[^]*\n2 ok, 1 warn, 1 fail, 1 pending, 1 unknown, 1 accepted\n$/);
  });
});

test('changes as a file leave out what the baseline accepts', () => {
  const fix = { todo: 'Add it.', type: 'A', host: null, value: '192.0.2.1', priority: null };
  const line = (name: string) =>
    createRecordLine('A', name, createFinding('NAME_MISSING', 'fail', { zone: 'a.test', fix: { ...fix, name } }));
  const accepted = { ...line('known.a.test'), isAccepted: true, isFailing: false };
  expect(formatFixes('csv', createReport(line('new.a.test'), accepted))).toBe(
    'action,zone,name,type,priority,value,ttl,note\nadd,a.test,new.a.test,A,,192.0.2.1,3600,Add it.\nnote,,,,,,,1 accepted fault is left out.\n',
  );
});

test('csv has no formula, and a cell for each heading', () => {
  const [heading = '', line = ''] = FORMATS.csv(
    createReport(createRecordLine('TXT', 'a.test', createFinding('=1+1', 'fail'))),
  ).split('\n');
  expect(line).toContain(",'=1+1,");
  expect(line.split(',').length).toBe(heading.split(',').length);
});

test('without a service nobody looks again', () => {
  const line = createRecordLine('A', 'a.test', createFinding('MATCH', 'ok'), false);
  expect(FORMATS.text(createReport(line))).toContain("The provider hasn't checked this record again yet.");
  expect(FORMATS.text({ ...createReport(line), isOfService: false })).not.toContain('service');
});

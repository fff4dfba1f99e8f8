// @vitest-environment jsdom
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Result } from '#contract/dnsCheck.ts';
import { exitCodeOf, type Report } from '../report.ts';
import { EXAMPLE, found, recordLine, reportFilledWith, reportOf } from '../testReport.ts';
import { formatGithub, formatStepSummary } from './formatGithub.ts';
import { formatNagiosFailure } from './formatNagios.ts';
import { type Format, FORMATS } from './formats.ts';

const ENDINGS: Record<Format, string> = {
  text: 'txt',
  json: 'json',
  ndjson: 'ndjson',
  junit: 'xml',
  prometheus: 'prom',
  github: 'txt',
  nagios: 'txt',
};
const formats = Object.entries(FORMATS) as [Format, (report: Report) => string][];

const lineCounts = (report: Report) => formats.map(([, format]) => format(report).split('\n').length);

const elements = (report: Report) => {
  const parsed = new DOMParser().parseFromString(FORMATS.junit(report), 'application/xml');
  return [...parsed.querySelectorAll('*')].map(({ tagName, attributes }) => [tagName, attributes.length]);
};

const cells = (report: Report) =>
  [...new DOMParser().parseFromString(formatStepSummary(report), 'text/html').querySelectorAll('*')].map(
    ({ tagName }) => tagName,
  );

const many = (result: Result) =>
  Array.from({ length: 12 }, (_, index) => recordLine('A', `a${index}.test`, found('CODE', result)));

describe('golden files', () => {
  test.each(formats)('%s', async (name, format) => {
    await expect(format(EXAMPLE)).toMatchFileSnapshot(`../golden/${name}.${ENDINGS[name]}`);
  });

  test('the summary of a step', async () => {
    await expect(formatStepSummary(EXAMPLE)).toMatchFileSnapshot('../golden/githubSummary.html');
  });
});

describe('whatever a text from the DNS holds', () => {
  const hostile = fc.constantFrom(
    '\u001b[2J',
    '\n',
    '\r',
    '\u0000',
    '\u0085',
    '\u009b',
    '\u202e',
    '\u2066',
    '\ud800',
    '\udc00',
    '\u2028',
    '\ufffe',
    '"',
    "'",
    '\\',
    '\\n',
    '&',
    '<',
    '>',
    ']]>',
    '<!--',
    '</td>',
    '%',
    '%0A',
    '::error::',
    '##[error]',
    '|',
    '`',
    '{',
    '}',
    '# HELP',
    '😀'.repeat(400),
  );
  const texts = fc
    .array(fc.oneof(hostile, fc.string({ unit: 'binary' })), { maxLength: 8 })
    .map((parts) => parts.join('') || 'a');
  const always = (holds: (report: Report, text: string) => void) =>
    fc.assert(fc.property(texts, (text) => holds(reportFilledWith(text), text)));

  test.each([...formats, ['summary', formatStepSummary] as const])(
    '%s holds nothing that steers a terminal',
    (_, format) => {
      always((report) => {
        expect(format(report).replaceAll('\n', '')).not.toMatch(
          /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u,
        );
      });
    },
  );

  test('lines are ours: none begins with it, and none more are made', () => {
    const usual = lineCounts(reportFilledWith('a'));
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
    const usual = elements(reportFilledWith('a'));
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
    const commands = /^(::(error|warning|notice) title=[^:,\r\n]*::(?:[^%\r\n]|%25|%0A)*|\d+ right, [a-z0-9, ]+)$/;
    always((report) => {
      for (const line of FORMATS.github(report).trimEnd().split('\n')) expect(line).toMatch(commands);
    });
  });

  test('the summary stays a table of the same cells', () => {
    const usual = cells(reportFilledWith('a'));
    always((report) => {
      expect(cells(report)).toEqual(usual);
    });
  });

  test('Nagios gets one line with one bar, and figures that are ours behind it', () => {
    always((report, text) => {
      expect(FORMATS.nagios(report)).toMatch(
        /^DNS CRITICAL - [^|`~$&"'<>\\\n]* \| right=1;;;0 wrong=1;;;0 [a-z0-9=; ]+\n$/,
      );
      expect(formatNagiosFailure(text)).toMatch(/^DNS UNKNOWN - [^|\n]*\n$/);
    });
  });
});

test('GitHub is given ten of each kind, and the number of the others', () => {
  const out = formatGithub({
    domains: [reportOf('a.test', [...many('warn'), ...many('fail')])],
    withoutRecords: [],
    fixed: [],
  });
  const of = (kind: string) => out.split('\n').filter((line) => line.startsWith(`::${kind} `));
  expect([of('error').length, of('warning').length]).toEqual([10, 10]);
  expect(of('notice')).toEqual(['::notice title=DNS check::Not shown here: 2 errors and 2 warnings.']);
  expect(of('error')[9]).toContain('a9.test');
});

test('a summary stays below what GitHub takes', () => {
  const lines = Array.from({ length: 400 }, () =>
    recordLine('A', 'a.test', found('CODE', 'fail', { diagnosis: '&'.repeat(2000) })),
  );
  const summary = formatStepSummary({ domains: [reportOf('a.test', lines)], withoutRecords: [], fixed: [] });
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  expect(summary).toMatch(/<p>\d+ more are not shown\.<\/p>\n\n$/);
});

test.each<[Result[], number, string]>([
  [[], 0, 'OK'],
  [['ok', 'warn'], 0, 'OK'],
  [['ok', 'pending'], 4, 'WARNING'],
  [['pending', 'unknown'], 3, 'UNKNOWN'],
  [['pending', 'unknown', 'fail'], 1, 'CRITICAL'],
])('records that are %j give the exit code %i, and %s for Nagios', (results, code, word) => {
  const lines = results.map((result) => recordLine('A', 'a.test', found('CODE', result)));
  expect(exitCodeOf(lines)).toBe(code);
  expect(FORMATS.nagios({ domains: [reportOf('a.test', lines)], withoutRecords: [], fixed: [] })).toContain(
    `DNS ${word} - `,
  );
});

test.each<[boolean, Result, string | null]>([
  [true, 'fail', 'still counts this record as valid, but it is not. Mail may stop at its next check.'],
  [false, 'ok', 'has not looked again yet'],
  [true, 'ok', null],
  [true, 'unknown', null],
])('stored as %s and live %s has its own sentence', (stored, live, sentence) => {
  const text = FORMATS.text({
    domains: [reportOf('a.test', [recordLine('A', 'a.test', found('CODE', live), stored)])],
    withoutRecords: [],
    fixed: [],
  });
  if (sentence === null) expect(text).not.toContain('The service');
  else expect(text).toContain(sentence);
});

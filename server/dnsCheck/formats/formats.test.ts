// @vitest-environment jsdom
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckResult, Finding, Fix, ResponsibleParty } from '#contract/dnsCheck.ts';
import { type CheckReport, exitCodeOf } from '../report.ts';
import {
  EXAMPLE_REPORT,
  createFinding,
  createRecordLine,
  createReportOfText,
  createReport,
} from '../../testing/testReport.ts';
import { formatGithub, formatStepSummary } from './formatGithub.ts';
import { formatNagiosError, nagiosCodeOf } from './formatNagios.ts';
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
const formats = Object.entries(FORMATS) as [Format, (report: CheckReport) => string][];

const lineCounts = (report: CheckReport) => formats.map(([, format]) => format(report).split('\n').length);

const parseJunit = (report: CheckReport) =>
  new DOMParser().parseFromString(FORMATS.junit(report), 'application/xml').documentElement;

const elements = (report: CheckReport) => {
  const root = parseJunit(report);
  return [root, ...root.querySelectorAll('*')].map(({ tagName, attributes }) => [tagName, attributes.length]);
};

/** What `junit-10.xsd` of Jenkins' xUnit plugin allows, checked for our output: attributes (`!` for required ones) and children. */
const JUNIT: Record<string, [attributes: string, children: string]> = {
  testsuites: ['name time tests failures errors', 'testsuite'],
  testsuite: [
    'name! tests! failures! errors! group time skipped timestamp hostname id package file log url',
    'testsuite properties testcase system-out system-err',
  ],
  testcase: ['name! time classname group', 'skipped error failure system-out system-err'],
  ...Object.fromEntries(['skipped', 'error', 'failure'].map((name) => [name, ['type message', '#text']])),
  ...Object.fromEntries(['system-out', 'system-err'].map((name) => [name, ['', '#text']])),
};

/** The errors of an element and its descendants by the schema. */
function faultsOf(element: Element): string[] {
  const { tagName } = element;
  const [attributes, children] = JUNIT[tagName] ?? ['', ''];
  const names = element.getAttributeNames();
  const required = attributes.split(' ').flatMap((name) => (name.endsWith('!') ? name.slice(0, -1) : []));
  const allowed = new Set(attributes.replaceAll('!', '').split(' '));
  const time = element.getAttribute('time');
  const inside = [...element.childNodes].filter(({ nodeType, nodeValue }) => nodeType !== 3 || nodeValue?.trim());
  return [
    ...required.filter((name) => !names.includes(name)).map((name) => `${tagName} lacks ${name}`),
    ...names.filter((name) => !allowed.has(name)).map((name) => `${tagName} must not have ${name}`),
    ...(time === null || /^\d+(\.\d{1,3})?$/.test(time) ? [] : [`${time} is no time`]),
    ...inside
      .filter(({ nodeName }) => !children.split(' ').includes(nodeName))
      .map(({ nodeName }) => `${nodeName} must not be in ${tagName}`),
    ...[...element.children].flatMap(faultsOf),
  ];
}

const cells = (report: CheckReport) =>
  [...new DOMParser().parseFromString(formatStepSummary(report), 'text/html').querySelectorAll('*')].map(
    ({ tagName }) => tagName,
  );

const many = (result: CheckResult) =>
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

  test('JUnit stays within its schema', () => {
    always((report) => {
      expect(faultsOf(parseJunit(report))).toEqual([]);
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
    const commands = /^(::(error|warning|notice) title=[^:,\r\n]*::(?:[^%\r\n]|%25|%0A)*|\d+ right, [a-z0-9, ]+)$/;
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
        /^DNS CRITICAL - [^|`~$&"'<>\\\n]* \| right=1;;;0 wrong=1;;;0 [a-z0-9=; ]+\n$/,
      );
      expect(formatNagiosError(text)).toMatch(/^DNS UNKNOWN - [^|\n]*\n$/);
    });
  });
});

describe('JUnit for Jenkins', () => {
  const root = parseJunit(EXAMPLE_REPORT);

  test('is within its schema, with records of every result', () => {
    expect(root.tagName).toBe('testsuites');
    expect(faultsOf(root)).toEqual([]);
    for (const outcome of ['failure', 'error', 'skipped', 'system-out']) {
      expect(root.querySelector(`testcase > ${outcome}`)).not.toBeNull();
    }
  });

  test('counts what is in it', () => {
    for (const suite of root.querySelectorAll('testsuite')) {
      const counts = ['testcase', 'failure', 'error', 'skipped'].map((name) =>
        String(suite.getElementsByTagName(name).length),
      );
      expect(['tests', 'failures', 'errors', 'skipped'].map((name) => suite.getAttribute(name))).toEqual(counts);
      expect(suite.getAttribute('timestamp')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    }
    expect(root.getAttribute('tests')).toBe(String(root.getElementsByTagName('testcase').length));
  });
});

const reportOn = (more: Partial<Finding>, result: CheckResult = 'fail') =>
  createReport(createRecordLine('A', 'b.a.test', createFinding('CODE', result, more)));

describe('whose turn it is', () => {
  test.each<[ResponsibleParty, string]>([
    ['owner', 'you, in the DNS records'],
    ['provider', 'the mail provider'],
    ['dns_host', 'your DNS host'],
    ['registrar', 'you, at the registrar'],
    ['report_receiver', 'whoever receives the reports'],
    ['checker', 'this check: ask again later, or look at its network'],
  ])('%s is told in every format that people read', (turn, words) => {
    expect(FORMATS.text(reportOn({ turn }))).toContain(`\n  Turn: ${words}\n`);
    expect(FORMATS.github(reportOn({ turn }))).toContain(`%0A  Turn: ${words}`);
    expect(formatStepSummary(reportOn({ turn }))).toContain(`<code>${words}</code>`);
    for (const result of ['fail', 'unknown', 'pending'] as const) {
      expect(parseJunit(reportOn({ turn }, result)).querySelector('testcase')?.textContent).toContain(`Turn: ${words}`);
    }
    for (const format of [FORMATS.json, FORMATS.ndjson])
      expect(format(reportOn({ turn }))).toContain(`"turn":"${turn}"`);
  });

  test('nobody has to act, and nobody is named', () => {
    for (const format of [FORMATS.text, FORMATS.github, FORMATS.junit]) {
      expect(format(reportOn({ turn: null }))).not.toContain('Turn');
    }
  });
});

describe('what to type', () => {
  const fix = { todo: 'Add it.', type: 'TXT', host: 'b', name: 'b.a.test', value: 'x', priority: null };
  const report = (more: Partial<Fix>) =>
    createReport(createRecordLine('TXT', fix.name, createFinding('CODE', 'fail', { fix: { ...fix, ...more } })));

  test('is the host of a zone that is known, and otherwise only the full name', () => {
    expect(FORMATS.text(report({}))).toContain('\n    Host: b  (b.a.test)\n');
    const unknown = report({ host: null });
    expect(FORMATS.text(unknown)).toContain('\n    Full name: b.a.test\n');
    expect(formatStepSummary(unknown)).toContain('TXT, full name b.a.test, value x');
    for (const format of [FORMATS.text, FORMATS.github, FORMATS.junit, formatStepSummary]) {
      expect(format(unknown)).not.toMatch(/host:? (b|null)/i);
    }
    expect(FORMATS.json(unknown)).toContain('"host":null');
  });

  test('is never cut: half a key or half an SPF record is worse than none', () => {
    const value = `v=spf1 ${'include:a-long-name.provider.test '.repeat(55)}-all`;
    for (const format of [FORMATS.text, FORMATS.github, FORMATS.junit, formatStepSummary]) {
      expect(format(report({ value }))).toContain(value);
    }
  });
});

test('what is invisible is named for people, and exact for machines', () => {
  const value = 'v=spf1\u00a0include:p.test\u200b -all';
  const report = createReport(createRecordLine('TXT', 'a.test', createFinding('CODE', 'fail', { found: [value] })));
  for (const format of [FORMATS.text, FORMATS.github, FORMATS.junit]) {
    expect(format(report)).toContain('Found: v=spf1[U+00A0]include:p.test[U+200B] -all');
  }
  for (const format of [FORMATS.json, FORMATS.ndjson]) {
    expect(format(report)).toContain(String.raw`"found":["v=spf1\u00a0include:p.test\u200b -all"]`);
  }
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
  expect(summary).toMatch(/<p>\d+ more are not shown\.<\/p>\n\n$/);
});

test.each<[CheckResult[], string, code: number]>([
  [['ok', 'warn'], 'OK', 0],
  [['ok', 'pending'], 'WARNING', 1],
  [['pending', 'unknown'], 'UNKNOWN', 3],
  [['pending', 'unknown', 'fail'], 'CRITICAL', 2],
])('records that are %j are %s for Nagios, and %i', (results, word, code) => {
  const lines = results.map((result) => createRecordLine('A', 'a.test', createFinding('CODE', result)));
  expect(nagiosCodeOf(exitCodeOf(lines))).toBe(code);
  expect(FORMATS.nagios(createReport(...lines))).toContain(`DNS ${word} - `);
});

test.each<[boolean, CheckResult, string | null]>([
  [true, 'fail', 'still counts this record as valid, but it is not. Mail may stop at its next check.'],
  [false, 'ok', 'has not looked again yet'],
  [true, 'ok', null],
  [true, 'unknown', null],
])('stored as %s and live %s has its own sentence', (stored, live, sentence) => {
  const text = FORMATS.text(createReport(createRecordLine('A', 'a.test', createFinding('CODE', live), stored)));
  if (sentence === null) expect(text).not.toContain('The service');
  else expect(text).toContain(sentence);
});

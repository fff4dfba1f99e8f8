import { countsOf, formatCounts, isChecked, isWrong, type Line, type Report, titleOf } from '../report.ts';
import { escapeMarkup } from './escapeMarkup.ts';
import { describe } from './formatText.ts';

const TEXT_MAX = 600;

/** JUnit XML as test reports of CI systems read it: a suite for each domain, a case for each record. */
export function formatJunit(report: Report): string {
  const suites = report.domains.flatMap(({ domain, at, took, lines }) => {
    const outcomes = lines.map(outcomeOf);
    return [
      `  <testsuite${attributes({
        name: domain.name,
        ...tally(outcomes),
        time: (took / 1000).toFixed(3),
        timestamp: new Date(at).toISOString().replace(/\..*$/, ''),
      })}>`,
      ...lines.flatMap((line, index) => testCase(domain.name, line, outcomes[index] ?? null)),
      '  </testsuite>',
    ];
  });
  const all = tally(report.domains.flatMap(({ lines }) => lines.map(outcomeOf)));
  const name = `DNS: ${formatCounts(countsOf(report))}`;
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${attributes({ name, ...all })}>`, ...suites, '</testsuites>'].join('\n')}\n`;
}

type Outcome = 'failure' | 'error' | 'skipped' | null;

/** `error`: nothing is known. What does not count is skipped, which shows it without failing. Null passed. */
function outcomeOf(line: Line): Outcome {
  const { result } = line.finding;
  if (line.isFailing) return 'failure';
  if (result === 'ok') return null;
  if (line.isAccepted || line.kind === 'advice' || result === 'pending' || !isChecked(line)) return 'skipped';
  return result === 'unknown' ? 'error' : null;
}

function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  return { tests: outcomes.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

function testCase(domain: string, line: Line, outcome: Outcome): string[] {
  const { code, diagnosis } = line.finding;
  const open = `    <testcase${attributes({ classname: domain, name: titleOf(line) })}`;
  const body = describe(line)
    .map((text) => escapeMarkup(text, TEXT_MAX))
    .join('\n');
  if (outcome === null) {
    return isWrong(line.finding)
      ? [`${open}>`, `      <system-out>${body}</system-out>`, '    </testcase>']
      : [`${open}/>`];
  }
  const message = line.isAccepted ? `Accepted: ${diagnosis}` : diagnosis;
  if (outcome === 'skipped') return [`${open}>`, `      <skipped${attributes({ message })}/>`, '    </testcase>'];
  return [
    `${open}>`,
    `      <${outcome}${attributes({ type: code, message })}>${body}</${outcome}>`,
    '    </testcase>',
  ];
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value), TEXT_MAX)}"`)
    .join('');
}

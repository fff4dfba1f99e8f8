import {
  countResults,
  formatCounts,
  isChecked,
  needsChange,
  type ReportLine,
  type CheckReport,
  titleOf,
} from '../report.ts';
import { escapeMarkup, formatLine, VALUE_LINE_MAX } from './formatText.ts';

const ATTRIBUTE_MAX = 600;

/** A suite for each domain, a case for each record, by the strictest schema (`junit-10.xsd` of Jenkins). */
export function formatJunit(report: CheckReport): string {
  const suites = report.domains.flatMap(({ domain, checkedAtMs, durationMs, lines }) => {
    const outcomes = lines.map(toJunitOutcome);
    return [
      `  <testsuite${attributes({
        name: domain.name,
        ...countOutcomes(outcomes),
        skipped: countOutcome(outcomes, 'skipped'),
        time: seconds(durationMs),
        timestamp: new Date(checkedAtMs).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length),
      })}>`,
      ...lines.flatMap((line, index) => testCase(domain.name, line, outcomes[index] ?? null, report)),
      '  </testsuite>',
    ];
  });
  const all = attributes({
    name: `DNS: ${formatCounts(countResults(report))}`,
    ...countOutcomes(report.domains.flatMap(({ lines }) => lines.map(toJunitOutcome))),
    time: seconds(report.domains.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  });
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${all}>`, ...suites, '</testsuites>'].join('\n')}\n`;
}

type JunitOutcome = 'failure' | 'error' | 'skipped' | null;

/** `error`: the result is unknown. `skipped`: shown, but not failing. Null: passed. */
function toJunitOutcome(line: ReportLine): JunitOutcome {
  const { result } = line.finding;
  if (line.isFailing) return 'failure';
  if (result === 'ok') return null;
  if (line.isAccepted || line.kind === 'advice' || result === 'pending' || !isChecked(line)) return 'skipped';
  return result === 'unknown' ? 'error' : null;
}

/** Attributes of `testsuite` and `testsuites`; only a suite may have `skipped`. */
function countOutcomes(outcomes: readonly JunitOutcome[]): Record<string, number> {
  return {
    tests: outcomes.length,
    failures: countOutcome(outcomes, 'failure'),
    errors: countOutcome(outcomes, 'error'),
  };
}

function countOutcome(outcomes: readonly JunitOutcome[], wanted: JunitOutcome): number {
  return outcomes.filter((outcome) => outcome === wanted).length;
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

function testCase(
  domain: string,
  line: ReportLine,
  outcome: JunitOutcome,
  report: Pick<CheckReport, 'isOfService'>,
): string[] {
  const { code, diagnosis } = line.finding;
  const open = `    <testcase${attributes({ classname: domain, name: titleOf(line) })}`;
  const body = formatLine(line, report)
    .map((text) => escapeMarkup(text, VALUE_LINE_MAX))
    .join('\n');
  if (outcome === null) {
    return needsChange(line.finding)
      ? [`${open}>`, `      <system-out>${body}</system-out>`, '    </testcase>']
      : [`${open}/>`];
  }
  const message = line.isAccepted ? `Accepted: ${diagnosis}` : diagnosis;
  return [
    `${open}>`,
    `      <${outcome}${attributes({ type: code, message })}>${body}</${outcome}>`,
    '    </testcase>',
  ];
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value), ATTRIBUTE_MAX)}"`)
    .join('');
}

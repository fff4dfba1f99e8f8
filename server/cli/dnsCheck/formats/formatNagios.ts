import { toPrintable } from '../../terminal/printable.ts';
import {
  countResults,
  type ExitCode,
  exitCodeOf,
  formatCounts,
  isChecked,
  type ReportLine,
  type CheckReport,
  titleOf,
} from '../report.ts';

const NAMED_MAX = 3;
const NAME_MAX = 100;
const SENTENCE_MAX = 300;

type State = { code: 0 | 1 | 2 | 3; word: string };
const STATES: Record<ExitCode | 2, State> = {
  0: { code: 0, word: 'OK' },
  1: { code: 2, word: 'CRITICAL' },
  2: { code: 3, word: 'UNKNOWN' },
  3: { code: 3, word: 'UNKNOWN' },
  4: { code: 1, word: 'WARNING' },
};

/** The exit code of a Nagios plugin for ours (https://www.monitoring-plugins.org/doc/guidelines.html). */
export function nagiosCodeOf(code: ExitCode | 2): number {
  return STATES[code].code;
}

/** One line: the state, the worst records, and performance data after the bar. */
export function formatNagios(report: CheckReport): string {
  const counts = countResults(report);
  const lines = report.domains.flatMap((domain) => domain.lines);
  const { word } = STATES[exitCodeOf(lines)];
  const about = pickWorst(lines).map((line) => `${titleOf(line)} ${line.finding.code}`);
  const named = about.slice(0, NAMED_MAX).map((text) => plain(text, NAME_MAX));
  const more = about.length > NAMED_MAX ? [`${about.length - NAMED_MAX} more`] : [];
  const perfdata = Object.entries(counts).map(([name, count]) => `${name}=${count};;;0`);
  return `DNS ${word} - ${[formatCounts(counts), ...named, ...more].join('; ')} | ${perfdata.join(' ')}\n`;
}

/** The line for an error without a report. */
export function formatNagiosError(sentence: string): string {
  // Shortens commander's `option '--wait <duration>'` to its name.
  const readable = sentence.replaceAll(/ <[a-z]+>|'/g, '');
  return `DNS ${STATES[2].word} - ${plain(readable, SENTENCE_MAX)}\n`;
}

function pickWorst(lines: readonly ReportLine[]): ReportLine[] {
  const failing = lines.filter(({ isFailing }) => isFailing);
  return failing.length > 0 ? failing : lines.filter((line) => isChecked(line) && exitCodeOf([line]) !== 0);
}

/** Without the bar, which begins performance data, and Nagios' `illegal_macro_output_chars`. */
function plain(text: string, max: number): string {
  return toPrintable(text, max).replaceAll(/[|`~$&"'<>\\]/g, '?');
}

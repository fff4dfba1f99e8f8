import { RESPONSIBLE_PARTY_LABELS } from '#contract/domains/responsibleParty.ts';
import { toPrintable } from '../../terminal/printable.ts';
import {
  countResults,
  formatCounts,
  formatWithoutRecords,
  isChecked,
  needsChange,
  type ReportLine,
  type CheckReport,
  titleOf,
} from '../report.ts';
import { escapeMarkup, formatLine, VALUE_LINE_MAX } from './formatText.ts';

/** Annotations of each level that GitHub shows for a step. */
const SHOWN_MAX = 10;
const TITLE_MAX = 600;
/** Room for a sentence and the fields to enter, which aren't truncated. */
const CELL_MAX = 2 * VALUE_LINE_MAX;
/** Bytes. GitHub rejects a summary of more than 1 MiB. */
const SUMMARY_MAX = 900_000;

const HEAD =
  '<tr><th></th><th>Domain</th><th>Record</th><th>Code</th><th>Diagnosis</th><th>Next</th><th>Fix</th></tr>\n';

type Level = 'error' | 'warning';
type Annotation = { level: Level; domain: string; line: ReportLine };

/** Workflow commands of GitHub Actions, which become annotations of the run. */
export function formatGithub(report: CheckReport): string {
  const all = listAnnotations(report);
  const ofLevel = (level: Level) => all.filter((annotation) => annotation.level === level);
  const [errors, warnings] = [ofLevel('error'), ofLevel('warning')];
  const left = [Math.max(0, errors.length - SHOWN_MAX), Math.max(0, warnings.length - SHOWN_MAX)] as const;
  const notices = [
    ...(left[0] + left[1] > 0 ? [`Not shown here: ${left[0]} errors and ${left[1]} warnings.`] : []),
    ...(report.fixed.length > 0 ? [`No longer needed in the baseline: ${formatFixed(report)}.`] : []),
    ...formatWithoutRecords(report),
  ];
  return [
    ...[...errors.slice(0, SHOWN_MAX), ...warnings.slice(0, SHOWN_MAX)].map((one) => annotate(one, report)),
    ...notices.map((text) => command('notice', 'DNS check', [text])),
    `${formatCounts(countResults(report))}\n`,
  ].join('');
}

/** An HTML table for the file `GITHUB_STEP_SUMMARY`. In HTML, Markdown in the texts has no effect. */
export function formatStepSummary(report: CheckReport): string {
  const rows: string[] = [];
  let size = 0;
  const all = listAnnotations(report);
  for (const { level, domain, line } of all) {
    const { code, diagnosis, turn } = line.finding;
    const next = turn === null ? '' : RESPONSIBLE_PARTY_LABELS[turn];
    const row = formatRow([level, domain, titleOf(line), code, diagnosis, next, formatTodo(line)]);
    size += Buffer.byteLength(row);
    if (size > SUMMARY_MAX) break;
    rows.push(row);
  }
  const table = rows.length === 0 ? '' : `<table>\n${HEAD}${rows.join('')}</table>\n`;
  const left = all.length - rows.length;
  return `<h3>DNS check: ${formatCounts(countResults(report))}</h3>\n${table}${left > 0 ? `<p>${left} more not shown.</p>\n` : ''}\n`;
}

function listAnnotations({ domains }: CheckReport): Annotation[] {
  const all = domains.flatMap(({ domain, lines }) =>
    lines.flatMap((line): Annotation[] => {
      const level = levelOf(line);
      return level === null ? [] : [{ level, domain: domain.name, line }];
    }),
  );
  return [...all.filter(({ level }) => level === 'error'), ...all.filter(({ level }) => level === 'warning')];
}

function levelOf(line: ReportLine): Level | null {
  if (line.isFailing) return 'error';
  const isQuiet = line.isAccepted || line.finding.result === 'ok' || !isChecked(line);
  return isQuiet || (line.kind === 'advice' && !needsChange(line.finding)) ? null : 'warning';
}

function annotate({ level, domain, line }: Annotation, report: CheckReport): string {
  return command(level, `${domain}: ${titleOf(line)} ${line.finding.code}`, formatLine(line, report));
}

function command(name: Level | 'notice', title: string, lines: readonly string[]): string {
  const message = lines.map((line) => escapeData(toPrintable(line, VALUE_LINE_MAX))).join('%0A');
  return `::${name} title=${escapeData(toPrintable(title, TITLE_MAX)).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${message}\n`;
}

/** Escapes as actions/toolkit does. `toPrintable` has already removed line breaks. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25');
}

function formatFixed({ fixed }: CheckReport): string {
  return fixed.map(({ domain, title, code }) => `${title} of ${domain} (${code})`).join(', ');
}

function formatTodo({ finding: { fix } }: ReportLine): string {
  if (fix === null) return '';
  const priority = fix.priority === null ? '' : `, priority ${fix.priority}`;
  const host = fix.host === null ? `full name ${fix.name}` : `host ${fix.host}`;
  return `${fix.todo} ${fix.type}, ${host}, value ${fix.value}${priority}`;
}

function formatRow(cells: readonly string[]): string {
  // Inside <code> nothing becomes a link or a mention.
  const inCells = cells.map((cell) => `<td>${cell === '' ? '' : `<code>${escapeMarkup(cell, CELL_MAX)}</code>`}</td>`);
  return `<tr>${inCells.join('')}</tr>\n`;
}

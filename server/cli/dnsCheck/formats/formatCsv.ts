import { escapeFormulas } from '#contract/values/csvInjection.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { type CheckReport, listShown, type ReportLine } from '../report.ts';

const COLUMNS: readonly (readonly [heading: string, cell: (line: ReportLine) => string | number | null])[] = [
  ['kind', ({ kind }) => kind],
  ['type', (line) => (line.kind === 'record' ? line.record.type : line.about)],
  ['name', (line) => (line.kind === 'record' ? line.record.name : null)],
  ['value', (line) => (line.kind === 'record' ? line.record.value : null)],
  ['result', ({ finding }) => finding.result],
  ['code', ({ finding }) => finding.code],
  ['accepted', ({ isAccepted }) => String(isAccepted)],
  ['turn', ({ finding }) => finding.turn],
  ['diagnosis', ({ finding }) => finding.diagnosis],
  ['found', ({ finding }) => finding.found.join(' | ')],
  ['fix_todo', ({ finding }) => finding.fix?.todo ?? null],
  ['fix_type', ({ finding }) => finding.fix?.type ?? null],
  ['fix_host', ({ finding }) => finding.fix?.host ?? null],
  ['fix_name', ({ finding }) => finding.fix?.name ?? null],
  ['fix_value', ({ finding }) => finding.fix?.value ?? null],
  ['fix_priority', ({ finding }) => finding.fix?.priority ?? null],
  ['until', ({ finding }) => finding.until],
];

/** A line for each record and advice (RFC 4180). No text is read as a formula, and none can end a line. */
export function formatCsv(report: CheckReport): string {
  const rows = listShown(report).flatMap(({ domain, lines }) =>
    lines.map((line) => [domain.name, ...COLUMNS.map(([, cell]) => cell(line))]),
  );
  return [['domain', ...COLUMNS.map(([heading]) => heading)], ...rows]
    .map((row) => `${row.map(csvCell).join(',')}\n`)
    .join('');
}

function csvCell(value: string | number | null): string {
  const text = escapeFormulas(escapeInvisible(String(value ?? '')));
  return /[",;]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

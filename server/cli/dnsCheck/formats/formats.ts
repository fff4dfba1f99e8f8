import { type CheckReport, type DomainReport, listShown, type ReportLine, countResults } from '../report.ts';
import { formatGithub } from './formatGithub.ts';
import { formatJunit } from './formatJunit.ts';
import { formatNagios } from './formatNagios.ts';
import { formatPrometheus } from './formatPrometheus.ts';
import { formatText } from './formatText.ts';
import { csvLine } from '#contract/recordFiles/csvRows.ts';
import { escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';

/** The report as one line of JSON, which `--baseline` can read. */
function formatJson(report: CheckReport): string {
  const { domains, withoutRecords, fixed } = report;
  const of = (kind: ReportLine['kind']) =>
    domains.flatMap(({ domain, lines }) =>
      lines.filter((line) => line.kind === kind).map((line) => flat(domain.name, line)),
    );
  return toJson({
    schema: 1,
    counts: countResults(report),
    records: of('record'),
    advice: of('advice'),
    watched: domains.flatMap(({ domain, watched }) => watched.map((one) => flat(domain.name, one))),
    without_records: withoutRecords,
    fixed,
  });
}

function formatNdjson(report: CheckReport): string {
  return listShown(report)
    .flatMap(({ domain, lines }) => lines.map((line) => toJson(flat(domain.name, line))))
    .join('');
}

function flat(domain: string, line: ReportLine | DomainReport['watched'][number]): Record<string, unknown> {
  const { kind, finding } = line;
  const subject = kind === 'record' ? line.record : { about: line.about };
  return { kind, domain, ...subject, ...finding, ...(kind !== 'watch' && { accepted: line.isAccepted }) };
}

/** JSON with invisible characters escaped, so that it is safe on a terminal. */
function toJson(value: unknown): string {
  return `${escapeInvisibleInJson(JSON.stringify(value))}\n`;
}

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

/** A line for each record and advice (RFC 4180). */
function formatCsv(report: CheckReport): string {
  const rows = listShown(report).flatMap(({ domain, lines }) =>
    lines.map((line) => [domain.name, ...COLUMNS.map(([, cell]) => cell(line))]),
  );
  return [['domain', ...COLUMNS.map(([heading]) => heading)], ...rows].map(csvLine).join('');
}

export const FORMATS = {
  text: formatText,
  json: formatJson,
  ndjson: formatNdjson,
  csv: formatCsv,
  junit: formatJunit,
  prometheus: formatPrometheus,
  github: formatGithub,
  nagios: formatNagios,
} satisfies Record<string, (report: CheckReport) => string>;

export type Format = keyof typeof FORMATS;

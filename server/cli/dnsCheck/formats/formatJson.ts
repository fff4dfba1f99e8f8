import { escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';
import { countResults, listShown, type ReportLine, type CheckReport } from '../report.ts';

/** The report as one line of JSON, which `--baseline` can read. */
export function formatJson(report: CheckReport): string {
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
    without_records: withoutRecords,
    fixed,
  });
}

/** A line of JSON for each record and advice. */
export function formatNdjson(report: CheckReport): string {
  return listShown(report)
    .flatMap(({ domain, lines }) => lines.map((line) => toJson(flat(domain.name, line))))
    .join('');
}

/** The fields of a record, as the interface has them, and those of its finding. */
function flat(domain: string, line: ReportLine): Record<string, unknown> {
  const { kind, finding, isAccepted } = line;
  const subject = kind === 'record' ? line.record : { about: line.about };
  return { kind, domain, ...subject, ...finding, accepted: isAccepted };
}

/** JSON with invisible characters escaped, so that it is safe on a terminal. */
function toJson(value: unknown): string {
  return `${escapeInvisibleInJson(JSON.stringify(value))}\n`;
}

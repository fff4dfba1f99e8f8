import { escapeInvisible, escapeInvisibleInJson } from '#contract/invisibleCharacters.ts';
import type { MatrixRow } from './matrix.ts';

/** One record of one domain, with both verdicts; the names are those of the command's report (docs/dns-check.md). */
export const MATRIX_EXPORT_COLUMNS = [
  'domain',
  'type',
  'name',
  'value',
  'is_valid',
  'result',
  'code',
  'diagnosis',
  'turn',
  'found',
  'checked_at',
] as const;

export type MatrixExportRow = Record<(typeof MATRIX_EXPORT_COLUMNS)[number], unknown>;

/** What the matrix knows, a line for each record. What was not asked is null. */
export function createMatrixExportRows(rows: readonly MatrixRow[]): MatrixExportRow[] {
  return rows.flatMap(({ domain, records, checkedAt }) =>
    records.map(({ record, finding }) => ({
      domain: domain.name,
      type: record.type,
      name: record.name,
      value: record.value,
      is_valid: record.is_valid,
      result: finding?.result ?? null,
      code: finding?.code ?? null,
      diagnosis: finding?.diagnosis ?? null,
      turn: finding?.turn ?? null,
      found: finding?.found ?? null,
      checked_at: finding === null ? null : checkedAt,
    })),
  );
}

/** The same for a format that has no escapes of its own: what hides in texts of somebody else is named. */
export function escapeExportRow(line: MatrixExportRow): MatrixExportRow {
  const entries = Object.entries(line).map(([column, value]) => {
    if (Array.isArray(value)) return [column, escapeInvisibleInJson(JSON.stringify(value))];
    return [column, typeof value === 'string' ? escapeInvisible(value) : value];
  });
  return Object.fromEntries(entries) as MatrixExportRow;
}

import { escapeInvisible, escapeInvisibleInJson } from '#contract/invisibleCharacters.ts';
import type { MatrixRow } from './matrix.ts';

/** The columns of an exported record. The names are those of the report of `dns-check` (docs/dns-check.md). */
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

type MatrixExportRow = Record<(typeof MATRIX_EXPORT_COLUMNS)[number], unknown>;

/** One row for each record. The columns of the live check are null where the record was not checked. */
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

/**
 * The row for a format without escapes of its own: invisible characters are replaced by their names, and lists by JSON.
 */
export function escapeExportRow(line: MatrixExportRow): MatrixExportRow {
  const entries = Object.entries(line).map(([column, value]) => {
    if (Array.isArray(value)) return [column, escapeInvisibleInJson(JSON.stringify(value))];
    return [column, typeof value === 'string' ? escapeInvisible(value) : value];
  });
  return Object.fromEntries(entries) as MatrixExportRow;
}

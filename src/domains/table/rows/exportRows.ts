import { escapeInvisible, escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';
import type { DomainRow } from './domainRow.ts';

/** One row for each listed record, with the fields of `dns-check --format csv`; null for what isn't known here. */
export function createExportRows(rows: readonly DomainRow[]) {
  return rows.flatMap(({ domain, findings, checkedAt }) =>
    findings.flatMap(({ record, result, code, turn, since, finding }) =>
      record === null
        ? []
        : {
            domain: domain.name,
            type: record.type,
            name: record.name,
            value: record.value,
            is_valid: record.is_valid,
            result: code === null ? null : result,
            code,
            diagnosis: finding?.diagnosis ?? null,
            turn,
            found: finding?.found ?? null,
            since,
            checked_at: code === null ? null : checkedAt,
          },
    ),
  );
}

/** For a format without escapes of its own: invisible characters as their names, lists as JSON. */
export function escapeExportRow(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([column, value]) => {
    if (Array.isArray(value)) return [column, escapeInvisibleInJson(JSON.stringify(value))];
    return [column, typeof value === 'string' ? escapeInvisible(value) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

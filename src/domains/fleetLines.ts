import { visible, visibleJson } from '#contract/visible.ts';
import type { FleetRow } from './fleet.ts';

/** One record of one domain, with both verdicts; the names are those of the command's report (docs/dns-check.md). */
export const FLEET_COLUMNS = [
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

export type FleetLine = Record<(typeof FLEET_COLUMNS)[number], unknown>;

/** What the matrix knows, a line for each record. What was not asked is null. */
export function fleetLines(rows: readonly FleetRow[]): FleetLine[] {
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
export function visibleLine(line: FleetLine): FleetLine {
  const entries = Object.entries(line).map(([column, value]) => {
    if (Array.isArray(value)) return [column, visibleJson(JSON.stringify(value))];
    return [column, typeof value === 'string' ? visible(value) : value];
  });
  return Object.fromEntries(entries) as FleetLine;
}

import type { FieldChange } from '#contract/change.ts';
import { isStrongReason, type SuppressionReason } from '#contract/suppressions/suppression.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { StoredContact } from './contactRow.ts';
import {
  addToCounts,
  byNumber,
  type ImportedSuppression,
  REASON,
  SINCE,
  type SuppressionCounts,
  type SuppressionRow,
} from './suppressions.ts';

// What an import adds to the record of somebody who is unsubscribed already: why, and since when.

/** Null is what nobody said; times are milliseconds. What is missing stays as it is. */
export type SuppressionFacts = { reason?: SuppressionReason | null; since?: number | null };

/** The time of a line of the log, which may not be written yet, or of the next one. */
export type TimeOfLine = (number?: number) => Promise<number>;

/**
 * What an import says and the record lacks: a reason, and the day of an unsubscribe by an import that didn't say it. A strong
 * reason isn't among it: it has a line of its own.
 */
export async function findMissing(
  row: StoredContact,
  { reason, since }: ImportedSuppression,
  timeOfLine: TimeOfLine,
): Promise<SuppressionFacts> {
  if (row.subscribed === 1) return {};
  const isNew = row.suppression_reason === '' && reason && !isStrongReason(reason);
  const facts: SuppressionFacts = isNew ? { reason } : {};
  if (since === undefined || row.suppression_origin !== 'import') return facts;
  const recorded = await recordedAt(row, timeOfLine);
  const isLater = row.suppression_line !== 0 && since >= recorded;
  return row.suppressed_at !== recorded || isLater ? facts : { ...facts, since };
}

/** When the service learnt of the unsubscribe: a contact that an import added without a line has the time of its own. */
const recordedAt = async ({ suppression_line, created_at }: StoredContact, timeOfLine: TimeOfLine): Promise<number> =>
  suppression_line === 0 ? created_at : timeOfLine(suppression_line);

/** The columns that differ, and the changes for the log. Counts them. */
export async function changeFacts(
  row: StoredContact,
  { reason, since }: SuppressionFacts,
  counts: SuppressionCounts,
  timeOfLine: TimeOfLine,
): Promise<{ columns: Partial<SuppressionRow>; changes: FieldChange[] }> {
  const columns = { suppression_reason: row.suppression_reason, suppressed_at: row.suppressed_at };
  const changes: FieldChange[] = [];
  if (reason !== undefined && (reason ?? '') !== row.suppression_reason) {
    columns.suppression_reason = reason ?? '';
    changes.push({ field: REASON, before: row.suppression_reason || null, after: reason });
  }
  if (since !== undefined) {
    const recorded = await recordedAt(row, timeOfLine);
    columns.suppressed_at = since === null ? recorded : Math.min(since, await timeOfLine());
    const said = (at: number) => (at === recorded ? null : timestamp(at));
    if (columns.suppressed_at !== row.suppressed_at)
      changes.push({ field: SINCE, before: said(row.suppressed_at), after: said(columns.suppressed_at) });
  }
  if (changes.length === 0) return { columns: {}, changes };
  addToCounts(counts, row, -1);
  addToCounts(counts, { ...row, ...columns }, 1);
  return { columns, changes };
}

/** Of those that `findMissing` asks for. */
export function readLineTimes(scope: Scope, rows: Iterable<StoredContact>): Promise<Map<number, number>> {
  const numbers = Array.from(rows).flatMap(({ subscribed, suppression_origin, suppression_line }) =>
    subscribed === 0 && suppression_origin === 'import' && suppression_line !== 0 ? suppression_line : [],
  );
  return lookUp<number, number>(scope, byNumber('changes'), 'created_at', numbers);
}

export async function readLineTime(scope: Scope, number: number): Promise<number> {
  const line = await scope
    .select('changes')
    .select('created_at')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return line.created_at;
}

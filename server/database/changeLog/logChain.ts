import { hash } from 'node:crypto';
import type { Tables } from '../schema/tables.ts';

// The hash chain of the log (docs/decisions/0031-log.md, docs/operations.md). An export can be verified with any implementation of
// SHA-256 and JSON.

/** The columns of a line that its hash is of, in this order. */
export const HASHED_COLUMNS = [
  'number',
  'uuid',
  'created_at',
  'action',
  'actor_kind',
  'actor',
  'actor_name',
  'actor_email',
  'actor_subject',
  'contact_uuid',
  'contact_number',
  'subscribed',
  'request_id',
  'run',
  'size',
  'values_digest',
] as const satisfies readonly (keyof Tables['changes'])[];

/** `erasure` is hashed if present: older lines have no such column. */
export type HashedLine = Pick<Tables['changes'], (typeof HASHED_COLUMNS)[number] | 'erasure'>;
export type LineValues = Pick<Tables['change_values'], 'salt' | 'summary' | 'changes'>;

/** The hash of a line that follows a line with the hash `before`; the first one follows an empty text. */
export function hashLine(before: string, line: HashedLine): string {
  const erasure = line.erasure === null ? [] : [line.erasure];
  return hashOf([before, ...HASHED_COLUMNS.map((column) => line[column]), ...erasure]);
}

/** With a salt, so that erased values can't be guessed and tested. */
export function digestValues({ salt, summary, changes }: LineValues): string {
  return hashOf([salt, summary, changes]);
}

/** Of an array of JSON without spaces, as UTF-8. */
function hashOf(values: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(values));
}

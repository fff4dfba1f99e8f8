import { formatCount } from '../ui/formatCount.ts';
import type { ColumnSummary, TableSummary } from './columns.ts';
import { isStrong } from './identityKind.ts';

/** Another column by which a row is read that is empty in its own. `isSure`: nobody has to confirm that it identifies the contact. */
export type Fallback = { index: number; isSure: boolean };

/** What is looked up, in the order in which the columns are tried. */
const ORDER = ['email', 'uuid', 'phone', 'ownId'];

/** What a column is looked up as. */
const sortOf = ({ kind, meaning }: ColumnSummary): string | null =>
  meaning.isOwnId ? 'ownId' : kind === 'number' ? 'phone' : kind;

/**
 * The columns that identify whoever has an empty cell in `column`, in the order in which they are tried. None is of somebody else,
 * such as an agent; there are none where the column itself may be. One that holds the same as `column`, or is not named as the
 * contact's first, is not sure.
 */
export function findFallbacks({ columns }: TableSummary, column: number): Fallback[] {
  const chosen = columns.find(({ index }) => index === column);
  if (chosen === undefined || !chosen.meaning.isIdentity || chosen.meaning.factor < 1) return [];
  const fallbacks = columns
    .filter((other) => other !== chosen && !other.meaning.isOfOthers)
    .filter(({ meaning, kind }) => meaning.isSure || isStrong(kind))
    .map((other) => ({
      index: other.index,
      isSure: other.meaning.isSure && sortOf(other) !== sortOf(chosen),
      order: ORDER.indexOf(sortOf(other) ?? ''),
    }));
  return fallbacks.toSorted((one, other) => one.order - other.order).map(({ index, isSure }) => ({ index, isSure }));
}

/** Says how many rows are read by other columns than `heading`; null where none are. */
export function describeFallbacks(
  entries: readonly { line: number; source: string | null; leftOut?: string | null }[],
  heading: string,
): string | null {
  const rows = new Map<string, Set<number>>();
  for (const { line, source, leftOut } of entries) {
    if (source === null || source === heading || (leftOut ?? null) !== null) continue;
    rows.set(source, (rows.get(source) ?? new Set()).add(line));
  }
  if (rows.size === 0) return null;
  const parts = Array.from(rows, ([source, { size }]) => `${formatCount(size)} by “${source}”`);
  return `Rows with no “${heading}” are read by another column: ${parts.join(', ')}.`;
}

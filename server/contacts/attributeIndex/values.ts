import { toNumber, toSpan, VALUE_MAX } from '#contract/contactFilter.ts';
import type { Attributes } from '#contract/values/field.ts';
import { upsertRows } from '../../database/insertRows.ts';
import type { NewRow, Scope } from '../../database/scope.ts';
import { beginning, foldSearch } from '../../database/search/textSearch.ts';
import { together } from '../../database/together.ts';
import { type AttributeIndex, parseIndexes, readIndexes } from './definitions.ts';

// What a filter compares the value of an attribute by.

export type IndexedValue = { value_key: string; value_rank: string | null };
type ValueRow = NewRow<'attribute_values'>;

/** Null for what has no single value. */
export function toIndexedValue(value: unknown): IndexedValue | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = String(value);
  return { value_key: toKey(text), value_rank: typeof value === 'boolean' ? null : toRank(value) };
}

/** Without letter case and accents. With one character more than a filter can name, no filter equals it. */
export function toKey(text: string): string {
  return beginning(foldSearch(text).trim(), VALUE_MAX + 1);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z)?$/;

/** Numbers, also in a text, and dates and times in UTC. */
function toRank(value: string | number): string | null {
  const number = typeof value === 'number' ? value : toNumber(value.trim());
  if (number !== null) return rankOf('number', number);
  const text = String(value).trim();
  const [, day = ''] = INSTANT.exec(text) ?? [];
  const time = toSpan(day) === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : rankOf('date', time);
}

/** What the ranks of a unit begin with. Those of no other are between it and the next letter. */
export const RANKS = { number: ['n', 'o'], date: ['d', 'e'] } as const;

/** Sorted as a text, by its bytes, it's sorted as a number: the 64 bits of IEEE 754, those of negative numbers turned over. */
export function rankOf(unit: keyof typeof RANKS, value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  // Not -0.
  view.setFloat64(0, value + 0);
  const bits = view.getBigUint64(0);
  const sign = 1n << 63n;
  const ordered = bits >= sign ? BigInt.asUintN(64, ~bits) : bits | sign;
  return RANKS[unit][0] + ordered.toString(16).padStart(16, '0');
}

/** The attributes of contacts before and after a transaction, by the contact's id. */
export type IndexedChanges = Map<number, { before: Attributes; after: Attributes }>;

export function noteChange(changes: IndexedChanges, id: number, change: { before: Attributes; after: Attributes }) {
  changes.set(id, { before: changes.get(id)?.before ?? change.before, after: change.after });
}

export const rowOf = (
  { number, name }: AttributeIndex,
  contact_id: number,
  attributes: Attributes,
): ValueRow | null => {
  const value = toIndexedValue(attributes[name]);
  return value && { attribute: number, contact_id, ...value };
};

/** `attributeIndexes` is the column of the workspace, in the transaction of the changes. */
export async function writeIndexedValues(
  scope: Scope,
  attributeIndexes: string,
  changes: IndexedChanges,
): Promise<void> {
  if (attributeIndexes === '[]' || changes.size === 0) return;
  const rows: ValueRow[] = [];
  const removed: Promise<unknown>[] = [];
  for (const index of parseIndexes(attributeIndexes)) {
    const gone: number[] = [];
    for (const [id, { before, after }] of changes) {
      if (before[index.name] === after[index.name]) continue;
      const row = rowOf(index, id, after);
      if (row !== null) rows.push(row);
      else if (before[index.name] !== undefined) gone.push(id);
    }
    if (gone.length > 0) removed.push(deleteValues(scope, [index.number], gone));
  }
  await together([...removed, upsertRows(scope, 'attribute_values', rows, REPLACES)]);
}

const REPLACES = `on conflict (workspace_id, attribute, contact_id)
  do update set value_key = excluded.value_key, value_rank = excluded.value_rank`;

/** Removes a contact from the indexes. */
export async function removeIndexedValues(scope: Scope, id: number): Promise<void> {
  const indexes = await readIndexes(scope);
  const numbers = indexes.map(({ number }) => number);
  if (numbers.length > 0) await deleteValues(scope, numbers, [id]);
}

const deleteValues = (scope: Scope, numbers: readonly number[], ids: readonly number[]): Promise<unknown> =>
  scope.delete('attribute_values').where('attribute', 'in', numbers).where('contact_id', 'in', ids).execute();

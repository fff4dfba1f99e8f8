import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import { engineOf } from '../engine.ts';
import { countMatchingRows, type ListSource, type MatchingRows } from '../paging/listPage.ts';
import type { Scope } from '../scope.ts';
import type { SearchTotals } from './searchTotals.ts';

/** A condition that contacts meet. */
export type ContactCondition = {
  /** In SQL that reads `contacts`, for each of them. */
  each: RawBuilder<SqlBool>;
  /** The column that it is on, if that isn't in every index of contacts. */
  column?: string;
  /**
   * `from` and `where` of rows with the `contact_id` of those that meet it, each once, or of the others; null for a condition on the
   * columns of contacts.
   */
  stored: { rows: RawBuilder<unknown>; isOthers: boolean } | null;
};

/** Up to so many contacts are found first, and then put in order. */
const FOUND_MAX = 5_000;
/** Contacts that are tested one by one for a page. For more, all that meet the conditions are found first. */
const TESTED_MAX = 20_000;

export const onColumn = (each: RawBuilder<SqlBool>, column?: string): ContactCondition => ({
  each,
  stored: null,
  ...(column !== undefined && { column }),
});

/**
 * A condition that other rows decide. A subquery for each contact is one that PostgreSQL never turns into a join, which could compare each
 * contact with each row; it takes it for true of nearly all contacts.
 */
export function onRows(rows: RawBuilder<unknown>, isOthers: boolean): ContactCondition {
  const found = sql`(select 1 ${rows} and contact_id = contacts.id limit 1)`;
  return {
    each: isOthers ? sql`coalesce(${found}, 0) <> 1` : sql`${found} is not null`,
    stored: { rows, isOthers },
  };
}

/** Known contacts as the rows of a list. */
export const listKnown = (scope: Scope, ids: readonly number[]): MatchingRows =>
  engineOf(scope.kysely).searchIndex.toMatchingRows(ids);

/**
 * The contacts that meet all conditions, of which there is at least one. `sortedBy` is the first column of the list's order, and `until`
 * how many of its rows are needed.
 */
export async function findFilteredContacts(
  scope: Scope,
  list: ListSource,
  conditions: readonly ContactCondition[],
  { totals, sortedBy, until }: { totals: SearchTotals; sortedBy: string; until: number },
): Promise<MatchingRows> {
  const ids = selectIds(scope, conditions);
  let total = totals.find([]);
  if (total === undefined) {
    const rows = await scope.run(sql<{ total: number }>`select count(*) as total from (${ids}) as found_ids`);
    ({ total } = must(rows[0]));
    totals.keep([], total);
  }
  if (total <= FOUND_MAX) {
    const rows = await scope.run(ids);
    return listKnown(
      scope,
      rows.map(({ id }) => id),
    );
  }
  const isDeep = (Math.min(until, total - until) * list.size) / total > TESTED_MAX;
  const tests = conditions.map(({ each, stored }) => (isDeep && stored !== null ? isInSet(stored) : each));
  const matching = await countMatchingRows(scope, list, sql`${sql.join(tests, sql` and `)}`, { total });
  const isIndexed = conditions.every(({ column = sortedBy }) => column === sortedBy);
  return { ...matching, isIndexed, ...(isDeep && { keys: sql`select id as found from (${ids}) as found_ids` }) };
}

/** Where keys are known, PostgreSQL doesn't use it: it may compare each contact with each row. */
const isInSet = ({ rows, isOthers }: NonNullable<ContactCondition['stored']>) =>
  sql<SqlBool>`contacts.id ${sql.raw(isOthers ? 'not in' : 'in')} (select contact_id ${rows})`;

/**
 * As sets, because no engine can choose a slow join then. Both take one part after the other: PostgreSQL each `intersect` before each
 * `except`, and these come last.
 */
function selectIds(scope: Scope, conditions: readonly ContactCondition[]): RawBuilder<{ id: number }> {
  const stored = conditions.flatMap((condition) => condition.stored ?? []);
  const [wanted, others] = [stored.filter(({ isOthers }) => !isOthers), stored.filter(({ isOthers }) => isOthers)];
  const columns = conditions.filter((condition) => condition.stored === null).map(({ each }) => each);
  const sets = wanted.map(({ rows }) => sql`select contact_id as id ${rows}`);
  if (columns.length > 0 || sets.length === 0) {
    const check = engineOf(scope.kysely).cancellationCheck(sql.ref('id'));
    sets.push(
      sql`select id from contacts where workspace_id = ${scope.id} and ${sql.join([check, ...columns], sql` and `)}`,
    );
  }
  const without = others.map(({ rows }) => sql` except select contact_id as id ${rows}`);
  return sql`${sql.join(sets, sql` intersect `)}${sql.join(without, sql``)}`;
}

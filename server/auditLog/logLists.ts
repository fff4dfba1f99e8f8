import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import { chunks } from '../database/chunks.ts';
import type { Scope } from '../database/scope.ts';

// Each line of the log has its place in four lists: of all lines, of its actor, of its action, and of both. Places are numbered
// without gaps and in the order of time, so that a page is a range of them, and where a time begins is found by halving. Only single
// lines are looked up, each by its whole key: on PostgreSQL no statistics could lead such a look-up to another index.

/** A list of lines: `place` is the column that numbers them, `within` the condition for them besides the workspace. */
export type LineGroup = {
  place: 'number' | 'actor_number' | 'action_number' | 'actor_action_number';
  within: RawBuilder<SqlBool>;
};

const ALL_LINES: LineGroup = { place: 'number', within: sql`true` };

export function groupOf(actor: string | null, action: string | null): LineGroup {
  if (actor === null && action === null) return ALL_LINES;
  if (action === null) return { place: 'actor_number', within: sql`actor = ${actor}` };
  if (actor === null) return { place: 'action_number', within: sql`action = ${action}` };
  return { place: 'actor_action_number', within: sql`actor = ${actor} and action = ${action}` };
}

/** Some lines in a row: numbers of the first one and of the one after the last. */
export type LineRange = { from: number; until: number };

/** How many lines, and the numbers of those on a page. */
type FoundLines = { total: number; numbers: number[] };

type PageOfLines = { offset: number; limit: number; newestFirst: boolean };

/** Statements with more groups would be too large. */
const GROUPS_AT_ONCE = 50;

/** A page of the lines of `groups`, of which no two have a line in common, that are in `range`. */
export async function findLines(
  scope: Scope,
  groups: readonly LineGroup[],
  range: LineRange,
  { offset, limit, newestFirst }: PageOfLines,
): Promise<FoundLines> {
  const [firsts, ends] = [await countBefore(scope, groups, range.from), await countBefore(scope, groups, range.until)];
  const total = sum(ends) - sum(firsts);
  const count = Math.min(limit, total - offset);
  if (count <= 0) return { total, numbers: [] };
  // The lines of the page are the last ones before a line, counted from the oldest.
  const skipped = newestFirst ? total - offset : offset + count;
  const until = skipped === total ? ends : await splitAt(scope, groups, sum(firsts) + skipped, range);
  const numbers: number[] = [];
  const parts = groups.map((group, index) => {
    const last = must(until[index]);
    return numbersBetween(scope, group, Math.max(must(firsts[index]), last - count) + 1, last);
  });
  for (const part of chunks(parts, GROUPS_AT_ONCE)) {
    const rows = await scope.run(sql<{ number: number }>`${sql.join(part, sql` union all `)}`);
    numbers.push(...rows.map(({ number }) => number));
  }
  const found = numbers.toSorted((one, other) => one - other).slice(-count);
  return { total, numbers: newestFirst ? found.toReversed() : found };
}

/** The number of the first line that is not before `time`; one more than there are lines where all are before it. */
export async function firstLineSince(scope: Scope, time: number, lines: number): Promise<number> {
  const [row] = await scope.run(sql<{ found: number }>`
    select ${seek(scope, ALL_LINES, lines, 'created_at', time)} as found`);
  return must(row).found;
}

function numbersBetween(scope: Scope, { place, within }: LineGroup, first: number, last: number): RawBuilder<unknown> {
  return sql`
    select number from changes where workspace_id = ${scope.id} and ${within}
      and ${sql.ref(place)} >= ${first} and ${sql.ref(place)} <= ${last}`;
}

/** How many lines of each group are before the line `number`. */
async function countBefore(scope: Scope, groups: readonly LineGroup[], number: number): Promise<number[]> {
  if (number <= 1) return groups.map(() => 0);
  const counts: number[] = [];
  for (const some of chunks(groups, GROUPS_AT_ONCE)) {
    const terms = some.map((group, index) => {
      const last = sql<number>`coalesce((
        select ${sql.ref(group.place)} from changes where workspace_id = ${scope.id} and ${group.within}
        order by ${sql.ref(group.place)} desc limit 1), 0)`;
      const before =
        group.place === 'number' ? sql`${number - 1}` : sql`${seek(scope, group, last, 'number', number)} - 1`;
      return sql`cast(${before} as bigint) as ${sql.ref(`g${index}`)}`;
    });
    const [row] = await scope.run(sql<Record<string, number>>`select ${sql.join(terms)}`);
    counts.push(...some.map((_, index) => must(must(row)[`g${index}`])));
  }
  return counts;
}

/**
 * How many lines of each group are among the first `count` of all groups together. With one group that is `count`; else the number
 * of the line that follows them is found by halving.
 */
async function splitAt(
  scope: Scope,
  groups: readonly LineGroup[],
  count: number,
  { from, until }: LineRange,
): Promise<number[]> {
  if (groups.length === 1) return [count];
  let [low, high] = [from, until];
  for (;;) {
    const middle = Math.floor((low + high) / 2);
    const counts = await countBefore(scope, groups, middle);
    const reached = sum(counts);
    if (reached === count) return counts;
    if (reached < count) low = middle + 1;
    else high = middle;
  }
}

/**
 * SQL: the first place in `group`, of which `last` is the last one, whose line has at least `target` in `column`; one more than `last`
 * where none has. The column does not fall from line to line.
 */
function seek(
  scope: Scope,
  { place, within }: LineGroup,
  last: RawBuilder<number> | number,
  column: 'number' | 'created_at',
  target: number,
): RawBuilder<number> {
  const isBefore = sql`(
    select ${sql.ref(column)} from changes
    where workspace_id = ${scope.id} and ${within} and ${sql.ref(place)} = (low + high) / 2
  ) < ${target}`;
  return sql<number>`(
    with recursive halves (low, high) as (
      select cast(1 as bigint), cast(${last} as bigint) + 1
      union all
      select case when ${isBefore} then (low + high) / 2 + 1 else low end,
        case when ${isBefore} then high else (low + high) / 2 end
      from halves where low < high
    )
    select low from halves where low = high)`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((one, other) => one + other, 0);
}

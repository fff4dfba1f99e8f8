import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { type Comparison, type Condition, type FilterTerm, VALUE_MAX } from '#contract/contactFilter.ts';
import { UNKNOWN } from '#contract/suppressions/suppressedContacts.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { Scope } from '../../database/scope.ts';
import { type ContactCondition, onColumn, onRows } from '../../database/search/filterContacts.ts';
import { NOT_PREPARED } from '../../database/statement.ts';
import type { AttributeIndex } from '../attributeIndex/definitions.ts';
import { RANKS, rankOf, toIndexedValue, toKey } from '../attributeIndex/values.ts';

export type AttributeCondition = Extract<Condition, { name: string; kind: 'equals' | 'compares' }>;

export const isOfAttribute = (condition: Condition): condition is AttributeCondition =>
  condition.kind === 'equals' || condition.kind === 'compares';

const DAY_MS = 86_400_000;
const notPrepared = sql.raw(NOT_PREPARED);

/** Of a term that is no attribute, or one with an index. */
export function toFilterCondition(
  scope: Scope,
  { condition, isNegated }: FilterTerm,
  indexes: ReadonlyMap<string, AttributeIndex>,
  now: number,
): ContactCondition {
  switch (condition.kind) {
    case 'subscribed':
      return onColumn(negateIf(isNegated, sql`contacts.subscribed = 1`));
    case 'created':
    case 'updated': {
      const column = `${condition.kind}_at`;
      return onColumn(negateIf(isNegated, isWithin(sql.ref(`contacts.${column}`), toRange(condition))), column);
    }
    case 'since': {
      const column = 'suppressed_at';
      const isOf = sql<SqlBool>`(contacts.subscribed = 0 and ${isWithin(sql.ref(`contacts.${column}`), toRange(condition))})`;
      return onColumn(negateIf(isNegated, isOf), column);
    }
    case 'reason':
    case 'origin': {
      const value = condition.value === UNKNOWN ? '' : condition.value;
      const column = `suppression_${condition.kind}`;
      const isOf = sql<SqlBool>`(contacts.subscribed = 0 and ${sql.ref(`contacts.${column}`)} = ${value})`;
      return onColumn(negateIf(isNegated, isOf), column);
    }
    case 'run':
      return isOfRun(scope, condition.value, isNegated);
    case 'event':
      return onRows(
        selectEventNames(scope, condition.name, condition.days && now - condition.days * DAY_MS),
        isNegated,
      );
    case 'equals':
    case 'compares':
      return onRows(
        sql`from attribute_values where attribute_values.workspace_id = ${scope.id}
          and attribute = ${indexes.get(condition.name)?.number} and ${isValue(condition)}`,
        isNegated,
      );
  }
}

/** The line that unsubscribed a contact is of the run: found by its number, and all of a run by their index. */
function isOfRun(scope: Scope, run: string, isOthers: boolean): ContactCondition {
  const line = sql`(
    select 1 from changes where changes.workspace_id = ${scope.id} and changes.number = contacts.suppression_line
      and changes.run = ${run} and changes.subscribed = 0 limit 1)`;
  const rows = sql`from (
      select listed.id as contact_id from changes join contacts as listed
        on listed.workspace_id = changes.workspace_id and listed.uuid = changes.contact_uuid
        and listed.suppression_line = changes.number
      where changes.workspace_id = ${scope.id} and changes.run = ${run} and changes.subscribed = 0
    ) as of_run where true`;
  return {
    each: sql`${notPrepared} ${isOthers ? sql`coalesce(${line}, 0) <> 1` : sql`${line} is not null`}`,
    stored: { rows: sql`${notPrepared} ${rows}`, isOthers },
  };
}

const negateIf = (isNegated: boolean, condition: RawBuilder<SqlBool>) =>
  sql<SqlBool>`${notPrepared} ${isNegated ? sql`not ` : sql``}${condition}`;

function selectEventNames(scope: Scope, name: string, since: number | null): RawBuilder<unknown> {
  const isRecent = sql`(
    select 1 from events where events.workspace_id = ${scope.id} and events.contact_id = event_names.contact_id
      and events.event_name = ${name} and events.created_at >= ${since} limit 1) is not null`;
  return sql`${notPrepared} from event_names where event_names.workspace_id = ${scope.id} and event_name = ${name}
    ${since === null ? sql`` : sql`and ${isRecent}`}`;
}

type Bounds<Value> = { from: Value | null; to: Value | null };

/** Times from `from` to before `to`. */
function toRange({ operator, start, end }: Comparison): Bounds<number> {
  const from = { '': start, '>': end, '>=': start, '<': null, '<=': null }[operator];
  const to = { '': end, '>': null, '>=': null, '<': start, '<=': end }[operator];
  return { from, to };
}

function isWithin(column: RawBuilder<unknown>, { from, to }: Bounds<string | number>): RawBuilder<SqlBool> {
  const parts = [
    ...(from === null ? [] : [sql`${column} >= ${from}`]),
    ...(to === null ? [] : [sql`${column} < ${to}`]),
  ];
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}

/** Ranks from `from` to before `to`, all of them of the unit. */
function toRanks({ unit, operator, start, end }: Extract<Condition, { kind: 'compares' }>): Bounds<string> {
  const [first, next] = RANKS[unit];
  // Behind a number comes the same with another character.
  const [from, to] = [rankOf(unit, start), unit === 'date' ? rankOf(unit, end) : `${rankOf(unit, end)}!`];
  const range = toRange({ operator, start: 0, end: 1 });
  const rankAt = (edge: number | null, open: string) => (edge === null ? open : edge === 0 ? from : to);
  return { from: rankAt(range.from, first), to: rankAt(range.to, next) };
}

function isValue(condition: AttributeCondition): RawBuilder<SqlBool> {
  if (condition.kind === 'equals') return sql`${notPrepared} value_key = ${toKey(condition.value)}`;
  return sql<SqlBool>`${notPrepared} ${isWithin(sql.ref('value_rank'), toRanks(condition))}`;
}

/** Whether a value is longer without letter case and accents than values are compared. */
export const isTooLong = (condition: Condition): boolean =>
  condition.kind === 'equals' && Array.from(toKey(condition.value)).length > VALUE_MAX;

/** Whether attributes meet conditions, without an index. */
export function createTest(terms: readonly (FilterTerm & { condition: AttributeCondition })[]) {
  const tests = terms.map(({ condition, isNegated }) => {
    const { name } = condition;
    const isOf = toTest(condition);
    return (attributes: Attributes) => isOf(attributes[name]) !== isNegated;
  });
  return (attributes: Attributes): boolean => tests.every((test) => test(attributes));
}

function toTest(condition: AttributeCondition): (value: unknown) => boolean {
  if (condition.kind === 'equals') {
    const key = toKey(condition.value);
    return (value) => toIndexedValue(value)?.value_key === key;
  }
  const { from, to } = toRanks(condition);
  return (value) => {
    const rank = toIndexedValue(value)?.value_rank ?? null;
    return rank !== null && rank >= (from ?? '') && (to === null || rank < to);
  };
}

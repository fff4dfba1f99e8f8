import { sql, type SqlBool } from 'kysely';
import { type FilterTerm, parseFilter } from '#contract/contactFilter.ts';
import { type FieldError, SCANNED_MAX } from '#contract/list.ts';
import { ITERATION_PAGE_SIZE, iteratePages } from '../../database/paging/iteratePages.ts';
import type { Scope } from '../../database/scope.ts';
import type { ContactCondition } from '../../database/search/filterContacts.ts';
import { type AttributeIndex, parseIndexes } from '../attributeIndex/definitions.ts';
import { parseAttributes } from '../contactRow.ts';
import { type AttributeCondition, createTest, isOfAttribute, isTooLong, toFilterCondition } from './conditions.ts';

/** Conditions of a filter: each may take a second. */
const TERMS_MAX = 8;

/** A filter or an order that can't be read or answered. */
export class InvalidFilterError extends Error {
  override readonly name = 'InvalidFilterError';
  readonly errors: FieldError[];

  constructor(messages: readonly string[], field = 'filter') {
    super(messages.join(' '));
    this.errors = messages.map((message) => ({ field, message }));
  }
}

type OfAttribute = FilterTerm & { condition: AttributeCondition };

/** `attributes` are those without an index. */
export type ContactFilter = { conditions: ContactCondition[]; attributes: OfAttribute[]; hasEvents: boolean };

export const NO_FILTER: ContactFilter = { conditions: [], attributes: [], hasEvents: false };

/** Throws `InvalidFilterError`. */
export function readContactFilter(
  scope: Scope,
  text: string,
  { contact_count, attribute_indexes }: { contact_count: number; attribute_indexes: string },
  now: number,
): ContactFilter {
  const { terms, errors } = parseFilter(text);
  const tooLong = terms.filter(({ condition }) => isTooLong(condition));
  const faults = [...errors, ...tooLong.map(({ at }) => ({ at, message: 'The value is too long.' }))];
  if (faults.length > 0) {
    throw new InvalidFilterError(faults.map(({ at, message }) => `At character ${at + 1}: ${message}`));
  }
  if (terms.length > TERMS_MAX) throw new InvalidFilterError([`A filter has at most ${TERMS_MAX} conditions.`]);
  const ready = parseIndexes(attribute_indexes).filter(({ state }) => state === 'ready');
  const indexes = new Map(ready.map((index) => [index.name, index]));
  const isUnindexed = (term: FilterTerm): term is OfAttribute =>
    isOfAttribute(term.condition) && !indexes.has(term.condition.name);
  const attributes = terms.filter(isUnindexed);
  if (contact_count > SCANNED_MAX && attributes.length > 0) throw unindexed(scope, attributes, attribute_indexes);
  const hasEvents = terms.some(({ condition }) => condition.kind === 'event');
  const conditions = terms
    .filter((term) => !isUnindexed(term))
    .map((term) => toFilterCondition(scope, term, indexes, now));
  return {
    conditions: [...conditions, ...(hasEvents ? [isNotErased(scope)] : [])],
    attributes,
    hasEvents,
  };
}

/** An erasure may leave names of events for later (privacy/finishErasures.ts). */
const isNotErased = (scope: Scope): ContactCondition => ({
  each: sql`true`,
  stored: { rows: sql`from erasures where workspace_id = ${scope.id} and finished_at is null`, isOthers: true },
});

function unindexed(scope: Scope, terms: readonly OfAttribute[], attributeIndexes: string): InvalidFilterError {
  const states = new Map(
    parseIndexes(attributeIndexes).map(({ name, state }) => [name, state] as [string, AttributeIndex['state']]),
  );
  const names = new Set(terms.map(({ condition }) => condition.name));
  return new InvalidFilterError(
    Array.from(names, (name) => {
      if (states.get(name) === 'building') return `The index of ${name} is being built. Try again later.`;
      const command = `npm run admin -- index add --workspace ${scope.workspace.uuid} ${quoteForShell(name)}`;
      return `With more than ${SCANNED_MAX.toLocaleString('en')} contacts, ${name} needs an index. An operator adds it: ${command}`;
    }),
  );
}

/** An attribute may have any name. */
const quoteForShell = (name: string) =>
  /^[\w.][\w.-]*$/.test(name) ? name : `-- '${name.replaceAll("'", String.raw`'\''`)}'`;

/** The ids of the contacts that meet the filter, where an attribute has no index. */
export async function scanContacts(
  scope: Scope,
  { conditions, attributes }: ContactFilter,
  others: readonly ContactCondition[],
): Promise<number[]> {
  const test = createTest(attributes);
  const all = [...others, ...conditions].map(({ each }) => each);
  const found: number[] = [];
  const rows = iteratePages((last: { id: number; attributes: string } | null) =>
    scope
      .select('contacts')
      .select(['id', 'attributes'])
      .where('id', '>', last?.id ?? 0)
      .where(sql<SqlBool>`${sql.join([sql`true`, ...all], sql` and `)}`)
      .orderBy('id')
      .limit(ITERATION_PAGE_SIZE)
      .execute(),
  );
  for await (const row of rows) if (test(parseAttributes(row.attributes) ?? {})) found.push(row.id);
  return found;
}

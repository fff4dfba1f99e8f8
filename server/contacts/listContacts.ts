import { type Selectable, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Contact } from '#contract/contact.ts';
import { type CheckedListQuery, isAttribute, type Page } from '#contract/list.ts';
import { parseSearch } from '../database/search/textSearch.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Scope } from '../database/scope.ts';
import {
  type ListSource,
  type MatchingRows,
  mayTakeLong,
  orderOf,
  readPage,
  withRowKey,
} from '../database/paging/listPage.ts';
import { limitPageBytes, hasLargeRows } from '../database/paging/pageSize.ts';
import type { Workspace } from '../database/workspace.ts';
import { contactOf, type ContactRow, CONTACT_COLUMNS } from './contactRow.ts';
import { readTickets } from './listSuppressions.ts';
import { NO_FILTER, readContactFilter, scanContacts } from './filter/contactFilter.ts';
import { readSortedPage } from './sortByAttribute.ts';
import { SUPPRESSION_COLUMNS, type SuppressionRow } from './suppressions.ts';
import { findFilteredContacts, listKnown, onColumn } from '../database/search/filterContacts.ts';
import { findSearchedContacts } from '../database/search/searchContacts.ts';
import { SearchTotals } from '../database/search/searchTotals.ts';
import { timestamp } from '../database/timestamp.ts';
import { EXPORT_PAGE_SIZE, iterateLines } from '../database/paging/iteratePages.ts';

/** By the names in `sorting[]`. */
const SORT_COLUMNS: Readonly<Record<string, string>> = {
  email: 'email_key',
  first_name: 'first_name_key',
  last_name: 'last_name_key',
  company: 'company_key',
  subscribed: 'subscribed',
  created_at: 'created_at',
  updated_at: 'updated_at',
};

/**
 * A page of the contacts. Newest first unless sorted; equal rows by uuid, in the direction of the last descriptor. Throws
 * `InvalidFilterError`.
 */
export async function listContacts(
  workspace: Workspace,
  db: Database,
  requestedQuery: CheckedListQuery,
  now = Date.now(),
): Promise<Page<Contact>> {
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id}`;
      const counted = await scope
        .select('workspace_heads')
        .select([...COUNTS, hasLargeRows('contacts', within).as('has_large')])
        .executeTakeFirstOrThrow();
      const query = counted.has_large
        ? await limitPageBytes(scope, 'contacts', within, requestedQuery)
        : requestedQuery;
      const list: ListSource<'contacts'> = { table: 'contacts', key: 'id', within, size: counted.contact_count };
      list.matching = await findMatching(scope, list, query, counted, now);
      const [sort] = query.sorting;
      if (sort !== undefined && isAttribute(sort.id)) return readSortedPage(scope, list, sort, query);
      const order = orderOf(query, (id) => sql.ref(must(SORT_COLUMNS[id])));
      // A search or filter may know ids of contacts, not rows.
      const source = query.search === '' && query.filters['filter'] === undefined ? withRowKey(scope, list) : list;
      return readPage(scope, source, order, query, (rows) => rows.map(contactOf));
    },
    { isLong: mayTakeLong(requestedQuery) || requestedQuery.sorting.some(({ id }) => isAttribute(id)) },
  );
}

const COUNTS = ['contact_count', 'subscribed_count', 'search_mark', 'log_count', 'attribute_indexes'] as const;

async function findMatching(
  scope: Scope,
  list: ListSource<'contacts'>,
  { search, filters, sorting, page, per_page }: CheckedListQuery,
  counted: Pick<Selectable<Tables['workspace_heads']>, (typeof COUNTS)[number]>,
  now: number,
): Promise<MatchingRows | undefined> {
  const { subscribed, filter: text } = filters;
  const isWanted = subscribed === undefined ? null : sql<SqlBool>`subscribed = ${Number(subscribed)}`;
  const words = parseSearch(search);
  const filter = typeof text === 'string' ? readContactFilter(scope, text, counted, now) : NO_FILTER;
  const others = isWanted === null ? [] : [onColumn(isWanted)];
  const isFiltered = filter.conditions.length > 0 || filter.attributes.length > 0;
  // Each change of a contact adds a line to the log, and an event doesn't.
  const mark = filter.hasEvents ? 0 : counted.search_mark;
  const totals = new SearchTotals(scope, mark, isFiltered ? [filters, counted.log_count] : filters);
  if (filter.attributes.length > 0) {
    const found = listKnown(scope, await scanContacts(scope, filter, others));
    return words.length === 0
      ? found
      : findSearchedContacts(scope, list, { words, filters: [found.condition], totals });
  }
  const conditions = [...others, ...filter.conditions];
  if (words.length > 0) {
    return findSearchedContacts(scope, list, { words, filters: conditions.map(({ each }) => each), totals });
  }
  if (isFiltered) {
    return findFilteredContacts(scope, list, conditions, {
      totals,
      sortedBy: sorting[0]?.id ?? 'created_at',
      until: page * per_page,
    });
  }
  if (isWanted === null) return undefined;
  const total = subscribed === true ? counted.subscribed_count : list.size - counted.subscribed_count;
  return { condition: isWanted, total, isIndexed: true };
}

/**
 * All contacts of the workspace as lines of JSON, a page at a time, in the order of their ids: an import gives those of one batch in an order of
 * its own. Stored attributes are JSON already.
 */
export function exportContacts(scope: Scope): AsyncGenerator<string[]> {
  return iterateLines<ExportedRow>(
    (last) =>
      scope
        .select('contacts')
        .select(['id', ...CONTACT_COLUMNS, ...SUPPRESSION_COLUMNS])
        .where('id', '>', last?.id ?? 0)
        .orderBy('id')
        .limit(sql.lit(EXPORT_PAGE_SIZE))
        .execute(),
    async (rows) => {
      const tickets = await readTickets(scope, rows);
      return rows.map((row) => contactText(row, tickets.get(row.suppression_line) ?? null));
    },
  );
}

type ExportedRow = { id: number } & ContactRow & SuppressionRow;

function contactText(row: ExportedRow, ticket: string | null): string {
  const { uuid, subscribed, attributes, created_at, updated_at } = row;
  const times = `"created_at":"${timestamp(created_at)}","updated_at":"${timestamp(updated_at)}"`;
  const why = subscribed === 1 ? null : exportedSuppression(row, ticket);
  const suppression = why === null ? '' : `,"suppression":${JSON.stringify(why)}`;
  return `{"uuid":"${uuid}","subscribed":${subscribed === 1},"attributes":${attributes},${times}${suppression}}`;
}

/** With `since` also where nobody said it: an import without it would record its own time. */
function exportedSuppression(row: ExportedRow, ticket: string | null): object {
  return {
    reason: row.suppression_reason || null,
    ...(ticket !== null && { ticket }),
    ...(row.suppression_origin !== '' && { origin: row.suppression_origin }),
    since: timestamp(row.suppressed_at),
  };
}

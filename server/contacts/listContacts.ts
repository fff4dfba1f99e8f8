import { sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Contact } from '#contract/contact.ts';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import { parseSearch } from '../database/search/textSearch.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { type ListSource, mayTakeLong, orderOf, readPage, withRowKey } from '../database/paging/listPage.ts';
import { limitPageBytes, hasLargeRows } from '../database/paging/pageSize.ts';
import type { Workspace } from '../database/workspace.ts';
import { contactOf, type ContactRow, CONTACT_COLUMNS } from './contactRow.ts';
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

/** A page of the contacts. Newest first unless sorted; equal rows by uuid, in the direction of the last descriptor. */
export async function listContacts(
  workspace: Workspace,
  db: Database,
  requestedQuery: CheckedListQuery,
): Promise<Page<Contact>> {
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id}`;
      const counted = await scope
        .selectOwn()
        .select(['contact_count', 'subscribed_count', 'search_mark', hasLargeRows('contacts', within).as('has_large')])
        .executeTakeFirstOrThrow();
      const query = counted.has_large
        ? await limitPageBytes(scope, 'contacts', within, requestedQuery)
        : requestedQuery;
      const order = orderOf(query, (id) => sql.ref(must(SORT_COLUMNS[id])));
      const list: ListSource<'contacts'> = { table: 'contacts', key: 'id', within, size: counted.contact_count };
      const { subscribed } = query.filters;
      const isWanted = subscribed === undefined ? [] : [sql<SqlBool>`subscribed = ${Number(subscribed)}`];
      const words = parseSearch(query.search);
      if (words.length > 0) {
        const totals = new SearchTotals(scope, counted.search_mark, query.filters);
        list.matching = await findSearchedContacts(scope, list, { words, filters: isWanted, totals });
      } else if (isWanted[0] !== undefined) {
        const total = subscribed === true ? counted.subscribed_count : list.size - counted.subscribed_count;
        list.matching = { condition: isWanted[0], total, isIndexed: true };
      }
      // A search knows ids of contacts, not rows.
      const source = words.length > 0 ? list : withRowKey(scope, list);
      return readPage(scope, source, order, query, (rows) => rows.map(contactOf));
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

/**
 * All contacts of the workspace as lines of JSON, a page at a time, in the order of their ids: an import gives those of one batch in an order of
 * its own. Stored attributes are JSON already.
 */
export function exportContacts(scope: Scope): AsyncGenerator<string[]> {
  return iterateLines<{ id: number } & ContactRow>(
    (last) =>
      scope
        .select('contacts')
        .select(['id', ...CONTACT_COLUMNS])
        .where('id', '>', last?.id ?? 0)
        .orderBy('id')
        .limit(sql.lit(EXPORT_PAGE_SIZE))
        .execute(),
    (rows) => rows.map(contactText),
  );
}

function contactText({ uuid, subscribed, attributes, created_at, updated_at }: ContactRow): string {
  const times = `"created_at":"${timestamp(created_at)}","updated_at":"${timestamp(updated_at)}"`;
  return `{"uuid":"${uuid}","subscribed":${subscribed === 1},"attributes":${attributes},${times}}`;
}

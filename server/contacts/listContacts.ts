import { sql, type SqlBool } from 'kysely';
import { must } from '#contract/must.ts';
import type { Contact } from '#contract/contact.ts';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import { parseSearch } from '../database/textSearch.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { type ListSource, NEWEST_FIRST, readKeys, readRows, type SortTerm, withRowKey } from '../database/listPage.ts';
import { limitPageBytes, hasLargeRows } from '../database/pageSize.ts';
import type { Workspace } from '../database/workspace.ts';
import { contactOf, type ContactRow, CONTACT_COLUMNS } from './contactRow.ts';
import { type ContactList, countOf, readContactKeys } from '../database/contactPages.ts';
import { readSearchedIds } from '../database/searchContacts.ts';
import { SearchTotals } from '../database/searchTotals.ts';
import { timestamp } from '../database/timestamp.ts';
import { EXPORT_PAGE_SIZE, iterateLines } from '../database/iteratePages.ts';

/** Looking up and sorting a contact takes as long as scanning so many entries of an index. */
const LOOKUP_COST = 50;

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
  // Any other page is found by counters.
  const mayTakeLong = requestedQuery.search !== '' || requestedQuery.sorting.length > 1;
  const read = mayTakeLong ? db.readLong : db.read;
  return read(workspace, async (scope) => {
    const within = sql<SqlBool>`workspace_id = ${scope.id}`;
    const counted = await scope
      .selectOwn()
      .select(['contact_count', 'subscribed_count', 'search_mark', hasLargeRows('contacts', within).as('has_large')])
      .executeTakeFirstOrThrow();
    const query = counted.has_large ? await limitPageBytes(scope, 'contacts', within, requestedQuery) : requestedQuery;
    const sorting = query.sorting.length > 0 ? query.sorting : [NEWEST_FIRST];
    const list: ListSource = { table: 'contacts', key: 'id', within, size: counted.contact_count };
    const byRow = withRowKey(scope, list);
    const contacts = toContactList(scope, byRow, counted, query);
    if (contacts !== null) {
      const rows = await readRows<ContactRow>(scope, byRow, await readContactKeys(contacts, sorting, query));
      return { data: rows.map(contactOf), meta: createPageMeta(query, countOf(contacts)) };
    }
    const order = sorting.map(({ id, desc }) => ({ by: sql.ref(must(SORT_COLUMNS[id])), desc }));
    const found = await readFoundIds(scope, list, { ...query, sorting }, counted, order);
    const rows = await readRows<ContactRow>(scope, list, found.ids);
    return { data: rows.map(contactOf), meta: createPageMeta(query, found.total) };
  });
}

type CountedContacts = { contact_count: number; subscribed_count: number };

/** What is listed, where its page is found by counters; null for a search, and where it has so few contacts that they are sorted sooner. */
function toContactList(
  scope: Scope,
  { key }: ListSource,
  { contact_count: size, subscribed_count }: CountedContacts,
  { search, filters, per_page }: CheckedListQuery,
): ContactList | null {
  if (parseSearch(search).length > 0) return null;
  const sizes = { 0: size - subscribed_count, 1: subscribed_count };
  if (filters['subscribed'] === undefined) return { scope, key, subscribed: null, sizes };
  const subscribed = filters['subscribed'] === true ? 1 : 0;
  // Entries of an index that are read for a page, against those that are looked up.
  return (per_page * size) / sizes[subscribed] > sizes[subscribed] * LOOKUP_COST
    ? null
    : { scope, key, subscribed, sizes };
}

/** Of a search, or of a filter that few contacts meet. */
async function readFoundIds(
  scope: Scope,
  list: ListSource,
  query: CheckedListQuery,
  counted: CountedContacts & { search_mark: number },
  order: readonly SortTerm[],
): Promise<{ ids: number[]; total: number }> {
  const { search, filters, sorting } = query;
  const { subscribed } = filters;
  const isWanted = subscribed === undefined ? [] : [sql<SqlBool>`subscribed = ${Number(subscribed)}`];
  const words = parseSearch(search);
  if (words.length > 0) {
    const totals = new SearchTotals(scope, counted.search_mark, filters);
    return readSearchedIds(scope, list, { words, filters: isWanted, totals, sorting, order }, query);
  }
  const total = subscribed === true ? counted.subscribed_count : list.size - counted.subscribed_count;
  const matching = { condition: must(isWanted[0]), total, isIndexed: true };
  return { ids: (await readKeys(scope, { ...list, matching }, order, query)) as number[], total };
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

import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { AddressOfDomain } from '#contract/addresses.ts';
import { toAsciiAddress, toUnicodeAddress } from '#contract/values/internationalDomain.ts';
import { must } from '#contract/values/must.ts';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import type { Database } from '../database/database.ts';
import { lookUpRows } from '../database/lookUp.ts';
import {
  countMatchingRows,
  type ListSource,
  type MatchingRows,
  mayTakeLong,
  orderOf,
  readPage,
  withRowKey,
} from '../database/paging/listPage.ts';
import { hasLargeRows, limitPageBytes } from '../database/paging/pageSize.ts';
import type { Scope } from '../database/scope.ts';
import { containsWords, foldText, parseSearch } from '../database/search/textSearch.ts';
import type { Workspace } from '../database/workspace.ts';
import { addressOf, type AddressRow, type DomainRow, foldVerification } from './domainRow.ts';

/** By the names in `sorting[]`. */
const SORT_COLUMNS: Readonly<Record<string, string>> = {
  full_address: 'full_key',
  domain_name: 'domain_key',
  verification: 'verification_key',
  created_at: 'created_at',
};

/** All addresses of the workspace: newest first unless sorted, equal rows by UUID in the direction of the last descriptor. */
export async function listAddresses(
  workspace: Workspace,
  db: Database,
  requestedQuery: CheckedListQuery,
): Promise<Page<AddressOfDomain>> {
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id}`;
      const counted = await scope
        .select('workspace_heads')
        .select(['address_count', hasLargeRows('addresses', within).as('has_large')])
        .executeTakeFirstOrThrow();
      const query = counted.has_large
        ? await limitPageBytes(scope, 'addresses', within, requestedQuery)
        : requestedQuery;
      const list = withRowKey(scope, { table: 'addresses', key: 'uuid', within, size: counted.address_count });
      list.matching = await findMatchingRows(scope, list, query);
      const order = orderOf(query, (id) => sql.ref(must(SORT_COLUMNS[id])));
      return readPage(scope, list, order, query, (rows) => addDomains(scope, rows));
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

async function findMatchingRows(
  scope: Scope,
  list: ListSource,
  { search, filters }: CheckedListQuery,
): Promise<MatchingRows | undefined> {
  const { verification } = filters;
  const isWanted =
    typeof verification === 'string' ? [sql<SqlBool>`verification_key = ${foldVerification(verification)}`] : [];
  const words = parseSearch(search, foldText);
  const conditions = [...isWanted, ...words.map(isInAddress)];
  if (conditions.length === 0) return undefined;
  const matching = await countMatchingRows(scope, list, sql<SqlBool>`${sql.join(conditions, sql` and `)}`);
  return { ...matching, isIndexed: words.length === 0 };
}

/** Whether the address contains `word`, in either spelling of an internationalized domain. */
function isInAddress(word: string): RawBuilder<SqlBool> {
  const ascii = toAsciiAddress(word);
  const spellings = new Set([word.normalize('NFC'), ascii, toUnicodeAddress(ascii)]);
  const found = Array.from(spellings, (spelling) => containsWords<'addresses'>('full_key', [spelling]));
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}

async function addDomains(scope: Scope, rows: readonly AddressRow[]): Promise<AddressOfDomain[]> {
  const target = { table: 'domains', fixed: {}, key: 'uuid' } as const;
  const domains = await lookUpRows<string, Pick<DomainRow, 'name' | 'state'>>(
    scope,
    target,
    ['name', 'state'],
    rows.map(({ domain_uuid }) => domain_uuid),
  );
  return rows.map((row) => {
    const { name, state } = must(domains.get(row.domain_uuid));
    return { ...addressOf(row), domain_name: name, domain_state: state };
  });
}

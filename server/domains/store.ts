import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Domain, SenderAddress } from '#contract/domains/domain.ts';
import type { DomainState } from '#contract/domains/domainState.ts';
import { toAsciiDomain, toUnicodeDomain } from '#contract/values/internationalDomain.ts';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import { containsWords, foldText, parseSearch, sortKeyExpression } from '../database/search/textSearch.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import {
  countMatchingRows,
  type ListSource,
  type MatchingRows,
  mayTakeLong,
  orderOf,
  readPage,
  withRowKey,
} from '../database/paging/listPage.ts';
import { limitPageBytes, hasLargeRows } from '../database/paging/pageSize.ts';
import type { Workspace } from '../database/workspace.ts';
import { STATE_COUNTERS, summaryOf } from './stateCounters.ts';
import { addressOf, type AddressRow, domainOf, type DomainRow, foldDomainName, type RecordRow } from './domainRow.ts';
import { EXPORT_PAGE_SIZE, iterateLines } from '../database/paging/iteratePages.ts';

/** Sortable columns that may be too long for an index, and have letter case. */
const TEXTS: ReadonlySet<string> = new Set(['domain', 'provider', 'status', 'verification', 'mail_from_domain']);

/** Newest first by default. Equal rows are ordered by UUID, in the direction of the last descriptor. */
export async function listDomains(
  workspace: Workspace,
  db: Database,
  requestedQuery: CheckedListQuery,
): Promise<Page<Domain>> {
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id}`;
      const counted = await scope
        .select('workspace_heads')
        .select([...STATE_COUNTERS, hasLargeRows('domains', within).as('has_large')])
        .executeTakeFirstOrThrow();
      const query = counted.has_large ? await limitPageBytes(scope, 'domains', within, requestedQuery) : requestedQuery;
      const list = withRowKey(scope, { table: 'domains', key: 'uuid', within, size: counted.domain_count });
      list.matching = await findMatchingRows(scope, list, query, counted);
      return readPage(scope, list, orderOf(query, toSortKey), query, async (rows) => {
        const records = await readRecords(scope, rows);
        return rows.map((row) => domainOf(row, records.get(row.uuid) ?? []));
      });
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

/** An expression that has an index. */
function toSortKey(column: string): RawBuilder<unknown> {
  if (column === 'name') return sql.ref('name_key');
  return TEXTS.has(column) ? sortKeyExpression(column) : sql.ref(column);
}

async function findMatchingRows(
  scope: Scope,
  list: ListSource,
  { search, filters }: CheckedListQuery,
  counted: Parameters<typeof summaryOf>[0],
): Promise<MatchingRows | undefined> {
  const { state } = filters;
  const isWanted = state === undefined ? sql<SqlBool>`true` : sql<SqlBool>`state = ${state}`;
  const isFound = matchName(search);
  if (isFound !== null) return countMatchingRows(scope, list, sql`${isWanted} and ${isFound}`);
  if (state === undefined) return undefined;
  return { condition: isWanted, total: summaryOf(counted)[state as DomainState], isIndexed: true };
}

/** Whether the name contains all words of `search`; null without any. */
export function matchName(search: string): RawBuilder<SqlBool> | null {
  // Accents make another domain.
  const words = parseSearch(search, foldText);
  return words.length === 0 ? null : sql<SqlBool>`${sql.join(words.map(isInName), sql` and `)}`;
}

/** Whether the name contains `word`; whole labels of an internationalized name in either spelling. */
function isInName(word: string): RawBuilder<SqlBool> {
  const found = spellingsOf(word).map((spelling) => containsWords<'domains'>('name_key', [spelling]));
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}

/** A folded name, or some of its labels, as written, in ASCII (`xn--`) and in its own letters. */
function spellingsOf(name: string): string[] {
  const ascii = toAsciiDomain(name);
  return [...new Set([name.normalize('NFC'), ascii, toUnicodeDomain(ascii)])];
}

export async function getDomain(workspace: Workspace, db: Database, uuid: string): Promise<Domain | null> {
  return db.read(workspace, async (scope) => {
    const row = await findDomainByUuid(scope, uuid);
    return row && domainOf(row, (await readRecords(scope, [row])).get(row.uuid) ?? []);
  });
}

/** A domain with what a check needs of it. */
export type DomainToCheck = { domain: Domain; sendsBulk: boolean };

export async function getDomainToCheck(
  workspace: Workspace,
  db: Database,
  uuid: string,
): Promise<DomainToCheck | null> {
  return db.read(workspace, async (scope) => {
    const row = await findDomainByUuid(scope, uuid);
    return row && domainToCheck(row, (await readRecords(scope, [row])).get(row.uuid) ?? []);
  });
}

export const domainToCheck = (row: DomainRow, records: readonly RecordRow[]): DomainToCheck => ({
  domain: domainOf(row, records),
  sendsBulk: row.sends_bulk === 1,
});

/** The records of each domain by its UUID, in their order. */
export async function readRecords(
  scope: Scope,
  domains: readonly Pick<DomainRow, 'uuid'>[],
): Promise<Map<string, RecordRow[]>> {
  if (domains.length === 0) return new Map();
  const rows = await scope
    .select('dns_records')
    .selectAll()
    .where(
      'domain_uuid',
      'in',
      domains.map(({ uuid }) => uuid),
    )
    .orderBy('domain_uuid')
    .orderBy('position')
    .execute();
  return Map.groupBy(rows, (row) => row.domain_uuid);
}

/** Newest first; null without such a domain. */
export async function listDomainAddresses(
  workspace: Workspace,
  db: Database,
  domainUuid: string,
  requestedQuery: CheckedListQuery,
): Promise<Page<SenderAddress> | null> {
  const uuid = domainUuid.toLowerCase();
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id} and domain_uuid = ${uuid}`;
      const domain = await scope
        .select('domains')
        .select(['address_count', hasLargeRows('addresses', within).as('has_large')])
        .where('uuid', '=', uuid)
        .executeTakeFirst();
      if (domain === undefined) return null;
      const query = domain.has_large
        ? await limitPageBytes(scope, 'addresses', within, requestedQuery)
        : requestedQuery;
      const list = withRowKey(scope, { table: 'addresses', key: 'uuid', within, size: domain.address_count });
      const order = [{ by: sql.ref('created_at'), desc: true }];
      return readPage(scope, list, order, query, (rows) => rows.map(addressOf));
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

/** The domain with this UUID or name. For imports. */
export async function findDomain(scope: Scope, value: string): Promise<DomainRow | null> {
  return (await findDomainByUuid(scope, value)) ?? findDomainByName(scope, value);
}

/** In any letter case. */
export async function findDomainByUuid(scope: Scope, uuid: string): Promise<DomainRow | null> {
  const row = await scope.select('domains').selectAll().where('uuid', '=', uuid.toLowerCase()).executeTakeFirst();
  return row ?? null;
}

/** In either spelling of an internationalized name. */
export async function findDomainByName(scope: Scope, name: string): Promise<DomainRow | null> {
  const key = foldDomainName(name);
  const row = await scope.select('domains').selectAll().where('name_key', 'in', spellingsOf(key)).executeTakeFirst();
  return row ?? null;
}

/** All domains of the workspace as lines of JSON, ordered by UUID. */
export function exportDomains(scope: Scope): AsyncGenerator<string[]> {
  return iterateLines<DomainRow>(
    (last) =>
      scope
        .select('domains')
        .selectAll()
        .where('uuid', '>', last?.uuid ?? '')
        .orderBy('uuid')
        .limit(EXPORT_PAGE_SIZE)
        .execute(),
    async (rows) => {
      const records = await readRecords(scope, rows);
      return rows.map((row) => JSON.stringify(domainOf(row, records.get(row.uuid) ?? [])));
    },
  );
}

/** All sender addresses of the workspace as lines of JSON, ordered by UUID. */
export function exportAddresses(scope: Scope): AsyncGenerator<string[]> {
  return iterateLines<AddressRow>(
    (last) =>
      scope
        .select('addresses')
        .selectAll()
        .where('uuid', '>', last?.uuid ?? '')
        .orderBy('uuid')
        .limit(EXPORT_PAGE_SIZE)
        .execute(),
    (rows) => rows.map((row) => JSON.stringify(addressOf(row))),
  );
}

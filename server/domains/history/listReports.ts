import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { DetailedDomainReport } from '#contract/domainHistory.ts';
import type { DomainReport } from '#contract/domainReport.ts';
import type { DomainState } from '#contract/domainState.ts';
import type { CheckedListQuery, Page, Sort } from '#contract/list.ts';
import type { Database } from '../../database/database.ts';
import {
  countMatchingRows,
  type ListSource,
  type MatchingRows,
  mayTakeLong,
  readPage,
  type SortTerm,
  withRowKey,
} from '../../database/paging/listPage.ts';
import { limitReportBytes } from '../../database/paging/pageSize.ts';
import type { Scope } from '../../database/scope.ts';
import { sortKeyExpression, sortKeyOf } from '../../database/search/textSearch.ts';
import type { Workspace } from '../../database/workspace.ts';
import { STATE_COUNTERS, summaryOf } from '../stateCounters.ts';
import { findDomainByUuid, matchName } from '../store.ts';
import { readDetailedReport, readReports } from './reportOf.ts';

const WORST_FIRST: Sort = { id: 'urgency', desc: true };

export async function listDomainReports(
  workspace: Workspace,
  db: Database,
  requestedQuery: CheckedListQuery,
): Promise<Page<DomainReport>> {
  return db.read(
    workspace,
    async (scope) => {
      const counted = await scope.selectOwn().select(STATE_COUNTERS).executeTakeFirstOrThrow();
      const query = await limitReportBytes(scope, requestedQuery);
      const within = sql<SqlBool>`workspace_id = ${scope.id}`;
      const list = withRowKey(scope, { table: 'domains', key: 'uuid', within, size: counted.domain_count });
      list.matching = await findMatchingReports(scope, list, query, counted);
      const sorting = query.sorting.length > 0 ? query.sorting : [WORST_FIRST];
      return readPage(scope, list, sorting.flatMap(toSortTerms), query, (rows) => readReports(scope, rows));
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

/** By expressions that have an index. Of domains that are equally urgent, the first by name. */
function toSortTerms({ id, desc }: Sort): SortTerm[] {
  if (id === 'name') return [{ by: sql.ref('name_key'), desc }];
  if (id === 'urgency') {
    return [
      { by: sql.ref(id), desc },
      { by: sql.ref('name_key'), desc: !desc },
    ];
  }
  if (id === 'provider') return [{ by: sortKeyExpression(id), desc }];
  return [{ by: id === 'created_at' ? sql.ref(id) : sql`coalesce(${sql.ref(id)}, 0)`, desc }];
}

async function findMatchingReports(
  scope: Scope,
  list: ListSource,
  { search, filters }: CheckedListQuery,
  counted: Parameters<typeof summaryOf>[0],
): Promise<MatchingRows | undefined> {
  const { state, turn, code, cause, provider, changed_since } = filters;
  const verdicts = Object.entries({ turn, code, cause }).filter(([, value]) => value !== undefined);
  // The indexes of the list have these columns.
  const indexed: RawBuilder<SqlBool>[] = [
    ...(state === undefined ? [] : [sql<SqlBool>`state = ${state}`]),
    ...(verdicts.length === 0 ? [] : [sql<SqlBool>`uuid in (${withVerdict(scope, verdicts)})`]),
  ];
  const isNamed = matchName(search);
  const others: RawBuilder<SqlBool>[] = [
    ...(isNamed === null ? [] : [isNamed]),
    ...(provider === undefined ? [] : [isOfProvider(provider)]),
    ...(changed_since === undefined
      ? []
      : [sql<SqlBool>`coalesce(changed_at, 0) >= ${Date.parse(String(changed_since))}`]),
  ];
  const conditions = [...indexed, ...others];
  if (conditions.length === 0) return undefined;
  if (conditions.length === 1 && state !== undefined) {
    return { condition: sql`state = ${state}`, total: summaryOf(counted)[state as DomainState], isIndexed: true };
  }
  const condition = sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
  const rows = await countMatchingRows(scope, list, condition);
  return { ...rows, isIndexed: others.length === 0 };
}

/** Exactly of this provider, found in the index of its sort key. */
function isOfProvider(provider: boolean | string): RawBuilder<SqlBool> {
  const key = sortKeyOf(sql`cast(${provider} as text)`);
  return sql<SqlBool>`${sortKeyExpression('provider')} = ${key} and provider = ${provider}`;
}

/** The domains with a current finding that says all of this, and that nobody accepts. */
function withVerdict(scope: Scope, wanted: readonly (readonly [string, unknown])[]): RawBuilder<unknown> {
  const conditions = wanted.map(([column, value]) => sql`${sql.ref(`span.${column}`)} = ${value}`);
  return sql`
    select span.domain_uuid from domain_spans as span
    where span.workspace_id = ${scope.id} and span.ended_at is null and ${sql.join(conditions, sql` and `)}
      and not exists (
        select 1 from acceptances as accepted where accepted.workspace_id = ${scope.id}
          and accepted.domain_uuid = span.domain_uuid and accepted.subject = span.subject
          and accepted.ended_at is null)`;
}

/** Null without such a domain. */
export async function getDomainReport(
  workspace: Workspace,
  db: Database,
  uuid: string,
): Promise<DetailedDomainReport | null> {
  return db.read(workspace, async (scope) => {
    const row = await findDomainByUuid(scope, uuid);
    return row && readDetailedReport(scope, row);
  });
}

import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { DetailedDomainReport } from '#contract/domains/domainHistory.ts';
import type { DomainReport } from '#contract/domains/domainReport.ts';
import type { DomainState } from '#contract/domains/domainState.ts';
import type { CheckedListQuery, Page, Sort } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
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
      const counted = await scope.select('workspace_heads').select(STATE_COUNTERS).executeTakeFirstOrThrow();
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
  const isNamed = matchName(search);
  // The indexes of the list have the state.
  const indexed = state === undefined ? [] : [sql<SqlBool>`state = ${state}`];
  const others: RawBuilder<SqlBool>[] = [
    ...(isNamed === null ? [] : [isNamed]),
    ...(provider === undefined ? [] : [isOfProvider(provider)]),
    ...(changed_since === undefined
      ? []
      : [sql<SqlBool>`coalesce(changed_at, 0) >= ${Date.parse(String(changed_since))}`]),
  ];
  const own = [...indexed, ...others];
  if (own.length === 0 && verdicts.length === 0) return undefined;
  if (verdicts.length === 0 && others.length === 0 && state !== undefined) {
    return { condition: sql`state = ${state}`, total: summaryOf(counted)[state as DomainState], isIndexed: true };
  }
  if (verdicts.length === 0) return countMatchingRows(scope, list, and(own));
  const known = own.length === 0 ? await countFound(scope, verdicts) : undefined;
  const found = await countMatchingRows(scope, list, and([...own, isAmongFound(scope, verdicts)]), { total: known });
  const { total } = found;
  if (total <= FOUND_FIRST_MAX) return found;
  return countMatchingRows(scope, list, and([...own, isFound(scope, verdicts)]), { total });
}

const and = (conditions: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/** Of a provider, whatever its letter case. */
function isOfProvider(provider: boolean | string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sortKeyExpression('provider')} = ${sortKeyOf(sql`cast(${provider} as text)`)}`;
}

/** Domains whose verdicts are found before the domains; where more have one, each domain of the page is tested for one. */
const FOUND_FIRST_MAX = 500;

type WantedVerdict = readonly (readonly [column: string, value: unknown])[];

const isAmongFound = (scope: Scope, wanted: WantedVerdict) =>
  sql<SqlBool>`uuid in (select span.domain_uuid ${verdictsThatSay(scope, wanted)})`;

const isFound = (scope: Scope, wanted: WantedVerdict) =>
  sql<SqlBool>`exists (select 1 ${verdictsThatSay(scope, wanted)} and span.domain_uuid = domains.uuid)`;

async function countFound(scope: Scope, wanted: WantedVerdict): Promise<number> {
  const rows = await scope.run(sql<{ total: number }>`
    select count(distinct span.domain_uuid) as total ${verdictsThatSay(scope, wanted)}`);
  return must(rows[0]).total;
}

/** The current findings that say all of this, and that nobody accepts. */
function verdictsThatSay(scope: Scope, wanted: WantedVerdict): RawBuilder<unknown> {
  const conditions = wanted.map(([column, value]) => sql`${sql.ref(`span.${column}`)} = ${value}`);
  return sql`
    from domain_spans as span
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

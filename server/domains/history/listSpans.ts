import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { DomainChange, Span } from '#contract/domains/domainHistory.ts';
import { type CheckedListQuery, createPageMeta, type Filters, type Page } from '#contract/list.ts';
import { RECORD_STATUSES } from '#contract/domains/recordStatus.ts';
import { must } from '#contract/values/must.ts';
import type { Database } from '../../database/database.ts';
import { mayTakeLong } from '../../database/paging/listPage.ts';
import { limitChangeBytes, limitPageBytes } from '../../database/paging/pageSize.ts';
import type { Scope } from '../../database/scope.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { findDomainByUuid, matchName } from '../store.ts';
import { foundIn, type SpanRow } from './moveSpans.ts';
import { findingOf } from './reportOf.ts';

/** What the checks of a domain found, newest first; null without such a domain. */
export async function getDomainHistory(
  workspace: Workspace,
  db: Database,
  domainUuid: string,
  requestedQuery: CheckedListQuery,
): Promise<Page<Span> | null> {
  return db.read(
    workspace,
    async (scope) => {
      const domain = await findDomainByUuid(scope, domainUuid);
      if (domain === null) return null;
      const all = sql<SqlBool>`workspace_id = ${scope.id} and domain_uuid = ${domain.uuid}`;
      const query = await limitPageBytes(scope, 'domain_spans', all, requestedQuery);
      const within = both([all, ...filterSpans(query.filters)]);
      const total = await countSpans(scope, within);
      const rows = await scope.run(sql<SpanRow>`
        select * from domain_spans where ${within} order by started_at desc, subject ${limitOf(query)}`);
      return {
        data: rows.map((row) => spanOf(row, must(row.ended_at ?? domain.checked_at))),
        meta: createPageMeta(query, total),
      };
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

const both = (conditions: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/** `limit ?` would be prepared again for each value. */
const limitOf = ({ page, per_page }: Pick<CheckedListQuery, 'page' | 'per_page'>) =>
  sql`limit cast(${per_page} as integer) offset cast(${(page - 1) * per_page} as integer)`;

async function countSpans(scope: Scope, within: RawBuilder<SqlBool>): Promise<number> {
  const rows = await scope.run(sql<{ total: number }>`select count(*) as total from domain_spans where ${within}`);
  return must(rows[0]).total;
}

const timeOf = (text: boolean | string) => Date.parse(String(text));

/** Those of a subject, and those that a period touches. */
function filterSpans({ subject, from, to }: Filters): RawBuilder<SqlBool>[] {
  return [
    ...(subject === undefined ? [] : [sql<SqlBool>`subject = ${subject}`]),
    ...(from === undefined ? [] : [sql<SqlBool>`(ended_at is null or ended_at >= ${timeOf(from)})`]),
    ...(to === undefined ? [] : [sql<SqlBool>`started_at < ${timeOf(to)}`]),
  ];
}

export function spanOf(row: SpanRow, endedAt: number): Span {
  const { subject, kind, result, code, turn, cause } = row;
  return {
    subject,
    kind,
    started_at: timestamp(row.started_at),
    ended_at: timestamp(endedAt),
    result,
    code,
    turn,
    cause,
    finding: findingOf(row),
  };
}

type ChangeRow = SpanRow & { name: string };

/** The changes of all domains, newest first unless sorted. */
export async function listDomainChanges(
  workspace: Workspace,
  db: Database,
  requestedQuery: CheckedListQuery,
): Promise<Page<DomainChange>> {
  return db.read(
    workspace,
    async (scope) => {
      const query = await limitChangeBytes(scope, requestedQuery);
      const within = both([sql`workspace_id = ${scope.id} and is_change = 1`, ...filterChanges(scope, query)]);
      const total = await countSpans(scope, within);
      const isOldestFirst = query.sorting[0]?.desc === false;
      const rows = await readChanges(scope, within, query, { total, isOldestFirst });
      return { data: rows.map(changeOf), meta: createPageMeta(query, total) };
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
}

/** The page is found in an index, from the nearer end of the list, and only its own rows are looked up. */
async function readChanges(
  scope: Scope,
  within: RawBuilder<SqlBool>,
  { page, per_page }: CheckedListQuery,
  { total, isOldestFirst }: { total: number; isOldestFirst: boolean },
): Promise<ChangeRow[]> {
  const offset = (page - 1) * per_page;
  const limit = Math.min(per_page, total - offset);
  if (limit <= 0) return [];
  const after = total - offset - limit;
  const isTurned = after < offset;
  const direction = sql.raw(isOldestFirst === isTurned ? 'desc' : 'asc');
  const rows = await scope.run(sql<ChangeRow>`
    select span.*, (select name from domains where workspace_id = ${scope.id} and uuid = span.domain_uuid) as name
    from (
      select domain_uuid, subject, started_at from domain_spans where ${within}
      order by started_at ${direction}, domain_uuid ${direction}, subject ${direction}
      limit cast(${limit} as integer) offset cast(${isTurned ? after : offset} as integer)
    ) as page
    join domain_spans as span on span.workspace_id = ${scope.id} and span.domain_uuid = page.domain_uuid
      and span.subject = page.subject and span.started_at = page.started_at
    order by span.started_at ${direction}, span.domain_uuid ${direction}, span.subject ${direction}`);
  return isTurned ? rows.toReversed() : rows;
}

function filterChanges(scope: Scope, { search, filters }: CheckedListQuery): RawBuilder<SqlBool>[] {
  const { result, turn, direction, from, to } = filters;
  const isNamed = matchName(search);
  return [
    ...(isNamed === null
      ? []
      : [sql<SqlBool>`domain_uuid in (select uuid from domains where workspace_id = ${scope.id} and ${isNamed})`]),
    ...(result === undefined ? [] : [sql<SqlBool>`result = ${result}`]),
    ...(turn === undefined ? [] : [sql<SqlBool>`turn = ${turn}`]),
    ...(direction === undefined
      ? []
      : [sql<SqlBool>`${rankOf('result')} ${sql.raw(direction === 'worse' ? '<' : '>')} ${rankOf('previous_result')}`]),
    ...(from === undefined ? [] : [sql<SqlBool>`started_at >= ${timeOf(from)}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`started_at < ${timeOf(to)}`]),
  ];
}

/** The place of a result among all, the worst first, in SQL. */
function rankOf(column: string): RawBuilder<number> {
  const cases = RECORD_STATUSES.map((status, rank) => sql`when ${sql.lit(status)} then ${sql.lit(rank)}`);
  return sql<number>`case ${sql.ref(column)} ${sql.join(cases, sql` `)} end`;
}

function changeOf(row: ChangeRow): DomainChange {
  const { subject, kind, result, code, turn } = row;
  return {
    domain: { uuid: row.domain_uuid, name: row.name },
    subject,
    kind,
    between: { from: timestamp(must(row.previous_ended_at)), to: timestamp(row.started_at) },
    before: {
      result: must(row.previous_result),
      code: must(row.previous_code),
      found: JSON.parse(must(row.previous_found)) as string[],
    },
    after: { result, code, found: JSON.parse(foundIn(row)) as string[] },
    turn,
  };
}

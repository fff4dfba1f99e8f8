import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { DomainChange, Span } from '#contract/domainHistory.ts';
import { type CheckedListQuery, createPageMeta, type Filters, type Page } from '#contract/list.ts';
import { RECORD_STATUSES } from '#contract/recordStatus.ts';
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
      const direction = sql.raw(isOldestFirst ? 'asc' : 'desc');
      const order = sql`order by started_at ${direction}, domain_uuid ${direction}, subject ${direction}`;
      // The names are looked up for the rows of the page only.
      const rows = await scope.run(sql<ChangeRow>`
        select page.*, (select name from domains where workspace_id = ${scope.id} and uuid = page.domain_uuid) as name
        from (select * from domain_spans where ${within} ${order} ${limitOf(query)}) as page ${order}`);
      return { data: rows.map(changeOf), meta: createPageMeta(query, total) };
    },
    { isLong: mayTakeLong(requestedQuery) },
  );
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

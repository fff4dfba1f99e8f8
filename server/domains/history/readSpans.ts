import { sql, type SqlBool } from 'kysely';
import { EXPORT_PAGE_SIZE } from '../../database/paging/iteratePages.ts';
import type { Scope } from '../../database/scope.ts';
import type { CurrentSpan, SpanRow } from './moveSpans.ts';

/** The columns that say what a span is, without its finding and evidence, which may be long. */
const JUDGED = [
  ...(['domain_uuid', 'subject', 'started_at', 'ended_at', 'kind', 'result', 'code', 'turn', 'cause'] as const),
  ...(['previous_result', 'previous_ended_at'] as const),
];
const COMPARED = [...JUDGED, 'finding'] as const;

export type JudgedSpan = Pick<SpanRow, (typeof JUDGED)[number]>;
export type ComparedSpan = Pick<SpanRow, (typeof COMPARED)[number]>;

const current = (scope: Scope) => scope.select('domain_spans').where('ended_at', 'is', null);

/** What the last check of each of these domains found, by UUID. */
export async function readJudgedSpans(scope: Scope, uuids: readonly string[]): Promise<Map<string, JudgedSpan[]>> {
  if (uuids.length === 0) return new Map();
  const rows = await current(scope).select(JUDGED).where('domain_uuid', 'in', uuids).execute();
  return Map.groupBy(rows, ({ domain_uuid }) => domain_uuid);
}

/** What the last check of a domain found, with its words. */
export function readCurrentSpans(scope: Scope, uuid: string): Promise<ComparedSpan[]> {
  return current(scope).select(COMPARED).where('domain_uuid', '=', uuid).execute();
}

/** The last span of a subject that isn't unknown and began before `at`, of those that are over. */
export async function findLastKnown(
  scope: Scope,
  domain: string,
  subject: string,
  at: number,
): Promise<(CurrentSpan & { ended_at: number | null }) | null> {
  const row = await scope
    .select('domain_spans')
    .select(COMPARED)
    .where('domain_uuid', '=', domain)
    .where('subject', '=', subject)
    .where('result', '<>', 'unknown')
    .where('started_at', '<', at)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The next page of all spans of the workspace, ordered by domain, subject and time. */
export function readSpansAfter(scope: Scope, last: SpanRow | null): Promise<SpanRow[]> {
  const after =
    last === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(domain_uuid, subject, started_at) > (${last.domain_uuid}, ${last.subject}, ${last.started_at})`;
  return scope
    .select('domain_spans')
    .selectAll()
    .where(after)
    .orderBy('domain_uuid')
    .orderBy('subject')
    .orderBy('started_at')
    .limit(EXPORT_PAGE_SIZE)
    .execute();
}

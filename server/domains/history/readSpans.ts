import type { Scope } from '../../database/scope.ts';
import type { CurrentSpan, SpanRow } from './moveSpans.ts';

/** The columns that say what a span is, without its evidence, which may be long. */
const COMPARED = [
  ...(['domain_uuid', 'subject', 'started_at', 'ended_at', 'kind', 'result', 'code', 'turn', 'cause'] as const),
  ...(['previous_result', 'previous_ended_at', 'finding'] as const),
];

export type ComparedSpan = Omit<
  SpanRow,
  'workspace_id' | 'is_change' | 'evidence' | 'previous_code' | 'previous_found'
>;

/** What the last check of each of these domains found, by UUID. */
export async function readCurrentSpans(scope: Scope, uuids: readonly string[]): Promise<Map<string, ComparedSpan[]>> {
  if (uuids.length === 0) return new Map();
  const rows = await scope
    .select('domain_spans')
    .select(COMPARED)
    .where('domain_uuid', 'in', uuids)
    .where('ended_at', 'is', null)
    .execute();
  return Map.groupBy(rows, ({ domain_uuid }) => domain_uuid);
}

/** The last span of a subject that isn't unknown, of those that are over. */
export async function findLastKnown(
  scope: Scope,
  domain: string,
  subject: string,
): Promise<(CurrentSpan & { ended_at: number | null }) | null> {
  const row = await scope
    .select('domain_spans')
    .select(COMPARED)
    .where('domain_uuid', '=', domain)
    .where('subject', '=', subject)
    .where('result', '<>', 'unknown')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

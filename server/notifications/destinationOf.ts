import { sql } from 'kysely';
import type { Destination, Rules } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import type { Scope } from '../database/scope.ts';
import { timeOrNull, timestamp } from '../database/timestamp.ts';
import { areRulesReadable, type DestinationRow, readSecrets, rulesOf } from './storedMessages.ts';

const DAY = 24 * 60 * 60_000;

export const NOTHING: Rules = { incidents: [], contact_changes: false, digest: false, heartbeat: false };
/** Of a destination that is told nothing because nobody knows what it asks for. */
const UNREADABLE = 'Its stored rules can’t be read. Edit it to set new ones.';

type Counts = { waiting: number; failed: number; last: number | null };

/** As the API shows a destination. */
export async function destinationOf(scope: Scope, row: DestinationRow): Promise<Destination> {
  const since = row.updated_at - 7 * DAY;
  const [counts] = await scope.run(sql<Counts>`
    select count(case when state = 'waiting' then 1 end) as waiting,
      count(case when state = 'failed' and ended_at >= ${since} then 1 end) as failed,
      max(case when state = 'delivered' then ended_at end) as last
    from deliveries where workspace_id = ${scope.id} and destination_uuid = ${row.uuid}`);
  const { waiting, failed, last } = must(counts);
  const [, old] = readSecrets(row) ?? [];
  const isReadable = areRulesReadable(row);
  return {
    uuid: row.uuid,
    kind: row.kind,
    name: row.name,
    address: row.address,
    rules: isReadable ? rulesOf(row) : NOTHING,
    fallback: row.fallback_uuid,
    disabled_at: timeOrNull(row.disabled_at ?? (isReadable ? null : row.updated_at)),
    disabled_reason: isReadable ? row.disabled_reason : UNREADABLE,
    rotation_ends_at: timeOrNull(old?.ends_at ?? null),
    waiting,
    failed,
    last_delivered_at: timeOrNull(last),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

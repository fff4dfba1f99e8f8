import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Rules } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import type { Scope } from '../../database/scope.ts';
import { timestamp } from '../../database/timestamp.ts';
import { addDeliveries, type NewDelivery } from '../addDeliveries.ts';
import { insteadOf, recipientOf } from '../recipients.ts';
import { type DestinationRow, rulesOf } from '../storedMessages.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Days end at 08:00 UTC, and weeks on Mondays at that time. 1970 began on a Thursday. */
const DAY_START = 8 * HOUR;
const WEEK_START = 4 * DAY + DAY_START;

/** What happened to a workspace's domains, as it is stored and sent. */
export type SummaryBody = {
  from: string;
  to: string;
  domains: number;
  checked: number;
  open: number;
  opened: number;
  closed: number;
  changes: number;
};

const SUMMARIES = [
  { kind: 'heartbeat', start: DAY_START, length: DAY },
  { kind: 'digest', start: WEEK_START, length: WEEK },
] as const;

/** Milliseconds until the next summary of a destination at the latest. */
export const LONGEST_SUMMARY = WEEK;

/** The end of the last whole day or week before `now`. */
const lastEnd = ({ start, length }: (typeof SUMMARIES)[number], now: number) =>
  Math.floor((now - start) / length) * length + start;

/** When the first of the wanted summaries after `now` is due; null if none is wanted. */
export function nextSummary(rules: Rules, now: number): number | null {
  const ends = SUMMARIES.filter(({ kind }) => rules[kind]).map((one) => lastEnd(one, now) + one.length);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Sends the summaries whose day or week is over: each once, as its UUID follows from the recipient and the end. */
export async function planSummaries(scope: Scope, destinations: readonly DestinationRow[], now: number): Promise<void> {
  for (const destination of destinations) {
    const { uuid, summary_at } = destination;
    const recipient = recipientOf(destination, destinations);
    if (summary_at === null || summary_at > now) continue;
    const rules = rulesOf(destination);
    for (const one of SUMMARIES) {
      const end = lastEnd(one, now);
      // Those that ended before it was due were sent, or are too old.
      if (recipient === null || !rules[one.kind] || end < summary_at) continue;
      const to = { destination: recipient.uuid, insteadOf: insteadOf(destination, recipient) };
      await planSummary(scope, to, one.kind, { from: end - one.length, to: end }, now);
    }
    await scope
      .update('destinations')
      .set({ summary_at: nextSummary(rules, now) })
      .where('uuid', '=', uuid)
      .execute();
  }
}

async function planSummary(
  scope: Scope,
  recipient: Pick<NewDelivery, 'destination' | 'insteadOf'>,
  kind: 'digest' | 'heartbeat',
  { from, to }: { from: number; to: number },
  now: number,
): Promise<void> {
  const uuid = uuidOf(`${recipient.destination} ${kind} ${to}`);
  const known = await scope.select('messages').select('uuid').where('uuid', '=', uuid).executeTakeFirst();
  if (known !== undefined) return;
  const body = await summarize(scope, from, to);
  await scope
    .insert('messages', {
      uuid,
      created_at: now,
      kind,
      about: uuid,
      incident_uuid: null,
      contact_uuid: null,
      log_number: null,
      planned_at: now,
      body: JSON.stringify(body),
    })
    .execute();
  const isQuiet = kind === 'digest' && body.opened + body.closed + body.changes === 0;
  await addDeliveries(scope, [{ message: uuid, ...recipient, state: isQuiet ? 'dropped' : 'waiting' }], now);
}

async function summarize(scope: Scope, from: number, to: number): Promise<SummaryBody> {
  const inTime = (column: string) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`;
  const [counts] = await scope.run(sql<Omit<SummaryBody, 'from' | 'to'>>`
    select
      (select count(*) from domains where workspace_id = ${scope.id}) as domains,
      (select count(*) from domains where workspace_id = ${scope.id} and checked_at >= ${from}) as checked,
      (select count(*) from incidents where workspace_id = ${scope.id} and state in ('open', 'closing')) as open,
      (select count(*) from incidents where workspace_id = ${scope.id} and ${inTime('opened_at')}) as opened,
      (select count(*) from incidents where workspace_id = ${scope.id} and ${inTime('closed_at')}) as closed,
      (select count(*) from domain_spans where workspace_id = ${scope.id} and is_change = 1
        and ${inTime('started_at')}) as changes`);
  return { from: timestamp(from), to: timestamp(to), ...must(counts) };
}

/** A UUID (version 8) that follows from a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

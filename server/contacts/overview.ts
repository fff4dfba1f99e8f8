import { sql } from 'kysely';
import { NO_TIME, parseInstant } from '#contract/values/instant.ts';
import { must } from '#contract/values/must.ts';
import { CONTACT_ACTIONS } from '#contract/change.ts';
import {
  CHANGE_GROUPS_MAX,
  COMPARED_WEEKS,
  GROUPED_CHANGES_MAX,
  type Overview,
  OVERVIEW_DAYS,
  type OverviewParameters,
  UNSUBSCRIBERS_MAX,
} from '#contract/overview.ts';
import { SUPPRESSION_REASONS, type SuppressionReason } from '#contract/suppressions/suppression.ts';
import type { Database } from '../database/database.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import { type ActorColumns, actorIn } from '../database/changeLog/author.ts';
import { lookUp } from '../database/lookUp.ts';
import { defineScopedStatement } from '../database/statement.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import type { Workspace } from '../database/workspace.ts';
import { validationProblem } from '../http/problems.ts';
import { bucketEdges, isTimeZone } from './events/activityEdges.ts';
import { groupChanges } from './groupChanges.ts';
import { IMPORT } from './listSuppressions.ts';
import { nameContact } from './identities/nameContact.ts';

const DAY = 86_400_000;

/** Validates the parameters of a request. Throws a `ProblemError` (422). */
export function parseOverviewParameters({ zone = 'UTC', since }: OverviewParameters) {
  const time = since === undefined ? null : parseInstant(since);
  if (since !== undefined && time === null) throw validationProblem([{ field: 'since', message: `since ${NO_TIME}` }]);
  if (isTimeZone(zone)) return { zone, since: time };
  throw validationProblem([{ field: 'zone', message: 'zone is no time zone that this service knows.' }]);
}

type Asked = { zone: string; since: number | null; now: number };

/** What is going on in `workspace` at `now`, with days as they are in `zone`, in a few statements. */
export function getOverview(workspace: Workspace, db: Database, { zone, since, now }: Asked): Promise<Overview> {
  const edges = dayEdges(zone, now);
  return db.read(workspace, async (scope) => ({
    contacts: await scope
      .select('workspace_heads')
      .select(['contact_count as total', 'subscribed_count as subscribed'])
      .executeTakeFirstOrThrow(),
    unsubscribes: await readUnsubscribes(scope, edges),
    today: await readToday(scope, edges, now),
    ...(await readChanges(scope, edges, since)),
  }));
}

async function readUnsubscribes(scope: Scope, edges: readonly number[]): Promise<Overview['unsubscribes']> {
  const rows = await countUnsubscribed<string>(scope, windowsOf(edges), 'suppressed_by');
  const totals = new Map<string, number>();
  for (const { group, count } of rows) totals.set(group, (totals.get(group) ?? 0) + count);
  const most = [...totals]
    // By their key where counts are equal, so that the order is always the same.
    .toSorted(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1))
    .slice(0, UNSUBSCRIBERS_MAX);
  const days = edges.slice(0, -1).map((from, slot) => {
    const ofDay = rows.filter((row) => row.slot === slot);
    return {
      from: timestamp(from),
      total: ofDay.reduce((sum, { count }) => sum + count, 0),
      counts: most.map(([actor]) => ofDay.find(({ group }) => group === actor)?.count ?? 0),
    };
  });
  const by: Overview['unsubscribes']['by'] = [];
  for (const [actor, count] of most) by.push({ actor: actorIn((await lastOfActor(scope, actor))[0] ?? IMPORT), count });
  return { total: days.reduce((sum, { total }) => sum + total, 0), by, days };
}

/** With its newest name. Not `=`: PostgreSQL might look through the lines of all actors, newest first. */
const lastOfActor = defineScopedStatement(
  (workspaceId: ScopedId, actor: string) => sql<ActorColumns>`
    select actor_kind, actor, actor_name, actor_email from changes
    where workspace_id = ${workspaceId} and actor between ${actor} and ${actor} order by actor desc, number desc limit 1`,
);

type Window = { from: number; to: number };
type SlotCount<Group> = { slot: number; group: Group; count: number };

/** Who is unsubscribed now since a time in each of `windows`, by its place and `column`: in contacts_by_suppression only. */
function countUnsubscribed<Group extends string>(
  scope: Scope,
  windows: readonly Window[],
  column: 'suppressed_by' | 'suppression_reason',
): Promise<SlotCount<Group>[]> {
  // Each by itself: for a join with all windows, PostgreSQL reads every contact.
  const counts = windows.map(
    ({ from, to }, slot) => sql`
      select cast(${slot} as integer) as slot, "group", count(*) as count from (
        select ${sql.ref(column)} as "group" from contacts
        where workspace_id = ${scope.id} and suppressed_by <> '' and suppressed_at >= ${from} and suppressed_at < ${to}
        order by suppressed_at, uuid
      ) as since group by "group"`,
  );
  return scope.run(sql<SlotCount<Group>>`${sql.join(counts, sql` union all `)}`);
}

/** The beginnings of the last days in `zone`, and the end of the last, which contains `now`. */
function dayEdges(zone: string, now: number): number[] {
  // A day more, because days may be longer than usual.
  const range = { from: now - OVERVIEW_DAYS * DAY, to: now + 1, step: 'day', zone } as const;
  return must(bucketEdges(range, null)).edges.slice(-OVERVIEW_DAYS - 1);
}

const windowsOf = (edges: readonly number[]) => edges.slice(1).map((to, slot) => ({ from: must(edges[slot]), to }));

/** Until the time of the day that `now` has, today and in the weeks before. */
async function readToday(scope: Scope, edges: readonly number[], now: number): Promise<Overview['today']> {
  const begin = must(edges.at(-2));
  const windows = Array.from({ length: COMPARED_WEEKS + 1 }, (_, weeks) => {
    const from = must(edges.at(-2 - 7 * weeks));
    return { from, to: Math.min(from + now - begin + 1, must(edges.at(-1 - 7 * weeks))) };
  });
  const counted = await countUnsubscribed<SuppressionReason | ''>(scope, windows, 'suppression_reason');
  const reasons = [...Map.groupBy(counted, ({ group }) => group)].map(([reason, rows]) => ({
    reason: reason === '' ? null : reason,
    ...compare(rows),
  }));
  const order = [...SUPPRESSION_REASONS, null];
  return {
    unsubscribed: compare(counted),
    reasons: reasons.toSorted((one, other) => order.indexOf(one.reason) - order.indexOf(other.reason)),
  };
}

function compare(rows: readonly { slot: number; count: number }[]): { today: number; before: number[] } {
  const [today = 0, ...before] = Array.from({ length: COMPARED_WEEKS + 1 }, (_, weeks) =>
    rows.filter(({ slot }) => slot === weeks).reduce((sum, { count }) => sum + count, 0),
  );
  return { today, before };
}

type LineRow = Pick<Tables['changes'], 'number' | 'action' | 'created_at' | 'run'> &
  ActorColumns & { contact_uuid: string; summary: string | null };

/** The newest of each action, because lines of other kinds may be between them. */
async function readChanges(
  scope: Scope,
  edges: readonly number[],
  since: number | null,
): Promise<Pick<Overview, 'changes' | 'has_more_changes'>> {
  const rows: LineRow[] = [];
  let isCut = false;
  for (const action of CONTACT_ACTIONS) {
    const newest = await lastOfAction(scope, action);
    isCut ||= newest.length === GROUPED_CHANGES_MAX && must(newest.at(-1)).created_at >= (since ?? 0);
    rows.push(...newest.filter(({ created_at }) => created_at >= (since ?? 0)));
  }
  const groups = groupChanges(
    rows.map(({ run, created_at, contact_uuid, summary, ...row }) => ({
      ...row,
      run,
      created_at,
      contact: contact_uuid,
      fields: summary === null ? [] : (JSON.parse(summary) as LineSummary).fields,
      day: edges.findLastIndex((edge) => edge <= created_at),
    })),
  );
  const shown = groups.slice(0, CHANGE_GROUPS_MAX).toSorted((one, other) => other.newest.number - one.newest.number);
  const only = shown.flatMap(({ contacts }) => (contacts.size === 1 ? [...contacts] : []));
  const named = await lookUp<string, string>(scope, { table: 'contacts', fixed: {}, key: 'uuid' }, 'attributes', only);
  return {
    changes: shown.map(({ newest, oldest, contacts, fields, count }) => {
      const [uuid] = contacts;
      return {
        action: newest.action,
        actor: actorIn(newest),
        run: newest.run,
        changes: count,
        contacts: contacts.size,
        fields,
        last_at: timestamp(newest.created_at),
        first_at: timestamp(oldest.created_at),
        contact: contacts.size === 1 && uuid !== undefined ? { uuid, ...nameContact(named.get(uuid) ?? null) } : null,
      };
    }),
    has_more_changes: isCut || groups.length > shown.length,
  };
}

const lastOfAction = defineScopedStatement(
  (workspaceId: ScopedId, action: string) => sql<LineRow>`
    select changes.number as number, action, changes.created_at as created_at, run, actor_kind, actor, actor_name,
      actor_email, contact_uuid, summary
    from changes
    left join change_values on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
    where changes.workspace_id = ${workspaceId} and action between ${action} and ${action}
    order by action desc, changes.number desc limit ${sql.lit(GROUPED_CHANGES_MAX)}`,
);

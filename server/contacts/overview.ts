import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import { CONTACT_ACTIONS } from '#contract/change.ts';
import {
  LAST_CHANGES_MAX,
  type Overview,
  OVERVIEW_DAYS,
  type OverviewParameters,
  UNSUBSCRIBERS_MAX,
} from '#contract/overview.ts';
import type { Database } from '../database/database.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import { type ActorColumns, actorIn } from '../database/changeLog/author.ts';
import { defineScopedStatement } from '../database/statement.ts';
import type { Tables } from '../database/schema/tables.ts';
import { readUnsubscribeCounts } from '../database/paging/unsubscribeCounts.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import type { Workspace } from '../database/workspace.ts';
import { validationProblem } from '../http/problems.ts';
import { bucketEdges, isTimeZone } from './events/activityEdges.ts';
import { nameContact } from './identities/nameContact.ts';

const DAY = 86_400_000;

/** Validates the parameters of a request, and gives the time zone. Throws a `ProblemError` (422). */
export function parseOverviewZone({ zone = 'UTC' }: OverviewParameters): string {
  if (isTimeZone(zone)) return zone;
  throw validationProblem([{ field: 'zone', message: 'zone is no time zone that this service knows.' }]);
}

/** What is going on in `workspace` at `now`, with days as they are in `zone`, in a few statements. */
export function getOverview(workspace: Workspace, db: Database, zone: string, now: number): Promise<Overview> {
  return db.read(workspace, async (scope) => ({
    contacts: await scope
      .selectOwn()
      .select(['contact_count as total', 'subscribed_count as subscribed'])
      .executeTakeFirstOrThrow(),
    unsubscribes: await readUnsubscribes(scope, zone, now),
    changes: await readLastChanges(scope),
  }));
}

async function readUnsubscribes(scope: Scope, zone: string, now: number): Promise<Overview['unsubscribes']> {
  const edges = dayEdges(zone, now);
  const rows = await readUnsubscribeCounts(scope, edges);
  const totals = new Map<string, number>();
  for (const { actor, count } of rows) totals.set(actor, (totals.get(actor) ?? 0) + count);
  const most = [...totals]
    // By their key where counts are equal, so that the order is always the same.
    .toSorted(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1))
    .slice(0, UNSUBSCRIBERS_MAX);
  const days = edges.slice(0, -1).map((from, slot) => {
    const ofDay = rows.filter((row) => row.slot === slot);
    return {
      from: timestamp(from),
      total: ofDay.reduce((sum, { count }) => sum + count, 0),
      counts: most.map(([actor]) => ofDay.find((row) => row.actor === actor)?.count ?? 0),
    };
  });
  const by: Overview['unsubscribes']['by'] = [];
  for (const [actor, count] of most) by.push({ actor: actorIn(must((await lastOfActor(scope, actor))[0])), count });
  return { total: days.reduce((sum, { total }) => sum + total, 0), by, days };
}

/** With its newest name. Not `=`: PostgreSQL might look through the lines of all actors, newest first. */
const lastOfActor = defineScopedStatement(
  (workspaceId: ScopedId, actor: string) => sql<ActorColumns>`
    select actor_kind, actor, actor_name, actor_email from changes
    where workspace_id = ${workspaceId} and actor between ${actor} and ${actor} order by actor desc, number desc limit 1`,
);

/** The beginnings of the last days in `zone`, and the end of the last, which contains `now`. */
function dayEdges(zone: string, now: number): number[] {
  // A day more, because days may be longer than usual.
  const range = { from: now - OVERVIEW_DAYS * DAY, to: now + 1, step: 'day', zone } as const;
  return must(bucketEdges(range, null)).edges.slice(-OVERVIEW_DAYS - 1);
}

type LastChangeRow = Pick<Tables['changes'], 'number' | 'uuid' | 'action' | 'created_at'> &
  ActorColumns & { contact_uuid: string; summary: string | null; attributes: string | null };

/** The newest of each action, because lines of other kinds may be between them. */
async function readLastChanges(scope: Scope): Promise<Overview['changes']> {
  const rows: LastChangeRow[] = [];
  for (const action of CONTACT_ACTIONS) rows.push(...(await lastOfAction(scope, action)));
  return rows
    .toSorted((one, other) => other.number - one.number)
    .slice(0, LAST_CHANGES_MAX)
    .map(({ uuid, action, created_at, contact_uuid, summary, attributes, ...row }) => ({
      uuid,
      action,
      created_at: timestamp(created_at),
      actor: actorIn(row),
      fields: summary === null ? [] : (JSON.parse(summary) as LineSummary).fields,
      contact: { uuid: contact_uuid, ...nameContact(attributes) },
    }));
}

const lastOfAction = defineScopedStatement(
  (workspaceId: ScopedId, action: string) => sql<LastChangeRow>`
    select changes.number as number, changes.uuid as uuid, action, changes.created_at as created_at, actor_kind, actor,
      actor_name, actor_email, contact_uuid, summary, attributes
    from changes
    left join change_values on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
    left join contacts on contacts.workspace_id = changes.workspace_id and contacts.uuid = contact_uuid
    where changes.workspace_id = ${workspaceId} and action between ${action} and ${action}
    order by action desc, changes.number desc limit ${sql.lit(LAST_CHANGES_MAX)}`,
);

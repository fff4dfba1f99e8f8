import { sql } from 'kysely';
import { must } from '#contract/must.ts';
import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/field.ts';
import {
  LAST_CHANGES_MAX,
  type Overview,
  OVERVIEW_DAYS,
  type OverviewParameters,
  UNSUBSCRIBERS_MAX,
} from '#contract/overview.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import { countUnsubscribes, findCountErrors } from '../database/unsubscribeCounts.ts';
import type { Workspace } from '../database/workspace.ts';
import { validationProblem } from '../http/problems.ts';
import { bucketEdges, isTimeZone } from './activityEdges.ts';

const DAY = 86_400_000;

/** Validates the parameters of a request, and gives the time zone. Throws a `ProblemError` (422). */
export function parseOverviewZone({ zone = 'UTC' }: OverviewParameters): string {
  if (isTimeZone(zone)) return zone;
  throw validationProblem([{ field: 'zone', message: 'zone is no time zone that this service knows.' }]);
}

/** What is going on in `workspace` at `now`, with days as they are in `zone`, in three statements.. */
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

/** Finds what `admin check` tells of the counts. */
export function checkUnsubscribeCounts(workspace: Workspace, db: Database): Promise<string[]> {
  return db.readLong(workspace, findCountErrors);
}

async function readUnsubscribes(scope: Scope, zone: string, now: number): Promise<Overview['unsubscribes']> {
  const edges = dayEdges(zone, now);
  const rows = await countUnsubscribes(scope, edges);
  const totals = new Map<string | null, number>();
  for (const { token_name, count } of rows) totals.set(token_name, (totals.get(token_name) ?? 0) + count);
  const by = [...totals]
    .map(([token_name, count]) => ({ token_name, count }))
    // By name where counts are equal, so that the order is always the same.
    .toSorted((one, other) => other.count - one.count || compareNames(one.token_name, other.token_name))
    .slice(0, UNSUBSCRIBERS_MAX);
  const days = edges.slice(0, -1).map((from, slot) => {
    const ofDay = rows.filter((row) => row.slot === slot);
    return {
      from: timestamp(from),
      total: ofDay.reduce((sum, { count }) => sum + count, 0),
      counts: by.map(({ token_name }) => ofDay.find((row) => row.token_name === token_name)?.count ?? 0),
    };
  });
  return { total: days.reduce((sum, { total }) => sum + total, 0), by, days };
}

/** The beginnings of the last days in `zone`, and the end of the last, which contains `now`. */
function dayEdges(zone: string, now: number): number[] {
  // A day more, because days may be longer than usual.
  const range = { from: now - OVERVIEW_DAYS * DAY, to: now + 1, step: 'day', zone } as const;
  return must(bucketEdges(range, null)).edges.slice(-OVERVIEW_DAYS - 1);
}

function compareNames(one: string | null, other: string | null): number {
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

async function readLastChanges(scope: Scope): Promise<Overview['changes']> {
  const rows = await scope
    .select('contact_changes')
    .innerJoin('contacts', (join) =>
      join
        .onRef('contacts.workspace_id', '=', 'contact_changes.workspace_id')
        .onRef('contacts.id', '=', 'contact_changes.contact_id'),
    )
    .select([
      'contact_changes.uuid',
      'contact_changes.action',
      'contact_changes.created_at',
      'contact_changes.token_name',
      'contact_changes.changes',
      'contacts.uuid as contact_uuid',
      'contacts.attributes',
    ])
    .orderBy('contact_changes.created_at', 'desc')
    .orderBy('contact_changes.contact_id', 'desc')
    .orderBy('contact_changes.number', 'desc')
    .limit(sql.lit(LAST_CHANGES_MAX))
    .execute();
  return rows.map(({ uuid, action, created_at, token_name, changes, contact_uuid, attributes }) => {
    const { first_name, last_name, email, phone } = JSON.parse(attributes) as Attributes;
    const name = [first_name, last_name].flatMap((part) => toText(part) ?? []).join(' ');
    return {
      uuid,
      action,
      created_at: timestamp(created_at),
      token_name,
      fields: (JSON.parse(changes) as FieldChange[]).map(({ field }) => field),
      contact: { uuid: contact_uuid, name: name === '' ? null : name, address: toText(email) ?? toText(phone) },
    };
  });
}

const toText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

import { sql, type SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { findWorkspaces, type Found } from '../workspaces/store.ts';
import { LONGEST_SUMMARY } from './planning/summaries.ts';
import { LONGEST_PAUSE } from './retries.ts';

// Times that no pause explains: the clock was ahead when they were stored, and set back. What waits for them would wait
// as long as it was ahead.

/** Milliseconds by which the clocks of processes may differ. */
const SKEW = 60_000;

const isLateAttempt = (now: number) => sql<SqlBool>`next_at > ${now + LONGEST_PAUSE}`;
const isUnplanned = (now: number) => sql<SqlBool>`planned_at is null and created_at > ${now + SKEW}`;
const isNewDestination = (now: number) => sql<SqlBool>`created_at > ${now + SKEW}`;
const isLateSummary = (now: number) => sql<SqlBool>`summary_at > ${now + LONGEST_SUMMARY}`;

/** The workspaces with such times, without suspended ones. `now` is milliseconds since the epoch. */
export function findSetBackWorkspaces(database: Database, now: number): Promise<Workspace[]> {
  const setBack = sql<Found>`
    select workspace_id from deliveries where next_at is not null and ${isLateAttempt(now)}
    union select workspace_id from messages where ${isUnplanned(now)}
    union select workspace_id from destinations where ${isNewDestination(now)} or ${isLateSummary(now)}`;
  return findWorkspaces(database, setBack, { isLong: false });
}

/** Moves them to `now`. */
export async function setTimesBack(scope: Scope, now: number): Promise<void> {
  const created_at = sql<number>`case when created_at > ${now} then ${now} else created_at end`;
  await scope.update('deliveries').set({ next_at: now, created_at }).where(isLateAttempt(now)).execute();
  await scope.update('messages').set({ created_at: now }).where(isUnplanned(now)).execute();
  await scope.update('destinations').set({ created_at: now }).where(isNewDestination(now)).execute();
  await scope.update('destinations').set({ summary_at: now }).where(isLateSummary(now)).execute();
}

/** Names deliveries that wait for such a time. */
export async function verifyDeliveryTimes(workspace: Workspace, database: Database, now: number): Promise<string[]> {
  const rows = await database.read(workspace, (scope) =>
    scope
      .select('deliveries')
      .select('message_uuid')
      .distinct()
      .where(isLateAttempt(now))
      .orderBy('message_uuid')
      .execute(),
  );
  return rows.map(
    ({ message_uuid }) =>
      `The next attempt to deliver message ${message_uuid} is more than a day ahead, as if the clock was set back.`,
  );
}

import type { LogAuthor } from '../database/changeLog/author.ts';
import { readRetention, type RetentionRow, storeRetention } from '../database/changeLog/checkpoint.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';

/** Days after which events and entries of the log are deleted; null where they are kept. */
export type RetentionDays = { event_days: number | null; log_days: number | null };

export const DAY = 86_400_000;
/** The contact's page and rules look at the events of the last weeks, an undo and the overview at the log of the last months. */
export const EVENT_DAYS_MIN = 30;
export const LOG_DAYS_MIN = 90;
export const DAYS_MAX = 36_525;

/**
 * Changes those that are given, and gives all. Where more is deleted than before, the service begins a day after `now`. A run that is under way
 * stops deleting what is kept from now on.
 */
export function setRetention(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  days: Partial<RetentionDays>,
  { now, author }: { now: number; author: LogAuthor },
): Promise<RetentionRow> {
  return db.write(workspace, async (scope) => {
    const before = await readRetention(scope);
    const after = { ...before, ...days };
    if (after.event_days === before.event_days && after.log_days === before.log_days) return before;
    const details = { events: daysText(after.event_days), log: daysText(after.log_days) };
    await writeLog(scope, [{ action: 'retention_change', author, details }], now);
    const isOff = after.event_days === null && after.log_days === null;
    const isMore = isLess(after.event_days, before.event_days) || isLess(after.log_days, before.log_days);
    const next_at = isOff ? null : isMore ? now + DAY : before.next_at;
    return storeRetention(scope, { ...after, next_at, ...stopRun(before, after) });
  });
}

const daysText = (days: number | null) => (days === null ? 'kept' : `${days} days`);

const isLess = (days: number | null, than: number | null) => days !== null && (than === null || days < than);

/** What a run under way leaves out. It still counts the entries up to its checkpoint. */
function stopRun(before: RetentionRow, after: RetentionRow): Partial<RetentionRow> {
  if (before.run_line === null) return {};
  const keepsEvents = isLess(before.event_days, after.event_days) || after.event_days === null;
  const keepsLog = isLess(before.log_days, after.log_days) || after.log_days === null;
  return {
    ...(keepsEvents && { event_after: null }),
    ...(keepsLog && { line_to: Math.min(before.line_to, Math.max(before.number, before.line_after)) }),
  };
}

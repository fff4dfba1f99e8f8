import { type RetentionRow, readRetention } from '../database/changeLog/checkpoint.ts';
import { firstLineSince } from '../database/changeLog/findLine.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { countOldEvents } from './oldEvents.ts';
import { findOldLines } from './oldLines.ts';
import { type Limits, limitsAt } from './run.ts';
import type { RetentionDays } from './settings.ts';

/** What a run at `now` would delete: events and lines of the log before these times, and lines that it would keep because they are needed. */
export type RetentionPreview = { limits: Limits; events: number; lines: number; kept: number };

/** `days` are instead of those that are set. Reads a slice at a time, so that nobody has to wait. */
export async function previewRetention(
  workspace: Workspace,
  db: Database,
  days: Partial<RetentionDays>,
  now: number,
): Promise<RetentionPreview> {
  const row = { ...(await db.read(workspace, readRetention)), ...days };
  const limits = limitsAt(row, now);
  return {
    limits,
    events: await countEvents(workspace, db, limits.events),
    ...(await countLines(workspace, db, row, limits.log)),
  };
}

async function countEvents(workspace: Workspace, db: Database, before: number | null): Promise<number> {
  if (before === null) return 0;
  let sum = 0;
  let after: number | null = 0;
  while (after !== null) {
    const from: number = after;
    const slice = await db.read(workspace, (scope) => countOldEvents(scope, before, from));
    sum += slice.events;
    after = slice.last;
  }
  return sum;
}

async function countLines(
  workspace: Workspace,
  db: Database,
  { number }: RetentionRow,
  before: number | null,
): Promise<{ lines: number; kept: number }> {
  const counts = { lines: 0, kept: 0 };
  if (before === null) return counts;
  const to = await db.read(workspace, async (scope) => {
    const { log_count } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
    return (await firstLineSince(scope, before, log_count, number)) - 1;
  });
  // Without new lines there is no run.
  let after: number | null = to > number ? 0 : null;
  while (after !== null) {
    const from: number = after;
    const { lines, needed } = await db.read(workspace, (scope) => findOldLines(scope, from, to));
    counts.kept += needed.size;
    counts.lines += lines.length - needed.size;
    after = lines.at(-1)?.number ?? null;
  }
  return counts;
}

import { setTimeout as delay } from 'node:timers/promises';
import { must } from '#contract/values/must.ts';
import type { LogAuthor } from '../database/changeLog/author.ts';
import {
  digestSigningKey,
  readRetention,
  type RetentionRow,
  stateCheckpoint,
  storeRetention,
} from '../database/changeLog/checkpoint.ts';
import { firstLineSince } from '../database/changeLog/findLine.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { deleteOldEvents, findOldEvents, type OldEvents, takeAtOnce } from './oldEvents.ts';
import { deleteOldLines } from './oldLines.ts';
import { DAY } from './settings.ts';

// A run deletes what is older than a time. It's a row of `retention` from its first line in the log to its last, so that any process
// continues it (docs/decisions/0045-retention.md).

/** Milliseconds between two transactions. Another process that waits for the lock of a file asks for it every four. */
const PAUSE_MS = 12;

export type RunOptions = {
  now: () => number;
  author: LogAuthor;
  signal?: AbortSignal;
  /** Called after each transaction with what the run has deleted so far. */
  onDeleted?: (row: RetentionRow) => void;
};

/** The times before which things are deleted, each the begin of a day (UTC); null where they are kept. */
export type Limits = { events: number | null; log: number | null };

export function limitsAt({ event_days, log_days }: Pick<RetentionRow, 'event_days' | 'log_days'>, now: number): Limits {
  const limit = (days: number | null) => (days === null ? null : Math.floor((now - days * DAY) / DAY) * DAY);
  return { events: limit(event_days), log: limit(log_days) };
}

/**
 * Deletes what is old, or continues the run that has begun. Gives the row at its end; null where there was nothing to delete, or `signal`
 * ended it before.
 */
export async function runRetention(
  workspace: Workspace,
  db: Database,
  options: RunOptions,
): Promise<RetentionRow | null> {
  const started = await startRun(workspace, db, options);
  if (started === null) return null;
  const run = { workspace, db, line: must(started.run_line), options };
  await deleteEvents(run, started);
  await deleteLines(run);
  return endRun(run);
}

type Run = { workspace: Workspace; db: Database; line: number; options: RunOptions };

async function startRun(workspace: Workspace, db: Database, { now, author }: RunOptions): Promise<RetentionRow | null> {
  const before = await db.read(workspace, readRetention);
  if (before.run_line !== null) return before;
  const at = now();
  const limits = limitsAt(before, at);
  const firstContact = limits.events === null ? null : await findFirst(workspace, db, limits.events);
  return db.write(workspace, async (scope) => {
    const row = await readRetention(scope);
    // Another process was faster, or somebody has changed it.
    if (row.run_line !== null) return row;
    if (row.event_days !== before.event_days || row.log_days !== before.log_days) return null;
    const line_to = await findLastLine(scope, row, limits.log);
    if (firstContact === null && line_to === null) {
      if (row.next_at !== null) await storeRetention(scope, { ...row, next_at: at + DAY });
      return null;
    }
    return beginRun(scope, { row, limits, firstContact, line_to }, author, at);
  });
}

/** The first contact with events before `before`. */
async function findFirst(workspace: Workspace, db: Database, before: number): Promise<number | null> {
  let after: number | null = 0;
  while (after !== null) {
    const from: number = after;
    const { contacts, last }: OldEvents = await db.read(workspace, (scope) => findOldEvents(scope, before, from));
    if (contacts[0] !== undefined) return contacts[0].id;
    after = last;
  }
  return null;
}

/** Of the log before `before`; null where none is after the checkpoint. */
async function findLastLine(scope: Scope, { number }: RetentionRow, before: number | null): Promise<number | null> {
  if (before === null) return null;
  const { log_count } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
  const last = (await firstLineSince(scope, before, log_count, number)) - 1;
  return last > number ? last : null;
}

type Found = { row: RetentionRow; limits: Limits; firstContact: number | null; line_to: number | null };

async function beginRun(
  scope: Scope,
  { row, limits, firstContact, line_to }: Found,
  author: LogAuthor,
  now: number,
): Promise<RetentionRow> {
  // With a key, which the line names.
  const keyed = row.signing_key === '' ? await storeRetention(scope, row) : row;
  const to = line_to ?? row.number;
  const hash = line_to === null ? row.hash : await readHash(scope, to);
  const begun = {
    ...keyed,
    deleted_events: 0,
    deleted_lines: 0,
    line_to: to,
    ...(firstContact !== null && { event_after: firstContact - 1, events_before: must(limits.events) }),
    ...(line_to === null ? { line_after: to } : { line_after: 0, kept_hash: '', log_before: must(limits.log) }),
  };
  const details = {
    ...(firstContact !== null && { events_before: timestamp(begun.events_before) }),
    ...(line_to !== null && { log_before: timestamp(begun.log_before) }),
  };
  const erasure = { to, hash, key: digestSigningKey(keyed) };
  await writeLog(scope, [{ action: 'retention_start', author, details, erasure }], now);
  const { log_count: run_line } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
  return storeRetention(scope, { ...begun, run_line });
}

async function readHash(scope: Scope, number: number): Promise<string> {
  const line = scope.select('changes').select('hash').where('number', '=', number);
  return (await line.executeTakeFirstOrThrow()).hash;
}

/** Runs `work` on the row of the run, in a transaction, and stores what it gives; null where the run is over. */
function step(
  { workspace, db, line }: Run,
  work: (scope: Scope, row: RetentionRow) => Promise<RetentionRow>,
): Promise<RetentionRow | null> {
  return db.write(
    workspace,
    async (scope) => {
      const row = await readRetention(scope);
      return row.run_line === line ? storeRetention(scope, await work(scope, row)) : null;
    },
    { isBulk: true },
  );
}

async function deleteEvents(run: Run, started: RetentionRow): Promise<void> {
  const { workspace, db, options } = run;
  const before = started.events_before;
  let after = started.event_after;
  while (after !== null && options.signal?.aborted !== true) {
    const from = after;
    const { contacts, last } = await db.read(workspace, (scope) => findOldEvents(scope, before, from));
    const taken = takeAtOnce(contacts);
    if (taken.length === 0 && last !== null) {
      after = last;
      continue;
    }
    const end = taken.length === contacts.length ? last : must(taken.at(-1)).id;
    // A contact with more of them comes again.
    const next = taken.length === 1 ? must(taken[0]).id - 1 : end;
    const row = await step(run, async (scope, row) => {
      if (row.event_after === null) return row;
      const deleted = taken.length === 0 ? 0 : await deleteOldEvents(scope, before, taken);
      const event_after = next === null ? null : Math.max(next, row.event_after);
      return { ...row, event_after, deleted_events: row.deleted_events + deleted };
    });
    after = row?.event_after ?? null;
    if (row !== null) await pauseAfter(run, row);
  }
}

async function deleteLines(run: Run): Promise<void> {
  let isDone = false;
  while (!isDone && run.options.signal?.aborted !== true) {
    const row = await step(run, async (scope, row) =>
      row.line_after < row.line_to ? deleteOldLines(scope, row) : row,
    );
    isDone = row === null || row.line_after >= row.line_to;
    if (row !== null) await pauseAfter(run, row);
  }
}

async function pauseAfter({ options }: Run, row: RetentionRow): Promise<void> {
  options.onDeleted?.(row);
  await delay(PAUSE_MS);
}

/** Null where another process has ended it, or there is more to do. */
function endRun({ workspace, db, line, options: { now, author } }: Run): Promise<RetentionRow | null> {
  return db.write(workspace, async (scope) => {
    const row = await readRetention(scope);
    if (row.run_line !== line || row.event_after !== null || row.line_after < row.line_to) return null;
    const at = now();
    const details = { events: row.deleted_events, entries: row.deleted_lines };
    await writeLog(scope, [{ action: 'retention_end', author, details, erasure: stateCheckpoint(row) }], at);
    return storeRetention(scope, { ...row, run_line: null, next_at: row.next_at === null ? null : at + DAY });
  });
}

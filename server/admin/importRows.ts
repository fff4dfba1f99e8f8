import { must } from '#contract/must.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import type { ImportOutcome } from '../database/importOutcome.ts';
import type { CheckedRow, LineSource } from './lineBatches.ts';
import { describeFieldErrors } from './lineSchemas.ts';
import type { UnreadableLine } from './readLines.ts';

/** Writes lines that were checked, and gives one outcome for each. */
type PutLines = (scope: Scope, lines: readonly object[]) => Promise<ImportOutcome[]>;

/** Numbers of lines by result, and the first rejected ones. */
export type ImportReport = {
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
  faults: { line: number; message: string }[];
};

export type ImportJob = {
  database: Database;
  workspace: Workspace;
  /** What it has done so far. */
  report: ImportReport;
  lines: LineSource;
  put: PutLines;
  /** Writes the line of the whole import in the log. */
  log: (scope: Scope) => Promise<unknown>;
  /** Whether one rejected line prevents the whole import. */
  strict: boolean;
  /** Called for each rejected line that is reported. */
  onBadLine: (line: UnreadableLine) => void;
  /** Called where lines were imported and `log` failed. */
  onUnlogged: (error: Error) => void;
  /** Called after each batch with the number of rows so far, and the `share` of its end (`LineBatch`). */
  onProgress: (rows: number, share: number | null) => void;
};

/** Rows of the first transaction, and the fewest of any. */
export const BATCH_ROWS_MIN = 100;
/** More are not faster, and have to be kept in memory. */
const BATCH_ROWS_MAX = 20_000;
/**
 * How long the statements of a transaction take, about: writes of a service wait for it and for its commit. The commit is not
 * counted, because on a slow disk fewer rows would not make it shorter.
 */
const BATCH_MS = 250;
/** Rejected lines that are reported. All others are only counted. */
export const REPORTED_LINES_MAX = 100;

/**
 * Imports lines in batches; each is read while the one before is written. If it fails midway, earlier
 * batches stay, unless `strict` is set, and `report` has what was done. Importing the same rows again adds the rest.
 */
export function importRows(job: ImportJob): Promise<void> {
  return job.strict ? importWhole(job) : importParts(job);
}

async function importWhole(job: ImportJob): Promise<void> {
  const rollback = new Error('A line was refused.');
  try {
    await job.database.write(job.workspace, async (scope) => {
      await importBatches(job, (work) => work(scope));
      if (job.report.refused > 0) throw rollback;
      if (hasWritten(job.report)) await job.log(scope);
    });
  } catch (error) {
    // Nothing of it was kept.
    for (const outcome of ['added', 'changed', 'unchanged'] as const) job.report[outcome] = 0;
    if (error !== rollback) throw error;
  }
}

async function importParts(job: ImportJob): Promise<void> {
  const { database, workspace, report } = job;
  try {
    await importBatches(job, (work) => database.write(workspace, work));
  } finally {
    // Also of one that failed midway. What was imported stays, so an error here is not that of the import.
    if (hasWritten(report)) await database.write(workspace, job.log).catch(job.onUnlogged);
  }
}

function hasWritten({ added, changed }: ImportReport): boolean {
  return added + changed > 0;
}

export const emptyReport = (): ImportReport => ({ added: 0, changed: 0, unchanged: 0, refused: 0, faults: [] });

type Write = (work: (scope: Scope) => Promise<ImportOutcome[]>) => Promise<ImportOutcome[]>;

async function importBatches(job: ImportJob, write: Write): Promise<void> {
  let count = 0;
  let size = BATCH_ROWS_MIN;
  const next = async () => {
    const batch = await job.lines.next(size);
    return batch && { rows: JSON.parse(batch.rows) as CheckedRow[], share: batch.share };
  };
  for (let batch = await next(); batch !== null;) {
    // Parsed when it is there, so that PostgreSQL works meanwhile.
    const following = next();
    // An error of the next batch is handled after this one is written: a rollback during the write would be an error.
    following.catch(() => {});
    const { rows } = batch;
    const lines = rows.flatMap((row) => ('line' in row ? row.line : []));
    let duration = 0;
    const outcomes = await write(async (scope) => {
      const start = performance.now();
      const written = await job.put(scope, lines);
      duration = performance.now() - start;
      return written;
    });
    size = adaptSize(size, rows.length, duration);
    addToReport(rows, outcomes, job);
    count += rows.length;
    job.onProgress(count, batch.share);
    batch = await following;
  }
}

/** Rows of the next transaction, after `written` took `duration` milliseconds and up to `size` were allowed. */
function adaptSize(size: number, written: number, duration: number): number {
  const fitting = written * (BATCH_MS / Math.max(duration, 1));
  const gradual = Math.min(Math.max(fitting, size / 2), size * 4);
  return Math.min(Math.max(Math.round(gradual), BATCH_ROWS_MIN), BATCH_ROWS_MAX);
}

/** Adds rows to the report. `outcomes` has one for each that is not rejected already. */
function addToReport(
  rows: readonly CheckedRow[],
  outcomes: readonly ImportOutcome[],
  { report, onBadLine }: Pick<ImportJob, 'report' | 'onBadLine'>,
): void {
  const remaining = outcomes.values();
  for (const row of rows) {
    const outcome = 'line' in row ? must(remaining.next().value) : null;
    if (typeof outcome === 'string') {
      report[outcome]++;
      continue;
    }
    report.refused++;
    if (report.refused > REPORTED_LINES_MAX) continue;
    const fault = 'fault' in row ? row.fault : describeFieldErrors(outcome ?? []);
    report.faults.push({ line: row.number, message: fault });
    onBadLine({ number: row.number, fault });
  }
}

import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import type { UnreadableLine } from './readLines.ts';
import type { ImportRow } from './readRows.ts';

/** The result of a line. `fault` says why it was rejected. */
export type ImportLineResult = 'added' | 'changed' | 'unchanged' | { fault: string };

/** Writes validated lines to the database, and returns a result for each valid or invalid line, in order. */
type WriteRows = (scope: Scope) => Promise<ImportLineResult[]>;

/** Validates lines, and returns the function that writes them. */
export type PrepareRows = (values: readonly object[]) => WriteRows;

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
  rows: AsyncIterable<ImportRow>;
  prepare: PrepareRows;
  /** Whether one rejected line prevents the whole import. */
  strict: boolean;
  /** Called for each rejected line that is reported. */
  onBadLine: (line: UnreadableLine) => void;
  /** Called after each batch with the number of rows so far. */
  onProgress: (rows: number) => void;
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
/** Characters (`sizeOf`) after which a batch is written even if it has few rows. */
const BATCH_CHARACTERS_MAX = 4 * 1024 * 1024;
/** Rejected lines that are reported. All others are only counted. */
export const REPORTED_LINES_MAX = 100;

/**
 * Imports rows in batches, and validates each batch while the one before is written. If it fails midway, earlier
 * batches stay, unless `strict` is set, and `report` has what was done. Importing the same rows again adds the rest.
 */
export async function importRows(job: ImportJob): Promise<void> {
  if (!job.strict) return importBatches(job, (put) => job.database.write(job.workspace, put));
  const rollback = new Error('A line was refused.');
  try {
    await job.database.write(job.workspace, async (scope) => {
      await importBatches(job, (put) => put(scope));
      if (job.report.refused > 0) throw rollback;
    });
  } catch (error) {
    // Nothing of it was kept.
    for (const outcome of ['added', 'changed', 'unchanged'] as const) job.report[outcome] = 0;
    if (error !== rollback) throw error;
  }
}

export const emptyReport = (): ImportReport => ({ added: 0, changed: 0, unchanged: 0, refused: 0, faults: [] });

type Batch = { rows: ImportRow[]; put: WriteRows };

async function importBatches(work: ImportJob, write: (put: WriteRows) => Promise<ImportLineResult[]>): Promise<void> {
  let count = 0;
  const size = { rows: BATCH_ROWS_MIN };
  const batches = readBatches(work, size);
  for (let batch = await next(batches); batch !== null;) {
    const { rows, put } = batch;
    const following = next(batches);
    // An error of the next batch is handled after this one is written: a rollback during the write would be an error.
    following.catch(() => {});
    let duration = 0;
    const results = await write(async (scope) => {
      const start = performance.now();
      const written = await put(scope);
      duration = performance.now() - start;
      return written;
    });
    size.rows = adaptSize(size.rows, rows.length, duration);
    addToReport(rows, results, work.report, work.onBadLine);
    count += rows.length;
    work.onProgress(count);
    batch = await following;
  }
}

/** Rows of the next transaction, after `written` took `duration` milliseconds and up to `size` were allowed. */
function adaptSize(size: number, written: number, duration: number): number {
  const fitting = written * (BATCH_MS / Math.max(duration, 1));
  const gradual = Math.min(Math.max(fitting, size / 2), size * 4);
  return Math.min(Math.max(Math.round(gradual), BATCH_ROWS_MIN), BATCH_ROWS_MAX);
}

/** Adds results to the report. `results` has none for rows that could not be parsed. */
function addToReport(
  rows: readonly ImportRow[],
  results: readonly ImportLineResult[],
  report: ImportReport,
  onBadLine: ImportJob['onBadLine'],
): void {
  const remaining = results.values();
  for (const row of rows) {
    const result = 'value' in row ? (remaining.next().value as ImportLineResult) : row;
    if (typeof result === 'string') {
      report[result]++;
    } else {
      report.refused++;
      if (report.refused > REPORTED_LINES_MAX) continue;
      report.faults.push({ line: row.number, message: result.fault });
      onBadLine({ number: row.number, fault: result.fault });
    }
  }
}

async function* readBatches({ rows, prepare }: ImportJob, limit: { rows: number }): AsyncGenerator<Batch> {
  const batchOf = (batch: ImportRow[]): Batch => ({
    rows: batch,
    put: prepare(batch.flatMap((row) => ('value' in row ? [row.value] : []))),
  });
  let batch: ImportRow[] = [];
  let size = 0;
  for await (const row of rows) {
    batch.push(row);
    if ('size' in row) size += row.size;
    if (batch.length < limit.rows && size < BATCH_CHARACTERS_MAX) continue;
    yield batchOf(batch);
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batchOf(batch);
}

async function next(batches: AsyncGenerator<Batch>): Promise<Batch | null> {
  const { value, done } = await batches.next();
  return done === true ? null : value;
}

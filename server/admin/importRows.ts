import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import type { UnreadableLine } from './readLines.ts';
import type { ImportRow } from './importRow.ts';

/** What became of a line that could be read. */
export type ImportLineResult = 'added' | 'changed' | 'unchanged' | { fault: string };

/** Puts what lines say into the database; one fate for each, in their order. */
export type WriteRows = (scope: Scope) => Promise<ImportLineResult[]>;

/** Checks what lines say, and gives what puts it into the database. */
export type PrepareRows = (values: readonly object[]) => WriteRows;

/** How many lines had which fate, and the first of the bad ones. */
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
  rows: AsyncIterable<ImportRow>;
  prepare: PrepareRows;
  /** Rows in one transaction: enough for speed, and a service beside us waits only for some tenths of a second. */
  batchRows: number;
  /** Whether one bad line keeps all others out. */
  strict: boolean;
  /** Called for the bad lines that are told one by one. */
  onBadLine: (line: UnreadableLine) => void;
  /** Called after each batch with the number of rows so far. */
  onProgress: (rows: number) => void;
};

/** Characters (`sizeOf`) after which a batch is written although it has few rows. */
const BATCH_CHARACTERS_MAX = 4 * 1024 * 1024;
/** Bad lines that are told one by one; all others are only counted. */
export const REPORTED_LINES_MAX = 100;

/**
 * Puts rows into the database, a batch at a time, and reads and checks the next one meanwhile. When it fails midway,
 * earlier batches are in, unless it is strict; importing the same rows again adds the rest.
 */
export async function importRows(job: ImportJob): Promise<ImportReport> {
  if (!job.strict) return importBatches(job, (put) => job.database.write(job.workspace, put));
  const rollback = new Error('A line was refused.');
  let refused: ImportReport | null = null;
  try {
    return await job.database.write(job.workspace, async (scope) => {
      const report = await importBatches(job, (put) => put(scope));
      if (report.refused === 0) return report;
      refused = { ...report, added: 0, changed: 0, unchanged: 0 };
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && refused !== null) return refused;
    throw error;
  }
}

type Batch = { rows: ImportRow[]; put: WriteRows };

async function importBatches(
  work: ImportJob,
  write: (put: WriteRows) => Promise<ImportLineResult[]>,
): Promise<ImportReport> {
  const report: ImportReport = { added: 0, changed: 0, unchanged: 0, refused: 0, faults: [] };
  let count = 0;
  const batches = readBatches(work);
  for (let batch = await next(batches); batch !== null;) {
    const { rows, put } = batch;
    const following = next(batches);
    // A failure to read counts when the batch before it is done with: nobody may roll back while that is being written.
    following.catch(() => {});
    addToReport(rows, await write(put), report, work.onBadLine);
    count += rows.length;
    work.onProgress(count);
    batch = await following;
  }
  return report;
}

/** Adds the fates of rows to the report. Those of rows that could not even be read are not among `fates`. */
function addToReport(
  rows: readonly ImportRow[],
  fates: readonly ImportLineResult[],
  report: ImportReport,
  onFault: ImportJob['onBadLine'],
): void {
  const rest = fates.values();
  for (const row of rows) {
    const fate = 'value' in row ? (rest.next().value as ImportLineResult) : row;
    if (typeof fate === 'string') {
      report[fate]++;
    } else {
      report.refused++;
      if (report.refused > REPORTED_LINES_MAX) continue;
      report.faults.push({ line: row.number, message: fate.fault });
      onFault({ number: row.number, fault: fate.fault });
    }
  }
}

async function* readBatches({ rows, batchRows, prepare }: ImportJob): AsyncGenerator<Batch> {
  const batchOf = (batch: ImportRow[]): Batch => ({
    rows: batch,
    put: prepare(batch.flatMap((row) => ('value' in row ? [row.value] : []))),
  });
  let batch: ImportRow[] = [];
  let size = 0;
  for await (const row of rows) {
    batch.push(row);
    if ('size' in row) size += row.size;
    if (batch.length < batchRows && size < BATCH_CHARACTERS_MAX) continue;
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

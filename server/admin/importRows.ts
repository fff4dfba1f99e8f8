import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import type { BadLine } from './readLines.ts';
import type { Row } from './row.ts';

/** What became of a line that could be read. */
export type Fate = 'added' | 'changed' | 'unchanged' | { fault: string };

/** Puts what lines say into the database; one fate for each, in their order. */
export type Put = (scope: Scope) => Promise<Fate[]>;

/** Checks what lines say, and gives what puts it into the database. */
export type Prepare = (values: readonly object[]) => Put;

/** How many lines had which fate, and the first of the bad ones. */
export type Report = {
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
  faults: { line: number; message: string }[];
};

export type Import = {
  database: Database;
  workspace: Workspace;
  rows: AsyncIterable<Row>;
  prepare: Prepare;
  /** Rows in one transaction: enough for speed, and a service beside us waits only for some tenths of a second. */
  batchRows: number;
  /** Whether one bad line keeps all others out. */
  strict: boolean;
  /** Called for the bad lines that are told one by one. */
  onFault: (line: BadLine) => void;
  /** Called after each batch with the number of rows so far. */
  onProgress: (rows: number) => void;
};

/** Characters (`sizeOf`) after which a batch is written although it has few rows. */
const BATCH_SIZE = 4 * 1024 * 1024;
/** Bad lines that are told one by one; all others are only counted. */
export const FAULTS_MAX = 100;

/**
 * Puts rows into the database, a batch at a time, and reads and checks the next one meanwhile. When it fails midway,
 * earlier batches are in, unless it is strict; importing the same rows again adds the rest.
 */
export async function importRows(work: Import): Promise<Report> {
  if (!work.strict) return inBatches(work, (put) => work.database.write(work.workspace, put));
  const rollback = new Error('A line was refused.');
  let refused: Report | null = null;
  try {
    return await work.database.write(work.workspace, async (scope) => {
      const report = await inBatches(work, (put) => put(scope));
      if (report.refused === 0) return report;
      refused = { ...report, added: 0, changed: 0, unchanged: 0 };
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && refused !== null) return refused;
    throw error;
  }
}

type Batch = { rows: Row[]; put: Put };

async function inBatches(work: Import, write: (put: Put) => Promise<Fate[]>): Promise<Report> {
  const report: Report = { added: 0, changed: 0, unchanged: 0, refused: 0, faults: [] };
  let count = 0;
  const batches = batchesOf(work);
  for (let batch = await next(batches); batch !== null;) {
    const { rows, put } = batch;
    const following = next(batches);
    // A failure to read counts when the batch before it is done with: nobody may roll back while that is being written.
    following.catch(() => {});
    tell(rows, await write(put), report, work.onFault);
    count += rows.length;
    work.onProgress(count);
    batch = await following;
  }
  return report;
}

/** Adds the fates of rows to the report. Those of rows that could not even be read are not among `fates`. */
function tell(rows: readonly Row[], fates: readonly Fate[], report: Report, onFault: Import['onFault']): void {
  const rest = fates.values();
  for (const row of rows) {
    const fate = 'value' in row ? (rest.next().value as Fate) : row;
    if (typeof fate === 'string') {
      report[fate]++;
    } else {
      report.refused++;
      if (report.refused > FAULTS_MAX) continue;
      report.faults.push({ line: row.number, message: fate.fault });
      onFault({ number: row.number, fault: fate.fault });
    }
  }
}

async function* batchesOf({ rows, batchRows, prepare }: Import): AsyncGenerator<Batch> {
  const batchOf = (batch: Row[]): Batch => ({
    rows: batch,
    put: prepare(batch.flatMap((row) => ('value' in row ? [row.value] : []))),
  });
  let batch: Row[] = [];
  let size = 0;
  for await (const row of rows) {
    batch.push(row);
    if ('size' in row) size += row.size;
    if (batch.length < batchRows && size < BATCH_SIZE) continue;
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

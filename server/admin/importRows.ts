import type { Database, Transaction } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';
import type { BadLine } from './readLines.ts';
import type { Row } from './row.ts';

/** What became of a line that could be read. */
export type Fate = 'added' | 'changed' | 'unchanged' | { fault: string };

/** Checks what lines say and puts it into the database; one fate for each, in their order. */
export type Put = (trx: Transaction, values: readonly object[]) => Promise<Fate[]>;

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
  put: Put;
  /** Whether one bad line keeps all others out. */
  strict: boolean;
  /** Called for the bad lines that are told one by one. */
  onFault: (line: BadLine) => void;
  /** Called after each batch with the number of rows so far. */
  onProgress: (rows: number) => void;
};

/** Rows in one transaction: enough for speed, and the service beside us waits only milliseconds for its turn. */
const BATCH_ROWS = 500;
/** Characters after which a batch is written although it has few rows. */
const BATCH_SIZE = 4 * 1024 * 1024;
/** Bad lines that are told one by one; all others are only counted. */
export const FAULTS_MAX = 100;

/**
 * Puts rows into the database and holds one batch of them in memory. When it fails midway, earlier batches are in,
 * unless it is strict; importing the same rows again adds the rest.
 */
export async function importRows(work: Import): Promise<Report> {
  if (!work.strict)
    return inBatches(work, (values) => work.database.write(work.workspace, (trx) => work.put(trx, values)));
  const rollback = new Error('A line was refused.');
  let refused: Report | null = null;
  try {
    return await work.database.write(work.workspace, async (trx) => {
      const report = await inBatches(work, (values) => work.put(trx, values));
      if (report.refused === 0) return report;
      refused = { ...report, added: 0, changed: 0, unchanged: 0 };
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && refused !== null) return refused;
    throw error;
  }
}

async function inBatches(
  { rows, onFault, onProgress }: Import,
  put: (values: readonly object[]) => Promise<Fate[]>,
): Promise<Report> {
  const report: Report = { added: 0, changed: 0, unchanged: 0, refused: 0, faults: [] };
  let count = 0;
  for await (const batch of batchesOf(rows)) {
    const fates = (await put(batch.flatMap((row) => ('value' in row ? [row.value] : [])))).values();
    for (const row of batch) {
      const fate = 'value' in row ? (fates.next().value as Fate) : row;
      if (typeof fate === 'string') {
        report[fate]++;
      } else {
        report.refused++;
        if (report.refused > FAULTS_MAX) continue;
        report.faults.push({ line: row.number, message: fate.fault });
        onFault({ number: row.number, fault: fate.fault });
      }
    }
    count += batch.length;
    onProgress(count);
  }
  return report;
}

async function* batchesOf(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for await (const row of rows) {
    batch.push(row);
    if ('size' in row) size += row.size;
    if (batch.length < BATCH_ROWS && size < BATCH_SIZE) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

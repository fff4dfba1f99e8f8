import { must } from '#contract/values/must.ts';
import type { Database } from '../../../database/database.ts';
import type { Scope } from '../../../database/scope.ts';
import type { Workspace } from '../../../database/workspace.ts';
import { tryWrite } from '../../../database/tryWrite.ts';
import type { ImportOutcome } from '../../../database/importOutcome.ts';
import type { CheckedRow, LineBatch, LineSource } from './lineBatches.ts';
import { describeFieldErrors } from './lineSchemas.ts';
import type { UnreadableLine } from './readLines.ts';

type PutLines = (scope: Scope, lines: readonly object[]) => Promise<ImportOutcome[]>;

type PlacedLine = { place: number; line: object };

/** In the order that the database writes fastest. Their outcomes are the same in any order. */
export type ArrangeLines = (scope: Scope, lines: readonly object[]) => Promise<PlacedLine[]>;

export type ImportReport = {
  added: number;
  /** Contacts, of those added. */
  added_unsubscribed: number;
  changed: number;
  unchanged: number;
  refused: number;
  faults: { line: number; message: string }[];
};

export type ImportJob = {
  database: Database;
  workspace: Workspace;
  report: ImportReport;
  lines: LineSource;
  put: PutLines;
  /** For lines that are read far ahead, and not written in the order of the file. */
  arrange?: ArrangeLines | undefined;
  log: (scope: Scope) => Promise<unknown>;
  strict: boolean;
  /** Writes nothing: each batch is rolled back. */
  isDryRun: boolean;
  onBadLine: (line: UnreadableLine) => void;
  onUnlogged: (error: Error) => void;
  /** Called after each batch with the number of rows so far, and the `share` of its end (`LineBatch`). */
  onProgress: (rows: number, share: number | null) => void;
};

export const BATCH_ROWS_MIN = 100;
/** More are not faster, and have to be kept in memory. */
const BATCH_ROWS_MAX = 20_000;
/** Writes of a service wait for a transaction. Its commit isn't counted: on a slow disk fewer rows wouldn't make it shorter. */
const BATCH_MS = 250;
export const REPORTED_LINES_MAX = 100;

/** If it fails midway, earlier batches stay, unless `strict`. Importing the same rows again adds the rest. */
export function importRows(job: ImportJob): Promise<void> {
  if (job.isDryRun) return importBatches(job, (work) => tryWrite(job.database, job.workspace, work));
  return job.strict ? importWhole(job) : importParts(job);
}

async function importWhole(job: ImportJob): Promise<void> {
  const rollback = new Error('A line was refused.');
  try {
    await job.database.write(
      job.workspace,
      async (scope) => {
        await importBatches(job, (work) => work(scope));
        if (job.report.refused > 0) throw rollback;
        if (hasWritten(job.report)) await job.log(scope);
      },
      { isBulk: true },
    );
  } catch (error) {
    for (const outcome of ['added', 'added_unsubscribed', 'changed', 'unchanged'] as const) job.report[outcome] = 0;
    if (error !== rollback) throw error;
  }
}

async function importParts(job: ImportJob): Promise<void> {
  const { database, workspace, report } = job;
  try {
    await importBatches(job, (work) => database.write(workspace, work, { isBulk: true }));
  } finally {
    // Also of one that failed midway. What was imported stays, so an error here is not that of the import.
    if (hasWritten(report)) await database.write(workspace, job.log).catch(job.onUnlogged);
  }
}

export function hasWritten({ added, changed }: ImportReport): boolean {
  return added + changed > 0;
}

export const emptyReport = (): ImportReport => ({
  added: 0,
  added_unsubscribed: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  faults: [],
});

type Write = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>;

async function importBatches(job: ImportJob, write: Write): Promise<void> {
  const progress: Progress = { count: 0, share: null, size: BATCH_ROWS_MIN };
  const next = () => job.lines.next(job.arrange === undefined ? progress.size : BATCH_ROWS_MAX);
  for (let stretch = await next(); stretch !== null;) {
    const following = next();
    // An error of the next lines is handled after these are written: a rollback during the write would be an error.
    following.catch(() => {});
    await importStretch(job, write, stretch, progress);
    stretch = await following;
  }
}

type Progress = { count: number; share: number | null; size: number };

async function importStretch(
  job: ImportJob,
  write: Write,
  { rows: texts, share }: LineBatch,
  progress: Progress,
): Promise<void> {
  const { arrange } = job;
  const rows = texts.flatMap((text) => JSON.parse(text) as CheckedRow[]);
  const lines = rows.flatMap((row) => ('line' in row ? row.line : []));
  // Where the transactions after it write, so that it leaves what they look up in the same cache.
  const order =
    arrange === undefined
      ? lines.map((line, place) => ({ place, line }))
      : await write((scope) => arrange(scope, lines));
  const outcomes: (ImportOutcome | undefined)[] = lines.map(() => undefined);
  const { count: countBefore, share: shareBefore } = progress;
  let written = 0;
  try {
    do {
      const placed = order.slice(written, arrange === undefined ? undefined : written + progress.size);
      for (const [index, outcome] of (await putPlaced(job, write, placed, progress)).entries())
        outcomes[must(placed[index]).place] = outcome;
      written += placed.length;
      const part = lines.length === 0 ? 1 : written / lines.length;
      progress.count = countBefore + Math.round(rows.length * part);
      progress.share = share === null ? null : (shareBefore ?? 0) + (share - (shareBefore ?? 0)) * part;
      job.onProgress(progress.count, progress.share);
    } while (written < lines.length);
  } finally {
    addToReport(rows, outcomes, job);
  }
}

async function putPlaced(
  job: ImportJob,
  write: Write,
  placed: readonly PlacedLine[],
  progress: Progress,
): Promise<ImportOutcome[]> {
  let duration = 0;
  const outcomes = await write(async (scope) => {
    const start = performance.now();
    const results = await job.put(
      scope,
      placed.map(({ line }) => line),
    );
    duration = performance.now() - start;
    return results;
  });
  progress.size = adaptSize(progress.size, placed.length, duration);
  return outcomes;
}

function adaptSize(size: number, written: number, duration: number): number {
  const fitting = written * (BATCH_MS / Math.max(duration, 1));
  const gradual = Math.min(Math.max(fitting, size / 2), size * 4);
  return Math.min(Math.max(Math.round(gradual), BATCH_ROWS_MIN), BATCH_ROWS_MAX);
}

const isUnsubscribed = (line: object): boolean => 'subscribed' in line && line.subscribed === false;

function addToReport(
  rows: readonly CheckedRow[],
  outcomes: readonly (ImportOutcome | undefined)[],
  { report, onBadLine }: Pick<ImportJob, 'report' | 'onBadLine'>,
): void {
  const remaining = outcomes.values();
  for (const row of rows) {
    const outcome = 'line' in row ? remaining.next().value : null;
    if (outcome === undefined) continue;
    if (typeof outcome === 'string') {
      report[outcome]++;
      if (outcome === 'added' && 'line' in row && isUnsubscribed(row.line)) report.added_unsubscribed++;
      continue;
    }
    report.refused++;
    if (report.refused > REPORTED_LINES_MAX) continue;
    const fault = 'fault' in row ? row.fault : describeFieldErrors(outcome ?? []);
    report.faults.push({ line: row.number, message: fault });
    onBadLine({ number: row.number, fault });
  }
}

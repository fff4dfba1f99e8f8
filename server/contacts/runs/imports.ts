import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import type { ImportRow, importRows, RowOutcome, startImport } from '#contract/imports.ts';
import type { BulkRun, ImportOfRun } from '#contract/runs/runs.ts';
import type { LogAuthor } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import type { Database } from '../../database/database.ts';
import type { ImportOutcome } from '../../database/importOutcome.ts';
import type { Scope } from '../../database/scope.ts';
import { tryWrite } from '../../database/tryWrite.ts';
import type { Workspace } from '../../database/workspace.ts';
import type { ImportedContact } from '../addContacts.ts';
import { putContacts, readNextContactId } from '../store.ts';
import { needsApproval, RunError } from './checkRun.ts';
import { countChanged, findRun, parseImport, type RunRow, type StoredImport } from './listRuns.ts';
import { insertRun, keepRun, mustFind, readApprovalAbove } from './runs.ts';

type By = { now: number; author: LogAuthor };

const NOTHING = { added: 0, added_unsubscribed: 0, changed: 0, unchanged: 0, refused: 0 };

type ChangedCounts = { unsubscribed: number; recorded: number };
const toCounts = ({ unsubscribed, recorded }: ChangedCounts) => ({ unsubscribed, recorded });

type WrittenRows = { data: RowOutcome[]; meta: { received: number } & ChangedCounts };

/** What an import of the rows would do, also one of more than may be unsubscribed without approval. */
export async function previewRows(
  workspace: Workspace,
  db: Database,
  rows: readonly ImportRow[],
  { now, author }: By,
): Promise<WrittenRows> {
  const by = importedBy(author, randomUUID());
  return tryWrite(db, workspace, async (scope) => {
    const addedFrom = await readNextContactId(scope);
    const outcomes = await putContacts(scope, rows.map(toContact), now, { ...by, addedFrom });
    return toWritten(outcomes, { received: rows.length, ...toCounts(await countChanged(scope, by.run)) });
  });
}

const WITHOUT_APPROVAL =
  'Unsubscribe these people with Bulk unsubscribe first, or import the file with the admin command.';

/** Keeps an import that begins; one that is kept already stays as it is. Throws a `RunError`. */
export async function keepImport(
  workspace: Workspace,
  db: Database,
  {
    uuid,
    rows,
    digest,
    file = null,
    source,
    mapping = [],
    unreadable = 0,
    unsubscribes = 0,
  }: z.infer<typeof startImport.body>,
  by: By,
): Promise<BulkRun> {
  const [above, addedFrom] = await db.read(workspace, (scope) =>
    Promise.all([readApprovalAbove(scope), readNextContactId(scope)]),
  );
  if (needsApproval(above, unsubscribes)) {
    throw new RunError(
      403,
      `This import would unsubscribe ${unsubscribes} contacts. More than ${above} need approval. Nothing was written. ${WITHOUT_APPROVAL}`,
    );
  }
  const imported: StoredImport = {
    file,
    source,
    mapping,
    ...NOTHING,
    refused: unreadable,
    added_from: addedFrom,
    ended: false,
    undone: false,
  };
  return keepRun(workspace, db, { uuid, entries: rows, digest, imported: JSON.stringify(imported) }, by);
}

type Counts = Pick<ImportOfRun, 'added' | 'added_unsubscribed' | 'changed' | 'unchanged' | 'refused'>;

/** Keeps an import of the admin command, which has ended. */
export async function recordImport(
  scope: Scope,
  counts: Counts,
  { author, file, source }: Pick<StoredImport, 'file' | 'source'> & { author: LogAuthor & { run: string } },
  now: number,
): Promise<void> {
  const imported: StoredImport = { file, source, mapping: [], ...counts, ended: true, undone: false };
  const rows = counts.added + counts.changed + counts.unchanged;
  const run = { uuid: author.run, entries: rows, received: rows, imported: JSON.stringify(imported) };
  await insertRun(scope, run, { now, author });
}

/** Writes the next rows. Rows that the import has already change nothing. Throws a `RunError`. */
export async function addRows(
  workspace: Workspace,
  db: Database,
  uuid: string,
  { from, rows }: z.infer<typeof importRows.body>,
  { now, author }: By,
): Promise<WrittenRows> {
  const work = async (scope: Scope) => {
    const run = await mustFind(scope, uuid);
    const { imported, added } = nextRows(run, from, rows);
    if (added.length === 0) return toWritten([], { received: run.received, ...(await checkCount(scope, run)) });
    const { added_from: addedFrom } = imported;
    const by = { ...importedBy(author, run.uuid), ...(addedFrom !== undefined && { addedFrom }) };
    const outcomes = await putContacts(scope, added.map(toContact), now, by);
    for (const outcome of outcomes) imported[nameOf(outcome)]++;
    const unsubscribed = added.filter(({ suppression }, index) => suppression && outcomes[index] === 'added').length;
    imported.added_unsubscribed = (imported.added_unsubscribed ?? 0) + unsubscribed;
    const after = { ...run, received: run.received + added.length };
    if (after.received < run.entries) await save(scope, after, imported);
    else await endImport(scope, after, imported, { now, author: by });
    return toWritten(outcomes, { received: after.received, ...(await checkCount(scope, run)) });
  };
  try {
    return await db.write(workspace, work, { isBulk: true });
  } catch (error) {
    if (!(error instanceof UnapprovedError)) throw error;
    const written = await db.read(workspace, (scope) => describeWritten(scope, uuid));
    throw new RunError(403, `${error.message} ${written} ${WITHOUT_APPROVAL}`);
  }
}

function nextRows(run: RunRow, from: number, rows: readonly ImportRow[]) {
  const imported = parseImport(run);
  const { received, entries } = run;
  if (imported === null) throw new RunError(409, 'This run is not an import.');
  if (imported.undone) throw new RunError(409, 'This import was undone. Start a new one.');
  if (from > received) throw new RunError(409, `The import has ${received} rows: send the next ones first.`);
  const added = rows.slice(received - from);
  if (received + added.length > entries) throw new RunError(409, `The import was started with ${entries} rows.`);
  return { imported, added };
}

/** Before its first contact is set back: nothing more is imported. Also of an import that never ended. */
export async function beginUndo(scope: Scope, uuid: string, by: By): Promise<void> {
  const run = await findRun(scope, uuid);
  const imported = run && parseImport(run);
  if (run !== null && imported !== null && !imported.undone)
    await endImport(scope, run, { ...imported, undone: true }, by);
}

/** After a page of an undo that began `after` a line and ended at `last`. A page that leaves out lines counts for nothing. */
export async function keepUndoPlace(scope: Scope, uuid: string, after: number, last: number): Promise<void> {
  const run = await findRun(scope, uuid);
  const imported = run && parseImport(run);
  const { undone_to = 0 } = imported ?? {};
  if (run !== null && imported !== null && after <= undone_to && last > undone_to)
    await save(scope, run, { ...imported, undone_to: last });
}

/** One line of the log for all that it did. */
async function endImport(scope: Scope, run: RunRow, imported: StoredImport, { now, author }: By): Promise<void> {
  const { added, changed, unchanged, refused, ended } = imported;
  const details = { resource: 'contacts', added, changed, unchanged, refused };
  if (!ended && added + changed > 0)
    await writeLog(scope, [{ action: 'import_run', author: { ...author, run: run.uuid }, details }], now);
  await save(scope, run, { ...imported, ended: true });
}

async function save(scope: Scope, { uuid, received }: RunRow, imported: StoredImport): Promise<void> {
  const columns = { received, imported: JSON.stringify(imported) };
  await scope.update('runs').set(columns).where('uuid', '=', uuid).execute();
}

const importedBy = (author: LogAuthor, run: string) => ({ ...author, run, origin: 'import' }) as const;

function toContact({ uuid, attributes, created_at, updated_at, suppression }: ImportRow): ImportedContact {
  return {
    ...(uuid !== undefined && { uuid }),
    attributes,
    ...(created_at !== undefined && { created_at: Date.parse(created_at) }),
    ...(updated_at !== undefined && { updated_at: Date.parse(updated_at) }),
    ...(suppression && {
      subscribed: false,
      suppression: {
        reason: suppression.reason,
        ...(suppression.since !== undefined && { since: Date.parse(suppression.since) }),
      },
    }),
  };
}

const nameOf = (outcome: ImportOutcome): RowOutcome['outcome'] => (typeof outcome === 'string' ? outcome : 'refused');

/** More would be unsubscribed than without approval. */
class UnapprovedError extends Error {
  override readonly name = 'UnapprovedError';
}

/** Throws an `UnapprovedError`, so that the transaction is rolled back. */
async function checkCount(scope: Scope, { uuid }: RunRow): Promise<ChangedCounts> {
  const counts = toCounts(await countChanged(scope, uuid));
  const above = await readApprovalAbove(scope);
  if (!needsApproval(above, counts.unsubscribed)) return counts;
  throw new UnapprovedError(`This import unsubscribes more than ${above} contacts, which needs approval.`);
}

/** Of an import whose next rows were refused. */
async function describeWritten(scope: Scope, uuid: string): Promise<string> {
  const run = await mustFind(scope, uuid);
  const { added, changed } = parseImport(run) ?? NOTHING;
  if (run.received === 0) return 'Nothing was written.';
  const { unsubscribed } = await countChanged(scope, run.uuid);
  const did = `${added} ${added === 1 ? 'contact' : 'contacts'} added, ${changed} changed, ${unsubscribed} unsubscribed`;
  return `Nothing of these rows was written. Of its ${run.entries} rows, ${run.received} were written before: ${did}. POST /v1/imports/${run.uuid}/undo sets back what changed; added contacts stay.`;
}

function toWritten(outcomes: readonly ImportOutcome[], meta: WrittenRows['meta']): WrittenRows {
  const data = outcomes.map((outcome) => ({
    outcome: nameOf(outcome),
    ...(typeof outcome !== 'string' && { errors: outcome }),
  }));
  return { data, meta };
}

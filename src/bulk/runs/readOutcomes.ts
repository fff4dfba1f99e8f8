import { listRunContacts, listRuns, type ReadableRunContact } from '#contract/runs/runs.ts';
import { ApiError } from '../../api/ApiError.ts';
import { request } from '../../api/client.ts';
import { readAllRows } from '../../table/export/readAllRows.ts';
import type { BulkEntry } from '../bulkState.ts';
import type { Run } from '../run/run.ts';
import { OUTCOMES, undoOf } from './takeRun.ts';

/** The entries whose result the service tells otherwise: another browser may have continued or undone the run at the same time. */
export async function readOutcomes(
  run: string,
  entries: readonly BulkEntry[],
  send: Run['send'],
): Promise<BulkEntry[]> {
  const told = new Map<string, ReadableRunContact>();
  const read = (page: number, per_page: number) =>
    send(() => request(listRunContacts, { run, query: { page, per_page } }));
  try {
    for await (const { rows } of readAllRows(read)) for (const row of rows) told.set(row.uuid, row);
  } catch (error) {
    // The service keeps a run for 30 days; its log still says what an undo may do.
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const row = told.get(entry.outcome?.uuid ?? '');
    if (row === undefined) return [];
    return (entry.undo === null ? correctOutcome(entry, row) : correctUndo(entry, row)) ?? [];
  });
}

/** Whether others undid the run since, and the entries for which that changes anything; none if the service has undone as many as are known here. */
export async function readUndone(
  run: string,
  entries: readonly BulkEntry[],
  known: number,
): Promise<{ isUndone: boolean; changed: BulkEntry[] }> {
  const { data } = await request(listRuns, { query: { filters: { run } } });
  const { state, resubscribed } = data[0] ?? {};
  const isMore = (resubscribed ?? 0) > known;
  return { isUndone: state === 'undone', changed: isMore ? await readOutcomes(run, entries, (call) => call()) : [] };
}

/** Its request unsubscribed the contact, not a later one of this browser. */
function correctOutcome(entry: BulkEntry, row: ReadableRunContact): BulkEntry | null {
  const { outcome } = entry;
  const { state, request_id, at } = row;
  const told = OUTCOMES[state ?? ''];
  if (outcome === null || told === undefined) return null;
  const undo = undoOf(row);
  // Older services list no repeats.
  if (outcome.state === 'recorded' && told === 'already') return null;
  if (outcome.state === told && outcome.request_id === request_id && undo === null) return null;
  return { ...entry, outcome: { ...outcome, state: told, request_id, at: at ?? outcome.at }, undo };
}

/** Its request subscribed the contact again: that of this browser changed nothing. */
function correctUndo(entry: BulkEntry, { undo_request_id, undone_at }: ReadableRunContact): BulkEntry | null {
  const { undo } = entry;
  if (undo?.state !== 'resubscribed' || undo_request_id === null || undo.request_id === undo_request_id) return null;
  return { ...entry, undo: { ...undo, state: 'already', request_id: undo_request_id, at: undone_at ?? undo.at } };
}

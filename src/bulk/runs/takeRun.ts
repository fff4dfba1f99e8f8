import { listRunContacts, listRuns, type ReadableBulkRun, type ReadableRunContact } from '#contract/runs/runs.ts';
import { isStrongReason, SUPPRESSION_REASONS } from '#contract/suppressions/suppression.ts';
import { request } from '../../api/client.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { readAllRows } from '../../table/export/readAllRows.ts';
import {
  createEntry,
  createOutcome,
  isToSend,
  type BulkEntry,
  type EndedList,
  type KeptCounts,
  type RunningList,
  type UndoOutcome,
  type UnsubscribeOutcome,
} from '../bulkState.ts';
import { AGAIN } from '../run/calls.ts';

export type KeptRun = { list: RunningList | EndedList; entries: BulkEntry[] };

/** The run as a list of this browser: paused if contacts are left and nothing was undone, else ended. `onRead` gets the part that is read. */
export async function readKeptRun(uuid: string, workspace: string, onRead: (share: number) => void): Promise<KeptRun> {
  const { data } = await request(listRuns, { query: { filters: { run: uuid } } });
  const [run] = data;
  if (run === undefined) throw new Error('The service no longer keeps this run.');
  if (run.imported !== null) throw new Error('This run is an import. Undo it on the page Runs.');
  const contacts: ReadableRunContact[] = [];
  const read = (page: number, per_page: number) => request(listRunContacts, { run: uuid, query: { page, per_page } });
  for await (const { rows, total } of readAllRows(read)) {
    contacts.push(...rows);
    onRead(contacts.length / Math.max(1, total));
  }
  return toKeptRun(run, contacts, workspace);
}

export function toKeptRun(run: ReadableBulkRun, contacts: readonly ReadableRunContact[], workspace: string): KeptRun {
  const began_at = run.started_at ?? new Date().toISOString();
  const entries = contacts.map((contact, index) => toEntry(contact, index, run));
  const reason = SUPPRESSION_REASONS.find((word) => word === run.reason) ?? null;
  const said = reason === null && run.ticket === null ? undefined : { reason, ticket: run.ticket };
  const author = run.author && describeActor(run.author);
  const kept = countKept(run, contacts.length);
  const begun = { source: null, workspace, author, began_at, run: run.uuid, said, digest: run.digest, kept };
  // The service lets a run of which a part was undone unsubscribe nobody any more.
  if (run.state !== 'undone' && entries.some(isToSend)) return { list: { ...begun, stage: 'run' }, entries };
  // The service keeps it, so nothing is lost without the receipt.
  return {
    list: { ...begun, stage: 'ended', ended_at: lastOf(contacts) ?? began_at, is_saved: true, undo: null },
    entries,
  };
}

function countKept({ entries, missing: unknown, contacts }: ReadableBulkRun, listed: number): KeptCounts {
  const missing = unknown ?? 0;
  const named = contacts ?? listed;
  return { entries, missing, duplicate: Math.max(0, entries - missing - named), erased: Math.max(0, named - listed) };
}

const lastOf = (contacts: readonly ReadableRunContact[]) =>
  contacts
    .flatMap(({ at }) => at ?? [])
    .toSorted()
    .at(-1);

export const OUTCOMES: Readonly<Record<string, UnsubscribeOutcome['state']>> = {
  unsubscribed: 'unsubscribed',
  resubscribed: 'unsubscribed',
  recorded: 'recorded',
  already: 'already',
};

function toEntry(row: ReadableRunContact, index: number, { reason }: ReadableBulkRun): BulkEntry {
  const { uuid, name, address, state, request_id, at } = row;
  const entry = createEntry({
    index,
    line: index + 1,
    text: address ?? uuid,
    as: 'contact of the run',
    values: [uuid],
    repeats: null,
    source: null,
    leftOut: null,
  });
  const outcome = OUTCOMES[state ?? ''];
  const why = outcome === 'recorded' && !isStrongReason(reason) ? AGAIN : null;
  return {
    ...entry,
    person: { name: name ?? '', email: address ?? '', company: '' },
    outcome: outcome === undefined ? null : { ...createOutcome(outcome, at ?? ''), uuid, request_id, why },
    undo: undoOf(row),
  };
}

/** By another undo than that of this browser; null if the contact wasn't subscribed again by the run. */
export const undoOf = ({ state, undo_request_id, undone_at }: ReadableRunContact): UndoOutcome | null =>
  state === 'resubscribed' ? { state: 'already', request_id: undo_request_id, why: null, at: undone_at ?? '' } : null;

import { addRunEntries, ENTRIES_AT_ONCE, listRuns, startRun } from '#contract/runs/runs.ts';
import { request } from '../../api/client.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { isSelectable, type BulkEntry, type RunningList } from '../bulkState.ts';
import type { Run } from '../run/run.ts';

export const WAITS_FOR_APPROVAL =
  'A second person approves a run of so many contacts, on the page Runs. Resume here once that is done.';

export const NO_ONE_APPROVES =
  'A token started this run, so no one can approve it: choose Finish now, sign in with an account and start the list again.';

/** Characters of the entries of a request, whose body may have 256 KiB. */
const PART_MAX = 60_000;
/** Longer values name no one. */
const VALUE_MAX = 300;

/** Sends the list of a run to the service before the first unsubscribe, or its rest if the service has a part. Returns who began it, if that is known. Throws if it waits for approval. */
export async function keepRun(
  { run: uuid, said, digest = null, author = null }: RunningList,
  entries: readonly BulkEntry[],
  { send, showKept }: Pick<Run, 'send' | 'showKept'>,
): Promise<string | null> {
  if (uuid === undefined) return author;
  const kept = entries.filter((entry) => entry.isSelected && isSelectable(entry));
  const { reason, ticket } = said ?? {};
  showKept(0);
  const { data: started } = await send(() =>
    request(startRun, { body: { uuid, entries: kept.length, digest, reason, ticket } }),
  );
  for (let at = started.received; at < started.entries;) {
    const part = takePart(kept, at);
    if (part.length === 0) throw new Error('The service keeps this run with another list. Start a new one.');
    const { data } = await send(() => request(addRunEntries, { run: uuid, body: { from: at, entries: part } }));
    at = data.received;
    showKept(at);
  }
  const { data } = await send(() => request(listRuns, { query: { filters: { run: uuid } } }));
  showKept(null);
  if (data[0]?.state === 'waiting')
    throw new Error(data[0].author?.kind === 'person' ? WAITS_FOR_APPROVAL : NO_ONE_APPROVES);
  return started.author === null ? author : describeActor(started.author);
}

/** The values of the next entries: of a contact that is known already its UUID. */
function takePart(entries: readonly BulkEntry[], from: number): string[][] {
  const part: string[][] = [];
  let size = 0;
  for (const { found, values } of entries.slice(from, from + ENTRIES_AT_ONCE)) {
    const known = found?.uuid ?? found?.value;
    const sent = (known ? [known] : values).filter((value) => value.length <= VALUE_MAX).slice(0, 50);
    size += sent.join('').length;
    if (size > PART_MAX && part.length > 0) break;
    part.push(sent);
  }
  return part;
}

import { listContactChanges, subscribeContact, type ReadableChange } from '#contract/change.ts';
import { must } from '#contract/values/must.ts';
import { request, requestWithId } from '../../api/client.ts';
import { isOwnUnsubscribe, readSubscriptionChanges } from '../../identity/findLastSubscriptionChange.ts';
import { isOfEntry } from './calls.ts';
import { createUndo, type BulkEntry, type UndoOutcome, type UndoneList } from '../bulkState.ts';
import type { Run } from './run.ts';

const CHANGED = 'Left unchanged: the subscription was changed again after this run.';
const UNCLEAR = 'Still unsubscribed: couldn’t confirm that this list caused it.';

/**
 * Subscribes the contact of an entry again if the last change of its subscription is the run's, and returns the entry with the
 * outcome. Each attempt reads the log first: a late retry must not undo someone's newer unsubscribe.
 */
export async function undoEntry(
  entry: BulkEntry,
  { send, save }: Pick<Run, 'send' | 'save'>,
  { workspace, run, undo: { reason } }: Pick<UndoneList, 'workspace' | 'run' | 'undo'>,
): Promise<BulkEntry> {
  const { uuid, request_id: requestId } = must(entry.outcome);
  const contact = must(uuid);
  await save({ ...entry, undo: createUndo('sent') });
  const undo = async (): Promise<UndoOutcome> => {
    const changes = await readSubscriptionChanges((query) => request(listContactChanges, { contact, query }));
    const [last] = changes;
    if (isOwnUnsubscribe(last, { requestId, run })) {
      const input = { workspace, contact, body: { reason } };
      const done = await requestWithId(subscribeContact, input, undefined, run);
      return createUndo('resubscribed', done.requestId);
    }
    const isBack = isResubscription(last);
    // An earlier attempt, whose response was lost.
    if (isBack && run !== undefined && last.run === run) return createUndo('resubscribed', last.request_id);
    const wasChanged = isBack || changes.some((change) => isOwnUnsubscribe(change, { requestId, run }));
    return wasChanged ? createUndo('changed', null, CHANGED) : createUndo('unclear', null, UNCLEAR);
  };
  try {
    return { ...entry, undo: await send(undo) };
  } catch (error) {
    if (!isOfEntry(error)) throw error;
    return { ...entry, undo: createUndo('failed', error.requestId ?? null, error.message) };
  }
}

const isResubscription = (change: ReadableChange | undefined): change is ReadableChange =>
  change?.changes?.some(({ field, after }) => field === 'subscribed' && after === true) ?? false;

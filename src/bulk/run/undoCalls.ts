import { listContactChanges, subscribeContact, type ReadableChange } from '#contract/change.ts';
import { must } from '#contract/values/must.ts';
import { request, requestWithId } from '../../api/client.ts';
import { isOwnUnsubscribe, readSubscriptionChanges } from '../../identity/findLastSubscriptionChange.ts';
import { type CallContext, isOfEntry } from './calls.ts';
import { createUndo, type DeskEntry, type UndoOutcome } from '../entry.ts';

const CHANGED = 'Left as it is: the subscription was changed again after this run.';
const UNCLEAR = 'Still unsubscribed: couldn’t confirm that this list caused it.';

type Options = Pick<CallContext, 'send' | 'save'> & {
  /** UUID of the workspace. */
  workspace: string;
  /** What the log of the service calls the run. */
  run: string | undefined;
  /** Recorded with each change. */
  reason: string;
};

/**
 * Subscribes the contact of an entry again if the last change of its subscription is that of the run, and returns the entry with the
 * outcome. Each try reads the log first: a retry that comes late must not undo somebody's newer unsubscribe.
 */
export async function undoEntry(entry: DeskEntry, { workspace, reason, run, send, save }: Options): Promise<DeskEntry> {
  const { uuid, request_id: requestId } = must(entry.outcome);
  const contact = must(uuid);
  await save({ ...entry, undo: createUndo('sent') });
  const undo = async (): Promise<UndoOutcome> => {
    const changes = await readSubscriptionChanges((query) => request(listContactChanges, { contact, query }));
    const [last] = changes;
    if (isOwnUnsubscribe(last, { requestId, run })) {
      const input = { workspace, contact, body: { reason } };
      return createUndo(
        'resubscribed',
        (await requestWithId(subscribeContact, input, undefined, run)).requestId ?? null,
      );
    }
    const isBack = isResubscription(last);
    // A try whose response was lost has done it.
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

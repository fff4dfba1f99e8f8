import { listContactChanges, subscribeContact, type ReadableChange } from '#contract/change.ts';
import { must } from '#contract/must.ts';
import { request, requestWithId } from '../api/client.ts';
import { readSubscriptionChanges } from '../contact/findLastSubscriptionChange.ts';
import { createUndo, type DeskEntry, type UndoOutcome } from './entry.ts';
import type { ListAccess } from './calls.ts';
import { type RunInLog, settleLostAnswer } from './lostAnswers.ts';
import type { SendCall } from './queueRunner.ts';

const CHANGED = 'Left as it is: the subscription was changed again after this run.';
const UNCLEAR = 'Still unsubscribed: whether this list did it could not be told.';

type Options = {
  /** UUID of the workspace. */
  workspace: string;
  /** What the log of the service calls the run. */
  run?: string | undefined;
  /** Finds the run in the log of the service. */
  findRun: () => Promise<RunInLog | null>;
  /** Recorded with each change. */
  reason: string;
  send: SendCall;
};

/**
 * Subscribes the contact of an entry again if the last change of its subscription is that of the run, and saves the outcome.
 * Where the answer to the unsubscribe was lost, the log tells whether it is.
 * Each try reads the log first: a retry that comes late must not undo somebody's newer unsubscribe.
 */
export async function undoEntry(
  entry: DeskEntry,
  list: ListAccess,
  { workspace, reason, run, findRun, send }: Options,
): Promise<void> {
  // After a try the last change may be the undo.
  const settled = entry.undo === null ? await settleLostAnswer(entry, send, { run, find: findRun }) : entry;
  const { uuid, request_id } = must(settled.outcome);
  const contact = must(uuid);
  const sent = { ...settled, undo: entry.undo ?? createUndo('sent') };
  await list.save(sent);
  // A try without an answer, now or before the tab was closed, may have succeeded.
  let wasTried = entry.undo !== null;
  const undo = await send(async (): Promise<UndoOutcome> => {
    const changes = await readSubscriptionChanges((query) => request(listContactChanges, { contact, query }));
    const [last] = changes;
    if (last === undefined || last.request_id === null) return createUndo('unclear', null, UNCLEAR);
    if (last.request_id === request_id) {
      wasTried = true;
      const { requestId } = await requestWithId(
        subscribeContact,
        { workspace, contact, body: { reason } },
        undefined,
        run,
      );
      return createUndo('resubscribed', requestId ?? null);
    }
    const isOurs = wasTried && isResubscription(last) && last.reason === reason;
    if (isOurs) return createUndo('resubscribed', last.request_id);
    const wasChanged = isResubscription(last) || changes.some((change) => change.request_id === request_id);
    return wasChanged ? createUndo('changed', null, CHANGED) : createUndo('unclear', null, UNCLEAR);
  });
  await list.save({ ...sent, undo });
}

const isResubscription = ({ changes }: ReadableChange) =>
  changes?.some(({ field, after }) => field === 'subscribed' && after === true) ?? false;

import { listContactChanges, subscribeContact } from '#contract/additions.ts';
import type { ReadableChange } from '#contract/change.ts';
import { must } from '#contract/must.ts';
import { request, requestWithId } from '../api/client.ts';
import { findLastSubscriptionChange } from '../contact/findLastSubscriptionChange.ts';
import { createUndo, type DeskEntry, type UndoOutcome } from './entry.ts';
import type { ListAccess } from './calls.ts';
import type { SendCall } from './queueRunner.ts';

const CHANGED = 'Left as it is: the subscription was changed again after this run.';
const UNKNOWN = 'Left as it is: the service has no record that this run unsubscribed the contact.';

type Options = {
  /** UUID of the workspace. */
  workspace: string;
  /** Recorded with each change. */
  reason: string;
  send: SendCall;
};

/**
 * Subscribes the contact of an entry again if the last change of its subscription is that of the run, and saves the outcome.
 * Each try reads the log first: a retry that comes late must not undo somebody's newer unsubscribe.
 */
export async function undoEntry(
  entry: DeskEntry,
  list: ListAccess,
  { workspace, reason, send }: Options,
): Promise<void> {
  const { uuid, request_id } = must(entry.outcome);
  const contact = must(uuid);
  const sent = { ...entry, undo: entry.undo ?? createUndo('sent') };
  await list.save(sent);
  // A try without an answer, now or before the tab was closed, may have succeeded.
  let wasTried = entry.undo !== null;
  const undo = await send(async (): Promise<UndoOutcome> => {
    const last = await findLastSubscriptionChange((query) => request(listContactChanges, { contact, query }));
    if (last === null || last.request_id === null) return createUndo('changed', null, UNKNOWN);
    if (last.request_id === request_id) {
      wasTried = true;
      const { requestId } = await requestWithId(subscribeContact, { workspace, contact, body: { reason } });
      return createUndo('resubscribed', requestId ?? null);
    }
    const isOurs = wasTried && isResubscription(last) && last.reason === reason;
    return isOurs ? createUndo('resubscribed', last.request_id) : createUndo('changed', null, CHANGED);
  });
  await list.save({ ...sent, undo });
}

const isResubscription = ({ changes }: ReadableChange) =>
  changes?.some(({ field, after }) => field === 'subscribed' && after === true) ?? false;

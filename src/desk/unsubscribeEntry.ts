import { lookUpContact, type SendCall, unsubscribe } from './calls.ts';
import type { DeskState } from './deskState.ts';
import type { DeskEntry } from './entry.ts';
import { createOutcome } from './outcome.ts';

const REPEATED = 'Asked again after a lost answer: the service may know it by an earlier request.';

type Options = {
  /** UUID of the workspace. */
  workspace: string;
  /** Whether the service can be asked for the record of a contact. */
  canRead: boolean;
  send: SendCall;
};

/**
 * Unsubscribes the contact of an entry, where it may still be subscribed, and saves the outcome. The entry is saved as
 * `sent` before the request, so that a run that breaks off in between sends it again.
 */
export async function unsubscribeEntry(
  state: DeskState,
  entry: DeskEntry,
  { workspace, canRead, send }: Options,
): Promise<void> {
  let { found } = entry;
  // An entry that was sent before is not looked up: the contact may be unsubscribed by that request.
  if (canRead && found === null && entry.outcome === null) {
    found = await lookUpContact(entry.values, true, send);
    const repeats = await state.claimContact(entry, found.uuid);
    if (repeats !== null) return state.saveEntry({ ...entry, found, repeats });
  }
  if (found?.state === 'unknown') {
    return state.saveEntry({ ...entry, found, outcome: createOutcome('missing', found.at) });
  }
  if (found?.state === 'unsubscribed') {
    return state.saveEntry({ ...entry, found, outcome: { ...createOutcome('already', found.at), uuid: found.uuid } });
  }
  const sent = { ...entry, found, outcome: entry.outcome ?? createOutcome('sent') };
  await state.saveEntry(sent);
  const identifier = found?.uuid ?? found?.value;
  const response = await unsubscribe(identifier ? [identifier] : entry.values, workspace, send);
  if (response === null) return state.saveEntry({ ...sent, outcome: createOutcome('missing') });
  const { contact, requestId } = response;
  const isRepeat = response.isRepeat || entry.outcome !== null;
  const wasUnsubscribed = found?.state !== 'subscribed' && state.isOlderThanRun(contact.updated_at);
  await state.saveEntry({
    ...sent,
    repeats: await state.claimContact(entry, contact.uuid),
    outcome: {
      ...createOutcome(wasUnsubscribed ? 'already' : 'unsubscribed'),
      uuid: contact.uuid,
      request_id: requestId,
      why: isRepeat ? REPEATED : null,
    },
  });
}

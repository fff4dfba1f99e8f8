import { request } from '../api/client.ts';
import { findByValues, findFirst } from '../contact/findContact.ts';
import { unsubscribe } from '../contact/unsubscribe.ts';
import { type LookUpResult, type DeskEntry, createOutcome } from './entry.ts';
import type { DeskState } from './deskState.ts';

/** Sends a request, and retries it when the error is transient. `AdaptiveSender` limits the rate. */
export type SendCall = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** Looks up the contact by the first of `values` that the service finds. `canRead`: the service has `getContact`. */
export async function lookUpContact(
  values: readonly string[],
  canRead: boolean,
  send: SendCall,
): Promise<LookUpResult> {
  const match = await findByValues(values, canRead, (endpoint, input) => send(() => request(endpoint, input)));
  const at = new Date().toISOString();
  if (match === null) return { state: 'unknown', value: null, uuid: null, at };
  const { value, answer: record } = match;
  if (record === null) return { state: 'exists', value, uuid: null, at };
  return { state: record.subscribed ? 'subscribed' : 'unsubscribed', value, uuid: record.uuid, at };
}

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
  const match = await findFirst(identifier ? [identifier] : entry.values, (value) =>
    unsubscribe({ workspace, contact: value }, send),
  );
  if (match === null) return state.saveEntry({ ...sent, outcome: createOutcome('missing') });
  const { contact, requestId } = match.answer;
  const isRepeat = match.answer.isRepeat || entry.outcome !== null;
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

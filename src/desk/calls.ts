import { listContactChanges } from '#contract/additions.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { findByValues, findFirst } from '../contact/findContact.ts';
import { findLastSubscriptionChange, isUnsubscribe } from '../contact/findLastSubscriptionChange.ts';
import { type Person, toPerson } from '../contact/person.ts';
import { unsubscribe } from '../contact/unsubscribe.ts';
import { parseTime } from '../ui/time.ts';
import { type LookUpResult, type DeskEntry, createOutcome } from './entry.ts';
import type { SendCall } from './queueRunner.ts';

/** Milliseconds by which the clocks of this computer and the service may differ. */
const CLOCK_SLACK = 60_000;

/** What the calls for an entry do with the list. */
export type ListAccess = {
  save: (entry: DeskEntry) => Promise<void>;
  /** Notes that the entry names this contact. Returns the line that names it first; null when that is the entry itself. */
  claim: (entry: DeskEntry, uuid: string | null) => Promise<number | null>;
};

type Found = { found: LookUpResult; person: Person | null };

/** Looks up the contact by the first of `values` that the service finds. `canRead`: the service has `getContact`. */
async function lookUpContact(values: readonly string[], canRead: boolean, send: SendCall): Promise<Found> {
  const match = await findByValues(values, canRead, (endpoint, input) => send(() => request(endpoint, input)));
  const at = new Date().toISOString();
  if (match === null) return { found: { state: 'unknown', value: null, uuid: null, at }, person: null };
  const { value, answer: record } = match;
  if (record === null) return { found: { state: 'exists', value, uuid: null, at }, person: null };
  const state = record.subscribed ? 'subscribed' : 'unsubscribed';
  return { found: { state, value, uuid: record.uuid, at }, person: toPerson(record) };
}

/** Looks up the contact of an entry, and saves what was found. */
export async function checkEntry(
  entry: DeskEntry,
  list: ListAccess,
  { canRead, send }: { canRead: boolean; send: SendCall },
): Promise<void> {
  const { found, person } = await lookUpContact(entry.values, canRead, send);
  await list.save({ ...entry, found, person, repeats: await list.claim(entry, found.uuid) });
}

const REPEATED = 'Sent again after a lost answer: two requests were sent, and an earlier one may have done it.';
const FOUND = 'Sent again after a lost answer: two requests were sent, and this one did it.';

type Options = {
  /** UUID of the workspace. */
  workspace: string;
  /** When the run began. */
  beganAt: string;
  /** Whether the service can be asked for the record of a contact. */
  canRead: boolean;
  /** Whether the service has a log of changes. */
  hasLog: boolean;
  send: SendCall;
};

/**
 * Unsubscribes the contact of an entry, where it may still be subscribed, and saves the outcome. The entry is saved as
 * `sent` before the request, so that a run that breaks off in between sends it again.
 */
export async function unsubscribeEntry(
  entry: DeskEntry,
  list: ListAccess,
  { workspace, beganAt, canRead, hasLog, send }: Options,
): Promise<void> {
  let { found, person } = entry;
  // An entry that was sent before is not looked up: the contact may be unsubscribed by that request.
  if (canRead && found === null && entry.outcome === null) {
    ({ found, person } = await lookUpContact(entry.values, true, send));
    const repeats = await list.claim(entry, found.uuid);
    if (repeats !== null) return list.save({ ...entry, found, person, repeats });
  }
  const known = { ...entry, found, person };
  if (found?.state === 'unknown') return list.save({ ...known, outcome: createOutcome('missing', found.at) });
  if (found?.state === 'unsubscribed') {
    return list.save({ ...known, outcome: { ...createOutcome('already', found.at), uuid: found.uuid } });
  }
  const sent = { ...known, outcome: entry.outcome ?? createOutcome('sent') };
  await list.save(sent);
  const identifier = found?.uuid ?? found?.value;
  const match = await findFirst(identifier ? [identifier] : entry.values, (value) =>
    unsubscribe({ workspace, contact: value }, send),
  );
  if (match === null) return list.save({ ...sent, outcome: createOutcome('missing') });
  const { contact, requestId } = match.answer;
  const isRepeat = match.answer.isRepeat || entry.outcome !== null;
  const logged = isRepeat && hasLog ? await findLoggedRequest(contact.uuid, beganAt, send) : null;
  const wasUnsubscribed = found?.state !== 'subscribed' && isOlder(contact.updated_at, beganAt);
  await list.save({
    ...sent,
    person: person ?? toPerson(contact),
    repeats: await list.claim(entry, contact.uuid),
    outcome: {
      ...createOutcome(wasUnsubscribed ? 'already' : 'unsubscribed'),
      uuid: contact.uuid,
      request_id: logged ?? requestId,
      why: !isRepeat ? null : logged === null ? REPEATED : FOUND,
    },
  });
}

/**
 * The request since the run began that has unsubscribed the contact, by the log of the service; null where the log does not tell.
 */
async function findLoggedRequest(contact: string, beganAt: string, send: SendCall): Promise<string | null> {
  try {
    const last = await findLastSubscriptionChange(async (query) =>
      send(() => request(listContactChanges, { contact, query })),
    );
    return isUnsubscribe(last) && !isOlder(last.created_at, beganAt) ? last.request_id : null;
  } catch (error) {
    // The contact is unsubscribed all the same, and the receipt says that two requests were sent.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/**
 * Whether a contact changed last before the run began. Unsubscribing twice does not change `updated_at`
 * (docs/interface.md, 3), so the run has not unsubscribed such a contact.
 */
function isOlder(updatedAt: string | null, beganAt: string): boolean {
  const [updated, began] = [parseTime(updatedAt), parseTime(beganAt)];
  return updated !== null && began !== null && updated.getTime() < began.getTime() - CLOCK_SLACK;
}

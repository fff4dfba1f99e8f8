import { listContactChanges } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { ApiError } from '../../api/ApiError.ts';
import { request } from '../../api/client.ts';
import { findByValues, findFirst } from '../../identity/findContact.ts';
import { isOwnUnsubscribe, isUnsubscribe, readSubscriptionChanges } from '../../identity/findLastSubscriptionChange.ts';
import { type Person, toPerson } from '../../identity/person.ts';
import { unsubscribe } from '../../identity/unsubscribe.ts';
import { parseTime } from '../../ui/format/time.ts';
import { createOutcome, type DeskEntry, type LookUpResult, toErrorOutcome, type UnsubscribeOutcome } from '../entry.ts';
import { describeSimilar, findSimilar, type SimilarContact } from '../reading/similarContacts.ts';

/** Milliseconds by which the clocks of this computer and the service may differ. */
const CLOCK_SLACK = 60_000;

const NOT_IN_WORKSPACE = 'The service knows this contact, but finds nobody to unsubscribe. Check the workspace ID.';
const PROVEN = 'Sent again after a lost response: this request did it.';
const UNPROVEN = 'Sent again after a lost response: an earlier request may have done it.';

/** What the calls for an entry need. */
export type CallContext = {
  /** Whether the service has more than the bare interface: it reads and lists contacts, and its log has runs. */
  hasAdditions: boolean;
  /** Sends a request, and retries it when the error is transient. */
  send: <Response>(call: () => Promise<Response>) => Promise<Response>;
  save: (entry: DeskEntry) => Promise<void>;
  /** Notes that the entry names this contact. Returns the line that names it first; null when that is the entry itself. */
  claim: (entry: DeskEntry, uuid: string | null) => Promise<number | null>;
};

/** Whether an error concerns one entry only: a session that has ended (401) or may not do this any more (403) concerns all. */
export const isOfEntry = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status !== 401 && error.status !== 403;

/** What finds a contact, and its record; null where nobody was found, or the service has no operation that reads it. */
function toFound(value: string | null, record: ReadableContact | null): { found: LookUpResult; person: Person | null } {
  const at = new Date().toISOString();
  if (value === null) return { found: { state: 'unknown', value, uuid: null, at }, person: null };
  if (record === null) return { found: { state: 'exists', value, uuid: null, at }, person: null };
  const state = record.subscribed ? 'subscribed' : 'unsubscribed';
  return { found: { state, value, uuid: record.uuid, at }, person: toPerson(record) };
}

/** The entry with what was found of its contact: a similar one that was chosen is looked up again by its own value. */
async function lookUpEntry(entry: DeskEntry, { hasAdditions, send, claim }: CallContext) {
  const { value } = entry.found ?? { value: null };
  const values = value === null || entry.values.includes(value) ? entry.values : [value];
  const match = await findByValues(values, hasAdditions, (endpoint, input) => send(() => request(endpoint, input)));
  const { found, person } = toFound(match?.value ?? null, match?.answer ?? null);
  return { ...entry, found, person, repeats: await claim(entry, found.uuid) };
}

/** The entry with its contact. Where nobody was found, similar contacts are offered, unselected. */
export async function checkEntry(entry: DeskEntry, context: CallContext): Promise<DeskEntry> {
  const { hasAdditions, send } = context;
  const lookedUp = await lookUpEntry(entry, context);
  if (lookedUp.found.state !== 'unknown') return lookedUp;
  const similar = await findSimilar(entry.values, {
    hasAdditions,
    read: (endpoint, input) => send(() => request(endpoint, input)),
  });
  return offerSimilar(lookedUp, similar);
}

function offerSimilar(entry: DeskEntry, similar: readonly SimilarContact[]): DeskEntry {
  const [only, ...others] = similar;
  if (only === undefined) return entry;
  const offered = { ...entry, isTicked: false, leftOut: describeSimilar(similar) };
  // Of several, none is in the row: it stands for one contact.
  return others.length > 0 ? offered : { ...offered, ...toFound(only.value, only.record) };
}

type RunContext = CallContext & {
  /** UUID of the workspace. */
  workspace: string;
  /** What the log of the service calls the run; undefined where it has none. */
  run: string | undefined;
  /** Whether the run has unsubscribed somebody, so that the ID of the workspace is right. */
  hasUnsubscribed: () => boolean;
};

/**
 * Unsubscribes the contact of an entry, where it may still be subscribed, and returns the entry with the outcome. It is saved as `sent`
 * before, so that a run that breaks off in between sends it again.
 */
export async function unsubscribeEntry(entry: DeskEntry, context: RunContext): Promise<DeskEntry> {
  const { hasAdditions, send, save, claim, workspace, run, hasUnsubscribed } = context;
  let known = entry;
  let isRepeat = entry.outcome !== null;
  const sent = entry.outcome ?? createOutcome('sent');
  try {
    // A check may be days old: whom it found unsubscribed may be subscribed again, and whom it did not find may be added.
    // An entry that was sent before is not looked up: the contact may be unsubscribed by that request.
    if (hasAdditions && !isRepeat && entry.found?.state !== 'subscribed') {
      const lookedUp = await lookUpEntry(entry, context);
      const { state, at, uuid } = lookedUp.found;
      if (lookedUp.repeats !== null) return lookedUp;
      if (state === 'unknown') return { ...lookedUp, outcome: createOutcome('missing', at) };
      if (state === 'unsubscribed') return { ...lookedUp, outcome: { ...createOutcome('already', at), uuid } };
      known = lookedUp;
    }
    const identifier = known.found?.uuid ?? known.found?.value;
    await save({ ...known, outcome: sent });
    const match = await findFirst(identifier ? [identifier] : entry.values, (contact) =>
      send(() => unsubscribe({ workspace, contact }, run, () => (isRepeat = true))),
    );
    if (match === null) {
      // The 404 may be about the workspace. A look-up does not name it.
      known = await lookUpEntry(entry, context);
      if (known.found?.state === 'unknown') return { ...known, outcome: createOutcome('missing', known.found.at) };
      if (!hasUnsubscribed()) throw new Error(NOT_IN_WORKSPACE);
      return { ...known, outcome: { ...createOutcome('failed'), why: NOT_IN_WORKSPACE, wasLost: isRepeat } };
    }
    const { contact, requestId } = match.answer;
    return {
      ...known,
      person: known.person ?? toPerson(contact),
      repeats: await claim(entry, contact.uuid),
      outcome: {
        ...createOutcome('unsubscribed'),
        uuid: contact.uuid,
        ...(await decideOutcome({ contact, requestId, run, isRepeat, since: sent.at }, context)),
      },
    };
  } catch (error) {
    if (isOfEntry(error)) return { ...known, outcome: { ...toErrorOutcome(error), wasLost: isRepeat } };
    await save({ ...known, outcome: isRepeat ? sent : null });
    throw error;
  }
}

type Response = {
  contact: ReadableContact;
  requestId: string | null;
  run: string | undefined;
  isRepeat: boolean;
  /** When the first request was sent. ISO 8601, by the clock of this computer. */
  since: string;
};

/**
 * Which request unsubscribed the contact: ours or, where it was already unsubscribed, another. The log tells, by the run; without one, the
 * time of the last change does, because unsubscribing twice does not move it (docs/interface.md, 3).
 */
async function decideOutcome(
  { contact, requestId, run, isRepeat, since }: Response,
  { send }: CallContext,
): Promise<Partial<UnsubscribeOutcome>> {
  const isEarlier = isOlder(contact.updated_at, since);
  if (run !== undefined && (isRepeat || isEarlier)) {
    const [last] = await readSubscriptionChanges((query) =>
      send(() => request(listContactChanges, { contact: contact.uuid, query })),
    ).catch(() => []);
    if (last !== undefined && isOwnUnsubscribe(last, { requestId, run })) {
      const proof = { request_id: last.request_id ?? requestId, ...(last.created_at && { at: last.created_at }) };
      return isRepeat ? { ...proof, why: PROVEN } : { request_id: requestId };
    }
    if (isUnsubscribe(last)) return { state: 'already', request_id: requestId };
  }
  if (isEarlier) return { state: 'already', request_id: requestId };
  return { request_id: requestId, why: isRepeat ? UNPROVEN : null };
}

/** Whether a contact changed last before `at`, which is a time of this computer. */
function isOlder(updatedAt: string | null, at: string): boolean {
  const [updated, then] = [parseTime(updatedAt), parseTime(at)];
  return updated !== null && then !== null && updated.getTime() < then.getTime() - CLOCK_SLACK;
}

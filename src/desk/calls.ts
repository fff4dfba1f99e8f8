import type { ReadableContact } from '#contract/contact.ts';
import { must } from '#contract/must.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { findByValues, findFirst } from '../contact/findContact.ts';
import { type Person, toPerson } from '../contact/person.ts';
import { isAnswerLost, unsubscribe } from '../contact/unsubscribe.ts';
import { parseTime } from '../ui/time.ts';
import { type LookUpResult, type DeskEntry, createOutcome } from './entry.ts';
import { describeTries, type RunInLog, settleEarlierChange, settleLostAnswer } from './lostAnswers.ts';
import type { SendCall } from './queueRunner.ts';
import { describeSimilar, findSimilar, type SimilarContact } from './similarContacts.ts';

/** Milliseconds by which the clocks of this computer and the service may differ. */
const CLOCK_SLACK = 60_000;

const NOT_IN_WORKSPACE = 'The service knows this contact, but finds nobody to unsubscribe. Check the workspace ID.';

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
  return toFound(match?.value ?? null, match?.answer ?? null);
}

/** What finds a contact, and its record; null where nobody was found, or the service has no operation that reads it. */
function toFound(value: string | null, record: ReadableContact | null): Found {
  const at = new Date().toISOString();
  if (value === null) return { found: { state: 'unknown', value, uuid: null, at }, person: null };
  if (record === null) return { found: { state: 'exists', value, uuid: null, at }, person: null };
  const state = record.subscribed ? 'subscribed' : 'unsubscribed';
  return { found: { state, value, uuid: record.uuid, at }, person: toPerson(record) };
}

type LookUp = { canRead: boolean; send: SendCall };

/** The entry with what was found of its contact: a similar one that was chosen is looked up again by its own value. */
async function lookUpEntry(entry: DeskEntry, list: ListAccess, { canRead, send }: LookUp) {
  const { value } = entry.found ?? { value: null };
  const values = value === null || entry.values.includes(value) ? entry.values : [value];
  const { found, person } = await lookUpContact(values, canRead, send);
  return { ...entry, found, person, repeats: await list.claim(entry, found.uuid) };
}

/** Looks up the contact of an entry, and saves what was found. Where nobody was, similar contacts are offered, unselected. */
export async function checkEntry(
  entry: DeskEntry,
  list: ListAccess,
  { canList, ...lookUp }: LookUp & { canList: boolean },
): Promise<void> {
  const lookedUp = await lookUpEntry(entry, list, lookUp);
  if (lookedUp.found.state !== 'unknown') return list.save(lookedUp);
  const { canRead, send } = lookUp;
  const similar = await findSimilar(entry.values, {
    canRead,
    canList,
    read: (endpoint, input) => send(() => request(endpoint, input)),
  });
  await list.save(offerSimilar(lookedUp, similar));
}

function offerSimilar(entry: DeskEntry, similar: readonly SimilarContact[]): DeskEntry {
  const [only, ...others] = similar;
  if (only === undefined) return entry;
  const offered = { ...entry, isTicked: false, leftOut: describeSimilar(similar) };
  // Of several, none is in the row: it stands for one contact.
  return others.length > 0 ? offered : { ...offered, ...toFound(only.value, only.record) };
}

type Options = {
  /** UUID of the workspace. */
  workspace: string;
  /** What the log of the service calls the run. */
  run?: string | undefined;
  /** Whether the service can be asked for the record of a contact. */
  canRead: boolean;
  /** Finds this run in the log of the service; null where it has none. */
  findRun: (() => Promise<RunInLog | null>) | null;
  send: SendCall;
};

/**
 * Unsubscribes the contact of an entry, where it may still be subscribed, and saves the outcome. The entry is saved as
 * `sent` before each request, so that a run that breaks off in between sends it again.
 */
export async function unsubscribeEntry(
  entry: DeskEntry,
  list: ListAccess,
  { workspace, run, canRead, findRun, send }: Options,
): Promise<void> {
  let known = entry;
  const mayBeSubscribed = entry.found?.state === 'subscribed' || entry.found?.state === 'exists';
  // A check may be days old: whom it found unsubscribed may be subscribed again, and whom it did not find may be added.
  // An entry that was sent before is not looked up: the contact may be unsubscribed by that request.
  if (canRead && !mayBeSubscribed && entry.outcome === null) {
    const lookedUp = await lookUpEntry(entry, list, { canRead, send });
    const { state, at, uuid } = lookedUp.found;
    if (lookedUp.repeats !== null) return list.save(lookedUp);
    if (state === 'unknown') return list.save({ ...lookedUp, outcome: createOutcome('missing', at) });
    if (state === 'unsubscribed') return list.save({ ...lookedUp, outcome: { ...createOutcome('already', at), uuid } });
    known = lookedUp;
  }
  const { found, person } = known;
  const identifier = found?.uuid ?? found?.value;
  const sentAt = readSendingTimes(entry);
  let { sent, errors } = entry.tries ?? { sent: sentAt.length, errors: 0 };
  const saveSent = async () =>
    list.save({
      ...known,
      tries: { sent, errors },
      outcome: sentAt.length === 0 ? null : { ...(entry.outcome ?? createOutcome('sent')), sent_at: [...sentAt] },
    });
  const sendSaved: SendCall = (call) =>
    send(async () => {
      sentAt.push(new Date().toISOString());
      sent += 1;
      await saveSent();
      return call().catch(async (error: unknown) => {
        if (error instanceof ApiError && !isAnswerLost(error)) {
          // Refused, so this one has not done it, whatever becomes of the entry.
          if ((error.status ?? 0) >= 400 && (error.status ?? 0) < 500) sentAt.pop();
          if (error.isTransient || error.kind === 'unreadable') errors += 1;
          else sent -= 1;
          await saveSent();
        }
        throw error;
      });
    });
  const match = await findFirst(identifier ? [identifier] : entry.values, (value) =>
    unsubscribe({ workspace, contact: value }, sendSaved, run),
  );
  if (match === null) {
    // The 404 may be about the workspace. A look-up does not name it.
    const lookedUp = await lookUpEntry(entry, list, { canRead, send });
    const { state, at } = lookedUp.found;
    if (state === 'unknown') return list.save({ ...known, outcome: createOutcome('missing', at) });
    known = lookedUp;
    await saveSent();
    throw new ApiError('status', NOT_IN_WORKSPACE, { status: 404 });
  }
  const { contact, requestId } = match.answer;
  const isRepeat = match.answer.isRepeat || entry.outcome !== null;
  const subscribedAt = found?.state === 'subscribed' ? found.at : null;
  // Unsubscribing twice does not change `updated_at` (docs/interface.md, 3), so another request has unsubscribed such a contact.
  const isEarlier = isOlder(contact.updated_at, must(sentAt[0]));
  // Who was found subscribed has changed since. An older time is of a clock that goes wrong, and tells nothing.
  const wasUnsubscribed = isEarlier && (subscribedAt === null || !isOlder(contact.updated_at, subscribedAt));
  const tries = { sent, errors };
  const done = {
    ...known,
    tries,
    person: person ?? toPerson(contact),
    repeats: await list.claim(entry, contact.uuid),
    outcome: {
      ...createOutcome(wasUnsubscribed ? 'already' : 'unsubscribed'),
      uuid: contact.uuid,
      request_id: requestId,
      why: isRepeat && !wasUnsubscribed ? describeTries({ outcome: null, tries }, false) : null,
      sent_at: sentAt.length > 1 ? sentAt : [],
    },
  };
  await list.save(done);
  if (findRun === null) return;
  // Nobody has seen that it was unsubscribed before, and the clocks may be far apart.
  const isUnsure = isEarlier && (found === null || subscribedAt !== null);
  const settle = isUnsure ? settleEarlierChange : settleLostAnswer;
  const settled = await settle(done, send, { run, find: findRun });
  if (settled !== done) await list.save(settled);
}

/** When the requests were sent whose answers were lost. Older consoles kept only the first. */
const readSendingTimes = ({ outcome }: DeskEntry): string[] =>
  outcome === null ? [] : outcome.sent_at.length > 0 ? [...outcome.sent_at] : [outcome.at];

/** Whether a contact changed last before `at`, which is a time of this computer. */
function isOlder(updatedAt: string | null, at: string): boolean {
  const [updated, then] = [parseTime(updatedAt), parseTime(at)];
  return updated !== null && then !== null && updated.getTime() < then.getTime() - CLOCK_SLACK;
}

import { listContactChanges, subscribeContact, type ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { ApiError } from '../../api/ApiError.ts';
import { request, requestWithId } from '../../api/client.ts';
import { describeRecorded } from '../../identity/describeChange.ts';
import { findByValues, findFirst, type Read } from '../../identity/findContact.ts';
import {
  isOwn,
  isOwnUnsubscribe,
  isUnsubscribe,
  readSubscriptionChanges,
} from '../../identity/findLastSubscriptionChange.ts';
import { toPerson, type Person } from '../../identity/person.ts';
import { UnsubscribeCall, type CompletedUnsubscribe } from '../../identity/unsubscribe.ts';
import { parseTime } from '../../ui/format/time.ts';
import {
  createOutcome,
  createUndo,
  NOT_FOUND,
  saysWhy,
  toErrorOutcome,
  type BulkEntry,
  type LookUpResult,
  type RunningList,
  type UndoOutcome,
  type UndoneList,
  type UnsubscribeOutcome,
} from '../bulkState.ts';
import type { Run } from './run.ts';
import { findSimilar } from '../../identity/similarContacts.ts';
import { isStrongReason } from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';

/** Milliseconds by which the clocks of this computer and the service may differ. */
const CLOCK_SLACK = 60_000;

const NOT_IN_WORKSPACE = 'The contact exists, but not in this workspace. Check the workspace ID.';
export const AGAIN = 'Recorded again: they stay unsubscribed if what unsubscribed them before is undone.';
const UNCONFIRMED = 'The reason was sent. Couldn’t confirm whether this list or an earlier request recorded it.';
const PROVEN = 'Retried after a lost response. This request unsubscribed the contact.';
const UNPROVEN = 'Retried after a lost response. An earlier request may have unsubscribed the contact.';

type CheckContext = Pick<Run, 'hasAdditions' | 'send' | 'claim'>;
type RunContext = CheckContext & Pick<Run, 'save' | 'hasUnsubscribed'>;

/** Whether an error is of one entry only: the end of the session (401) or of its role (403) affects all. */
export const isOfEntry = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status !== 401 && error.status !== 403;

/** `value` found the contact, if any did. `record` is null where the service doesn't return it. */
function toFound(value: string | null, record: ReadableContact | null): { found: LookUpResult; person: Person | null } {
  const at = new Date().toISOString();
  if (value === null) return { found: { state: 'unknown', value, uuid: null, at }, person: null };
  if (record === null) return { found: { state: 'exists', value, uuid: null, at }, person: null };
  const state = record.subscribed ? 'subscribed' : 'unsubscribed';
  return { found: { state, value, uuid: record.uuid, at }, person: toPerson(record) };
}

const readBy =
  (send: Run['send']): Read =>
  (endpoint, input) =>
    send(() => request(endpoint, input));

/** The entry with its contact. A similar contact that was selected is looked up by its own value. */
async function lookUpEntry(entry: BulkEntry, { hasAdditions, send, claim }: CheckContext) {
  const { value } = entry.found ?? { value: null };
  const values = value === null || entry.values.includes(value) ? entry.values : [value];
  const match = await findByValues(values, hasAdditions, readBy(send));
  const { found, person } = toFound(match?.value ?? null, match?.answer ?? null);
  return { ...entry, found, person, repeats: await claim(entry, found.uuid) };
}

/** The entry with its contact, or with similar contacts, unselected. */
export async function checkEntry(entry: BulkEntry, context: CheckContext): Promise<BulkEntry> {
  const { hasAdditions, send } = context;
  const lookedUp = await lookUpEntry(entry, context);
  if (lookedUp.found.state !== 'unknown') return lookedUp;
  const similar = await findSimilar(entry.values, { hasAdditions, read: readBy(send) });
  const [only, ...others] = similar;
  if (only === undefined) return lookedUp;
  const which = others.length > 0 ? ' Unsubscribe the one who is meant on their page.' : '';
  const leftOut = `${NOT_FOUND} ${similar.map(({ value }) => value).join(', or ')}?${which}`;
  const offered = { ...lookedUp, isSelected: false, leftOut };
  // Of several, none is in the row: it stands for one contact.
  return others.length > 0 ? offered : { ...offered, ...toFound(only.value, only.record) };
}

/**
 * Unsubscribes the contact of an entry if it may be subscribed, or records a strong reason for one that isn't, and returns the entry with
 * the outcome. It is first saved as `sent`, so that an interrupted run sends it again.
 */
export async function unsubscribeEntry(
  entry: BulkEntry,
  context: RunContext,
  { workspace, run, said }: Pick<RunningList, 'workspace' | 'run' | 'said'>,
): Promise<BulkEntry> {
  const { hasAdditions, send, save } = context;
  const sent = entry.outcome ?? createOutcome('sent');
  const call = new UnsubscribeCall(run, entry.outcome !== null);
  let known = entry;
  try {
    // A check may be days old. An entry that was sent is not looked up: that request may have unsubscribed the contact.
    if (hasAdditions && !call.wasLost && entry.found?.state !== 'subscribed') {
      known = await lookUpEntry(entry, context);
      if (known.repeats !== null) return known;
      const outcome = outcomeWithoutRequest(known, said);
      if (outcome !== null) return { ...known, outcome };
    }
    await save({ ...known, outcome: sent });
    const identifier = known.found?.uuid ?? known.found?.value;
    const match = await findFirst(identifier ? [identifier] : entry.values, (contact) =>
      send(() => call.send({ workspace, contact, body: said })),
    );
    if (match !== null) return await completeEntry(known, match.answer, sent.at, context);
    // The 404 may be about the workspace. A look-up has none in its path.
    known = await lookUpEntry(entry, context);
    if (known.found?.state === 'unknown') return { ...known, outcome: createOutcome('missing', known.found.at) };
    if (!context.hasUnsubscribed) throw new Error(NOT_IN_WORKSPACE);
    return { ...known, outcome: { ...createOutcome('failed'), why: NOT_IN_WORKSPACE, wasLost: call.wasLost } };
  } catch (error) {
    if (isOfEntry(error)) return { ...known, outcome: { ...toErrorOutcome(error), wasLost: call.wasLost } };
    await save({ ...known, outcome: call.wasLost ? sent : null });
    throw error;
  }
}

/** The outcome if the look-up shows that no request is needed. */
function outcomeWithoutRequest({ found }: BulkEntry, said: RunningList['said']): UnsubscribeOutcome | null {
  if (found?.state === 'unknown') return createOutcome('missing', found.at);
  if (found?.state !== 'unsubscribed' || saysWhy(said)) return null;
  return { ...createOutcome('already', found.at), uuid: found.uuid };
}

/** `since`: when the first request was sent (ISO 8601, this computer's clock). */
async function completeEntry(entry: BulkEntry, done: CompletedUnsubscribe, since: string, context: RunContext) {
  const { uuid } = done.contact;
  const wasUnsubscribed = entry.found?.state === 'unsubscribed';
  const decided = await decideOutcome(done, { since, wasUnsubscribed }, context);
  return {
    ...entry,
    person: entry.person ?? toPerson(done.contact),
    repeats: await context.claim(entry, uuid),
    outcome: { ...createOutcome('unsubscribed'), uuid, ...decided },
  };
}

/**
 * Which request unsubscribed the contact: ours, or someone else's before. The audit log says so by the run; without one, the time
 * of the last change does, because unsubscribing twice does not move it (docs/interface.md, 3).
 */
async function decideOutcome(
  { contact, requestId, run, isRepeat }: CompletedUnsubscribe,
  { since, wasUnsubscribed }: { since: string; wasUnsubscribed: boolean },
  { send }: RunContext,
): Promise<Partial<UnsubscribeOutcome>> {
  const isEarlier = isOlder(contact.updated_at, since);
  if (run !== undefined && (isRepeat || isEarlier || wasUnsubscribed)) {
    const [last] = await readSubscriptionChanges((query) =>
      send(() => request(listContactChanges, { contact: contact.uuid, query })),
    ).catch(() => []);
    const proofBy = (line: ReadableChange) => ({
      request_id: line.request_id ?? requestId,
      ...(line.created_at && { at: line.created_at }),
    });
    if (last !== undefined && isOwnUnsubscribe(last, { requestId, run }))
      return isRepeat ? { ...proofBy(last), why: PROVEN } : { request_id: requestId };
    if (last?.stronger !== undefined && isOwn(last.stronger, { requestId, run }))
      return { state: 'recorded', ...proofBy(last.stronger) };
    if (last?.again !== undefined && isOwn(last.again, { requestId, run }))
      return {
        state: isStrongReason(last.again.suppression?.reason) ? 'already' : 'recorded',
        ...proofBy(last.again),
        why: AGAIN,
      };
    if (isUnsubscribe(last)) return { state: 'already', request_id: requestId };
  }
  if (wasUnsubscribed) return { state: 'already', request_id: requestId, why: UNCONFIRMED };
  if (isEarlier) return { state: 'already', request_id: requestId };
  return { request_id: requestId, why: isRepeat ? UNPROVEN : null };
}

/** Whether a contact changed last before `at`, which is a time of this computer. */
function isOlder(updatedAt: string | null, at: string): boolean {
  const [updated, then] = [parseTime(updatedAt), parseTime(at)];
  return updated !== null && then !== null && updated.getTime() < then.getTime() - CLOCK_SLACK;
}

const CHANGED = 'Left unchanged: the subscription was changed again after this run.';
const AGAIN_SINCE = 'Left unchanged: unsubscribed again after this run.';
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
  let wasSent = entry.undo !== null;
  await save({ ...entry, undo: createUndo('sent') });
  const undo = async (): Promise<UndoOutcome> => {
    const changes = await readSubscriptionChanges((query) => request(listContactChanges, { contact, query }));
    const [last] = changes;
    // What somebody else said since then stays, also if an admin undoes the list.
    if (last?.stronger !== undefined) {
      const what = describeRecorded(last.stronger.suppression?.reason).toLowerCase();
      return createUndo('changed', null, `Left unchanged: ${what} after this run.`);
    }
    if (last?.again !== undefined) return createUndo('changed', null, AGAIN_SINCE);
    if (isOwnUnsubscribe(last, { requestId, run })) {
      const input = { workspace, contact, body: { reason } };
      wasSent = true;
      const done = await requestWithId(subscribeContact, input, undefined, run);
      return createUndo('resubscribed', done.requestId);
    }
    const isBack = isResubscription(last);
    // An earlier attempt, whose response was lost, or somebody else's undo.
    if (isBack && run !== undefined && last.run === run)
      return createUndo(wasSent ? 'resubscribed' : 'already', last.request_id);
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

import { listContactChanges } from '#contract/change.ts';
import type { ReadableActor, ReadableChange } from '#contract/change.ts';
import { must } from '#contract/must.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { isUnsubscribe, readSubscriptionChanges } from '../contact/findLastSubscriptionChange.ts';
import { parseTime } from '../ui/time.ts';
import type { DeskEntry } from './entry.ts';
import type { SendCall } from './queueRunner.ts';

// A tab that is closed, or a network that fails, loses the answer to an unsubscribe. The request is sent again, finds nothing
// to change, and has another ID than the one in the log. Here the log is asked which change was of this run.
// It is asked as well where the time of the change is from before the run, because somebody else may have been faster.

/** How this run stands in the log: who makes its changes, and by how many milliseconds the log's clock may be ahead. */
export type RunInLog = { actor: string; clockLead: number };

/** Milliseconds after which a request that was sent can no longer arrive: those for its answer, twice. */
const ARRIVES_WITHIN = 30_000;
/** Milliseconds by which clocks may drift apart in a run. */
const DRIFT = 2000;
/** Entries that are asked for what the run looks like in the log. */
const ASKED_MAX = 5;

/** Says why an entry was sent more than once, and how often. `isProven`: the request that it names is the one that did it. */
export function describeTries({ outcome, tries }: Pick<DeskEntry, 'outcome' | 'tries'>, isProven: boolean): string {
  const { sent, errors } = tries ?? { sent: Math.max(2, outcome?.sent_at.length ?? 0), errors: 0 };
  const lost = sent - errors - 1;
  const causes = [
    lost > 0 && (lost === 1 ? 'a lost answer' : `${lost} lost answers`),
    errors > 0 && (errors === 1 ? 'a temporary error' : `${errors} temporary errors`),
  ].filter((cause) => cause !== false);
  const number = sent === 2 ? 'two' : sent;
  return `Sent again after ${causes.join(' and ')}: ${number} requests were sent, and ${isProven ? 'this one did it' : 'an earlier one may have done it'}.`;
}

/** Learns from the entries whose answer was received what a change of this run looks like in the log; null where none tells. */
export async function findRunInLog(entries: Iterable<DeskEntry>, send: SendCall): Promise<RunInLog | null> {
  let asked = 0;
  for (const { outcome } of entries) {
    if (outcome?.state !== 'unsubscribed' || outcome.sent_at.length > 0) continue;
    const { uuid, request_id: id, at, why } = outcome;
    if (uuid === null || id === null || why !== null) continue;
    if (++asked > ASKED_MAX) return null;
    const change = (await readChanges(uuid, send)).find(({ request_id }) => request_id === id);
    const [logged, answered] = [parseTime(change?.created_at ?? null), parseTime(at)];
    if (change?.actor && logged !== null && answered !== null) {
      return { actor: keyOf(change.actor), clockLead: logged.getTime() - answered.getTime() };
    }
  }
  return null;
}

type RunQuestion = { run: string | undefined; find: () => Promise<RunInLog | null> };

/**
 * The entry with the request and time that the log has for it, if the log proves that a request of this run unsubscribed the
 * contact; else as it is. `find` is called where the log has another request than the one that was answered. Without an answer
 * of the run nothing tells its changes from those of others.
 */
export async function settleLostAnswer(
  entry: DeskEntry,
  send: SendCall,
  { run, find }: RunQuestion,
): Promise<DeskEntry> {
  const { outcome } = entry;
  if (outcome?.state !== 'unsubscribed' || outcome.uuid === null || outcome.sent_at.length === 0) return entry;
  try {
    const [last] = await readChanges(outcome.uuid, send);
    if (last === undefined || last.request_id === null) return entry;
    const isAnswered = last.request_id === outcome.request_id;
    // A service that was told the run has it in the line, and nothing has to be guessed.
    if (run !== undefined) {
      if (last.run !== run || !isUnsubscribe(last)) return entry;
    } else if (!isAnswered) {
      const known = await find();
      if (known === null || !isOfRun(entry, last, known)) return entry;
    }
    const at = last.created_at ?? outcome.at;
    return {
      ...entry,
      outcome: { ...outcome, request_id: last.request_id, at, sent_at: [], why: describeTries(entry, true) },
    };
  } catch (error) {
    return keepUnlessSignedOut(entry, error);
  }
}

/** The entry where the log could not be read: the contact is unsubscribed, and only the proof is lacking. An undo asks for it again. */
function keepUnlessSignedOut(entry: DeskEntry, error: unknown): DeskEntry {
  if (error instanceof ApiError && error.status !== 401) return entry;
  throw error;
}

/**
 * The entry of a contact that nobody found unsubscribed and that, by its time, changed last before the run asked for it: unsubscribed where
 * the log has a request of the run as the last, already unsubscribed where it has another. As it is where the log does not tell.
 */
export async function settleEarlierChange(entry: DeskEntry, send: SendCall, question: RunQuestion): Promise<DeskEntry> {
  const outcome = must(entry.outcome);
  const claimed: DeskEntry = { ...entry, outcome: { ...outcome, state: 'unsubscribed' } };
  if (outcome.sent_at.length > 0) {
    const settled = await settleLostAnswer(claimed, send, question);
    return settled === claimed ? entry : settled;
  }
  try {
    const [last] = await readChanges(must(outcome.uuid), send);
    if (last === undefined || last.request_id === null) return entry;
    // A proxy may take the ID off the answer; the line has the run where the service was told it.
    const isOwn =
      question.run === undefined
        ? last.request_id === outcome.request_id
        : last.run === question.run && isUnsubscribe(last);
    return isOwn ? claimed : { ...entry, outcome: { ...outcome, state: 'already' } };
  } catch (error) {
    return keepUnlessSignedOut(entry, error);
  }
}

/** Whether a request of the run made the change: by its token, and when a request was on its way to a subscribed contact. */
function isOfRun({ found, outcome }: DeskEntry, change: ReadableChange, run: RunInLog): boolean {
  const logged = parseTime(change.created_at);
  if (logged === null || found?.state !== 'subscribed' || !isUnsubscribe(change)) return false;
  if (change.actor === null || keyOf(change.actor) !== run.actor) return false;
  // The lead was measured when an answer came, so this is at the time of the change or a little after it.
  const at = logged.getTime() - run.clockLead;
  return (outcome?.sent_at ?? []).some((sent) => {
    const since = at - Date.parse(sent);
    return since >= -DRIFT && since <= ARRIVES_WITHIN + DRIFT;
  });
}

/** What tells actors apart. */
const keyOf = ({ kind, uuid, name }: ReadableActor) => uuid ?? name ?? kind;

const readChanges = (contact: string, send: SendCall) =>
  readSubscriptionChanges((query) => send(() => request(listContactChanges, { contact, query })));

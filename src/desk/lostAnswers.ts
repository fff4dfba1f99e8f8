import { listContactChanges } from '#contract/change.ts';
import type { ReadableChange } from '#contract/change.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { isUnsubscribe, readSubscriptionChanges } from '../contact/findLastSubscriptionChange.ts';
import { parseTime } from '../ui/time.ts';
import type { DeskEntry } from './entry.ts';
import type { SendCall } from './queueRunner.ts';

// A tab that is closed, or a network that fails, loses the answer to an unsubscribe. The request is sent again, finds nothing
// to change, and has another ID than the one in the log. Here the log is asked which change was of this run.

/** How this run stands in the log: the name of its token, and by how many milliseconds the log's clock may be ahead. */
export type RunInLog = { tokenName: string; clockLead: number };

/** Milliseconds after which a request that was sent can no longer arrive: those for its answer, twice. */
const ARRIVES_WITHIN = 30_000;
/** Milliseconds by which clocks may drift apart in a run. */
const DRIFT = 2000;
/** Milliseconds by which the clocks of this computer and the service may differ, where nothing is known of them. */
const CLOCK_SLACK = 60_000;
/** Entries that are asked for what the run looks like in the log. */
const ASKED_MAX = 5;

export const PROVEN = 'Sent again after a lost answer: two requests were sent, and this one did it.';

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
    if (change?.token_name && logged !== null && answered !== null) {
      return { tokenName: change.token_name, clockLead: logged.getTime() - answered.getTime() };
    }
  }
  return null;
}

/**
 * The entry with the request and time that the log has for it, if the log proves that a request of this run unsubscribed the
 * contact; else as it is. `findRun` is called where the log has another request than the one that was answered.
 */
export async function settleLostAnswer(
  entry: DeskEntry,
  send: SendCall,
  findRun: () => Promise<RunInLog | null>,
): Promise<DeskEntry> {
  const { outcome } = entry;
  if (outcome?.state !== 'unsubscribed' || outcome.uuid === null || outcome.sent_at.length === 0) return entry;
  try {
    const [last] = await readChanges(outcome.uuid, send);
    if (last === undefined || last.request_id === null) return entry;
    const isAnswered = last.request_id === outcome.request_id;
    if (!isAnswered && !isOfRun(entry, last, await findRun())) return entry;
    const at = last.created_at ?? outcome.at;
    return {
      ...entry,
      outcome: { ...outcome, request_id: last.request_id, at, sent_at: [], why: PROVEN },
    };
  } catch (error) {
    // The contact is unsubscribed, and only the proof is lacking. An undo asks for it again.
    if (error instanceof ApiError && error.status !== 401) return entry;
    throw error;
  }
}

/**
 * Whether a request of the run made the change: by its token, and when a request was on its way to a subscribed contact. Where
 * no answer of the run is known there is no token to compare, and the clocks may differ by a minute.
 */
function isOfRun({ found, outcome }: DeskEntry, change: ReadableChange, run: RunInLog | null): boolean {
  const logged = parseTime(change.created_at);
  if (logged === null || found?.state !== 'subscribed' || !isUnsubscribe(change)) return false;
  if (run !== null && change.token_name !== run.tokenName) return false;
  // The lead was measured when an answer came, so this is at the time of the change or a little after it.
  const at = logged.getTime() - (run?.clockLead ?? 0);
  const slack = run === null ? CLOCK_SLACK : DRIFT;
  return (outcome?.sent_at ?? []).some((sent) => {
    const since = at - Date.parse(sent);
    return since >= -slack && since <= ARRIVES_WITHIN + slack;
  });
}

const readChanges = (contact: string, send: SendCall) =>
  readSubscriptionChanges((query) => send(() => request(listContactChanges, { contact, query })));

import { ApiError } from '../api/ApiError.ts';
import { baseUrl } from '../api/client.ts';
import { journalName, Journal } from '../journal/journal.ts';
import { queryClient } from '../queryClient.ts';
import { endSession } from '../session/session.ts';
import { parseTime } from '../ui/time.ts';
import { lookUpContact, type SendCall, unsubscribe } from './calls.ts';
import {
  type DeskEntry,
  type UnsubscribeOutcome,
  type EntryStatus,
  determineStatus,
  sumCounts,
  type StatusCounts,
  countByStatus,
  UNSENT_STATUSES,
} from './entry.ts';
import { SendingStoppedError, AdaptiveSender } from '../api/adaptiveSender.ts';

/** What the journal keeps of a list besides its entries. Times are ISO 8601 by this computer's clock. */
export type DeskList = {
  /** Name of the file, or null for pasted text. */
  source: string | null;
  /** UUID of the workspace whose contacts these are, as far as it is known. */
  workspace: string | null;
  stage: 'plan' | 'run' | 'ended';
  began_at: string | null;
  ended_at: string | null;
  /** Whether the receipt was taken along. */
  is_saved: boolean;
};

/** What a session allows. */
export type DeskPermissions = {
  workspace: string | null;
  /** Whether the service can be asked for a contact's record. */
  canRead: boolean;
};

/**
 * `opening`: the journal is being read. `elsewhere`: another tab has the desk. `foreign`: the list kept is of another
 * workspace. `gone`: somebody signed out in this browser, which deletes the list.
 */
export type DeskPhase =
  | 'opening'
  | 'elsewhere'
  | 'foreign'
  | 'gone'
  | 'empty'
  | 'plan'
  | 'checking'
  | 'running'
  | 'paused'
  | 'ended';

/** What the page shows. Entries are replaced in one and the same array; a new snapshot says that some were. */
export type DeskSnapshot = {
  phase: DeskPhase;
  list: DeskList | null;
  entries: readonly DeskEntry[];
  counts: StatusCounts;
  progress: DeskProgress;
  /** Why it stopped by itself. */
  error: string | null;
};

export type DeskProgress = {
  done: number;
  total: number;
  /** Entries a second, over the last seconds. */
  rate: number;
  /** Milliseconds for which nothing is sent, because the service asked for it. */
  waitMs: number;
  /** Whether the last call failed. */
  isFailing: boolean;
};

const AT_ONCE = 4;
/** The page is told of changes at most so often, in milliseconds. */
const TELL_EVERY = 150;
const RATE_OVER = 8000;
/** Clocks differ, in milliseconds. */
const CLOCK_SLACK = 60_000;
const REPEATED = 'Asked again after a lost answer: the service may know it by an earlier request.';
/** What is done with an entry that is known to need no call is to write that down. */
const OPEN: readonly EntryStatus[] = [...UNSENT_STATUSES, 'out', 'unknown'];

/**
 * The list at the desk, from the reading to the receipt. It outlives the page, so that a run goes on while somebody looks
 * at a contact, and the tab: every step is in the journal before the call is made. One tab at a time has it.
 */
class Desk {
  #access: DeskPermissions = { workspace: null, canRead: false };
  #journal: Journal<DeskList, DeskEntry> | null = null;
  #visitors = 0;
  #isHeld = false;
  #releaseLock = () => {};
  #phase: DeskPhase = 'opening';
  #list: DeskList | null = null;
  #entries: DeskEntry[] = [];
  #tally = countByStatus([]);
  /** Contacts known by now: UUID to the index of the entry that named them first. */
  #named = new Map<string, number>();
  #error: string | null = null;
  #sender = new AdaptiveSender();
  #pausing: AbortController | null = null;
  #isStopped = false;
  #done = 0;
  #of = 0;
  #endTimes: number[] = [];
  readonly #listeners = new Set<() => void>();
  #telling: ReturnType<typeof setTimeout> | undefined;
  #snapshot = this.#createSnapshot();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): DeskSnapshot => this.#snapshot;

  /** Takes the desk for this tab and reads what is left of a list. The answer lets go of it, unless a run is under way. */
  attach(access: DeskPermissions): () => void {
    this.#access = access;
    this.#visitors += 1;
    this.#open();
    return () => {
      this.#visitors -= 1;
      setTimeout(() => this.#leave());
    };
  }

  /** Puts a list that was read in the place of the one before. */
  async startList(source: string | null, entries: DeskEntry[]): Promise<void> {
    const list: DeskList = {
      source,
      workspace: this.#access.workspace,
      stage: 'plan',
      began_at: null,
      ended_at: null,
      is_saved: false,
    };
    await this.#journal?.replace(list, entries);
    this.#show('plan', list, entries);
  }

  /** Forgets the list. */
  async discard(): Promise<void> {
    await this.#journal?.clear();
    this.#show('empty', null, []);
  }

  /** Looks up what is not checked yet; changes nothing. */
  async check(): Promise<void> {
    await this.#workThrough('checking', ['unchecked'], async (entry, send) => {
      const found = await lookUpContact(entry.values, this.#access.canRead, send);
      await this.#put({ ...entry, found, repeats: await this.#claim(entry, found.uuid) });
    });
    if (this.#list !== null) this.#setPhase('plan');
  }

  /** Unsubscribes everybody on the list who may still be subscribed, or goes on with that. */
  async run(workspace: string): Promise<void> {
    await this.#keepList({ workspace, stage: 'run', began_at: this.#list?.began_at ?? new Date().toISOString() });
    this.#isStopped = false;
    await this.#workThrough('running', OPEN, (entry, send) => this.#unsubscribe(entry, workspace, send));
    if (this.#list !== null && (this.#phase === 'running' || this.#isStopped)) await this.end();
  }

  /** What is under way is answered first; nothing more is sent. */
  pause(): void {
    this.#pausing?.abort(new DOMException('Paused', 'AbortError'));
  }

  /** The same, and the list ends there. */
  stop(): void {
    this.#isStopped = true;
    this.pause();
  }

  /** Ends the list as it is; what has not been sent stays so. */
  async end(): Promise<void> {
    await this.#keepList({ stage: 'ended', ended_at: new Date().toISOString(), is_saved: false });
    this.#setPhase('ended');
  }

  /** The receipt is in other hands now: the list may go without a question. */
  async markSaved(): Promise<void> {
    await this.#keepList({ is_saved: true });
    this.#notify();
  }

  /** Opens the list again for those that failed. */
  async retryFailed(workspace: string): Promise<void> {
    for (const entry of this.#entries) {
      if (entry.outcome?.state !== 'failed') continue;
      // One that was read before was subscribed then: the call may have been done, and only its answer lost.
      await this.#put({ ...entry, outcome: entry.found === null ? null : createOutcome('sent') });
    }
    await this.run(workspace);
  }

  async #unsubscribe(entry: DeskEntry, workspace: string, send: SendCall): Promise<void> {
    let { found } = entry;
    // One that was sent before and not answered was subscribed then: what is read now would be our own doing.
    if (this.#access.canRead && found === null && entry.outcome === null) {
      found = await lookUpContact(entry.values, true, send);
      const repeats = await this.#claim(entry, found.uuid);
      if (repeats !== null) return this.#put({ ...entry, found, repeats });
    }
    if (found?.state === 'unknown') return this.#put({ ...entry, found, outcome: createOutcome('missing', found.at) });
    if (found?.state === 'unsubscribed') {
      return this.#put({ ...entry, found, outcome: { ...createOutcome('already', found.at), uuid: found.uuid } });
    }
    const sent = { ...entry, found, outcome: entry.outcome ?? createOutcome('sent') };
    await this.#put(sent);
    const known = found?.uuid ?? found?.value;
    const answer = await unsubscribe(known ? [known] : entry.values, workspace, send);
    if (answer === null) return this.#put({ ...sent, outcome: createOutcome('missing') });
    const { contact, requestId } = answer;
    const isRepeat = answer.isRepeat || entry.outcome !== null;
    const state = found?.state !== 'subscribed' && this.#wasOutBefore(contact.updated_at) ? 'already' : 'unsubscribed';
    await this.#put({
      ...sent,
      repeats: await this.#claim(entry, contact.uuid),
      outcome: { ...createOutcome(state), uuid: contact.uuid, request_id: requestId, why: isRepeat ? REPEATED : null },
    });
  }

  /** An email and a number may name one contact. The answer is the line that named it first, null for that line itself. */
  async #claim({ index, line }: DeskEntry, uuid: string | null): Promise<number | null> {
    if (uuid === null) return null;
    const holder = this.#entries[this.#named.get(uuid) ?? index];
    if (holder === undefined || holder.index < index || (holder.index > index && holder.outcome !== null)) {
      return holder?.line ?? null;
    }
    this.#named.set(uuid, index);
    // Answers come in any order: a later line may have been first.
    if (holder.index > index) await this.#put({ ...holder, repeats: line });
    return null;
  }

  /** A repeat moves no timestamp (docs/interface.md, 3): a record older than the run was not changed by it. */
  #wasOutBefore(updatedAt: string | null): boolean {
    const updated = parseTime(updatedAt);
    const began = parseTime(this.#list?.began_at ?? null);
    return updated !== null && began !== null && updated.getTime() < began.getTime() - CLOCK_SLACK;
  }

  /** Does `work` with the entries in these states, a few at once, until they are done, paused or given up. */
  async #workThrough(
    phase: 'checking' | 'running',
    open: readonly EntryStatus[],
    work: (entry: DeskEntry, send: SendCall) => Promise<void>,
  ): Promise<void> {
    const pausing = new AbortController();
    this.#sender = new AdaptiveSender();
    const send: SendCall = (call) => this.#sender.send(call, pausing.signal);
    const queue = this.#entries.filter((entry) => open.includes(determineStatus(entry))).values();
    this.#pausing = pausing;
    this.#error = null;
    this.#done = 0;
    this.#of = sumCounts(this.#tally, open);
    this.#endTimes = [];
    this.#setPhase(phase);
    const one = async () => {
      for (const entry of queue) {
        if (pausing.signal.aborted) return;
        try {
          await work(entry, send);
        } catch (error) {
          if (pausing.signal.aborted) return;
          if (this.#isFatal(error)) {
            this.#error ??= (error as Error).message;
            return pausing.abort(error);
          }
          const latest = this.#entries[entry.index] ?? entry;
          if (phase === 'running') await this.#put({ ...latest, outcome: toErrorOutcome(error as ApiError) });
          else this.#error ??= (error as ApiError).message;
        }
        this.#done += 1;
        this.#endTimes.push(Date.now());
        this.#scheduleNotify();
      }
    };
    // Also while nothing is answered: the page says so then.
    const telling = setInterval(() => this.#scheduleNotify(), 1000);
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, one));
      if (pausing.signal.aborted && this.#list !== null) this.#setPhase('paused');
    } finally {
      clearInterval(telling);
      this.#pausing = null;
      if (this.#visitors === 0) setTimeout(() => this.#leave());
    }
  }

  /** Whether the next call would fail as this one did. A service that knows us no more is left to the sign-in page. */
  #isFatal(error: unknown): boolean {
    if (error instanceof ApiError && error.status === 401) {
      endSession(queryClient);
      return true;
    }
    return error instanceof SendingStoppedError || !(error instanceof ApiError);
  }

  async #put(entry: DeskEntry): Promise<void> {
    await this.#journal?.saveEntry(entry);
    const before = this.#entries[entry.index];
    if (before === undefined) return;
    this.#tally[determineStatus(before)] -= 1;
    this.#tally[determineStatus(entry)] += 1;
    this.#entries[entry.index] = entry;
    this.#scheduleNotify();
  }

  async #keepList(change: Partial<DeskList>): Promise<void> {
    if (this.#list === null) throw new Error('There is no list at the desk.');
    this.#list = { ...this.#list, ...change };
    await this.#journal?.saveList(this.#list);
  }

  #open(): void {
    if (this.#isHeld || this.#visitors === 0) return;
    this.#isHeld = true;
    void this.#hold().then(
      () => this.#leave(),
      (error: unknown) => this.#stopAt(error),
    );
  }

  async #hold(): Promise<void> {
    await this.#lock();
    this.#journal = await Journal.open<DeskList, DeskEntry>(baseUrl(), () => this.#forget('gone'));
    const kept = await this.#journal.read();
    if (kept === null) return this.#show('empty', null, []);
    const { list, entries } = kept;
    const { workspace } = this.#access;
    const isForeign = workspace !== null && list.workspace !== null && list.workspace !== workspace;
    this.#show(
      isForeign ? 'foreign' : ({ plan: 'plan', run: 'paused', ended: 'ended' } as const)[list.stage],
      list,
      entries,
    );
  }

  /** Waits until this tab alone has the desk. Only a page that came safely can ask for that; others go without. */
  async #lock(): Promise<void> {
    const locks = navigator.locks as LockManager | undefined;
    if (locks === undefined) return;
    const { promise: held, resolve } = Promise.withResolvers<void>();
    const hold = () => {
      resolve();
      return new Promise<void>((letGo) => {
        this.#releaseLock = letGo;
      });
    };
    const desk = journalName(baseUrl());
    void locks.request(desk, { ifAvailable: true }, (lock) => {
      if (lock !== null) return hold();
      this.#setPhase('elsewhere');
      void locks.request(desk, hold);
      return undefined;
    });
    await held;
  }

  #leave(): void {
    if (this.#visitors > 0 || this.#pausing !== null || this.#journal === null) return;
    this.#journal.close();
    this.#forget('opening');
  }

  /** The journal is closed or gone, and with it the list. */
  #forget(phase: 'opening' | 'gone'): void {
    this.pause();
    this.#journal = null;
    this.#isHeld = false;
    this.#releaseLock();
    this.#show(phase, null, []);
  }

  #stopAt(error: unknown): void {
    this.#error = error instanceof Error ? error.message : String(error);
    this.#setPhase('empty');
  }

  #show(phase: DeskPhase, list: DeskList | null, entries: DeskEntry[]): void {
    this.#list = list;
    this.#entries = entries;
    this.#tally = countByStatus(entries);
    this.#named.clear();
    for (const { index, repeats, found, outcome } of entries) {
      const uuid = outcome?.uuid ?? found?.uuid;
      if (repeats === null && uuid) this.#named.set(uuid, index);
    }
    this.#error = null;
    this.#setPhase(phase);
  }

  #setPhase(phase: DeskPhase): void {
    this.#phase = phase;
    this.#notify();
  }

  #scheduleNotify(): void {
    this.#telling ??= setTimeout(() => this.#notify(), TELL_EVERY);
  }

  #notify(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#snapshot = this.#createSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #createSnapshot(): DeskSnapshot {
    const since = Date.now() - RATE_OVER;
    this.#endTimes = this.#endTimes.filter((time) => time > since);
    const first = this.#endTimes[0] ?? Date.now();
    const seconds = Math.max(1, (Date.now() - first) / 1000);
    return {
      phase: this.#phase,
      list: this.#list,
      entries: this.#entries,
      counts: { ...this.#tally },
      progress: {
        done: this.#done,
        total: this.#of,
        rate: this.#endTimes.length / seconds,
        waitMs: this.#sender.waitMs,
        isFailing: this.#sender.isFailing,
      },
      error: this.#error,
    };
  }
}

export const desk = new Desk();

function createOutcome(state: UnsubscribeOutcome['state'], at = new Date().toISOString()): UnsubscribeOutcome {
  return { state, uuid: null, request_id: null, why: null, at };
}

function toErrorOutcome(error: ApiError): UnsubscribeOutcome {
  const isRefusal = error.kind === 'input' || (error.kind === 'status' && !error.isTransient);
  return {
    ...createOutcome(isRefusal ? 'refused' : 'failed'),
    request_id: error.requestId ?? null,
    why: error.message,
  };
}

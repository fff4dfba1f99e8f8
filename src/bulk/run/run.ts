import { Sender, workThrough } from '../../api/sender.ts';
import { followError } from '../../session/queryClient.ts';
import { sessionSignal } from '../../session/session.ts';
import { determineStatus, type BulkEntry, type EntryStatus, type RunProgress } from '../bulkState.ts';
import type { BulkStore } from '../bulkStore.ts';

/** Milliseconds between two updates of the page while a run changes entries. */
const SHOW_INTERVAL = 200;

/** Works through the selected entries in these statuses until all are done, a pause, or an error that affects all. */
export class Run {
  /** Whether the service has more than the bare interface: it reads and lists contacts, and logs runs. */
  readonly hasAdditions: boolean;
  readonly #store: BulkStore;
  readonly #claims: ContactClaims;
  readonly #entries: readonly BulkEntry[];
  readonly #control = new AbortController();
  readonly #sender = new Sender(this.#control.signal);
  readonly #began = Date.now();
  #done = 0;
  #kept: number | null = null;
  /** Whether the list ends with this run, though entries may be left. */
  isStopped = false;
  /** Why it stopped by itself. */
  error: Error | null = null;
  /** Whether it was neither stopped nor paused. */
  isDone = false;

  constructor(store: BulkStore, statuses: readonly EntryStatus[], hasAdditions: boolean) {
    const { entries } = store.loaded;
    this.hasAdditions = hasAdditions;
    this.#store = store;
    this.#claims = new ContactClaims(entries);
    this.#entries = entries.filter((entry) => entry.isSelected && statuses.includes(determineStatus(entry)));
  }

  get progress(): RunProgress {
    const { waitMs, isFailing } = this.#sender;
    const seconds = Math.max(1, (Date.now() - this.#began) / 1000);
    const rate = this.#done / seconds;
    return { done: this.#done, total: this.#entries.length, rate, waitMs, isFailing, kept: this.#kept };
  }

  /** Whether a contact was unsubscribed, which proves the ID of the workspace. */
  get hasUnsubscribed(): boolean {
    return this.#store.loaded.counts.all.unsubscribed > 0;
  }

  /** Sends nothing more. Requests in flight are completed. */
  readonly pause = (): void => this.#control.abort(new DOMException('Paused', 'AbortError'));

  /** Sends a request, and retries it after transient errors. */
  readonly send: Sender['send'] = (call) => this.#sender.send(call);

  /** How many entries the service keeps already; null once the run begins. */
  readonly showKept = (kept: number | null): void => void (this.#kept = kept);

  readonly save = (entry: BulkEntry): Promise<void> => this.#store.saveEntries([entry]);

  /** Records that the entry identifies this contact. Returns the earlier line that identifies it too; null if there is none. */
  readonly claim = async (entry: BulkEntry, uuid: string | null): Promise<number | null> => {
    const { repeats, displaced } = this.#claims.claim(entry, uuid, this.#store.entryAt);
    if (displaced !== null) await this.save(displaced);
    return repeats;
  };

  /** Calls `begin`, `prepare`, then `handle` with each entry, saves its result, and `finish` after all. What they throw affects all. */
  async work(
    begin: () => Promise<void>,
    prepare: () => Promise<void>,
    handle: (entry: BulkEntry) => Promise<BulkEntry>,
    finish: () => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#control;
    // What is left would be sent, and logged, in the name of the person who signs in next.
    const session = sessionSignal();
    session.addEventListener('abort', this.pause);
    const showing = setInterval(() => this.#store.showProgress(this.progress), SHOW_INTERVAL);
    const fail = (error: unknown) => {
      // What fails because of a pause is sent again.
      if (signal.aborted) return;
      this.error = error instanceof Error ? error : new Error(String(error));
      this.#control.abort(error);
    };
    const handleNext = async (entry: BulkEntry) => {
      try {
        await this.save(await handle(entry));
        this.#done += 1;
      } catch (error) {
        fail(error);
      }
    };
    try {
      await begin();
      await prepare().catch(fail);
      await workThrough(this.#entries, handleNext, signal);
      if (!signal.aborted) await finish().catch(fail);
      this.isDone = !signal.aborted;
      if (this.error !== null) followError(this.error);
    } finally {
      session.removeEventListener('abort', this.pause);
      clearInterval(showing);
    }
  }
}

/** `repeats`: the earlier line for the same contact. `displaced`: an entry that held the contact until now. */
type Claim = { repeats: number | null; displaced: BulkEntry | null };

/** Which entry identifies a contact first: only the service knows that an email and a phone number are of one contact. */
export class ContactClaims {
  /** UUID of a contact to the index of its entry. */
  readonly #holders = new Map<string, number>();

  constructor(entries: Iterable<BulkEntry>) {
    for (const { index, isSelected, repeats, found, outcome } of entries) {
      const uuid = outcome?.uuid ?? found?.uuid;
      if (isSelected && repeats === null && uuid && !this.#holders.has(uuid)) this.#holders.set(uuid, index);
    }
  }

  /** `latest` returns the current state of the entry with an index. */
  claim({ index, line }: BulkEntry, uuid: string | null, latest: (index: number) => BulkEntry | undefined): Claim {
    if (uuid === null) return { repeats: null, displaced: null };
    const holder = latest(this.#holders.get(uuid) ?? index);
    if (holder !== undefined && holder.index !== index && (holder.index < index || holder.outcome !== null)) {
      return { repeats: holder.line, displaced: null };
    }
    this.#holders.set(uuid, index);
    // Responses come in any order: a later line may have claimed the contact first.
    const isLater = holder !== undefined && holder.index > index;
    return { repeats: null, displaced: isLater ? { ...holder, repeats: line } : null };
  }
}

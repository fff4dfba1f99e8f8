import type { Journal } from '../journal/journal.ts';
import { createListeners } from '../ui/listeners.ts';
import { parseTime } from '../ui/time.ts';
import { type DeskEntry, determineStatus, type StatusCounts, countByStatus } from './entry.ts';
import { RunProgress, type DeskProgress } from './runProgress.ts';

/** What the journal keeps of a list besides its entries. Times are ISO 8601, by the clock of this computer. */
export type DeskList = {
  /** Name of the file, or null for pasted text. */
  source: string | null;
  /** UUID of the workspace of the contacts; null when it is not known. */
  workspace: string | null;
  stage: 'plan' | 'run' | 'ended';
  began_at: string | null;
  ended_at: string | null;
  /** Whether the receipt was downloaded. */
  is_saved: boolean;
};

/**
 * `opening`: the journal is being read. `elsewhere`: another tab has the desk. `foreign`: the list in the journal belongs
 * to another workspace. `gone`: a sign-out in this browser has deleted the list.
 */
type DeskPhase =
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

/**
 * What the page shows. The array of entries stays the same while they are replaced in it; a new snapshot tells of that.
 */
export type DeskSnapshot = {
  phase: DeskPhase;
  list: DeskList | null;
  entries: readonly DeskEntry[];
  counts: StatusCounts;
  progress: DeskProgress;
  /** Why it stopped by itself. */
  error: string | null;
};

/** Milliseconds between two updates of the page. */
const NOTIFY_INTERVAL = 150;
/** Milliseconds by which the clocks of this computer and the service may differ. */
const CLOCK_SLACK = 60_000;

/** The list, its entries and the phase of the desk. What changes in a list is written to the journal first. */
export class DeskState {
  /** Null while the journal is not open. */
  journal: Journal<DeskList, DeskEntry> | null = null;
  #phase: DeskPhase = 'opening';
  #list: DeskList | null = null;
  #entries: DeskEntry[] = [];
  #counts = countByStatus([]);
  /** UUID of a contact to the index of the first entry that names it. */
  #firstIndexes = new Map<string, number>();
  #error: string | null = null;
  #progress = new RunProgress(0, { waitMs: 0, isFailing: false });
  readonly #listeners = createListeners();
  #notifyTimer: ReturnType<typeof setTimeout> | undefined;
  #snapshot = this.#createSnapshot();

  readonly subscribe = this.#listeners.subscribe;

  readonly snapshot = (): DeskSnapshot => this.#snapshot;

  get phase(): DeskPhase {
    return this.#phase;
  }

  get list(): DeskList | null {
    return this.#list;
  }

  get entries(): readonly DeskEntry[] {
    return this.#entries;
  }

  get counts(): Readonly<StatusCounts> {
    return this.#counts;
  }

  /** Replaces the list and all entries, without writing to the journal. */
  show(phase: DeskPhase, list: DeskList | null, entries: DeskEntry[]): void {
    this.#list = list;
    this.#entries = entries;
    this.#counts = countByStatus(entries);
    this.#firstIndexes.clear();
    for (const { index, repeats, found, outcome } of entries) {
      const uuid = outcome?.uuid ?? found?.uuid;
      if (repeats === null && uuid) this.#firstIndexes.set(uuid, index);
    }
    this.#error = null;
    this.setPhase(phase);
  }

  setPhase(phase: DeskPhase): void {
    this.#phase = phase;
    this.notify();
  }

  /** Begins to count anew, and removes the error of the run before. */
  startRun(phase: 'checking' | 'running', progress: RunProgress): void {
    this.#error = null;
    this.#progress = progress;
    this.setPhase(phase);
  }

  /** Shows why the desk stopped. Of several errors, the first is shown. */
  reportError(message: string): void {
    this.#error ??= message;
  }

  /** Shows an error in place of a list. */
  fail(error: unknown): void {
    this.#error = error instanceof Error ? error.message : String(error);
    this.setPhase('empty');
  }

  async replaceList(list: DeskList, entries: DeskEntry[]): Promise<void> {
    await this.journal?.replace(list, entries);
    this.show('plan', list, entries);
  }

  async deleteList(): Promise<void> {
    await this.journal?.clear();
    this.show('empty', null, []);
  }

  async updateList(change: Partial<DeskList>): Promise<void> {
    if (this.#list === null) throw new Error('There is no list at the desk.');
    this.#list = { ...this.#list, ...change };
    await this.journal?.saveList(this.#list);
  }

  /** Replaces the entry with the same index. */
  async saveEntry(entry: DeskEntry): Promise<void> {
    await this.journal?.saveEntry(entry);
    const before = this.#entries[entry.index];
    // The list was deleted meanwhile.
    if (before === undefined) return;
    this.#counts[determineStatus(before)] -= 1;
    this.#counts[determineStatus(entry)] += 1;
    this.#entries[entry.index] = entry;
    this.scheduleNotify();
  }

  /**
   * Notes that `entry` names the contact `uuid`: an email and a phone number may name the same one. Returns the line that
   * names it first, or null when that is the entry itself.
   */
  async claimContact({ index, line }: DeskEntry, uuid: string | null): Promise<number | null> {
    if (uuid === null) return null;
    const holder = this.#entries[this.#firstIndexes.get(uuid) ?? index];
    if (holder === undefined || holder.index < index || (holder.index > index && holder.outcome !== null)) {
      return holder?.line ?? null;
    }
    this.#firstIndexes.set(uuid, index);
    // Responses come in any order: a later line may have claimed the contact first.
    if (holder.index > index) await this.saveEntry({ ...holder, repeats: line });
    return null;
  }

  /**
   * Whether a contact changed last before the run began. Unsubscribing twice does not change `updated_at`
   * (docs/interface.md, 3), so the run has not unsubscribed such a contact.
   */
  isOlderThanRun(updatedAt: string | null): boolean {
    const updated = parseTime(updatedAt);
    const began = parseTime(this.#list?.began_at ?? null);
    return updated !== null && began !== null && updated.getTime() < began.getTime() - CLOCK_SLACK;
  }

  /** Updates the page soon. */
  scheduleNotify(): void {
    this.#notifyTimer ??= setTimeout(() => this.notify(), NOTIFY_INTERVAL);
  }

  /** Updates the page now. */
  notify(): void {
    clearTimeout(this.#notifyTimer);
    this.#notifyTimer = undefined;
    this.#snapshot = this.#createSnapshot();
    this.#listeners.notify();
  }

  #createSnapshot(): DeskSnapshot {
    return {
      phase: this.#phase,
      list: this.#list,
      entries: this.#entries,
      counts: { ...this.#counts },
      progress: this.#progress.read(),
      error: this.#error,
    };
  }
}

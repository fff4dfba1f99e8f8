import type { Action } from '#contract/change.ts';
import {
  type AnnouncedRun,
  digestSigningKey,
  foldKept,
  readStatement,
  type RetentionRow,
  signRetention,
  type StatedCheckpoint,
  stateCheckpoint,
} from '../database/changeLog/checkpoint.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';

// What the chain of the log begins with after older entries were deleted (docs/decisions/0045-retention.md).

const [START, END]: readonly Action[] = ['retention_start', 'retention_end'];

type StoredLine = Tables['changes'];

/** Those up to the checkpoint, which are still needed. */
export class KeptEntries {
  readonly #retention: RetentionRow;
  #count = 0;
  #hash = '';
  #at = 0;

  constructor(retention: RetentionRow) {
    this.#retention = retention;
  }

  /** What is wrong with the next one; null if nothing is. */
  add(line: StoredLine): string | null {
    const { number, created_at } = line;
    const { run_line, line_after, at } = this.#retention;
    if (created_at < this.#at || created_at > at) return `entry ${number} isn't as it was written.`;
    this.#count++;
    this.#at = created_at;
    if (run_line === null || number <= line_after) this.#hash = foldKept(this.#hash, line);
    return null;
  }

  findError(): string | null {
    const { number, kept, kept_hash } = this.#retention;
    if (this.#count === kept && this.#hash === kept_hash) return null;
    return `the entries that were kept up to ${number} aren't those that were written.`;
  }
}

/** What the entries of the last run of the retention say. */
export class StatedRuns {
  #start: StoredLine | null = null;
  #end: StoredLine | null = null;

  add(line: StoredLine): void {
    if (line.action === START) this.#start = line;
    if (line.action === END) this.#end = line;
  }

  findError(scope: Scope, retention: RetentionRow): string | null {
    const { number, run_line, signing_key, mac } = retention;
    const [start, end] = [this.#start?.number ?? 0, this.#end?.number ?? 0];
    if (signing_key === '' && number === 0 && start === 0) return null;
    if (mac !== signRetention(scope, retention)) return "the checkpoint isn't signed with the workspace's key.";
    if (run_line === null && start > end) return `the run of entry ${start} has no end.`;
    if (run_line === null) return this.#isStated(retention) ? null : `the checkpoint isn't that of entry ${end}.`;
    const { to = 0, key } = readStatement<AnnouncedRun>(this.#start?.erasure ?? null);
    const isAnnounced = start === run_line && start > end && number <= to && key === digestSigningKey(retention);
    return isAnnounced ? null : `the checkpoint isn't one of the run of entry ${run_line}.`;
  }

  #isStated(retention: RetentionRow): boolean {
    if (this.#end === null) return retention.number === 0;
    const stated = readStatement<StatedCheckpoint>(this.#end.erasure);
    return Object.entries(stateCheckpoint(retention)).every(([name, value]) => stated[name as 'key'] === value);
  }
}

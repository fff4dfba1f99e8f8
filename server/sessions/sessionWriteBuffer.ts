import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { Log } from '../settings/log.ts';

/** Milliseconds until it is tried again to write. */
const RETRY_DELAY_MS = 1000;
/** So many sessions are written about at once. */
const BATCH_SIZE = 500;

/**
 * What becomes of sessions besides what requests are for: that one was used, and that one has ended. It holds in this process
 * from the moment it is noted, and is written as soon as the database can be written to: all that came together meanwhile at
 * once, and of a session the latest. Sessions go by their hashes.
 */
export class SessionWriteBuffer {
  readonly #database: { readonly unscoped: Pick<Database['unscoped'], 'write'> };
  readonly #log: Log;
  readonly #lastSeen = new Map<string, number>();
  readonly #ended = new Map<string, PromiseWithResolvers<void>>();
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(database: { readonly unscoped: Pick<Database['unscoped'], 'write'> }, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** When it was last used, as far as that is not written yet. */
  lastSeenAt(hash: string): number {
    return this.#lastSeen.get(hash) ?? 0;
  }

  hasEnded(hash: string): boolean {
    return this.#ended.has(hash);
  }

  recordUse(hash: string, now: number): void {
    this.#lastSeen.set(hash, now);
    this.#startWriting();
  }

  /** Resolves when it is written. Never rejects: it is tried until it can be. */
  end(hash: string): Promise<void> {
    const { promise } = this.#ended.getOrInsertComputed(hash, () => Promise.withResolvers<void>());
    this.#startWriting();
    return promise;
  }

  /** Writes what there is to write, unless the database does not take it now. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
  }

  #startWriting(): void {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = null));
  }

  async #writeAll(): Promise<void> {
    let isFailing = false;
    while (this.#lastSeen.size + this.#ended.size > 0) {
      try {
        await this.#writeSome();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#log.warn({ err: error }, 'what became of sessions is not written yet');
        isFailing = true;
        if (this.#isClosed) return;
        await delay(RETRY_DELAY_MS, null, { ref: false });
      }
    }
  }

  async #writeSome(): Promise<void> {
    const ended = [...this.#ended].slice(0, BATCH_SIZE);
    const seen = [...this.#lastSeen].slice(0, BATCH_SIZE);
    await this.#database.unscoped.write(async (trx) => {
      const hashes = ended.map(([hash]) => hash);
      if (hashes.length > 0) await trx.deleteFrom('sessions').where('hash', 'in', hashes).execute();
      for (const [hash, at] of seen) {
        await trx.updateTable('sessions').set({ seen_at: at }).where('hash', '=', hash).execute();
      }
    });
    for (const [hash, { resolve }] of ended) {
      this.#ended.delete(hash);
      resolve();
    }
    for (const [hash, at] of seen) if (this.#lastSeen.get(hash) === at) this.#lastSeen.delete(hash);
  }
}

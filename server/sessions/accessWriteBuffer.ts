import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { WorkspaceId } from '../database/schema/tables.ts';
import type { Log } from '../settings/log.ts';

const RETRY_DELAY_MS = 1000;
const BATCH_SIZE = 500;

type Use = { workspaceId: WorkspaceId; at: number };

/** They apply in this process at once, and are stored in batches. Sessions are identified by the hashes of their secrets. */
export class AccessWriteBuffer {
  readonly #database: { readonly unscoped: Pick<Database['unscoped'], 'write'> };
  readonly #log: Log;
  readonly #lastSeen = new Map<string, number>();
  readonly #ended = new Map<string, PromiseWithResolvers<void>>();
  /** Sealed. */
  readonly #refreshTokens = new Map<string, string>();
  readonly #usedTokens = new Map<string, Use>();
  readonly #seenMembers = new Map<string, Use>();
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(database: { readonly unscoped: Pick<Database['unscoped'], 'write'> }, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** When a session was last used, in milliseconds; 0 if nothing waits to be written. */
  lastSeenAt(hash: string): number {
    return this.#lastSeen.get(hash) ?? 0;
  }

  hasEnded(hash: string): boolean {
    return this.#ended.has(hash);
  }

  get endedCount(): number {
    return this.#ended.size;
  }

  /** The sealed refresh token of a session; undefined if none waits to be written. */
  refreshTokenOf(hash: string): string | undefined {
    return this.#refreshTokens.get(hash);
  }

  recordRefreshToken(hash: string, sealed: string): void {
    this.#refreshTokens.set(hash, sealed);
    this.#startWriting();
  }

  recordUse(hash: string, now: number): void {
    this.#lastSeen.set(hash, now);
    this.#startWriting();
  }

  /** `at` is the beginning of the day, in milliseconds. */
  recordTokenUse(workspaceId: WorkspaceId, uuid: string, at: number): void {
    this.#record(this.#usedTokens, uuid, { workspaceId, at });
  }

  /** `at` is the beginning of the minute, in milliseconds. */
  recordMember(workspaceId: WorkspaceId, uuid: string, at: number): void {
    this.#record(this.#seenMembers, uuid, { workspaceId, at });
  }

  #record(uses: Map<string, Use>, uuid: string, use: Use): void {
    if (uses.has(uuid)) return;
    uses.set(uuid, use);
    this.#startWriting();
  }

  /** Resolves when it is written, which is retried until it succeeds. */
  end(hash: string): Promise<void> {
    const { promise } = this.#ended.getOrInsertComputed(hash, () => Promise.withResolvers<void>());
    this.#startWriting();
    return promise;
  }

  /** Waits for the remaining writes, unless the database refuses them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
  }

  #startWriting(): void {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = null));
  }

  async #writeAll(): Promise<void> {
    let isFailing = false;
    const buffers = [this.#lastSeen, this.#ended, this.#refreshTokens, this.#usedTokens, this.#seenMembers];
    while (buffers.some(({ size }) => size > 0)) {
      try {
        await this.#writeSome();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#log.warn({ err: error }, 'uses and ends of sessions and tokens are not stored yet');
        isFailing = true;
        if (this.#isClosed) return;
        await delay(RETRY_DELAY_MS, null, { ref: false });
      }
    }
  }

  async #writeSome(): Promise<void> {
    const [ended, seen, refreshTokens] = [batch(this.#ended), batch(this.#lastSeen), batch(this.#refreshTokens)];
    const [usedTokens, seenMembers] = [batch(this.#usedTokens), batch(this.#seenMembers)];
    await this.#database.unscoped.write(async (trx) => {
      const hashes = ended.map(([hash]) => hash);
      if (hashes.length > 0) await trx.deleteFrom('sessions').where('hash', 'in', hashes).execute();
      for (const [hash, seen_at] of seen) {
        await trx.updateTable('sessions').set({ seen_at }).where('hash', '=', hash).execute();
      }
      for (const [hash, refresh_token] of refreshTokens) {
        await trx.updateTable('sessions').set({ refresh_token }).where('hash', '=', hash).execute();
      }
      for (const [uuid, { workspaceId, at }] of usedTokens) {
        const tokens = trx.updateTable('tokens').set({ used_at: at });
        await tokens.where('workspace_id', '=', workspaceId).where('uuid', '=', uuid).execute();
      }
      for (const [uuid, { workspaceId, at }] of seenMembers) {
        const members = trx.updateTable('members').set({ last_seen_at: at });
        await members.where('workspace_id', '=', workspaceId).where('uuid', '=', uuid).execute();
      }
    });
    for (const [, { resolve }] of ended) resolve();
    forget(this.#ended, ended);
    forget(this.#lastSeen, seen);
    forget(this.#refreshTokens, refreshTokens);
    forget(this.#usedTokens, usedTokens);
    forget(this.#seenMembers, seenMembers);
  }
}

type Batch<Value> = (readonly [key: string, value: Value])[];

const batch = <Value>(buffer: ReadonlyMap<string, Value>): Batch<Value> => [...buffer].slice(0, BATCH_SIZE);

/** Removes what was written, unless there is a newer value. */
function forget<Value>(buffer: Map<string, Value>, written: Batch<Value>): void {
  for (const [key, value] of written) if (buffer.get(key) === value) buffer.delete(key);
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { WorkspaceId } from '../database/schema/tables.ts';
import type { Log } from '../settings/log.ts';

/** Milliseconds until a failed write is retried. */
const RETRY_DELAY_MS = 1000;
/** Rows of each kind in one write. */
const BATCH_SIZE = 500;

type UsedToken = { workspaceId: WorkspaceId; uuid: string; day: number };
type SeenMember = { workspaceId: WorkspaceId; uuid: string; minute: number };

/**
 * Collects writes about access: that a session was used, that one has ended, what asks for its person again, on which day a token was
 * used last, and in which minute a member. They take effect in this process at once. They are stored in batches as soon as the database takes writes, and requests do not
 * wait for that. Sessions are identified by the hashes of their secrets.
 */
export class AccessWriteBuffer {
  readonly #database: { readonly unscoped: Pick<Database['unscoped'], 'write'> };
  readonly #log: Log;
  readonly #lastSeen = new Map<string, number>();
  readonly #ended = new Map<string, PromiseWithResolvers<void>>();
  /** Sealed. */
  readonly #refreshTokens = new Map<string, string>();
  /** By the UUID of the token. */
  readonly #usedTokens = new Map<string, UsedToken>();
  /** By the UUID of the member. */
  readonly #seenMembers = new Map<string, SeenMember>();
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(database: { readonly unscoped: Pick<Database['unscoped'], 'write'> }, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** When a session was last used, in milliseconds; 0 where nothing waits to be written. */
  lastSeenAt(hash: string): number {
    return this.#lastSeen.get(hash) ?? 0;
  }

  /** Whether a session has ended, and that is not written yet. */
  hasEnded(hash: string): boolean {
    return this.#ended.has(hash);
  }

  /** How many sessions have ended of which that is not written yet. */
  get endedCount(): number {
    return this.#ended.size;
  }

  /** The refresh token of a session, sealed; undefined where none waits to be written. */
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

  /** `day` is its begin in milliseconds. */
  recordTokenUse(workspaceId: WorkspaceId, uuid: string, day: number): void {
    if (this.#usedTokens.has(uuid)) return;
    this.#usedTokens.set(uuid, { workspaceId, uuid, day });
    this.#startWriting();
  }

  /** `minute` is its begin in milliseconds. */
  recordMember(workspaceId: WorkspaceId, uuid: string, minute: number): void {
    if (this.#seenMembers.has(uuid)) return;
    this.#seenMembers.set(uuid, { workspaceId, uuid, minute });
    this.#startWriting();
  }

  /** Ends a session. Resolves when that is written, which is retried until it succeeds. */
  end(hash: string): Promise<void> {
    const { promise } = this.#ended.getOrInsertComputed(hash, () => Promise.withResolvers<void>());
    this.#startWriting();
    return promise;
  }

  /** Waits for the writes that are left. They are given up where the database takes no writes now. */
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
        if (!isFailing) this.#log.warn({ err: error }, 'what became of sessions and tokens is not written yet');
        isFailing = true;
        if (this.#isClosed) return;
        await delay(RETRY_DELAY_MS, null, { ref: false });
      }
    }
  }

  async #writeSome(): Promise<void> {
    const ended = [...this.#ended].slice(0, BATCH_SIZE);
    const seen = [...this.#lastSeen].slice(0, BATCH_SIZE);
    const refreshTokens = [...this.#refreshTokens].slice(0, BATCH_SIZE);
    const usedTokens = [...this.#usedTokens.values()].slice(0, BATCH_SIZE);
    const seenMembers = [...this.#seenMembers.values()].slice(0, BATCH_SIZE);
    await this.#database.unscoped.write(async (trx) => {
      const hashes = ended.map(([hash]) => hash);
      if (hashes.length > 0) await trx.deleteFrom('sessions').where('hash', 'in', hashes).execute();
      for (const [hash, at] of seen) {
        await trx.updateTable('sessions').set({ seen_at: at }).where('hash', '=', hash).execute();
      }
      for (const [hash, refresh_token] of refreshTokens) {
        await trx.updateTable('sessions').set({ refresh_token }).where('hash', '=', hash).execute();
      }
      for (const { workspaceId, uuid, day } of usedTokens) {
        await trx
          .updateTable('tokens')
          .set({ used_at: day })
          .where('workspace_id', '=', workspaceId)
          .where('uuid', '=', uuid)
          .execute();
      }
      for (const { workspaceId, uuid, minute } of seenMembers) {
        await trx
          .updateTable('members')
          .set({ last_seen_at: minute })
          .where('workspace_id', '=', workspaceId)
          .where('uuid', '=', uuid)
          .execute();
      }
    });
    for (const [hash, { resolve }] of ended) {
      this.#ended.delete(hash);
      resolve();
    }
    for (const [hash, at] of seen) if (this.#lastSeen.get(hash) === at) this.#lastSeen.delete(hash);
    for (const [hash, sealed] of refreshTokens) {
      if (this.#refreshTokens.get(hash) === sealed) this.#refreshTokens.delete(hash);
    }
    for (const { uuid } of usedTokens) this.#usedTokens.delete(uuid);
    for (const { uuid } of seenMembers) this.#seenMembers.delete(uuid);
  }
}

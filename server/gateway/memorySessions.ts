import { LRUCache } from 'lru-cache';
import { ProblemError } from '../http/problems.ts';
import { newSecret } from '../http/authentication/secret.ts';
import { IDLE_TIMEOUT_MS, SESSION_LIFETIME_MS, SESSIONS_PER_OWNER_MAX } from '../sessions/sessionLimits.ts';

const SESSIONS_MAX = 10_000;
/** Seconds after which a rejected sign-in may be retried. */
const RETRY_SECONDS = 60;

type MemorySession<Session> = { token: string; session: Session; openedAt: number };

export class MemorySessions<Session> {
  readonly #entries;
  /** The secrets of each token, the oldest first. */
  readonly #secretsByToken = new Map<string, Set<string>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#entries = new LRUCache<string, MemorySession<Session>>({
      max: SESSIONS_MAX,
      ttl: IDLE_TIMEOUT_MS - 1,
      ttlResolution: 0,
      updateAgeOnGet: true,
      perf: { now },
      dispose: ({ token }, secret) => this.#forget(token, secret),
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Throws a `ProblemError` when there is no room. */
  open(token: string, session: Session, earlier: string | undefined): string {
    if (earlier !== undefined) this.end(earlier);
    const [oldest, ...others] = this.#secretsByToken.get(token) ?? [];
    if (oldest !== undefined && others.length + 1 >= SESSIONS_PER_OWNER_MAX) this.end(oldest);
    if (this.#entries.size >= SESSIONS_MAX) this.#entries.purgeStale();
    // Never evicts a session of another token: a client with many tokens could sign out everybody.
    if (this.#entries.size >= SESSIONS_MAX) throw tooManySessionsProblem();
    const secret = newSecret();
    this.#entries.set(secret, { token, session, openedAt: this.#now() });
    this.#secretsByToken.getOrInsertComputed(token, () => new Set()).add(secret);
    return secret;
  }

  find(secret: string): Session | null {
    const entry = this.#entries.get(secret);
    if (entry === undefined) return null;
    if (this.#now() < entry.openedAt + SESSION_LIFETIME_MS) return entry.session;
    this.end(secret);
    return null;
  }

  end(secret: string): void {
    this.#entries.delete(secret);
  }

  endAll(token: string): void {
    for (const secret of this.#secretsByToken.get(token) ?? []) this.end(secret);
  }

  #forget(token: string, secret: string): void {
    const secrets = this.#secretsByToken.get(token);
    secrets?.delete(secret);
    if (secrets?.size === 0) this.#secretsByToken.delete(token);
  }
}

const tooManySessionsProblem = () =>
  new ProblemError(503, 'Too many people are signed in to this gateway. Try again later.', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    limit: 'overload',
  });

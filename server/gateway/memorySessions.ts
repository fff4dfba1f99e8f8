import { IDLE_LIMIT, newSecret, SESSION_LIFE } from '../sessions/store.ts';

/** More sessions than this at once: the one that was idle longest ends. */
const SESSIONS_MAX = 10_000;

type Entry<Session> = { session: Session; openedAt: number; seenAt: number };

/** Sessions that end with the process, within the limits that sessions have everywhere. */
export class MemorySessions<Session> {
  /** By their secrets, the one that was idle longest first. */
  readonly #entries = new Map<string, Entry<Session>>();
  readonly #now: () => number;

  /** `now` gives milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  open(session: Session): string {
    for (const [secret, { seenAt }] of this.#entries) {
      if (this.#now() < seenAt + IDLE_LIMIT && this.#entries.size < SESSIONS_MAX) break;
      this.#entries.delete(secret);
    }
    const secret = newSecret();
    this.#entries.set(secret, { session, openedAt: this.#now(), seenAt: this.#now() });
    return secret;
  }

  find(secret: string): Session | null {
    const entry = this.#entries.get(secret);
    this.#entries.delete(secret);
    const now = this.#now();
    if (entry === undefined || now >= entry.seenAt + IDLE_LIMIT || now >= entry.openedAt + SESSION_LIFE) return null;
    this.#entries.set(secret, { ...entry, seenAt: now });
    return entry.session;
  }

  end(secret: string): void {
    this.#entries.delete(secret);
  }

  endAll(isOver: (session: Session) => boolean): void {
    for (const [secret, { session }] of this.#entries) if (isOver(session)) this.#entries.delete(secret);
  }
}

const MINUTE = 60_000;

export const IDLE_TIMEOUT_MS = 30 * MINUTE;

export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE;

export const PERSON_SESSION_LIFETIME_MS = 7 * 24 * 60 * MINUTE;

export const ASK_AGAIN_AFTER_MS = 12 * 60 * MINUTE;

/** Milliseconds for which a request that ends a session waits until that's stored. */
export const END_TIMEOUT_MS = 2000;

/** Open sessions of a token or a person. The next one ends the oldest. */
export const SESSIONS_PER_OWNER_MAX = 20;

const MINUTE = 60_000;

/** A session ends after this long without a request, in milliseconds. */
export const IDLE_TIMEOUT_MS = 30 * MINUTE;

/** Milliseconds from sign-in to the end of a session, even if it is in use. */
export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE;

/** The same for a session of a person, of whom the provider is asked again meanwhile. */
export const PERSON_SESSION_LIFETIME_MS = 7 * 24 * 60 * MINUTE;

/** Milliseconds after which the provider is asked again for the person of a session. */
export const ASK_AGAIN_AFTER_MS = 12 * 60 * MINUTE;

/** Milliseconds for which a request that ends a session waits until that's stored. */
export const END_TIMEOUT_MS = 2000;

/** Open sessions of a token or a person. The next one ends the oldest. */
export const SESSIONS_PER_OWNER_MAX = 20;

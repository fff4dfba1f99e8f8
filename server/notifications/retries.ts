import { randomInt } from 'node:crypto';
import type { Outcome } from './webhook/postWebhook.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds after the first attempt at which the next ones follow: at once, then until a day is over. */
const RETRIES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** A receiver can't put off a message for longer. */
const RETRY_AFTER_MAX = 6 * HOUR;

/** Up to a tenth of the pause longer, so that what failed together isn't repeated together. */
const JITTER = 10;

/** Milliseconds until the next attempt of a delivery at the latest. */
export const LONGEST_PAUSE = 24 * HOUR * (1 + 1 / JITTER);

/** When the next attempt is; null if there is none. `attempts` includes the one that failed; times are milliseconds. */
export function nextAttempt(
  { created_at, attempts }: { created_at: number; attempts: number },
  { isFinal, isGone, isHalted, retryAfter = 0 }: Extract<Outcome, { isDelivered: false }>,
  now: number,
): number | null {
  // No failure of the receiver: another process goes on.
  if (isHalted === true) return now;
  // By time: attempts whose outcome couldn't be stored are no refusals. By number once the day is over, after a pause.
  const offset = RETRIES.find((one) => created_at + one > now) ?? RETRIES[attempts - 1];
  if (isFinal === true || isGone === true || offset === undefined) return null;
  // After a pause of the service the rest would be due at once.
  const pause = Math.max(created_at + offset - now, 5 * SECOND, Math.min(retryAfter * SECOND, RETRY_AFTER_MAX));
  return now + pause + randomInt(Math.ceil(pause / JITTER));
}

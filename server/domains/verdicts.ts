import type { Result } from '#contract/dnsCheck.ts';
import type { DomainRow, RecordRow } from './domainRow.ts';

// What a check does to the verdicts that are stored, and when to check again (docs/decisions/0011-stored-verdicts.md).

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A valid record that fails and is right before this time was a hiccup. */
const FAILURES_APART = 5 * MINUTE;
/** How long a domain may stay as wrong as it is before it counts as failed. */
const PATIENCE = 72 * HOUR;
const SOONEST = 5 * MINUTE;
const LATEST = DAY;

/** The words that we write. An import may have brought others, which are not ours to change. */
const WORDS = new Set(['pending', 'completed', 'failed']);

type RecordVerdict = Pick<RecordRow, 'is_valid' | 'failed_at'>;
type DomainVerdict = Pick<DomainRow, 'verified' | 'mail_from_verified' | 'verification' | 'status'>;

/** One success makes a record valid; a valid one becomes invalid at a failure that is five minutes after the first. */
export function judgeRecord({ is_valid, failed_at }: RecordVerdict, result: Result, at: number): RecordVerdict {
  if (result === 'ok' || result === 'warn') return { is_valid: 1, failed_at: null };
  // Right at the name servers, so that whatever failed before is over.
  if (result === 'pending') return { is_valid, failed_at: null };
  if (result === 'unknown' || is_valid === 0) return { is_valid, failed_at };
  const since = failed_at ?? at;
  return at - since < FAILURES_APART ? { is_valid, failed_at: since } : { is_valid: 0, failed_at: null };
}

/** `own` are the verdicts on the records that are not of the MAIL FROM name, `mailFrom` on those that are. */
export function judgeDomain(
  { verification, status, verdicts_at }: DomainVerdict & Pick<DomainRow, 'verdicts_at'>,
  own: readonly RecordVerdict[],
  mailFrom: readonly RecordVerdict[],
  at: number,
): DomainVerdict {
  const isRight = areValid([...own, ...mailFrom]);
  const isLate = at - verdicts_at >= PATIENCE;
  const wordAfter = (word: string) => {
    if (!WORDS.has(word)) return word;
    if (isRight) return 'completed';
    return word === 'pending' && !isLate ? 'pending' : 'failed';
  };
  return {
    verified: Number(areValid(own)),
    mail_from_verified: Number(areValid(mailFrom)),
    verification: wordAfter(verification),
    status: wordAfter(status),
  };
}

/** `verdicts_at` is when the records were given, or a verdict on one of them last changed. */
export function nextCheck(records: readonly RecordVerdict[], verdicts_at: number, at: number): number {
  if (records.some(({ failed_at }) => failed_at !== null)) return at + FAILURES_APART;
  // Whoever has just changed something waits for it; what has stayed wrong for weeks will not be right tomorrow.
  const pause = areValid(records) ? LATEST : (at - verdicts_at) / 10;
  return at + Math.min(Math.max(Math.round(pause), SOONEST), LATEST);
}

function areValid(records: readonly RecordVerdict[]): boolean {
  return records.length > 0 && records.every(({ is_valid }) => is_valid === 1);
}

import type { CheckResult } from '#contract/dnsCheck.ts';
import type { DomainRow, RecordRow } from './domainRow.ts';

// What a check does to the verdicts that are stored, and when to check again (docs/decisions/0011-stored-verdicts.md).

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A valid record that fails and is right before this time was a hiccup. */
const FAILURES_APART = 5 * MINUTE;
/** How long a domain may stay as wrong as it is before it counts as failed. */
const FAILED_AFTER_MS = 72 * HOUR;
const SOONEST = 5 * MINUTE;
const LATEST = DAY;

/** The words that we write. An import may have brought others, which are not ours to change. */
const OWN_STATUSES = new Set(['pending', 'completed', 'failed']);

/** A stored record, and what a check says of it: null when the check was about other records. */
type CheckedRecord = { row: RecordRow; result: CheckResult | null; isMailFrom: boolean };

type Verdict = Pick<RecordRow, 'is_valid' | 'failed_at'>;

/** The rows as they are after a check that began at `at`. */
export function judge(
  before: DomainRow,
  checked: readonly CheckedRecord[],
  at: number,
): { domain: DomainRow; records: RecordRow[] } {
  const records = checked.map(({ row, result }) => ({ ...row, ...verdictOn(row, result ?? 'unknown', at) }));
  const hasChanged = records.some(({ is_valid }, index) => is_valid !== checked[index]?.row.is_valid);
  const domain = { ...before, verdicts_at: hasChanged ? at : before.verdicts_at };
  // Where nothing could be told, nothing is said.
  if (checked.some(({ result }) => result === 'ok' || result === 'warn' || result === 'fail')) {
    const [own, mailFrom] = [false, true].map((is) => records.filter((_, index) => checked[index]?.isMailFrom === is));
    const isLate = at - domain.verdicts_at >= FAILED_AFTER_MS;
    domain.verified = Number(areValid(own));
    domain.mail_from_verified = Number(areValid(mailFrom));
    domain.verification = nextStatus(before.verification, areValid(records), isLate);
    domain.status = nextStatus(before.status, areValid(records), isLate);
  }
  // Records that came meanwhile stay due.
  if (checked.every(({ result }) => result !== null)) domain.next_check_at = nextCheck(records, domain.verdicts_at, at);
  return { domain, records };
}

/** One success makes a record valid; a valid one becomes invalid at a failure that is five minutes after the first. */
function verdictOn({ is_valid, failed_at }: Verdict, result: CheckResult, at: number): Verdict {
  if (result === 'ok' || result === 'warn') return { is_valid: 1, failed_at: null };
  // Right at the name servers, so that whatever failed before is over.
  if (result === 'pending') return { is_valid, failed_at: null };
  if (result === 'unknown' || is_valid === 0) return { is_valid, failed_at };
  const since = failed_at ?? at;
  return at - since < FAILURES_APART ? { is_valid, failed_at: since } : { is_valid: 0, failed_at: null };
}

function nextStatus(word: string, isRight: boolean, isLate: boolean): string {
  if (!OWN_STATUSES.has(word)) return word;
  if (isRight) return 'completed';
  return word === 'pending' && !isLate ? 'pending' : 'failed';
}

function nextCheck(records: readonly Verdict[], verdictsAt: number, at: number): number {
  if (records.some(({ failed_at }) => failed_at !== null)) return at + FAILURES_APART;
  // Whoever has just changed something waits for it; what has stayed wrong for weeks will not be right tomorrow.
  const pause = areValid(records) ? LATEST : Math.round((at - verdictsAt) / 10);
  return at + Math.min(Math.max(pause, SOONEST), LATEST);
}

function areValid(records: readonly Verdict[] = []): boolean {
  return records.length > 0 && records.every(({ is_valid }) => is_valid === 1);
}

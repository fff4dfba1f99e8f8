import type { ReadableDomain } from './domain.ts';
import type { RecordStatus } from './recordStatus.ts';

/** The states that the service counts and filters domains by, the best first. */
export const DOMAIN_STATES = ['healthy', 'warning', 'pending', 'failing'] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

export const DOMAIN_STATE_WORDS: Readonly<Record<DomainState, string>> = {
  healthy: 'OK',
  warning: 'Advice',
  pending: 'Being set up',
  failing: 'Needs fixing',
};

type JudgedDomain = Pick<
  ReadableDomain,
  'verified' | 'status' | 'verification' | 'mail_from_domain' | 'mail_from_verified'
> & { dns: readonly { is_valid: boolean | null }[] | null };

/** What the last check found. `index`: of a record, its index in `dns`. */
type JudgedVerdict = { result: RecordStatus; index: number | null; accepted: object | null };

/**
 * The one state of a domain. `failing`: something is wrong, and somebody has to act. `pending`: it's being set up, or a
 * change spreads. `warning`: it works, but something should be better. `healthy`: nothing is wrong. A fault that somebody
 * accepts doesn't count. Null if the service didn't send enough.
 */
export function judgeDomainState(domain: JudgedDomain, verdicts: readonly JudgedVerdict[] = []): DomainState | null {
  const counted = verdicts.filter(({ accepted }) => accepted === null);
  const isFound = (result: RecordStatus) => counted.some((verdict) => verdict.result === result);
  if (isFound('fail')) return 'failing';
  if (isFound('pending')) return 'pending';
  const stored = judgeStored(hasAcceptedFailure(verdicts) ? withoutAccepted(domain, verdicts) : domain);
  return stored === 'healthy' && isFound('warn') ? 'warning' : stored;
}

/** The state by what the service has stored about its records and about the whole. */
function judgeStored(domain: JudgedDomain): DomainState | null {
  const isReported = (word: string) => domain.status === word || domain.verification === word;
  if (isReported('failed')) return 'failing';
  if (isReported('pending')) return 'pending';
  const isWrong =
    domain.verified === false ||
    (Boolean(domain.mail_from_domain) && domain.mail_from_verified === false) ||
    (domain.dns ?? []).some(({ is_valid }) => is_valid === false);
  if (isWrong) return 'failing';
  return domain.verified === null ? null : 'healthy';
}

const hasAcceptedFailure = (verdicts: readonly JudgedVerdict[]) =>
  verdicts.some(({ result, accepted }) => accepted !== null && result === 'fail');

/** What's stored about the whole follows from the accepted fault too. */
function withoutAccepted(domain: JudgedDomain, verdicts: readonly JudgedVerdict[]): JudgedDomain {
  const accepted = new Set(verdicts.flatMap((verdict) => (verdict.accepted === null ? [] : verdict.index)));
  const dns = (domain.dns ?? []).filter((_, index) => !accepted.has(index));
  return { verified: true, status: '', verification: '', mail_from_domain: '', mail_from_verified: null, dns };
}

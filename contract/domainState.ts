import type { ReadableDomain } from './domain.ts';

/** The states that the service counts and filters domains by. */
export const DOMAIN_STATES = ['healthy', 'pending', 'failing'] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

type JudgedDomain = Pick<
  ReadableDomain,
  'verified' | 'status' | 'verification' | 'mail_from_domain' | 'mail_from_verified'
> & { dns: readonly { is_valid: boolean | null }[] | null };

/**
 * The one state of a domain. `failing`: something is wrong, and somebody has to act. `pending`: it's being set up.
 * `healthy`: nothing is wrong. Null if the service didn't send enough.
 */
export function judgeDomainState(domain: JudgedDomain): DomainState | null {
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

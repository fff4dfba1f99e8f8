import type { ReadableSuppression, SuppressionReason } from '#contract/suppressions/suppression.ts';
import { labelOr } from '../ui/format/labelOr.ts';

export const REASONS: Readonly<Record<SuppressionReason, string>> = {
  request: 'Asked for it',
  complaint: 'Marked mail as spam',
  bounce: 'Mail bounced',
  legal: 'Legal',
  list: 'On a list',
  other: 'Other',
};

export const NOBODY_SAID = 'Not recorded';

/** "Mail bounced, ticket ZD-4711, on 2024-05-03"; the day is that of an unsubscribe elsewhere. Empty if nobody said why. */
export function describeSuppression(suppression: ReadableSuppression | null): string {
  const { reason = null, ticket = null, since = null } = suppression ?? {};
  const parts = [
    reason === null ? '' : labelOr(REASONS, reason),
    ticket === null ? '' : `ticket ${ticket}`,
    since === null ? '' : `on ${since.slice(0, 10)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

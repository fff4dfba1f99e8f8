import type { ReadableSuppression, SuppressionReason } from '#contract/suppression.ts';
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

/** "Asked for it, ticket ZD-4711"; empty if nobody said why. */
export function describeSuppression(suppression: ReadableSuppression | null): string {
  const { reason = null, ticket = null } = suppression ?? {};
  const parts = [reason === null ? '' : labelOr(REASONS, reason), ticket === null ? '' : `ticket ${ticket}`];
  return parts.filter((part) => part !== '').join(', ');
}

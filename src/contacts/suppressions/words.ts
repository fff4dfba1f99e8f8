import type { SuppressionOrigin, SuppressionReason } from '#contract/suppressions/suppression.ts';
import { NOBODY_SAID, REASONS } from '../../identity/describeSuppression.ts';
import { labelOr } from '../../ui/format/labelOr.ts';

const ORIGINS: Readonly<Record<SuppressionOrigin, string>> = {
  recipient: 'The person',
  support: 'Support',
  program: 'A program',
  import: 'An import',
};

const describeOr = (labels: Readonly<Record<string, string>>) => (word: string | null) =>
  word === null || word === 'unknown' ? NOBODY_SAID : labelOr(labels, word);

/** `unknown` and null are what nobody said. */
export const describeReason = describeOr(REASONS);
export const describeOrigin = describeOr(ORIGINS);

/** Why an event unsubscribes, by its name; null if that doesn't say. */
export function reasonOfEvent(name: string): SuppressionReason | null {
  const words = name.toLowerCase();
  if (/bounc|undeliver|invalid/.test(words)) return 'bounce';
  if (/complain|spam|abuse/.test(words)) return 'complaint';
  return /unsub|opt.?out/.test(words) ? 'request' : null;
}

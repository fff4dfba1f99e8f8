import type { SuppressionOrigin } from '#contract/suppression.ts';
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

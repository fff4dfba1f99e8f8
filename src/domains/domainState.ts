import type { ReadableDomain } from '#contract/domain.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { summarise } from './recordsSummary.ts';

/** The tones of the known words. The interface does not list them all: any other word is shown as it is, in neutral. */
const TONES = new Map<string | null, Tone>([
  ['pending', 'wait'],
  ['completed', 'good'],
  ['failed', 'bad'],
]);

export const toneOf = (word: string | null): Tone => TONES.get(word) ?? 'neutral';

export function recordsTone(domain: ReadableDomain): Tone {
  const { total, valid, broken } = summarise(domain.dns);
  if (total === 0) return 'neutral';
  if (broken === 0) return valid === total ? 'good' : 'neutral';
  return valid === 0 ? 'bad' : 'warn';
}

/** "3 of 5 valid", counted from the records. */
export function describeRecordCounts(domain: ReadableDomain): string {
  if (domain.dns === null) return 'Not sent';
  const { total, valid } = summarise(domain.dns);
  return total === 0 ? 'No records' : `${valid} of ${total} valid`;
}

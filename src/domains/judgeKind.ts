import type { ReadableDomain } from '#contract/domain.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { classifyRecord, type RecordKind } from './recordKind.ts';

export type Light = 'valid' | 'invalid' | 'unknown' | 'none';

export const LIGHT_LABELS: Record<Light, { tone: Tone; label: string }> = {
  valid: { tone: 'good', label: 'correct at last check' },
  invalid: { tone: 'bad', label: 'needs fixing at last check' },
  unknown: { tone: 'neutral', label: 'not checked' },
  none: { tone: 'neutral', label: 'no record needed' },
};

/** The stored verdicts on the records of each kind, as one. */
export function judgeKinds(domain: ReadableDomain): (kind: RecordKind) => Light {
  const judged = (domain.dns ?? []).map((record) => ({
    kind: classifyRecord(record, domain),
    verdict: record.is_valid,
  }));
  return (kind) => {
    const verdicts = judged.flatMap((record) => (record.kind === kind ? record.verdict : []));
    if (verdicts.length === 0) return 'none';
    if (verdicts.includes(false)) return 'invalid';
    return verdicts.includes(null) ? 'unknown' : 'valid';
  };
}

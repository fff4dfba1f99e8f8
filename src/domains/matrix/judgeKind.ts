import type { ReadableDomain } from '#contract/domain.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';
import { classifyRecord, type RecordKind } from '../records/recordKind.ts';

export type Light = 'valid' | 'invalid' | 'unknown' | 'none';

export const LIGHT_LABELS: Record<Light, { tone: Tone; label: string }> = {
  valid: { tone: 'good', label: 'correct at last check' },
  invalid: { tone: 'bad', label: 'needs fixing at last check' },
  unknown: { tone: 'neutral', label: 'not checked' },
  none: { tone: 'neutral', label: 'no record needed' },
};

/** The stored verdicts on the records of each kind, as one. */
export function judgeKinds(domain: ReadableDomain): (kind: RecordKind) => Light {
  const lights = new Map<RecordKind, Light>();
  for (const record of domain.dns ?? []) {
    const kind = classifyRecord(record, domain);
    const light = lights.get(kind);
    if (record.is_valid === false) lights.set(kind, 'invalid');
    else if (light !== 'invalid') lights.set(kind, record.is_valid === null ? 'unknown' : (light ?? 'valid'));
  }
  return (kind) => lights.get(kind) ?? 'none';
}

import { RECORD_STATUSES, type RecordStatus } from '#contract/domains/recordStatus.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';

export const RECORD_STATUS_LABELS: Record<RecordStatus, { tone: Tone; label: string }> = {
  ok: { tone: 'good', label: 'OK' },
  warn: { tone: 'warn', label: 'Advice' },
  fail: { tone: 'bad', label: 'Needs fixing' },
  pending: { tone: 'wait', label: 'Propagating' },
  unknown: { tone: 'neutral', label: 'Unknown' },
};

const COUNTED: Record<RecordStatus, (count: number) => string> = {
  ok: () => 'OK',
  warn: () => 'with advice',
  fail: (count) => (count === 1 ? 'needs fixing' : 'need fixing'),
  pending: () => 'propagating',
  unknown: () => 'unknown',
};

/** "3 OK", "1 with advice", "1 of 3 needs fixing". */
export function formatStatusCount(status: RecordStatus, count: number, all = count): string {
  return `${count === all ? count : `${count} of ${all}`} ${COUNTED[status](count)}`;
}

/** "3 OK, 1 with advice, 2 need fixing": the best first; empty without any. */
export function countStatuses(statuses: readonly RecordStatus[]): string {
  return RECORD_STATUSES.toReversed()
    .map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
    .flatMap(({ status, count }) => (count === 0 ? [] : formatStatusCount(status, count)))
    .join(', ');
}

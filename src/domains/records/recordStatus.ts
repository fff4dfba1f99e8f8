import { RECORD_STATUSES, type RecordStatus } from '#contract/recordStatus.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';

export const RECORD_STATUS_LABELS: Record<RecordStatus, { tone: Tone; label: string }> = {
  ok: { tone: 'good', label: 'OK' },
  warn: { tone: 'warn', label: 'Warning' },
  fail: { tone: 'bad', label: 'Failed' },
  pending: { tone: 'wait', label: 'Pending' },
  unknown: { tone: 'neutral', label: 'Unknown' },
};

const COUNTED: Record<RecordStatus, string> = {
  ok: 'OK',
  warn: 'with a warning',
  fail: 'failed',
  pending: 'pending',
  unknown: 'unknown',
};

/** "3 OK", "1 with a warning", "1 of 3 failed". */
export function formatStatusCount(status: RecordStatus, count: number, all = count): string {
  return `${count === all ? count : `${count} of ${all}`} ${COUNTED[status]}`;
}

/** "3 OK, 1 with a warning, 2 failed": the best first; empty without any. */
export function countStatuses(statuses: readonly RecordStatus[]): string {
  return RECORD_STATUSES.toReversed()
    .map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
    .flatMap(({ status, count }) => (count === 0 ? [] : formatStatusCount(status, count)))
    .join(', ');
}

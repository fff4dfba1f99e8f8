import type { Span } from '#contract/domains/domainHistory.ts';
import { parseTime } from '../../ui/format/time.ts';
import { shortDateTime } from '../../ui/format/sentenceTime.ts';
import { describeCode } from '../records/describeCode.ts';
import { RECORD_STATUS_LABELS } from '../records/recordStatus.ts';

export const spanTime = (time: string, zone: string): string => {
  const date = parseTime(time);
  return date === null ? time : shortDateTime(date, zone);
};

/** "Needs fixing (Wrong target), 3 Oct, 10:00 to 4 Oct, 12:30". */
export function describeSpan({ result, code, started_at, ended_at }: Span, zone: string): string {
  const why = result === 'ok' ? '' : ` (${describeCode(code)})`;
  return `${RECORD_STATUS_LABELS[result].label}${why}, ${spanTime(started_at, zone)} to ${spanTime(ended_at, zone)}`;
}

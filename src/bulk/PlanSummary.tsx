import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import classes from './DeskStages.module.css';
import type { PlannedList } from './deskState.ts';
import { type EntryCounts, OPEN_STATUSES, sumCounts, UNSENT_STATUSES } from './entry.ts';
import { useLostFocus } from './useLostFocus.ts';

type Props = { count: number; list: PlannedList; counts: EntryCounts };

/** What was read, and what will happen to it. */
export function PlanSummary({ count, list: { source, added }, counts: { all, ticked } }: Props) {
  const element = useLostFocus<HTMLParagraphElement>();
  const known = all.out > 0 || all.unknown > 0;
  const leftOut = sumCounts(all, OPEN_STATUSES) - sumCounts(ticked, OPEN_STATUSES);
  const others: [number, string][] = [
    [leftOut, 'left out'],
    [known ? ticked.out : 0, 'already unsubscribed'],
    [known ? ticked.unknown : 0, 'not found'],
    [all.duplicate, all.duplicate === 1 ? 'duplicate' : 'duplicates'],
    [all.unreadable, 'unreadable'],
  ];
  const parts = others.filter(([number]) => number > 0).map(([number, words]) => `${formatCount(number)} ${words}`);
  const read = count - added;
  return (
    <p ref={element} tabIndex={-1} className={`${classes.summary} ${classes.focus}`}>
      <b>{formatCount(read)}</b> {read === 1 ? 'entry' : 'entries'} read
      {source !== null && (
        <>
          {' '}
          from <UntrustedText text={source} />
        </>
      )}
      {added > 0 && `, ${formatCount(added)} ${added === 1 ? 'contact' : 'contacts'} added`}.{' '}
      {ticked.unchecked + ticked.exists > 0 && 'Up to '}
      <b>{formatCount(sumCounts(ticked, UNSENT_STATUSES))}</b> will be unsubscribed
      {parts.length > 0 && `; ${parts.join(', ')}`}. Nothing has been sent yet.
    </p>
  );
}

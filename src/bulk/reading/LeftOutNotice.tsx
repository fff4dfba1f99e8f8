import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { isOfText, UNANSWERED, UNDECIDED } from '../../listParser/piece.ts';
import { isOfState } from '../../listParser/stateColumns.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from '../Stages.module.css';
import { type BulkEntry, isOfSimilar, isSelectable } from '../bulkState.ts';
import { isLeftOut } from '../entryFilter.ts';

import { describeAnswers, type Question } from './question.ts';
import { isOwnAddress } from './useListReader.ts';
import { useSelection } from '../BulkNotices.tsx';

type Props = { entries: readonly BulkEntry[]; question: Question | undefined; onShow: () => void };

/** The entries that began unselected, and why. Until a column and its meaning are chosen, only that is asked. */
export function LeftOutNotices({ entries, question, onShow }: Props) {
  const groups = useMemo(() => groupByReason(entries, question), [entries, question]);
  return (
    <>
      <TextNotice affected={groups.text} onShow={onShow} />
      <UncertainNotice affected={groups.uncertain} onShow={onShow} />
      <LeftOutNotice affected={groups.state} describe={describeState} onShow={onShow} />
      <LeftOutNotice affected={groups.own} describe={describeOwn} onShow={onShow} />
    </>
  );
}

const describeState = (count: number) => `that ${count === 1 ? 'isn’t' : 'aren’t'} unsubscribed in this table`;
const describeOwn = () => 'of your own addresses';

type Group = 'own' | 'state' | 'text' | 'uncertain';

/** Without those left out by what was chosen. */
function groupByReason(entries: readonly BulkEntry[], question: Question | undefined): Record<Group, BulkEntry[]> {
  const groups: Record<Group, BulkEntry[]> = { own: [], state: [], text: [], uncertain: [] };
  for (const entry of entries) {
    const { leftOut } = entry;
    if (leftOut === null || leftOut === UNDECIDED || leftOut === UNANSWERED || !isSelectable(entry)) continue;
    if (question !== undefined && describeAnswers(question, entry).includes(leftOut)) continue;
    groups[isOwnAddress(entry) ? 'own' : isOfState(leftOut) ? 'state' : isOfText(leftOut) ? 'text' : 'uncertain'].push(
      entry,
    );
  }
  return groups;
}

type NoticeProps = { affected: readonly BulkEntry[]; onShow: () => void };

/** Reasons that are listed. */
const REASONS_MAX = 5;

/** Entries that only a person can decide on. It stays when they are chosen: the rows below would move under the pointer. */
function UncertainNotice({ affected, onShow }: NoticeProps) {
  if (affected.length === 0) return null;
  const chosen = affected.filter(({ isSelected }) => isSelected).length;
  const uncertain = `uncertain ${affected.length === 1 ? 'entry' : 'entries'}`;
  const title =
    chosen === 0
      ? `Choose who is meant: ${formatCount(affected.length)} ${uncertain}`
      : `${formatCount(chosen)} of ${formatCount(affected.length)} ${uncertain} selected`;
  const reasons = [...Map.groupBy(affected, describeReason)];
  return (
    <Notice
      tone={chosen === 0 ? 'warn' : 'neutral'}
      title={title}
      actions={
        <Button variant="default" size="xs" onClick={onShow}>
          Choose
        </Button>
      }
    >
      {reasons.slice(0, REASONS_MAX).map(([reason, { length }]) => (
        <p key={reason}>
          <UntrustedText text={`${reason}: ${formatCount(length)}`} />
        </p>
      ))}
      {reasons.length > REASONS_MAX && <p>And for other reasons, shown in their rows</p>}
    </Notice>
  );
}

const describeReason = ({ leftOut }: BulkEntry) =>
  leftOut === null || isOfSimilar(leftOut) ? 'Not found, but a similar contact' : leftOut;

/** The entries of a list with text: one button selects them all. */
function TextNotice({ affected, onShow }: NoticeProps) {
  const { select, notice } = useSelection();
  const [first] = affected;
  if (first === undefined) return null;
  const out = affected.filter(isLeftOut);
  const count = formatCount(affected.length);
  return (
    <Notice
      tone={out.length === 0 ? 'neutral' : 'warn'}
      title={
        out.length === 0 ? `All ${count} selected` : `Read the text first: ${formatCount(out.length)} not selected`
      }
      actions={
        <span className={classes.actions}>
          {out.length > 0 && (
            <Button variant="default" size="xs" onClick={onShow}>
              Choose
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => select(affected, out.length > 0)}>
            {out.length === 0 ? 'Select none' : `Select all ${count}`}
          </Button>
        </span>
      }
    >
      <UntrustedText text={first.leftOut ?? ''} />
      {notice}
    </Notice>
  );
}

function LeftOutNotice({ affected, describe, onShow }: NoticeProps & { describe: (count: number) => string }) {
  const { select, notice } = useSelection();
  const out = affected.filter(isLeftOut);
  if (affected.length === 0) return null;
  const title =
    out.length === 0
      ? `${formatCount(affected.length)} ${describe(affected.length)} will be unsubscribed`
      : `${formatCount(out.length)} ${describe(out.length)} left out`;
  return (
    <Notice
      tone={out.length === 0 ? 'warn' : 'neutral'}
      title={title}
      actions={
        <span className={classes.actions}>
          {out.length > 0 && (
            <Button variant="default" size="xs" onClick={onShow}>
              Show them
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => select(affected, out.length > 0)}>
            {out.length === 0 ? 'Leave them out' : 'Unsubscribe them too'}
          </Button>
        </span>
      }
    >
      {notice}
    </Notice>
  );
}

import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { UNDECIDED } from '../../listParser/piece.ts';
import { isOfState } from '../../listParser/stateColumns.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from '../DeskStages.module.css';
import { type DeskEntry, isSelectable } from '../entry.ts';
import { isLeftOut } from '../entryFilter.ts';

import { isOwnAddress } from './ownDomains.ts';
import { isOfSimilar } from './similarContacts.ts';
import { useTicks } from '../useTicks.tsx';

type Props = { entries: readonly DeskEntry[]; onShow: () => void };

/** The entries that began unselected, and why. Until a column is chosen, its question is the only one. */
export function LeftOutNotices({ entries, onShow }: Props) {
  const groups = useMemo(() => groupByReason(entries), [entries]);
  return (
    <>
      <UncertainNotice affected={groups.uncertain} onShow={onShow} />
      <LeftOutNotice affected={groups.state} of="that aren’t unsubscribed in this table" onShow={onShow} />
      <LeftOutNotice affected={groups.own} of="of your own addresses" onShow={onShow} />
    </>
  );
}

type Group = 'own' | 'state' | 'uncertain';

function groupByReason(entries: readonly DeskEntry[]): Record<Group, DeskEntry[]> {
  const groups: Record<Group, DeskEntry[]> = { own: [], state: [], uncertain: [] };
  for (const entry of entries) {
    const { leftOut } = entry;
    if (leftOut === null || leftOut === UNDECIDED || !isSelectable(entry)) continue;
    groups[isOwnAddress(entry) ? 'own' : isOfState(leftOut) ? 'state' : 'uncertain'].push(entry);
  }
  return groups;
}

type NoticeProps = { affected: readonly DeskEntry[]; onShow: () => void };

/** Reasons that are named. */
const REASONS_MAX = 5;

/** Entries of which only a person can say whether they are meant. It stays when they are chosen: the rows below would move under the pointer. */
function UncertainNotice({ affected, onShow }: NoticeProps) {
  if (affected.length === 0) return null;
  const chosen = affected.filter(({ isTicked }) => isTicked).length;
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
      {reasons.length > REASONS_MAX && <p>And for other reasons, which their rows name</p>}
    </Notice>
  );
}

/** The reason, without what differs between rows. */
const describeReason = ({ leftOut }: DeskEntry) =>
  leftOut === null || isOfSimilar(leftOut) ? 'Not found, but a similar contact' : leftOut;

function LeftOutNotice({ affected, of, onShow }: NoticeProps & { of: string }) {
  const ticks = useTicks(true);
  const out = affected.filter(isLeftOut);
  if (affected.length === 0) return null;
  const title =
    out.length === 0
      ? `${formatCount(affected.length)} ${of} will be unsubscribed`
      : `${formatCount(out.length)} ${of} left out`;
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
          <Button variant="default" size="xs" onClick={() => ticks?.tick(affected, out.length > 0)}>
            {out.length === 0 ? 'Leave them out' : 'Unsubscribe them too'}
          </Button>
        </span>
      }
    />
  );
}

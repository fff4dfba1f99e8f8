import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { DOMAIN_STATE_WORDS, DOMAIN_STATES, type DomainState } from '#contract/domains/domainState.ts';
import type { ListControl } from '../../../table/useList.ts';
import { formatCount } from '../../../ui/format/formatCount.ts';
import { refocusOnRemoval } from '../../../ui/page/refocusOnRemoval.ts';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { describeState } from '../../domainState.ts';
import { domainSummaryQuery } from '../rows/rowsQuery.ts';
import choice from '../../../ui/Choice.module.css';
import classes from './StateFilter.module.css';

type Props = {
  list: ListControl;
  /** When the list was read, in milliseconds since the epoch; 0 before that. */
  readAt: number;
};

const WORST_FIRST = DOMAIN_STATES.toReversed();

/** How many domains are in each state, over the whole workspace. Each one shows only these. */
export function StateFilter({ list, readAt }: Props) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const summary = useSummary(readAt, list.state.page);
  const { state } = list.state.filters;
  const choose = (next: DomainState | null) => list.filter({ state: next === state ? null : next });
  return (
    <div className={`${choice.filters} ${classes.states}`} role="group" aria-label="State of all domains" tabIndex={-1}>
      {WORST_FIRST.filter((one) => summary !== undefined && (summary[one] > 0 || one === state)).map((one) => (
        <button key={one} type="button" aria-pressed={one === state} onClick={() => choose(one)}>
          <StatusBadge tone={describeState(one).tone}>
            {`${DOMAIN_STATE_WORDS[one]} ${formatCount(summary?.[one] ?? 0)}`}
          </StatusBadge>
        </button>
      ))}
      {state !== undefined && (
        <button ref={refocusOnRemoval} type="button" onClick={() => choose(null)}>
          Show all{summary !== undefined && ` ${formatCount(summary.total)}`}
        </button>
      )}
    </div>
  );
}

/** The counts, read again with the list, so that both are of one time; for another page only once they are stale. */
function useSummary(readAt: number, page: number) {
  const { data, dataUpdatedAt, isStale, refetch } = useQuery(domainSummaryQuery);
  const shown = useRef(page);
  const catchUp = useEffectEvent((at: number, current: number) => {
    // While another page is in flight.
    if (at === 0) return;
    const isTurned = shown.current !== current;
    shown.current = current;
    if (dataUpdatedAt > 0 && dataUpdatedAt < at && (isStale || !isTurned)) void refetch();
  });
  useEffect(() => catchUp(readAt, page), [readAt, page]);
  return data?.data;
}

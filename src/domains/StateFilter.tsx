import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { DOMAIN_STATES, type DomainState } from '#contract/domainState.ts';
import type { ListControl } from '../table/useList.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { handFocusOn } from '../ui/page/handFocusOn.ts';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { DOMAIN_STATE_LABELS } from './domainState.ts';
import { domainSummaryQuery } from './queries.ts';
import classes from './StateFilter.module.css';

type Props = {
  list: ListControl;
  /** When the list was read, in milliseconds since the epoch; 0 while it was not. */
  readAt: number;
};

/** How many domains of the workspace are in each state. Each count is a filter of the list. */
export function StateFilter({ list, readAt }: Props) {
  const summary = useSummary(readAt, list.state.page);
  const { state } = list.state.filters;
  const choose = (next: DomainState) => list.change({ filters: next === state ? {} : { state: next } });
  return (
    <div className={classes.summary} role="group" aria-label="State of all domains" tabIndex={-1}>
      {summary !== undefined && summary.total > 0 && (
        <div className={classes.bar} aria-hidden>
          {DOMAIN_STATES.map((one) => (
            <span key={one} data-tone={DOMAIN_STATE_LABELS[one].tone} style={{ flexGrow: summary[one] }} />
          ))}
        </div>
      )}
      <div className={classes.states}>
        {DOMAIN_STATES.filter((one) => summary !== undefined && (summary[one] > 0 || one === state)).map((one) => (
          <button key={one} type="button" aria-pressed={one === state} onClick={() => choose(one)}>
            <StatusBadge tone={DOMAIN_STATE_LABELS[one].tone}>{describeCount(one, summary?.[one] ?? 0)}</StatusBadge>
          </button>
        ))}
        {state !== undefined && (
          <button ref={handFocusOn} type="button" className={classes.all} onClick={() => list.change({ filters: {} })}>
            Show all{summary !== undefined && ` ${formatCount(summary.total)}`}
          </button>
        )}
      </div>
    </div>
  );
}

/** "24 healthy", "1 needs you", "6 need you", "3 being set up". */
function describeCount(state: DomainState, count: number): string {
  const words = { healthy: 'healthy', pending: 'being set up', failing: count === 1 ? 'needs you' : 'need you' };
  return `${formatCount(count)} ${words[state]}`;
}

/**
 * The counts, read again whenever the list is, so that both are of one time. For another page of it only once they are stale, as
 * that page itself would be.
 */
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

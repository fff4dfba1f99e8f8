import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { DOMAIN_STATES, type DomainState } from '#contract/domainState.ts';
import type { ListControl } from '../table/useList.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { refocusOnRemoval } from '../ui/page/refocusOnRemoval.ts';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { DOMAIN_STATE_LABELS } from './domainState.ts';
import { domainSummaryQuery } from './queries.ts';
import classes from './StateFilter.module.css';

type Props = {
  list: ListControl;
  /** When the list was read, in milliseconds since the epoch; 0 before that. */
  readAt: number;
};

/** How many domains of the workspace are in each state. Each count is a filter of the list. */
export function StateFilter({ list, readAt }: Props) {
  const summary = useSummary(readAt, list.state.page);
  const { state } = list.state.filters;
  const describe = (one: DomainState) => `${formatCount(summary?.[one] ?? 0)} ${one}`;
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
            <StatusBadge tone={DOMAIN_STATE_LABELS[one].tone}>{describe(one)}</StatusBadge>
          </button>
        ))}
        {state !== undefined && (
          <button
            ref={refocusOnRemoval}
            type="button"
            className={classes.all}
            onClick={() => list.change({ filters: {} })}
          >
            Show all{summary !== undefined && ` ${formatCount(summary.total)}`}
          </button>
        )}
      </div>
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

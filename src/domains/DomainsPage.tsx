import { lazy, Suspense, useDeferredValue, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { filteredDomains, getDomainSummary } from '#contract/additions.ts';
import { Domain, type ReadableDomain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { useCapability } from '../session/useSession.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListToolbar, ListFacts } from '../table/ListToolbar.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { firstListState, type ListControl, type ListOptions, useList } from '../table/useList.ts';
import { SearchInput } from '../table/SearchInput.tsx';
import { usePageActions } from '../ui/page/actions.ts';
import { Choice } from '../ui/Choice.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { markHidden } from '../ui/values/UntrustedText.tsx';
import { choiceParam, textParam, useUrlState } from '../url/urlState.ts';
import classes from './DomainsPage.module.css';
import filter from './StateFilter.module.css';
import { DomainTabs } from './DomainTabs.tsx';
import { authenticationCell, nameColumn, recordsCell, stateCell } from './domainCells.tsx';
import { domainsQuery, toDomainsQuery, domainSummaryQuery } from './queries.ts';
import { useQuery } from '@tanstack/react-query';
import { DOMAIN_STATES, type DomainState } from '#contract/domainState.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { refocusOnRemoval } from '../ui/page/refocusOnRemoval.ts';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { DOMAIN_STATE_LABELS } from './domainState.ts';

const DomainMatrix = lazy(async () => ({ default: (await import('./matrix/DomainMatrix.tsx')).DomainMatrix }));

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'matrix', label: 'Matrix' },
] as const;

type View = (typeof VIEWS)[number]['value'];

/** The order and filter of the matrix leave the URL with it (useMatrix.ts). */
const PARAMS = {
  view: choiceParam<View>(['list', 'matrix']),
  order: textParam,
  result: textParam,
};

const HINT = 'Add domains with sendroom admin import domains FILE.';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listDomains.list.sortable,
};

const FILTERED: ListOptions = { ...LIST, choices: filteredDomains.list.choices };

export const firstDomains = () => domainsQuery(firstListState(LIST));

const columns: readonly Column<ReadableDomain>[] = [
  nameColumn('auto'),
  { id: 'status', header: 'State', cell: stateCell, width: 122, fits: true },
  {
    id: 'kinds',
    header: 'Authentication',
    cell: authenticationCell,
    // On one line in a wide window, else on two.
    width: 'clamp(168px, 60vw - 504px, 264px)',
    fits: true,
  },
  {
    id: 'records',
    header: 'DNS records',
    cell: recordsCell,
    // "5 of 5 OK" in full, with more digits in a wide window.
    width: 'clamp(114px, 20vw - 124px, 132px)',
    fits: true,
  },
  {
    id: 'mail_from_domain',
    header: 'MAIL FROM',
    cell: mailFrom,
    width: 96,
    from: 'wide',
  },
  {
    id: 'provider',
    header: 'Provider',
    cell: (domain) => <bdi>{markHidden(domain.provider || '–')}</bdi>,
    width: 96,
    from: 'wide',
  },
  {
    id: 'created_at',
    header: 'Created',
    cell: (domain) => <DateTime value={domain.created_at} />,
    width: 108,
    align: 'end',
    from: 'wide',
  },
];

export function DomainsPage() {
  const hasStates = useCapability(getDomainSummary);
  const { list, query } = useList(hasStates ? FILTERED : LIST, domainsQuery);
  // After the rows are painted, so that the request for the counts doesn't delay them.
  const hasRows = useDeferredValue(query.data !== undefined, false);
  const [{ view }, change] = useUrlState(PARAMS);
  const show = (next: View) => change(next === 'matrix' ? { view: next } : { view: next, order: '', result: '' });
  const other = view === 'list' ? 'matrix' : 'list';
  usePageActions([{ id: 'view', label: `Show the domains as a ${other}`, run: () => show(other) }]);
  const source = {
    what: 'domains',
    endpoint: listDomains,
    input: { query: toDomainsQuery(list.state) },
    columns: Object.keys(Domain.shape),
    fileName: 'domains',
  };

  return (
    <>
      <PageTitle title="Domains">
        <ListFacts query={query} />
      </PageTitle>
      <DomainTabs />
      {hasStates && (
        <div className={classes.summary}>{hasRows && <StateFilter list={list} readAt={query.dataUpdatedAt} />}</div>
      )}
      <ListToolbar>
        <SearchInput list={list} label="Search domains" placeholder="Search by name" />
        <Choice label="View" value={view} choices={VIEWS} onChange={show} />
        <ListMenu source={source} total={query.data?.meta.total} {...(view === 'list' && { columns })} />
      </ListToolbar>
      {view === 'matrix' ? (
        <Suspense fallback={<div className={classes.loading} role="status" aria-label="Loading the matrix" />}>
          <DomainMatrix query={query} list={list} hint={HINT} />
        </Suspense>
      ) : (
        <DataTable
          what="domains"
          columns={columns}
          query={query}
          list={list}
          choosable
          empty={<ListEmpty list={list} what="domain" hint={HINT} />}
        />
      )}
    </>
  );
}

function mailFrom({ mail_from_domain: name }: ReadableDomain): ReactNode {
  if (!name) return '–';
  return <bdi title={escapeHidden(name)}>{markHidden(name)}</bdi>;
}

type Props = {
  list: ListControl;
  /** When the list was read, in milliseconds since the epoch; 0 before that. */
  readAt: number;
};

function StateFilter({ list, readAt }: Props) {
  const summary = useSummary(readAt, list.state.page);
  const { state } = list.state.filters;
  const describe = (one: DomainState) => `${formatCount(summary?.[one] ?? 0)} ${one}`;
  const choose = (next: DomainState) => list.change({ filters: next === state ? {} : { state: next } });
  return (
    <div className={filter.summary} role="group" aria-label="State of all domains" tabIndex={-1}>
      {summary !== undefined && summary.total > 0 && (
        <div className={filter.bar} aria-hidden>
          {DOMAIN_STATES.map((one) => (
            <span key={one} data-tone={DOMAIN_STATE_LABELS[one].tone} style={{ flexGrow: summary[one] }} />
          ))}
        </div>
      )}
      <div className={filter.states}>
        {DOMAIN_STATES.filter((one) => summary !== undefined && (summary[one] > 0 || one === state)).map((one) => (
          <button key={one} type="button" aria-pressed={one === state} onClick={() => choose(one)}>
            <StatusBadge tone={DOMAIN_STATE_LABELS[one].tone}>{describe(one)}</StatusBadge>
          </button>
        ))}
        {state !== undefined && (
          <button
            ref={refocusOnRemoval}
            type="button"
            className={filter.all}
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

import { lazy, Suspense, useDeferredValue, type ReactNode } from 'react';
import { filteredDomains, getDomainSummary } from '#contract/additions.ts';
import { Domain, type ReadableDomain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { useCapability } from '../session/useSession.ts';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListToolbar, ListFacts } from '../table/ListToolbar.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { firstListState, type ListOptions } from '../table/listState.ts';
import { SearchInput } from '../table/SearchInput.tsx';
import { useList } from '../table/useList.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { Choice } from '../ui/Choice.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { markHidden } from '../ui/values/UntrustedText.tsx';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { choiceParam, textParam, useUrlState } from '../url/urlState.ts';
import classes from './DomainsPage.module.css';
import { recordsTone, describeRecordCounts, summarise } from './domainState.ts';
import { nameColumn } from './domainColumns.tsx';
import { stateCell } from './matrix/stateCell.tsx';
import { kindLights } from './matrix/kindLights.tsx';
import { domainsQuery, toDomainsQuery } from './queries.ts';
import { StateFilter } from './StateFilter.tsx';

const DomainMatrix = lazy(async () => ({ default: (await import('./matrix/DomainMatrix.tsx')).DomainMatrix }));

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'matrix', label: 'Matrix' },
] as const;

type View = (typeof VIEWS)[number]['value'];

/** The matrix has an order and a filter of its own, which leave the URL with it (useMatrix.ts). */
const PARAMS = {
  view: choiceParam<View>(['list', 'matrix']),
  order: textParam,
  result: textParam,
};

const HINT =
  'Domains are added in the service itself: a Sendroom takes them by its admin command, import domains FILE.';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listDomains.list.sortable,
};

/** The list of a service that counts and filters domains by their state. */
const FILTERED: ListOptions = { ...LIST, choices: filteredDomains.list.choices };

/** What the page reads first where its URL has no query. */
export const firstDomains = () => domainsQuery(firstListState(LIST));

const columns: readonly Column<ReadableDomain>[] = [
  // What the others leave: at least 172 pixels on a tablet, and most names whole in a wide window.
  nameColumn('auto'),
  { id: 'status', header: 'State', cell: stateCell, width: 122, fits: true },
  {
    id: 'kinds',
    header: 'Checks',
    cell: kindLights,
    // On one line in a wide window, else on two.
    width: 'clamp(168px, 60vw - 504px, 264px)',
    fits: true,
  },
  {
    id: 'records',
    header: 'DNS records',
    cell: records,
    // "5 of 5 valid" whole, with more digits in a wide window.
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

/** The sending domains of the workspace with their states, as a list or as a matrix. */
export function DomainsPage() {
  const hasStates = useCapability(getDomainSummary);
  const { list, query } = useList(hasStates ? FILTERED : LIST, domainsQuery);
  // After the paint of the rows: the request for the counts does not delay them.
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

function records(domain: ReadableDomain): ReactNode {
  const { broken } = summarise(domain.dns);
  const badge = <StatusBadge tone={recordsTone(domain)}>{describeRecordCounts(domain)}</StatusBadge>;
  if (broken === 0) return badge;
  return (
    <Link
      to={`${paths.domain(domain.name)}?records=broken`}
      aria-label={`${describeRecordCounts(domain)}: show the broken ones of ${escapeHidden(domain.name)}`}
    >
      {badge}
    </Link>
  );
}

function mailFrom({ mail_from_domain: name }: ReadableDomain): ReactNode {
  if (!name) return '–';
  return <bdi title={escapeHidden(name)}>{markHidden(name)}</bdi>;
}

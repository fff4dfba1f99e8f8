import { lazy, Suspense, useDeferredValue, useRef } from 'react';
import { filteredDomains, getDomainSummary } from '#contract/additions.ts';
import { DomainReport, listDomainReports } from '#contract/domains/domainReport.ts';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import { Domain } from '#contract/domains/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { ListMenu } from '../table/ListMenu.tsx';
import { ListFacts, ListToolbar } from '../table/ListToolbar.tsx';
import { SearchInput } from '../table/SearchInput.tsx';
import { firstListState, useList, type ListControl, type ListOptions } from '../table/useList.ts';
import { localZone, useTimeZone } from '../ui/format/time.ts';
import { Choice } from '../ui/Choice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { choiceParam, useUrlState } from '../url/urlState.ts';
import classes from './DomainsPage.module.css';
import { ReadBounceButton } from './bounce/ReadBounceButton.tsx';
import { DomainTabs } from './DomainTabs.tsx';
import { FindingPeek } from './panel/FindingPeek.tsx';
import { changedParam } from './table/filters/changed.ts';
import { CheckedRows } from './table/CheckedRows.tsx';
import { DomainsTable } from './table/DomainsTable.tsx';
import type { DomainRow } from './table/rows/domainRow.ts';
import { useLastVisit } from '../ui/page/lastVisit.ts';
import { domainRowsQuery, toDomainsQuery, toReportsQuery } from './table/rows/rowsQuery.ts';
import { StateFilter } from './table/filters/StateFilter.tsx';
import { TableTools } from './table/filters/TableTools.tsx';
import { useRows } from './table/rows/useRows.ts';

const OldLink = lazy(async () => ({ default: (await import('./table/filters/OldLink.tsx')).OldLink }));
const RecordsExport = lazy(async () => ({ default: (await import('./table/RecordsExport.tsx')).RecordsExport }));
const DomainWall = lazy(async () => ({ default: (await import('./wall/DomainWall.tsx')).DomainWall }));

/** `list` and `matrix` are in old links. */
const PARAMS = { view: choiceParam(['table', 'wall', 'list', 'matrix']) };

const VIEWS = [
  { value: 'table', label: 'Table' },
  { value: 'wall', label: 'Wall' },
] as const;

const WORST_FIRST = { id: 'urgency', desc: true };

/** A service without reports has none of their filters. */
const NO_FILTERS = Object.fromEntries(
  ['changed', 'code', 'cause', 'provider', 'state', 'turn'].map((name) => [
    name,
    { ...changedParam, parse: () => undefined },
  ]),
);

const LIST: ListOptions = {
  perPage: 25,
  sort: WORST_FIRST,
  sortable: ['urgency', ...listDomains.list.sortable],
  params: NO_FILTERS,
};

const FILTERED: ListOptions = { ...LIST, choices: filteredDomains.list.choices };

const REPORTS: ListOptions = {
  ...LIST,
  sortable: listDomainReports.list.sortable,
  choices: listDomainReports.list.choices,
  texts: listDomainReports.list.texts,
  params: { changed: changedParam },
};

const NEVER = { isUtc: false, visit: null };

export const firstDomains = (hasReports: boolean) => domainRowsQuery(firstListState(LIST), hasReports, NEVER);

export function DomainsPage() {
  const [{ view }] = useUrlState(PARAMS);
  return view === 'list' || view === 'matrix' ? <OldLink /> : <Domains />;
}

function Domains() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const hasReports = useCapability(listDomainReports);
  const hasStates = useCapability(getDomainSummary);
  const canCheck = useCapability(checkDomain);
  const moment = useMoment();
  const options = hasReports ? REPORTS : hasStates ? FILTERED : LIST;
  const { list, query } = useList(options, (state) => domainRowsQuery(state, hasReports, moment));
  const rows = useRows(query, hasReports ? null : list.state.sort);
  const [{ view }, change] = useUrlState(PARAMS);
  const frame = useRef<HTMLDivElement>(null);
  // After the rows are painted, so that nothing delays them.
  const hasRows = useDeferredValue(query.data !== undefined, false);

  return (
    <>
      <PageTitle title="Domains" {...(view === 'wall' && { documentTitle: 'Wall of domains' })}>
        <ListFacts query={query} />
      </PageTitle>
      <DomainTabs />
      {(hasStates || canCheck) && (
        <div className={classes.head}>
          {hasStates && (
            <div className={classes.counts}>{hasRows && <StateFilter list={list} readAt={query.dataUpdatedAt} />}</div>
          )}
          {canCheck && hasRows && <CheckedRows rows={rows} />}
          <ReadBounceButton />
        </div>
      )}
      <div className={classes.toolbar}>
        <ListToolbar>
          <SearchInput list={list} label="Search domains" placeholder="Search by name" />
          <TableTools
            list={list}
            rows={rows}
            hasReports={hasReports}
            visit={moment.visit}
            readAt={query.dataUpdatedAt}
            onWall={() => change({ view: 'wall' })}
          >
            <Choice label="View" value="table" choices={VIEWS} onChange={(next) => change({ view: next })} />
            <DomainsMenu list={list} rows={rows} total={query.data?.meta.total} hasReports={hasReports} />
          </TableTools>
        </ListToolbar>
      </div>
      <DomainsTable {...{ list, query, rows, hasReports, canCheck, frame }}>
        {hasRows && <FindingPeek table={frame} rows={rows} />}
      </DomainsTable>
      <Suspense>
        {view === 'wall' && (
          <DomainWall list={list} hasReports={hasReports} moment={moment} onClose={() => change({ view: 'table' })} />
        )}
      </Suspense>
    </>
  );
}

/** What the words of the filter "changed" mean here. */
function useMoment() {
  const { workspace_uuid } = useSession();
  return { isUtc: useTimeZone() !== localZone, visit: useLastVisit('domains', workspace_uuid ?? '') };
}

type MenuProps = {
  list: ListControl;
  rows: readonly DomainRow[];
  total: number | undefined;
  hasReports: boolean;
};

function DomainsMenu({ list, rows, total, hasReports }: MenuProps) {
  const moment = useMoment();
  const common = { what: 'domains', fileName: 'domains' };
  const records = <RecordsExport rows={rows} />;
  if (hasReports) {
    const input = { query: toReportsQuery(list.state, moment) };
    const source = { ...common, endpoint: listDomainReports, input, columns: REPORT_COLUMNS };
    return <ListMenu source={source} total={total} more={records} />;
  }
  const source = { ...common, endpoint: listDomains, input: { query: toDomainsQuery(list.state) } };
  return <ListMenu source={{ ...source, columns: DOMAIN_COLUMNS }} total={total} more={records} />;
}

const DOMAIN_COLUMNS = Object.keys(Domain.shape);
const REPORT_COLUMNS = Object.keys(DomainReport.shape).flatMap((field) =>
  field === 'domain' ? DOMAIN_COLUMNS.map((own) => `domain.${own}`) : field,
);

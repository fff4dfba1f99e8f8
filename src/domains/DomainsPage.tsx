import { lazy, Suspense, useDeferredValue, useRef } from 'react';
import { filteredDomains, getDomainSummary } from '#contract/additions.ts';
import { DomainReport, listDomainReports } from '#contract/domainReport.ts';
import { Domain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import type { OperationId } from '#contract/roles.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { ListMenu } from '../table/ListMenu.tsx';
import { ListFacts, ListToolbar } from '../table/ListToolbar.tsx';
import { SearchInput } from '../table/SearchInput.tsx';
import { firstListState, useList, type ListControl, type ListOptions } from '../table/useList.ts';
import { localZone, useTimeZone } from '../ui/format/time.ts';
import { afterPaint } from '../ui/page/afterPaint.ts';
import { Choice } from '../ui/Choice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { choiceParam, useUrlState } from '../url/urlState.ts';
import classes from './DomainsPage.module.css';
import { DomainTabs } from './DomainTabs.tsx';
import { domainRowsQuery, toDomainsQuery, toReportsQuery } from './table/rowsQuery.ts';
import { DomainsTable } from './table/DomainsTable.tsx';
import { useLastVisit } from './table/lastVisit.ts';
import { StateFilter } from './table/StateFilter.tsx';
import { useRows } from './table/useRows.ts';

// Once the rows are painted.
const loadTools = async () => {
  await afterPaint();
  return import('./table/domainTools.ts');
};
const CheckedRows = lazy(async () => ({ default: (await loadTools()).CheckedRows }));
const FindingPeek = lazy(async () => ({ default: (await loadTools()).FindingPeek }));
const OldLink = lazy(async () => ({ default: (await loadTools()).OldLink }));
const RecordsExport = lazy(async () => ({ default: (await loadTools()).RecordsExport }));
const TableTools = lazy(async () => ({ default: (await loadTools()).TableTools }));
const DomainWall = lazy(async () => ({ default: (await import('./wall/DomainWall.tsx')).DomainWall }));

/** `list` and `matrix` are in old links. */
const PARAMS = { view: choiceParam(['table', 'wall', 'list', 'matrix']) };

const VIEWS = [
  { value: 'table', label: 'Table' },
  { value: 'wall', label: 'Wall' },
] as const;

/** Not `checkDomain`: its schemas load with the tools. */
const CHECK = { id: 'checkDomain' } as const satisfies { id: OperationId };

const WORST_FIRST = { id: 'urgency', desc: true };

const LIST: ListOptions = { perPage: 25, sort: WORST_FIRST, sortable: ['urgency', ...listDomains.list.sortable] };

const FILTERED: ListOptions = { ...LIST, choices: filteredDomains.list.choices };

const REPORTS: ListOptions = {
  ...LIST,
  sortable: listDomainReports.list.sortable,
  choices: listDomainReports.list.choices,
  texts: [...listDomainReports.list.texts, 'changed'],
};

const NEVER = { isUtc: false, visit: null };

export const firstDomains = (hasReports: boolean) => domainRowsQuery(firstListState(LIST), hasReports, NEVER);

export function DomainsPage() {
  const [{ view }] = useUrlState(PARAMS);
  return view === 'list' || view === 'matrix' ? <OldLink /> : <Domains />;
}

// Not compiled: its parts are, and the first file has to be small (docs/decisions/0037-first-page.md).
function Domains() {
  'use no memo';
  const hasReports = useCapability(listDomainReports);
  const hasStates = useCapability(getDomainSummary);
  const canCheck = useCapability(CHECK);
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
          <Suspense>{canCheck && hasRows && <CheckedRows rows={rows} />}</Suspense>
        </div>
      )}
      <div className={classes.toolbar}>
        <ListToolbar>
          <SearchInput list={list} label="Search domains" placeholder="Search by name" />
          <Suspense>
            {hasRows && (
              <TableTools
                list={list}
                rows={rows}
                hasReports={hasReports}
                visit={moment.visit}
                readAt={query.dataUpdatedAt}
                onWall={() => change({ view: 'wall' })}
              >
                <Choice label="View" value="table" choices={VIEWS} onChange={(next) => change({ view: next })} />
                <DomainsMenu list={list} total={query.data?.meta.total} hasReports={hasReports} />
              </TableTools>
            )}
          </Suspense>
        </ListToolbar>
      </div>
      <DomainsTable {...{ list, query, rows, hasReports, canCheck, frame }}>
        <Suspense>{hasRows && <FindingPeek table={frame} rows={rows} />}</Suspense>
      </DomainsTable>
      <Suspense>
        {hasRows && <RecordsExport rows={rows} />}
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
  return { isUtc: useTimeZone() !== localZone, visit: useLastVisit(workspace_uuid ?? '') };
}

type MenuProps = { list: ListControl; total: number | undefined; hasReports: boolean };

function DomainsMenu({ list, total, hasReports }: MenuProps) {
  const moment = useMoment();
  const common = { what: 'domains', fileName: 'domains' };
  if (hasReports) {
    const input = { query: toReportsQuery(list.state, moment) };
    const source = { ...common, endpoint: listDomainReports, input, columns: REPORT_COLUMNS };
    return <ListMenu source={source} total={total} />;
  }
  const input = { query: toDomainsQuery(list.state) };
  return <ListMenu source={{ ...common, endpoint: listDomains, input, columns: DOMAIN_COLUMNS }} total={total} />;
}

const DOMAIN_COLUMNS = Object.keys(Domain.shape);
const REPORT_COLUMNS = Object.keys(DomainReport.shape).flatMap((field) =>
  field === 'domain' ? DOMAIN_COLUMNS.map((own) => `domain.${own}`) : field,
);

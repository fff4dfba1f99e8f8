import { listRuns } from '#contract/runs/runs.ts';
import { listQuery } from '../../api/apiQuery.ts';
import { useCapability } from '../../session/useSession.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { ListEmpty } from '../../table/ListFrame.tsx';
import { ListFacts } from '../../table/ListToolbar.tsx';
import { toListQuery, type ListOptions, type ListState, useList } from '../../table/useList.ts';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { BulkTabs } from './BulkTabs.tsx';
import { columns } from './columns.tsx';
import { RunSettings } from './RunSettings.tsx';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: '', desc: false },
  sortable: listRuns.list.sortable,
  texts: listRuns.list.texts,
};

const runsQuery = (state: ListState) => listQuery(listRuns, { query: { ...toListQuery(state), sorting: [] } });

const HINT =
  'Each bulk unsubscribe and import is kept here for 30 days, to be continued or undone by anyone with the role.';

export function RunsPage() {
  if (useCapability(listRuns)) return <Runs />;
  return (
    <>
      <PageTitle title="Bulk runs" />
      <p className="soft">This service doesn’t keep bulk runs.</p>
    </>
  );
}

/** The bulk unsubscribes and imports of the last 30 days, of everybody. */
function Runs() {
  const { list, query } = useList(LIST, runsQuery);
  return (
    <>
      <PageTitle title="Bulk runs">
        <ListFacts query={query} />
      </PageTitle>
      <BulkTabs />
      <RunSettings />
      <DataTable
        what="runs"
        columns={columns}
        query={query}
        list={list}
        keepsRows
        empty={<ListEmpty list={list} what="run" hint={HINT} />}
      />
    </>
  );
}

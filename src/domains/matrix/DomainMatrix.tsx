import { Button } from '@mantine/core';
import { type UseQueryResult, useQueryClient, useMutation } from '@tanstack/react-query';
import { checkDomain } from '#contract/dnsCheck.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import type { Page } from '#contract/list.ts';
import { useCapability } from '../../session/useSession.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { ListEmpty } from '../../table/ListFrame.tsx';
import type { ListControl } from '../../table/useList.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { Choice } from '../../ui/Choice.tsx';
import { columns, MatrixContext, storedColumns } from './matrixColumns.tsx';
import classes from './DomainMatrix.module.css';
import { MatrixProgress } from './MatrixProgress.tsx';
import { useMatrix, type Matrix } from './useMatrix.ts';
import { liveCheckQuery } from '../check/liveCheck.ts';
import {
  createMatrixRow,
  formatDnsState,
  labelFilter,
  MATRIX_FILTERS,
  matchesFilter,
  type MatrixRow,
  createMatrixExportRows,
  escapeExportRow,
} from './matrix.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useRecordExport } from '../../session/useRecordExport.ts';
import { exportRows, type ExportFormat } from '../../table/export/exportList.ts';
import { formatCount } from '../../ui/format/formatCount.ts';

type Props = {
  query: UseQueryResult<Page<ReadableDomain>>;
  list: ListControl;
  hint: string;
};

export function DomainMatrix({ query, list, hint }: Props) {
  const canCheck = useCapability(checkDomain);
  const matrix = useMatrix(query.data?.data ?? [], canCheck);
  const { rows, shown, states, order, change, run, start, cancel } = matrix;
  const recheck = useRecheck();
  const otherOrder = order === 'worst' ? 'listed' : 'worst';
  usePageActions([
    {
      id: 'matrix-order',
      label: otherOrder === 'worst' ? 'Order the domains worst first' : 'Order the domains as listed',
      run: () => change({ order: otherOrder }),
    },
  ]);

  return (
    <MatrixContext
      value={{
        rows: new Map(rows.map((row) => [row.domain.uuid, row])),
        states,
        recheck: (domain) => void recheck(domain),
      }}
    >
      {canCheck ? (
        <MatrixProgress
          run={run}
          rows={rows}
          states={states}
          shown={shown.map(({ domain }) => domain.uuid)}
          onCheck={(...which) => void start(...which)}
          onCancel={cancel}
        />
      ) : (
        <p className="note">This service doesn't check DNS: the matrix shows its last saved results.</p>
      )}
      <MatrixControls matrix={matrix} canCheck={canCheck} />
      <MatrixTable matrix={matrix} canCheck={canCheck} query={query} list={list} hint={hint} />
      <MatrixExport rows={shown} />
      <p className="note">
        {order === 'worst' && 'Worst first sorts the domains on this page. '}
        {canCheck && 'Outlined: last saved result. Filled: checked now. Rows keep their places during a check. '}
        Arrow keys move between cells.
      </p>
    </MatrixContext>
  );
}

function MatrixTable({ matrix, canCheck, query, list, hint }: Props & { matrix: Matrix; canCheck: boolean }) {
  const { order, filter, change, shown, rows, run } = matrix;
  return (
    <div className={classes.matrix}>
      <DataTable
        what="domains"
        columns={canCheck ? columns : storedColumns}
        query={query}
        // "Worst first" excludes sorting by a column.
        list={order === 'worst' ? { ...list, options: { ...list.options, sortable: [] } } : list}
        shown={shown.map(({ domain }) => domain)}
        keepsRows
        leastWidth={1040}
        empty={<ListEmpty list={list} what="domain" hint={hint} />}
        none={
          <>
            <p>
              No domain on this page is “{labelFilter(filter)}”{run.isRunning && ' as of the start of the check'}.
            </p>
            <Button variant="default" size="xs" onClick={() => change({ result: 'all' })}>
              Show all {rows.length}
            </Button>
          </>
        }
      />
    </div>
  );
}

function useRecheck(): (domain: ReadableDomain) => Promise<void> {
  const client = useQueryClient();
  return async (domain) => {
    announce(`Checking ${domain.name}`);
    try {
      const check = await client.query({ ...liveCheckQuery(domain.uuid), staleTime: 0 });
      announce(`${domain.name}: ${formatDnsState(createMatrixRow(check.completion?.domain ?? domain, check))}`);
    } catch (error) {
      // The row shows the error too.
      announce(`${domain.name}: ${(error as Error).message}`);
    }
  };
}

const ORDERS = [
  { value: 'worst', label: 'Worst first' },
  { value: 'listed', label: 'As listed' },
] as const;

function MatrixControls({ matrix, canCheck }: { matrix: Matrix; canCheck: boolean }) {
  const { rows, run, order, filter, change, isSettled, settle } = matrix;
  return (
    <div className={classes.controls}>
      {canCheck && (
        <Choice
          label="Filter by status"
          value={filter}
          choices={MATRIX_FILTERS.map((value) => ({
            value,
            label: labelFilter(value),
            count: rows.filter((row) => matchesFilter(row, value)).length,
          }))}
          onChange={(next) => change({ result: next === filter ? 'all' : next })}
        />
      )}
      {/* After a check, no order is selected until a click sorts the rows again. */}
      <Choice
        label="Order"
        value={isSettled || run.isRunning ? order : null}
        choices={ORDERS}
        onChange={(next) => (next === order ? settle() : change({ order: next }))}
      />
    </div>
  );
}

const FORMATS: readonly { format: ExportFormat; label: string }[] = [
  { format: 'csv', label: 'Save as CSV' },
  { format: 'ndjson', label: 'Save as NDJSON' },
];

function MatrixExport({ rows }: { rows: readonly MatrixRow[] }) {
  const lines = createMatrixExportRows(rows);
  const record = useRecordExport();
  const save = useMutation({
    mutationFn: (format: ExportFormat) => {
      const source = { columns: Object.keys(lines[0] ?? {}), fileName: 'dns-checks' };
      const written = format === 'csv' ? lines.map(escapeExportRow) : lines;
      return exportRows(source, written, format, () => record({ operation: 'checkDomain', format }));
    },
    onSuccess: (fileName) => fileName !== null && announce(`Saved ${records(lines.length)} as ${fileName}`),
  });
  const isNothing = lines.length === 0;
  usePageActions(
    isNothing
      ? []
      : FORMATS.map(({ format, label }) => ({
          id: `matrix-${format}`,
          label: `${label}: ${records(lines.length)} shown`,
          run: () => save.mutate(format),
        })),
  );
  if (rows.length === 0) return null;
  return (
    <section className={classes.export} aria-label="Export of the matrix">
      <span>
        {records(lines.length)} of the {rows.length === 1 ? 'one domain' : `${rows.length} domains`} shown, with the
        last and the live status
      </span>
      {FORMATS.map(({ format, label }) => (
        <Button key={format} variant="default" size="xs" disabled={isNothing} onClick={() => save.mutate(format)}>
          {label}
        </Button>
      ))}
      {save.data && <span role="status">Saved as {save.data}</span>}
      {save.isError && <ErrorAlert error={save.error} note="The file was not saved." />}
    </section>
  );
}

const records = (count: number) => (count === 1 ? '1 record' : `${formatCount(count)} records`);

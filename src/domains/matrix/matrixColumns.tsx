import { ActionIcon } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { use, createContext } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import type { Column } from '../../table/DataTable.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { clockTime, parseTime, useTimeZone } from '../../ui/format/time.ts';
import { createMatrixCell, formatDnsState, type MatrixRow, createMatrixRow } from './matrix.ts';
import classes from './matrixColumns.module.css';
import { describeCode } from '../records/describeCode.ts';
import { nameColumn } from '../domainCells.tsx';
import { RECORD_KIND_LABELS, RECORD_KINDS, type RecordKind } from '../records/recordKind.ts';
import { RECORD_STATUS_LABELS } from '../records/recordStatus.ts';

const WIDTHS: Record<RecordKind, string> = {
  dkim: '15%',
  mailFrom: '15%',
  spf: '12.5%',
  dmarc: '12.5%',
  other: '10.5%',
};

/** The columns for a service that doesn't check. */
export const storedColumns: readonly Column<ReadableDomain>[] = [
  nameColumn('15.5%'),
  ...RECORD_KINDS.map((kind) => ({
    id: kind,
    header: RECORD_KIND_LABELS[kind],
    cell: (domain: ReadableDomain) => <KindCell domain={domain} kind={kind} />,
    width: WIDTHS[kind],
  })),
];

export const columns: readonly Column<ReadableDomain>[] = [
  ...storedColumns,
  { id: 'now', header: 'DNS now', cell: (domain) => <NowCell domain={domain} />, width: '19%' },
];

function KindCell({ domain, kind }: { domain: ReadableDomain; kind: RecordKind }) {
  const cell = createMatrixCell(useMatrixRow(domain), kind);
  if (cell === null) return <span className={classes.nothing}>–</span>;
  const { tone, words, isStored } = cell;
  const about = escapeInvisible(cell.about);
  const code = cell.code === null ? null : escapeInvisible(describeCode(cell.code));
  const details = escapeInvisible(cell.details);
  return (
    // Tab reaches the rows, the arrow keys reach the cells.
    <Link
      className={classes.kind}
      to={paths.domain(domain.name)}
      tabIndex={-1}
      title={`${about}: ${words}. ${code === null ? '' : `${code}: `}${details}`}
    >
      <span className="visually-hidden">{about}: </span>
      <StatusBadge tone={tone} outlined={isStored}>
        {words}
      </StatusBadge>
      {code !== null && <span className={classes.code}>{code}</span>}
      <span className="visually-hidden"> {details}</span>
    </Link>
  );
}

function NowCell({ domain }: { domain: ReadableDomain }) {
  const { states, recheck } = use(MatrixContext);
  const row = useMatrixRow(domain);
  const zone = useTimeZone();
  const state = states.get(domain.uuid) ?? 'idle';
  const error = state instanceof Error ? state : null;
  const isBusy = state === 'waiting' || state === 'checking';
  const checkedAt = parseTime(row.checkedAt);
  const label = error === null ? `Check ${escapeInvisible(domain.name)}` : `Retry ${escapeInvisible(domain.name)}`;
  return (
    <span className={classes.now}>
      {error === null ? (
        <span className={classes.result}>
          <NowBadge row={row} state={state} />
          {state === 'idle' && row.result !== null && checkedAt !== null && (
            <span className={classes.soft}>{clockTime(checkedAt, zone)}</span>
          )}
          {row.isAlarm && <span className={classes.alarm}>OK at last check</span>}
        </span>
      ) : (
        <span className={classes.failure} title={escapeInvisible(error.message)}>
          {escapeInvisible(error.message)}
        </span>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.again}
        size="sm"
        aria-label={label}
        title={label}
        // A disabled button loses the focus.
        aria-disabled={isBusy}
        data-disabled={isBusy || undefined}
        onClick={() => isBusy || recheck(domain)}
      >
        <IconRefresh size={14} />
      </ActionIcon>
    </span>
  );
}

function NowBadge({ row, state }: { row: MatrixRow; state: CheckState }) {
  if (state === 'waiting') return <StatusBadge tone="neutral">Waiting</StatusBadge>;
  if (state === 'checking') return <StatusBadge tone="neutral">Checking</StatusBadge>;
  // Too long for a badge.
  if (row.records.length === 0) return <span className={classes.soft}>{formatDnsState(row)}</span>;
  return (
    <StatusBadge
      tone={row.result === null ? 'neutral' : RECORD_STATUS_LABELS[row.result].tone}
      outlined={row.result === null}
    >
      {formatDnsState(row)}
    </StatusBadge>
  );
}

export type CheckState = 'idle' | 'waiting' | 'checking' | Error;

type MatrixContextValue = {
  rows: ReadonlyMap<string, MatrixRow>;
  states: ReadonlyMap<string, CheckState>;
  recheck: (domain: ReadableDomain) => void;
};

export const MatrixContext = createContext<MatrixContextValue>({
  rows: new Map(),
  states: new Map(),
  recheck: () => {},
});

function useMatrixRow(domain: ReadableDomain): MatrixRow {
  return use(MatrixContext).rows.get(domain.uuid) ?? createMatrixRow(domain, undefined);
}

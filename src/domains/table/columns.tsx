import { ActionIcon } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { escapeHidden, escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import type { Column } from '../../table/DataTable.tsx';
import { announce } from '../../ui/page/announce.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { Nothing } from '../../ui/values/Nothing.tsx';
import { EndCut, markHidden } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { describeCheck, liveCheckQuery } from '../check/liveCheck.ts';
import { describeState } from '../domainState.ts';
import { RECORD_KIND_LABELS, type RecordKind } from '../records/recordKind.ts';
import classes from './columns.module.css';
import { describeCell, describeReceivers, nameCell, TURN_WORDS, type Cell } from './describeCell.ts';
import { worstFinding, type DomainRow } from './rows/domainRow.ts';

const KINDS = ['dkim', 'spf', 'dmarc', 'mailFrom'] as const satisfies readonly RecordKind[];

/** Shares of what the window leaves (DomainsTable.module.css). */
const SHARES = { dkim: 1.2, spf: 1, dmarc: 0.9, mailFrom: 0.9 };

const kindColumn = (kind: keyof typeof SHARES): Column<DomainRow> => ({
  id: kind,
  header: RECORD_KIND_LABELS[kind],
  cell: (row) => {
    const cell = describeCell(row, kind);
    // An alias at MAIL FROM, for example, which leads to the provider's SPF.
    if (cell === null && kind === 'spf' && row.findings.some(({ isMailFrom }) => isMailFrom))
      return soft('At MAIL FROM');
    return cellLink(row, nameCell(kind, row), cell);
  },
  width: `calc(${SHARES[kind]} * var(--cell))`,
});

const name: Column<DomainRow> = { id: 'name', header: 'Domain', cell: nameCellOf, width: 'auto' };

/** Shown if only something of other kinds needs fixing, which is rare: the side panel has the rest. */
const other: Column<DomainRow> = {
  id: 'other',
  header: RECORD_KIND_LABELS.other,
  cell: (row) => {
    const cell = describeCell(row, 'other');
    return cell === null || cell.isRight ? null : cellLink(row, nameCell('other', row), cell);
  },
  width: 104,
  from: 'wide',
};

const receivers: Column<DomainRow> = {
  id: 'receivers',
  header: 'Receivers',
  cell: (row) => cellLink(row, `Receivers of ${escapeInvisible(row.domain.name)}`, describeReceivers(row)),
  width: 88,
  from: 'widest',
};

const says: Column<DomainRow> = {
  id: 'says',
  header: 'Status',
  cell: providerCell,
  width: 88,
  from: 'widest',
};

const turn: Column<DomainRow> = { id: 'turn', header: 'Who acts', cell: turnCell, width: 76, from: 'wide' };

const checkedAt = (canCheck: boolean): Column<DomainRow> => ({
  id: 'checked_at',
  header: 'Checked',
  cell: (row) => checkedCell(row, canCheck),
  width: 128,
  fits: true,
});

/** `isChecked`: the service has reports or checks; otherwise it says neither who acts nor when. */
type Shown = { isChecked: boolean; canCheck: boolean; hasOther: boolean; hasReceivers: boolean };

export function listColumns({ isChecked, canCheck, hasOther, hasReceivers }: Shown): readonly Column<DomainRow>[] {
  return [
    name,
    ...KINDS.map(kindColumn),
    ...(hasOther ? [other] : []),
    ...(hasReceivers ? [receivers] : []),
    says,
    ...(isChecked ? [turn, checkedAt(canCheck)] : []),
  ];
}

function nameCellOf({ domain, state }: DomainRow): ReactNode {
  const { tone, label } = describeState(state);
  return (
    <span className={classes.name}>
      <span role="img" className="state-icon" data-tone={tone} title={label} aria-label={label} />
      <Link to={paths.domain(domain.name)}>
        <EndCut text={domain.name} />
      </Link>
    </span>
  );
}

/** Tab reaches the rows, the arrow keys reach the cells. */
function cellLink(row: DomainRow, about: string, cell: Cell | null): ReactNode {
  if (cell === null) {
    return (
      <span className={classes.none}>
        <Nothing />
      </span>
    );
  }
  const { tone, words, more, details, isRight } = cell;
  return (
    <Link
      className={classes.cell}
      to={paths.domain(row.domain.name)}
      tabIndex={-1}
      data-peek
      data-right={isRight || undefined}
      title={details === '' ? `${about}: ${words}` : `${about}:\n${details}`}
    >
      <span className="visually-hidden">{about}: </span>
      <span className="state-icon" data-tone={tone}>
        <span className={isRight ? 'visually-hidden' : classes.words}>{words}</span>
      </span>
      {more > 0 && (
        <span className={classes.more} aria-hidden>
          {`+${more}`}
        </span>
      )}
      {details !== '' && <span className="visually-hidden">. {details}</span>}
    </Link>
  );
}

const yesNo = (value: boolean | null) => (value === null ? 'not sent' : value ? 'yes' : 'no');

/** The provider's own words. Hover shows the rest of what it says. */
function providerCell({ domain }: DomainRow): ReactNode {
  const { provider, verified, status, verification, mail_from_domain, mail_from_verified } = domain;
  const words = [...new Set([status, verification].filter((word) => word !== null && word !== ''))].join(', ');
  const lines = [
    `Provider: ${provider || 'not sent'}`,
    `Verified: ${yesNo(verified)}`,
    `Status: ${status ?? 'not sent'}`,
    `Verification: ${verification ?? 'not sent'}`,
    ...(mail_from_domain ? [`MAIL FROM: ${mail_from_domain}, verified: ${yesNo(mail_from_verified)}`] : []),
  ];
  return (
    <span className={classes.soft} title={escapeHidden(lines.join('\n'))}>
      {words === '' ? <Nothing words="not sent" /> : <bdi>{markHidden(words)}</bdi>}
    </span>
  );
}

function turnCell(row: DomainRow): ReactNode {
  const turn = worstFinding(row)?.turn ?? null;
  return turn === null ? null : <span>{TURN_WORDS[turn]}</span>;
}

function checkedCell(row: DomainRow, canCheck: boolean): ReactNode {
  const { check, checkedAt } = row;
  return (
    <span className={classes.checked}>
      {check === 'idle' && (checkedAt === null ? soft('Not yet') : <DateTime value={checkedAt} />)}
      {check === 'waiting' && soft('Waiting')}
      {check === 'checking' && soft('Checking')}
      {check instanceof Error && (
        <span className={classes.failure} title={escapeInvisible(check.message)}>
          {escapeInvisible(check.message)}
        </span>
      )}
      {canCheck && <Recheck row={row} />}
    </span>
  );
}

const soft = (words: string) => <span className={classes.soft}>{words}</span>;

function Recheck({ row: { domain, check } }: { row: DomainRow }) {
  const client = useQueryClient();
  const isBusy = check === 'waiting' || check === 'checking';
  const label = `${check instanceof Error ? 'Retry' : 'Check'} ${escapeInvisible(domain.name)}`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      className={classes.recheck}
      size={24}
      aria-label={label}
      title={label}
      // A disabled button loses the focus.
      aria-disabled={isBusy}
      data-disabled={isBusy || undefined}
      onClick={() => isBusy || void recheck(client, domain)}
    >
      <IconRefresh size={14} />
    </ActionIcon>
  );
}

/** Checks one domain; its row shows the findings as they come, and an error. */
async function recheck(client: QueryClient, domain: ReadableDomain): Promise<void> {
  announce(`Checking ${domain.name}`);
  try {
    const check = await client.query({ ...liveCheckQuery(domain.uuid), staleTime: 0 });
    announce(`${domain.name}: ${describeCheck(check.completion?.domain ?? domain, check)}`);
  } catch (error) {
    announce(`${domain.name}: ${(error as Error).message}`);
  }
}

import { ActionIcon } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { listChanges, type ReadableLogLine } from '#contract/auditLog.ts';
import { listContactChanges, Change as ChangeRecord, type FieldChange, type ReadableChange } from '#contract/change.ts';
import type { Meta } from '#contract/list.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { LastUpdated } from '../../api/LastUpdated.tsx';
import { ACTIONS, describeActor } from '../../identity/describeChange.ts';
import { ListMenu } from '../../table/ListMenu.tsx';
import { formatRange } from '../../ui/format/formatCount.ts';
import { useCapability } from '../../session/useSession.ts';
import { labelOr } from '../../ui/format/labelOr.ts';
import { keyRows } from '../../ui/page/keyRows.ts';
import { useDelayedFlag } from '../../ui/page/useDelayedFlag.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { CutId, UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { pageParam, useUrlState } from '../../url/urlState.ts';
import type { AttributeChange } from '../attributes/attributeChanges.ts';
import classes from '../ContactRecord.module.css';
import { ChangeList } from './ChangeList.tsx';
import { CHANGES_PER_PAGE, changesQuery } from './historyQueries.ts';
import { receiptsOf, receiptsQuery } from './receipts.ts';

// `page` belongs to the events.
const PARAMS = { history: pageParam };

const LABELS = { ...ACTIONS, import: 'Changed by an import' };

export function History({ contact }: { contact: string }) {
  const client = useQueryClient();
  const [{ history: page }, change] = useUrlState(PARAMS);
  const query = useQuery(changesQuery(contact, page));
  const { data } = query;
  const receipts = useReceipts(contact, data?.data);
  const isStale = useDelayedFlag(query.isPlaceholderData);
  const source = {
    what: 'changes',
    endpoint: listContactChanges,
    input: { contact, query: { page, per_page: CHANGES_PER_PAGE } },
    columns: Object.keys(ChangeRecord.shape),
    fileName: 'changes-of-contact',
  };
  // All queries: `CopyProofs` reads the same log and shows no error.
  const readAgain = () => client.invalidateQueries({ queryKey: [listContactChanges.id] });
  const readBoth = () => {
    void client.invalidateQueries({ queryKey: [listChanges.id] });
    return query.refetch();
  };

  return (
    <section className={classes.panel} aria-labelledby="history">
      <div className={classes.heading}>
        <h2 id="history">History</h2>
        <LastUpdated query={{ ...query, refetch: readBoth }} what="the history" />
        <ListMenu source={source} total={data?.meta.total} />
      </div>
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void readAgain()} />}
      {receipts.isError && <ErrorAlert error={receipts.error} onRetry={() => void receipts.refetch()} />}
      {query.isPending && <div className={classes.pending} aria-busy="true" aria-label="Loading history" />}
      {data !== undefined && (
        <>
          {data.data.length === 0 ? (
            <p className="soft">{data.meta.total === 0 ? 'No changes recorded yet.' : 'This page doesn’t exist.'}</p>
          ) : (
            <ol className={classes.changes} data-stale={isStale || undefined}>
              {keyRows(data.data).map(({ key, row }) => (
                <Entry key={key} change={row} receipts={receiptsOf(row, receipts.data?.data ?? [])} />
              ))}
            </ol>
          )}
          {(data.meta.total > data.data.length || page > 1) && (
            <>
              <Pages page={page} meta={data.meta} shown={data.data.length} onTurn={(to) => change({ history: to })} />
              <p className="print-only">Other changes are in the exported history.</p>
            </>
          )}
        </>
      )}
    </section>
  );
}

/** If the service has a log, and the changes may have been told to other systems. */
function useReceipts(contact: string, changes: readonly ReadableChange[] = []) {
  const hasLog = useCapability(listChanges);
  const told = changes.filter((change) => change.changes?.some(({ field }) => field === 'subscribed'));
  const from = told.at(-1)?.created_at ?? null;
  return useQuery({ ...receiptsQuery(contact, from ?? ''), enabled: hasLog && from !== null });
}

type EntryProps = { change: ReadableChange; receipts: readonly ReadableLogLine[] };

function Entry({ change, receipts }: EntryProps) {
  const { action, actor, reason, request_id, changes } = change;
  return (
    <li>
      <p className={classes.line}>
        <strong>
          <UntrustedText text={action === null ? 'Changed' : labelOr(LABELS, action)} />
        </strong>
        <DateTime value={change.created_at} />
      </p>
      {actor !== null && actor.kind !== 'command' && (
        <p className="soft">
          {actor.kind === 'token' ? 'with the token' : 'by'} “<UntrustedText text={describeActor(actor)} />”
        </p>
      )}
      {changes !== null && changes.length > 0 && <ChangeList changes={changes.map(toAttributeChange)} />}
      {receipts.map(({ uuid, details, created_at }) => (
        <p key={uuid} className="soft">
          Delivered to <UntrustedText text={String(details?.['destination'])} />,{' '}
          <DateTime value={created_at} show="moment" />
        </p>
      ))}
      {reason !== null && (
        <p>
          Reason: <UntrustedText text={reason} />
        </p>
      )}
      {request_id !== null && (
        <p className={classes.request}>
          <span>Request</span>
          <span className="mono">
            <CutId id={request_id} />
          </span>
          <CopyButton value={request_id} what="request ID" />
        </p>
      )}
    </li>
  );
}

function toAttributeChange({ field, before, after }: FieldChange): AttributeChange {
  const isSubscription = field === 'subscribed';
  const format = (value: unknown) => {
    if (isSubscription && typeof value === 'boolean') return value ? 'yes' : 'no';
    return value ?? undefined;
  };
  return { key: field.replace(/^attributes\./, ''), before: format(before), after: format(after) };
}

type PagesProps = { page: number; meta: Meta; shown: number; onTurn: (page: number) => void };

function Pages({ page, meta, shown, onTurn }: PagesProps) {
  return (
    <nav className={classes.pages} aria-label="Pages of the history">
      <span>{formatRange(meta, shown)}</span>
      <ActionIcon
        variant="default"
        aria-label="Newer changes"
        disabled={page === 1}
        onClick={() => onTurn(Math.min(page - 1, meta.last_page))}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label="Older changes"
        disabled={page >= meta.last_page}
        onClick={() => onTurn(page + 1)}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  );
}

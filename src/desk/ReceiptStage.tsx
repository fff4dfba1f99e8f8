import { Button } from '@mantine/core';
import { useEffect, useRef, type RefObject } from 'react';
import { useSession } from '../session/useSession.ts';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { download } from '../ui/download.ts';
import { Notice } from '../ui/Notice.tsx';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';
import type { DeskList, DeskSnapshot } from './deskState.ts';
import { sumCounts, UNSENT_STATUSES, type StatusCounts } from './entry.ts';
import { formatCount } from '../ui/formatCount.ts';
import { receiptCsv, receiptName, receiptText } from './receipt.ts';
import { StartOver } from './StartOver.tsx';
import { StorageErrorNotice } from './StorageErrorNotice.tsx';
import { useRun } from './useRun.tsx';

/** After the run: its result, the receipt to download, and buttons for the entries that are not done. */
export function ReceiptStage({ snapshot: { counts, entries }, list }: { snapshot: DeskSnapshot; list: DeskList }) {
  const { name, workspace_uuid } = useSession();
  const run = useRun(list.workspace);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    summary.current?.focus();
    announce(`Done: ${formatCount(counts.unsubscribed)} unsubscribed`);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the run has ended
  }, []);
  const unsent = sumCounts(counts, UNSENT_STATUSES);
  const text = receiptText(list, entries, counts, name ?? `workspace ${list.workspace ?? workspace_uuid ?? ''}`);
  const save = () => {
    download(receiptName(list), new Blob(receiptCsv(entries), { type: 'text/csv' }));
    void desk.markSaved();
  };
  usePageActions([{ id: 'desk-receipt', label: 'Download the receipt', run: save }]);
  return (
    <section className={classes.stage} aria-label="Receipt">
      <ReceiptSummary ref={summary} counts={counts} unsent={unsent} />
      <StorageErrorNotice of={[run.mutation]} />
      {(counts.failed > 0 || unsent > 0) && run.field}
      <div className={classes.actions}>
        <Button onClick={save}>Download the receipt</Button>
        <CopyButton value={text} what="receipt" label="Copy text for the ticket" />
        {unsent > 0 && (
          <Button color="red" variant="light" size="xs" loading={run.mutation.isPending} onClick={run.start}>
            Go on with {formatCount(unsent)}
          </Button>
        )}
        {counts.failed > 0 && (
          <Button variant="default" size="xs" loading={run.mutation.isPending} onClick={run.retry}>
            Try {formatCount(counts.failed)} failed again
          </Button>
        )}
        <StartOver isLoss={!list.is_saved} />
      </div>
    </section>
  );
}

type SummaryProps = { ref: RefObject<HTMLDivElement | null>; counts: StatusCounts; unsent: number };

function ReceiptSummary({ ref, counts, unsent }: SummaryProps) {
  const failures = counts.missing + counts.refused + counts.failed + counts.unreadable + unsent;
  return (
    <div ref={ref} tabIndex={-1} className={classes.focus}>
      <Notice
        tone={failures === 0 ? 'good' : 'warn'}
        title={`${formatCount(counts.unsubscribed)} unsubscribed, ${formatCount(counts.already)} ${counts.already === 1 ? 'was' : 'were'} already`}
      >
        {counts.missing > 0 && `${formatCount(counts.missing)} not found. `}
        {counts.refused > 0 && `${formatCount(counts.refused)} refused. `}
        {counts.failed > 0 && `${formatCount(counts.failed)} failed. `}
        {unsent > 0 && `${formatCount(unsent)} not sent. `}
        {counts.unreadable > 0 && `${formatCount(counts.unreadable)} unreadable. `}
        {counts.duplicate > 0 && `${formatCount(counts.duplicate)} named twice. `}
        The list stays in this browser until you start a new one or sign out.
      </Notice>
    </div>
  );
}

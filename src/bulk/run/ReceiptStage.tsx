import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useHasAdditions, useSession } from '../../session/useSession.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { download } from '../../ui/page/download.ts';
import { Notice } from '../../ui/Notice.tsx';
import { bulk } from '../bulk.ts';
import { StorageErrorNotice } from '../BulkNotices.tsx';
import classes from '../Stages.module.css';
import { UNDOABLE_STATUSES, countLeftOut, sumCounts, unsentStatuses, type BulkStateIn } from '../bulkState.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { describeRecorded } from '../../identity/describeChange.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { describeRun, receiptCsv, receiptName, receiptText } from './receipt.ts';
import { StartOver } from '../StartOver.tsx';
import { useLostFocus } from '../useLostFocus.ts';
import { useRun } from './useRun.tsx';
import { REASON_MAX, Resubscription, subscribeContact } from '#contract/change.ts';
import { requiredRole } from '#contract/roles.ts';
import { isStrongReason } from '#contract/suppressions/suppression.ts';
import { useMissing } from '../../session/useMissingRole.ts';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useForm } from '../../ui/useForm.ts';

/** After the run: the result, the receipt, and buttons for entries that are not done. */
export function ReceiptStage({ state }: { state: BulkStateIn<'ended'> }) {
  const { list, counts } = state;
  const { name, workspace_uuid } = useSession();
  const run = useRun(list.workspace);
  const workspaceName = name ?? `workspace ${list.workspace || (workspace_uuid ?? '')}`;
  const title = list.undo === null ? describeResult(state) : describeUndo(state);
  const { since, readNow } = useUndoneSince(state);
  useEffect(() => {
    announce(`Done: ${title}`);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the run has ended
  }, []);
  const unsent = sumCounts(counts.selected, unsentStatuses(list.said));
  // After an undo, also by others, nothing is left to continue.
  const isUndone = list.undo !== null || counts.all.undone > 0;
  const toSend = isUndone ? 0 : unsent;
  const failed = isUndone ? 0 : counts.all.failed;
  const save = async () => {
    const { now } = await readNow();
    download(receiptName(now.list), new Blob(receiptCsv(now.list, now.entries, workspaceName), { type: 'text/csv' }));
    await bulk.markSaved();
  };
  const text = async () => {
    const { now, isSure } = await readNow();
    return receiptText(now.list, now.entries, workspaceName, isSure);
  };
  usePageActions([{ id: 'bulk-receipt', label: 'Download the receipt', run: () => void save() }]);
  return (
    <section className={classes.stage} aria-label="Receipt">
      <ReceiptSummary title={title} state={state} unsent={unsent} />
      <p className="note">
        <UntrustedText text={[`From ${workspaceName}.`, ...describeRun(list)].join(' ')} />
      </p>
      {since.isError && (
        <ErrorAlert
          error={since.error}
          note="Others may have undone this list since."
          onRetry={() => void since.refetch()}
        />
      )}
      <StorageErrorNotice of={[run.mutation]} />
      {(failed > 0 || toSend > 0) && run.field}
      <div className={classes.actions}>
        <Button onClick={() => void save()}>Download the receipt</Button>
        <CopyButton value={text} what="receipt" label="Copy text for the ticket" />
        {toSend > 0 && (
          <Button color="red" variant="light" size="xs" loading={run.mutation.isPending} onClick={() => run.start()}>
            Resume ({formatCount(toSend)} left)
          </Button>
        )}
        {failed > 0 && (
          <Button variant="default" size="xs" loading={run.mutation.isPending} onClick={run.retry}>
            Retry {formatCount(failed)} failed
          </Button>
        )}
        <UndoButton state={state} isPending={run.mutation.isPending} onUndo={run.undo} />
        <StartOver isLoss={!list.is_saved} />
      </div>
    </section>
  );
}

/** What others undid since the list ended: read when the page is entered or the window gets the focus, and with `readNow`, which gives the list as it is then. */
function useUndoneSince(state: BulkStateIn<'ended'>) {
  const since = useQuery({
    queryKey: ['undone since', state.list.run],
    queryFn: () => bulk.readUndone(),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: true,
    // A receipt waits for it, also where the service can't be reached.
    retry: false,
  });
  const readNow = async () => {
    const { isError } = await since.refetch();
    const now = bulk.snapshot();
    return { now: now.phase === 'ended' ? now : state, isSure: !isError };
  };
  return { since, readNow };
}

function describeResult({ list, counts: { all } }: BulkStateIn<'ended'>): string {
  const parts: Part[] = [
    [all.unsubscribed, 'unsubscribed'],
    [all.resubscribed + all.undone, 'subscribed again'],
    [all.recorded, `already unsubscribed (${recordedWords(list)})`],
    [all.already, 'already unsubscribed'],
  ];
  return listParts(parts) || 'No one unsubscribed';
}

/** `complaint recorded`. */
const recordedWords = ({ said }: BulkStateIn<'ended'>['list']) =>
  isStrongReason(said?.reason) ? describeRecorded(said?.reason).toLowerCase() : 'recorded again';

function describeUndo({ counts: { all } }: BulkStateIn<'ended'>): string {
  const parts: Part[] = [
    [all.resubscribed, 'subscribed again'],
    [all.undone, 'already subscribed again by another undo'],
    [all.changed, 'changed since and left unchanged'],
    [all.unclear, 'still unsubscribed (couldn’t confirm that this list caused it)'],
  ];
  return listParts(parts) || 'No one subscribed again';
}

type Part = [count: number, words: string];

/** Without those that are zero. */
const listParts = (parts: readonly Part[]) =>
  parts.flatMap(([count, words]) => (count > 0 ? [`${formatCount(count)} ${words}`] : [])).join(', ');

type UndoProps = { state: BulkStateIn<'ended'>; isPending: boolean; onUndo: (reason: string) => void };

/** Offered if the service can subscribe again and logs runs. */
function UndoButton({ state: { list, counts }, isPending, onUndo }: UndoProps) {
  const [isAsking, setIsAsking] = useState(false);
  const denied = useMissing(isStrongReason(list.said?.reason) ? 'admin' : requiredRole(subscribeContact.id));
  const hasAdditions = useHasAdditions();
  const toUndo = sumCounts(counts.all, [...UNDOABLE_STATUSES, 'undoFailed']);
  const isOffered = hasAdditions && toUndo > 0;
  usePageActions(
    isOffered && denied === null ? [{ id: 'bulk-undo', label: 'Undo this list', run: () => setIsAsking(true) }] : [],
  );
  if (!isOffered) return null;
  if (denied !== null) return <span className="soft">Undoing it {denied}</span>;
  return (
    <>
      <Button variant="default" size="xs" loading={isPending} onClick={() => setIsAsking(true)}>
        Undo this list
      </Button>
      {isAsking && (
        <ConfirmUndo
          {...{ list, recorded: counts.all.recorded }}
          count={toUndo}
          onClose={() => setIsAsking(false)}
          onConfirm={onUndo}
        />
      )}
    </>
  );
}

type SummaryProps = { title: string; state: BulkStateIn<'ended'>; unsent: number };

function ReceiptSummary({ title, state: { list, counts }, unsent }: SummaryProps) {
  const element = useLostFocus<HTMLDivElement>();
  const { all } = counts;
  const { missing = 0, duplicate = 0, erased = 0 } = list.kept ?? {};
  const duplicates = all.duplicate + duplicate;
  const undone = list.undo !== null;
  const isOver = undone || all.undone > 0;
  const failures: Part[] = [
    [undone ? all.unsubscribed + all.undoing : 0, 'still unsubscribed'],
    [all.undoFailed, 'could not be subscribed again'],
    [all.refused, 'refused'],
    [all.failed, 'failed'],
    [isOver ? 0 : unsent, 'not sent'],
  ];
  const others: Part[] = [
    [all.missing + missing, 'not found'],
    [all.unreadable, 'unreadable'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
    [countLeftOut(counts), 'left out'],
    [erased, 'erased since'],
    [isOver ? unsent : 0, 'not sent'],
  ];
  const [failed, left] = [listParts(failures), listParts(others)];
  const isGood = all.unclear === 0 && failed === '';
  return (
    <>
      <div ref={element} tabIndex={-1} className={classes.focus}>
        <Notice tone={isGood ? 'good' : 'warn'} title={title}>
          {failed !== '' && `${failed}. `}
          {!undone &&
            all.undone > 0 &&
            'Another undo subscribed them again, so this list unsubscribes no one any more. '}
          The list stays in this browser until you start a new list or sign out.
        </Notice>
      </div>
      {left !== '' && <p className="note">Left as they were: {left}.</p>}
    </>
  );
}

const REASON = 'Undo of a bulk unsubscribe';

/** What an undo leaves of who was unsubscribed before. */
function KeptReasons({ recorded, list }: Pick<Props, 'recorded' | 'list'>) {
  if (recorded === 0) return null;
  const what = isStrongReason(list.said?.reason) ? `the ${recordedWords(list)}` : 'what was recorded';
  return (
    <p>
      {formatCount(recorded)} {recorded === 1 ? 'contact was' : 'contacts were'} unsubscribed before and{' '}
      {recorded === 1 ? 'keeps' : 'keep'} {what} by this list. An undo never takes back what was recorded, so that no
      real complaint is lost with it.
    </p>
  );
}

type Props = {
  count: number;
  recorded: number;
  list: BulkStateIn<'ended'>['list'];
  onClose: () => void;
  onConfirm: (reason: string) => void;
};

/** Asks before a run is undone, for the reason to record. */
function ConfirmUndo({ count, recorded, list, onClose, onConfirm }: Props) {
  const form = useForm({ reason: REASON }, ({ reason }) =>
    Resubscription.safeParse({ reason }).success ? {} : { reason: `Enter a reason of 1 to ${REASON_MAX} characters.` },
  );
  const confirm = () =>
    form.submit(({ reason }) => {
      onClose();
      onConfirm(reason.trim());
    });
  return (
    <FormDialog
      title={`Subscribe ${formatCount(count)} ${count === 1 ? 'contact' : 'contacts'} again?`}
      act={`Subscribe ${formatCount(count)} again`}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>
        Only contacts that this list unsubscribed are subscribed again. Contacts that were already unsubscribed, have
        changed since, or can’t be confirmed are left unchanged.
      </p>
      <KeptReasons recorded={recorded} list={list} />
      <TextInput
        label="Reason"
        description="Recorded with each change."
        required
        autoComplete="off"
        {...form.field('reason')}
      />
    </FormDialog>
  );
}

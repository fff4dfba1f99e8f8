import { Button } from '@mantine/core';
import { useIsMutating, useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react';
import { unsubscribeContact } from '#contract/interface.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import type { ParsedInput } from '../listParser/readInput.ts';
import { useCapability, useHasAdditions, useSession } from '../session/useSession.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { DateTime } from '../ui/values/DateTime.tsx';
import { KeyHint } from '../ui/KeyHint.tsx';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import { bulk } from './bulk.ts';
import { StorageErrorNotice } from './BulkNotices.tsx';
import classes from './Stages.module.css';
import {
  RECHECKED_STATUSES,
  UNSENT_STATUSES,
  countLeftOut,
  determineStatus,
  isToSend,
  pickContactIdentifier,
  saysWhy,
  statusesToCheck,
  sumCounts,
  type BulkEntry,
  type BulkStateIn,
  type ListReading,
} from './bulkState.ts';
import { AnswerChoice } from './reading/AnswerChoice.tsx';
import { isUnanswered } from './reading/question.ts';
import { ColumnChoice } from './reading/ColumnChoice.tsx';
import { LeftOutNotices } from './reading/LeftOutNotice.tsx';
import { useLostFocus } from './useLostFocus.ts';
import { StartOver } from './StartOver.tsx';
import { unsubscribeOwnContact } from '#contract/openapi/otherClients.ts';
import { isStrongReason, type Unsubscription } from '#contract/suppressions/suppression.ts';
import { REASONS } from '../identity/describeSuppression.ts';
import { useSuppressionForm } from '../identity/SuppressionFields.tsx';
import { READING } from './reading/useListReader.ts';
import { useRun } from './run/useRun.tsx';
import { useApproval } from './runs/useApproval.ts';
import { ConfirmDialog, FormDialog } from '../api/FormDialog.tsx';
import { NamedEntry } from './NamedEntry.tsx';

type Props = {
  state: BulkStateIn<'plan'>;
  /** What the list was read from; null after the page was left, because the journal stores only the entries. */
  read: ParsedInput | null;
  onRead: (read: ParsedInput) => void;
  onShowLeftOut: () => void;
};

/** Before the run: what it will do. The contacts can be looked up first. */
export function PlanStage({ state, read, onRead, onShowLeftOut }: Props) {
  const { counts, entries, list, error } = state;
  const [isAsking, setIsAsking] = useState(false);
  const run = useRun();
  const { workspace } = run;
  const first = entries.find(isToSend);
  const check = useCheck(list);
  const { toSend, out, act } = useWork(counts);
  const toCheck = sumCounts(counts.selected, statusesToCheck(counts));
  const isAgain = toSend === 0 && toCheck > 0;
  const checkLabel = `Check ${formatCount(toCheck)} ${isAgain ? 'again' : 'first'}`;
  // Another column is being read, so the list is not what was chosen.
  const isReading = useIsMutating({ mutationKey: READING }) > 0;
  const isOpen = isReading || isUnanswered(list);
  const ask = () => toSend + out > 0 && !isOpen && run.submit(() => setIsAsking(true));
  usePageActions([
    { id: 'bulk-unsubscribe', label: act, run: ask },
    ...(toCheck > 0 && !isReading ? [{ id: 'bulk-check', label: checkLabel, run: () => check.mutate() }] : []),
  ]);
  return (
    <section className={classes.stage} aria-label="What will happen">
      <div className={classes.top}>
        <PlanSummary state={state} />
        <StartOver />
      </div>
      <ReadAs list={list} read={read} onRead={onRead} />
      {list.question !== undefined && <AnswerChoice question={list.question} entries={entries} />}
      <LeftOutNotices entries={entries} question={list.question} onShow={onShowLeftOut} />
      {error !== null && (
        <Notice tone="bad" title="Some could not be checked">
          <UntrustedText text={error} />
        </Notice>
      )}
      <p className={`note ${classes.hint}`}>
        {isAgain ? <LastCheck entries={entries} /> : <CheckHint canCheck={toCheck > 0} />}
      </p>
      {run.field}
      <StorageErrorNotice of={[run.mutation, check]} />
      <div className={classes.actions}>
        {!check.isPending && (
          <RunButton
            work={{ toSend, out, act }}
            isDisabled={isOpen}
            isStarting={run.mutation.isPending}
            onClick={ask}
          />
        )}
        {toCheck > 0 && (
          <Button variant="default" disabled={isReading} onClick={() => check.mutate()}>
            {checkLabel}
          </Button>
        )}
        {first && <CurlOf entry={first} workspace={workspace} />}
      </div>
      {isAsking && (
        <ConfirmRun {...{ toSend, out, entries, counts }} onClose={() => setIsAsking(false)} onConfirm={run.start} />
      )}
    </section>
  );
}

/** What a run can do. `out`: contacts that are unsubscribed already, for whom it can record what is said. */
function useWork({ selected }: BulkStateIn<'plan'>['counts']) {
  const toSend = sumCounts(selected, UNSENT_STATUSES);
  const out = useCapability(unsubscribeOwnContact) ? selected.out : 0;
  const isRecording = toSend === 0 && out > 0;
  const act = isRecording ? `Record a reason for ${formatCount(out)}` : `Unsubscribe ${formatCount(toSend)}`;
  return { toSend, out, act };
}

type RunButtonProps = {
  work: ReturnType<typeof useWork>;
  isDisabled: boolean;
  isStarting: boolean;
  onClick: () => void;
};

function RunButton({ work: { toSend, out, act }, isDisabled, isStarting, onClick }: RunButtonProps) {
  return (
    <Button
      {...(toSend > 0 || out === 0 ? { color: 'red' } : { variant: 'default' })}
      disabled={isDisabled || toSend + out === 0}
      loading={isStarting}
      aria-keyshortcuts="u"
      rightSection={<KeyHint shortcut="u" />}
      onClick={onClick}
    >
      {act}
    </Button>
  );
}

/** Looks contacts up. A new list that is short is checked by itself. */
function useCheck(list: BulkStateIn<'plan'>['list']) {
  const check = useMutation({ mutationFn: () => bulk.check() });
  const startIfNew = useEffectEvent((_list: typeof list) => {
    if (bulk.takeCheck()) check.mutate();
  });
  // A layout effect: before the button that runs the list is shown.
  useLayoutEffect(() => startIfNew(list), [list]);
  return check;
}

function CurlOf({ entry, workspace }: { entry: BulkEntry; workspace: string }) {
  const input = workspace === '' ? null : { workspace, contact: pickContactIdentifier(entry) };
  return <CopyCurl endpoint={unsubscribeContact} input={input} />;
}

const isRechecked = (entry: BulkEntry) => entry.isSelected && RECHECKED_STATUSES.includes(determineStatus(entry));

function CheckHint({ canCheck }: { canCheck: boolean }) {
  if (!useHasAdditions())
    return 'This service only reports whether a contact exists. The run shows who was already unsubscribed.';
  return (
    canCheck &&
    'Checking shows who will be affected, and suggests similar contacts for those not found. It changes nothing; you can skip it.'
  );
}

/** When the oldest look-up found no one to unsubscribe. */
function LastCheck({ entries }: { entries: readonly BulkEntry[] }) {
  const times = entries.filter(isRechecked).flatMap(({ found }) => found?.at ?? []);
  return (
    <>
      Last checked <DateTime value={times.toSorted()[0] ?? null} />: no one is left to unsubscribe. This may have
      changed since.
    </>
  );
}

/** What was read, and what will happen to it. */
function PlanSummary({ state: { entries, list, counts } }: { state: BulkStateIn<'plan'> }) {
  const { source, added } = list;
  const { all, selected } = counts;
  const element = useLostFocus<HTMLParagraphElement>();
  const known = all.out > 0 || all.unknown > 0;
  const others: [number, string][] = [
    [countLeftOut(counts), 'left out'],
    [known ? selected.out : 0, 'already unsubscribed'],
    [known ? selected.unknown : 0, 'not found'],
    [all.duplicate, all.duplicate === 1 ? 'duplicate' : 'duplicates'],
    [all.unreadable, 'unreadable'],
  ];
  const parts = others.filter(([number]) => number > 0).map(([number, words]) => `${formatCount(number)} ${words}`);
  const read = entries.length - added;
  return (
    <p ref={element} tabIndex={-1} className={`${classes.summary} ${classes.focus}`}>
      <b>{formatCount(read)}</b> {read === 1 ? 'entry' : 'entries'} read
      {source !== null && (
        <>
          {' '}
          from <UntrustedText text={source} />
        </>
      )}
      {added > 0 && `, ${formatCount(added)} ${added === 1 ? 'contact' : 'contacts'} added`}.{' '}
      {selected.unchecked + selected.exists > 0 && 'Up to '}
      <b>{formatCount(sumCounts(selected, UNSENT_STATUSES))}</b> will be unsubscribed
      {parts.length > 0 && `; ${parts.join(', ')}`}. Nothing has been sent yet.
    </p>
  );
}

/** How the input was read, and the columns of a table to choose from. */
function ReadAs({ list, read, onRead }: Pick<Props, 'read' | 'onRead'> & { list: ListReading }) {
  return (
    <>
      {list.notes.map((note) => (
        <p key={note} className="note">
          <UntrustedText text={note} />
        </p>
      ))}
      {read === null && list.column !== null && (
        <p className="note">
          Read by the column “<UntrustedText text={list.column} />
          ”. To choose another one, read the table again as a new list.
        </p>
      )}
      {read?.table && <ColumnChoice read={{ ...read, table: read.table }} onRead={onRead} />}
    </>
  );
}

/** Entries that the question lists. */
const NAMED = 5;

type ConfirmProps = {
  toSend: number;
  /** Contacts that are unsubscribed already, for whom what is said is recorded too. */
  out: number;
  entries: readonly BulkEntry[];
  counts: BulkStateIn<'plan'>['counts'];
  onClose: () => void;
  onConfirm: (said?: Unsubscription) => void;
};

/** Asks before a run: how many it will unsubscribe, and who the first of them are. */
function ConfirmRun({ toSend, out, entries, counts: { selected }, onClose, onConfirm }: ConfirmProps) {
  const { name } = useSession();
  const named = useMemo(() => Iterator.from(entries).filter(isToSend).take(NAMED).toArray(), [entries]);
  const count = formatCount(toSend);
  const { body, field, submit } = useSuppressionForm(useCapability(unsubscribeOwnContact));
  const known = sumCounts(selected, ['subscribed', 'exists', 'out']);
  const approval = useApproval(known, known + selected.unchecked);
  const confirm = () =>
    submit(() => {
      onClose();
      onConfirm(body);
    });
  if (toSend === 0) return <ConfirmRecord {...{ out, body, field, onClose, approval }} onSubmit={confirm} />;
  return (
    <ConfirmDialog
      title={`Unsubscribe ${count} ${toSend === 1 ? 'contact' : 'contacts'}?`}
      act={`Unsubscribe ${count}`}
      isDisabled={approval.isDenied}
      onSubmit={confirm}
      onClose={onClose}
    >
      <ul className="bullets">
        {named.map((entry) => (
          <li key={entry.index}>
            <NamedEntry entry={entry} />
          </li>
        ))}
        {toSend > named.length && <li>and {formatCount(toSend - named.length)} more</li>}
      </ul>
      <p>
        They will no longer receive mail from {name === null ? 'this workspace' : <UntrustedText text={name} />}. Their
        records and history stay.
      </p>
      <Recorded out={out} said={body} />
      {approval.note !== null && <p>{approval.note}</p>}
      {field}
    </ConfirmDialog>
  );
}

type RecordProps = {
  out: number;
  body: Unsubscription | undefined;
  field: ReactNode;
  approval: ReturnType<typeof useApproval>;
  onSubmit: () => void;
  onClose: () => void;
};

/** Asks before a run that unsubscribes no one, and records why. */
function ConfirmRecord({ out, body, field, approval, onSubmit, onClose }: RecordProps) {
  return (
    <FormDialog
      title={`Record a reason for ${formatCount(out)} ${out === 1 ? 'contact' : 'contacts'}?`}
      act="Record"
      isDisabled={!saysWhy(body) || approval.isDenied}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p>
        They are unsubscribed already and stay so. The reason “{REASONS.complaint}” or “{REASONS.legal}” replaces a
        weaker one; then only an admin can subscribe them again.
      </p>
      <Recorded out={out} said={body} />
      {approval.note !== null && <p>{approval.note}</p>}
      {field}
    </FormDialog>
  );
}

/** What a run does to contacts that are unsubscribed already. */
function Recorded({ out, said }: { out: number; said: Unsubscription | undefined }) {
  if (out === 0 || !saysWhy(said)) return null;
  const reason = said?.reason;
  if (!isStrongReason(reason))
    return (
      <p>
        {formatCount(out)} already unsubscribed: what you say is recorded too, so that an undo of what unsubscribed them
        before doesn’t lose it.
      </p>
    );
  const what = reason === 'complaint' ? 'complaint' : 'legal reason';
  return (
    <p>
      {formatCount(out)} already unsubscribed: the {what} will be recorded unless an equally strong reason is already
      recorded.
    </p>
  );
}

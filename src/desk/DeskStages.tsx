import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { getContact, listContacts } from '#contract/additions.ts';
import { findPathSegmentError } from '#contract/endpoint.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { rememberWorkspace } from '../session/session.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { download } from '../ui/download.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { desk, type DeskList, type DeskProgress, type DeskSnapshot } from './desk.ts';
import { FINISHED_STATUSES, determineStatus, sumCounts, UNSENT_STATUSES, pickContactIdentifier } from './entry.ts';
import { startDeskList, useIdentityField, type ParsedInput } from './ListInput.tsx';
import { receiptCsv, receiptName, receiptText } from './receipt.ts';
import classes from './DeskStages.module.css';

const count = (value: number) => value.toLocaleString('en');

/** Before anything is sent: what will be done, and a look first if one likes. */
export function PlanStage({
  snapshot: { counts, entries, list, error },
  read,
  onRead,
}: {
  snapshot: DeskSnapshot;
  read: ParsedInput | null;
  onRead: (read: ParsedInput) => void;
}) {
  const canRead = useCapability(getContact);
  const run = useRun();
  const check = useMutation({ mutationFn: () => desk.check() });
  const toSend = sumCounts(counts, UNSENT_STATUSES);
  const first = entries.find((entry) => UNSENT_STATUSES.includes(determineStatus(entry)));
  usePageActions([
    { id: 'desk-unsubscribe', label: `Unsubscribe ${count(toSend)}`, run: run.start },
    ...(counts.unchecked > 0
      ? [{ id: 'desk-check', label: `Check ${count(counts.unchecked)} first`, run: () => check.mutate() }]
      : []),
  ]);
  return (
    <section className={classes.stage} aria-label="What will be done">
      <div className={classes.top}>
        <p className={classes.summary}>
          <b>{count(entries.length)}</b> {entries.length === 1 ? 'entry' : 'entries'} read
          {list?.source && (
            <>
              {' '}
              from <UntrustedText text={list.source} />
            </>
          )}
          . {count(toSend)} to unsubscribe; nothing is sent yet.
        </p>
        <StartOver />
      </div>
      {read?.table && read.column !== null && <ColumnChoice read={read} table={read.table} onRead={onRead} />}
      {error !== null && (
        <Notice tone="bad" title="Not all could be checked">
          <UntrustedText text={error} />
        </Notice>
      )}
      <p className={classes.soft}>
        {canRead
          ? 'Checking reads every contact and changes nothing; a long list may go without.'
          : 'This service tells only whether there is such a contact. Whether somebody was unsubscribed before is known from the answer to the call itself.'}
      </p>
      {run.field}
      <StorageErrorNotice of={[run.mutation, check]} />
      <div className={classes.actions}>
        <Button color="red" disabled={toSend === 0} loading={run.mutation.isPending} onClick={run.start}>
          Unsubscribe {count(toSend)}
        </Button>
        {counts.unchecked > 0 && (
          <Button variant="default" onClick={() => check.mutate()}>
            Check {count(counts.unchecked)} first
          </Button>
        )}
        {first !== undefined && (
          <CopyCurl
            endpoint={unsubscribeContact}
            input={run.workspace === '' ? null : { workspace: run.workspace, contact: pickContactIdentifier(first) }}
          />
        )}
      </div>
    </section>
  );
}

function ColumnChoice({
  read,
  table,
  onRead,
}: {
  read: ParsedInput;
  table: NonNullable<ParsedInput['table']>;
  onRead: (read: ParsedInput) => void;
}) {
  const identityField = useIdentityField();
  const change = useMutation({
    mutationFn: async (column: number | null) => {
      await startDeskList({ ...read, column }, identityField);
      onRead({ ...read, column: column ?? -1 });
    },
  });
  return (
    <>
      <NativeSelect
        className={classes.column}
        label="Column that names the contacts"
        value={String(read.column)}
        disabled={change.isPending}
        onChange={(event) =>
          change.mutate(Number(event.currentTarget.value) < 0 ? null : Number(event.currentTarget.value))
        }
        data={[
          ...table.headings.map((heading, index) => ({ value: String(index), label: escapeHidden(heading) })),
          { value: '-1', label: 'No table: read it as text' },
        ]}
      />
      <StorageErrorNotice of={[change]} />
    </>
  );
}

/** While something is sent: how far, how fast, and the way to stop it. */
export function RunningStage({ snapshot: { phase, progress } }: { snapshot: DeskSnapshot }) {
  const isRun = phase === 'running';
  const pause = useRef<HTMLButtonElement>(null);
  useEffect(() => pause.current?.focus(), []);
  useAnnouncedProgress(progress);
  useAnnouncedDelay(describeDelay(progress));
  usePageActions([{ id: 'desk-pause', label: isRun ? 'Pause' : 'Stop checking', run: () => desk.pause() }]);
  return (
    <section className={classes.stage} aria-label={isRun ? 'Unsubscribing' : 'Checking'}>
      <div className={classes.top}>
        <p className={classes.summary}>
          {isRun ? 'Unsubscribing' : 'Checking'}: <b>{count(progress.done)}</b> of {count(progress.total)}
        </p>
        <p className={classes.soft}>{pace(progress)}</p>
      </div>
      <progress
        className={classes.bar}
        aria-label={isRun ? 'Unsubscribed' : 'Checked'}
        value={progress.done}
        max={progress.total}
      />
      <div className={classes.actions}>
        <Button ref={pause} variant="default" onClick={() => desk.pause()}>
          {isRun ? 'Pause' : 'Stop checking'}
        </Button>
        {isRun && (
          <Button variant="default" onClick={() => desk.stop()}>
            Stop
          </Button>
        )}
        {isRun && <span className={classes.soft}>You may leave this page; it goes on while the tab is open.</span>}
      </div>
    </section>
  );
}

/** Why nothing goes on. */
function describeDelay({ done, total, waitMs, isFailing }: DeskProgress): string | null {
  if (waitMs > 1000) return 'The service asks to slow down';
  return isFailing && done < total ? 'No good answer at the moment; trying again' : null;
}

function pace(progress: DeskProgress): string {
  const { done, total, rate, waitMs } = progress;
  const trouble = describeDelay(progress);
  if (trouble !== null) return waitMs > 1000 ? `${trouble}: waiting ${Math.ceil(waitMs / 1000)} s` : trouble;
  if (rate < 0.1 || done === 0) return '';
  const seconds = Math.ceil((total - done) / rate);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second, about ${left} left`;
}

/** Says every tenth, not every piece. */
function useAnnouncedProgress({ done, total }: DeskProgress) {
  const tenth = total === 0 ? 0 : Math.floor((done / total) * 10);
  useEffect(() => {
    if (tenth > 0 && tenth < 10) announce(`${tenth * 10} percent done`);
  }, [tenth]);
}

function useAnnouncedDelay(trouble: string | null) {
  useEffect(() => {
    if (trouble !== null) announce(trouble);
  }, [trouble]);
}

/** A run that was paused, broken off, or stopped by itself. */
export function PausedStage({ snapshot: { counts, error }, list }: { snapshot: DeskSnapshot; list: DeskList }) {
  const run = useRun(list.workspace);
  const end = useMutation({ mutationFn: () => desk.end() });
  const left = sumCounts(counts, UNSENT_STATUSES);
  usePageActions([{ id: 'desk-resume', label: `Go on with ${count(left)}`, run: run.start }]);
  const resume = useRef<HTMLButtonElement>(null);
  useEffect(() => resume.current?.focus(), []);
  return (
    <section className={classes.stage} aria-label="Paused">
      <Notice
        tone={error === null ? 'warn' : 'bad'}
        title={error === null ? 'Paused' : 'Stopped by itself'}
        actions={
          <>
            <Button ref={resume} color="red" loading={run.mutation.isPending} onClick={run.start}>
              Go on with {count(left)}
            </Button>
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
              End it here
            </Button>
          </>
        }
      >
        {error !== null && <UntrustedText text={`${error} `} />}
        {count(sumCounts(counts, FINISHED_STATUSES))} are done, {count(left)} are left. What was under way is sent
        again, which changes nothing twice.
      </Notice>
      {run.field}
      <StorageErrorNotice of={[run.mutation, end]} />
    </section>
  );
}

/** The receipt. */
export function ReceiptStage({ snapshot: { counts, entries }, list }: { snapshot: DeskSnapshot; list: DeskList }) {
  const { name, workspace_uuid } = useSession();
  const run = useRun(list.workspace);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    summary.current?.focus();
    announce(`Done: ${count(counts.unsubscribed)} unsubscribed`);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it has ended
  }, []);
  const open = sumCounts(counts, UNSENT_STATUSES);
  const troubles = counts.missing + counts.refused + counts.failed + counts.unreadable + open;
  const text = receiptText(list, entries, counts, name ?? `workspace ${list.workspace ?? workspace_uuid ?? ''}`);
  const save = () => {
    download(receiptName(list), new Blob(receiptCsv(entries), { type: 'text/csv' }));
    void desk.markSaved();
  };
  usePageActions([{ id: 'desk-receipt', label: 'Download the receipt', run: save }]);
  return (
    <section className={classes.stage} aria-label="Receipt">
      <div ref={summary} tabIndex={-1} className={classes.focus}>
        <Notice
          tone={troubles === 0 ? 'good' : 'warn'}
          title={`${count(counts.unsubscribed)} unsubscribed, ${count(counts.already)} ${counts.already === 1 ? 'was' : 'were'} already`}
        >
          {counts.missing > 0 && `${count(counts.missing)} not found. `}
          {counts.refused > 0 && `${count(counts.refused)} refused. `}
          {counts.failed > 0 && `${count(counts.failed)} failed. `}
          {open > 0 && `${count(open)} not sent. `}
          {counts.unreadable > 0 && `${count(counts.unreadable)} unreadable. `}
          {counts.duplicate > 0 && `${count(counts.duplicate)} named twice. `}
          The list stays in this browser until you start a new one or sign out.
        </Notice>
      </div>
      <StorageErrorNotice of={[run.mutation]} />
      {(counts.failed > 0 || open > 0) && run.field}
      <div className={classes.actions}>
        <Button onClick={save}>Download the receipt</Button>
        <CopyButton value={text} what="receipt" label="Copy text for the ticket" />
        {open > 0 && (
          <Button color="red" variant="light" size="xs" loading={run.mutation.isPending} onClick={run.start}>
            Go on with {count(open)}
          </Button>
        )}
        {counts.failed > 0 && (
          <Button variant="default" size="xs" loading={run.mutation.isPending} onClick={run.retry}>
            Try {count(counts.failed)} failed again
          </Button>
        )}
        <StartOver isLoss={!list.is_saved} />
      </div>
    </section>
  );
}

/** Somebody signed in to another workspace before the list was done with. */
export function OtherWorkspaceNotice() {
  return (
    <Notice tone="warn" title="A list of another workspace is on the desk" actions={<StartOver isLoss />}>
      It was begun with a token of another workspace. Sign in to that one to go on with it, or start over here, which
      deletes it from this browser.
    </Notice>
  );
}

/** `isLoss`: what was done would be known nowhere any more. */
function StartOver({ isLoss = false }: { isLoss?: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const discard = useMutation({ mutationFn: () => desk.discard() });
  const start = () => (isLoss ? setIsAsking(true) : discard.mutate());
  usePageActions([{ id: 'desk-new', label: 'New list', run: start }]);
  return (
    <>
      <Button variant="default" size="xs" loading={discard.isPending} onClick={start}>
        New list
      </Button>
      {isAsking && (
        <Dialog title="Delete this list and its receipt?" onClose={() => setIsAsking(false)}>
          <p>The receipt was not downloaded. Once the list is deleted, this browser cannot say who was on it.</p>
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => setIsAsking(false)}>
              Keep it
            </Button>
            <Button color="red" onClick={() => discard.mutate()}>
              Delete it
            </Button>
          </div>
        </Dialog>
      )}
      <StorageErrorNotice of={[discard]} />
    </>
  );
}

/** Starts a run. `field` asks for the ID of the workspace where the service does not tell it. */
function useRun(given: string | null = null) {
  const client = useQueryClient();
  const session = useSession();
  const [workspace, setWorkspace] = useState(given ?? session.workspace_uuid ?? '');
  const [fault, setFault] = useState<string>();
  const finish = async (work: (workspace: string) => Promise<void>) => {
    await work(workspace.trim());
    // The service took it for somebody, so it was right: it need not be asked for again.
    if (desk.snapshot().counts.unsubscribed > 0) rememberWorkspace(client, workspace.trim());
    await client.invalidateQueries({ queryKey: [listContacts.id] });
  };
  const mutation = useMutation({ mutationFn: finish });
  const start = (work: (workspace: string) => Promise<void>) => {
    if (findPathSegmentError(workspace.trim()) !== null)
      return setFault('Unsubscribing needs the ID of the workspace.');
    mutation.mutate(work);
  };
  const field: ReactNode = session.workspace_uuid === null && (
    <TextInput
      className={classes.column}
      label="Workspace ID"
      description="The service does not tell it, and unsubscribing needs it."
      value={workspace}
      error={fault}
      onChange={(event) => {
        setWorkspace(event.currentTarget.value);
        setFault(undefined);
      }}
    />
  );
  return {
    mutation,
    field,
    workspace: workspace.trim(),
    start: () => start((id) => desk.run(id)),
    retry: () => start((id) => desk.retryFailed(id)),
  };
}

function StorageErrorNotice({ of }: { of: readonly { error: Error | null }[] }) {
  const error = of.map((one) => one.error).find((one) => one !== null);
  return error === undefined ? null : (
    <Notice tone="bad" title="This browser could not keep the list">
      Nothing more is sent. {error?.message}
    </Notice>
  );
}

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { getContact, listContacts } from '#contract/additions.ts';
import { segmentFault } from '#contract/endpoint.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { shown } from '#contract/visible.ts';
import { knowWorkspace } from '../session/session.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { download } from '../ui/download.ts';
import { GivenText } from '../ui/GivenText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { desk, type List, type Progress, type Snapshot } from './desk.ts';
import { ENDED, statusOf, sumOf, TO_SEND, valueOf } from './entry.ts';
import { putOnDesk, useIdentityField, type Read } from './Intake.tsx';
import { receiptCsv, receiptName, receiptText } from './receipt.ts';
import classes from './stages.module.css';

const count = (value: number) => value.toLocaleString('en');

/** Before anything is sent: what will be done, and a look first if one likes. */
export function Plan({
  snapshot: { tally, entries, list, fault },
  read,
  onRead,
}: {
  snapshot: Snapshot;
  read: Read | null;
  onRead: (read: Read) => void;
}) {
  const canRead = useCapability(getContact);
  const run = useRun();
  const check = useMutation({ mutationFn: () => desk.check() });
  const toSend = sumOf(tally, TO_SEND);
  const first = entries.find((entry) => TO_SEND.includes(statusOf(entry)));
  usePageActions([
    { id: 'desk-unsubscribe', label: `Unsubscribe ${count(toSend)}`, run: run.start },
    ...(tally.unchecked > 0
      ? [{ id: 'desk-check', label: `Check ${count(tally.unchecked)} first`, run: () => check.mutate() }]
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
              from <GivenText text={list.source} />
            </>
          )}
          . {count(toSend)} to unsubscribe; nothing is sent yet.
        </p>
        <StartOver />
      </div>
      {read?.table && read.column !== null && <ColumnChoice read={read} table={read.table} onRead={onRead} />}
      {fault !== null && (
        <Notice tone="bad" title="Not all could be checked">
          <GivenText text={fault} />
        </Notice>
      )}
      <p className={classes.soft}>
        {canRead
          ? 'Checking reads every contact and changes nothing; a long list may go without.'
          : 'This service tells only whether there is such a contact. Whether somebody was unsubscribed before is known from the answer to the call itself.'}
      </p>
      {run.field}
      <Failure of={[run.mutation, check]} />
      <div className={classes.actions}>
        <Button color="red" disabled={toSend === 0} loading={run.mutation.isPending} onClick={run.start}>
          Unsubscribe {count(toSend)}
        </Button>
        {tally.unchecked > 0 && (
          <Button variant="default" onClick={() => check.mutate()}>
            Check {count(tally.unchecked)} first
          </Button>
        )}
        {first !== undefined && (
          <CopyCurl
            endpoint={unsubscribeContact}
            input={run.workspace === '' ? null : { workspace: run.workspace, contact: valueOf(first) }}
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
  read: Read;
  table: NonNullable<Read['table']>;
  onRead: (read: Read) => void;
}) {
  const identityField = useIdentityField();
  const change = useMutation({
    mutationFn: async (column: number | null) => {
      await putOnDesk({ ...read, column }, identityField);
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
          ...table.headings.map((heading, index) => ({ value: String(index), label: shown(heading) })),
          { value: '-1', label: 'No table: read it as text' },
        ]}
      />
      <Failure of={[change]} />
    </>
  );
}

/** While something is sent: how far, how fast, and the way to stop it. */
export function UnderWay({ snapshot: { phase, progress } }: { snapshot: Snapshot }) {
  const isRun = phase === 'running';
  const pause = useRef<HTMLButtonElement>(null);
  useEffect(() => pause.current?.focus(), []);
  useAnnouncedProgress(progress);
  useAnnouncedTrouble(troubleOf(progress));
  usePageActions([{ id: 'desk-pause', label: isRun ? 'Pause' : 'Stop checking', run: () => desk.pause() }]);
  return (
    <section className={classes.stage} aria-label={isRun ? 'Unsubscribing' : 'Checking'}>
      <div className={classes.top}>
        <p className={classes.summary}>
          {isRun ? 'Unsubscribing' : 'Checking'}: <b>{count(progress.done)}</b> of {count(progress.of)}
        </p>
        <p className={classes.soft}>{pace(progress)}</p>
      </div>
      <progress
        className={classes.bar}
        aria-label={isRun ? 'Unsubscribed' : 'Checked'}
        value={progress.done}
        max={progress.of}
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
function troubleOf({ done, of, wait, isFailing }: Progress): string | null {
  if (wait > 1000) return 'The service asks to slow down';
  return isFailing && done < of ? 'No good answer at the moment; trying again' : null;
}

function pace(progress: Progress): string {
  const { done, of, rate, wait } = progress;
  const trouble = troubleOf(progress);
  if (trouble !== null) return wait > 1000 ? `${trouble}: waiting ${Math.ceil(wait / 1000)} s` : trouble;
  if (rate < 0.1 || done === 0) return '';
  const seconds = Math.ceil((of - done) / rate);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second, about ${left} left`;
}

/** Says every tenth, not every piece. */
function useAnnouncedProgress({ done, of }: Progress) {
  const tenth = of === 0 ? 0 : Math.floor((done / of) * 10);
  useEffect(() => {
    if (tenth > 0 && tenth < 10) announce(`${tenth * 10} percent done`);
  }, [tenth]);
}

function useAnnouncedTrouble(trouble: string | null) {
  useEffect(() => {
    if (trouble !== null) announce(trouble);
  }, [trouble]);
}

/** A run that was paused, broken off, or stopped by itself. */
export function Stopped({ snapshot: { tally, fault }, list }: { snapshot: Snapshot; list: List }) {
  const run = useRun(list.workspace);
  const end = useMutation({ mutationFn: () => desk.end() });
  const left = sumOf(tally, TO_SEND);
  usePageActions([{ id: 'desk-resume', label: `Go on with ${count(left)}`, run: run.start }]);
  const resume = useRef<HTMLButtonElement>(null);
  useEffect(() => resume.current?.focus(), []);
  return (
    <section className={classes.stage} aria-label="Paused">
      <Notice
        tone={fault === null ? 'warn' : 'bad'}
        title={fault === null ? 'Paused' : 'Stopped by itself'}
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
        {fault !== null && <GivenText text={`${fault} `} />}
        {count(sumOf(tally, ENDED))} are done, {count(left)} are left. What was under way is sent again, which changes
        nothing twice.
      </Notice>
      {run.field}
      <Failure of={[run.mutation, end]} />
    </section>
  );
}

/** The receipt. */
export function Ended({ snapshot: { tally, entries }, list }: { snapshot: Snapshot; list: List }) {
  const { name, workspace_uuid } = useSession();
  const run = useRun(list.workspace);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    summary.current?.focus();
    announce(`Done: ${count(tally.unsubscribed)} unsubscribed`);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it has ended
  }, []);
  const open = sumOf(tally, TO_SEND);
  const troubles = tally.missing + tally.refused + tally.failed + tally.unreadable + open;
  const text = receiptText(list, entries, tally, name ?? `workspace ${list.workspace ?? workspace_uuid ?? ''}`);
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
          title={`${count(tally.unsubscribed)} unsubscribed, ${count(tally.already)} ${tally.already === 1 ? 'was' : 'were'} already`}
        >
          {tally.missing > 0 && `${count(tally.missing)} not found. `}
          {tally.refused > 0 && `${count(tally.refused)} refused. `}
          {tally.failed > 0 && `${count(tally.failed)} failed. `}
          {open > 0 && `${count(open)} not sent. `}
          {tally.unreadable > 0 && `${count(tally.unreadable)} unreadable. `}
          {tally.duplicate > 0 && `${count(tally.duplicate)} named twice. `}
          The list stays in this browser until you start a new one or sign out.
        </Notice>
      </div>
      <Failure of={[run.mutation]} />
      {(tally.failed > 0 || open > 0) && run.field}
      <div className={classes.actions}>
        <Button onClick={save}>Download the receipt</Button>
        <CopyButton value={text} what="receipt" label="Copy text for the ticket" />
        {open > 0 && (
          <Button color="red" variant="light" size="xs" loading={run.mutation.isPending} onClick={run.start}>
            Go on with {count(open)}
          </Button>
        )}
        {tally.failed > 0 && (
          <Button variant="default" size="xs" loading={run.mutation.isPending} onClick={run.retry}>
            Try {count(tally.failed)} failed again
          </Button>
        )}
        <StartOver isLoss={!list.is_saved} />
      </div>
    </section>
  );
}

/** Somebody signed in to another workspace before the list was done with. */
export function Foreign() {
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
      <Failure of={[discard]} />
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
    if (desk.snapshot().tally.unsubscribed > 0) knowWorkspace(client, workspace.trim());
    await client.invalidateQueries({ queryKey: [listContacts.id] });
  };
  const mutation = useMutation({ mutationFn: finish });
  const start = (work: (workspace: string) => Promise<void>) => {
    if (segmentFault(workspace.trim()) !== null) return setFault('Unsubscribing needs the ID of the workspace.');
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

function Failure({ of }: { of: readonly { error: Error | null }[] }) {
  const error = of.map((one) => one.error).find((one) => one !== null);
  return error === undefined ? null : (
    <Notice tone="bad" title="This browser could not keep the list">
      Nothing more is sent. {error?.message}
    </Notice>
  );
}

import { Button } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { bulk } from '../bulk.ts';
import classes from '../Stages.module.css';
import { countWork, type BulkStateIn, type RunProgress } from '../bulkState.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { useLostFocus } from '../useLostFocus.ts';
import { Notice } from '../../ui/Notice.tsx';
import { StorageErrorNotice } from '../BulkNotices.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { useMutation } from '@tanstack/react-query';
import { NO_ONE_APPROVES, WAITS_FOR_APPROVAL } from '../runs/keepRun.ts';
import { useRun } from './useRun.tsx';

export function CheckingStage({ progress }: { progress: RunProgress }) {
  return <Progress label="Checking" barLabel="Checked" pauseLabel="Stop checking" progress={progress} />;
}

export function RunningStage({ state: { list, progress } }: { state: BulkStateIn<'running'> }) {
  const labels =
    list.stage === 'undo'
      ? { label: 'Subscribing again', barLabel: 'Subscribed again' }
      : { label: 'Unsubscribing', barLabel: 'Unsubscribed' };
  return (
    <Progress {...labels} pauseLabel="Pause" progress={progress}>
      <Button variant="default" onClick={() => bulk.stop()}>
        Finish now
      </Button>
      <span className="note">You can leave this page; the list keeps running while the tab is open.</span>
    </Progress>
  );
}

type ProgressProps = {
  label: string;
  barLabel: string;
  pauseLabel: string;
  progress: RunProgress;
  children?: ReactNode;
};

function Progress({ label, barLabel, pauseLabel, progress, children }: ProgressProps) {
  const pause = useLostFocus<HTMLButtonElement>();
  useAnnouncedProgress(progress, describeDelay(progress));
  usePageActions([{ id: 'bulk-pause', label: pauseLabel, run: () => bulk.pause() }]);
  return (
    <section className={classes.stage} aria-label={label}>
      <div className={classes.top}>
        <p className={classes.summary}>
          {label}: <b>{formatCount(progress.done)}</b> of {formatCount(progress.total)}
        </p>
        <p className="note">{describePace(progress)}</p>
      </div>
      <progress className={classes.bar} aria-label={barLabel} value={progress.done} max={progress.total} />
      <div className={classes.actions}>
        <Button ref={pause} variant="default" onClick={() => bulk.pause()}>
          {pauseLabel}
        </Button>
        {children}
      </div>
    </section>
  );
}

/** Why the run makes no progress right now; null if it does. */
function describeDelay({ done, total, waitMs, isFailing, kept }: RunProgress): string | null {
  if (waitMs > 1000) return 'The service asked to slow down';
  if (!isFailing || done === total) return kept === null ? null : 'First the service gets the list';
  return navigator.onLine ? 'The service is not responding properly; retrying' : 'This computer is offline; retrying';
}

/** The rate and the time left, or the delay. Empty until the rate is known. */
function describePace(progress: RunProgress): string {
  const { done, total, rate, waitMs } = progress;
  const delay = describeDelay(progress);
  if (delay !== null && waitMs > 1000) return `${delay}: waiting ${Math.ceil(waitMs / 1000)} s`;
  if (delay !== null) return progress.kept === null ? delay : `${delay}: ${formatCount(progress.kept)} sent`;
  if (rate < 0.1 || done === 0) return '';
  const seconds = Math.ceil((total - done) / rate);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} per second, about ${left} left`;
}

/** Announces every ten percent, and delays. */
function useAnnouncedProgress({ done, total }: RunProgress, delay: string | null) {
  const tenth = total === 0 ? 0 : Math.floor((done / total) * 10);
  useEffect(() => {
    if (tenth > 0 && tenth < 10) announce(`${tenth * 10} percent done`);
  }, [tenth]);
  useEffect(() => {
    if (delay !== null) announce(delay);
  }, [delay]);
}

const APPROVAL_TITLES: Readonly<Record<string, string>> = {
  [WAITS_FOR_APPROVAL]: 'Waiting for approval',
  [NO_ONE_APPROVES]: 'No one can approve this list',
};

/** A run or an undo that was paused, interrupted with its tab, or stopped by an error. */
export function PausedStage({ state }: { state: BulkStateIn<'paused'> }) {
  const { error, list } = state;
  const run = useRun(list.workspace);
  const end = useMutation({ mutationFn: () => bulk.end() });
  const { left, done } = countWork(state);
  const label = `Resume (${formatCount(left)} left)`;
  usePageActions([
    { id: 'bulk-resume', label, run: run.resume },
    { id: 'bulk-end', label: 'Finish now', run: () => end.mutate() },
  ]);
  const resume = useLostFocus<HTMLButtonElement>();
  const waiting = error === null ? undefined : APPROVAL_TITLES[error];
  const title = list.stage === 'undo' ? 'Undo paused' : (waiting ?? 'Paused');
  return (
    <section className={classes.stage} aria-label={title}>
      <Notice
        tone={error === null || waiting !== undefined ? 'warn' : 'bad'}
        title={error === null || waiting !== undefined ? title : 'Stopped because of an error'}
        actions={
          <>
            <Button
              ref={resume}
              color={list.stage === 'undo' ? undefined : 'red'}
              loading={run.mutation.isPending}
              onClick={run.resume}
            >
              {label}
            </Button>
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
              Finish now
            </Button>
          </>
        }
      >
        {error !== null && <UntrustedText text={`${error} `} />}
        {formatCount(done)} done, {formatCount(left)} left. Unconfirmed requests are retried; repeating is harmless.
      </Notice>
      {run.field}
      <StorageErrorNotice of={[run.mutation, end]} />
    </section>
  );
}

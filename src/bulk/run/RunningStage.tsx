import { Button } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { desk } from '../desk.ts';
import classes from '../DeskStages.module.css';
import type { DeskStateIn } from '../deskState.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import type { DeskProgress } from './run.ts';
import { useLostFocus } from '../useLostFocus.ts';

/** The progress of a check. */
export function CheckingStage({ progress }: { progress: DeskProgress }) {
  return <Progress label="Checking" barLabel="Checked" pauseLabel="Stop checking" progress={progress} />;
}

/** The progress of a run or an undo. */
export function RunningStage({ state: { list, progress } }: { state: DeskStateIn<'running'> }) {
  const labels =
    list.stage === 'undo'
      ? { label: 'Subscribing again', barLabel: 'Subscribed again' }
      : { label: 'Unsubscribing', barLabel: 'Unsubscribed' };
  return (
    <Progress {...labels} pauseLabel="Pause" progress={progress}>
      <Button variant="default" onClick={() => desk.stop()}>
        Finish now
      </Button>
      <span className={classes.soft}>You can leave this page; the list keeps running while the tab is open.</span>
    </Progress>
  );
}

type ProgressProps = {
  label: string;
  barLabel: string;
  pauseLabel: string;
  progress: DeskProgress;
  children?: ReactNode;
};

function Progress({ label, barLabel, pauseLabel, progress, children }: ProgressProps) {
  const pause = useLostFocus<HTMLButtonElement>();
  useAnnouncedProgress(progress);
  useAnnouncedDelay(describeDelay(progress));
  usePageActions([{ id: 'desk-pause', label: pauseLabel, run: () => desk.pause() }]);
  return (
    <section className={classes.stage} aria-label={label}>
      <div className={classes.top}>
        <p className={classes.summary}>
          {label}: <b>{formatCount(progress.done)}</b> of {formatCount(progress.total)}
        </p>
        <p className={classes.soft}>{describePace(progress)}</p>
      </div>
      <progress className={classes.bar} aria-label={barLabel} value={progress.done} max={progress.total} />
      <div className={classes.actions}>
        <Button ref={pause} variant="default" onClick={() => desk.pause()}>
          {pauseLabel}
        </Button>
        {children}
      </div>
    </section>
  );
}

/** Why the run makes no progress at the moment; null while it does. */
function describeDelay({ done, total, waitMs, isFailing }: DeskProgress): string | null {
  if (waitMs > 1000) return 'The service asked to slow down';
  if (!isFailing || done === total) return null;
  return navigator.onLine ? 'The service is not responding properly; retrying' : 'This computer is offline; retrying';
}

/** The rate and the time left, or why there is a delay. Empty until the rate is known. */
function describePace(progress: DeskProgress): string {
  const { done, total, rate, waitMs } = progress;
  const delay = describeDelay(progress);
  if (delay !== null) return waitMs > 1000 ? `${delay}: waiting ${Math.ceil(waitMs / 1000)} s` : delay;
  if (rate < 0.1 || done === 0) return '';
  const seconds = Math.ceil((total - done) / rate);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} per second, about ${left} left`;
}

/** Announces every ten percent. */
function useAnnouncedProgress({ done, total }: DeskProgress) {
  const tenth = total === 0 ? 0 : Math.floor((done / total) * 10);
  useEffect(() => {
    if (tenth > 0 && tenth < 10) announce(`${tenth * 10} percent done`);
  }, [tenth]);
}

function useAnnouncedDelay(delay: string | null) {
  useEffect(() => {
    if (delay !== null) announce(delay);
  }, [delay]);
}

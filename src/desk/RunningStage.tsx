import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';
import type { DeskSnapshot } from './deskState.ts';
import { formatCount } from '../ui/formatCount.ts';
import type { DeskProgress } from './runProgress.ts';

/** The progress of a check or a run, and the buttons that stop it. */
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
          {isRun ? 'Unsubscribing' : 'Checking'}: <b>{formatCount(progress.done)}</b> of {formatCount(progress.total)}
        </p>
        <p className={classes.soft}>{describePace(progress)}</p>
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

/** Why the run makes no progress at the moment; null while it does. */
function describeDelay({ done, total, waitMs, isFailing }: DeskProgress): string | null {
  if (waitMs > 1000) return 'The service asks to slow down';
  return isFailing && done < total ? 'No good answer at the moment; trying again' : null;
}

/** The rate and the time left, or why there is a delay. Empty until the rate is known. */
function describePace(progress: DeskProgress): string {
  const { done, total, rate, waitMs } = progress;
  const delay = describeDelay(progress);
  if (delay !== null) return waitMs > 1000 ? `${delay}: waiting ${Math.ceil(waitMs / 1000)} s` : delay;
  if (rate < 0.1 || done === 0) return '';
  const seconds = Math.ceil((total - done) / rate);
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second, about ${left} left`;
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

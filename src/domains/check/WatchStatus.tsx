import { Button } from '@mantine/core';
import { useState } from 'react';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { localMoment, useTimeZone } from '../../ui/format/time.ts';
import { formatDuration } from './formatDuration.ts';
import classes from './CheckBar.module.css';
import { useSecondsUntil } from './Countdown.tsx';
import { notifications, type WatchState } from './dnsWatch.tsx';

type Props = {
  watch: WatchState;
  /** When the last old response expires; null if that isn't known. */
  until: Date | null;
};

export function WatchStatus({ watch, until }: Props) {
  const zone = useTimeZone();
  const [permission, setPermission] = useState(notifications);
  if (watch.now === 'done') return <p className={classes.watching}>Watched until all records were OK.</p>;
  return (
    <div className={classes.watching}>
      <p>
        <Next watch={watch} /> {until !== null && `Old responses are cached until ${localMoment(until, zone)}. `}
        Continues while this tab is open, on other pages too
        {permission === 'granted' ? '.' : '; pauses after an hour in the background.'}
      </p>
      {/* A browser asks only once, so only a click requests it. */}
      {permission === 'default' && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void Notification.requestPermission().then(setPermission)}
        >
          Notify me outside this tab
        </Button>
      )}
    </div>
  );
}

function Next({ watch }: { watch: Exclude<WatchState, { now: 'done' }> }) {
  if (watch.now === 'checking') return 'Watching: checking now.';
  if (watch.now === 'paused') return 'Watching paused while this tab was in the background.';
  return <NextCheckTime key={watch.next} next={watch.next} error={watch.error} />;
}

function NextCheckTime({ next, error }: { next: number; error: string | null }) {
  const zone = useTimeZone();
  const left = useSecondsUntil(next);
  return (
    <>
      {error !== null && <UntrustedText text={`The last check failed: ${error} `} />}
      Watching: next check at {localMoment(new Date(next), zone)}
      <span aria-hidden>, in {formatDuration(left)}</span>.
    </>
  );
}

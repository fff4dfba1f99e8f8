import { Button } from '@mantine/core';
import { useState } from 'react';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { localMoment, useTimeZone } from '../../ui/format/time.ts';
import { formatDuration } from './formatDuration.ts';
import classes from './CheckBar.module.css';
import { useSecondsUntil } from './Countdown.tsx';
import { notifications, type WatchState } from './dnsWatch.ts';

type Props = {
  watch: WatchState;
  /** When the last old response expires; null when that is not known. */
  until: Date | null;
};

/** The state of a watch, and whether it goes on in a hidden tab. */
export function WatchStatus({ watch, until }: Props) {
  const zone = useTimeZone();
  const [permission, setPermission] = useState(notifications);
  if (watch.now === 'right') return <p className={classes.watching}>Watched until everything was correct.</p>;
  return (
    <div className={classes.watching}>
      <p>
        <Next watch={watch} /> {until !== null && `Old answers live until ${localMoment(until, zone)}. `}
        Goes on while this tab is open, on other pages of the console too
        {permission === 'granted' ? '.' : '; pauses after an hour in the background.'}
      </p>
      {/* The browser asks for the permission only once, so it is requested only on a click. */}
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

function Next({ watch }: { watch: Exclude<WatchState, { now: 'right' }> }) {
  if (watch.now === 'asking') return 'Watching: checking now.';
  if (watch.now === 'resting') return 'Watching paused while this tab was in the background.';
  return <NextCheckTime key={watch.next} next={watch.next} trouble={watch.trouble} />;
}

function NextCheckTime({ next, trouble }: { next: number; trouble: string | null }) {
  const zone = useTimeZone();
  const left = useSecondsUntil(next);
  return (
    <>
      {trouble !== null && <UntrustedText text={`The last check failed: ${trouble} `} />}
      Watching: checks again at {localMoment(new Date(next), zone)}
      <span aria-hidden>, in {formatDuration(left)}</span>.
    </>
  );
}

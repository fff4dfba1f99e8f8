import { Button } from '@mantine/core';
import { useState } from 'react';
import { inWords, localTime } from '../ui/time.ts';
import classes from './CheckBar.module.css';
import { useSecondsUntil } from './Countdown.tsx';
import { mayNotify, type Watch } from './watch.ts';

/** How a watch stands, and what becomes of it when one looks elsewhere. */
export function WatchLine({ watch }: { watch: Watch }) {
  if (watch.now === 'right') return <p className={classes.watching}>Watched until everything was right.</p>;
  return (
    <div className={classes.watching}>
      <p>
        <Next watch={watch} /> Goes on while this tab is open, on other pages of the console too
        {mayNotify() ? '.' : '; rests when the tab was hidden for an hour.'}
      </p>
      <AskToNotify />
    </div>
  );
}

function Next({ watch }: { watch: Exclude<Watch, { now: 'right' }> }) {
  if (watch.now === 'asking') return 'Watching: asking now.';
  if (watch.now === 'resting') return 'Watching rested while nobody saw this tab.';
  return <Waiting key={watch.next} next={watch.next} trouble={watch.trouble} />;
}

function Waiting({ next, trouble }: { next: number; trouble: string | null }) {
  const left = useSecondsUntil(next);
  return (
    <>
      {trouble !== null && `The last check came to nothing: ${trouble} `}
      Watching: asks again at {localTime(new Date(next))}
      <span aria-hidden>, in {inWords(left)}</span>.
    </>
  );
}

/** The browser asks a person once, so we ask only who wants it. */
function AskToNotify() {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  if (permission !== 'default') return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      Notify me outside this tab
    </Button>
  );
}

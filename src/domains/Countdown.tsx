import { useEffect, useState } from 'react';
import { DateTime } from '../ui/DateTime.tsx';
import { formatDuration } from '../ui/time.ts';
import classes from './Countdown.module.css';

/** Until when old answers live. The seconds are for the eye: whoever hears the page hears the time. */
export function Countdown({ until }: { until: string }) {
  const end = Date.parse(until);
  const left = useSecondsUntil(end);
  return (
    <p className={classes.until}>
      Old answers live until <DateTime value={until} show="moment" />
      <span aria-hidden>{left > 0 ? `, for ${formatDuration(left)}` : ', which is over'}</span>
    </p>
  );
}

/** Whole seconds until `end`, in milliseconds since the epoch; ticks while there are any. */
export function useSecondsUntil(end: number): number {
  const [now, setNow] = useState(() => Date.now());
  const isOver = now >= end;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return Math.max(0, Math.ceil((end - now) / 1000));
}

import { useEffect, useState } from 'react';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { formatDuration } from './formatDuration.ts';
import classes from './CheckBar.module.css';

/** How long resolvers cache old responses. Screen readers read the time instead of the seconds. */
export function Countdown({ until }: { until: string }) {
  const end = Date.parse(until);
  const left = useSecondsUntil(end);
  return (
    <p className={classes.until}>
      Cached until <DateTime value={until} show="moment" />
      <span aria-hidden>{left > 0 ? ` (${formatDuration(left)} left)` : ' (expired)'}</span>
    </p>
  );
}

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

import { useEffect, useState } from 'react';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { formatDuration } from './formatDuration.ts';
import classes from './CheckBar.module.css';

/** Until when resolvers keep old responses. The seconds are hidden from screen readers, which read the time instead. */
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

/** Whole seconds until `end` (milliseconds since the epoch), updated every second; 0 after that. */
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

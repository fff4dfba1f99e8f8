import { useEffect, useState } from 'react';
import { formatDuration } from './formatDuration.ts';

/** How long resolvers cache old responses. Screen readers read the time in the sentence before it. */
export function Countdown({ until }: { until: string }) {
  const left = useSecondsUntil(Date.parse(until));
  return (
    <span aria-hidden className="soft">
      {left > 0 ? `(${formatDuration(left)} left) ` : '(expired) '}
    </span>
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

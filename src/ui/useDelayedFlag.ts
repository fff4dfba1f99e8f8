import { useEffect, useState } from 'react';

const MOMENT_MS = 200;

/** Whether `state` has been true for longer than a moment: what passes at once need not show that it takes time. */
export function useDelayedFlag(state: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!state) return;
    const timer = setTimeout(() => setLasts(true), MOMENT_MS);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [state]);
  return state && lasts;
}

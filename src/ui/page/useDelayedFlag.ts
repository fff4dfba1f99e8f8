import { useEffect, useState } from 'react';

const MOMENT_MS = 200;

/** True once `state` was true for 200 ms: short waits show no indicator. */
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

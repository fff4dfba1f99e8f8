import { useEffect, useState } from 'react';

/** Milliseconds after the last key or pointer event. */
const ACTIVE_FOR = 10 * 60_000;

/** Whether someone used this page recently. Polling stops otherwise, so that idle sessions expire. */
export function useUserActive(): boolean {
  const [isActive, setActive] = useState(true);
  useEffect(() => {
    let timer = setTimeout(setActive, ACTIVE_FOR, false);
    const renew = () => {
      clearTimeout(timer);
      timer = setTimeout(setActive, ACTIVE_FOR, false);
      setActive(true);
    };
    const events = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;
    for (const event of events) window.addEventListener(event, renew, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) window.removeEventListener(event, renew);
    };
  }, []);
  return isActive;
}

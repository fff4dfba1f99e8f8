import { useEffect, useState } from 'react';

/** Milliseconds after the last key or pointer for which somebody is taken to be there. */
const ATTENDED_FOR = 10 * 60_000;

/** Whether somebody used this page lately. What repeats by itself rests else, so that a session ends when it is left alone. */
export function useIsAttended(): boolean {
  const [isAttended, setAttended] = useState(true);
  useEffect(() => {
    let timer = setTimeout(setAttended, ATTENDED_FOR, false);
    const renew = () => {
      clearTimeout(timer);
      timer = setTimeout(setAttended, ATTENDED_FOR, false);
      setAttended(true);
    };
    const events = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;
    for (const event of events) window.addEventListener(event, renew, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) window.removeEventListener(event, renew);
    };
  }, []);
  return isAttended;
}

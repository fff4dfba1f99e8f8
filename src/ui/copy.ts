import { useEffect, useState } from 'react';
import { announce } from './announce.ts';

/** Puts text on the clipboard and says so for two seconds; `state` tells a button what to show. */
export function useCopy(what: string): { state: 'idle' | 'copied' | 'failed'; copy: (text: string) => void } {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = (text: string) => {
    // Absent on plain http from another machine.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('No clipboard'));
    written.then(
      () => {
        setState('copied');
        announce(`Copied ${what}`);
      },
      () => {
        setState('failed');
        announce(`Could not copy ${what}: the browser does not allow it here`);
      },
    );
  };
  return { state, copy };
}

import { useEffect, useState } from 'react';
import { announce } from './announce.ts';

/**
 * Puts `value` on the clipboard and says so for two seconds; `state` tells a button what to show. It is about this value:
 * a button that is given another one has not copied it.
 */
export function useCopy(value: string, what: string): { state: 'idle' | 'copied' | 'failed'; copy: () => void } {
  const [result, setResult] = useState<{ value: string; state: 'copied' | 'failed' } | null>(null);

  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), 2000);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = () => {
    // Absent on plain http from another machine.
    const written = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('No clipboard'));
    written.then(
      () => {
        setResult({ value, state: 'copied' });
        announce(`Copied ${what}`);
      },
      () => {
        setResult({ value, state: 'failed' });
        announce(`Could not copy ${what}: the browser does not allow it here`);
      },
    );
  };
  return { state: result?.value === value ? result.state : 'idle', copy };
}

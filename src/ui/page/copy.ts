import { useEffect, useState } from 'react';
import { announce } from './announce.ts';

export function useCopy(value: string, what: string) {
  const [result, setResult] = useState<{ value: string; state: 'copied' | 'failed' } | null>(null);

  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), 2000);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = () => {
    // Undefined on http, except localhost.
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
  const state = result?.value === value ? result.state : ('idle' as const);
  return { state, copy };
}

import { useEffect, useState } from 'react';
import { announce } from './announce.ts';

/** A text; or a function that reads it once it's asked for, and gives null where nothing is to be copied. */
export type Copied = string | (() => Promise<string | null>);

export function useCopy(value: Copied, what: string) {
  const [result, setResult] = useState<{ value: Copied; state: 'copied' | 'failed' } | null>(null);

  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), 2000);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = () => {
    let isNothing = false;
    // Safari takes what is read after the click only as a promise.
    const read = async (asked: () => Promise<string | null>) => {
      const text = await asked();
      isNothing = text === null;
      if (text === null) throw new Error('Nothing to copy');
      return new Blob([text], { type: 'text/plain' });
    };
    // Undefined on http, except localhost.
    const written =
      typeof value === 'string'
        ? navigator.clipboard?.writeText(value)
        : navigator.clipboard?.write([new ClipboardItem({ 'text/plain': read(value) })]);
    (written ?? Promise.reject(new Error('No clipboard'))).then(
      () => {
        setResult({ value, state: 'copied' });
        announce(`Copied ${what}`);
      },
      () => {
        if (isNothing) return;
        setResult({ value, state: 'failed' });
        announce(`Could not copy ${what}: the browser does not allow it here`);
      },
    );
  };
  const isSame = result !== null && (typeof value === 'function' || result.value === value);
  const state = isSame ? result.state : ('idle' as const);
  return { state, copy };
}

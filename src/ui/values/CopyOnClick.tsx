import type { ReactNode } from 'react';
import classes from './CopyOnClick.module.css';
import { useCopy } from '../page/copy.ts';

type Props = {
  value: string;
  hint: string;
  /** The visible text, with which the accessible name begins (WCAG 2.5.3). */
  words: string;
  /** For the announcement: "time", "host". */
  what: string;
  children: ReactNode;
};

/** A text that shows its exact form on hover and focus, and copies it on click. */
export function CopyOnClick({ value, hint, words, what, children }: Props) {
  const { state, copy } = useCopy(value, what);
  const shown = { idle: hint, copied: 'Copied', failed: 'Can’t copy here' }[state];
  return (
    <button type="button" className={classes.text} onClick={copy} aria-label={`${words}, ${hint}. Copy ${what}`}>
      {children}
      <span className={classes.hint} aria-hidden>
        {shown}
      </span>
    </button>
  );
}

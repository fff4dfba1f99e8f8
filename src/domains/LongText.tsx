import { useState, type ReactNode } from 'react';
import classes from './LongText.module.css';
import { formatCount } from '../ui/formatCount.ts';

/** Characters. A longer text is folded. */
const SHORT = 240;

/** A text of `length` characters, folded to three lines when it is long. `children` is the text. */
export function LongText({ length, children }: { length: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  if (length <= SHORT) return children;
  return (
    <>
      <span className={open ? undefined : classes.folded}>{children}</span>
      <button type="button" className={classes.more} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : `Show all ${formatCount(length)} characters`}
      </button>
    </>
  );
}

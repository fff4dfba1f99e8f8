import { type ReactNode, useState } from 'react';
import { formatCount } from '../../ui/format/formatCount.ts';
import classes from './CopyableField.module.css';

/** Characters. A longer text is folded. */
const SHORT = 240;

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

import { Fragment, type ReactNode, useState } from 'react';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import classes from './CopyableField.module.css';

type Props = {
  label?: string | undefined;
  value: string;
  what: string;
  which: string;
};

export function CopyableField({ label, value, what, which }: Props) {
  return (
    <div className={classes.field}>
      {label !== undefined && <span className={classes.label}>{label}</span>}
      <code className={classes.value}>
        <LongText length={value.length}>{breakAtDots(escapeInvisible(value))}</LongText>
      </code>
      <CopyButton value={value} what={what} which={which} />
    </div>
  );
}

export function OnDemand({ label, which, children }: { label: string; which: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={classes.more}
        aria-expanded={isOpen}
        aria-label={`${label} of ${which}`}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && children}
    </>
  );
}

function breakAtDots(value: string): ReactNode {
  return value.split('.').map((label, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the labels of one value never change places
    <Fragment key={index}>
      {index > 0 && (
        <>
          .<wbr />
        </>
      )}
      {label}
    </Fragment>
  ));
}

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

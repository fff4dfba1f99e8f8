import { Fragment, type ReactNode } from 'react';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import classes from './CopyableField.module.css';
import { DiffValue } from './DiffValue.tsx';
import { LongText } from './LongText.tsx';
import type { DiffPart } from './valueDiff.ts';

type Props = {
  label?: string | undefined;
  value: string;
  what: string;
  which: string;
  /** The value with its differing parts marked. */
  parts?: readonly DiffPart[] | null;
};

export function CopyableField({ label, value, what, which, parts = null }: Props) {
  return (
    <div className={classes.field}>
      {label !== undefined && <span className={classes.label}>{label}</span>}
      {parts === null ? (
        <code className={classes.value}>
          <LongText length={value.length}>{breakAtDots(escapeInvisible(value))}</LongText>
        </code>
      ) : (
        <DiffValue parts={parts} />
      )}
      <CopyButton value={value} what={what} which={which} />
    </div>
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

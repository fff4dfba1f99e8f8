import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Stages.module.css';
import { StorageError } from './bulkStore.ts';
import type { ReadingStep } from './reading/useListReader.ts';
import { useMutation } from '@tanstack/react-query';
import { bulk } from './bulk.ts';
import type { BulkEntry } from './bulkState.ts';

/** The first error of these mutations, which write to the journal. */
export function StorageErrorNotice({ of }: { of: readonly { error: Error | null }[] }) {
  const error = of.map((one) => one.error).find((one) => one !== null);
  return error === undefined ? null : (
    <Notice tone="bad" title="This browser could not store the list">
      Nothing more is sent. {error?.message}
    </Notice>
  );
}

/** Why reading gave no list: nothing could be read, or it could not be stored. */
export function ReadingErrorNotice({ error }: { error: Error | null }) {
  if (error === null) return null;
  if (error instanceof StorageError) return <StorageErrorNotice of={[{ error }]} />;
  return (
    <Notice tone="bad" title="Can’t read this">
      <UntrustedText text={error.message} />
    </Notice>
  );
}

export function ReadingProgress({ step: { text, share } }: { step: ReadingStep }) {
  return (
    <div className={classes.reading}>
      <span role="status" className="note">
        {text} …
      </span>
      <progress className={classes.bar} aria-label={text} value={share} />
    </div>
  );
}

export type SelectEntries = (entries: readonly BulkEntry[], isSelected: boolean) => void;

/** `notice` shows that the selection could not be stored. */
export function useSelection() {
  const { mutate, error } = useMutation({ mutationFn: (saving: Promise<void>) => saving });
  const select: SelectEntries = (entries, isSelected) => mutate(bulk.select(entries, isSelected));
  return { select, notice: <StorageErrorNotice of={[{ error }]} /> };
}

import { useMutation } from '@tanstack/react-query';
import { bulk } from './bulk.ts';
import { StorageErrorNotice } from './BulkNotices.tsx';
import type { BulkEntry } from './bulkState.ts';

export type SelectEntries = (entries: readonly BulkEntry[], isSelected: boolean) => void;

/** `notice` shows that the selection could not be stored. */
export function useSelection() {
  const { mutate, error } = useMutation({ mutationFn: (saving: Promise<void>) => saving });
  const select: SelectEntries = (entries, isSelected) => mutate(bulk.select(entries, isSelected));
  return { select, notice: <StorageErrorNotice of={[{ error }]} /> };
}

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { desk } from './desk.ts';
import type { DeskEntry } from './entry.ts';
import { StorageErrorNotice } from './DeskNotices.tsx';

export type TickEntries = (entries: readonly DeskEntry[], isTicked: boolean) => void;

/** Ticks entries of the list; null where `isAllowed` is false. `notice` shows that they could not be kept. */
export function useTicks(isAllowed: boolean): { tick: TickEntries; notice: ReactNode } | null {
  const { mutate, error } = useMutation({ mutationFn: (saving: Promise<void>) => saving });
  if (!isAllowed) return null;
  return {
    tick: (entries, isTicked) => mutate(desk.tick(entries, isTicked)),
    notice: <StorageErrorNotice of={[{ error }]} />,
  };
}

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { desk } from './desk.ts';
import type { DeskEntry } from './entry.ts';
import { StorageErrorNotice } from './StorageErrorNotice.tsx';

export type TickEntries = (entries: readonly DeskEntry[], isTicked: boolean) => void;

/** Ticks entries of the list; null where `isAllowed` is false. `notice` shows that they could not be kept. */
export function useTicks(isAllowed: boolean): { tick: TickEntries; notice: ReactNode } | null {
  const { mutate, error } = useMutation({
    mutationFn: ({ entries, isTicked }: { entries: readonly DeskEntry[]; isTicked: boolean }) =>
      desk.tick(entries, isTicked),
  });
  if (!isAllowed) return null;
  return {
    tick: (entries, isTicked) => mutate({ entries, isTicked }),
    notice: <StorageErrorNotice of={[{ error }]} />,
  };
}

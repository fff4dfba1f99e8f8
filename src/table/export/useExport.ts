import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { announce } from '../../ui/page/announce.ts';

/** Leaving the page cancels it. `save` returns null if the user chose no file. */
export function useExport<Input, Outcome>(save: (input: Input, signal: AbortSignal) => Promise<Outcome | null>) {
  const running = useRef<AbortController>(null);
  const cancel = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: async (input: Input): Promise<Outcome | 'cancelled' | null> => {
      const control = new AbortController();
      running.current = control;
      try {
        return await save(input, control.signal);
      } catch (cause) {
        if (!control.signal.aborted) throw cause;
        announce('Export cancelled');
        return 'cancelled';
      }
    },
  });
  return { start: mutate, cancel, isPending, error, outcome: data ?? null };
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { Sender, SendingStoppedError, workThrough } from '../../api/sender.ts';
import { liveCheckQuery } from './liveCheck.ts';

/** A check of several domains, by UUID. One is completed when its check has ended or failed. */
export type CheckRun = {
  page: string;
  requested: readonly string[];
  completed: ReadonlySet<string>;
  isRunning: boolean;
  error: string | null;
};

const noRun = (page: string): CheckRun => ({
  page,
  requested: [],
  completed: new Set(),
  isRunning: false,
  error: null,
});

/** Checks many domains, a few at a time. The run stops when `page`, which identifies the domains, changes. */
export function useCheckRun(page: string) {
  const client = useQueryClient();
  const [run, setRun] = useState(() => noRun(page));
  if (run.page !== page) setRun(noRun(page));
  const stopping = useRef<{ page: string; control: AbortController }>(null);

  useEffect(
    () => () => {
      if (stopping.current?.page === page) stopping.current.control.abort();
    },
    [page],
  );

  const start = async (domains: readonly string[], completed: ReadonlySet<string> = new Set()): Promise<void> => {
    // A service may list a domain twice.
    const requested = [...new Set(domains)];
    stopping.current?.control.abort();
    const control = new AbortController();
    stopping.current = { page, control };
    const { signal } = control;
    const sender = new Sender(signal);
    const update = (change: (run: CheckRun) => Partial<CheckRun>) =>
      setRun((now) => (stopping.current?.control === control ? { ...now, ...change(now) } : now));

    setRun({ ...noRun(page), requested, completed, isRunning: true });
    const check = async (domain: string) => {
      try {
        // The sender retries.
        await sender.send(() => client.query({ ...liveCheckQuery(domain), staleTime: 0, retry: false }));
        // A cancelled query resolves with its partial result.
        signal.throwIfAborted();
      } catch (error) {
        if (signal.aborted) return;
        // The row shows an error of this domain only.
        if (error instanceof SendingStoppedError || !(error instanceof ApiError)) {
          update(() => ({ error: (error as Error).message }));
          return control.abort();
        }
      }
      update(({ completed }) => ({ completed: new Set([...completed, domain]) }));
    };
    const open = requested.filter((domain) => !completed.has(domain));
    const cancelChecks = () => {
      for (const domain of open) void client.cancelQueries({ queryKey: liveCheckQuery(domain).queryKey });
    };
    signal.addEventListener('abort', cancelChecks, { once: true });
    await workThrough(open, check, signal);
    update(() => ({ isRunning: false }));
  };

  return { run, start, cancel: () => stopping.current?.control.abort() };
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { Sender, SendingStoppedError, workThrough } from '../../api/sender.ts';
import { liveCheckQuery } from '../check/liveCheck.ts';

/** A check of several domains, by their UUIDs. A domain is completed when its check has ended or failed. */
export type MatrixRun = {
  page: string;
  requested: readonly string[];
  completed: ReadonlySet<string>;
  isRunning: boolean;
  /** Why the run stopped by itself. */
  error: string | null;
};

const noRun = (page: string): MatrixRun => ({
  page,
  requested: [],
  completed: new Set(),
  isRunning: false,
  error: null,
});

/**
 * Checks many domains, a few at a time. The results go into the query cache, as those of the page of a domain. `page`
 * identifies the domains of the page: the run is stopped when it changes and when the component unmounts.
 */
export function useMatrixRun(page: string) {
  const client = useQueryClient();
  const [latest, setRun] = useState(() => noRun(page));
  const stopping = useRef<{ page: string; control: AbortController }>(null);
  const run = latest.page === page ? latest : noRun(page);

  useEffect(
    () => () => {
      if (stopping.current?.page === page) stopping.current.control.abort();
    },
    [page],
  );

  /** Checks the domains, by UUID, that are not `completed`. Resolves when all are, or when the run was stopped. */
  const start = async (domains: readonly string[], completed: ReadonlySet<string> = new Set()): Promise<void> => {
    // A service may list a domain twice.
    const requested = [...new Set(domains)];
    stopping.current?.control.abort();
    const control = new AbortController();
    stopping.current = { page, control };
    const { signal } = control;
    const sender = new Sender(signal);
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    stopped.catch(() => undefined);
    /** The checks in flight that this run has begun, by domain. */
    const begun = new Set<string>();
    const update = (change: (run: MatrixRun) => Partial<MatrixRun>) =>
      setRun((now) => (stopping.current?.control === control ? { ...now, ...change(now) } : now));

    setRun({ ...noRun(page), requested, completed, isRunning: true });
    const ask = async (domain: string): Promise<void> => {
      // The sender retries.
      const query = { ...liveCheckQuery(domain), staleTime: 0, retry: false };
      // One that a watch has begun is only waited for, and goes on after this run.
      if (client.isFetching({ queryKey: query.queryKey }) === 0) begun.add(domain);
      await Promise.race([client.query(query), stopped]).finally(() => begun.delete(domain));
    };
    const check = async (domain: string) => {
      try {
        await sender.send(() => ask(domain));
        // A cancelled query resolves with its partial result.
        signal.throwIfAborted();
      } catch (error) {
        if (signal.aborted) return;
        // An error of this domain only is in the cache and is shown in its row.
        if (error instanceof SendingStoppedError || !(error instanceof ApiError)) {
          update(() => ({ error: (error as Error).message }));
          return control.abort();
        }
      }
      update(({ completed }) => ({ completed: new Set([...completed, domain]) }));
    };
    const cancelBegun = () => {
      for (const domain of begun) void client.cancelQueries({ queryKey: liveCheckQuery(domain).queryKey });
    };
    signal.addEventListener('abort', cancelBegun, { once: true });
    const open = requested.filter((domain) => !completed.has(domain));
    await workThrough(open, check, signal);
    update(() => ({ isRunning: false }));
  };

  return { run, start, cancel: () => stopping.current?.control.abort() };
}

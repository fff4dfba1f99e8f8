import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { checkDomain } from '#contract/additions.ts';
import { ApiError } from '../api/ApiError.ts';
import { SendingStoppedError, AdaptiveSender } from '../api/adaptiveSender.ts';
import { liveCheckQuery } from './liveCheck.ts';

/** A check of several domains. `asked` and `ended` are UUIDs; a domain has ended when its check came to its end or failed. */
export type MatrixRun = {
  page: string;
  requested: readonly string[];
  completed: ReadonlySet<string>;
  isRunning: boolean;
  /** Why it stopped by itself. */
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
 * Checks many domains, a few at a time. Each answer goes where the page of its domain looks for it. `page` says which
 * domains are there to be checked: with other ones, or when the view is left, what runs is stopped.
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

  /** Goes on after those that have `ended`. Resolves when all have, or when it was stopped. */
  const start = async (shown: readonly string[], ended: ReadonlySet<string> = new Set()): Promise<void> => {
    // Another service may list one twice.
    const asked = [...new Set(shown)];
    stopping.current?.control.abort();
    const control = new AbortController();
    stopping.current = { page, control };
    const { signal } = control;
    const sender = new AdaptiveSender();
    const update = (change: (run: MatrixRun) => Partial<MatrixRun>) =>
      setRun((now) => (stopping.current?.control === control ? { ...now, ...change(now) } : now));

    setRun({ ...noRun(page), requested: asked, completed: ended, isRunning: true });
    const check = async (domain: string) => {
      try {
        // The sender tries again, and at its own pace.
        const query = { ...liveCheckQuery(domain), staleTime: 0, retry: false };
        await sender.send(() => client.query(query), signal);
        // A check that is broken off is no failure to the cache, but it has not ended.
        signal.throwIfAborted();
      } catch (error) {
        if (signal.aborted) return;
        // A failure of the domain alone is in the cache, and stands in its row.
        if (error instanceof SendingStoppedError || !(error instanceof ApiError)) {
          update(() => ({ error: (error as Error).message }));
          return control.abort();
        }
      }
      update(({ completed }) => ({ completed: new Set([...completed, domain]) }));
    };
    // What is under way when it stops has no end any more.
    signal.addEventListener('abort', () => void client.cancelQueries({ queryKey: [checkDomain.id] }), { once: true });
    await Promise.all(asked.filter((domain) => !ended.has(domain)).map(check));
    update(() => ({ isRunning: false }));
  };

  return { run, start, cancel: () => stopping.current?.control.abort() };
}

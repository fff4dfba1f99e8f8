import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { describeCheck } from './checkSummary.ts';
import { startWatch, stopWatch, useWatch } from './dnsWatch.ts';
import { liveCheckQuery } from './liveCheck.ts';

/** The live check and the watch of a domain, and what starts and stops them. */
export function useDomainCheck(domain: ReadableDomain) {
  const client = useQueryClient();
  const query = liveCheckQuery(domain.uuid);
  const { data: check, error, failureReason, isFetching, refetch } = useQuery(query);
  const watch = useWatch(domain.uuid);
  const isWatching = watch !== null && watch.now !== 'right';
  // A domain without records cannot become right.
  const canWatch = isWatching || (domain.dns ?? []).length > 0;

  const start = async () => {
    // Removes the state of a watch that has ended, because it is out of date.
    if (!isWatching) stopWatch(client, domain.uuid);
    announce('Asking the DNS');
    // Joins a check that is already running.
    const { data, isSuccess } = await refetch({ cancelRefetch: false });
    if (isSuccess && data.completion !== null) announce(`The DNS was asked: ${describeCheck(domain, data)}`);
  };
  const stop = () => {
    stopWatch(client, domain.uuid);
    void client.cancelQueries({ queryKey: query.queryKey });
    announce('Stopped');
  };
  const toggle = () => (isFetching ? stop() : void start());
  const toggleWatch = () => {
    if (!isWatching) return startWatch(client, domain);
    stopWatch(client, domain.uuid);
    announce('Stopped watching');
  };
  usePageActions([
    { id: 'check-dns', label: isFetching ? 'Stop asking the DNS' : 'Check the DNS now', run: toggle },
    ...(canWatch
      ? [
          {
            id: 'watch-dns',
            label: isWatching ? 'Stop watching the DNS' : 'Watch until the DNS is right',
            run: toggleWatch,
          },
        ]
      : []),
  ]);
  return { check, error, failureReason, isFetching, watch, isWatching, canWatch, start, toggle, toggleWatch };
}

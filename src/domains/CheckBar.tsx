import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { checkDomain } from '#contract/additions.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './CheckBar.module.css';
import { findLatestFindings, liveCheckQuery, type LiveCheck } from './liveCheck.ts';
import { describeCheck, lastUntil } from './checkSummary.ts';
import { startWatch, stopWatch, useWatch } from './dnsWatch.ts';
import { WatchStatus } from './WatchStatus.tsx';

/** Asks the DNS about a domain, once or until it is right, and says how far that is. */
export function CheckBar({ domain }: { domain: ReadableDomain }) {
  const client = useQueryClient();
  const query = liveCheckQuery(domain.uuid);
  const { data: check, error, failureReason, isFetching, refetch } = useQuery(query);
  const watch = useWatch(domain.uuid);
  const isWatching = watch !== null && watch.now !== 'right';
  // Without records there is nothing that could become right.
  const canWatch = isWatching || (domain.dns ?? []).length > 0;

  const start = async () => {
    // Its last word is no longer the last one.
    if (!isWatching) stopWatch(client, domain.uuid);
    announce('Asking the DNS');
    // One that runs already is the one.
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
  return (
    <div className={classes.bar}>
      <div className={classes.line}>
        <Button size="xs" variant={isFetching ? 'default' : 'filled'} className={classes.check} onClick={once(toggle)}>
          {isFetching ? 'Stop' : 'Check now'}
        </Button>
        {canWatch && (
          <Button size="xs" variant="default" className={classes.watch} onClick={once(toggleWatch)}>
            {isWatching ? 'Stop watching' : 'Watch'}
          </Button>
        )}
        <p className={classes.state}>
          <CheckStatus domain={domain} check={check} isFetching={isFetching} retryError={failureReason} />
        </p>
        <CopyCurl endpoint={checkDomain} input={{ domain: domain.uuid }} />
      </div>
      {watch !== null && <WatchStatus watch={watch} until={lastUntil(domain, check)} />}
      {error !== null && !isFetching && <ErrorAlert error={error} onRetry={() => void start()} />}
    </div>
  );
}

/** The second click of a double click would stop what the first began. */
function once(run: () => void): (event: MouseEvent) => void {
  return (event) => event.detail < 2 && run();
}

type CheckStatusProps = {
  domain: ReadableDomain;
  check: LiveCheck | undefined;
  isFetching: boolean;
  /** Why it is tried again. */
  retryError: Error | null;
};

function CheckStatus({ domain, check, isFetching, retryError }: CheckStatusProps) {
  const known = findLatestFindings(domain.dns, check);
  const asked = known.filter((one) => one !== undefined && !one.isEarlier).length;
  if (isFetching && retryError !== null) return <UntrustedText text={`Trying again. ${retryError.message}`} />;
  const count = known.length === 0 ? 'no records to check' : `${asked} of ${known.length} known`;
  if (isFetching) return `Asking the DNS: ${count}.`;
  if (check === undefined) {
    return known.length === 0
      ? 'No records to check; the DNS can be asked for advice.'
      : 'What the DNS says now was not asked yet.';
  }
  if (check.completion === null) return `The check was not finished: ${count}.`;
  return (
    <>
      Asked at <DateTime value={check.completion.checked_at} show="moment" />: {describeCheck(domain, check)}
    </>
  );
}

import { Button } from '@mantine/core';
import { type MouseEvent, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { KeyHint } from '../../ui/KeyHint.tsx';
import classes from './CheckBar.module.css';
import { startWatch, stopWatch, useWatch, notifications, type WatchState } from './dnsWatch.tsx';
import { describeCheck, findLatestFindings, lastUntil, type LiveCheck, liveCheckQuery } from './liveCheck.ts';
import { localMoment, useTimeZone } from '../../ui/format/time.ts';
import { describeWait, formatDuration } from './formatDuration.ts';
import type { ReadReport } from './latestCheck.ts';
import { useSecondsUntil } from './Countdown.tsx';

type CheckBarProps = {
  domain: ReadableDomain;
  /** The latest one, by anybody. */
  check: LiveCheck | undefined;
  report: ReadReport | undefined;
};

/** When the domain was checked, when it will be, and what to do: check, watch. */
export function CheckBar({ domain, check, report }: CheckBarProps) {
  const { live, error, failureReason, isFetching, watch, isWatching, canWatch, start, toggle, toggleWatch } =
    useDomainCheck(domain);
  return (
    <>
      <p className={classes.state}>
        <CheckStatus
          domain={domain}
          check={isFetching || live?.completion === null ? live : check}
          isFetching={isFetching}
          retryError={failureReason}
        />
        {report !== undefined && !isFetching && !isWatching && <NextCheck at={report.next_check_at} />}
      </p>
      <span className={classes.buttons}>
        <Button
          size="xs"
          variant={isFetching ? 'default' : 'filled'}
          className={classes.check}
          aria-keyshortcuts="c"
          rightSection={<KeyHint shortcut="c" />}
          onClick={ignoreDoubleClick(toggle)}
        >
          {isFetching ? 'Stop' : 'Check'}
        </Button>
        {canWatch && (
          <Button
            size="xs"
            variant="default"
            className={classes.watch}
            aria-keyshortcuts="w"
            rightSection={<KeyHint shortcut="w" />}
            onClick={ignoreDoubleClick(toggleWatch)}
          >
            {isWatching ? 'Stop watching' : 'Watch'}
          </Button>
        )}
      </span>
      {watch !== null && <WatchStatus watch={watch} until={lastUntil(domain, check)} />}
      {error !== null && !isFetching && <ErrorAlert error={error} onRetry={() => void start()} />}
    </>
  );
}

/** The second click would stop what the first has started. */
function ignoreDoubleClick(run: () => void): (event: MouseEvent) => void {
  return (event) => event.detail < 2 && run();
}

type CheckStatusProps = {
  domain: ReadableDomain;
  check: LiveCheck | undefined;
  isFetching: boolean;
  /** The error of the last attempt, during a retry. */
  retryError: Error | null;
};

function CheckStatus({ domain, check, isFetching, retryError }: CheckStatusProps) {
  const findings = findLatestFindings(domain.dns, check);
  const checked = findings.filter((one) => one !== undefined && !one.isEarlier).length;
  if (isFetching && retryError !== null) return <UntrustedText text={`Retrying. ${retryError.message}`} />;
  const count = findings.length === 0 ? 'no records to check' : `${checked} of ${findings.length} records`;
  if (isFetching) return `Checking: ${count}.`;
  if (check === undefined) return 'Not checked yet';
  if (check.completion === null) return `The check was interrupted: ${count}.`;
  return (
    <>
      Checked at <DateTime value={check.completion.checked_at} show="moment" />
    </>
  );
}

/** By the service itself. */
function NextCheck({ at }: { at: string | null }) {
  return <> · next check {at === null ? 'soon' : <DateTime value={at} show={(date) => describeWait(date)} />}</>;
}

function useDomainCheck(domain: ReadableDomain) {
  const client = useQueryClient();
  const query = liveCheckQuery(domain.uuid);
  const { data: live, error, failureReason, isFetching, refetch } = useQuery(query);
  const watch = useWatch(domain.uuid);
  const isWatching = watch !== null && watch.now !== 'done';
  // A domain without records can't become OK.
  const canWatch = isWatching || (domain.dns ?? []).length > 0;

  const start = async () => {
    // The state of a watch that has ended is out of date now.
    if (!isWatching) stopWatch(client, domain.uuid);
    announce('Checking');
    // Joins a check that is already running.
    const { data, isSuccess } = await refetch({ cancelRefetch: false });
    if (isSuccess && data.completion !== null) announce(`Checked: ${describeCheck(domain, data)}`);
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
    // Pressed twice, it doesn't stop what it has started.
    { id: 'check-dns', label: 'Check the DNS now', run: () => void start() },
    ...(canWatch
      ? [
          {
            id: 'watch-dns',
            label: isWatching ? 'Stop watching the DNS' : 'Watch until the DNS is OK',
            run: toggleWatch,
          },
        ]
      : []),
  ]);
  return { live, error, failureReason, isFetching, watch, isWatching, canWatch, start, toggle, toggleWatch };
}

type Props = {
  watch: WatchState;
  until: Date | null;
};

function WatchStatus({ watch, until }: Props) {
  const zone = useTimeZone();
  const [permission, setPermission] = useState(notifications);
  if (watch.now === 'done') return <p className={classes.watching}>Watched until all records were OK.</p>;
  return (
    <div className={classes.watching}>
      <p>
        <Next watch={watch} /> {until !== null && `Old responses are cached until ${localMoment(until, zone)}. `}
        Continues while this tab is open, on other pages too
        {permission === 'granted' ? '.' : '; pauses after an hour in the background.'}
      </p>
      {/* A browser asks only once, so only a click requests it. */}
      {permission === 'default' && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void Notification.requestPermission().then(setPermission)}
        >
          Notify me outside this tab
        </Button>
      )}
    </div>
  );
}

function Next({ watch }: { watch: Exclude<WatchState, { now: 'done' }> }) {
  if (watch.now === 'checking') return 'Watching: checking now.';
  if (watch.now === 'paused') return 'Watching paused while this tab was in the background.';
  return <NextCheckTime key={watch.next} next={watch.next} error={watch.error} />;
}

function NextCheckTime({ next, error }: { next: number; error: string | null }) {
  const zone = useTimeZone();
  const left = useSecondsUntil(next);
  return (
    <>
      {error !== null && <UntrustedText text={`The last check failed: ${error} `} />}
      Watching: next check at {localMoment(new Date(next), zone)}
      <span aria-hidden>, in {formatDuration(left)}</span>.
    </>
  );
}

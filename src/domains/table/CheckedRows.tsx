import { Button } from '@mantine/core';
import { useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import { DOMAIN_STATE_WORDS, DOMAIN_STATES } from '#contract/domains/domainState.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { usePageActions, type Action } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { liveCheckQuery, type LiveCheck } from '../check/liveCheck.ts';
import { useCheckRun, type CheckRun } from '../check/useCheckRun.ts';
import classes from './CheckedRows.module.css';
import type { DomainRow, RowCheck } from './rows/domainRow.ts';
import { overlayCheck } from './rows/overlayCheck.ts';
import { checks, NO_CHECKS, type Overlay } from './rows/useRows.ts';

type Props = {
  /** The rows of the page, with what was found live. */
  rows: readonly DomainRow[];
};

/** Checks all domains of the page, and writes what is found into `checks`. */
export function CheckedRows({ rows }: Props) {
  const uuids = [...new Set(rows.map(({ uuid }) => uuid))];
  // An ID of another service may have any character.
  const page = JSON.stringify(uuids);
  const { run, start, cancel } = useCheckRun(page);
  useOverlays(page, run);
  const result = summarizeRun(run, rows);
  const actions = planActions(run, result, uuids, {
    check: (...which) => void start(...which),
    cancel,
  });
  const [main, ...others] = actions as [Action, ...Action[]];
  const isDisabled = uuids.length === 0 && !run.isRunning && !result.isStopped;
  usePageActions(isDisabled ? others : actions);
  useAnnouncedRun(run, result);

  return (
    <section className={classes.checks} aria-label="Check of the domains shown">
      {run.requested.length > 0 && (
        <div className={classes.progress}>
          <p>
            <b>{formatCount(run.completed.size)}</b> of {formatCount(run.requested.length)} checked
            {result.text !== '' && <span className="note">: {result.text}</span>}
          </p>
          {run.isRunning && (
            <progress aria-label="Domains checked" value={run.completed.size} max={run.requested.length} />
          )}
        </div>
      )}
      {others.map((action) => (
        <Button key={action.id} variant="default" size="xs" onClick={action.run}>
          {action.label}
        </Button>
      ))}
      {/* One button for all main actions, so that it keeps the focus. */}
      <Button variant="default" size="xs" disabled={isDisabled} onClick={main.run}>
        {main.label}
      </Button>
      {run.error !== null && (
        <Notice tone="bad" title="The check stopped">
          <UntrustedText text={run.error} />
        </Notice>
      )}
    </section>
  );
}

const listOf = (page: string) => JSON.parse(page) as string[];

/** While the page is shown, its rows show what this tab has checked. */
function useOverlays(page: string, run: CheckRun): void {
  const client = useQueryClient();
  // Keeps the results: the cache drops what nothing shows.
  useQueries({
    queries: listOf(page).map((uuid) => ({ ...liveCheckQuery(uuid), notifyOnChangeProps: [] })),
  });
  useEffect(() => {
    let overlays = new Map<string, KeptOverlay>();
    const write = () => {
      overlays = new Map(
        listOf(page).flatMap((uuid) => {
          const overlay = createOverlay(client, uuid, run, overlays.get(uuid));
          return overlay === null ? [] : [[uuid, overlay]];
        }),
      );
      checks.write({
        overlays: new Map([...overlays].map(([uuid, { apply }]) => [uuid, apply])),
        isRunning: run.isRunning,
      });
    };
    write();
    return client.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === checkDomain.id) write();
    });
  }, [client, page, run]);
  useEffect(() => () => checks.write(NO_CHECKS), []);
}

type KeptOverlay = { check: LiveCheck | undefined; now: RowCheck; apply: Overlay };

/** What a check says about a row; null for nothing. The one `before` stays if it still holds, so that its row isn't rendered again. */
function createOverlay(
  client: QueryClient,
  uuid: string,
  run: CheckRun,
  before: KeptOverlay | undefined,
): KeptOverlay | null {
  const { queryKey } = liveCheckQuery(uuid);
  const check = client.getQueryData(queryKey);
  const state = client.getQueryState(queryKey);
  const isWaiting = run.isRunning && run.requested.includes(uuid) && !run.completed.has(uuid);
  const now: RowCheck =
    state?.fetchStatus === 'fetching' ? 'checking' : isWaiting ? 'waiting' : (state?.error ?? 'idle');
  if (check === undefined && now === 'idle') return null;
  if (before?.check === check && before?.now === now) return before;
  let last: { row: DomainRow; result: DomainRow } | null = null;
  const apply = (row: DomainRow) => {
    if (last?.row !== row) last = { row, result: { ...overlayCheck(row, check), check: now } };
    return last.result;
  };
  return { check, now, apply };
}

/** `left`: domains that aren't checked yet. `failed`: UUIDs of those whose check failed. */
function summarizeRun(run: CheckRun, rows: readonly DomainRow[]) {
  const left = run.requested.length - run.completed.size;
  const done = rows.filter(({ uuid }) => run.completed.has(uuid));
  const failed = done.filter(({ check }) => check instanceof Error).map(({ uuid }) => uuid);
  const counts = DOMAIN_STATES.toReversed().flatMap((state) => {
    const count = done.filter((row) => row.state === state && !(row.check instanceof Error)).length;
    return count === 0 ? [] : `${DOMAIN_STATE_WORDS[state]} ${count}`;
  });
  const text = [...counts, ...(failed.length > 0 ? [`${failed.length} with an error`] : [])].join(', ');
  return { left, failed, isStopped: !run.isRunning && left > 0, text };
}

type RunResult = ReturnType<typeof summarizeRun>;

type Controls = {
  /** Checks the `requested` domains that aren't `completed`; both are UUIDs. */
  check: (requested: readonly string[], completed?: ReadonlySet<string>) => void;
  cancel: () => void;
};

/** The main action first. */
function planActions(
  run: CheckRun,
  { left, failed, isStopped }: RunResult,
  shown: readonly string[],
  { check, cancel }: Controls,
): Action[] {
  if (run.isRunning) return [{ id: 'check-shown', label: 'Cancel the check', run: cancel }];
  const checkAll = {
    id: 'check-shown',
    label: shown.length === 1 ? 'Check the one shown' : `Check all ${shown.length} shown`,
    run: () => check(shown),
  };
  const rest = { id: 'check-rest', label: `Resume (${left} left)`, run: () => check(run.requested, run.completed) };
  const retry = { id: 'check-failed', label: `Retry ${failed.length} with an error`, run: () => check(failed) };
  return [...(isStopped ? [rest] : []), checkAll, ...(failed.length > 0 ? [retry] : [])];
}

function useAnnouncedRun(run: CheckRun, { isStopped, text }: RunResult) {
  const announceRun = useEffectEvent((isRunning: boolean) => {
    if (isRunning) return announce(`Checking ${run.requested.length} domains`);
    const count = `${run.completed.size} of ${run.requested.length} checked`;
    announce(`${isStopped ? 'Stopped. ' : ''}${count}${text === '' ? '' : `: ${text}`}`);
  });
  const hasRun = run.requested.length > 0;
  useEffect(() => {
    if (!hasRun) return;
    // The rows have the last result only after this render.
    const timer = setTimeout(() => announceRun(run.isRunning));
    return () => clearTimeout(timer);
  }, [hasRun, run.isRunning]);
}

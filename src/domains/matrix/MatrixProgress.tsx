import { Button } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { usePageActions, type Action } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { describeResults, type MatrixRow } from './matrix.ts';
import classes from './DomainMatrix.module.css';
import type { CheckState } from './matrixColumns.tsx';
import type { MatrixRun } from './useMatrixRun.ts';

type Props = {
  run: MatrixRun;
  rows: readonly MatrixRow[];
  states: ReadonlyMap<string, CheckState>;
  /** UUIDs of the domains shown. */
  shown: readonly string[];
  /** Checks the `requested` domains without those that are `completed`; both are UUIDs. */
  onCheck: (requested: readonly string[], completed?: ReadonlySet<string>) => void;
  onCancel: () => void;
};

/** Starts, stops and continues the check of all domains shown; shows its progress and its results so far. */
export function MatrixProgress(props: Props) {
  const { run, rows } = props;
  const result = summarizeRun(props);
  const { main, others, isDisabled } = planActions(props, result);
  usePageActions(isDisabled ? others : [main, ...others]);
  useAnnouncedRun(run, result);

  return (
    <section className={classes.run} aria-label="Check of the domains shown">
      {/* One button for all main actions: it keeps the focus when the action changes. */}
      <Button variant={run.isRunning ? 'default' : 'filled'} size="xs" disabled={isDisabled} onClick={main.run}>
        {main.label}
      </Button>
      {others.map((action) => (
        <Button key={action.id} variant="default" size="xs" onClick={action.run}>
          {action.label}
        </Button>
      ))}
      <div className={classes.progress}>
        {run.requested.length === 0 ? (
          <p className="note">
            {describeResults(rows) === ''
              ? 'Showing last saved results. Check to query DNS now.'
              : `Known from checks before: ${describeResults(rows)}.`}
          </p>
        ) : (
          <>
            <p>
              <b>{run.completed.size}</b> of {run.requested.length} checked
              {result.text !== '' && <span className="note">: {result.text}</span>}
            </p>
            <progress aria-label="Domains checked" value={run.completed.size} max={run.requested.length} />
          </>
        )}
      </div>
      {run.error !== null && (
        <Notice tone="bad" title="The check stopped by itself">
          <UntrustedText text={run.error} />
        </Notice>
      )}
    </section>
  );
}

type RunResult = {
  /** Domains that are not checked yet. */
  left: number;
  /** UUIDs of domains whose check failed. */
  failed: readonly string[];
  /** Whether the check was stopped before its end. */
  isStopped: boolean;
  /** "10 right, 1 failed"; empty before the first result. */
  text: string;
};

function summarizeRun({ run, rows, states }: Props): RunResult {
  const left = run.requested.length - run.completed.size;
  const failed = [...run.completed].filter((domain) => states.get(domain) instanceof Error);
  const checked = rows.filter(({ domain }) => run.completed.has(domain.uuid) && !failed.includes(domain.uuid));
  const text = [describeResults(checked), failed.length > 0 && `${failed.length} failed`].filter(Boolean).join(', ');
  return { left, failed, isStopped: !run.isRunning && left > 0, text };
}

type PlannedActions = {
  main: Action;
  others: readonly Action[];
  /** Whether the main action has no domain to check. */
  isDisabled: boolean;
};

function planActions({ run, shown, onCheck, onCancel }: Props, { left, failed, isStopped }: RunResult): PlannedActions {
  const checkAll: Action = {
    id: 'matrix-check',
    label: shown.length === 1 ? 'Check the one shown' : `Check all ${shown.length} shown`,
    run: () => onCheck(shown),
  };
  const resume: Action = {
    id: 'matrix-rest',
    label: `Resume (${left} left)`,
    run: () => onCheck(run.requested, run.completed),
  };
  const cancel: Action = { id: 'matrix-cancel', label: 'Cancel the check', run: onCancel };
  const retry: Action = {
    id: 'matrix-failed',
    label: `Try ${failed.length} failed again`,
    run: () => onCheck(failed),
  };
  if (run.isRunning) return { main: cancel, others: [], isDisabled: false };
  const retries = failed.length > 0 ? [retry] : [];
  if (isStopped) return { main: resume, others: [checkAll, ...retries], isDisabled: false };
  return { main: checkAll, others: retries, isDisabled: shown.length === 0 };
}

function useAnnouncedRun(run: MatrixRun, { isStopped, text }: RunResult) {
  const announceRun = useEffectEvent((isRunning: boolean) => {
    if (isRunning) return announce(`Checking ${run.requested.length} domains`);
    const count = `${run.completed.size} of ${run.requested.length} checked`;
    announce(`${isStopped ? 'Stopped. ' : ''}${count}${text === '' ? '' : `: ${text}`}`);
  });
  const hasRun = run.requested.length > 0;
  useEffect(() => {
    if (hasRun) announceRun(run.isRunning);
  }, [hasRun, run.isRunning]);
}

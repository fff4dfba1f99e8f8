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
  shown: readonly string[];
  /** Checks the `requested` domains that aren't `completed`; both are UUIDs. */
  onCheck: (requested: readonly string[], completed?: ReadonlySet<string>) => void;
  onCancel: () => void;
};

export function MatrixProgress(props: Props) {
  const { run, rows } = props;
  const result = summarizeRun(props);
  const actions = planActions(props, result);
  const [main, ...others] = actions as [Action, ...Action[]];
  const isDisabled = props.shown.length === 0 && !run.isRunning && !result.isStopped;
  usePageActions(isDisabled ? others : actions);
  useAnnouncedRun(run, result);

  return (
    <section className={classes.run} aria-label="Check of the domains shown">
      {/* One button for all main actions, so that it keeps the focus. */}
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
              : `From earlier checks: ${describeResults(rows)}.`}
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
        <Notice tone="bad" title="The check stopped">
          <UntrustedText text={run.error} />
        </Notice>
      )}
    </section>
  );
}

/** `left`: domains that aren't checked yet. `failed`: UUIDs of those whose check failed. */
function summarizeRun({ run, rows, states }: Props) {
  const left = run.requested.length - run.completed.size;
  const failed = [...run.completed].filter((domain) => states.get(domain) instanceof Error);
  const checked = rows.filter(({ domain }) => run.completed.has(domain.uuid) && !failed.includes(domain.uuid));
  const errors = failed.length > 0 && `${failed.length} with an error`;
  const text = [describeResults(checked), errors].filter(Boolean).join(', ');
  return { left, failed, isStopped: !run.isRunning && left > 0, text };
}

type RunResult = ReturnType<typeof summarizeRun>;

/** The main action first. */
function planActions({ run, shown, onCheck, onCancel }: Props, { left, failed, isStopped }: RunResult): Action[] {
  const checkAll = {
    id: 'matrix-check',
    label: shown.length === 1 ? 'Check the one shown' : `Check all ${shown.length} shown`,
    run: () => onCheck(shown),
  };
  const rest = { id: 'matrix-rest', label: `Resume (${left} left)`, run: () => onCheck(run.requested, run.completed) };
  const retry = { id: 'matrix-failed', label: `Retry ${failed.length} with an error`, run: () => onCheck(failed) };
  if (run.isRunning) return [{ id: 'matrix-cancel', label: 'Cancel the check', run: onCancel }];
  return [...(isStopped ? [rest] : []), checkAll, ...(failed.length > 0 ? [retry] : [])];
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

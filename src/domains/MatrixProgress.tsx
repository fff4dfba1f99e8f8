import { Button } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { describeResults, type MatrixRow } from './matrix.ts';
import classes from './DomainMatrix.module.css';
import type { CheckState } from './matrixContext.ts';
import type { MatrixRun } from './useMatrixRun.ts';

type Props = {
  run: MatrixRun;
  rows: readonly MatrixRow[];
  states: ReadonlyMap<string, CheckState>;
  /** UUIDs of the domains shown. */
  shown: readonly string[];
  onCheck: (asked: readonly string[], ended?: ReadonlySet<string>) => void;
  onCancel: () => void;
};

/** Checks all domains shown: how far it is, what came out so far, the way to stop it and to go on. */
export function MatrixProgress({ run, rows, states, shown, onCheck, onCancel }: Props) {
  const left = run.requested.length - run.completed.size;
  const failed = [...run.completed].filter((domain) => states.get(domain) instanceof Error);
  const isCut = !run.isRunning && left > 0;
  const ended = rows.filter(({ domain }) => run.completed.has(domain.uuid) && !failed.includes(domain.uuid));
  const results = [describeResults(ended), failed.length > 0 && `${failed.length} failed`].filter(Boolean).join(', ');

  const all = {
    id: 'fleet-check',
    label: shown.length === 1 ? 'Check the one shown' : `Check all ${shown.length} shown`,
    run: () => onCheck(shown),
  };
  const goOn = {
    id: 'fleet-rest',
    label: `Go on with the other ${left}`,
    run: () => onCheck(run.requested, run.completed),
  };
  const stop = { id: 'fleet-cancel', label: 'Cancel the check', run: onCancel };
  const again = { id: 'fleet-failed', label: `Try ${failed.length} failed again`, run: () => onCheck(failed) };
  const main = run.isRunning ? stop : isCut ? goOn : all;
  const others = run.isRunning ? [] : [...(isCut ? [all] : []), ...(failed.length > 0 ? [again] : [])];
  const isNothing = main === all && shown.length === 0;
  usePageActions(isNothing ? others : [main, ...others]);

  const sum = `${run.completed.size} of ${run.requested.length} checked${results === '' ? '' : `: ${results}`}`;
  const say = useEffectEvent((isRunning: boolean) =>
    announce(isRunning ? `Checking ${run.requested.length} domains` : `${isCut ? 'Stopped. ' : ''}${sum}`),
  );
  const hasRun = run.requested.length > 0;
  useEffect(() => {
    if (hasRun) say(run.isRunning);
  }, [hasRun, run.isRunning]);

  return (
    <section className={classes.run} aria-label="Check of the domains shown">
      {/* One and the same button, so that it keeps the focus when it becomes another. */}
      <Button variant={run.isRunning ? 'default' : 'filled'} size="xs" disabled={isNothing} onClick={main.run}>
        {main.label}
      </Button>
      {others.map((action) => (
        <Button key={action.id} variant="default" size="xs" onClick={action.run}>
          {action.label}
        </Button>
      ))}
      <div className={classes.progress}>
        {run.requested.length === 0 ? (
          <p className={classes.soft}>
            {describeResults(rows) === ''
              ? 'Nothing is checked yet: what is shown is stored. A check asks the DNS now.'
              : `Known from checks before: ${describeResults(rows)}.`}
          </p>
        ) : (
          <>
            <p>
              <b>{run.completed.size}</b> of {run.requested.length} checked
              {results !== '' && <span className={classes.soft}>: {results}</span>}
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

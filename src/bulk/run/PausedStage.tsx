import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { usePageActions } from '../../ui/page/actions.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { desk } from '../desk.ts';
import { StorageErrorNotice } from '../DeskNotices.tsx';
import classes from '../DeskStages.module.css';
import { countWork, type DeskStateIn } from '../deskState.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { useLostFocus } from '../useLostFocus.ts';
import { useRun } from './useRun.tsx';

/** A run or an undo that was paused, was interrupted by the end of its tab, or stopped because of an error. */
export function PausedStage({ state }: { state: DeskStateIn<'paused'> }) {
  const { error, list } = state;
  const run = useRun(list.workspace);
  const end = useMutation({ mutationFn: () => desk.end() });
  const { left, done } = countWork(state);
  const label = `Resume (${formatCount(left)} left)`;
  usePageActions([
    { id: 'desk-resume', label, run: run.resume },
    { id: 'desk-end', label: 'Finish now', run: () => end.mutate() },
  ]);
  const resume = useLostFocus<HTMLButtonElement>();
  const title = list.stage === 'undo' ? 'Undo paused' : 'Paused';
  return (
    <section className={classes.stage} aria-label={title}>
      <Notice
        tone={error === null ? 'warn' : 'bad'}
        title={error === null ? title : 'Stopped because of an error'}
        actions={
          <>
            <Button
              ref={resume}
              color={list.stage === 'undo' ? undefined : 'red'}
              loading={run.mutation.isPending}
              onClick={run.resume}
            >
              {label}
            </Button>
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
              Finish now
            </Button>
          </>
        }
      >
        {error !== null && <UntrustedText text={`${error} `} />}
        {formatCount(done)} done, {formatCount(left)} left. Unconfirmed requests are retried; repeating is harmless.
      </Notice>
      {run.field}
      <StorageErrorNotice of={[run.mutation, end]} />
    </section>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePageActions } from '../ui/actions.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';
import type { DeskList, DeskSnapshot } from './deskState.ts';
import { FINISHED_STATUSES, sumCounts, UNSENT_STATUSES } from './entry.ts';
import { formatCount } from '../ui/formatCount.ts';
import { StorageErrorNotice } from './StorageErrorNotice.tsx';
import { useRun } from './useRun.tsx';

/** A run that was paused, was interrupted by the end of its tab, or stopped because of an error. */
export function PausedStage({ snapshot: { counts, error }, list }: { snapshot: DeskSnapshot; list: DeskList }) {
  const run = useRun(list.workspace);
  const end = useMutation({ mutationFn: () => desk.end() });
  const left = sumCounts(counts, UNSENT_STATUSES);
  usePageActions([{ id: 'desk-resume', label: `Go on with ${formatCount(left)}`, run: run.start }]);
  const resume = useRef<HTMLButtonElement>(null);
  useEffect(() => resume.current?.focus(), []);
  return (
    <section className={classes.stage} aria-label="Paused">
      <Notice
        tone={error === null ? 'warn' : 'bad'}
        title={error === null ? 'Paused' : 'Stopped by itself'}
        actions={
          <>
            <Button ref={resume} color="red" loading={run.mutation.isPending} onClick={run.start}>
              Go on with {formatCount(left)}
            </Button>
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
              End it here
            </Button>
          </>
        }
      >
        {error !== null && <UntrustedText text={`${error} `} />}
        {formatCount(sumCounts(counts, FINISHED_STATUSES))} are done, {formatCount(left)} are left. What was under way
        is sent again, which changes nothing twice.
      </Notice>
      {run.field}
      <StorageErrorNotice of={[run.mutation, end]} />
    </section>
  );
}

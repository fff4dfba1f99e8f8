import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '../../session/useSession.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { Notice } from '../../ui/Notice.tsx';
import { textParam, useUrlState } from '../../url/urlState.ts';
import { bulk } from '../bulk.ts';
import { ReadingErrorNotice, ReadingProgress } from '../BulkNotices.tsx';
import type { BulkState } from '../bulkState.ts';
import { readKeptRun } from './takeRun.ts';

const PARAMS = { run: textParam };

/** The run that a link opens. It becomes the list if there is none; otherwise it asks. */
export function IncomingRun({ state }: { state: BulkState }) {
  const [{ run }, setUrl] = useUrlState(PARAMS);
  const { workspace_uuid: workspace } = useSession();
  const [share, setShare] = useState(0);
  const drop = () => setUrl({ run: '' }, { replace: true });
  const take = useMutation({
    mutationFn: () => bulk.takeRun(() => readKeptRun(run, workspace ?? '', setShare)),
    onSuccess: (isTaken) => isTaken && drop(),
  });
  const isHere = 'entries' in state && 'run' in state.list && state.list.run === run;
  const isFree = run !== '' && state.phase === 'empty';
  const begin = useEffectEvent(() => (isHere ? drop() : take.mutate()));
  useEffect(() => {
    if (isFree || (isHere && run !== '')) begin();
  }, [isFree, isHere, run]);

  if (run === '') return null;
  if (take.isPending) return <ReadingProgress step={{ text: 'Opening the run', share }} />;
  if (take.isError) return <ReadingErrorNotice error={take.error} />;
  if (!('entries' in state) || isHere) return null;
  const isBusy = state.phase === 'running' || state.phase === 'checking';
  return (
    <Notice
      tone="neutral"
      title="This browser has another list"
      actions={
        <>
          {!isBusy && (
            <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={() => take.mutate()}>
              Replace it by the run
            </Button>
          )}
          <Button ref={refocusOnRemoval} size="xs" variant="subtle" onClick={drop}>
            Keep this list
          </Button>
        </>
      }
    >
      {isBusy
        ? 'You can open the run when this list is finished.'
        : 'The run takes its place. Its receipt is deleted here.'}
    </Notice>
  );
}

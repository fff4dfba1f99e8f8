import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { Notice } from '../../ui/Notice.tsx';
import { bulk } from '../bulk.ts';
import { StorageErrorNotice } from '../BulkNotices.tsx';
import type { BulkState } from '../bulkState.ts';
import { handedTextQuery } from '../handedText.ts';

/** A list that was pasted on another page, while there is one here. Without one, its input reads it. */
export function IncomingText({ state }: { state: BulkState }) {
  const client = useQueryClient();
  const { data: text } = useQuery(handedTextQuery);
  const replace = useMutation({ mutationFn: () => bulk.discard() });
  if (text === '' || !('entries' in state)) return null;
  const canReplace = state.phase === 'plan';
  return (
    <Notice
      tone="neutral"
      title="The list you pasted"
      actions={
        <>
          {canReplace && (
            <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={() => replace.mutate()}>
              Replace this list
            </Button>
          )}
          <Button
            ref={refocusOnRemoval}
            size="xs"
            variant="subtle"
            onClick={() => client.setQueryData(handedTextQuery.queryKey, '')}
          >
            Keep this list as it is
          </Button>
        </>
      }
    >
      {canReplace ? 'There is already a list.' : 'It’s read when you start a new list.'}
      <StorageErrorNotice of={[replace]} />
    </Notice>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../api/FormDialog.tsx';
import { usePageActions } from '../ui/page/actions.ts';
import { bulk } from './bulk.ts';
import { StorageErrorNotice } from './BulkNotices.tsx';

/** Deletes the list. With `isLoss` it asks first, because the receipt was not downloaded. */
export function StartOver({ isLoss = false }: { isLoss?: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const discard = useMutation({ mutationFn: () => bulk.discard() });
  const start = () => (isLoss ? setIsAsking(true) : discard.mutate());
  const confirm = () => {
    setIsAsking(false);
    discard.mutate();
  };
  usePageActions([{ id: 'bulk-new', label: 'New list', run: start }]);
  return (
    <>
      <Button variant="default" size="xs" loading={discard.isPending} onClick={start}>
        New list
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Delete this list and its receipt?"
          act="Delete it"
          cancel="Keep it"
          onSubmit={confirm}
          onClose={() => setIsAsking(false)}
        >
          <p>The receipt was not downloaded. After deleting, this browser can’t show who was on the list.</p>
        </ConfirmDialog>
      )}
      <StorageErrorNotice of={[discard]} />
    </>
  );
}

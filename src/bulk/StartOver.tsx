import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageActions } from '../ui/page/actions.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { FormButtons } from '../ui/Form.tsx';
import { desk } from './desk.ts';
import classes from './DeskStages.module.css';
import { StorageErrorNotice } from './StorageErrorNotice.tsx';

/** Deletes the list. With `isLoss` it asks first, because the receipt was not downloaded. */
export function StartOver({ isLoss = false }: { isLoss?: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const discard = useMutation({ mutationFn: () => desk.discard() });
  const start = () => (isLoss ? setIsAsking(true) : discard.mutate());
  usePageActions([{ id: 'desk-new', label: 'New list', run: start }]);
  return (
    <>
      <Button variant="default" size="xs" loading={discard.isPending} onClick={start}>
        New list
      </Button>
      {isAsking && (
        <Dialog title="Delete this list and its receipt?" onClose={() => setIsAsking(false)}>
          <p className={classes.question}>
            The receipt was not downloaded. After deleting, this browser cannot show who was on the list.
          </p>
          <FormButtons>
            <Button variant="default" onClick={() => setIsAsking(false)}>
              Keep it
            </Button>
            <Button color="red" onClick={() => discard.mutate()}>
              Delete it
            </Button>
          </FormButtons>
        </Dialog>
      )}
      <StorageErrorNotice of={[discard]} />
    </>
  );
}

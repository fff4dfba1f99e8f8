import { Button, TextInput } from '@mantine/core';
import { REASON_MAX, Resubscription } from '#contract/change.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form, FormButtons } from '../../ui/Form.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { useForm } from '../../ui/useForm.ts';
import classes from '../DeskStages.module.css';

const REASON = 'Undo of a bulk unsubscribe';

type Props = { count: number; onClose: () => void; onConfirm: (reason: string) => void };

/** Asks before a run is undone, for the reason that will be recorded. */
export function ConfirmUndo({ count, onClose, onConfirm }: Props) {
  const form = useForm({ reason: REASON }, ({ reason }) =>
    Resubscription.safeParse({ reason }).success ? {} : { reason: `Enter a reason of 1 to ${REASON_MAX} characters.` },
  );
  const confirm = () =>
    form.submit(({ reason }) => {
      onClose();
      onConfirm(reason.trim());
    });
  return (
    <Dialog title={`Subscribe ${formatCount(count)} ${count === 1 ? 'contact' : 'contacts'} again?`} onClose={onClose}>
      <Form onSubmit={confirm}>
        <div className={classes.question}>
          <p>
            Only contacts that this list unsubscribed are subscribed again. Those that were already unsubscribed, whose
            subscription was changed since, or of whom the history does not tell that this list did it, stay as they
            are.
          </p>
        </div>
        <TextInput
          className={classes.field}
          label="Reason"
          description="Recorded with each change."
          required
          autoComplete="off"
          {...form.field('reason')}
        />
        <FormButtons>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Subscribe {formatCount(count)} again</Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}

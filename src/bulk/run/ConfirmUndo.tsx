import { TextInput } from '@mantine/core';
import { REASON_MAX, Resubscription } from '#contract/change.ts';
import { FormDialog } from '../../api/FormDialog.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { useForm } from '../../ui/useForm.ts';

const REASON = 'Undo of a bulk unsubscribe';

type Props = { count: number; onClose: () => void; onConfirm: (reason: string) => void };

/** Asks before a run is undone, for the reason to record. */
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
    <FormDialog
      title={`Subscribe ${formatCount(count)} ${count === 1 ? 'contact' : 'contacts'} again?`}
      act={`Subscribe ${formatCount(count)} again`}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>
        Only contacts that this list unsubscribed are subscribed again. Contacts that were already unsubscribed, have
        changed since, or can’t be confirmed are left unchanged.
      </p>
      <TextInput
        label="Reason"
        description="Recorded with each change."
        required
        autoComplete="off"
        {...form.field('reason')}
      />
    </FormDialog>
  );
}

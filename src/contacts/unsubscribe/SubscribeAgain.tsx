import { TextInput } from '@mantine/core';
import { subscribeContact, REASON_MAX } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { FormDialog } from '../../api/FormDialog.tsx';
import { personAddress, personName } from '../../identity/person.ts';
import { useUnsavedDraft } from '../../session/unsavedDrafts.ts';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import type { useSubscribe } from '../mutations.ts';

type Props = {
  record: ReadableContact;
  workspace: string;
  /** Owned by the page: closing the dialog doesn't cancel it. */
  subscribe: ReturnType<typeof useSubscribe>;
  onClose: () => void;
  onDone: () => void;
};

export function SubscribeAgain({ record, workspace, subscribe, onClose, onDone }: Props) {
  const { values, isValid, field, submit } = useForm({ reason: '' }, validate);
  const { reason } = values;
  useUnsavedDraft(reason.trim() !== '' && !subscribe.isSuccess);
  const name = personName(record);
  const address = personAddress(record);
  return (
    <FormDialog
      title={
        <>
          Subscribe <UntrustedText text={name} /> again?
        </>
      }
      act="Subscribe again"
      call={subscribe}
      curl={
        <CopyCurl
          endpoint={subscribeContact}
          input={isValid ? { workspace, contact: record.uuid, body: { reason: reason.trim() } } : null}
        />
      }
      onSubmit={() => submit(() => subscribe.mutate({ workspace, reason }, { onSuccess: onDone }))}
      onClose={onClose}
    >
      <p>
        <UntrustedText text={address === '' ? 'This contact' : address} /> will receive mail from this workspace again.{' '}
        <strong>Only with their consent</strong>: they asked for it, or the unsubscribe was a mistake.
      </p>
      <TextInput
        label="Reason"
        description={`Recorded with the change, for example “Asked by phone, ticket 4711”. At most ${REASON_MAX} characters.`}
        required
        autoComplete="off"
        {...field('reason')}
      />
    </FormDialog>
  );
}

const validate = ({ reason }: { reason: string }) => ({
  reason: findTextError(reason, REASON_MAX, 'Enter a reason. It’s recorded with the change.'),
});

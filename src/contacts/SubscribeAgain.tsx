import { Button, TextInput } from '@mantine/core';
import { subscribeContact, REASON_MAX } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Form, FormButtons } from '../ui/Form.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { useForm } from '../ui/useForm.ts';
import { personAddress, personName } from '../contact/person.ts';
import { useUnsavedWarning } from '../session/unsavedDrafts.ts';
import type { useSubscribe } from './mutations.ts';
import classes from './Unsubscribe.module.css';

type Props = {
  record: ReadableContact;
  workspace: string;
  /** Held by the page, so that closing the dialog does not cancel it. */
  subscribe: ReturnType<typeof useSubscribe>;
  onClose: () => void;
  onDone: () => void;
};

/** Asks before a contact is subscribed again: names them, and requires the reason that will be recorded. */
export function SubscribeAgain({ record, workspace, subscribe, onClose, onDone }: Props) {
  const { values, field, submit } = useForm({ reason: '' }, validate);
  const { reason } = values;
  useUnsavedWarning(reason.trim() !== '' && !subscribe.isSuccess);
  const name = personName(record);
  const address = personAddress(record);

  const send = () => subscribe.mutate({ workspace, reason }, { onSuccess: onDone });
  return (
    <Dialog
      title={
        <>
          Subscribe <UntrustedText text={name} /> again?
        </>
      }
      onClose={onClose}
    >
      <Form className={classes.form} onSubmit={() => submit(send)}>
        <p>
          <UntrustedText text={address === '' ? 'This contact' : address} /> will receive mail from this workspace
          again. <strong>Only with their consent</strong>: because they asked for it, or because the unsubscribe was a
          mistake.
        </p>
        <TextInput
          label="Reason"
          description={`Recorded with the change, as in “Asked for it by phone, ticket 4711”. At most ${REASON_MAX} characters.`}
          required
          autoComplete="off"
          {...field('reason')}
        />
        {subscribe.isError && <ErrorAlert error={subscribe.error} />}
        <FormButtons>
          <CopyCurl
            endpoint={subscribeContact}
            input={
              validate(values).reason === undefined
                ? { workspace, contact: record.uuid, body: { reason: reason.trim() } }
                : null
            }
          />
          <Button variant="default" onClick={onClose}>
            {subscribe.isPending ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" loading={subscribe.isPending}>
            Subscribe again
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}

function validate(values: { reason: string }): { reason?: string } {
  const { length } = values.reason.trim();
  if (length === 0) return { reason: 'Say why. The reason is recorded with the change.' };
  const excess = length - REASON_MAX;
  return excess > 0 ? { reason: `This reason has ${length} characters, ${excess} too many.` } : {};
}

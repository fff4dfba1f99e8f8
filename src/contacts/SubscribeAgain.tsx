import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { subscribeContact } from '#contract/additions.ts';
import { REASON_MAX } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import type { useSubscribe } from './mutations.ts';
import { personAddress, personName } from './person.ts';
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
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const name = personName(record);
  const address = personAddress(record);
  const excess = reason.trim().length - REASON_MAX;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') return setError('Say why. The reason is recorded with the change.');
    if (excess > 0) return setError(`This reason has ${reason.trim().length} characters, ${excess} too many.`);
    subscribe.mutate({ workspace, reason }, { onSuccess: onDone });
  };
  return (
    <Dialog title={`Subscribe ${name} again?`} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p>
          <UntrustedText text={address === '' ? 'This contact' : address} /> gets mail from this workspace again.{' '}
          <strong>Only with their consent</strong>: because they asked for it, or because the unsubscribe was a mistake.
        </p>
        <TextInput
          label="Reason"
          description={`Recorded with the change, as in “Asked for it by phone, ticket 4711”. At most ${REASON_MAX} characters.`}
          required
          value={reason}
          error={error}
          autoComplete="off"
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setError(undefined);
          }}
        />
        {subscribe.isError && <ErrorAlert error={subscribe.error} />}
        <div className={classes.buttons}>
          <CopyCurl
            endpoint={subscribeContact}
            input={
              reason.trim() === '' || excess > 0
                ? null
                : { workspace, contact: record.uuid, body: { reason: reason.trim() } }
            }
          />
          <Button variant="default" onClick={onClose}>
            {subscribe.isPending ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" loading={subscribe.isPending}>
            Subscribe again
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { subscribeContact } from '#contract/additions.ts';
import { REASON_MAX } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { announce } from '../ui/announce.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { GivenText } from '../ui/GivenText.tsx';
import { hideToast } from '../ui/Toast.tsx';
import { useSubscribe } from './mutations.ts';
import { personAddress, personName } from './person.ts';
import classes from './Unsubscribe.module.css';

type Props = { known: ReadableContact; workspace: string; onClose: () => void; onDone: () => void };

/** Asks before somebody gets mail again: names them, says what it takes, and wants the reason that will be on record. */
export function SubscribeAgain({ known, workspace, onClose, onDone }: Props) {
  const subscribe = useSubscribe(known.uuid);
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string>();
  const name = personName(known);
  const address = personAddress(known);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') return setFault('Say why. The reason is recorded with the change.');
    subscribe.mutate(
      { workspace, reason },
      {
        onSuccess: () => {
          // One that still offers to undo the unsubscribe.
          hideToast();
          announce(`${name} is subscribed again`);
          onDone();
        },
      },
    );
  };
  return (
    <Dialog title={`Subscribe ${name} again?`} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p>
          <GivenText text={address === '' ? 'This contact' : address} /> gets mail from this workspace again.{' '}
          <strong>Only with their consent</strong>: because they asked for it, or because the unsubscribe was a mistake.
        </p>
        <TextInput
          label="Reason"
          description="Recorded with the change, as in “Asked for it by phone, ticket 4711”."
          required
          value={reason}
          error={fault}
          maxLength={REASON_MAX}
          autoComplete="off"
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setFault(undefined);
          }}
        />
        {subscribe.isError && <ErrorAlert error={subscribe.error} />}
        <div className={classes.buttons}>
          <CopyCurl
            endpoint={subscribeContact}
            input={reason.trim() === '' ? null : { workspace, contact: known.uuid, body: { reason: reason.trim() } }}
          />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={subscribe.isPending}>
            Subscribe again
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

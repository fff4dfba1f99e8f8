import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { findPathSegmentError } from '#contract/endpoint.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useSession } from '../session/useSession.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import type { useUnsubscribe } from './mutations.ts';
import { personAddress, personName } from './person.ts';
import classes from './Unsubscribe.module.css';

type Props = {
  contact: string;
  record: ReadableContact | undefined;
  /** Held by the page, so that closing the dialog does not cancel it. */
  unsubscribe: ReturnType<typeof useUnsubscribe>;
  onClose: () => void;
  onDone: () => void;
};

/** Asks before a contact is unsubscribed, by name; also for the workspace ID where the service does not tell it. */
export function ConfirmUnsubscribe({ contact, record, unsubscribe, onClose, onDone }: Props) {
  const session = useSession();
  const [workspace, setWorkspace] = useState(session.workspace_uuid ?? '');
  const [error, setError] = useState<string>();
  const name = record === undefined ? escapeHidden(contact) : personName(record);
  const address = record === undefined ? '' : personAddress(record);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (findPathSegmentError(workspace.trim()) !== null)
      return setError('Unsubscribing needs the ID of the workspace.');
    unsubscribe.mutate(workspace.trim(), { onSuccess: onDone });
  };
  return (
    <Dialog title={`Unsubscribe ${name}?`} onClose={onClose}>
      <form className={classes.form} onSubmit={submit}>
        <p>
          {address !== '' && address !== name ? (
            <>
              <UntrustedText text={address} /> gets no more mail from this workspace.
            </>
          ) : (
            'No more mail is sent from this workspace.'
          )}{' '}
          The record and its history stay.
        </p>
        {session.workspace_uuid === null && (
          <TextInput
            label="Workspace ID"
            description="The service does not tell it, and unsubscribing needs it."
            value={workspace}
            error={error}
            onChange={(event) => setWorkspace(event.currentTarget.value)}
          />
        )}
        {unsubscribe.isError && <ErrorAlert error={unsubscribe.error} />}
        <div className={classes.buttons}>
          <CopyCurl endpoint={unsubscribeContact} input={{ workspace: workspace.trim(), contact }} />
          <Button variant="default" onClick={onClose}>
            {unsubscribe.isPending ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" color="red" loading={unsubscribe.isPending}>
            Unsubscribe
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

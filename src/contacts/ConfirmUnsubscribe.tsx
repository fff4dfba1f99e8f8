import { Button } from '@mantine/core';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useWorkspaceForm } from '../session/WorkspaceIdField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Form, FormButtons } from '../ui/Form.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { personAddress, personName } from '../contact/person.ts';
import type { useUnsubscribe } from './mutations.ts';
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
  const { workspace, field, submit } = useWorkspaceForm();
  const name = record === undefined ? escapeHidden(contact) : personName(record);
  const address = record === undefined ? '' : personAddress(record);

  const send = (id: string) => unsubscribe.mutate(id, { onSuccess: onDone });
  return (
    <Dialog
      title={
        <>
          Unsubscribe <UntrustedText text={name} />?
        </>
      }
      onClose={onClose}
    >
      <Form className={classes.form} onSubmit={() => submit(send)}>
        <p>
          {address !== '' && address !== name ? (
            <>
              <UntrustedText text={address} /> will no longer receive mail from this workspace.
            </>
          ) : (
            'They will no longer receive mail from this workspace.'
          )}{' '}
          The record and its history are kept.
        </p>
        {field}
        {unsubscribe.isError && <ErrorAlert error={unsubscribe.error} />}
        <FormButtons>
          <CopyCurl endpoint={unsubscribeContact} input={{ workspace, contact }} />
          <Button variant="default" onClick={onClose}>
            {unsubscribe.isPending ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" color="red" loading={unsubscribe.isPending}>
            Unsubscribe
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}

import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { useWorkspaceForm } from '../../session/WorkspaceIdField.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { personAddress, personName } from '../../identity/person.ts';
import type { useUnsubscribe } from '../mutations.ts';

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
  return (
    <ConfirmDialog
      title={
        <>
          Unsubscribe <UntrustedText text={name} />?
        </>
      }
      act="Unsubscribe"
      call={unsubscribe}
      curl={<CopyCurl endpoint={unsubscribeContact} input={{ workspace, contact }} />}
      onSubmit={() => submit((id) => unsubscribe.mutate(id, { onSuccess: onDone }))}
      onClose={onClose}
    >
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
    </ConfirmDialog>
  );
}

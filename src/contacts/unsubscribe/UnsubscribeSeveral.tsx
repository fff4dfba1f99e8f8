import { useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { personAddress, personName } from '../../identity/person.ts';
import { useWorkspaceForm } from '../../session/WorkspaceIdField.tsx';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { useUnsubscribeSeveral } from '../mutations.ts';
import { toNamed } from './NotDone.tsx';
import { offerUndo } from './UndoUnsubscribe.tsx';
import classes from '../SamePerson.module.css';

type Props = { question: string; contacts: readonly ReadableContact[]; onClose: () => void };

/** Asks before several contacts are unsubscribed, by name, and tells the result of each. Closes when all are done, and offers to undo it. */
export function UnsubscribeSeveral({ question, contacts, onClose }: Props) {
  const { field, submit } = useWorkspaceForm();
  const client = useQueryClient();
  const canUndo = [useCapability(listContactChanges), useCapability(subscribeContact)].every(Boolean);
  const { mutate, isPending, results } = useUnsubscribeSeveral((done, workspace, inToast) => {
    const isDone = done.length === contacts.length;
    // The toast says it, but not while the dialog is open.
    if (!canUndo || (!isDone && inToast.length === 0))
      announce(`${formatCount(done.length)} of ${formatCount(contacts.length)} contacts are unsubscribed`);
    if (isDone) {
      // What had the focus before may be gone.
      flushSync(onClose);
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
    }
    if (canUndo) void offerUndo(client, done, workspace, inToast);
  });
  return (
    <ConfirmDialog
      title={question}
      act={results.size > 0 && !isPending ? 'Try again' : 'Unsubscribe'}
      cancel={results.size > 0 ? 'Close' : undefined}
      call={{ isPending, error: null }}
      onSubmit={() => submit((workspace) => mutate({ workspace, contacts: contacts.map(toNamed) }))}
      onClose={onClose}
    >
      <p>They will no longer receive mail from this workspace. Their records and histories stay.</p>
      <ul className={classes.people} aria-label="Contacts to unsubscribe">
        {contacts.map((contact) => (
          <li key={contact.uuid}>
            <UntrustedText text={personName(contact)} /> <UntrustedText text={personAddress(contact)} />{' '}
            <Result error={results.get(contact.uuid)} />
          </li>
        ))}
      </ul>
      {field}
    </ConfirmDialog>
  );
}

/** Undefined while there is no result, null after a success. */
function Result({ error }: { error: Error | null | undefined }) {
  if (error === undefined) return null;
  return error === null ? <StatusBadge tone="good">Unsubscribed</StatusBadge> : <ErrorAlert error={error} />;
}

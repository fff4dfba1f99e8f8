import { unsubscribeOwnContact } from '#contract/openapi/otherClients.ts';
import { explainedUnsubscribe } from '#contract/suppressions/suppression.ts';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { ConfirmDialog } from '../../api/FormDialog.tsx';
import { useSuppressionForm } from '../../identity/SuppressionFields.tsx';
import { useCapability } from '../../session/useSession.ts';
import { useWorkspaceForm } from '../../session/WorkspaceIdField.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import type { NamedContact } from './FailureList.tsx';
import type { useUnsubscribe } from './useUnsubscribe.ts';

type Props = {
  contacts: readonly [NamedContact, ...NamedContact[]];
  /** Owned by the page: closing the dialog doesn't stop it. */
  unsubscribe: ReturnType<typeof useUnsubscribe>;
  onClose: () => void;
  onDone: () => void;
};

/** Names the contacts and asks, also for the workspace ID if the service doesn't provide it. */
export function ConfirmUnsubscribe({ contacts, unsubscribe, onClose, onDone }: Props) {
  const { workspace, field, submit } = useWorkspaceForm();
  const why = useSuppressionForm(useCapability(unsubscribeOwnContact));
  const { body } = why;
  const { isPending, error, results } = unsubscribe;
  const [{ contact, name, address }, ...others] = contacts;
  const isOne = others.length === 0;
  const hasFailed = !isPending && error !== null;
  return (
    <ConfirmDialog
      title={
        isOne ? (
          <>
            Unsubscribe <UntrustedText text={name} />?
          </>
        ) : (
          `${labelUnsubscribe(contacts.length)}?`
        )
      }
      act={hasFailed && !isOne ? 'Try again' : 'Unsubscribe'}
      cancel={results.size > 0 && !isOne ? 'Close' : undefined}
      call={isOne ? unsubscribe : { isPending, error: null }}
      curl={isOne && <CopyCurl endpoint={explainedUnsubscribe} input={{ workspace, contact, body }} />}
      onSubmit={() =>
        why.submit(() => submit((id) => unsubscribe.mutate({ workspace: id, body }, { onSuccess: onDone })))
      }
      onClose={onClose}
    >
      <p>
        <UntrustedText text={isOne && address !== '' && address !== name ? address : 'They'} /> will no longer receive
        mail from this workspace. {isOne ? 'The record and its history are kept.' : 'Records and histories are kept.'}
      </p>
      {!isOne && (
        <ul className="bullets" aria-label="Contacts to unsubscribe">
          {contacts.map((each) => (
            <li key={each.contact}>
              <UntrustedText text={each.name} /> <UntrustedText text={each.address} />{' '}
              <Result error={results.get(each.contact)} />
            </li>
          ))}
        </ul>
      )}
      {why.field}
      {field}
    </ConfirmDialog>
  );
}

export const labelUnsubscribe = (count: number) =>
  count === 2 ? 'Unsubscribe both' : `Unsubscribe all ${formatCount(count)}`;

/** Undefined until there's a result, null after a success. */
function Result({ error }: { error: unknown }) {
  if (error === undefined) return null;
  return error === null ? <StatusBadge tone="neutral">Unsubscribed</StatusBadge> : <ErrorAlert error={error} />;
}

import { Button } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { pinToast, showToast } from '../ui/Toast.tsx';
import { personName } from '../contact/person.ts';
import { useSubscribe } from './mutations.ts';
import { lastSubscriptionQuery } from './historyQueries.ts';
import classes from './Unsubscribe.module.css';

/** Recorded as the reason of the change. */
const REASON = 'Unsubscribe undone right away';

/**
 * Offers in a toast to undo the unsubscribe of the request `requestId`. Where the log of changes has no such request,
 * the contact was unsubscribed before, perhaps as they wished; the toast then says that nothing was changed. Shows
 * nothing where the log cannot be read.
 */
export async function offerUndo(
  client: QueryClient,
  contact: ReadableContact,
  workspace: string,
  requestId: string | null,
): Promise<void> {
  if (requestId === null) return;
  const query = lastSubscriptionQuery(contact.uuid);
  // A query key of its own: the page's query is cancelled when the page is left, and the toast shows on every page.
  const own = { ...query, queryKey: [...query.queryKey, requestId] };
  // Errors are ignored here: `History` reads the same log and shows them.
  const last = await client.query(own).catch(() => undefined);
  if (last === undefined) return;
  if (last?.request_id === requestId) showToast(<UndoUnsubscribe contact={contact} workspace={workspace} />);
  else showToast(<Told contact={contact} what="was already unsubscribed. Nothing was changed." />);
}

function Told({ contact, what }: { contact: ReadableContact; what: string }) {
  return (
    <>
      <UntrustedText text={personName(contact)} /> {what}
    </>
  );
}

function UndoUnsubscribe({ contact, workspace }: { contact: ReadableContact; workspace: string }) {
  const name = personName(contact);
  const subscribe = useSubscribe(contact.uuid, () => showToast(<Told contact={contact} what="is subscribed again." />));
  const undo = () => {
    if (subscribe.isPending) return;
    pinToast();
    subscribe.mutate({ workspace, reason: REASON });
  };
  return (
    <div className={classes.undo}>
      <span>
        <UntrustedText text={name} /> is unsubscribed.
      </span>
      {/* Not `loading`: it disables the button, which would lose the focus. */}
      <Button size="compact-sm" variant="light" aria-busy={subscribe.isPending} onClick={undo}>
        {subscribe.isPending ? 'Undoing …' : 'Undo'}
      </Button>
      {subscribe.isError && <ErrorAlert error={subscribe.error} note="Nothing was changed." />}
    </div>
  );
}

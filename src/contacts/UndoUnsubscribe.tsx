import { Button } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { pinToast, showToast } from '../ui/Toast.tsx';
import { useSubscribe } from './mutations.ts';
import { personName } from './person.ts';
import { lastSubscriptionQuery } from './queries.ts';
import classes from './Unsubscribe.module.css';

/** What is recorded as the reason. */
const REASON = 'Undo of an unsubscribe that was made a moment before';

/**
 * Offers to take back the unsubscribe that was answered as `requestId`. When the log has none under it, the person was
 * out before, perhaps by their own wish: there is nothing of ours to take back, and that is said instead.
 */
export async function offerUndo(
  client: QueryClient,
  contact: ReadableContact,
  workspace: string,
  requestId: string | undefined,
): Promise<void> {
  if (requestId === undefined) return;
  const query = lastSubscriptionQuery(contact.uuid);
  // A key of its own: what a page reads is broken off when somebody leaves the page, and the way back is offered there too.
  const own = { ...query, queryKey: [...query.queryKey, requestId] };
  // A failure has its face in the history of the page, which reads the same log.
  const last = await client.query(own).catch(() => undefined);
  if (last === undefined) return;
  if (last?.request_id === requestId) showToast(<UndoUnsubscribe contact={contact} workspace={workspace} />);
  else showToast(`${personName(contact)} was unsubscribed already. This request changed nothing.`);
}

function UndoUnsubscribe({ contact, workspace }: { contact: ReadableContact; workspace: string }) {
  const name = personName(contact);
  const subscribe = useSubscribe(contact.uuid, () => showToast(`${name} is subscribed again.`));
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
      {/* Not `loading`, which disables it: it would lose the focus. */}
      <Button size="compact-sm" variant="light" aria-busy={subscribe.isPending} onClick={undo}>
        {subscribe.isPending ? 'Undoing …' : 'Undo'}
      </Button>
      {subscribe.isError && <ErrorAlert error={subscribe.error} note="Nothing was changed." />}
    </div>
  );
}

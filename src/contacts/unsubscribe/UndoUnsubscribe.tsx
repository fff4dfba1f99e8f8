import { Button } from '@mantine/core';
import { CancelledError, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { pinToast, showToast } from '../../ui/Toast.tsx';
import { isOwnUnsubscribe } from '../../identity/findLastSubscriptionChange.ts';
import { personName } from '../../identity/person.ts';
import type { CompletedUnsubscribe } from '../../identity/unsubscribe.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { lastSubscriptionQuery } from '../timeline/historyQueries.ts';
import { useSubscribe } from '../mutations.ts';
import { type Failure, NotDone, toNamed } from './NotDone.tsx';
import classes from './Unsubscribe.module.css';

/** Recorded as the reason of the change. */
const REASON = 'Unsubscribe undone right away';

/**
 * Offers in a toast to undo unsubscribes that were just made. Contacts whose log does not have the request were unsubscribed before,
 * perhaps as they wished, and are left as they are; where that is all of them the toast says so. Where an answer was lost, a request that
 * nobody knows may have done it: without the run in the log, the toast says only how they are now. So it does where the log cannot be read.
 * `failures` are those that the toast before tells of, and this one as well.
 */
export async function offerUndo(
  client: QueryClient,
  done: readonly CompletedUnsubscribe[],
  workspace: string,
  failures: readonly Failure[] = [],
): Promise<void> {
  const changed: ReadableContact[] = [];
  const others: ReadableContact[] = [];
  let isUnsure = false;
  for (const { contact, requestId, isRepeat, run } of done) {
    const request = requestId ?? run;
    const last = request === undefined ? undefined : await readLastSubscription(client, contact, request);
    if (last === 'signed out') return;
    const isOwn = isOwnUnsubscribe(last, { requestId, run });
    (isOwn ? changed : others).push(contact);
    isUnsure ||= !isOwn && (isRepeat || last === undefined);
  }
  const show = (content: ReactNode) => {
    showToast(
      <>
        {content}
        <NotDone failures={failures} what="unsubscribed" />
      </>,
    );
    if (failures.length > 0) pinToast();
  };
  if (changed.length > 0) show(<UndoUnsubscribe contacts={changed} workspace={workspace} />);
  else if (isUnsure) show(<Told contacts={others} what="unsubscribed." />);
  else if (others.length > 0)
    show(<Told contacts={others} one="was" several="were" what="already unsubscribed. Nothing was changed." />);
}

/** The last change of the subscription, null where there is none, undefined where the log cannot be read. A sign-out ends it. */
function readLastSubscription(client: QueryClient, contact: ReadableContact, request: string) {
  const query = lastSubscriptionQuery(contact.uuid);
  // A query key of its own: the page's query is cancelled when the page is left, and the toast shows on every page.
  const own = { ...query, queryKey: [...query.queryKey, request] };
  // Other errors are ignored here: `History` reads the same log and shows them.
  return client.query(own).catch((error: unknown) => (error instanceof CancelledError ? 'signed out' : undefined));
}

type ToldProps = { contacts: readonly ReadableContact[]; one?: string; several?: string; what: string };

/** Says `what` of the contacts: of one by name, of several by their number. */
function Told({ contacts, one = 'is', several = 'are', what }: ToldProps) {
  const [first, second] = contacts;
  if (first === undefined) return null;
  if (second !== undefined) return `${formatCount(contacts.length)} contacts ${several} ${what}`;
  return (
    <>
      <UntrustedText text={personName(first)} /> {one} {what}
    </>
  );
}

type UndoProps = { contacts: readonly ReadableContact[]; workspace: string };

function UndoUnsubscribe({ contacts, workspace }: UndoProps) {
  const subscribe = useSubscribe(contacts.map(toNamed), () =>
    showToast(<Told contacts={contacts} what="subscribed again." />),
  );
  const undo = () => {
    if (subscribe.isPending) return;
    pinToast();
    subscribe.mutate({ workspace, reason: REASON });
  };
  return (
    <div className={classes.undo}>
      <span>
        <Told contacts={contacts} what="unsubscribed." />
      </span>
      {/* Not `loading`: it disables the button, which would lose the focus. */}
      <Button size="compact-sm" variant="light" aria-busy={subscribe.isPending} onClick={undo}>
        {subscribe.isPending ? 'Undoing …' : 'Undo'}
      </Button>
      {subscribe.isError && (
        <ErrorAlert
          error={subscribe.error}
          note={
            contacts.length === 1
              ? 'Nothing was changed.'
              : 'Some may be subscribed again. Undo goes on with the others.'
          }
        />
      )}
    </div>
  );
}

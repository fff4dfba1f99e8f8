import { Button } from '@mantine/core';
import { CancelledError, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { isStrongReason, type StrongReason, type Unsubscription } from '#contract/suppressions/suppression.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { isOwn as isOwnLine, isOwnUnsubscribe, reasonOf } from '../../identity/findLastSubscriptionChange.ts';
import { personName } from '../../identity/person.ts';
import type { CompletedUnsubscribe } from '../../identity/unsubscribe.ts';
import { useMissing } from '../../session/useMissingRole.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { pinToast, showToast } from '../../ui/Toast.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { useSubscribe } from '../mutations.ts';
import { lastSubscriptionQuery } from '../timeline/historyQueries.ts';
import { type Failure, FailureList, withName } from './FailureList.tsx';
import classes from './Unsubscribe.module.css';
import { refuseStrong } from './useReason.ts';

const REASON = 'Unsubscribe undone right away';

type UndoContext = { workspace: string; said?: Unsubscription | undefined; failures?: readonly Failure[] };

/**
 * Offers in a toast to undo unsubscribes that were just made: those whose log has the request. The others were unsubscribed
 * before, or that's uncertain because a response was lost or the log can't be read: the toast then only says how they are now.
 */
export async function offerUndo(
  client: QueryClient,
  done: readonly CompletedUnsubscribe[],
  { workspace, said, failures = [] }: UndoContext,
): Promise<void> {
  const changed: ReadableContact[] = [];
  const seen = new Map<string, string>();
  const others: ReadableContact[] = [];
  const recorded: ReadableContact[] = [];
  let isUnsure = false;
  let strong: StrongReason | null = null;
  const dropped = namesOf(said);
  for (const { contact, requestId, isRepeat, run } of done) {
    const request = requestId ?? run;
    const last = request === undefined ? undefined : await readLastSubscription(client, contact, request);
    if (last === 'signed out') return;
    const isOwn = isOwnUnsubscribe(last, { requestId, run });
    const isRecorded = [last?.stronger, last?.again].some((line) => line && isOwnLine(line, { requestId, run }));
    (isOwn ? changed : isRecorded ? recorded : others).push(contact);
    if (isOwn && last) seen.set(contact.uuid, last.uuid);
    const reason = isOwn && last ? reasonOf(last) : null;
    if (isStrongReason(reason)) strong = reason;
    isUnsure ||= !isOwn && !isRecorded && (isRepeat || last === undefined);
  }
  const show = (content: ReactNode) => {
    showToast(
      <>
        {content}
        <FailureList failures={failures} what="unsubscribed" />
      </>,
    );
    if (failures.length > 0 || (dropped !== null && others.length > 0)) pinToast();
  };
  const rest = isUnsure ? (
    <OutcomeText contacts={others} what={`unsubscribed.${describeUnsure(dropped)}`} />
  ) : (
    <OutcomeText contacts={others} isPast what={`already unsubscribed. ${describeDropped(dropped)}`} />
  );
  if (changed.length > 0)
    show(
      <>
        <UndoUnsubscribe contacts={changed} seen={seen} strong={strong} workspace={workspace} />
        {dropped !== null && others.length > 0 && <p>{rest}</p>}
      </>,
    );
  else if (recorded.length > 0)
    show(<OutcomeText contacts={recorded} isPast what="already unsubscribed. What you said was recorded." />);
  else if (others.length > 0) show(rest);
}

/** What is lost where the contact was unsubscribed before; null if nothing was said. */
function namesOf({ ticket, reason }: Unsubscription = {}): string | null {
  const names = [ticket && 'ticket', reason && 'reason'].filter(Boolean);
  return names.length === 0 ? null : names.join(' and ');
}

const verbFor = (names: string) => (names.includes(' ') ? 'were' : 'was');

const describeDropped = (names: string | null) =>
  names === null ? 'Nothing was changed.' : `Your ${names} ${verbFor(names)}n’t recorded.`;

const describeUnsure = (names: string | null) =>
  names === null ? '' : ` Couldn’t confirm that your ${names} ${verbFor(names)} recorded.`;

/** Null if the log has none, undefined if it can't be read. */
function readLastSubscription(client: QueryClient, contact: ReadableContact, request: string) {
  const query = lastSubscriptionQuery(contact.uuid);
  // Its own key: the page's query is cancelled when the page is left, and the toast shows on every page.
  const own = { ...query, queryKey: [...query.queryKey, request] };
  // `History` reads the same log and shows other errors.
  return client.query(own).catch((error: unknown) => (error instanceof CancelledError ? 'signed out' : undefined));
}

type OutcomeTextProps = { contacts: readonly ReadableContact[]; isPast?: boolean; what: string };

function OutcomeText({ contacts, isPast = false, what }: OutcomeTextProps) {
  const [one, several] = isPast ? ['was', 'were'] : ['is', 'are'];
  const [first, second] = contacts;
  if (first === undefined) return null;
  if (second !== undefined) return `${formatCount(contacts.length)} contacts ${several} ${what}`;
  return (
    <>
      <UntrustedText text={personName(first)} /> {one} {what}
    </>
  );
}

/** `seen`: by contact, the change that is undone. */
type UndoProps = {
  contacts: readonly ReadableContact[];
  seen: ReadonlyMap<string, string>;
  strong: StrongReason | null;
  workspace: string;
};

/** The service lets only an admin undo an unsubscribe for a strong reason. */
function UndoUnsubscribe({ contacts, seen, strong, workspace }: UndoProps) {
  const notAdmin = useMissing('admin');
  const subscribe = useSubscribe(
    contacts.map((one) => ({ ...withName(one), seen: seen.get(one.uuid) })),
    () => showToast(<OutcomeText contacts={contacts} what="subscribed again." />),
  );
  const undo = () => {
    if (subscribe.isPending) return;
    pinToast();
    subscribe.mutate({ workspace, reason: REASON });
  };
  if (strong !== null && notAdmin !== null)
    return (
      <p>
        <OutcomeText contacts={contacts} what="unsubscribed." /> {refuseStrong(strong, notAdmin)}
      </p>
    );
  return (
    <div className={classes.undo}>
      <span>
        <OutcomeText contacts={contacts} what="unsubscribed." />
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
              : 'Some may already be subscribed again. Undo continues with the rest.'
          }
        />
      )}
    </div>
  );
}

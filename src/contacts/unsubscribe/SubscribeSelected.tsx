import { TextInput } from '@mantine/core';
import type { ReadableContact } from '#contract/contact.ts';
import { REASON_MAX } from '#contract/change.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useUnsavedDraft } from '../../session/unsavedDrafts.ts';
import { personName } from '../../identity/person.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { WhyUnsubscribed } from './WhyUnsubscribed.tsx';
import { announce } from '../../ui/page/announce.ts';
import { showToast } from '../../ui/Toast.tsx';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { FailureList, type NamedContact, withName } from './FailureList.tsx';
import { describeStrong, useAdminOnly, useLastChanges } from './useReason.ts';
import type { SubscribeOutcome, useSubscribeSelected } from './useSubscribeSelected.ts';

const NONE = new Map<string, null>();

type Props = {
  /** All that are selected. */
  contacts: readonly ReadableContact[];
  workspace: string;
  /** Owned by the page: closing the dialog doesn't stop it. */
  subscribe: ReturnType<typeof useSubscribeSelected>;
  /** Of those that are subscribed now. */
  onDone: (contacts: readonly ReadableContact[]) => void;
  onClose: () => void;
};

/** Asks why, and says what came of it. */
export function SubscribeSelected({ contacts, workspace, subscribe, onDone, onClose }: Props) {
  const { values, field, submit } = useForm({ reason: '' }, validate);
  const reason = values.reason.trim();
  const left = subscribe.data?.left ?? [];
  const unsubscribed = contacts.filter((contact) => !contact.subscribed);
  const log = useLastChanges(unsubscribed.map(({ uuid }) => uuid));
  const { last } = log;
  const adminOnly = useAdminOnly(last ?? NONE);
  const allowed = unsubscribed.filter(({ uuid }) => !adminOnly.has(uuid));
  const drop = (done: readonly NamedContact[]) =>
    onDone(contacts.filter(({ uuid }) => done.some(({ contact }) => contact === uuid)));
  useUnsavedDraft(reason !== '' && !subscribe.isSuccess);
  const send = () =>
    subscribe.mutate(
      { workspace, reason, contacts: allowed.map((one) => ({ ...withName(one), seen: last?.get(one.uuid)?.seen })) },
      {
        onSuccess: ({ done, left: refused }) => {
          const text = describe(done.length, allowed.length);
          announce(text);
          if (refused.length > 0) return;
          showToast(text);
          drop(done);
        },
      },
    );
  const finish = () => {
    drop(subscribe.data?.done ?? []);
    onClose();
  };
  return (
    <FormDialog
      title={`Subscribe ${countOf(allowed.length === 0 ? unsubscribed.length : allowed.length)} again?`}
      isDisabled={last === undefined || allowed.length === 0}
      act={left.length > 0 ? 'Try again' : 'Subscribe again'}
      cancel={left.length > 0 ? 'Close' : undefined}
      call={subscribe}
      onSubmit={() => submit(send)}
      onClose={finish}
    >
      <ReadingLog {...log} />
      <LeftToAdmin contacts={unsubscribed} reasons={adminOnly} />
      {allowed.length > 0 && (
        <>
          <Consequences contacts={allowed} subscribed={contacts.length - unsubscribed.length} />
          <TextInput
            label="Reason"
            description={`Recorded with each change, for example “Imported as unsubscribed by mistake”. At most ${REASON_MAX} characters.`}
            required
            autoComplete="off"
            {...field('reason')}
          />
        </>
      )}
      {subscribe.data !== undefined && <Left {...subscribe.data} of={allowed.length} />}
    </FormDialog>
  );
}

function Left({ done, left, of }: SubscribeOutcome & { of: number }) {
  if (left.length === 0) return null;
  return (
    <div>
      <p>{describe(done.length, of)}</p>
      <FailureList failures={left} what="subscribed again" />
    </div>
  );
}

function ReadingLog({ last, error, retry }: ReturnType<typeof useLastChanges>) {
  if (last !== undefined) return null;
  if (error !== null) return <ErrorAlert error={error} onRetry={retry} />;
  return <p role="status">Reading why they were unsubscribed …</p>;
}

type LeftProps = { contacts: readonly ReadableContact[]; reasons: ReturnType<typeof useAdminOnly> };

/** Who is not subscribed again, because only an admin may do it. */
function LeftToAdmin({ contacts, reasons }: LeftProps) {
  if (reasons.size === 0) return null;
  const rest = contacts.length - reasons.size;
  return (
    <>
      <p>
        {formatCount(reasons.size)} of {formatCount(contacts.length)} {reasons.size === 1 ? 'was' : 'were'} unsubscribed{' '}
        {describeStrong(reasons.values())}: only an admin can subscribe them again.{' '}
        {rest === 0 ? 'No one' : formatCount(rest)} will be subscribed.
      </p>
      <People contacts={contacts.filter(({ uuid }) => reasons.has(uuid))} />
    </>
  );
}

function Consequences({ contacts, subscribed }: { contacts: readonly ReadableContact[]; subscribed: number }) {
  return (
    <>
      <p>
        They will receive mail from this workspace again. <strong>Only with their consent</strong>: they asked for it,
        or the unsubscribe was a mistake.{' '}
        {subscribed > 0 && `${countOf(subscribed)} of the selection already subscribed. `}
      </p>
      <People contacts={contacts} />
    </>
  );
}

const PEOPLE_MAX = 10;

function People({ contacts }: { contacts: readonly ReadableContact[] }) {
  const more = contacts.length - PEOPLE_MAX;
  return (
    <ul className="bullets">
      {contacts.slice(0, PEOPLE_MAX).map((contact) => (
        <li key={contact.uuid}>
          <UntrustedText text={personName(contact)} /> <WhyUnsubscribed contact={contact.uuid} />
        </li>
      ))}
      {more > 0 && <li>{`and ${countOf(more)} more`}</li>}
    </ul>
  );
}

const countOf = (count: number) => `${formatCount(count)} ${count === 1 ? 'contact' : 'contacts'}`;

const describe = (done: number, of: number) =>
  done === of
    ? `${countOf(done)} ${done === 1 ? 'is' : 'are'} subscribed again.`
    : `${formatCount(done)} of ${countOf(of)} ${done === 1 ? 'is' : 'are'} subscribed again.`;

const validate = ({ reason }: { reason: string }) => ({
  reason: findTextError(reason, REASON_MAX, 'Enter a reason. It’s recorded with the change.'),
});

import { TextInput } from '@mantine/core';
import type { ReadableContact } from '#contract/contact.ts';
import { REASON_MAX } from '#contract/change.ts';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useUnsavedDraft } from '../../session/unsavedDrafts.ts';
import { personName } from '../../identity/person.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { WhyUnsubscribed } from './WhyUnsubscribed.tsx';
import { announce } from '../../ui/page/announce.ts';
import { showToast } from '../../ui/Toast.tsx';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { FailureList } from './FailureList.tsx';
import type { useSubscribeSelected } from './useSubscribeSelected.ts';

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
  const subscribed = contacts.filter((contact) => contact.subscribed).length;
  const title = `Subscribe ${countOf(contacts.length - subscribed)} again?`;
  useUnsavedDraft(reason !== '' && !subscribe.isSuccess);
  const send = () =>
    subscribe.mutate(
      { workspace, reason },
      {
        onSuccess: ({ done, left: refused }) => {
          const text = describe(done.length, contacts.length - subscribed);
          announce(text);
          if (refused.length > 0) return;
          showToast(text);
          onDone(done);
        },
      },
    );
  const finish = () => {
    onDone(subscribe.data?.done ?? []);
    onClose();
  };
  return (
    <FormDialog
      title={title}
      act={left.length > 0 ? 'Try again' : 'Subscribe again'}
      cancel={left.length > 0 ? 'Close' : undefined}
      call={subscribe}
      onSubmit={() => submit(send)}
      onClose={finish}
    >
      <p>
        They will receive mail from this workspace again. <strong>Only with their consent</strong>: they asked for it,
        or the unsubscribe was a mistake.{' '}
        {subscribed > 0 && `${countOf(subscribed)} of the selection already subscribed. `}
      </p>
      <People contacts={contacts.filter((contact) => !contact.subscribed)} />
      <TextInput
        label="Reason"
        description={`Recorded with each change, for example “Imported as unsubscribed by mistake”. At most ${REASON_MAX} characters.`}
        required
        autoComplete="off"
        {...field('reason')}
      />
      {left.length > 0 && (
        <div>
          <p>{describe(subscribe.data?.done.length ?? 0, contacts.length - subscribed)}</p>
          <FailureList failures={left} what="subscribed again" />
        </div>
      )}
    </FormDialog>
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

import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { subscribeContact, REASON_MAX } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { isStrongReason } from '#contract/suppressions/suppression.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useMissing, useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { hideToast } from '../../ui/Toast.tsx';
import { useSubscribe } from '../mutations.ts';
import { lastSubscriptionQuery } from '../timeline/historyQueries.ts';
import { ConfirmUnsubscribe } from './ConfirmUnsubscribe.tsx';
import { withName } from './FailureList.tsx';
import { Subscription } from './Subscription.tsx';
import classes from './Unsubscribe.module.css';
import { UnsubscribedFacts } from './UnsubscribedFacts.tsx';
import { refuseStrong, useReason } from './useReason.ts';
import { useUnsubscribe } from './useUnsubscribe.ts';
import { WhyUnsubscribed } from './WhyUnsubscribed.tsx';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { FormDialog } from '../../api/FormDialog.tsx';
import { isResponseLost } from '../../identity/unsubscribe.ts';
import { personAddress, personName } from '../../identity/person.ts';
import { useUnsavedDraft } from '../../session/unsavedDrafts.ts';
import { KeyHint } from '../../ui/KeyHint.tsx';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';

const MAY_HAVE_HAPPENED = 'It may have happened all the same. The contact is read again.';

type Props = { contact: string; record: ReadableContact | undefined; readAt: number };

export function Unsubscribe({ contact, record, readAt }: Props) {
  const section = useRef<HTMLDivElement>(null);
  const { workspace_uuid } = useSession();
  const offersSubscribing = useCapability(subscribeContact) && workspace_uuid !== null;
  const { subscribeNote, canSubscribe } = useSubscribing(record);
  const unsubscribeDeniedReason = useMissingRole(unsubscribeContact);
  const named =
    record === undefined ? { name: escapeHidden(contact), address: '', contact } : { ...withName(record), contact };
  const unsubscribe = useUnsubscribe([named]);
  const { data: last } = useQuery({ ...lastSubscriptionQuery(record?.uuid ?? ''), enabled: false });
  const subscribe = useSubscribe([{ ...named, seen: last?.seen }], () => {
    // The toast may still offer to undo the unsubscribe.
    hideToast();
    announce(`${named.name} is subscribed again`);
  });
  const { question, ask, close, finish } = useQuestion(section);
  const askOnce = (next: Question) => {
    for (const request of [unsubscribe, subscribe]) if (request.isError) request.reset();
    ask(next);
  };
  const error = question === null ? (unsubscribe.error ?? subscribe.error) : null;
  const isUnsubscribed = record?.subscribed === false;
  const canUnsubscribe = !isUnsubscribed && unsubscribeDeniedReason === null;
  const unsubscribeNote = unsubscribeDeniedReason !== null && `Unsubscribing ${unsubscribeDeniedReason}`;
  const note = isUnsubscribed ? offersSubscribing && subscribeNote : unsubscribeNote;
  usePageActions(
    canUnsubscribe ? [{ id: 'unsubscribe', label: 'Unsubscribe', run: () => askOnce('unsubscribe') }] : [],
  );
  return (
    <div className={classes.state} ref={section} tabIndex={-1}>
      {isUnsubscribed ? (
        <UnsubscribedFacts
          record={record}
          readAt={readAt}
          isSubscribing={subscribe.isPending}
          onSubscribe={offersSubscribing && canSubscribe ? () => askOnce('subscribe') : null}
        />
      ) : (
        <>
          {record === undefined ? <p>Subscription not known</p> : <Subscription subscribed />}
          {canUnsubscribe && (
            <UnsubscribeButton isPending={unsubscribe.isPending} onClick={() => askOnce('unsubscribe')} />
          )}
        </>
      )}
      {note && <p className="soft">{note}</p>}
      {error !== null && <ErrorAlert error={error} {...(isResponseLost(error) && { note: MAY_HAVE_HAPPENED })} />}
      {question === 'unsubscribe' && (
        <ConfirmUnsubscribe contacts={[named]} unsubscribe={unsubscribe} onClose={close} onDone={finish} />
      )}
      {question === 'subscribe' && record !== undefined && workspace_uuid !== null && (
        <SubscribeAgain {...{ record, subscribe }} workspace={workspace_uuid} onClose={close} onDone={finish} />
      )}
    </div>
  );
}

/** Whether the user may subscribe the contact again: after a complaint or a legal reason only an admin may. Else `subscribeNote` says who. */
function useSubscribing(record: ReadableContact | undefined) {
  const deniedReason = useMissingRole(subscribeContact);
  const notAdmin = useMissing('admin');
  const reason = useReason(record);
  if (deniedReason !== null) return { canSubscribe: false, subscribeNote: `Subscribing again ${deniedReason}` };
  if (notAdmin === null) return { canSubscribe: true, subscribeNote: null };
  if (!isStrongReason(reason)) return { canSubscribe: reason !== undefined, subscribeNote: null };
  return { canSubscribe: false, subscribeNote: refuseStrong(reason, notAdmin) };
}

function UnsubscribeButton({ isPending, onClick }: { isPending: boolean; onClick: () => void }) {
  return (
    <Button
      size="xs"
      variant="default"
      className={classes.act}
      aria-keyshortcuts="u"
      rightSection={<KeyHint shortcut="u" />}
      onClick={onClick}
    >
      {isPending ? 'Unsubscribing …' : 'Unsubscribe'}
    </Button>
  );
}

type Question = 'unsubscribe' | 'subscribe';

/** The open dialog. `section` takes the focus after a success. */
function useQuestion(section: RefObject<HTMLElement | null>) {
  const [question, ask] = useState<Question | null>(null);
  const close = () => ask(null);
  const finish = () => {
    // The dialog may be closed already and the focus elsewhere: then it stays there.
    const isHere = document.activeElement === document.body || section.current?.contains(document.activeElement);
    // The closing dialog returns the focus to a button that is removed now.
    flushSync(close);
    if (isHere) section.current?.focus();
  };
  return { question, ask, close, finish };
}

type SubscribeProps = {
  record: ReadableContact;
  workspace: string;
  /** Owned by the page: closing the dialog doesn't cancel it. */
  subscribe: ReturnType<typeof useSubscribe>;
  onClose: () => void;
  onDone: () => void;
};

function SubscribeAgain({ record, workspace, subscribe, onClose, onDone }: SubscribeProps) {
  const { values, isValid, field, submit } = useForm({ reason: '' }, validateReason);
  const { reason } = values;
  useUnsavedDraft(reason.trim() !== '' && !subscribe.isSuccess);
  const name = personName(record);
  const address = personAddress(record);
  return (
    <FormDialog
      title={
        <>
          Subscribe <UntrustedText text={name} /> again?
        </>
      }
      act="Subscribe again"
      call={subscribe}
      curl={
        <CopyCurl
          endpoint={subscribeContact}
          input={isValid ? { workspace, contact: record.uuid, body: { reason: reason.trim() } } : null}
        />
      }
      onSubmit={() => submit(() => subscribe.mutate({ workspace, reason }, { onSuccess: onDone }))}
      onClose={onClose}
    >
      <p>
        <UntrustedText text={address === '' ? 'This contact' : address} /> will receive mail from this workspace again.{' '}
        <strong>Only with their consent</strong>: they asked for it, or the unsubscribe was a mistake.
      </p>
      <WhyUnsubscribed contact={record.uuid} />
      <TextInput
        label="Reason"
        description={`Recorded with the change, for example “Asked by phone, ticket 4711”. At most ${REASON_MAX} characters.`}
        required
        autoComplete="off"
        {...field('reason')}
      />
    </FormDialog>
  );
}

const validateReason = ({ reason }: { reason: string }) => ({
  reason: findTextError(reason, REASON_MAX, 'Enter a reason. It’s recorded with the change.'),
});

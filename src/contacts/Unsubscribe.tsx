import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { listContactChanges, subscribeContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { findPathSegmentError } from '#contract/endpoint.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { rememberWorkspace } from '../session/session.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { hideToast } from '../ui/Toast.tsx';
import { exactUtc, localTime, localZone } from '../ui/time.ts';
import { CopyProof } from './CopyProof.tsx';
import { useSubscribe, useUnsubscribe } from './mutations.ts';
import { personAddress, personName } from './person.ts';
import { SubscribeAgain } from './SubscribeAgain.tsx';
import { offerUndo } from './UndoUnsubscribe.tsx';
import classes from './Unsubscribe.module.css';

type Props = {
  contact: string;
  known: ReadableContact | undefined;
  /** When the record was read, in milliseconds since the epoch. */
  readAt: number;
};

const SENTENCE = {
  true: 'Gets mail from this workspace.',
  false: 'Gets no mail from this workspace.',
  undefined: 'Subscription not known.',
};

/**
 * Whether the contact gets mail, and the way to stop it: asks once, by name, and reports what the service answered, in
 * a form that can be passed on. Where the service offers it, also the way back.
 */
export function Unsubscribe({ contact, known, readAt }: Props) {
  const [asking, setAsking] = useState<'to unsubscribe' | 'to subscribe' | null>(null);
  const state = useRef<HTMLDivElement>(null);
  const readDate = new Date(readAt);
  const client = useQueryClient();
  const { workspace_uuid: workspace } = useSession();
  const hasLog = useCapability(listContactChanges);
  const offersSubscribing = useCapability(subscribeContact);
  const canSubscribe = offersSubscribing && workspace !== null;
  const name = known === undefined ? escapeHidden(contact) : personName(known);
  // Not of the questions: whoever closes one while its call is under way is told here how it ended.
  const unsubscribe = useUnsubscribe(contact, (done) => {
    // The service took it, so it was right: it need not be asked for again.
    rememberWorkspace(client, done.workspace);
    announce(`${name} is unsubscribed`);
    if (hasLog && offersSubscribing) void offerUndo(client, done.contact, done.workspace, done.requestId);
  });
  const subscribe = useSubscribe(known?.uuid ?? contact, () => {
    // One that still offers to undo the unsubscribe.
    hideToast();
    announce(`${name} is subscribed again`);
  });
  const close = () => setAsking(null);
  const finish = () => {
    // Unless somebody closed the question, and went on to something else.
    const isHere = document.activeElement === document.body || state.current?.contains(document.activeElement);
    // The closing dialog gives the focus back to a button that is gone: only after that it can be set here.
    flushSync(close);
    if (isHere) state.current?.focus();
  };
  const ask = (question: 'to unsubscribe' | 'to subscribe') => {
    // What failed the last time is over.
    for (const call of [unsubscribe, subscribe]) if (call.isError) call.reset();
    setAsking(question);
  };
  const askToUnsubscribe = () => ask('to unsubscribe');
  usePageActions(
    known?.subscribed === false ? [] : [{ id: 'unsubscribe', label: 'Unsubscribe', run: askToUnsubscribe }],
  );
  const fault = asking === null ? (unsubscribe.error ?? subscribe.error) : null;

  return (
    <div className={classes.state} ref={state} tabIndex={-1}>
      <div className={classes.line}>
        <p>{SENTENCE[`${known?.subscribed}`]}</p>
        {known?.subscribed !== false && (
          <Button size="xs" variant="default" className={classes.act} onClick={askToUnsubscribe}>
            {unsubscribe.isPending ? 'Unsubscribing …' : 'Unsubscribe'}
          </Button>
        )}
      </div>
      {known?.subscribed === false && (
        <Notice
          tone="good"
          title={`${personName(known)} is unsubscribed`}
          actions={
            <>
              <CopyProof known={known} readAt={readAt} />
              {canSubscribe && (
                <Button size="xs" variant="subtle" onClick={() => ask('to subscribe')}>
                  {subscribe.isPending ? 'Subscribing …' : 'Subscribe again'}
                </Button>
              )}
            </>
          }
        >
          So the service says, asked at {localTime(readDate)} ({localZone}), {exactUtc(readDate)}.
          {known.updated_at !== null && (
            <>
              {' '}
              The record last changed at <UntrustedText text={known.updated_at} />.
            </>
          )}{' '}
          There is nothing left to do.
        </Notice>
      )}
      {fault !== null && <ErrorAlert error={fault} />}
      {asking === 'to unsubscribe' && (
        <Confirm contact={contact} known={known} unsubscribe={unsubscribe} onClose={close} onDone={finish} />
      )}
      {asking === 'to subscribe' && known !== undefined && canSubscribe && (
        <SubscribeAgain known={known} workspace={workspace} subscribe={subscribe} onClose={close} onDone={finish} />
      )}
    </div>
  );
}

type ConfirmProps = Omit<Props, 'readAt'> & {
  /** Of the page: it goes on when this question is closed. */
  unsubscribe: ReturnType<typeof useUnsubscribe>;
  onClose: () => void;
  onDone: () => void;
};

function Confirm({ contact, known, unsubscribe, onClose, onDone }: ConfirmProps) {
  const session = useSession();
  const [workspace, setWorkspace] = useState(session.workspace_uuid ?? '');
  const [fault, setFault] = useState<string>();
  const name = known === undefined ? escapeHidden(contact) : personName(known);
  const address = known === undefined ? '' : personAddress(known);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (findPathSegmentError(workspace.trim()) !== null)
      return setFault('Unsubscribing needs the ID of the workspace.');
    unsubscribe.mutate(workspace.trim(), { onSuccess: onDone });
  };
  return (
    <Dialog title={`Unsubscribe ${name}?`} onClose={onClose}>
      <form className={classes.form} onSubmit={submit}>
        <p>
          {address !== '' && address !== name ? (
            <>
              <UntrustedText text={address} /> gets no more mail from this workspace.
            </>
          ) : (
            'No more mail is sent from this workspace.'
          )}{' '}
          The record and its history stay.
        </p>
        {session.workspace_uuid === null && (
          <TextInput
            label="Workspace ID"
            description="The service does not tell it, and unsubscribing needs it."
            value={workspace}
            error={fault}
            onChange={(event) => setWorkspace(event.currentTarget.value)}
          />
        )}
        {unsubscribe.isError && <ErrorAlert error={unsubscribe.error} />}
        <div className={classes.buttons}>
          <CopyCurl endpoint={unsubscribeContact} input={{ workspace: workspace.trim(), contact }} />
          <Button variant="default" onClick={onClose}>
            {unsubscribe.isPending ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" color="red" loading={unsubscribe.isPending}>
            Unsubscribe
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

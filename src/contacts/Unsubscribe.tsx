import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { listContactChanges, subscribeContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { segmentFault } from '#contract/endpoint.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { shown } from '#contract/visible.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { knowWorkspace } from '../session/session.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { GivenText } from '../ui/GivenText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { exactUtc, localTime, localZone } from '../ui/time.ts';
import { CopyProof } from './CopyProof.tsx';
import { useUnsubscribe } from './mutations.ts';
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
  const { workspace_uuid: workspace } = useSession();
  const offersSubscribing = useCapability(subscribeContact);
  const canSubscribe = offersSubscribing && workspace !== null;
  const close = () => setAsking(null);
  const finish = () => {
    // The closing dialog gives the focus back to a button that is gone: only after that it can be set here.
    flushSync(close);
    state.current?.focus();
  };
  const ask = () => setAsking('to unsubscribe');
  usePageActions(known?.subscribed === false ? [] : [{ id: 'unsubscribe', label: 'Unsubscribe', run: ask }]);

  return (
    <div className={classes.state} ref={state} tabIndex={-1}>
      <div className={classes.line}>
        <p>{SENTENCE[`${known?.subscribed}`]}</p>
        {known?.subscribed !== false && (
          <Button size="xs" variant="default" className={classes.act} onClick={ask}>
            Unsubscribe
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
                <Button size="xs" variant="subtle" onClick={() => setAsking('to subscribe')}>
                  Subscribe again
                </Button>
              )}
            </>
          }
        >
          So the service says, asked at {localTime(readDate)} ({localZone}), {exactUtc(readDate)}.
          {known.updated_at !== null && (
            <>
              {' '}
              The record last changed at <GivenText text={known.updated_at} />.
            </>
          )}{' '}
          There is nothing left to do.
        </Notice>
      )}
      {asking === 'to unsubscribe' && <Confirm contact={contact} known={known} onClose={close} onDone={finish} />}
      {asking === 'to subscribe' && known !== undefined && canSubscribe && (
        <SubscribeAgain known={known} workspace={workspace} onClose={close} onDone={finish} />
      )}
    </div>
  );
}

type ConfirmProps = Omit<Props, 'readAt'> & { onClose: () => void; onDone: () => void };

function Confirm({ contact, known, onClose, onDone }: ConfirmProps) {
  const client = useQueryClient();
  const session = useSession();
  const hasLog = useCapability(listContactChanges);
  const canSubscribe = useCapability(subscribeContact);
  const unsubscribe = useUnsubscribe(contact);
  const [workspace, setWorkspace] = useState(session.workspace_uuid ?? '');
  const [fault, setFault] = useState<string>();
  const name = known === undefined ? shown(contact) : personName(known);
  const address = known === undefined ? '' : personAddress(known);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (segmentFault(workspace.trim()) !== null) return setFault('Unsubscribing needs the ID of the workspace.');
    unsubscribe.mutate(workspace.trim(), {
      onSuccess: ({ answer: { data }, requestId }) => {
        // The service took it, so it was right: it need not be asked for again.
        knowWorkspace(client, workspace.trim());
        announce(`${name} is unsubscribed`);
        onDone();
        if (hasLog && canSubscribe) void offerUndo(client, data, workspace.trim(), requestId);
      },
    });
  };
  return (
    <Dialog title={`Unsubscribe ${name}?`} onClose={onClose}>
      <form className={classes.form} onSubmit={submit}>
        <p>
          {address !== '' && address !== name ? (
            <>
              <GivenText text={address} /> gets no more mail from this workspace.
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
            Cancel
          </Button>
          <Button type="submit" color="red" loading={unsubscribe.isPending}>
            Unsubscribe
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { rememberWorkspace } from '../../session/session.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { hideToast } from '../../ui/Toast.tsx';
import { personName } from '../../identity/person.ts';
import { useSubscribe, useUnsubscribe } from '../mutations.ts';
import { offerUndo } from './UndoUnsubscribe.tsx';

type Question = 'to unsubscribe' | 'to subscribe';

/**
 * Which confirmation is open, and the two requests that it may send. The requests belong to the page, not to the
 * dialog: when a dialog is closed while its request is in flight, the result shows here. `section` takes the focus
 * after a request that succeeded.
 */
export function useSubscriptionQuestion(
  contact: string,
  record: ReadableContact | undefined,
  section: RefObject<HTMLElement | null>,
) {
  const [question, setQuestion] = useState<Question | null>(null);
  const client = useQueryClient();
  const { workspace_uuid } = useSession();
  const hasLog = useCapability(listContactChanges);
  const offersSubscribing = useCapability(subscribeContact);
  const name = record === undefined ? escapeHidden(contact) : personName(record);
  const unsubscribe = useUnsubscribe({ contact, name }, (done, acceptedWorkspace) => {
    // The service accepted the workspace ID, so the next unsubscribe need not ask for it.
    rememberWorkspace(client, acceptedWorkspace);
    if (hasLog && offersSubscribing) void offerUndo(client, [done], acceptedWorkspace);
    else announce(`${name} is unsubscribed`);
  });
  const subscribe = useSubscribe([{ contact: record?.uuid ?? contact, name }], () => {
    // The toast may still offer to undo the unsubscribe.
    hideToast();
    announce(`${name} is subscribed again`);
  });
  const close = () => setQuestion(null);
  return {
    question,
    unsubscribe,
    subscribe,
    /** Where the contact can be subscribed again; null where the service offers no way, or does not tell its ID. */
    subscribeWorkspace: offersSubscribing ? workspace_uuid : null,
    /** Of a request whose dialog was closed; an open dialog shows its own. */
    error: question === null ? (unsubscribe.error ?? subscribe.error) : null,
    ask: (next: Question) => {
      // Errors of an earlier attempt are cleared.
      for (const request of [unsubscribe, subscribe]) if (request.isError) request.reset();
      setQuestion(next);
    },
    close,
    finish: () => {
      // The dialog may be closed already, and the focus be somewhere else: then it stays there.
      const isHere = document.activeElement === document.body || section.current?.contains(document.activeElement);
      // The closing dialog gives the focus back to a button that is removed now, so the focus is set after that.
      flushSync(close);
      if (isHere) section.current?.focus();
    },
  };
}

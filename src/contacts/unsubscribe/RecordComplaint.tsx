import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeOwnContact } from '#contract/openapi/otherClients.ts';
import { explainedUnsubscribe, isStrongReason, TICKET_MAX } from '#contract/suppressions/suppression.ts';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { personName } from '../../identity/person.ts';
import { withName } from './FailureList.tsx';
import { useReason } from './useReason.ts';
import { useUnsubscribe } from './useUnsubscribe.ts';

/** For somebody who is unsubscribed for a weaker reason, where the service keeps reasons. */
export function RecordComplaint({ record }: { record: ReadableContact }) {
  const { workspace_uuid } = useSession();
  const isOffered = useCapability(unsubscribeOwnContact);
  const deniedReason = useMissingRole(unsubscribeOwnContact);
  const reason = useReason(record);
  const [isAsking, setAsking] = useState(false);
  if (record.subscribed || !isOffered || deniedReason !== null || workspace_uuid === null) return null;
  if (reason === undefined || isStrongReason(reason)) return null;
  return (
    <>
      <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={() => setAsking(true)}>
        Record complaint…
      </Button>
      {isAsking && <AskComplaint record={record} workspace={workspace_uuid} onClose={() => setAsking(false)} />}
    </>
  );
}

type AskProps = { record: ReadableContact; workspace: string; onClose: () => void };

function AskComplaint({ record, workspace, onClose }: AskProps) {
  const call = useUnsubscribe([withName(record)]);
  const { values, field, submit } = useForm({ ticket: '' }, ({ ticket }) => ({
    ticket: findTextError(ticket, TICKET_MAX),
  }));
  const ticket = values.ticket.trim();
  const body = { reason: 'complaint' as const, ...(ticket !== '' && { ticket }) };
  return (
    <FormDialog
      title={
        <>
          Record a complaint of <UntrustedText text={personName(record)} />?
        </>
      }
      act="Record complaint"
      call={call}
      curl={<CopyCurl endpoint={explainedUnsubscribe} input={{ workspace, contact: record.uuid, body }} />}
      onSubmit={() => submit(() => call.mutate({ workspace, body }, { onSuccess: onClose }))}
      onClose={onClose}
    >
      <p>They stay unsubscribed. From then on, only an admin can subscribe them again, with a reason.</p>
      <TextInput label="Ticket (optional)" autoComplete="off" spellCheck={false} {...field('ticket')} />
    </FormDialog>
  );
}

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import {
  SUPPRESSION_REASONS,
  TICKET_MAX,
  type SuppressionReason,
  type Unsubscription,
} from '#contract/suppressions/suppression.ts';
import { findTextError, useForm } from '../ui/useForm.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { NOBODY_SAID, REASONS } from './describeSuppression.ts';

type Values = { ticket: string; reason: string };

/** Until the sign-out: a ticket is often about several contacts. A reason never is for sure. */
const LAST_TICKET = ['last ticket'];

/** Why, and in which ticket: both optional. `isOffered`: whether the service keeps them (`unsubscribeOwnContact`); else `field` is false. */
export function useSuppressionForm(isOffered: boolean) {
  const client = useQueryClient();
  const lastTicket = client.getQueryData<string>(LAST_TICKET);
  const ticketInput = useRef<HTMLInputElement>(null);
  const form = useForm<Values>({ ticket: '', reason: '' }, ({ ticket }) => ({
    ticket: findTextError(ticket, TICKET_MAX),
  }));
  const repeatTicket = (ticket: string) => {
    form.set('ticket', ticket);
    ticketInput.current?.focus();
  };
  return {
    /** Undefined where nothing is said: the bare operation has no body. */
    body: isOffered ? toBody(form.values) : undefined,
    field: isOffered && (
      <>
        <TextInput
          ref={ticketInput}
          label="Ticket (optional)"
          autoComplete="off"
          spellCheck={false}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          description={
            lastTicket !== undefined && (
              <Button maw="100%" size="compact-xs" variant="subtle" onClick={() => repeatTicket(lastTicket)}>
                <span>
                  Use <UntrustedText text={lastTicket} /> again
                </span>
              </Button>
            )
          }
          {...form.field('ticket')}
        />
        <NativeSelect
          label="Reason (optional)"
          value={form.values.reason}
          onChange={(event) => form.set('reason', event.currentTarget.value)}
          data={[
            { value: '', label: NOBODY_SAID },
            ...SUPPRESSION_REASONS.map((value) => ({ value, label: REASONS[value] })),
          ]}
        />
      </>
    ),
    submit: (send: () => void) =>
      form.submit(({ ticket }) => {
        if (ticket.trim() !== '') client.setQueryData(LAST_TICKET, ticket.trim());
        send();
      }),
  };
}

function toBody({ ticket, reason }: Values): Unsubscription | undefined {
  const said = {
    ...(ticket.trim() !== '' && { ticket: ticket.trim() }),
    ...(reason !== '' && { reason: reason as SuppressionReason }),
  };
  return Object.keys(said).length === 0 ? undefined : said;
}

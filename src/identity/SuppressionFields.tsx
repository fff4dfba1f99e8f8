import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  SUPPRESSION_REASONS,
  TICKET_MAX,
  type SuppressionReason,
  type Unsubscription,
} from '#contract/suppressions/suppression.ts';
import { findTextError, useForm } from '../ui/useForm.ts';
import { NOBODY_SAID, REASONS } from './describeSuppression.ts';

type Values = { ticket: string; reason: string };

/** What was said last is offered again until the sign-out: a ticket is often about several contacts. */
const LAST = ['last suppression'];

/** Why, and in which ticket: both optional. `isOffered`: whether the service keeps them (`unsubscribeOwnContact`); else `field` is false. */
export function useSuppressionForm(isOffered: boolean) {
  const client = useQueryClient();
  const form = useForm<Values>(client.getQueryData<Values>(LAST) ?? { ticket: '', reason: '' }, ({ ticket }) => ({
    ticket: findTextError(ticket, TICKET_MAX),
  }));
  return {
    /** Undefined where nothing is said: the bare operation has no body. */
    body: isOffered ? toBody(form.values) : undefined,
    field: isOffered && (
      <>
        <TextInput label="Ticket (optional)" autoComplete="off" spellCheck={false} {...form.field('ticket')} />
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
      form.submit((values) => {
        client.setQueryData(LAST, values);
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

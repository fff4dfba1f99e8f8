import { Button, TextInput } from '@mantine/core';
import { useRef, useEffect, useEffectEvent, type ChangeEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { getContact } from '#contract/additions.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { usePageActions } from '../ui/actions.ts';
import { Form } from '../ui/Form.tsx';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { parseIdentity, type ParsedIdentity } from '../contact/parseIdentity.ts';
import { paths } from '../url/paths.ts';
import { useCapability, useIdentityField } from '../session/useSession.ts';
import { useForm } from '../ui/useForm.ts';
import classes from './LookUp.module.css';
import { findContact } from './queries.ts';

/** One box for any identity of a contact; says how the text was read before a request is sent. */
export function LookUp(options: LookUpOptions) {
  const { field, identity, hint, search, submit } = useLookUp(options);
  const box = useRef<HTMLInputElement>(null);
  usePageActions([{ id: 'look-up', label: 'Look up a contact', run: () => box.current?.focus() }]);
  return (
    <Form className={classes.lookUp} onSubmit={submit} role="search" aria-label="Find a contact">
      <div className={classes.line}>
        <TextInput
          ref={box}
          className={classes.box}
          size="md"
          aria-label="Contact to look up"
          placeholder="jane@example.com, Jane <jane@example.com>, +44 20 …"
          {...field}
          autoComplete="off"
          spellCheck={false}
          aria-describedby="look-up-reading"
        />
        <Button type="submit" size="md" loading={search.isPending}>
          Look up
        </Button>
      </div>
      <p id="look-up-reading" className={classes.reading} data-fault={field.error || undefined} aria-live="polite">
        <UntrustedText text={hint} />
      </p>
      {search.isError && <ErrorAlert error={search.error} />}
      {search.data === null && (
        <Notice tone="warn" title="There is no such contact in this workspace">
          {identity.ok && <UntrustedText text={`It was looked up as ${identity.values.join(' and ')}.`} />} Check the
          spelling: nobody was changed or unsubscribed.
        </Notice>
      )}
    </Form>
  );
}

type LookUpOptions = {
  /** The text to begin with. */
  initial?: string;
  /** Looks `initial` up on mount, without a submit. */
  atOnce?: boolean;
  /** Receives what the contact is addressed by, instead of its page being opened. */
  onFound?: (contact: string) => void;
};

/**
 * The form of a look-up, how its text reads, and the request. `search.data` is null where no contact was found;
 * `field.error` says that the text was submitted although it cannot be an identity.
 */
function useLookUp({ initial = '', atOnce = false, onFound }: LookUpOptions) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canRead = useCapability(getContact);
  const identityField = useIdentityField();
  const form = useForm({ text: initial }, ({ text }) => {
    const read = parseIdentity(text, identityField);
    return read.ok ? {} : { text: read.fault };
  });
  const { text } = form.values;
  const identity = parseIdentity(text, identityField);

  const search = useMutation({
    mutationFn: (values: string[]) => findContact(client, values, canRead),
    onSuccess: (contact) => {
      if (contact !== null) (onFound ?? ((found) => void navigate(paths.contact(found))))(contact);
    },
  });
  const submit = () => form.submit(() => identity.ok && search.mutate(identity.values));
  const begin = useEffectEvent(submit);
  useEffect(() => {
    if (atOnce) begin();
  }, [atOnce]);
  const { value, error, onChange } = form.field('text');
  return {
    field: {
      value,
      error: error !== undefined,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        onChange(event);
        search.reset();
      },
    },
    identity,
    hint: describeReading(text, identity, identityField),
    search,
    submit,
  };
}

/** What can be typed, or how the text was read, or why it cannot be looked up. */
function describeReading(text: string, identity: ParsedIdentity, identityField: string | null | undefined): string {
  if (text.trim() === '') return `Email, phone, UUID${identityField ? ` or ${identityField}` : ''}`;
  return identity.ok ? `Reads as ${identity.as}` : identity.fault;
}

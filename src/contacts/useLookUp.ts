import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ChangeEvent } from 'react';
import { useNavigate } from 'react-router';
import { getContact } from '#contract/additions.ts';
import { parseIdentity, type ParsedIdentity } from '../identity/parseIdentity.ts';
import { paths } from '../url/paths.ts';
import { useCapability, useIdentityField } from '../session/useSession.ts';
import { useForm } from '../ui/useForm.ts';
import { findContact } from './queries.ts';

export type LookUpOptions = {
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
export function useLookUp({ initial = '', atOnce = false, onFound }: LookUpOptions) {
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

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { getContact } from '#contract/additions.ts';
import { parseIdentity, type ParsedIdentity } from '../identity/parseIdentity.ts';
import { paths } from '../url/paths.ts';
import { useCapability, useIdentityField } from '../session/useSession.ts';
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
 * The text of a look-up, how it reads, and the request. `search.data` is null where no contact was found; `isInvalid`
 * says that the text was submitted although it cannot be an identity.
 */
export function useLookUp({ initial = '', atOnce = false, onFound }: LookUpOptions) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canRead = useCapability(getContact);
  const [text, setText] = useState(initial);
  const identityField = useIdentityField();
  const identity = parseIdentity(text, identityField);
  const [isInvalid, setInvalid] = useState(atOnce && !identity.ok);

  const search = useMutation({
    mutationFn: (values: string[]) => findContact(client, values, canRead),
    onSuccess: (contact) => {
      if (contact !== null) (onFound ?? ((found) => void navigate(paths.contact(found))))(contact);
    },
  });
  const begin = useEffectEvent(() => {
    if (identity.ok) search.mutate(identity.values);
  });
  useEffect(() => {
    if (atOnce) begin();
  }, [atOnce]);
  return {
    text,
    identity,
    hint: describeReading(text, identity, identityField),
    isInvalid,
    search,
    submit: () => {
      if (identity.ok) search.mutate(identity.values);
      else setInvalid(true);
    },
    type: (value: string) => {
      setText(value);
      setInvalid(false);
      search.reset();
    },
  };
}

/** What can be typed, or how the text was read, or why it cannot be looked up. */
function describeReading(text: string, identity: ParsedIdentity, identityField: string | null | undefined): string {
  if (text.trim() === '') return `Email, phone, UUID${identityField ? ` or ${identityField}` : ''}`;
  return identity.ok ? `Reads as ${identity.as}` : identity.fault;
}

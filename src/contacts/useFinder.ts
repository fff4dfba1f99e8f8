import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { getContact } from '#contract/additions.ts';
import { describeField } from '../contact/describeField.ts';
import type { Identity, IdentityField } from '../contact/parseIdentity.ts';
import { describeReading, readSearch, searchTermOf, valuesToTry, type SearchReading } from '../contact/readSearch.ts';
import { useCapability, useIdentityField } from '../session/useSession.ts';
import { useSearchText } from '../table/useSearchText.ts';
import { paths } from '../url/paths.ts';
import { findContact } from './queries.ts';
import type { ContactFilter } from './useContactFilter.ts';

/** Milliseconds after the last key before the contact is looked up, so that it can be offered. */
const PAUSE = 250;

export type FinderOptions = {
  /** The text to begin with. */
  initial?: string;
  /** Looks `initial` up on mount, without a submit. */
  atOnce?: boolean;
  /** Receives what the contact is addressed by, instead of its page being opened. */
  onFound?: (contact: string) => void;
  /** The list that the text filters. Without it, words are looked up as an identity. */
  filter?: ContactFilter | undefined;
};

/**
 * The box that finds contacts. `offer` is the contact whose identity stands in the text. `search` is the look-up of a
 * submit: its variable is the identity, and its data null where no contact has it. `refused` says why a submitted text
 * cannot be looked up.
 */
export function useFinder({ initial, atOnce = false, onFound, filter }: FinderOptions) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canRead = useCapability(getContact);
  const identityField = useIdentityField();
  const { text, setText, commit, clear } = useSearchText(
    filter?.text ?? '',
    (value) => filter?.apply(value, findPersonalSearch(readSearch(value, identityField))),
    initial,
  );
  const [isSubmitted, setSubmitted] = useState(atOnce);
  const reading = readSearch(text, identityField);
  const open = (contact: string) => (onFound ?? ((found) => void navigate(paths.contact(found))))(contact);
  const search = useMutation({
    mutationFn: (identity: Identity) => findContact(client, valuesToTry(identity), canRead),
    onSuccess: (found) => found && open(found.contact),
  });
  const offer = useOffer(text, reading, canRead && filter !== undefined);

  const subject = subjectOf(reading, filter !== undefined, identityField);
  const lookUp = () => {
    if ('identity' in subject && subject.identity !== null) search.mutate(subject.identity);
  };
  const begin = useEffectEvent(lookUp);
  useEffect(() => {
    if (atOnce) begin();
  }, [atOnce]);

  return {
    text,
    reading,
    hint: describeText(text, reading, identityField, filter !== undefined),
    refused: isSubmitted && 'fault' in subject ? subject.fault : null,
    offer,
    search,
    type: (value: string) => {
      setText(value);
      setSubmitted(false);
      search.reset();
    },
    clear: () => {
      clear();
      setSubmitted(false);
      search.reset();
    },
    submit: () => {
      commit();
      setSubmitted(true);
      if (offer === null) lookUp();
      else open(offer.contact);
    },
    open,
  };
}

/** What a list is searched for in place of the text, where that names people; null for words. */
function findPersonalSearch(reading: SearchReading): string | null {
  if (reading.kind === 'words') return null;
  // Of several people, the user is asked which is meant.
  return reading.kind === 'person' ? searchTermOf(reading.identity) : '';
}

/** The contact whose identity stands in `text`, a moment after the last key; null while there is none. */
function useOffer(text: string, reading: SearchReading, isOffered: boolean) {
  const client = useQueryClient();
  const [settled] = useDebouncedValue(text, PAUSE);
  const values = reading.kind === 'person' ? valuesToTry(reading.identity) : [];
  const isEnabled = isOffered && values.length > 0 && settled === text;
  const { data } = useQuery({
    queryKey: ['contact by identity', values],
    // An error is not shown here: a submit asks again and shows its own.
    queryFn: () => findContact(client, values, true),
    enabled: isEnabled,
    retry: false,
  });
  return (isEnabled && data) || null;
}

/** What a submit looks up: nothing where words only filter the list, or where a list of people asks for a choice. */
function subjectOf(
  reading: SearchReading,
  isFiltering: boolean,
  identityField: IdentityField,
): { fault: string } | { identity: Identity | null } {
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'people') return { identity: null };
  if (reading.kind === 'person') return { identity: reading.identity };
  const { identity } = reading;
  if (isFiltering) {
    // One word may be an identity of the workspace; if it is not, the list shows what matches.
    const isWord = identity.ok && identity.kind === 'custom' && typeof identityField === 'string';
    return { identity: isWord && !/\s/.test(identity.values[0] ?? ' ') ? identity : null };
  }
  return identity.ok ? { identity } : { fault: identity.fault };
}

/** What can be typed, or how the text was read, or why it cannot be looked up. */
function describeText(
  text: string,
  reading: SearchReading,
  identityField: IdentityField,
  isFiltering: boolean,
): string {
  if (text.trim() === '') {
    const id = identityField === undefined ? 'ID' : identityField === null ? '' : describeField(identityField);
    return [...(isFiltering ? ['Name', 'email'] : ['Email']), 'phone', 'UUID', id].filter(Boolean).join(', ');
  }
  if (reading.kind === 'fault') return reading.fault;
  if (reading.kind === 'people') return `${reading.people.length} people in this text: choose one`;
  const { identity } = reading;
  if (reading.kind === 'words' && isFiltering) return '';
  return identity.ok ? describeReading(identity, identityField) : identity.fault;
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
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
import { useCandidates } from './useCandidates.ts';
import type { ContactFilter } from './useContactFilter.ts';

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
    (value) => filter?.apply(value, findPersonalSearch(value, identityField)),
    initial,
  );
  const [isSubmitted, setSubmitted] = useState(atOnce);
  const isAsked = canRead && filter !== undefined;
  const { reading, offer } = useCandidates(text, readSearch(text, identityField), isAsked);
  const open = (contact: string) => (onFound ?? ((found) => void navigate(paths.contact(found))))(contact);
  const search = useMutation({
    mutationFn: (identity: Identity) => findContact(client, valuesToTry(identity), canRead),
    onSuccess: (found) => found && open(found.contact),
  });

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

/** What a list is searched for where the text names people, or may name some; null for words. */
function findPersonalSearch(text: string, identityField: IdentityField): string | null {
  const reading = readSearch(text, identityField);
  if (reading.kind === 'words') return reading.guesses.length > 0 ? text : null;
  // Of several people, the user is asked which is meant.
  return reading.kind === 'person' ? searchTermOf(reading.identity) : '';
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
  if (!identity.ok) return { fault: identity.fault };
  const [guess, ...others] = reading.guesses;
  if (guess === undefined || others.length > 0) return { identity };
  return { identity: { ...identity, values: [...new Set([...identity.values, ...guess.identity.values])] } };
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

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { getContact } from '#contract/additions.ts';
import type { Identity, IdentityField } from '../../identity/parse/parseIdentity.ts';
import {
  describeReading,
  readSearch,
  searchTermsOf,
  valuesToTry,
  type SearchReading,
} from '../../identity/parse/readSearch.ts';
import { useCapability, useIdentityField } from '../../session/useSession.ts';
import { firstListState } from '../../table/listState.ts';
import { paths } from '../../url/paths.ts';
import { useOwnUrl } from '../../url/urlState.ts';
import { contactsQuery, findContact, type FoundContact } from '../queries.ts';
import { useCandidates } from './useCandidates.ts';
import { CONTACT_LIST, type ContactFilter } from '../useContactFilter.ts';

/** A text that is to be looked up: another object for each time that it was submitted. */
export type Submission = object;

type FinderOptions = {
  text: string;
  /** Null where the text was changed since it was submitted. */
  submission: Submission | null;
  /** Receives what the contact is addressed by, instead of its page being opened. */
  onFound: ((contact: string) => void) | undefined;
  /** The list that the text filters. Without it, words are looked up as an identity. */
  filter: ContactFilter | undefined;
};

/**
 * Finds the contact that a text names. `words` says how it reads, and `offer` is the contact whose identity stands in it.
 * `lookUp` begins the look-up of an identity, and `search` is its state: its data is null where no contact has it. `refused` says
 * why a submitted text cannot be looked up.
 */
export function useFinder({ text, submission, onFound, filter }: FinderOptions) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const readUrl = useOwnUrl();
  const canRead = useCapability(getContact);
  const identityField = useIdentityField();
  const isAsked = canRead && filter !== undefined;
  const typed = readSearch(text, identityField);
  const { reading, offer } = useCandidates(text, typed, isAsked);
  useOtherSearch(typed, text, filter);
  const open = (contact: string) => (onFound ?? ((found) => void navigate(paths.contact(found))))(contact);
  const search = useMutation({
    mutationFn: (identity: Identity) => findContact(client, valuesToTry(identity), canRead),
  });
  // Given to the call, so that it ends with the page and with the text: whoever has gone on is not led back.
  const onSuccess = (found: FoundContact | null) => {
    if (found !== null && readUrl() !== null) open(found.contact);
  };
  const lookUp = (identity: Identity) => search.mutate(identity, { onSuccess });

  const subject = subjectOf(reading, filter !== undefined, identityField);
  // What was found is of the text before.
  const forget = useEffectEvent((_text: string) => search.reset());
  useEffect(() => forget(text), [text]);
  const run = useEffectEvent(() => {
    if (offer !== null) open(offer.contact);
    else if ('identity' in subject && subject.identity !== null) lookUp(subject.identity);
  });
  useEffect(() => {
    if (submission !== null) run();
  }, [submission]);

  const refused = submission !== null && 'fault' in subject ? subject.fault : null;
  return {
    reading,
    words: describeText(reading, identityField, filter !== undefined),
    refused,
    offer,
    search,
    lookUp,
    open,
  };
}

/** What a list is searched for where the text names people, or may name some; null for words. */
export function findPersonalSearch(text: string, identityField: IdentityField): string | null {
  const reading = readSearch(text, identityField);
  if (reading.kind === 'words') return reading.guesses.length > 0 ? text : null;
  // Of several people, the user is asked which is meant.
  return reading.kind === 'person' ? (searchTermsOf(reading.identity)[0] ?? '') : '';
}

/** Searches the list for the other term of an identity once it is known that nobody is found by the first. */
function useOtherSearch(reading: SearchReading, text: string, filter: ContactFilter | undefined): void {
  const [first, other] = reading.kind === 'person' ? searchTermsOf(reading.identity) : [];
  const isFirst = other !== undefined && filter?.text === text && filter.state.search === first;
  const { data, isPlaceholderData } = useQuery({
    ...contactsQuery(filter?.state ?? firstListState(CONTACT_LIST)),
    enabled: isFirst,
  });
  const isNobody = isFirst && data?.meta.total === 0 && !isPlaceholderData;
  const searchOther = useEffectEvent(() => filter?.apply(text, other ?? ''));
  useEffect(() => {
    if (isNobody) searchOther();
  }, [isNobody]);
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

/** How the text was read, or why it cannot be looked up. */
function describeText(reading: SearchReading, identityField: IdentityField, isFiltering: boolean): string {
  if (reading.kind === 'fault') return reading.fault;
  if (reading.kind === 'people') return `${reading.people.length} people in this text: choose one`;
  const { identity } = reading;
  if (reading.kind === 'words' && isFiltering) return '';
  return identity.ok ? describeReading(identity, identityField) : identity.fault;
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useDebouncedValue } from '@mantine/hooks';
import { getContact } from '#contract/additions.ts';
import type { Identity, IdentityField } from '../../identity/parse/parseIdentity.ts';
import {
  describeReading,
  isNumber,
  readSearch,
  searchTermsOf,
  valuesToTry,
  type SearchReading,
  type NamedIdentity,
} from '../../identity/parse/readSearch.ts';
import { useCapability, useIdentityField } from '../../session/useSession.ts';
import { firstListState } from '../../table/useList.ts';
import { paths } from '../../url/paths.ts';
import { useOwnUrl } from '../../url/urlState.ts';
import { contactsQuery, findContact, type FoundContact } from '../queries.ts';
import { CONTACT_LIST, type ContactFilter } from '../useContactFilter.ts';

type FinderOptions = {
  text: string;
  isSubmitted: boolean;
  /** Submits on mount. */
  atOnce: boolean;
  onFound: ((contact: string) => void) | undefined;
  filter: ContactFilter | undefined;
};

/**
 * Finds the contact that a text names. `words` says how it reads, `offer` is the contact it certainly names, `search` is the state
 * of a look-up (its data is null if there's no contact), and `refused` says why a submitted text can't be looked up. `isFirstLookUp` until
 * the one on mount found nobody, or failed.
 */
export function useFinder({ text, isSubmitted, atOnce, onFound, filter }: FinderOptions) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const client = useQueryClient();
  const navigate = useNavigate();
  const readUrl = useOwnUrl();
  const canRead = useCapability(getContact);
  const identityField = useIdentityField();
  const isAsked = canRead && filter !== undefined;
  const typed = useMemo(() => readSearch(text, identityField), [text, identityField]);
  const { reading, offer } = useCandidates(text, typed, isAsked);
  useOtherSearch(typed, text, filter);
  const open = (contact: string) => (onFound ?? ((found) => void navigate(paths.contact(found))))(contact);
  const search = useMutation({
    mutationFn: (identity: Identity) => findContact(client, valuesToTry(identity), canRead),
  });
  // Passed to the call, so that it ends with the page and the text: nobody is led back.
  const onSuccess = (found: FoundContact | null) => {
    if (found !== null && readUrl() !== null) open(found.contact);
  };
  const [isFirst, setFirst] = useState(atOnce);
  const onSettled = (found: FoundContact | null | undefined) => found ?? setFirst(false);
  const lookUp = (identity: Identity) => search.mutate(identity, { onSuccess, onSettled });

  const subject = subjectOf(reading, filter !== undefined, identityField);
  const wanted = 'identity' in subject ? subject.identity : null;
  const forget = useEffectEvent((_text: string) => search.reset());
  useEffect(() => forget(text), [text]);
  const submit = () => {
    if (offer !== null) open(offer.contact);
    else if (wanted !== null) lookUp(wanted);
  };
  const begin = useEffectEvent(() => atOnce && submit());
  useEffect(() => void begin(), []);

  const refused = isSubmitted && 'fault' in subject ? subject.fault : null;
  return {
    submit,
    isFirstLookUp: isFirst && wanted !== null,
    reading,
    words: describeText(reading, identityField, filter !== undefined),
    refused,
    offer,
    search,
    lookUp,
    open,
  };
}

/** What the list is searched for if the text may name people; null for words. */
export function findPersonalSearch(text: string, identityField: IdentityField): string | null {
  const reading = readSearch(text, identityField);
  if (reading.kind === 'words') return reading.guesses.length > 0 ? text : null;
  return reading.kind === 'person' ? (searchTermsOf(reading.identity)[0] ?? '') : '';
}

/** Searches the list for the other term of an identity once the first finds nobody. */
function useOtherSearch(reading: SearchReading, text: string, filter: ContactFilter | undefined): void {
  'use no memo'; // It renders rarely, and the first file has to be small.
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

/** What a submit looks up: null if words only filter the list, or one of several people must be chosen. */
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
    // One word may be a custom identity; otherwise the list shows what matches.
    const isWord = identity.ok && identity.kind === 'custom' && typeof identityField === 'string';
    return { identity: isWord && !/\s/.test(identity.values[0] ?? ' ') ? identity : null };
  }
  if (!identity.ok) return { fault: identity.fault };
  const [guess, ...others] = reading.guesses;
  if (guess === undefined || others.length > 0) return { identity };
  return { identity: { ...identity, values: [...new Set([...identity.values, ...guess.identity.values])] } };
}

function describeText(reading: SearchReading, identityField: IdentityField, isFiltering: boolean): string {
  if (reading.kind === 'fault') return reading.fault;
  if (reading.kind === 'people') return `${reading.people.length} people in this text: choose one`;
  const { identity } = reading;
  if (reading.kind === 'words' && isFiltering) {
    const number = reading.guesses.find(({ text }) => isNumber(text))?.text;
    return number === undefined ? '' : `Searching for these words. To find ${number}, type it alone.`;
  }
  return identity.ok ? describeReading(identity, identityField) : identity.fault;
}

const PAUSE = 250;
/** More are shown without looking them up. */
const LOOK_UPS_MAX = 6;

type Candidate = NamedIdentity & { found: FoundContact };

/** `offer` is the contact if the text names only one. Guesses without a contact are dropped from `reading`, and so are duplicates. */
function useCandidates(
  text: string,
  typed: SearchReading,
  isAsked: boolean,
): { reading: SearchReading; offer: FoundContact | null } {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const client = useQueryClient();
  const [settled] = useDebouncedValue(text, PAUSE);
  const named = listNamed(typed);
  const isEnabled = isAsked && named.length > 0 && named.length <= LOOK_UPS_MAX && settled === text;
  const { data } = useQuery({
    queryKey: ['contacts by identity', named.map(({ identity }) => valuesToTry(identity))],
    // A submit asks again and shows its own error.
    queryFn: async () => {
      const candidates = new Map<string, Candidate>();
      for (const person of named) {
        const found = await findContact(client, valuesToTry(person.identity), true);
        if (found !== null && !candidates.has(found.contact)) candidates.set(found.contact, { ...person, found });
      }
      return [...candidates.values()];
    },
    enabled: isEnabled,
    retry: false,
  });
  if (!isEnabled || data === undefined) return { reading: typed, offer: null };
  const [only, ...others] = data;
  if (only === undefined) return { reading: withoutGuesses(typed), offer: null };
  return others.length === 0
    ? { reading: typed, offer: only.found }
    : { reading: { kind: 'people', people: data }, offer: null };
}

/** The identities to look up: none if the text certainly names several people. */
function listNamed(reading: SearchReading): readonly NamedIdentity[] {
  switch (reading.kind) {
    case 'fault':
      return [];
    case 'words':
      return reading.guesses;
    case 'person':
      return [{ text: '', identity: reading.identity, isGuess: false }];
    case 'people':
      return reading.people.some(({ isGuess }) => isGuess) ? reading.people : [];
  }
}

function withoutGuesses(reading: SearchReading): SearchReading {
  if (reading.kind !== 'people') return reading;
  const people = reading.people.filter(({ isGuess }) => !isGuess);
  const [first, ...others] = people;
  return first !== undefined && others.length === 0
    ? { kind: 'person', identity: first.identity }
    : { kind: 'people', people };
}

import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type NamedIdentity, type SearchReading, valuesToTry } from '../../identity/parse/readSearch.ts';
import { findContact, type FoundContact } from '../queries.ts';

/** Milliseconds after the last key before contacts are looked up, so that they can be offered. */
const PAUSE = 250;
/** Of more identities in a text, the user is asked without looking them up. */
const LOOK_UPS_MAX = 6;

type Candidate = NamedIdentity & { found: FoundContact };

/**
 * Whom a text names, as far as the service knows: `offer` is the contact where there is only one, a moment after the last
 * key. Guesses that nobody has are dropped from `reading`, and so are identities of one contact but for the first.
 */
export function useCandidates(
  text: string,
  typed: SearchReading,
  isAsked: boolean,
): { reading: SearchReading; offer: FoundContact | null } {
  const client = useQueryClient();
  const [settled] = useDebouncedValue(text, PAUSE);
  const named = listNamed(typed);
  const isEnabled = isAsked && named.length > 0 && named.length <= LOOK_UPS_MAX && settled === text;
  const { data } = useQuery({
    queryKey: ['contacts by identity', named.map(({ identity }) => valuesToTry(identity))],
    // An error is not shown here: a submit asks again and shows its own.
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

/** The identities to look up: none where the text itself says that it names several people. */
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

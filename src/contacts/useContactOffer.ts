import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from 'react-router';
import { getContact, listContacts } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listQuery } from '../api/apiQuery.ts';
import { describeField, type Identity } from '../identity/parse/parseIdentity.ts';
import {
  describeReading,
  readSearch,
  type NamedIdentity,
  type SearchReading,
  searchWordsOf,
  valuesToTry,
} from '../identity/parse/readSearch.ts';
import { personAddress, personName } from '../identity/person.ts';
import { useCapability, useIdentityField } from '../session/useSession.ts';
import { useMatches } from '../table/useMatches.ts';
import type { PaletteOffer } from '../ui/page/actions.ts';
import { paths } from '../url/paths.ts';
import { contactQuery, findContact, recentContactsQuery } from './queries.ts';

export function useContactOffer(text: string): PaletteOffer {
  const navigate = useNavigate();
  const canList = useCapability(listContacts);
  const identityField = useIdentityField();
  const reading = readSearch(text, identityField);
  const { rows, isSearching, error } = useMatches(searchWordsOf(text), {
    query: (search) => listQuery(listContacts, { query: { ...search, sorting: [{ id: 'updated_at', desc: true }] } }),
    isEnabled: () => canList,
  });
  const lookUp = (typed: string, identity: Identity) => ({
    id: `look up ${typed}`,
    label: `Look up “${typed}”`,
    detail: describeReading(identity, identityField),
    run: () => void navigate(paths.contacts, { state: { lookUp: typed } }),
  });
  const recent = useRecentContacts();
  const named = useNamedContact(text, reading);
  const uuid = named.record?.uuid;
  return {
    groups: [
      { title: 'Opened recently', options: text.trim() === '' ? recent : [], place: 'first' },
      {
        title: 'Contacts',
        options: [...(named.record ? [named.record] : []), ...rows.filter((row) => row.uuid !== uuid)].map(
          (contact) => ({
            id: `contact ${contact.uuid}`,
            ...describeMatch(contact, text),
            exact: contact.uuid === uuid ? named.by : undefined,
            run: () => void navigate(paths.contact(contact.uuid)),
          }),
        ),
      },
      {
        title: 'Find a contact',
        options: (uuid === undefined ? findPeople(text, reading) : []).map(({ text: typed, identity }) =>
          lookUp(typed, identity),
        ),
        place: reading.kind === 'words' ? 'last' : 'first',
      },
    ],
    isSearching: isSearching || named.isSearching,
    error,
  };
}

const PAUSE = 200;

/** The contact that the text names for certain, and by what. */
function useNamedContact(text: string, reading: SearchReading) {
  const client = useQueryClient();
  const canRead = useCapability(getContact);
  const identityField = useIdentityField();
  const [settled] = useDebouncedValue(text, PAUSE);
  const identity = reading.kind === 'person' ? reading.identity : null;
  const values = identity === null ? [] : valuesToTry(identity);
  const enabled = canRead && values.length > 0 && settled === text;
  const { data, isFetching } = useQuery({
    queryKey: ['contact by identity', values],
    queryFn: async () => await findContact(client, values, true),
    enabled,
    // A look-up shows its own error.
    retry: false,
  });
  const kinds = {
    email: 'email',
    phone: 'phone number',
    uuid: 'UUID',
    custom: describeField(identityField ?? undefined),
  };
  const record = enabled ? (data?.record ?? null) : null;
  return { record, by: identity === null ? undefined : kinds[identity.kind], isSearching: isFetching };
}

const PEOPLE_MAX = 5;

/** The people in `text`, else the whole text as a possible identity. */
function findPeople(text: string, reading: SearchReading): NamedIdentity[] {
  if (reading.kind === 'people') return reading.people.slice(0, PEOPLE_MAX);
  if (reading.kind === 'fault') return [];
  const guesses = reading.kind === 'words' ? reading.guesses.slice(0, PEOPLE_MAX) : [];
  const { identity } = reading;
  return identity.ok ? [...guesses, { text: text.trim(), identity, isGuess: false }] : guesses;
}

const RECENT_MAX = 5;

function useRecentContacts() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: recent } = useQuery(recentContactsQuery);
  return recent.slice(0, RECENT_MAX).flatMap((uuid) => {
    const record = client.getQueryData(contactQuery(uuid).queryKey)?.data;
    if (record === undefined) return [];
    return { id: `recent ${uuid}`, ...describeMatch(record), run: () => void navigate(paths.contact(uuid)) };
  });
}

/** With the company, job title or phone if only that is why it matches `text`. */
function describeMatch(contact: ReadableContact, text = ''): { label: string; detail?: string } {
  const [label, address] = [personName(contact), personAddress(contact)];
  const word = text.trim().toLowerCase();
  const isIn = (shown: string) => shown.toLowerCase().includes(word);
  const { company, job_title, phone } = contact.attributes ?? {};
  const why =
    isIn(label) || isIn(address) ? [] : [company, job_title, phone].filter((value) => typeof value === 'string');
  const parts = [address === label ? '' : address, ...why.filter(isIn).slice(0, 1)].filter((part) => part !== '');
  return { label, ...(parts.length > 0 && { detail: parts.join(' · ') }) };
}

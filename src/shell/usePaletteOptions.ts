import { useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { getWorkspace, listContacts } from '#contract/additions.ts';
import { listDomains } from '#contract/interface.ts';
import { SEARCH_MAX } from '#contract/list.ts';
import { listQuery } from '../api/apiQuery.ts';
import { parseIdentity, type ParsedIdentity } from '../identity/parseIdentity.ts';
import { paths } from '../url/paths.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { listCurrentActions, type Action } from '../ui/actions.ts';
import { findKeys } from './shortcuts.ts';
import { areSingleKeysEnabled } from './singleKeys.ts';

/** Milliseconds after the last key before a request is sent. */
const PAUSE = 200;
const FOUND_MAX = 5;

export type PaletteOption = { id: string; label: string; detail?: string; keys?: string; run: () => void };
export type PaletteGroup = { title: string; options: PaletteOption[] };

/** What the palette offers for `text`: actions, a look-up, and what the service finds. `error` is of its requests. */
export function usePaletteOptions(text: string): { groups: PaletteGroup[]; isSearching: boolean; error: Error | null } {
  const navigate = useNavigate();
  const session = useSession();
  const identityField = useCapability(getWorkspace) ? session.identity_field : undefined;
  // The actions of the moment when the palette was opened.
  const [{ page, everywhere }] = useState(listCurrentActions);
  const [keys] = useState(() => findActiveKeys([...page, ...everywhere]));
  const term = text.trim();
  const { contacts, domains, isSearching, error } = usePaletteSearch(term);
  const go = (to: string) => void navigate(to);

  const identity = parseIdentity(text, identityField);
  const lookUp = createLookUpGroup(identity, term, () => void navigate(paths.contacts, { state: { lookUp: text } }));
  const isIdentity = identity.ok && identity.kind !== 'custom';
  const groups = [
    ...(isIdentity ? [lookUp] : []),
    createActionGroup('On this page', page, term, keys),
    createActionGroup('Everywhere', everywhere, term, keys),
    createContactGroup(contacts, go),
    createDomainGroup(domains, go),
    ...(isIdentity ? [] : [lookUp]),
  ];
  return { groups: groups.filter(({ options }) => options.length > 0), isSearching, error };
}

/** What the service finds for `term`, a moment after it was typed. */
function usePaletteSearch(term: string) {
  const canList = useCapability(listContacts);
  const [requested] = useDebouncedValue(term, PAUSE);
  const search = { per_page: FOUND_MAX, page: 1, search: requested };
  const isSearch = requested !== '' && requested.length <= SEARCH_MAX;
  // No domain name contains a blank or an @.
  const searchesDomains = isSearch && !/[\s@]/.test(requested);
  const searchesContacts = isSearch && canList;
  const domains = useQuery({ ...listQuery(listDomains, { query: search }), enabled: searchesDomains });
  const contacts = useQuery({
    ...listQuery(listContacts, { query: { ...search, sorting: [{ id: 'updated_at', desc: true }] } }),
    enabled: searchesContacts,
  });
  // A disabled query keeps the rows of an earlier search, which must not show.
  const rowsOf = <Row>({ data }: { data: { data: Row[] } | undefined }, isEnabled: boolean) =>
    term !== '' && isEnabled ? (data?.data ?? []).slice(0, FOUND_MAX) : [];
  return {
    contacts: rowsOf(contacts, searchesContacts),
    domains: rowsOf(domains, searchesDomains),
    isSearching: term !== '' && (requested !== term || domains.isFetching || contacts.isFetching),
    error: term === '' ? null : (domains.error ?? contacts.error),
  };
}

/** The actions whose label contains every word of `term`. */
function createActionGroup(
  title: string,
  actions: readonly Action[],
  term: string,
  keys: ReadonlyMap<string, string | undefined>,
): PaletteGroup {
  const words = term.toLowerCase().split(/\s+/);
  const options = actions
    .filter(({ id, label }) => id !== 'palette' && words.every((word) => label.toLowerCase().includes(word)))
    .map(({ id, label, run }) => {
      const key = keys.get(id);
      return { id: `${title} ${id}`, label, run, ...(key !== undefined && { keys: key }) };
    });
  return { title, options };
}

function createLookUpGroup(identity: ParsedIdentity, term: string, run: () => void): PaletteGroup {
  const options =
    identity.ok && term !== ''
      ? [{ id: 'look up', label: `Look up “${term}”`, detail: `Reads as ${identity.as}`, run }]
      : [];
  return { title: 'Find a contact', options };
}

type FoundContact = { uuid: string; attributes: Readonly<Record<string, unknown>> | null };

function createContactGroup(contacts: readonly FoundContact[], go: (to: string) => void): PaletteGroup {
  const options = contacts.map(({ uuid, attributes }) => {
    const { first_name, last_name, email } = attributes ?? {};
    const names = [first_name, last_name].filter((name) => typeof name === 'string' && name.trim() !== '');
    return {
      id: `contact ${uuid}`,
      label: names.join(' ') || uuid,
      ...(typeof email === 'string' && { detail: email }),
      run: () => go(paths.contact(uuid)),
    };
  });
  return { title: 'Contacts', options };
}

function createDomainGroup(domains: readonly { uuid: string; name: string }[], go: (to: string) => void): PaletteGroup {
  const options = domains.map(({ uuid, name }) => ({
    id: `domain ${uuid}`,
    label: name,
    run: () => go(paths.domain(name)),
  }));
  return { title: 'Domains', options };
}

/** The first key of each action by its id; empty while single keys are turned off. */
function findActiveKeys(actions: readonly Action[]): Map<string, string | undefined> {
  return new Map(areSingleKeysEnabled() ? actions.map((action) => [action.id, findKeys(action)[0]]) : []);
}

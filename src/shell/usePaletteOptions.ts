import { useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { getWorkspace, listContacts } from '#contract/additions.ts';
import { listDomains } from '#contract/interface.ts';
import { SEARCH_MAX } from '#contract/list.ts';
import { listQuery } from '../api/apiQuery.ts';
import { parseIdentity, type ParsedIdentity } from '../identity/parseIdentity.ts';
import { paths } from '../paths.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { listCurrentActions, type Action } from '../ui/actions.ts';
import { findKeys } from './shortcuts.ts';
import { areSingleKeysEnabled } from './singleKeys.ts';

/** Milliseconds after the last key before the service is asked. */
const PAUSE = 200;
const FOUND_MAX = 5;

export type PaletteOption = { id: string; label: string; detail?: string; keys?: string; run: () => void };
export type PaletteGroup = { title: string; options: PaletteOption[] };

/** What the palette offers for `text`: actions, a look-up, and what the service finds. */
export function usePaletteOptions(text: string): { groups: PaletteGroup[]; searching: boolean; failure: Error | null } {
  const navigate = useNavigate();
  const session = useSession();
  const identityField = useCapability(getWorkspace) ? session.identity_field : undefined;
  const canList = useCapability(listContacts);
  // What could be done when the palette was opened.
  const [{ page, everywhere }] = useState(listCurrentActions);
  const [keys] = useState(() => keysThatAct([...page, ...everywhere]));
  const wanted = text.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE);
  const search = { per_page: FOUND_MAX, page: 1, search: asked };
  const isSearch = asked !== '' && asked.length <= SEARCH_MAX;
  const domains = useQuery({
    ...listQuery(listDomains, { query: search }),
    // No name of a domain has a blank or an @ in it.
    enabled: isSearch && !/[\s@]/.test(asked),
  });
  const contacts = useQuery({
    ...listQuery(listContacts, { query: { ...search, sorting: [{ id: 'updated_at', desc: true }] } }),
    enabled: isSearch && canList,
  });
  // Rows of an earlier search stand in while the next one is under way; of a search that is not made, nothing does.
  const found = <Row>({ data }: { data: { data: Row[] } | undefined }, isAsked: boolean) =>
    wanted !== '' && isAsked ? (data?.data ?? []).slice(0, FOUND_MAX) : [];

  const offered = (title: string, actions: readonly Action[]): PaletteGroup => ({
    title,
    options: actions
      .filter(({ id, label }) => id !== 'palette' && matches(label, wanted))
      .map(({ id, label, run }) => ({ id: `${title} ${id}`, label, run, ...shownKeys(keys.get(id)) })),
  });
  const reading = parseIdentity(text, identityField);
  const lookUp: PaletteGroup = {
    title: 'Find a contact',
    options: lookUpOptions(reading, wanted, () => void navigate(paths.contacts, { state: { lookUp: text } })),
  };
  const isIdentity = reading.ok && reading.kind !== 'custom';
  const groups: PaletteGroup[] = [
    ...(isIdentity ? [lookUp] : []),
    offered('On this page', page),
    offered('Everywhere', everywhere),
    {
      title: 'Contacts',
      options: found(contacts, isSearch && canList).map(({ uuid, attributes }) => ({
        id: `contact ${uuid}`,
        label: namesOf(attributes).join(' ') || uuid,
        ...(typeof attributes?.['email'] === 'string' && { detail: attributes['email'] }),
        run: () => void navigate(paths.contact(uuid)),
      })),
    },
    {
      title: 'Domains',
      options: found(domains, isSearch && !/[\s@]/.test(asked)).map(({ uuid, name }) => ({
        id: `domain ${uuid}`,
        label: name,
        run: () => void navigate(paths.domain(name)),
      })),
    },
    ...(isIdentity ? [] : [lookUp]),
  ];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    searching: wanted !== '' && (asked !== wanted || domains.isFetching || contacts.isFetching),
    failure: wanted === '' ? null : (domains.error ?? contacts.error),
  };
}

function lookUpOptions(reading: ParsedIdentity, wanted: string, run: () => void): PaletteOption[] {
  if (!reading.ok || wanted === '') return [];
  return [{ id: 'look up', label: `Look up “${wanted}”`, detail: `Reads as ${reading.as}`, run }];
}

function namesOf(attributes: Readonly<Record<string, unknown>> | null): string[] {
  const names = [attributes?.['first_name'], attributes?.['last_name']];
  return names.filter((name): name is string => typeof name === 'string' && name.trim() !== '');
}

function keysThatAct(actions: readonly Action[]): Map<string, string | undefined> {
  return new Map(areSingleKeysEnabled() ? actions.map((action) => [action.id, findKeys(action)[0]]) : []);
}

const shownKeys = (keys: string | undefined) => (keys === undefined ? {} : { keys });

/** Every word typed is somewhere in the label. */
function matches(label: string, wanted: string): boolean {
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word));
}

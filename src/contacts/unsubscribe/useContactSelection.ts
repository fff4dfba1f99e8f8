import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { personName } from '../../identity/person.ts';
import { selectedContactsQuery } from '../../identity/selectedContacts.ts';
import type { RowSelection } from '../../table/SelectBox.tsx';

export function useContactSelection() {
  const client = useQueryClient();
  // Also in state: the cache reports changes later, and a checkbox must not wait.
  const [selected, setSelected] = useState(() => client.getQueryData(selectedContactsQuery.queryKey) ?? []);
  const change = (update: (selected: readonly ReadableContact[]) => readonly ReadableContact[]) => {
    setSelected(update);
    client.setQueryData(selectedContactsQuery.queryKey, (kept = []) => update(kept));
  };
  const select = (contacts: readonly ReadableContact[], isSelected: boolean) => {
    const changed = new Set(contacts.map(({ uuid }) => uuid));
    change((before) => [...before.filter(({ uuid }) => !changed.has(uuid)), ...(isSelected ? contacts : [])]);
  };
  const uuids = new Set(selected.map(({ uuid }) => uuid));
  const selection: RowSelection<ReadableContact> = { has: ({ uuid }) => uuids.has(uuid), select, nameOf: personName };
  return { selection, selected, clear: () => change(() => []) };
}

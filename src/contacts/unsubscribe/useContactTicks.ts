import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { personName } from '../../identity/person.ts';
import { changeTicks, tickedContactsQuery } from '../../identity/tickedContacts.ts';
import { TickPage, TickRow, type RowTicks, type TickBox } from '../../table/Tick.tsx';

/** The ticks of the list of contacts: kept on all its pages, and until a sign-out. */
export function useContactTicks() {
  const client = useQueryClient();
  // In a state as well: the cache tells its changes a moment later, and a checkbox must not wait for them.
  const [ticked, setTicked] = useState(() => client.getQueryData(tickedContactsQuery.queryKey) ?? []);
  const change = (update: (ticked: readonly ReadableContact[]) => readonly ReadableContact[]) => {
    setTicked(update);
    client.setQueryData(tickedContactsQuery.queryKey, (kept = []) => update(kept));
  };
  const uuids = new Set(ticked.map(({ uuid }) => uuid));
  const box: TickBox<ReadableContact> = {
    set: (contacts, isTicked) => change((ticked) => changeTicks(ticked, contacts, isTicked)),
    nameOf: personName,
    TickRow,
    TickPage,
  };
  const ticks: RowTicks<ReadableContact> = { has: ({ uuid }) => uuids.has(uuid), box };
  return { ticks, ticked, untickAll: () => change(() => []) };
}

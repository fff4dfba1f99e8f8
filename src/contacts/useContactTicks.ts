import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { personName } from '../contact/person.ts';
import { changeTicks, tickedContactsQuery } from '../contact/tickedContacts.ts';
import { Tick, type RowTicks } from '../table/Tick.tsx';

/** The ticks of the list of contacts: kept on all its pages, and until a sign-out. */
export function useContactTicks() {
  const client = useQueryClient();
  const { data: kept } = useQuery(tickedContactsQuery);
  // The cache tells its changes a moment later, and a checkbox must not wait for them.
  const [ticked, setTicked] = useState(kept);
  const change = (next: readonly ReadableContact[]) => {
    setTicked(next);
    client.setQueryData(tickedContactsQuery.queryKey, next);
  };
  const uuids = new Set(ticked.map(({ uuid }) => uuid));
  const ticks: RowTicks<ReadableContact> = {
    has: ({ uuid }) => uuids.has(uuid),
    set: (contacts, isTicked) => change(changeTicks(ticked, contacts, isTicked)),
    nameOf: personName,
    Tick,
  };
  return { ticks, ticked, untickAll: () => change([]) };
}

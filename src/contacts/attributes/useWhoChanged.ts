import { queryOptions, useQuery } from '@tanstack/react-query';
import { listContactChanges, type ReadableChange } from '#contract/change.ts';
import { request } from '../../api/client.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { useCapability } from '../../session/useSession.ts';
import type { AttributeChange } from './attributeChanges.ts';

/** Who made `changes`, the last ones of these attributes; null if the log doesn't say. */
export function useWhoChanged(contact: string, changes: readonly AttributeChange[]): string | null {
  const keys = changes.map(({ key }) => key);
  const isAsked = useCapability(listContactChanges) && keys.length > 0;
  return useQuery({ ...newestQuery(contact, changes), enabled: isAsked }).data?.text ?? null;
}

const NEWEST = 25;

/** By the changes, so that others are looked up again. */
const newestQuery = (contact: string, changes: readonly AttributeChange[]) =>
  queryOptions({
    queryKey: [listContactChanges.id, 'who', contact, changes],
    queryFn: async ({ signal }) => {
      const { data } = await request(listContactChanges, { contact, query: { per_page: NEWEST } }, signal);
      return { text: describeAuthors(data, changes) };
    },
  });

function describeAuthors(newest: readonly ReadableChange[], changes: readonly AttributeChange[]): string | null {
  const names = changes.map(({ key }) => {
    const last = newest.find((line) => line.changes?.some(({ field }) => field === `attributes.${key}`));
    return last?.actor ? describeActor(last.actor) : null;
  });
  return names.includes(null) ? null : [...new Set(names)].join(' and ') || null;
}

import { getContact } from '#contract/additions.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { findByValues } from '../contact/findContact.ts';
import type { KnownSenders } from '../list/mail/bystanders.ts';
import type { ParsedEntry } from '../list/parseList.ts';
import { queryClient } from '../session/queryClient.ts';
import { sessionQuery } from '../session/session.ts';

/** Addresses that are looked up. More would keep the user waiting. */
const ADDRESSES_MAX = 20;

/** Looks up whose addresses these are, the first of them. Of an address that is missing in the result nothing is known. */
export async function lookUpSenders(senders: readonly ParsedEntry[]): Promise<KnownSenders> {
  const capabilities = queryClient.getQueryData(sessionQuery.queryKey)?.capabilities ?? [];
  const canRead = capabilities.includes(getContact.id);
  const byAddress = new Map(senders.map(({ values }) => [values[0] ?? '', values]));
  const known = new Map<string, string | null>();
  await Promise.all(
    [...byAddress].slice(0, ADDRESSES_MAX).map(async ([address, values]) => {
      try {
        const found = await findByValues(values, canRead, request);
        known.set(address, found === null ? null : (found.answer?.uuid ?? address));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }),
  );
  return known;
}

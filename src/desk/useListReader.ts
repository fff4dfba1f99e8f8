import {
  queryOptions,
  type QueryClient,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentityField } from '../contact/parseIdentity.ts';
import { describeFallbacks } from '../list/fallbacks.ts';
import { findBystanders, findReplyAddresses } from '../list/mail/bystanders.ts';
import { type ParsedEntry, parseList } from '../list/parseList.ts';
import { UnusableFileError } from '../list/readFile.ts';
import { readInput, type ParsedInput } from '../list/readInput.ts';
import { useIdentityField } from '../session/useSession.ts';
import { desk } from './desk.ts';
import type { ReadList } from './deskState.ts';
import { UNDECIDED } from './entry.ts';
import { lookUpSenders } from './knownSenders.ts';
import { describeOwnAddress, readOwnDomains, readOwnEmail } from './ownDomains.ts';

/** Readings of a list, which may replace the one that is planned. */
export const READING = ['reading of a list'];

/**
 * Finds the entries of the input. Addresses at a domain of the workspace and that of whoever is signed in are
 * left out until somebody takes them in, and so are those whom a mail only mentions. Of a sender with another address for answers, it is asked which is a contact. `onProgress` is called with shares of 1.
 */
export async function findEntries(
  read: ParsedInput,
  identityField: IdentityField,
  onProgress?: (share: number) => void,
): Promise<ReadList> {
  const entries = await parseList(read, identityField, onProgress);
  if (entries.length === 0) throw new UnusableFileError('It has no email, phone number or ID in it.');
  const { names, note } = await readOwnDomains();
  const ownEmail = readOwnEmail();
  const describeOwn = ({ values: [address = ''] }: ParsedEntry) => describeOwnAddress(address, names, ownEmail);
  const isOwn = (entry: ParsedEntry) => describeOwn(entry) !== null;
  const known = await lookUpSenders(findReplyAddresses(entries, read.lines, isOwn));
  const bystanders = findBystanders(entries, read.lines, isOwn, known);
  const leftOut = (entry: ParsedEntry) => describeOwn(entry) ?? bystanders.get(entry) ?? null;
  const column = read.column === null ? null : (read.table?.headings[read.column] ?? null);
  const fallbacks = read.isUndecided || column === null ? null : describeFallbacks(entries, column);
  return {
    source: read.name,
    notes: [...read.notes, fallbacks, note].filter((text) => text !== null),
    column,
    entries: entries.map((entry) => ({
      ...entry,
      leftOut: read.isUndecided ? UNDECIDED : (entry.leftOut ?? leftOut(entry)),
    })),
  };
}

/** Why the last input gave no list. It is kept, because the page may be left while it is read. */
const failedReadingQuery = queryOptions({
  queryKey: ['failed reading of a list'],
  queryFn: (): Error | null => null,
  initialData: null,
  staleTime: Infinity,
  gcTime: Infinity,
});

/** To be called when there is a list of something else. */
export const dropFailedReading = (client: QueryClient) => client.setQueryData(failedReadingQuery.queryKey, null);

/**
 * Reads a text or a file as the list of the desk, to its end if the page is left. `share` is the part read so far, undefined where it
 * is not known.
 */
export function useListReader(onRead: (read: ParsedInput) => void) {
  const client = useQueryClient();
  const identityField = useIdentityField();
  const { data: error } = useQuery(failedReadingQuery);
  const isReading = useIsMutating({ mutationKey: READING }) > 0;
  const [share, setShare] = useState<number>();
  const { mutate } = useMutation({
    mutationKey: READING,
    mutationFn: async (input: string | File) => {
      const reading = readInput(input, identityField, (part) => setShare(part / 2));
      const isPlaced = await desk.startList(async () => {
        const read = await reading;
        const isEmpty = read.lines.every(({ text }) => text.trim() === '');
        if (isEmpty && read.name !== null) throw new UnusableFileError(`${read.name} is empty.`);
        return findEntries(read, identityField, (part) => setShare(0.5 + part / 2));
      });
      if (isPlaced) onRead(await reading);
    },
    onMutate: () => dropFailedReading(client),
    onError: (failure) => client.setQueryData(failedReadingQuery.queryKey, failure),
    onSettled: () => setShare(undefined),
  });
  return { identityField, read: mutate, isReading, error, share };
}

import {
  queryOptions,
  type QueryClient,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { getContact } from '#contract/additions.ts';
import { ApiError } from '../../api/ApiError.ts';
import { request } from '../../api/client.ts';
import { findByValues } from '../../identity/findContact.ts';
import type { IdentityField } from '../../identity/parse/parseIdentity.ts';
import { mapWithPauses } from '../../listParser/pause.ts';
import { IN_MESSAGE } from '../../listParser/piece.ts';
import { type ParsedEntry, readEntries } from '../../listParser/readEntries.ts';
import { UnusableFileError } from '../../listParser/readFile.ts';
import { readInput, type ParsedInput } from '../../listParser/readInput.ts';
import { queryClient } from '../../session/queryClient.ts';
import { sessionQuery } from '../../session/session.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { desk } from '../desk.ts';
import type { ReadList } from '../deskState.ts';
import { describeOwnAddress, readOwnDomains, readOwnEmail } from './ownDomains.ts';

/** What a reading does. `share`: the part of it that is done; without it, that is not known. */
export type ReadingStep = { text: string; share?: number };

/** Whether two steps look the same: each percent is shown once. */
const isShown = (next: ReadingStep, shown: ReadingStep) =>
  next.text === shown.text && percentOf(next) === percentOf(shown);
const percentOf = ({ share }: ReadingStep) => share && Math.round(share * 100);

/** Readings of a list, which may replace the one that is planned. */
export const READING = ['reading of a list'];

/**
 * The entries of the input. Addresses at a domain of the workspace, and that of the signed-in person, begin unselected. The author of
 * a message that names nobody else begins selected if they are a known contact.
 */
export async function findEntries(
  read: ParsedInput,
  identityField: IdentityField,
  onStep: (step: ReadingStep) => void,
): Promise<ReadList> {
  onStep({ text: 'Finding contacts' });
  const entries = await readEntries(read, identityField, (share) => onStep({ text: 'Finding contacts', share }));
  if (entries.length === 0) throw new UnusableFileError('It has no email, phone number or ID in it.');
  onStep({ text: 'Comparing with your domains' });
  const { names, note } = await readOwnDomains();
  const ownEmail = readOwnEmail();
  const author = await findAuthor(read);
  const leaveOut = (entry: ParsedEntry): string | null => {
    const { values, leftOut } = entry;
    if (leftOut !== null && leftOut !== IN_MESSAGE) return leftOut;
    return describeOwnAddress(values[0] ?? '', names, ownEmail) ?? (values[0] === author.address ? null : leftOut);
  };
  const { table } = read;
  const compared = await mapWithPauses(entries, (entry) => ({ ...entry, leftOut: leaveOut(entry) }));
  onStep({ text: 'Storing the list in this browser' });
  return {
    source: read.name,
    notes: [...read.notes, note, author.note].filter((text) => text !== null),
    column: table === null || table.column === null ? null : (table.table.headings[table.column] ?? null),
    entries: compared,
  };
}

/** The address of the message's author where that is a known contact; `note` is a sentence where the service does not say. */
async function findAuthor({ author }: ParsedInput): Promise<{ address: string | null; note: string | null }> {
  if (author === null || !author.reading.ok) return { address: null, note: null };
  const { values } = author.reading;
  const capabilities = queryClient.getQueryData(sessionQuery.queryKey)?.capabilities ?? [];
  try {
    const found = await findByValues(values, capabilities.includes(getContact.id), request);
    return { address: found === null ? null : (values[0] ?? null), note: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { address: null, note: `The sender could not be looked up, so nobody is selected. ${error.message}` };
  }
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
 * Reads a text or a file as the list of the desk, to its end if the page is left. `step` is what it does; null while nothing is read.
 */
export function useListReader(onRead: (read: ParsedInput) => void) {
  const client = useQueryClient();
  const identityField = useIdentityField();
  const { data: error } = useQuery(failedReadingQuery);
  const isReading = useIsMutating({ mutationKey: READING }) > 0;
  const [step, setStep] = useState<ReadingStep | null>(null);
  const showStep = (next: ReadingStep) => setStep((shown) => (shown !== null && isShown(next, shown) ? shown : next));
  const { mutate } = useMutation({
    mutationKey: READING,
    mutationFn: async (input: string | File) => {
      const reading = readInput(input, identityField);
      const isPlaced = await desk.startList(async () => {
        const read = await reading;
        return findEntries(read, identityField, showStep);
      });
      if (isPlaced) onRead(await reading);
    },
    onMutate: () => {
      showStep({ text: 'Reading' });
      dropFailedReading(client);
    },
    onError: (failure) => client.setQueryData(failedReadingQuery.queryKey, failure),
    onSettled: () => setStep(null),
  });
  return { identityField, read: mutate, error, step: isReading ? (step ?? { text: 'Reading' }) : null };
}

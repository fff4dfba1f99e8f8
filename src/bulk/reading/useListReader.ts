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
import { isOfMessage, UNANSWERED } from '../../listParser/piece.ts';
import { readEntries, type ParsedEntry } from '../../listParser/readEntries.ts';
import { UnusableFileError } from '../../listParser/readFile.ts';
import { readInput, type ParsedInput } from '../../listParser/readInput.ts';
import { queryClient } from '../../session/queryClient.ts';
import { sessionQuery } from '../../session/session.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { bulk } from '../bulk.ts';
import { describeSelection } from './describeSelection.ts';
import type { Question } from './question.ts';
import type { ReadList } from '../bulkState.ts';
import { listDomains } from '#contract/interface.ts';
import { toAsciiAddress, toUnicodeDomain } from '#contract/values/internationalDomain.ts';
import { readAllRows } from '../../table/export/readAllRows.ts';
import { formatCount } from '../../ui/format/formatCount.ts';

/** `share`: the part that is done, if known. */
export type ReadingStep = { text: string; share?: number };

const isShown = (next: ReadingStep, shown: ReadingStep) =>
  next.text === shown.text && percentOf(next) === percentOf(shown);
const percentOf = ({ share }: ReadingStep) => share && Math.round(share * 100);

export const READING = ['reading of a list'];

/** The entries of the input. Your own addresses begin unselected; a contact who asks for nothing but their own unsubscribe begins selected. */
export async function findEntries(
  read: ParsedInput,
  identityField: IdentityField,
  onStep: (step: ReadingStep) => void,
): Promise<ReadList> {
  onStep({ text: 'Finding contacts' });
  const entries = await readEntries(read, identityField, (share) => onStep({ text: 'Finding contacts', share }));
  if (entries.length === 0) throw new UnusableFileError('It contains no email, phone number or ID.');
  onStep({ text: 'Comparing with your domains' });
  const { names, note } = await readOwnDomains();
  const ownEmail = readOwnEmail();
  const author = await findAuthor(read);
  const leaveOut = (entry: ParsedEntry): string | null => {
    const { values, leftOut } = entry;
    if (leftOut !== null && !isOfMessage(leftOut) && leftOut !== UNANSWERED) return leftOut;
    return (
      describeOwnAddress(values[0] ?? '', names, ownEmail) ??
      (author.address !== null && values[0] === author.address ? null : leftOut)
    );
  };
  const { table } = read;
  const compared = await mapWithPauses(entries, (entry) => ({ ...entry, leftOut: leaveOut(entry) }));
  onStep({ text: 'Storing the list in this browser' });
  return {
    source: read.name,
    notes: [describeSelection(read, compared), ...read.notes, note, author.note].filter((text) => text !== null),
    column: table === null || table.column === null ? null : (table.table.headings[table.column] ?? null),
    question: questionOf(read),
    entries: compared,
  };
}

function questionOf({ table }: ParsedInput): Question | undefined {
  if (table === null || table.column === null || table.isUndecided || table.asked.length === 0) return undefined;
  return { headings: table.asked.map(({ heading }) => heading), chosen: null };
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
    return { address: null, note: `Could not look up the sender, so no one is selected. ${error.message}` };
  }
}

/** Why the last input gave no list. It outlives the page, which may be left during reading. */
const failedReadingQuery = queryOptions({
  queryKey: ['failed reading of a list'],
  queryFn: (): Error | null => null,
  initialData: null,
  staleTime: Infinity,
  gcTime: Infinity,
});

export const dropFailedReading = (client: QueryClient) => client.setQueryData(failedReadingQuery.queryKey, null);

/** Reads a text or file as the list, even if the page is left. `step` is null while nothing is read. */
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
      const isPlaced = await bulk.startList(async () => {
        const read = await reading;
        return { ...(await findEntries(read, identityField, showStep)), digest: await digestOf(input) };
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

/** SHA-256 in hexadecimal; null where the browser computes none, without https. */
async function digestOf(input: string | File): Promise<string | null> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return null;
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : await input.arrayBuffer();
  return new Uint8Array(await subtle.digest('SHA-256', bytes)).toHex();
}

/** Milliseconds. Domains rarely change. */
const FRESH_FOR = 5 * 60_000;
/** More would take too long: each hundred is a request. */
const DOMAINS_MAX = 10_000;

/** `names` are ASCII. `note`: a sentence if not all are known. */
type OwnDomains = { names: ReadonlySet<string>; note: string | null };

async function readOwnDomains(): Promise<OwnDomains> {
  try {
    return await queryClient.fetchQuery({
      queryKey: ['own domains'],
      staleTime: FRESH_FOR,
      queryFn: ({ signal }) => readAll(signal),
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      names: new Set(),
      note: `Could not load your domains, so your own addresses are not left out. ${error.message}`,
    };
  }
}

async function readAll(signal: AbortSignal): Promise<OwnDomains> {
  const names = new Set<string>();
  const read = (page: number, per_page: number) => request(listDomains, { query: { page, per_page } }, signal);
  for await (const { rows } of readAllRows(read)) {
    for (const { name } of rows) names.add(toAsciiAddress(`@${name.toLowerCase()}`).slice(1));
    if (names.size > DOMAINS_MAX) {
      return { names, note: `Only addresses at your newest ${formatCount(DOMAINS_MAX)} domains are left out.` };
    }
  }
  return { names, note: null };
}

/** The email of the signed-in person; null for a token. */
const readOwnEmail = (): string | null => queryClient.getQueryData(sessionQuery.queryKey)?.person?.email ?? null;

const AT_OWN_DOMAIN = 'At your own domain';
const OWN_EMAIL = 'Your own address';

/** Why an address is left out as one of your own; null if it is not. */
export function describeOwnAddress(
  address: string,
  names: ReadonlySet<string>,
  ownEmail: string | null,
): string | null {
  if (ownEmail !== null && toComparable(address) === toComparable(ownEmail)) return OWN_EMAIL;
  const domain = findOwnDomain(address, names);
  return domain === null ? null : `${AT_OWN_DOMAIN} ${toUnicodeDomain(domain)}`;
}

export const isOwnAddress = ({ leftOut }: { leftOut: string | null }): boolean =>
  leftOut !== null && (leftOut === OWN_EMAIL || leftOut.startsWith(AT_OWN_DOMAIN));

const toComparable = (address: string): string => toAsciiAddress(address.toLowerCase());

/** The domain among `names` that contains the address. */
function findOwnDomain(address: string, names: ReadonlySet<string>): string | null {
  if (!address.includes('@')) return null;
  const ascii = toComparable(address);
  const labels = ascii.slice(ascii.lastIndexOf('@') + 1).split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).find((domain) => names.has(domain)) ?? null;
}

import { experimental_streamedQuery as streamedQuery, queryOptions } from '@tanstack/react-query';
import { checkSharedDomain, getSharedDomain, type SharedCheckLine } from '#contract/domains/sharedLinks.ts';
import { works } from '#contract/domains/recordStatus.ts';
import { ApiError, isNotFound } from '../api/ApiError.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { requestLines } from '../api/client.ts';

/** Milliseconds between checks, while the page is visible and a record is not right. */
const INTERVAL = 20_000;

export type RecordLine = Extract<SharedCheckLine, { kind: 'record' }>;

/** What is known of each record by its index. While a check runs, it still has what the last one found. */
export type SharedCheck = { lines: readonly RecordLine[]; checkedAt: string | null };

const NOTHING: SharedCheck = { lines: [], checkedAt: null };

export const sharedDomainQuery = queryOptions({
  ...apiQuery(getSharedDomain, {}),
  retry: (count, error) => !isNotFound(error) && count < 3,
  staleTime: Infinity,
});

export const areAllRight = ({ lines, checkedAt }: SharedCheck): boolean =>
  checkedAt !== null && lines.every(({ finding }) => works(finding.result));

export const sharedCheckQuery = queryOptions({
  queryKey: [checkSharedDomain.id] as const,
  queryFn: streamedQuery<SharedCheck, SharedCheck>({
    streamFn: ({ client, queryKey, signal }) => follow(client.getQueryData(queryKey) ?? NOTHING, signal),
    refetchMode: 'append',
    reducer: (_, check) => check,
    initialValue: NOTHING,
  }),
  retry: false,
  staleTime: INTERVAL,
  refetchInterval: ({ state: { data = NOTHING, error } }) =>
    isNotFound(error) || areAllRight(data) ? false : INTERVAL,
});

async function* follow(before: SharedCheck, signal: AbortSignal): AsyncGenerator<SharedCheck, void, void> {
  let check = before;
  const found: RecordLine[] = [];
  const inOrder = (lines: readonly RecordLine[]) => lines.toSorted((one, other) => one.index - other.index);
  for await (const line of requestLines(checkSharedDomain, {}, signal)) {
    if (line.kind === 'record') {
      found.push(line);
      const others = check.lines.filter(({ index }) => index !== line.index);
      check = { lines: inOrder([...others, line]), checkedAt: check.checkedAt };
    } else {
      // Without records that the domain no longer has.
      check = { lines: inOrder(found), checkedAt: line.checked_at };
    }
    yield check;
  }
  if (check.checkedAt === before.checkedAt) throw new ApiError('network', 'The check was interrupted.');
}

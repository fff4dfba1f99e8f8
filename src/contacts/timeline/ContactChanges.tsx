import { useQuery } from '@tanstack/react-query';
import { ListEmpty, ListFrame } from '../../table/ListFrame.tsx';
import type { ListControl } from '../../table/useList.ts';
import { changesQuery } from './historyQueries.ts';
import { changeRows } from './story.ts';
import { StoryDays } from './StoryDays.tsx';
import { useReceipts } from './useStory.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';

/** The story without events: pages of changes, newest first. */
export function ContactChanges({ contact, list }: { contact: string; list: ListControl }) {
  const { page, perPage } = list.state;
  const query = useQuery(changesQuery(contact, page, perPage));
  const rows = query.data && changeRows(query.data.data);
  const receipts = useReceipts(contact, query.data?.data ?? []);
  return (
    <>
      {receipts.isError && <ErrorAlert error={receipts.error} onRetry={() => void receipts.refetch()} />}
      <ListFrame what="changes" query={query} list={list} empty={<ListEmpty list={list} what="change" />}>
        <StoryDays
          rows={rows}
          receipts={receipts.data?.data ?? []}
          perPage={perPage}
          newestFirst
          isStale={query.isPlaceholderData}
          isFetching={query.isFetching}
        />
      </ListFrame>
    </>
  );
}

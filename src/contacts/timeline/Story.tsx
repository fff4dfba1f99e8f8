import { Button } from '@mantine/core';
import { filteredEvents } from '#contract/activity.ts';
import type { ReadableEvent } from '#contract/event.ts';
import { listContactEvents } from '#contract/interface.ts';
import type { Sort } from '#contract/list.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { DeletedNote } from '../../table/DeletedNote.tsx';
import { ListEmpty, ListFrame } from '../../table/ListFrame.tsx';
import { type ListOptions, useListState } from '../../table/useList.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { parseTime } from '../../ui/format/time.ts';
import { Section } from '../../ui/Section.tsx';
import { Activity } from './Activity.tsx';
import { ContactChanges } from './ContactChanges.tsx';
import { EventTable } from './EventTable.tsx';
import { useEvents, useNewEvents } from './historyQueries.ts';
import classes from './Story.module.css';
import { StoryDays } from './StoryDays.tsx';
import { StoryToolbar } from './StoryToolbar.tsx';
import { useReadChangesAgain, useStory } from './useStory.ts';
import { useStoryView, type View } from './useStoryView.ts';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listContactEvents.list.sortable,
};

const FILTERED: ListOptions = { ...LIST, texts: filteredEvents.list.texts };

type Props = {
  contact: string;
  hasActivity?: boolean;
  hasLog?: boolean;
  /** While the contact is read, events are loaded, but not shown. */
  isHidden?: boolean;
};

/** Events and changes of a contact as one list, with a chart of the events. */
export function Story({ contact, hasActivity = false, hasLog = false, isHidden = false }: Props) {
  const list = useListState(hasActivity ? FILTERED : LIST);
  const { view, isFiltered, show } = useStoryView(list, hasLog);
  // The page in the URL is one of the changes.
  const state = view === 'changes' ? { ...list.state, page: 1 } : list.state;
  const events = useEvents(contact, state);
  const { query } = events;
  const meta = query.data?.meta;
  useNewEvents(
    contact,
    `${contact} ${state.search} ${String(state.filters['event_name'])}`,
    query.isPlaceholderData ? undefined : meta?.total,
  );
  const withChanges = hasLog && view === 'story' && !isFiltered;
  const story = useStory(contact, events, state, withChanges);

  return (
    <div className={classes.story}>
      {hasActivity && (
        <Activity
          contact={contact}
          list={list}
          perPage={meta?.per_page ?? state.perPage}
          shown={view === 'changes' ? null : timesOf(state.sort, query.data?.data)}
        />
      )}
      <Section
        id="story"
        title="Story"
        rightSection={
          <span className="soft">
            {[
              ...(view === 'changes' || meta === undefined ? [] : [countOf(meta.total, 'event')]),
              ...(withChanges && story.total !== undefined ? [countOf(story.total, 'change')] : []),
            ].join(', ')}
          </span>
        }
      >
        <StoryToolbar
          contact={contact}
          list={list}
          view={view}
          isFiltered={isFiltered}
          hasLog={hasLog}
          total={view === 'changes' ? undefined : meta?.total}
          onView={show}
        />
        <StoryProblems story={story} withChanges={withChanges} />
        {view === 'changes' ? (
          <ContactChanges contact={contact} list={list} />
        ) : (
          <Events view={view} {...{ list, events, story, isHidden }} />
        )}
        <DeletedNote of="contact" />
      </Section>
    </div>
  );
}

const countOf = (total: number, noun: string) => `${formatCount(total)} ${total === 1 ? noun : `${noun}s`}`;

type StoryData = ReturnType<typeof useStory>;

/** The events stay readable if the changes, or where they belong, couldn't be read. */
function StoryProblems({ story, withChanges }: { story: StoryData; withChanges: boolean }) {
  const { changes, next, receipts, isCut } = story;
  const readChangesAgain = useReadChangesAgain();
  if (!withChanges) return null;
  return (
    <>
      {changes.isError && (
        <ErrorAlert error={changes.error} note="Changes are missing here." onRetry={() => void readChangesAgain()} />
      )}
      {next.isError && !changes.isError && (
        <ErrorAlert
          error={next.error}
          note="Changes after the last event of this page may be missing."
          onRetry={() => void next.refetch()}
        />
      )}
      {receipts.isError && <ErrorAlert error={receipts.error} onRetry={() => void receipts.refetch()} />}
      {isCut && <p className="soft">Older changes aren’t shown here. Choose “Changes” to see all.</p>}
    </>
  );
}

type EventsProps = {
  view: View;
  list: ReturnType<typeof useListState>;
  events: ReturnType<typeof useEvents>;
  story: StoryData;
  isHidden: boolean;
};

function Events({ view, list, events, story, isHidden }: EventsProps) {
  const { query, isUnpaged, rowsRequested } = events;
  const { state } = list;
  const meta = query.data?.meta;
  const empty = (
    <ListEmpty list={list} what="event" hint="Events are recorded by the systems that send to this contact." />
  );
  const pager = isUnpaged ? (
    <ShowMorePager
      shown={query.data?.data.length ?? 0}
      total={meta?.total ?? 0}
      isAll={meta !== undefined && !query.isPlaceholderData && meta.per_page < rowsRequested}
      onMore={() => list.change({ page: state.page + 1 })}
    />
  ) : undefined;
  if (view === 'table') return <EventTable query={query} list={list} empty={empty} pager={pager} />;
  return (
    <ListFrame what="events" query={query} list={list} empty={empty} pager={pager}>
      <StoryDays
        rows={isHidden ? undefined : story.rows}
        receipts={story.receipts.data?.data ?? []}
        perPage={state.perPage}
        newestFirst={state.sort.desc}
        isStale={query.isPlaceholderData}
        isFetching={query.isFetching}
      />
    </ListFrame>
  );
}

/** The first and last time of a page; null unless it's sorted by time. */
function timesOf({ id }: Sort, events: readonly ReadableEvent[] = []): [number, number] | null {
  const times = [events[0], events.at(-1)].map((event) => parseTime(event?.created_at ?? null)?.getTime());
  const [one, other] = times;
  if (id !== 'created_at' || one === undefined || other === undefined) return null;
  return [Math.min(one, other), Math.max(one, other)];
}

type ShowMorePagerProps = {
  shown: number;
  total: number;
  /** The service sent fewer rows than requested. */
  isAll: boolean;
  onMore: () => void;
};

/** For a service that ignores the page parameter. */
function ShowMorePager({ shown, total, isAll, onMore }: ShowMorePagerProps) {
  return (
    <div className={classes.growing} role="status">
      <span>
        This service doesn’t page events. Showing the first {formatCount(shown)} of {formatCount(total)}
        {isAll && shown < total ? ', the most it sends.' : '.'}
      </span>
      {shown < total && !isAll && (
        <Button size="xs" variant="default" onClick={onMore}>
          Show more
        </Button>
      )}
    </div>
  );
}

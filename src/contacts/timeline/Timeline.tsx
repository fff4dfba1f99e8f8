import { Button } from '@mantine/core';
import { filteredEvents } from '#contract/activity.ts';
import { Event, type ReadableEvent } from '#contract/event.ts';
import { listContactEvents } from '#contract/interface.ts';
import type { Sort } from '#contract/list.ts';
import { UUID } from '#contract/values/field.ts';
import { ListEmpty, ListFrame } from '../../table/ListFrame.tsx';
import { ListMenu } from '../../table/ListMenu.tsx';
import { toListQuery, type ListOptions, useListState, usePrefetch, type ListControl } from '../../table/useList.ts';
import { ListFacts, ListToolbar } from '../../table/ListToolbar.tsx';
import { SearchInput } from '../../table/SearchInput.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { parseTime } from '../../ui/format/time.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { Section } from '../../ui/Section.tsx';
import { choiceParam, pageParam, textParam, useUrlState } from '../../url/urlState.ts';
import { Activity } from './Activity.tsx';
import classes from './EventDays.module.css';
import { EventDays } from './EventDays.tsx';
import { eventColumns, EventTable } from './EventTable.tsx';
import { eventsQuery, useEvents, useNewEvents } from './historyQueries.ts';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listContactEvents.list.sortable,
};

const FILTERED: ListOptions = { ...LIST, texts: filteredEvents.list.texts };

const ORDERS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
] as const;

const VIEWS = [
  { value: 'days', label: 'Timeline' },
  { value: 'table', label: 'Table' },
] as const;

type View = (typeof VIEWS)[number]['value'];

export function Timeline({ contact, hasActivity = false }: { contact: string; hasActivity?: boolean }) {
  const list = useListState(hasActivity ? FILTERED : LIST);
  const { state } = list;
  const { view, show } = useView(state.sort);
  const { query, isUnpaged, rowsRequested } = useEvents(contact, state);
  const meta = query.data?.meta;
  useNewEvents(
    `${contact} ${state.search} ${String(state.filters.event_name)}`,
    query.isPlaceholderData ? undefined : meta?.total,
  );
  usePrefetch(query, eventsQuery(contact, { ...state, page: state.page + 1 }), !isUnpaged);
  const other = view === 'table' ? 'days' : 'table';
  usePageActions([
    { id: 'view', label: `Show the events as a ${other === 'table' ? 'table' : 'timeline'}`, run: () => show(other) },
  ]);

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
  return (
    <div className={classes.story}>
      {hasActivity && (
        <Activity
          contact={contact}
          list={list}
          perPage={meta?.per_page ?? state.perPage}
          shown={timesOf(state.sort, query.data?.data)}
        />
      )}
      <Section id="events" title="Events" rightSection={<ListFacts query={query} />}>
        <EventsToolbar contact={contact} list={list} view={view} total={meta?.total} onView={show} />
        {view === 'table' ? (
          <EventTable query={query} list={list} empty={empty} pager={pager} />
        ) : (
          <ListFrame what="events" query={query} list={list} empty={empty} pager={pager}>
            <EventDays query={query} perPage={state.perPage} newestFirst={state.sort.desc} />
          </ListFrame>
        )}
      </Section>
    </div>
  );
}

/** The first and last time of a page; null unless it's sorted by time. */
function timesOf({ id }: Sort, events: readonly ReadableEvent[] = []): [number, number] | null {
  const times = [events[0], events.at(-1)].map((event) => parseTime(event?.created_at ?? null)?.getTime());
  const [one, other] = times;
  if (id !== 'created_at' || one === undefined || other === undefined) return null;
  return [Math.min(one, other), Math.max(one, other)];
}

const PARAMS = { view: choiceParam<View>(['days', 'table']), sort: textParam, page: pageParam };

/** Sorted by name there are no days, so it's the table. */
function useView(sort: Sort): { view: View; show: (view: View) => void } {
  const [{ view }, change] = useUrlState(PARAMS);
  const isByTime = sort.id === 'created_at';
  return {
    view: isByTime ? view : 'table',
    show: (next) => change({ view: next, ...(next === 'days' && !isByTime && { sort: '', page: 1 }) }),
  };
}

type EventsToolbarProps = {
  contact: string;
  list: ListControl;
  view: View;
  total: number | undefined;
  onView: (view: View) => void;
};

function EventsToolbar({ contact, list, view, total, onView }: EventsToolbarProps) {
  const { sort } = list.state;
  const source = {
    what: 'events',
    endpoint: listContactEvents,
    input: { contact, query: toListQuery(list.state) },
    columns: Object.keys(Event.shape),
    // An identity is personal data: not in a file name.
    fileName: UUID.test(contact) ? `events-of-${contact}` : 'events',
  };
  return (
    <ListToolbar>
      <SearchInput list={list} label="Search events" placeholder="Search by event name" />
      {sort.id === 'created_at' && (
        <Choice
          label="Order"
          value={sort.desc ? 'newest' : 'oldest'}
          choices={ORDERS}
          onChange={(order) => list.change({ sort: { id: 'created_at', desc: order === 'newest' } })}
        />
      )}
      <Choice label="View" value={view} choices={VIEWS} onChange={onView} />
      <ListMenu source={source} total={total} {...(view === 'table' && { columns: eventColumns })} />
    </ListToolbar>
  );
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

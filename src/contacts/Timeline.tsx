import { useSearchParams } from 'react-router';
import { Button } from '@mantine/core';
import { Event } from '#contract/event.ts';
import { UUID } from '#contract/field.ts';
import { listContactEvents } from '#contract/interface.ts';
import { LastUpdated } from '../shell/LastUpdated.tsx';
import { ListEmpty } from '../table/ListEmpty.tsx';
import { ListFrame } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { toListQuery, type ListOptions } from '../table/listState.ts';
import { ListToolbar } from '../table/ListToolbar.tsx';
import { SearchInput } from '../table/SearchInput.tsx';
import { Total } from '../table/Total.tsx';
import { useListState } from '../table/useListState.ts';
import { usePrefetch } from '../table/usePrefetch.ts';
import { usePageActions } from '../ui/actions.ts';
import { Choice } from '../ui/Choice.tsx';
import { EventDays } from './EventDays.tsx';
import { EventTable } from './EventTable.tsx';
import { eventsQuery, useEvents } from './queries.ts';
import classes from './Timeline.module.css';

const LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listContactEvents.list.sortable,
};

const ORDERS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
] as const;

const VIEWS = [
  { value: 'days', label: 'Timeline' },
  { value: 'table', label: 'Table' },
] as const;

/** What happened to the contact, by day or as a table; both show the same page of the same list. */
export function Timeline({ contact }: { contact: string }) {
  const list = useListState(LIST);
  const { state } = list;
  const [params, setParams] = useSearchParams();
  // Sorted by name there are no days to group by.
  const view = params.get('view') === 'table' || state.sort.id !== 'created_at' ? 'table' : 'days';
  const { query, unpaged, asked } = useEvents(contact, state);
  const meta = query.data?.meta;
  usePrefetch(query, unpaged ? null : eventsQuery(contact, { ...state, page: state.page + 1 }));

  const show = (next: 'days' | 'table') =>
    setParams((now) => {
      const changed = new URLSearchParams(now);
      if (next === 'table') changed.set('view', 'table');
      else changed.delete('view');
      // There are no days in an order by name.
      if (next === 'days' && state.sort.id !== 'created_at') for (const name of ['sort', 'page']) changed.delete(name);
      return changed;
    });

  const source = {
    what: 'events',
    endpoint: listContactEvents,
    input: { contact, query: toListQuery(state) },
    columns: Object.keys(Event.shape),
    // An identity has no place in the name of a file.
    fileName: UUID.test(contact) ? `events-of-${contact}` : 'events',
  };
  const other = view === 'table' ? 'days' : 'table';
  usePageActions([
    { id: 'view', label: `Show the events as a ${other === 'table' ? 'table' : 'timeline'}`, run: () => show(other) },
  ]);

  const empty = (
    <ListEmpty list={list} what="event" hint="Events are recorded by the systems that send to this contact." />
  );
  const pager = unpaged ? (
    <ShowMorePager
      shown={query.data?.data.length ?? 0}
      total={meta?.total ?? 0}
      isAll={meta !== undefined && !query.isPlaceholderData && meta.per_page < asked}
      onMore={() => list.change({ page: state.page + 1 })}
    />
  ) : undefined;
  return (
    <section className={classes.timeline} aria-labelledby="events">
      <div className={classes.heading}>
        <h2 id="events">Events</h2>
        <Total meta={meta} />
        <LastUpdated query={query} />
      </div>
      <ListToolbar>
        <SearchInput list={list} label="Search events" placeholder="Search by event name" />
        {state.sort.id === 'created_at' && (
          <Choice
            label="Order"
            value={state.sort.desc ? 'newest' : 'oldest'}
            choices={ORDERS}
            onChange={(order) => list.change({ sort: { id: 'created_at', desc: order === 'newest' } })}
          />
        )}
        <Choice label="View" value={view} choices={VIEWS} onChange={show} />
        <ListMenu source={source} total={meta?.total} />
      </ListToolbar>
      {view === 'table' ? (
        <EventTable query={query} list={list} empty={empty} pager={pager} />
      ) : (
        <ListFrame what="events" query={query} list={list} empty={empty} pager={pager}>
          <EventDays query={query} perPage={state.perPage} />
        </ListFrame>
      )}
    </section>
  );
}

type ShowMorePagerProps = {
  shown: number;
  total: number;
  /** The service was asked for more, and has a largest page. */
  isAll: boolean;
  onMore: () => void;
};

/** For a service that does not page events: one page that grows as far as the service lets it. */
function ShowMorePager({ shown, total, isAll, onMore }: ShowMorePagerProps) {
  return (
    <div className={classes.growing} role="status">
      <span>
        This service does not page events. Showing the first {shown.toLocaleString('en')} of{' '}
        {total.toLocaleString('en')}
        {isAll && shown < total ? ', which is all it sends at once.' : '.'}
      </span>
      {shown < total && !isAll && (
        <Button size="xs" variant="default" onClick={onMore}>
          Show more
        </Button>
      )}
    </div>
  );
}

import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type ReadableActivity, getContactActivity } from '#contract/activity.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import type { ListControl, ListState } from '../../table/useList.ts';
import { Choice } from '../../ui/Choice.tsx';
import { Form } from '../../ui/Form.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { localDate, useTimeZone, localZone } from '../../ui/format/time.ts';
import { Section, SectionActions } from '../../ui/Section.tsx';
import { BarAxis, BarChart } from '../../ui/values/BarChart.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { Fact } from '../../ui/values/Fact.tsx';
import { Nothing } from '../../ui/values/Nothing.tsx';
import { EndCut } from '../../ui/values/UntrustedText.tsx';
import { pageParam, readQuery, textParam, useUrlState, writeQuery, choiceParam } from '../../url/urlState.ts';
import classes from './Activity.module.css';
import { type Bar, barsOf, countNames, describeBar, type Instead, offsetOf, placeOf } from './bars.ts';
import { type EventKind, KINDS, kindOf } from './eventKinds.ts';
import { isoDay } from '../../ui/format/time.ts';
import { viewParam } from './useStoryView.ts';
import { apiQuery, listQuery } from '../../api/apiQuery.ts';

type Props = {
  contact: string;
  list: ListControl;
  /** A service may send fewer than the list asks for. */
  perPage: number;
  shown: readonly [number, number] | null;
};

/** A chart of all events; a click on a bar leads to its place in the list. */
export function Activity({ contact, list, perPage, shown }: Props) {
  const { search, filters } = list.state;
  const [{ span }, change] = useUrlState({ span: spanParam });
  const zone = useTimeZone();
  const whole = useQuery(activityQuery(contact, span, zone));
  const query = useQuery(activityQuery(contact, span, zone, list.state));
  const openAt = useOpenAt(list, perPage);
  const open = (bar: Bar, total: number) =>
    openAt(isoDay(newestFirstOf(list) ? bar.to - 1 : bar.from, zone), offsetOf(bar, total, newestFirstOf(list)));
  const date = useGoToDate(contact, list, openAt);
  const activity = query.data?.data;
  const bars = activity === undefined ? [] : barsOf(activity, zone);
  return (
    <Section
      id="engagement"
      title="Engagement"
      rightSection={
        <SectionActions>
          <GoToDate onGo={date.go} isDisabled={bars.length === 0} />
          <Choice label="Period" value={span} choices={SPANS} onChange={(next) => change({ span: next })} />
        </SectionActions>
      }
    >
      {date.problem}
      <Moments activity={whole.data?.data} />
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      <div className={classes.picture} aria-busy={query.isFetching}>
        {activity?.total === 0 ? (
          <p className={classes.none}>
            {search === '' && filters.event_name === undefined ? 'No events yet' : 'No events of this name'}
          </p>
        ) : (
          <Picture
            label={`Events over time, ${SPANS.find(({ value }) => value === span)?.label.toLowerCase()}`}
            bars={bars}
            shown={shown}
            onOpen={(bar) => open(bar, activity?.total ?? 0)}
          />
        )}
      </div>
      <div className={classes.legend} role="group" aria-label="Show only">
        {whole.data && <Legend activity={whole.data.data} list={list} />}
      </div>
    </Section>
  );
}

type PictureProps = Pick<Props, 'shown'> & { label: string; bars: readonly Bar[]; onOpen: (bar: Bar) => void };

function Picture({ label, bars, shown, onOpen }: PictureProps) {
  const zone = useTimeZone();
  const [pointed, point] = useState<Bar | null>(null);
  const last = bars.at(-1);
  return (
    <>
      <BarChart
        label={label}
        bars={bars.map((bar) => ({
          ...bar,
          id: bar.from,
          label: describeBar(bar),
          isCurrent: shown !== null && bar.from <= shown[1] && bar.to > shown[0],
        }))}
        onPick={onOpen}
        onPoint={point}
      />
      <BarAxis
        from={bars[0] && localDate(bars[0].from, zone)}
        pointed={pointed !== null ? describeBar(pointed) : shown === null ? undefined : SHADED}
        to={last && localDate(last.to - 1, zone)}
      />
    </>
  );
}

/** For fingers: a bar may be 3 pixels wide. */
function GoToDate({ onGo, isDisabled }: { onGo: (day: string) => void; isDisabled: boolean }) {
  const [day, setDay] = useState('');
  return (
    <Form className={classes.date} onSubmit={() => day !== '' && onGo(day)}>
      <TextInput
        type="date"
        size="xs"
        aria-label="Date"
        value={day}
        disabled={isDisabled}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={isDisabled}>
        Go to date
      </Button>
    </Form>
  );
}

const newestFirstOf = ({ state: { sort } }: ListControl) => sort.desc || sort.id !== 'created_at';

/** Opens the page of the event at `offset`, with its day in the hash. */
function useOpenAt(list: ListControl, perPage: number): (day: string, offset: number) => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  return (day, offset) => {
    const page = Math.floor(offset / perPage) + 1;
    const params = { page: pageParam, sort: textParam, view: viewParam };
    const { sort: kept, view } = readQuery(params, search);
    const isByTime = list.state.sort.id === 'created_at';
    const to = { page, sort: isByTime ? kept : '', view: view === 'changes' ? 'story' : view } as const;
    void navigate({ search: writeQuery(params, to, search).toString(), hash: day });
  };
}

/** Goes to the events of a day, wherever they are, or to those next to it. `problem` says why not to the day itself. */
function useGoToDate(contact: string, list: ListControl, openAt: ReturnType<typeof useOpenAt>) {
  const client = useQueryClient();
  const zone = useTimeZone();
  const { mutate, data, error, variables } = useMutation({
    mutationFn: async (day: string): Promise<Instead> => {
      const { data: activity } = await client.query(dayQuery(contact, day, zone, list.state));
      const [bar] = barsOf(activity, zone);
      const place = bar === undefined ? null : placeOf(bar, activity.total, newestFirstOf(list));
      if (place !== null) openAt(day, place.offset);
      return place?.instead ?? null;
    },
  });
  const missing = data && variables !== undefined && (
    <p role="status">
      No events on {localDate(new Date(`${variables}T00:00Z`), 'UTC')}. Showing those {data} it.
    </p>
  );
  return { go: mutate, problem: error === null ? missing : <ErrorAlert error={error} /> };
}

function Moments({ activity }: { activity: ReadableActivity | undefined }) {
  const last = (kind: EventKind) =>
    activity?.names
      .filter(({ event_name }) => kindOf(event_name) === kind)
      .map(({ last_at }) => last_at)
      .toSorted()
      .at(-1);
  const moments = [
    ['First event', activity?.first_at],
    ['Last event', activity?.last_at],
    ['Last opened', last('opened')],
    ['Last clicked', last('clicked')],
  ] as const;
  return (
    <dl className={classes.moments}>
      {moments.map(([label, time]) => (
        <Fact key={label} label={label}>
          {time === undefined || time === null ? <Nothing /> : <DateTime value={time} />}
        </Fact>
      ))}
    </dl>
  );
}

/** Complaints and bounces first. */
const LEGEND = KINDS.toSorted((one, other) => Number(other.kind === 'failed') - Number(one.kind === 'failed'));

/** Event names with colours and counts. A name filters the list and the chart, and a second click removes the filter. */
function Legend({ activity, list }: { activity: ReadableActivity; list: ListControl }) {
  const chosen = list.state.filters.event_name;
  const names: { event_name: string; count?: number }[] = countNames(activity);
  // A link may name a rare one.
  if (typeof chosen === 'string' && !names.some((name) => name.event_name === chosen))
    names.push({ event_name: chosen });
  const later = activity.buckets.at(-1)?.newer ?? 0;
  const others = activity.buckets.reduce((sum, bucket) => sum + bucket.others, 0);
  const ordered = LEGEND.flatMap(({ kind, label }) =>
    names.filter(({ event_name }) => kindOf(event_name) === kind).map((name) => ({ ...name, kind, label })),
  );
  return (
    <>
      {ordered.map(({ event_name, count, kind, label }) => {
        const isChosen = chosen === event_name;
        return (
          <button
            key={event_name}
            type="button"
            title={label}
            aria-pressed={isChosen}
            onClick={() => list.change(isChosen ? { filters: {} } : { search: '', filters: { event_name } })}
          >
            <i className={classes.colour} data-kind={kind} />
            <EndCut text={event_name} /> {count !== undefined && <b>{formatCount(count)}</b>}
          </button>
        );
      })}
      {others > 0 && (
        <span>
          Other names <b>{formatCount(others)}</b>
        </span>
      )}
      {later > 0 && (
        <span>
          In the future <b>{formatCount(later)}</b>
        </span>
      )}
    </>
  );
}

const SHADED = 'Shaded: on this page of the story';

const SPANS = [
  { value: 'quarter', label: '90 days' },
  { value: 'year', label: 'Year' },
  { value: 'all', label: 'All time' },
] as const;
type Span = (typeof SPANS)[number]['value'];
const spanParam = choiceParam<Span>(['quarter', 'year', 'all']);

/** The counts of the events in `listed`. The service chooses the buckets: days, weeks or longer. */
const activityQuery = (contact: string, span: Span, zone: string, listed?: ListState) => {
  const { search = '', filters } = listed ?? {};
  const from = beginOf(span, zone);
  const range = from === null ? {} : { from: from.toISOString() };
  return listQuery(getContactActivity, {
    contact,
    query: { ...range, zone, ...(search !== '' && { search }), ...filters },
  });
};

/** Of a day of `zone` as one bucket. */
function dayQuery(contact: string, day: string, zone: string, { search, filters }: ListState) {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const [from, to] = [midnight(zone, year, month - 1, date), midnight(zone, year, month - 1, date + 1)];
  const range = { from: from.toISOString(), to: to.toISOString(), step: 'day' } as const;
  return {
    ...apiQuery(getContactActivity, {
      contact,
      query: { ...range, zone, ...(search !== '' && { search }), ...filters },
    }),
    staleTime: 0,
  };
}

/** A midnight in `zone` (the browser's or UTC), so that the query stays the same all day; null for the first event. */
function beginOf(span: Span, zone: string): Date | null {
  if (span === 'all') return null;
  const [year = 0, month = 0, day = 0] = isoDay(new Date(), zone).split('-').map(Number);
  return midnight(zone, span === 'year' ? year - 1 : year, month - 1, span === 'year' ? day : day - 89);
}

/** `zone` is the browser's or UTC. The first month is 0. */
const midnight = (zone: string, ...day: [year: number, month: number, day: number]): Date =>
  zone === localZone ? new Date(...day) : new Date(Date.UTC(...day));

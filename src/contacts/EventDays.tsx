import type { UseQueryResult } from '@tanstack/react-query';
import type { ReadableEvent } from '#contract/event.ts';
import type { Page } from '#contract/list.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { JsonView } from '../ui/JsonView.tsx';
import { keyRows } from '../ui/keyRows.ts';
import { formatJson } from '../ui/json.ts';
import { localDay } from '../ui/sentenceTime.ts';
import { exactUtc, localTime, localZone, parseTime } from '../ui/time.ts';
import { useDelayedFlag } from '../ui/useDelayedFlag.ts';
import classes from './EventDays.module.css';
import { pickSummaryAttributes } from './eventSummary.ts';

type Props = { query: UseQueryResult<Page<ReadableEvent>>; perPage: number };

/** Events under the local days they happened on, in the order of the list. */
export function EventDays({ query, perPage }: Props) {
  const isStale = useDelayedFlag(query.isPlaceholderData);
  if (query.isPending) return <Skeleton rows={perPage} />;
  const days = byDay(query.data?.data ?? []);
  return (
    <div className={classes.days} aria-busy={query.isFetching} data-stale={isStale || undefined}>
      {days.map(({ day, events }) => (
        <section key={events[0]?.key} aria-label={day}>
          <h3 className={`${classes.day} row-head`} title={`Days and times are in ${localZone}`}>
            {day}
          </h3>
          <ol>
            {events.map(({ key, event }) => (
              <li key={key}>
                <EventLine event={event} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function EventLine({ event }: { event: ReadableEvent }) {
  const date = parseTime(event.created_at);
  const attributes = event.attributes ?? {};
  return (
    <details className={classes.event}>
      <summary>
        <UntrustedText className={classes.time} text={date === null ? (event.created_at ?? '–') : localTime(date)} />
        <UntrustedText className={classes.name} text={event.event_name || '–'} />
        <span className={classes.telling}>
          {pickSummaryAttributes(attributes).map(([key, value]) => (
            <span key={key}>
              <UntrustedText className={classes.key} text={key} /> <UntrustedText text={value} />
            </span>
          ))}
        </span>
      </summary>
      <div className={classes.payload}>
        <div className={classes.payloadHead}>
          <DateTime value={event.created_at} show="local" />
          {date !== null && <code>{exactUtc(date)}</code>}
          <CopyButton value={formatJson(event)} what="event as JSON" label="Copy JSON" />
        </div>
        <code className={classes.json}>
          <JsonView value={attributes} />
        </code>
      </div>
    </details>
  );
}

type Day = { day: string; events: { key: string; event: ReadableEvent }[] };

/** Groups consecutive events of one local day, in the order of the list. */
function byDay(events: readonly ReadableEvent[]): Day[] {
  const days: Day[] = [];
  for (const { key, row: event } of keyRows(events)) {
    const date = parseTime(event.created_at);
    const day = date === null ? 'Without a readable time' : localDay(date);
    const last = days.at(-1);
    if (last?.day === day) last.events.push({ key, event });
    else days.push({ day, events: [{ key, event }] });
  }
  return days;
}

function Skeleton({ rows }: { rows: number }) {
  return (
    <ol className={classes.skeleton} aria-label="Reading the events">
      {Array.from({ length: rows }, (_, row) => (
        <li key={row}>
          <span style={{ width: `${38 + ((row * 17) % 40)}%` }} />
        </li>
      ))}
    </ol>
  );
}

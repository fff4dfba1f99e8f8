import { IconAlertTriangle, IconClick, IconMailOpened, IconPointFilled, IconSend } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import type { ReadableEvent } from '#contract/event.ts';
import type { Page } from '#contract/list.ts';
import { formatJson } from '../../ui/format/json.ts';
import { localDay } from '../../ui/format/sentenceTime.ts';
import { exactUtc, LOCALE, localTime, parseTime, useTimeZone } from '../../ui/format/time.ts';
import { openBounceReader } from '../../ui/page/bounceReader.ts';
import { keyRows } from '../../ui/page/keyRows.ts';
import { useDelayedFlag } from '../../ui/page/useDelayedFlag.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { JsonView } from '../../ui/values/JsonView.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import kinds from './Activity.module.css';
import classes from './EventDays.module.css';
import { type EventKind, KINDS, kindOf } from './eventKinds.ts';
import { findBounce, pickSummaryAttributes } from './eventSummary.ts';
import { isoDay } from './localDates.ts';

type Props = {
  query: UseQueryResult<Page<ReadableEvent>>;
  perPage: number;
  newestFirst: boolean;
};

export function EventDays({ query, perPage, newestFirst }: Props) {
  const zone = useTimeZone();
  const isStale = useDelayedFlag(query.isPlaceholderData);
  const days = byDay(query.data?.data ?? [], zone);
  const frame = useDayOfUrl(days, newestFirst, query.isSuccess && !query.isPlaceholderData);
  if (query.isPending) return <Skeleton rows={perPage} />;
  return (
    <div ref={frame} className={classes.days} aria-busy={query.isFetching} data-stale={isStale || undefined}>
      {days.map(({ day, date, events }) => (
        <section key={events[0]?.key} aria-label={day} data-day={date}>
          <h3
            className={`${classes.day} row-head`}
            lang={LOCALE.baseName}
            tabIndex={-1}
            title={`Days and times are in ${zone}`}
          >
            {day}
          </h3>
          <ol>
            {events.map(({ key, event }) => (
              <li key={key}>
                <EventLine event={event} zone={zone} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** Scrolls to the first day at or after the one in the hash, once the page has loaded. */
function useDayOfUrl(days: readonly Day[], newestFirst: boolean, isLoaded: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  const wanted = hash.slice(1);
  const go = useEffectEvent(() => {
    const found = days.find(({ date }) => date !== null && (newestFirst ? date <= wanted : date >= wanted));
    const section = frame.current?.querySelector(`[data-day="${found?.date}"]`);
    section?.scrollIntoView();
    section?.querySelector('h3')?.focus({ preventScroll: true });
  });
  // The same bar may be clicked again.
  const place = isLoaded && ISO_DAY.test(wanted) ? `${key} ${wanted}` : null;
  useEffect(() => {
    if (place !== null) go();
  }, [place]);
  return frame;
}

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

function EventLine({ event, zone }: { event: ReadableEvent; zone: string }) {
  const date = parseTime(event.created_at);
  const attributes = event.attributes ?? {};
  const bounce = findBounce(attributes);
  return (
    <details className={classes.event}>
      <summary>
        <span className={classes.time}>
          {date === null ? <UntrustedText text={event.created_at ?? '–'} /> : localTime(date, zone)}
        </span>
        <KindIcon name={event.event_name ?? ''} />
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
          {bounce !== null && (
            <Button
              size="xs"
              variant="default"
              aria-haspopup="dialog"
              onClick={() => openBounceReader({ text: bounce, at: event.created_at })}
            >
              Read this bounce
            </Button>
          )}
        </div>
        <code className={classes.json}>
          <JsonView value={attributes} />
        </code>
      </div>
    </details>
  );
}

/** `date`: the local day as ISO 8601; null without a readable time. */
type Day = { day: string; date: string | null; events: { key: string; event: ReadableEvent }[] };

function byDay(events: readonly ReadableEvent[], zone: string): Day[] {
  const days: Day[] = [];
  for (const { key, row: event } of keyRows(events)) {
    const date = parseTime(event.created_at);
    const day = date === null ? 'Unknown time' : localDay(date, zone);
    const last = days.at(-1);
    if (last?.day === day) last.events.push({ key, event });
    else days.push({ day, date: date && isoDay(date, zone), events: [{ key, event }] });
  }
  return days;
}

function Skeleton({ rows }: { rows: number }) {
  return (
    <ol className={classes.skeleton} aria-label="Loading events">
      {Array.from({ length: rows }, (_, row) => (
        <li key={row}>
          <span style={{ width: `${38 + ((row * 17) % 40)}%` }} />
        </li>
      ))}
    </ol>
  );
}

const ICONS = {
  delivered: IconSend,
  opened: IconMailOpened,
  clicked: IconClick,
  failed: IconAlertTriangle,
  other: IconPointFilled,
} as const satisfies Record<EventKind, unknown>;

function KindIcon({ name }: { name: string }) {
  const kind = kindOf(name);
  const Icon = ICONS[kind];
  const label = KINDS.find((each) => each.kind === kind)?.label;
  return (
    <span className={kinds.icon} data-kind={kind} title={label}>
      <Icon size={16} stroke={1.75} aria-hidden />
    </span>
  );
}

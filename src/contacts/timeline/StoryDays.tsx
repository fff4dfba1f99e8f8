import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import type { ReadableLogLine } from '#contract/auditLog.ts';
import { localDay, shortDate } from '../../ui/format/sentenceTime.ts';
import { LOCALE, useTimeZone } from '../../ui/format/time.ts';
import { useDelayedFlag } from '../../ui/page/useDelayedFlag.ts';
import { ChangeLine } from './ChangeLine.tsx';
import { EventLine } from './EventLine.tsx';
import { isoDay } from '../../ui/format/time.ts';
import { receiptsOf } from './receipts.ts';
import type { StoryRow } from './story.ts';
import classes from './Story.module.css';

type Props = {
  /** Undefined while they load for the first time. */
  rows: readonly StoryRow[] | undefined;
  receipts: readonly ReadableLogLine[];
  perPage: number;
  newestFirst: boolean;
  isStale: boolean;
  isFetching: boolean;
};

/** Rows by day. The date is in the first column, once for each day. */
export function StoryDays({ rows, receipts, perPage, newestFirst, isStale, isFetching }: Props) {
  const zone = useTimeZone();
  const isFaded = useDelayedFlag(isStale);
  const days = byDay(rows ?? [], zone);
  const frame = useDayOfUrl(days, newestFirst, rows !== undefined && !isStale);
  if (rows === undefined) return <StorySkeleton rows={perPage} />;
  return (
    <div ref={frame} className={classes.days} aria-busy={isFetching} data-stale={isFaded || undefined}>
      {days.map(({ day, date, rows }) => (
        <section key={rows[0]?.key} aria-label={day} data-day={date}>
          <h3
            className={classes.day}
            lang={LOCALE.baseName}
            tabIndex={-1}
            aria-label={day}
            title={`${day}. Days and times are in ${zone}`}
          >
            {rows[0]?.time ? shortDate(rows[0].time, zone) : day}
          </h3>
          <ol>
            {rows.map(({ key, event, change }) => (
              <li key={key}>
                {event === undefined ? (
                  <ChangeLine change={change} receipts={receiptsOf(change, receipts)} />
                ) : (
                  <EventLine event={event} zone={zone} />
                )}
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

/** `date`: the local day as ISO 8601; null without a readable time. */
type Day = { day: string; date: string | null; rows: StoryRow[] };

function byDay(rows: readonly StoryRow[], zone: string): Day[] {
  const days: Day[] = [];
  for (const row of rows) {
    const day = row.time === null ? 'Unknown time' : localDay(row.time, zone);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, date: row.time && isoDay(row.time, zone), rows: [row] });
  }
  return days;
}

export function StorySkeleton({ rows }: { rows: number }) {
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

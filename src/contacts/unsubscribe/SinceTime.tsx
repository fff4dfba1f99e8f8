import { isDay, shortDay } from '../../ui/format/importedDay.ts';
import { shortDateTime } from '../../ui/format/sentenceTime.ts';
import { LOCALE, parseTime } from '../../ui/format/time.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';

type Props = { value: string | null; isRelative?: boolean };

/** Since when a contact is unsubscribed. An imported day is the same in every zone. */
export function SinceTime({ value, isRelative = false }: Props) {
  const date = parseTime(value);
  if (date === null || !isDay(date)) return <DateTime value={value} {...(!isRelative && { show: shortDateTime })} />;
  return (
    <time dateTime={date.toISOString().slice(0, 10)} lang={LOCALE.baseName}>
      {shortDay(date)}
    </time>
  );
}

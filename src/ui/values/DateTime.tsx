import { useSyncExternalStore } from 'react';
import { Nothing } from './Nothing.tsx';
import { UntrustedText } from './UntrustedText.tsx';
import { createStore } from '../page/store.ts';
import {
  describeAge,
  exactUtc,
  LOCALE,
  localDate,
  localDateTime,
  localMoment,
  parseTime,
  useTimeZone,
} from '../format/time.ts';
import classes from './DateTime.module.css';
import { useCopy } from '../page/copy.ts';

const FORMATS = { relative: localDate, local: localDateTime, moment: localMoment };

/** Updates ages, and "today". */
const ticks = createStore(0);
setInterval(() => ticks.write(ticks.read() + 1), 10_000);

type Props = {
  value: string | null;
  /** `relative`: the age, or the date after a month. `moment`: the time, with the day if it isn't today. */
  show?: keyof typeof FORMATS | ((date: Date, zone: string) => string);
};

/** A time in the chosen zone, or relative to now. The button over it shows the exact UTC on hover and focus, and copies it. */
export function DateTime({ value, show = 'relative' }: Props) {
  const zone = useTimeZone();
  const date = value === null ? null : parseTime(value);
  const age = () => (show === 'relative' && date !== null ? describeAge(date) : null);
  const format = typeof show === 'string' ? FORMATS[show] : show;
  const words = useSyncExternalStore(ticks.subscribe, () => age() ?? (date === null ? '' : format(date, zone)));
  if (value === null) return <Nothing words="not sent" />;
  // Another service may use another format.
  if (date === null) return <UntrustedText text={value} />;
  return (
    <span className={classes.time}>
      <time
        dateTime={value}
        data-printed-as={localDateTime(date, zone)}
        {...(words !== age() && { lang: LOCALE.baseName })}
      >
        {words}
      </time>
      <CopyTime exact={exactUtc(date)} />
    </span>
  );
}

function CopyTime({ exact }: { exact: string }) {
  'use no memo'; // It's small, and the first file has to be.
  const { state, copy } = useCopy(exact, 'time');
  return (
    <button type="button" className={classes.copy} aria-label={`Copy ${exact}`} onClick={copy}>
      <span className={classes.hint} aria-hidden>
        {{ idle: exact, copied: 'Copied', failed: 'Can’t copy here' }[state]}
      </span>
    </button>
  );
}

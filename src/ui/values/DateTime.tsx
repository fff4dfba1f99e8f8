import { useSyncExternalStore, type ReactNode } from 'react';
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

/** A time in the chosen zone, or relative to now. Hover or focus shows the exact UTC; a click copies it. */
export function DateTime({ value, show = 'relative' }: Props) {
  const zone = useTimeZone();
  const date = value === null ? null : parseTime(value);
  const age = () => (show === 'relative' && date !== null ? describeAge(date) : null);
  const format = typeof show === 'string' ? FORMATS[show] : show;
  const words = useSyncExternalStore(ticks.subscribe, () => age() ?? (date === null ? '' : format(date, zone)));
  if (value === null) return <span title="Not sent by the service">–</span>;
  // Another service may use another format.
  if (date === null) return <UntrustedText text={value} />;
  const exact = exactUtc(date);
  return (
    <CopyOnClick value={exact} hint={exact} words={words} what="time">
      <time
        dateTime={value}
        data-printed-as={localDateTime(date, zone)}
        {...(words !== age() && { lang: LOCALE.baseName })}
      >
        {words}
      </time>
    </CopyOnClick>
  );
}

type CopyOnClickProps = {
  value: string;
  hint: string;
  /** The visible text, with which the accessible name begins (WCAG 2.5.3). */
  words: string;
  what: string;
  children: ReactNode;
};

function CopyOnClick({ value, hint, words, what, children }: CopyOnClickProps) {
  const { state, copy } = useCopy(value, what);
  const shown = { idle: hint, copied: 'Copied', failed: 'Can’t copy here' }[state];
  return (
    <button type="button" className={classes.text} onClick={copy} aria-label={`${words}, ${hint}. Copy ${what}`}>
      {children}
      <span className={classes.hint} aria-hidden>
        {shown}
      </span>
    </button>
  );
}

import { CopyOnClick } from './CopyOnClick.tsx';
import { UntrustedText } from './UntrustedText.tsx';
import { exactUtc, localDateTime, localMoment, parseTime, relativeTime } from './time.ts';

const FORMATS = { relative: relativeTime, local: localDateTime, moment: localMoment };

type Props = {
  /** A timestamp of the interface; null when the service sent none. */
  value: string | null;
  /** `moment`: the time, and the day where that is not today. Or words of the caller. */
  show?: keyof typeof FORMATS | ((date: Date) => string);
};

/** A time in the local zone or relative to now; hover or focus shows the exact UTC, a click copies it. */
export function DateTime({ value, show = 'relative' }: Props) {
  if (value === null) return <span title="Not sent by the service">–</span>;
  const date = parseTime(value);
  // Another service may send a time in another format: show its text, not a wrong date.
  if (date === null) return <UntrustedText text={value} />;
  const words = (typeof show === 'string' ? FORMATS[show] : show)(date);
  const exact = exactUtc(date);
  return (
    <CopyOnClick value={exact} hint={exact} words={words} what="time">
      <time dateTime={value} data-printed-as={localDateTime(date)}>
        {words}
      </time>
    </CopyOnClick>
  );
}

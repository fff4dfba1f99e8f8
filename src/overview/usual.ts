/** How many until now today, and until the same time on earlier days with the same name. */
export type Compared = { today: number; before: readonly number[] };

/** The median: one exceptional day doesn't change what is usual. Between two days, their mean, rounded. */
export function usualOf(before: readonly number[]): number {
  const sorted = before.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return Math.round((low + high) / 2);
}

/** Smaller differences are chance. */
const LEAST_DIFFERENCE = 3;
const LEAST_FACTOR = 1.5;

export type Difference = 'more' | 'less' | 'usual';

export function compareToUsual({ today, before }: Compared): Difference {
  const usual = usualOf(before);
  if (Math.abs(today - usual) < LEAST_DIFFERENCE) return 'usual';
  if (today >= usual * LEAST_FACTOR) return 'more';
  return today * LEAST_FACTOR <= usual ? 'less' : 'usual';
}

const LEAST_ALARM = 5;
const ALARM_FACTOR = 3;

/** Whether somebody should look at it. */
export const isFarAboveUsual = ({ today, before }: Compared): boolean =>
  today >= LEAST_ALARM && today >= ALARM_FACTOR * usualOf(before);

const factor = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** "4.5 times the usual 4", "less than the usual 12", "usual 4". */
export function describeUsual(compared: Compared): string {
  const usual = usualOf(compared.before);
  const difference = compareToUsual(compared);
  if (difference === 'usual') return `usual ${usual}`;
  if (difference === 'less') return `less than the usual ${usual}`;
  const times = compared.today / usual;
  return usual > 0 && times >= 2 ? `${factor.format(times)} times the usual ${usual}` : `more than the usual ${usual}`;
}

import type { ReadableOverview } from '#contract/overview.ts';
import { NOBODY_SAID, REASONS } from '../identity/describeSuppression.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { labelOr } from '../ui/format/labelOr.ts';
import { dateFormat, isoDay } from '../ui/format/time.ts';
import { Fact } from '../ui/values/Fact.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { type Compared, compareToUsual, describeUsual } from './usual.ts';
import classes from './Unsubscribes.module.css';

type Props = Pick<ReadableOverview, 'unsubscribes' | 'today'>;

const weekday = dateFormat({ weekday: 'long' }, true, 'en');

/** Whether today is usual: until now, against the median of the last four days with the same name until the same time. */
export function Today({ unsubscribes: { days, total }, today }: Props) {
  'use no memo'; // It renders rarely, and the first page has to be small.
  const last = (count: number, before = 0) =>
    days.slice(-count - before, -before || undefined).reduce((sum, { total: ofDay }) => sum + ofDay, 0);
  const moments = [
    { label: 'Yesterday', count: last(1, 1) },
    { label: 'Last 7 days', count: last(7) },
    { label: 'Last 30 days', count: total },
  ];
  const reasons = today.reasons.filter(
    ({ today: count, before }) => count + before.reduce((sum, one) => sum + one, 0) > 0,
  );
  const start = days.at(-1)?.from;
  const since = start === undefined ? '' : `&from=${isoDay(new Date(start))}`;
  return (
    <>
      <dl className={classes.moments}>
        <div className={classes.today}>
          <dt>Today</dt>
          <dd>{formatCount(last(1))}</dd>
          <dd>
            <Usual of={today.unsubscribed} />
          </dd>
        </div>
        {moments.map(({ label, count }) => (
          <Fact key={label} label={label}>
            {formatCount(count)}
          </Fact>
        ))}
      </dl>
      {reasons.length > 0 && (
        <ul className={classes.reasons} aria-label="Unsubscribed today, by reason">
          {reasons.map(({ reason, ...compared }) => (
            <li key={reason}>
              <Link to={`${paths.suppressions}?reason=${encodeURIComponent(reason ?? 'unknown')}${since}`}>
                {reason === null ? NOBODY_SAID : labelOr(REASONS, reason)}
              </Link>
              <b>{formatCount(compared.today)}</b>
              <Usual of={compared} />
            </li>
          ))}
        </ul>
      )}
      {start !== undefined && (
        <p className="note">Usual: the median of the last four {weekday(new Date(start))}s up to this time.</p>
      )}
    </>
  );
}

const SIGNS = { more: '▲', less: '▼', usual: '' };

const Usual = ({ of }: { of: Compared }) => {
  const difference = compareToUsual(of);
  return (
    <small data-difference={difference}>
      {difference !== 'usual' && <span aria-hidden>{SIGNS[difference]} </span>}
      {describeUsual(of)}
    </small>
  );
};

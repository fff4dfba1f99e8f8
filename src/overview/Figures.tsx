import type { ReactNode } from 'react';
import { formatCount } from '../ui/format/formatCount.ts';
import { LOCALE } from '../ui/format/time.ts';
import { Link } from '../url/Link.tsx';
import classes from './OverviewPage.module.css';

type Figure = {
  label: string;
  count: number | undefined;
  to?: string;
  tone?: 'bad';
};

type Props = {
  id: string;
  title: string;
  figures: readonly Figure[];
  total?: number | undefined;
  children?: ReactNode;
};

export function Figures({ id, title, figures, total, children }: Props) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className={classes.table} aria-labelledby={id}>
        <tbody>
          {figures.map(({ label, count, to, tone }) => (
            <tr key={label} data-tone={count === 0 ? undefined : tone}>
              <th scope="row">{to === undefined ? label : <Link to={to}>{label}</Link>}</th>
              <td>{count === undefined ? <span className={classes.pending} /> : formatCount(count)}</td>
              <td className={classes.share}>{count === total ? '' : formatShare(count, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </section>
  );
}

/** Half to even: 85.5 and 14.5 percent add up to 100. */
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', roundingMode: 'halfEven' });

export function formatShare(count: number | undefined, total: number | undefined): string {
  if (count === undefined || !total) return '';
  const share = count / total;
  if (count > 0 && share < 0.01) return `< ${percent.format(0.01)}`;
  return count < total && share > 0.99 ? `> ${percent.format(0.99)}` : percent.format(share);
}

import type { ReactNode } from 'react';
import classes from './Section.module.css';

type Props = {
  /** The id of the heading. */
  id: string;
  title: string;
  /** In the line of the heading: a count, the time of the last response. */
  beside?: ReactNode;
  /** Buttons at the end of that line. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A part of a page under a heading. */
export function Section({ id, title, beside, actions, children }: Props) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.heading} data-wrap={actions !== undefined || undefined}>
        <h2 id={id}>{title}</h2>
        {beside}
        {actions !== undefined && <span className={classes.actions}>{actions}</span>}
      </div>
      {children}
    </section>
  );
}

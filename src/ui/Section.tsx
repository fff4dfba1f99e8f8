import type { ReactNode } from 'react';
import classes from './Section.module.css';

type Props = {
  id: string;
  title: string;
  /** In the line of the heading: a count, the time of the last response, `SectionActions`. */
  beside: ReactNode;
  children: ReactNode;
};

export function Section({ id, title, beside, children }: Props) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.heading}>
        <h2 id={id}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}

/** Buttons at the end of the line of the heading; where it is narrow, below. */
export function SectionActions({ children }: { children: ReactNode }) {
  return <span className={classes.actions}>{children}</span>;
}

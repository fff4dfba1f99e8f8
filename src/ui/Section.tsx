import type { ReactNode } from 'react';
import classes from './Section.module.css';

type Props = {
  id: string;
  title: string;
  rightSection: ReactNode;
  children: ReactNode;
};

export function Section({ id, title, rightSection, children }: Props) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.heading}>
        <h2 id={id}>{title}</h2>
        {rightSection}
      </div>
      {children}
    </section>
  );
}

export function SectionActions({ children }: { children: ReactNode }) {
  return <span className={classes.actions}>{children}</span>;
}

import type { ReactNode } from 'react';
import classes from './ListToolbar.module.css';

/** The line of controls above a table; its first control takes the free width. */
export function ListToolbar({ children }: { children: ReactNode }) {
  return <div className={classes.toolbar}>{children}</div>;
}

import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './SidePanel.module.css';

type Props = {
  label: string;
  title: ReactNode;
  /** Of the page: where it stands. */
  className?: string | undefined;
  onClose: () => void;
  children: ReactNode;
};

/** A panel next to a table, about one row. It never takes the focus. */
export function SidePanel({ label, title, className = '', onClose, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it; all in it can be reached by itself
    <aside
      className={`${classes.panel} ${className}`}
      aria-label={label}
      onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && onClose()}
    >
      <header className={classes.head}>
        <h2>{title}</h2>
        <CloseButton size={24} aria-label="Close the side panel" title="Close (Esc)" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}

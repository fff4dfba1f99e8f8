import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Meta, Page } from '#contract/list.ts';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import classes from './ListFrame.module.css';

/** The line of controls above a table; a search box takes the free width. */
export function ListToolbar({ children }: { children: ReactNode }) {
  return <div className={classes.toolbar}>{children}</div>;
}

/** How many there are, beside a page's heading; keeps its place while unknown. */
export function Total({ meta }: { meta: Meta | undefined }) {
  return <span className={classes.total}>{meta === undefined ? '' : formatCount(meta.total)}</span>;
}

/** Beside the heading of a list: how many rows it has, and when it was read. */
export function ListFacts({ query }: { query: UseQueryResult<Page<unknown>> }) {
  return (
    <>
      <Total meta={query.data?.meta} />
      <LastUpdated query={query} />
    </>
  );
}

import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Meta, Page } from '#contract/list.ts';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import classes from './ListFrame.module.css';

export function ListToolbar({ children }: { children: ReactNode }) {
  return <div className={classes.toolbar}>{children}</div>;
}

export function Total({ meta }: { meta: Meta | undefined }) {
  return <span className={classes.total}>{meta === undefined ? '' : formatCount(meta.total)}</span>;
}

/** Next to the heading: how many rows, and when they were read. */
export function ListFacts({ query }: { query: UseQueryResult<Page<unknown>> }) {
  return (
    <>
      <Total meta={query.data?.meta} />
      <LastUpdated query={query} />
    </>
  );
}

import type { UseQueryResult } from '@tanstack/react-query';
import type { Page } from '#contract/list.ts';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { Total } from './Total.tsx';

/** Beside the heading of a list: how many rows it has, and when it was read. */
export function ListFacts({ query }: { query: UseQueryResult<Page<unknown>> }) {
  return (
    <>
      <Total meta={query.data?.meta} />
      <LastUpdated query={query} />
    </>
  );
}

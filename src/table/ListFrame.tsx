import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Page } from '#contract/list.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { clockTime, useTimeZone } from '../ui/format/time.ts';
import classes from './ListFrame.module.css';
import { Pager } from './Pager.tsx';
import type { ListControl } from './useList.ts';

export const ListEmpty = lazy(async () => ({ default: (await import('./NoRows.tsx')).ListEmpty }));
const PastTheEnd = lazy(async () => ({ default: (await import('./NoRows.tsx')).PastTheEnd }));

type Props = {
  what: string;
  query: UseQueryResult<Page<unknown>>;
  list: ListControl;
  empty: ReactNode;
  /** Shown if all rows of the page are filtered out. */
  none?: ReactNode;
  pager?: ReactNode;
  children: ReactNode;
};

export function ListFrame({ what, query, list, empty, none, pager, children }: Props) {
  const { data } = query;
  const zone = useTimeZone();
  const retry = () => void query.refetch();
  if (query.isError && data === undefined) return <ErrorAlert error={query.error} onRetry={retry} />;

  const shown = data?.data.length ?? 0;
  return (
    <section className={classes.list} aria-label={what}>
      {query.isError && (
        <ErrorAlert
          error={query.error}
          note={`Showing data from ${clockTime(query.dataUpdatedAt, zone)}.`}
          onRetry={retry}
        />
      )}
      <div className={classes.frame}>
        {children}
        {none !== undefined && <div className={classes.nothing}>{none}</div>}
        {data !== undefined && shown === 0 && (
          <div className={classes.nothing}>
            <Suspense>
              {data.meta.total > 0 ? (
                <PastTheEnd what={what} meta={data.meta} onPage={(page) => list.change({ page })} />
              ) : (
                empty
              )}
            </Suspense>
          </div>
        )}
      </div>
      {pager ?? <Pager what={what} meta={data?.meta} list={list} shown={shown} />}
    </section>
  );
}

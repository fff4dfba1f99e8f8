import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { Page, Meta } from '#contract/list.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { clockTime, useTimeZone } from '../ui/time.ts';
import { formatCount } from '../ui/formatCount.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './ListFrame.module.css';
import { Pager } from './Pager.tsx';
import type { ListControl } from './useListState.ts';

type Props = {
  what: string;
  query: UseQueryResult<Page<unknown>>;
  list: ListControl;
  empty: ReactNode;
  /** Shown where the page has rows and all of them are filtered out. */
  none?: ReactNode;
  /** Replaces the pager where a service has no pages. */
  pager?: ReactNode;
  children: ReactNode;
};

/** What every list has around its rows: the error, the empty state, the page past the end, and the pager. */
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
          note={`What is shown was read at ${clockTime(query.dataUpdatedAt, zone)}.`}
          onRetry={retry}
        />
      )}
      <div className={classes.frame}>
        {children}
        {none !== undefined && <div className={classes.nothing}>{none}</div>}
        {data !== undefined && shown === 0 && (
          <div className={classes.nothing}>
            {data.meta.total > 0 ? (
              <PastTheEnd what={what} meta={data.meta} onPage={(page) => list.change({ page })} />
            ) : (
              empty
            )}
          </div>
        )}
      </div>
      {pager ?? <Pager what={what} meta={data?.meta} list={list} shown={shown} />}
    </section>
  );
}

type PastTheEndProps = { what: string; meta: Meta; onPage: (page: number) => void };

/** Shown for a page number beyond the last page, with buttons that lead back into the list. */
function PastTheEnd({ what, meta, onPage }: PastTheEndProps) {
  return (
    <>
      <p>
        There is no page {formatCount(meta.current_page)}. The {formatCount(meta.total)} {what} end on page{' '}
        {formatCount(meta.last_page)}.
      </p>
      <div>
        <Button variant="default" size="xs" mr={8} onClick={() => onPage(1)}>
          Go to the first page
        </Button>
        <Button variant="default" size="xs" onClick={() => onPage(meta.last_page)}>
          Go to the last page
        </Button>
      </div>
    </>
  );
}

type ListEmptyProps = {
  list: ListControl;
  /** One row, as in "domain". */
  what: string;
  /** How rows are added, where there are none at all. */
  hint: string;
};

/** Says why a list is empty: because of the search or the filter, or because there are no rows yet. */
export function ListEmpty({ list, what, hint }: ListEmptyProps) {
  const { search, filters } = list.state;
  if (search === '' && Object.keys(filters).length === 0) {
    return (
      <>
        <p>There is no {what} here yet.</p>
        <p>{hint}</p>
      </>
    );
  }
  return (
    <>
      <p>
        {search === '' ? (
          `No ${what} passes this filter.`
        ) : (
          <>
            No {what} matches “<UntrustedText text={search} />
            ”.
          </>
        )}
      </p>
      <Button variant="default" size="xs" onClick={() => list.change({ search: '', filters: {} })}>
        Show all
      </Button>
    </>
  );
}

import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Page, Meta } from '#contract/list.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { clockTime, useTimeZone } from '../ui/format/time.ts';
import classes from './ListFrame.module.css';
import { type ListControl, PER_PAGE_CHOICES } from './useList.ts';
import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Form } from '../ui/Form.tsx';
import { formatCount, formatRange } from '../ui/format/formatCount.ts';
import { usePageActions } from '../ui/page/actions.ts';

export const ListEmpty = lazy(async () => ({ default: (await import('./NoRows.tsx')).ListEmpty }));
export const IgnoredParams = lazy(async () => ({ default: (await import('./NoRows.tsx')).IgnoredParams }));
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
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { data } = query;
  const zone = useTimeZone();
  const retry = () => void query.refetch();
  if (query.isError && data === undefined) return <ErrorAlert error={query.error} onRetry={retry} />;

  const shown = data?.data.length ?? 0;
  return (
    <section className={classes.list} aria-label={what}>
      <Suspense>{list.ignored.length > 0 && <IgnoredParams list={list} />}</Suspense>
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
      {/* Not before: it would move with the number of rows. */}
      {data !== undefined && (pager ?? <Pager what={what} meta={data.meta} list={list} shown={shown} />)}
    </section>
  );
}

type PagerProps = {
  what: string;
  meta: Meta;
  list: ListControl;
  shown: number;
};

/** Shows `meta`, not what was requested. */
function Pager({ what, meta, list, shown }: PagerProps) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { state, change } = list;
  const [pager, toPage] = usePageTurn(list, meta);
  // While another page loads, `meta` is of the page before.
  const hasNext = meta.current_page === state.page ? meta.has_next : state.page < meta.last_page;
  const hasPrevious = state.page > 1;
  const toPrevious = () => toPage(Math.min(state.page, meta.last_page + 1) - 1);
  const toNext = () => toPage(state.page + 1);
  usePageActions([
    ...(hasNext ? [{ id: 'next-page', label: `Next page of ${what}`, run: toNext }] : []),
    ...(hasPrevious ? [{ id: 'previous-page', label: `Previous page of ${what}`, run: toPrevious }] : []),
  ]);
  return (
    <nav ref={pager} className={classes.pager} aria-label={`Pages of ${what}`}>
      <span className={classes.range}>{formatRange(meta, shown)}</span>
      {(hasNext || hasPrevious || meta.total > list.options.perPage) && (
        <>
          <NativeSelect
            size="xs"
            aria-label={`${what} per page`}
            value={state.perPage}
            data={PER_PAGE_CHOICES.map((choice) => ({ value: String(choice), label: `${choice} per page` }))}
            onChange={(event) => change({ perPage: Number(event.currentTarget.value) })}
          />
          <ActionIcon variant="default" aria-label="Previous page" disabled={!hasPrevious} onClick={toPrevious}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          <JumpTo page={state.page} lastPage={meta.last_page} onJump={toPage} />
          <ActionIcon variant="default" aria-label="Next page" disabled={!hasNext} onClick={toNext}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </>
      )}
    </nav>
  );
}

/** Once the rows are shown, focuses the first one, unless the user is in another field. */
function usePageTurn({ state, change }: ListControl, meta: Meta) {
  const pager = useRef<HTMLElement>(null);
  const isTurning = useRef(false);
  useLayoutEffect(() => {
    const list = pager.current?.parentElement;
    if (!isTurning.current || !list || meta.current_page !== state.page) return;
    isTurning.current = false;
    const focused = document.activeElement;
    if (focused?.matches('input, textarea, select, dialog *') && !pager.current?.contains(focused)) return;
    list.querySelector<HTMLElement>('tbody :is(a, button), summary')?.focus({ preventScroll: true });
    if (list.getBoundingClientRect().top < 0) list.scrollIntoView();
  });
  const toPage = (page: number) => {
    isTurning.current = true;
    change({ page });
  };
  return [pager, toPage] as const;
}

type JumpProps = { page: number; lastPage: number; onJump: (page: number) => void };

function JumpTo({ page, lastPage, onJump }: JumpProps) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(page);
  const submit = () => {
    const wanted = Number(text);
    const isPage = Number.isSafeInteger(wanted) && wanted >= 1;
    const to = isPage ? Math.min(wanted, Math.max(1, lastPage)) : page;
    setTyped(null);
    if (to !== page) onJump(to);
  };
  return (
    <Form className={classes.jump} onSubmit={submit}>
      <input
        aria-label="Go to page"
        inputMode="numeric"
        value={text}
        size={Math.max(2, text.length)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
      <span>of {formatCount(lastPage)}</span>
    </Form>
  );
}

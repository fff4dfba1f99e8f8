import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import type { RequestListener } from 'node:http';
import type { ComponentProps } from 'react';
import { expect } from 'vitest';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { createPageMeta, parseListQuery, type CheckedListQuery, type Meta } from '#contract/list.ts';
import { listQuery } from '../api/apiQuery.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { toListQuery, type ListOptions, type ListState, useListState } from '../table/useList.ts';
import { SearchInput } from '../table/SearchInput.tsx';
import { openPage } from './testPage.tsx';
import { json, type TestServer } from './testServer.ts';

const LIST: ListOptions = { perPage: 10, sort: { id: 'created_at', desc: true }, sortable: listDomains.list.sortable };

const columns: readonly Column<ReadableDomain>[] = [
  { id: 'name', header: 'Domain', cell: (domain) => domain.name },
  { id: 'records', header: 'DNS records', cell: () => 'none' },
  { id: 'created_at', header: 'Created', cell: (domain) => domain.created_at ?? 'none' },
];

const domainsQuery = (state: ListState) => listQuery(listDomains, { query: toListQuery(state) });

/** For tests: a page with a list, as the console's pages have one. */
export function Domains({ imports }: Pick<ComponentProps<typeof ListEmpty>, 'imports'>) {
  const list = useListState(LIST);
  const query = useQuery(domainsQuery(list.state));
  return (
    <>
      <SearchInput list={list} label="Search domains" placeholder="Search by name" />
      <button type="button" onClick={() => void query.refetch()}>
        Refresh
      </button>
      <DataTable
        what="domains"
        columns={columns}
        query={query}
        list={list}
        keepsRows
        empty={<ListEmpty list={list} what="domain" hint="Import some." {...(imports && { imports })} />}
      />
    </>
  );
}

/** A service with `total` domains, n1.test, n2.test ...; a search finds those whose name holds it. */
export function domains(
  total: number,
  spoil: (meta: Meta, query: CheckedListQuery) => Partial<Meta> = () => ({}),
): RequestListener {
  return (request, response) => {
    const { query } = parseListQuery(new URL(request.url ?? '', 'http://x.test').searchParams, listDomains.list);
    if (query === null) return json({ detail: 'No.' }, 422)(request, response);
    const all = Array.from({ length: total }, (_, index) => `n${index + 1}.test`);
    const names = all.filter((name) => name.includes(query.search));
    const rows = names.slice((query.page - 1) * query.per_page, query.page * query.per_page);
    const meta = createPageMeta(query, names.length);
    const data = rows.map((name) => ({ uuid: name, name }));
    json({ data, meta: { ...meta, ...spoil(meta, query) } })(request, response);
  };
}

/** A listener that responds only after `release`. */
export function holdAnswer(listener: RequestListener): { listener: RequestListener; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { listener: (request, response) => void promise.then(() => listener(request, response)), release: resolve };
}

/** Opens the list and waits for its first rows. */
export async function openList(server: TestServer, total: number, at = '/domains') {
  server.answer(domains(total));
  const page = openPage(<Domains />, at);
  await waitFor(() => expect(shown()).not.toHaveLength(0));
  return page;
}

/** The domains of the rows, without headers and empty rows. */
export const shown = () =>
  screen.queryAllByRole('row').flatMap((row) => within(row).queryByRole('rowheader')?.textContent ?? []);

export const url = () => window.location.pathname + window.location.search;
export const pager = () => screen.getByRole('navigation', { name: 'Pages of domains' });
export const button = (name: string) => screen.getByRole('button', { name });

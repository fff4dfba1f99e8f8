import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReadableDomain } from '#contract/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { metaOf, parseListQuery, type CheckedListQuery, type Meta } from '#contract/list.ts';
import { listQuery } from '../api/apiQuery.ts';
import { openPage } from '../testPage.tsx';
import { json, startTestServer, type TestServer } from '../testServer.ts';
import { columnsOf, DataTable } from './DataTable.tsx';
import { ListEmpty } from './ListEmpty.tsx';
import { toListQuery, type ListOptions } from './listState.ts';
import { useListState } from './useListState.ts';

const LIST: ListOptions = { perPage: 10, sort: { id: 'created_at', desc: true }, sortable: listDomains.list.sortable };

const columns = columnsOf<ReadableDomain>([
  { id: 'name', header: 'Domain', cell: ({ row: { original } }) => original.name },
  { id: 'records', header: 'DNS records', cell: () => 'none' },
  { id: 'created_at', header: 'Created', cell: ({ row: { original } }) => original.created_at ?? '–' },
]);

function Domains() {
  const list = useListState(LIST);
  const query = useQuery(listQuery(listDomains, { query: toListQuery(list.state) }));
  return (
    <>
      <button type="button" onClick={() => void query.refetch()}>
        Refresh
      </button>
      <DataTable
        what="domains"
        columns={columns}
        query={query}
        list={list}
        rowId={(domain) => domain.uuid}
        empty={<ListEmpty list={list} what="domain" hint="Import some." />}
      />
    </>
  );
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A service with `total` domains, n1.test, n2.test ...; a search finds those whose name holds it. */
function domains(
  total: number,
  spoil: (meta: Meta, query: CheckedListQuery) => Partial<Meta> = () => ({}),
): RequestListener {
  return (request, response) => {
    const { query } = parseListQuery(new URL(request.url ?? '', 'http://x.test').searchParams, listDomains.list);
    if (query === null) return json({ detail: 'No.' }, 422)(request, response);
    const names = Array.from({ length: total }, (_, index) => `n${index + 1}.test`).filter((name) =>
      name.includes(query.search),
    );
    const rows = names.slice((query.page - 1) * query.per_page, query.page * query.per_page);
    const meta = metaOf(query, names.length);
    json({ data: rows.map((name) => ({ uuid: name, name })), meta: { ...meta, ...spoil(meta, query) } })(
      request,
      response,
    );
  };
}

/** Answers only when it is told to. */
function held(listener: RequestListener): { listener: RequestListener; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { listener: (request, response) => void promise.then(() => listener(request, response)), release: resolve };
}

const url = () => window.location.pathname + window.location.search;
const pager = () => screen.getByRole('navigation', { name: 'Pages of domains' });
const button = (name: string) => screen.getByRole('button', { name });

const header = (name: string) => screen.getByRole('columnheader', { name });

/** The domains of the rows, without headers and empty rows. */
const shown = () =>
  screen.queryAllByRole('row').flatMap((row) => within(row).queryAllByRole('cell')[0]?.textContent ?? []);

/** Opens the list and waits for its first rows. */
async function openList(total: number, at = '/domains') {
  server.answer(domains(total));
  const page = openPage(<Domains />, at);
  await waitFor(() => expect(shown()).not.toHaveLength(0));
  return page;
}

describe('before the first rows', () => {
  test.each([
    ['/domains', 10],
    ['/domains?per_page=25', 25],
  ])('%s has the shape of its page: %i empty rows', async (at, size) => {
    const { listener, release } = held(domains(100));
    server.answer(listener);
    openPage(<Domains />, at);
    expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(1 + size);
    expect(shown()).toEqual([]);
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
    expect(pager().textContent).toContain('Loading');
    expect(button('Next page')).toHaveProperty('disabled', true);

    release();
    await waitFor(() => expect(shown()).toHaveLength(size));
    expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(1 + size);
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false');
  });
});

describe('the rows', () => {
  test('are text, whatever they hold', async () => {
    const name = '<img src=x onerror=alert(1)>';
    server.answer(json({ data: [{ uuid: 'd', name }], meta: metaOf({ page: 1, per_page: 10 }, 1) }));
    openPage(<Domains />);
    await waitFor(() => expect(shown()).toEqual([name]));
  });

  test('are the page’s own, even where a service uses one id for several', async () => {
    const complaints = vi.spyOn(console, 'error');
    server.answer((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x.test').searchParams.get('page'));
      const [first, second] = [
        [
          { uuid: 'x', name: 'a' },
          { uuid: '', name: 'b' },
          { uuid: '', name: 'c' },
          { uuid: 'y', name: 'd' },
        ],
        [
          { uuid: '', name: 'e' },
          { uuid: 'z', name: 'f' },
          { uuid: '', name: 'g' },
        ],
      ];
      json({ data: page === 1 ? first : second, meta: metaOf({ page, per_page: 4 }, 7) })(request, response);
    });
    const { user } = openPage(<Domains />);
    await waitFor(() => expect(shown()).toEqual(['a', 'b', 'c', 'd']));
    await user.click(button('Next page'));
    await waitFor(() => expect(shown()).toEqual(['e', 'f', 'g']));
    expect(complaints).not.toHaveBeenCalled();
  });

  test('stay while the next ones are on their way', async () => {
    const { user } = await openList(30);
    const { listener, release } = held(domains(30));
    server.answer(listener);
    await user.click(button('Next page'));
    await waitFor(() => expect(server.received).toHaveLength(1));
    expect(shown()).toContain('n1.test');
    expect(screen.getByRole('table').dataset.stale).toBe('true');
    expect(pager().textContent).toContain('1–10 of 30');

    release();
    await waitFor(() => expect(shown()).toContain('n11.test'));
    expect(shown()).not.toContain('n1.test');
    expect(screen.getByRole('table').dataset.stale).toBeUndefined();
  });

  test('are those of the page asked for last, in whatever order the answers come', async () => {
    const { user } = await openList(30);
    const late = held(domains(30));
    server.answer(late.listener);
    await user.click(button('Next page'));
    await waitFor(() => expect(server.received).toHaveLength(1));
    server.answer(domains(30));
    await user.click(button('Next page'));
    await waitFor(() => expect(shown()).toContain('n21.test'));
    late.release();
    await user.click(button('Refresh'));
    await waitFor(() => expect(server.received).toHaveLength(2));
    expect(shown()).toContain('n21.test');
  });
});

describe('the order', () => {
  test('is told by the header it belongs to, and written to the URL', async () => {
    const { user } = await openList(30, '/domains?page=2&records=broken');
    expect(header('Created').getAttribute('aria-sort')).toBe('descending');
    expect(header('Domain').getAttribute('aria-sort')).toBeNull();

    await user.click(button('Domain'));
    expect(url()).toBe('/domains?records=broken&sort=name');
    expect(header('Domain').getAttribute('aria-sort')).toBe('ascending');
    expect(header('Created').getAttribute('aria-sort')).toBeNull();

    await user.click(button('Domain'));
    expect(url()).toBe('/domains?records=broken&sort=-name');
    expect(header('Domain').getAttribute('aria-sort')).toBe('descending');
    await user.click(button('Domain'));
    expect(url()).toBe('/domains?records=broken&sort=name');

    await user.click(button('Created'));
    expect(url()).toBe('/domains?records=broken&sort=created_at');
    await user.click(button('Created'));
    expect(url()).toBe('/domains?records=broken');
    await waitFor(() => expect(server.received.at(-1)?.path).toContain('created_at%22%2C%22desc%22%3Atrue'));
  });

  test('cannot be asked of a column the service does not sort by', async () => {
    await openList(1);
    expect(within(header('DNS records')).queryByRole('button')).toBeNull();
  });

  test('can be chosen where there is no room for headers', async () => {
    const { user } = await openList(1);
    const select = screen.getByRole('combobox', { name: 'Sort by' });
    expect(select).toHaveProperty('value', '-created_at');
    expect(
      within(select)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['Domain, ascending', 'Domain, descending', 'Created, ascending', 'Created, descending']);
    await user.selectOptions(select, 'Domain, descending');
    expect(url()).toBe('/domains?sort=-name');
    expect(select).toHaveProperty('value', '-name');
  });

  test('is called what it is when no column has it', async () => {
    await openList(1, '/domains?sort=-mail_from_domain');
    const select = screen.getByRole('combobox', { name: 'Sort by' });
    expect(select).toHaveProperty('value', '-mail_from_domain');
    expect(within(select).getByRole('option', { selected: true }).textContent).toBe('mail_from_domain, descending');
  });
});

describe('without rows', () => {
  test('an empty list says how it gets some', async () => {
    server.answer(domains(0));
    openPage(<Domains />);
    await screen.findByText('There is no domain here yet.');
    expect(screen.getByText('Import some.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull();
    expect(pager().textContent).toMatch(/^0 of 0/);
  });

  test('a search without hits leads back to all', async () => {
    server.answer(domains(5));
    const { user } = openPage(<Domains />, '/domains?search=acme&sort=name');
    await screen.findByText('No domain matches “acme”.');
    await user.click(button('Show all'));
    expect(url()).toBe('/domains?sort=name');
    await waitFor(() => expect(shown()).toHaveLength(5));
  });

  test('a page past the end says where the end is', async () => {
    server.answer(domains(21));
    const { user } = openPage(<Domains />, '/domains?page=1234&search=n');
    await screen.findByText('There is no page 1,234. The 21 domains end on page 3.');
    expect(pager().textContent).toMatch(/^0 of 21/);
    expect(button('Next page')).toHaveProperty('disabled', true);
    await user.click(button('Go to the first page'));
    expect(url()).toBe('/domains?search=n');
    await waitFor(() => expect(shown()).toHaveLength(10));
  });

  test('the way back from past the end leads to the last page', async () => {
    server.answer(domains(21));
    const { user } = openPage(<Domains />, '/domains?page=1234');
    await screen.findByText(/^There is no page/);
    await user.click(button('Previous page'));
    expect(url()).toBe('/domains?page=3');
    await waitFor(() => expect(shown()).toEqual(['n21.test']));
  });
});

describe('a failure', () => {
  test('stands where the rows would have stood, until it is tried again', async () => {
    server.answer(json({}, 503, { 'x-request-id': 'req-1' }));
    const { user } = openPage(<Domains />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The service could not do this (503).');
    expect(alert.textContent).toContain('req-1');
    expect(screen.queryByRole('table')).toBeNull();

    server.answer(domains(3));
    await user.click(button('Try again'));
    await waitFor(() => expect(shown()).toHaveLength(3));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('of a refresh leaves the rows, and says when they were read', async () => {
    const { user } = await openList(3);
    server.answer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'));
    await user.click(button('Refresh'));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/A web page came instead of data.*What is shown was read at \d\d:\d\d\./);
    expect(shown()).toHaveLength(3);

    server.answer(domains(4));
    await user.click(button('Try again'));
    await waitFor(() => expect(shown()).toHaveLength(4));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('names the parameters the service refused', async () => {
    const errors = [{ field: 'search', message: 'search is longer than 200 characters.' }];
    server.answer(json({ detail: 'No.', errors }, 422));
    openPage(<Domains />, '/domains?search=x');
    expect((await screen.findByRole('listitem')).textContent).toBe('search: search is longer than 200 characters.');
  });
});

describe('the pager', () => {
  test('says which rows these are', async () => {
    const { user } = await openList(2000);
    expect(pager().textContent).toContain('1–10 of 2,000');
    await user.click(button('Next page'));
    expect(url()).toBe('/domains?page=2');
    expect(screen.getByRole('textbox', { name: 'Go to page' })).toHaveProperty('value', '2');
    await waitFor(() => expect(pager().textContent).toContain('11–20 of 2,000'));
    await user.click(button('Previous page'));
    expect(url()).toBe('/domains');
  });

  test('believes the service, not what it was asked', async () => {
    server.answer(domains(2000, ({ current_page }) => ({ current_page, per_page: 20 })));
    openPage(<Domains />, '/domains?page=2&per_page=100');
    await waitFor(() => expect(pager().textContent).toMatch(/^21–\d+ of 2,000/));
  });

  test('ends with the list', async () => {
    const { user } = await openList(20);
    expect(button('Previous page')).toHaveProperty('disabled', true);
    await user.click(button('Next page'));
    await waitFor(() => expect(shown()).toContain('n20.test'));
    expect(button('Next page')).toHaveProperty('disabled', true);
    expect(button('Previous page')).toHaveProperty('disabled', false);
  });

  test('cannot be clicked past the end while the last page is on its way', async () => {
    const { user } = await openList(20);
    const { listener, release } = held(domains(20));
    server.answer(listener);
    await user.click(button('Next page'));
    await user.click(button('Next page'));
    await user.click(button('Next page'));
    expect(url()).toBe('/domains?page=2');
    release();
    await waitFor(() => expect(shown()).toContain('n20.test'));
  });

  test.each([
    ['7', '/domains?page=7', '7'],
    [' 7 ', '/domains?page=7', '7'],
    ['1', '/domains', '1'],
    ['999', '/domains?page=10', '10'],
    ['0', '/domains?page=2', '2'],
    ['-1', '/domains?page=2', '2'],
    ['2.5', '/domains?page=2', '2'],
    ['two', '/domains?page=2', '2'],
    ['', '/domains?page=2', '2'],
  ])('jumps: %j leads to %s', async (typed, at, text) => {
    const { user } = await openList(100, '/domains?page=2');
    const box = screen.getByRole('textbox', { name: 'Go to page' });
    await user.clear(box);
    await user.type(box, `${typed}{Enter}`);
    expect(url()).toBe(at);
    expect(box).toHaveProperty('value', text);
    // One may go on typing.
    expect(document.activeElement).toBe(box);
  });

  test('shows the page one is on when a jump leads nowhere else, or is not made', async () => {
    const { user } = await openList(100, '/domains?page=10');
    const box = screen.getByRole('textbox', { name: 'Go to page' });
    await user.clear(box);
    await user.type(box, '999{Enter}');
    expect(url()).toBe('/domains?page=10');
    expect(box).toHaveProperty('value', '10');

    await user.clear(box);
    await user.type(box, '7');
    await user.tab();
    expect(url()).toBe('/domains?page=10');
    expect(box).toHaveProperty('value', '10');
  });

  test('lives with a service that counts the pages of nothing as none', async () => {
    server.answer(domains(0, () => ({ last_page: 0, current_page: 0 })));
    const { user } = openPage(<Domains />);
    await screen.findByText('There is no domain here yet.');
    await user.type(screen.getByRole('textbox', { name: 'Go to page' }), '{Backspace}5{Enter}');
    expect(url()).toBe('/');
    expect(button('Next page')).toHaveProperty('disabled', true);
  });

  test('changes the size of a page, from its start', async () => {
    const { user } = await openList(100, '/domains?page=3');
    await user.selectOptions(screen.getByRole('combobox', { name: 'domains per page' }), '50 per page');
    expect(url()).toBe('/domains?per_page=50');
    await waitFor(() => expect(shown()).toHaveLength(50));
    expect(pager().textContent).toContain('1–50 of 100');
  });

  test('reads again what Back leads to', async () => {
    const { user } = await openList(30);
    await user.click(button('Next page'));
    await waitFor(() => expect(shown()).toContain('n11.test'));
    window.history.back();
    await waitFor(() => expect(shown()).toContain('n1.test'));
    expect(url()).toBe('/domains');
  });
});

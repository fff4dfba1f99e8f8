import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { createPageMeta } from '#contract/list.ts';
import { button, Domains, domains, holdAnswer, openList, pager, shown, url } from '../testing/testList.tsx';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';

const server = setUpTestServer();

const header = (name: string) => screen.getByRole('columnheader', { name });

describe('before the first rows', () => {
  test.each([
    ['/domains', 10],
    ['/domains?per_page=25', 25],
  ])('%s has the shape of its page: %i empty rows', async (at, size) => {
    const { listener, release } = holdAnswer(domains(100));
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
    server.answer(json({ data: [{ uuid: 'd', name }], meta: createPageMeta({ page: 1, per_page: 10 }, 1) }));
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
      json({ data: page === 1 ? first : second, meta: createPageMeta({ page, per_page: 4 }, 7) })(request, response);
    });
    const { user } = openPage(<Domains />);
    await waitFor(() => expect(shown()).toEqual(['a', 'b', 'c', 'd']));
    await user.click(button('Next page'));
    await waitFor(() => expect(shown()).toEqual(['e', 'f', 'g']));
    expect(complaints).not.toHaveBeenCalled();
  });

  test('stay while the next ones are on their way', async () => {
    const { user } = await openList(server, 30);
    const { listener, release } = holdAnswer(domains(30));
    server.answer(listener);
    await user.click(button('Next page'));
    await waitFor(() => expect(server.received).toHaveLength(1));
    expect(shown()).toContain('n1.test');
    await waitFor(() => expect(screen.getByRole('table').dataset.stale).toBe('true'));
    expect(pager().textContent).toContain('1–10 of 30');

    release();
    await waitFor(() => expect(shown()).toContain('n11.test'));
    expect(shown()).not.toContain('n1.test');
    expect(screen.getByRole('table').dataset.stale).toBeUndefined();
  });

  test('are those of the page asked for last, in whatever order the answers come', async () => {
    const { user } = await openList(server, 30);
    const late = holdAnswer(domains(30));
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
    const { user } = await openList(server, 30, '/domains?page=2&records=broken');
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
    await openList(server, 1);
    expect(within(header('DNS records')).queryByRole('button')).toBeNull();
  });

  test('can be chosen where there is no room for headers', async () => {
    const { user } = await openList(server, 1);
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
    await openList(server, 1, '/domains?sort=-mail_from_domain');
    const select = screen.getByRole('combobox', { name: 'Sort by' });
    expect(select).toHaveProperty('value', '-mail_from_domain');
    expect(within(select).getByRole('option', { selected: true }).textContent).toBe('mail_from_domain, descending');
  });
});

describe('without rows', () => {
  test('an empty list says how it gets some', async () => {
    server.answer(domains(0));
    openPage(<Domains />);
    await screen.findByText('No domains yet.');
    expect(screen.getByText('Import some.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull();
    expect(pager().textContent).toMatch(/^0 of 0/);
  });

  test('a search without hits leads back to all', async () => {
    server.answer(domains(5));
    const { user } = openPage(<Domains />, '/domains?search=acme&sort=name');
    const said = await screen.findByText(/^No domain matches/);
    expect(said.textContent).toBe('No domain matches “acme”.');
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
    const { user } = await openList(server, 3);
    server.answer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'));
    await user.click(button('Refresh'));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/A web page came instead of data.*Showing what was read at \d\d:\d\d\./);
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

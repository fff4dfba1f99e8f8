import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { getWorkspace } from '#contract/additions.ts';
import { createPageMeta } from '#contract/list.ts';
import { sessionQuery } from '../session/session.ts';
import { button, Domains, domains, holdAnswer, openList, pager, shown, url } from '../testing/testList.tsx';
import { openPage } from '../testing/testPage.tsx';
import { sessionWith } from '../testing/testSession.ts';
import { json, setUpTestServer } from '../testing/testServer.ts';

const server = setUpTestServer();

describe('the rows', () => {
  test('are named by their first cell, and the table by what it lists', async () => {
    await openList(server, 3);
    const rows = within(screen.getByRole('table', { name: 'domains' }))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual([
      'n1.test',
      'n2.test',
      'n3.test',
    ]);
    expect(rows.map((row) => within(row).getAllByRole('cell').length)).toEqual([2, 2, 2]);
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

describe('without rows', () => {
  test('a list says how to add some, with the command to copy', async () => {
    server.answer(domains(0));
    const { client, show, user } = openPage(null);
    const session = sessionWith({ workspace_uuid: 'b7e23ec2', capabilities: [getWorkspace.id] });
    client.setQueryData(sessionQuery.queryKey, session);
    show(<Domains imports="domains" />);
    await screen.findByText('No domains yet.');
    await user.click(button('Copy command'));
    expect(await navigator.clipboard.readText()).toBe('sendroom admin import domains FILE --workspace b7e23ec2');
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

  test('what the page ignores of a link is named, and can be removed', async () => {
    server.answer(domains(5));
    const { user } = openPage(<Domains />, '/domains?sort=-secret&page=two&search=n&other=1');
    const notice = await screen.findByText('Part of this link was ignored');
    expect(notice.closest('[role=status]')?.textContent).toMatch(/page=two.*sort=-secret/s);
    await user.click(button('Remove it'));
    expect(url()).toBe('/domains?search=n&other=1');
    expect(screen.queryByText('Part of this link was ignored')).toBeNull();
  });

  test('a page past the end says where the end is', async () => {
    server.answer(domains(21));
    const { user } = openPage(<Domains />, '/domains?page=1234&search=n');
    await screen.findByText('Page 1,234 doesn’t exist. The last page of 21 domains is 3.');
    expect(pager().textContent).toMatch(/^0 of 21/);
    expect(button('Next page')).toHaveProperty('disabled', true);
    await user.click(button('Go to the first page'));
    expect(url()).toBe('/domains?search=n');
    await waitFor(() => expect(shown()).toHaveLength(10));
  });
});

test('a failure names the parameters the service refused', async () => {
  const errors = [{ field: 'search', message: 'search is longer than 200 characters.' }];
  server.answer(json({ detail: 'No.', errors }, 422));
  openPage(<Domains />, '/domains?search=x');
  expect((await screen.findByRole('listitem')).textContent).toBe('search: search is longer than 200 characters.');
});

describe('the pager', () => {
  test('believes the service, not what it was asked', async () => {
    server.answer(domains(2000, ({ current_page }) => ({ current_page, per_page: 20 })));
    openPage(<Domains />, '/domains?page=2&per_page=100');
    await waitFor(() => expect(pager().textContent).toMatch(/^21–\d+ of 2,000/));
  });

  test('cannot be clicked past the end while the last page is on its way', async () => {
    const { user } = await openList(server, 20);
    const { listener, release } = holdAnswer(domains(20));
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
    const { user } = await openList(server, 100, '/domains?page=2');
    const box = screen.getByRole('textbox', { name: 'Go to page' });
    await user.clear(box);
    await user.type(box, `${typed}{Enter}`);
    expect(url()).toBe(at);
    expect(box).toHaveProperty('value', text);
    // The user may still be typing.
    expect(document.activeElement).toBe(box);
  });
});

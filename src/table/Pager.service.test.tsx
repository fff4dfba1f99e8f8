import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, Domains, domains, holdAnswer, openList, pager, shown, url } from '../testing/testList.tsx';
import { openPage } from '../testing/testPage.tsx';
import { setUpTestServer } from '../testing/testServer.ts';

const server = setUpTestServer();

describe('the pager', () => {
  test('says which rows these are', async () => {
    const { user } = await openList(server, 2000);
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
    const { user } = await openList(server, 20);
    expect(button('Previous page')).toHaveProperty('disabled', true);
    await user.click(button('Next page'));
    await waitFor(() => expect(shown()).toContain('n20.test'));
    expect(button('Next page')).toHaveProperty('disabled', true);
    expect(button('Previous page')).toHaveProperty('disabled', false);
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

  test('shows the page one is on when a jump leads nowhere else, or is not made', async () => {
    const { user } = await openList(server, 100, '/domains?page=10');
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

  test('shows the page one is on when another one than the jump led to is shown', async () => {
    const { user } = await openList(server, 500);
    const box = screen.getByRole('textbox', { name: 'Go to page' });
    await user.clear(box);
    await user.type(box, '5{Enter}');
    await waitFor(() => expect(shown()).toContain('n41.test'));
    await user.selectOptions(screen.getByRole('combobox', { name: 'domains per page' }), '50 per page');
    expect(url()).toBe('/domains?per_page=50');
    await waitFor(() => expect(shown()).toContain('n1.test'));
    expect(box).toHaveProperty('value', '1');
  });

  test('lives with a service that counts the pages of nothing as none', async () => {
    server.answer(domains(0, () => ({ last_page: 0, current_page: 0 })));
    const { user } = openPage(<Domains />);
    await screen.findByText('No domains yet.');
    await user.type(screen.getByRole('textbox', { name: 'Go to page' }), '{Backspace}5{Enter}');
    expect(url()).toBe('/');
    expect(button('Next page')).toHaveProperty('disabled', true);
  });

  test('changes the size of a page, from its start', async () => {
    const { user } = await openList(server, 100, '/domains?page=3');
    await user.selectOptions(screen.getByRole('combobox', { name: 'domains per page' }), '50 per page');
    expect(url()).toBe('/domains?per_page=50');
    await waitFor(() => expect(shown()).toHaveLength(50));
    expect(pager().textContent).toContain('1–50 of 100');
  });

  test('reads again what Back leads to', async () => {
    const { user } = await openList(server, 30);
    await user.click(button('Next page'));
    await waitFor(() => expect(shown()).toContain('n11.test'));
    window.history.back();
    await waitFor(() => expect(shown()).toContain('n1.test'));
    expect(url()).toBe('/domains');
  });
});

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '../../testing/testPage.tsx';
import { DateTime } from './DateTime.tsx';

const EXACT = '2026-03-04T05:06:07.089Z';

test('a time is text, and its exact value is copied by the keyboard or a click', async () => {
  const { user } = openPage(<DateTime value={EXACT} show={() => 'on Wednesday'} />);
  const time = screen.getByText('on Wednesday');
  expect(time.closest('button')).toBeNull();
  expect(time.getAttribute('datetime')).toBe(EXACT);
  const copy = screen.getByRole('button', { name: `Copy ${EXACT}` });
  await user.tab();
  expect(document.activeElement).toBe(copy);
  await user.keyboard('{Enter}');
  expect(await navigator.clipboard.readText()).toBe(EXACT);

  await navigator.clipboard.writeText('');
  await user.click(copy);
  expect(await navigator.clipboard.readText()).toBe(EXACT);
});

test('a time that wasn’t sent is read as words', () => {
  openPage(<DateTime value={null} />);
  expect(screen.getByText('not sent')).toBeDefined();
});

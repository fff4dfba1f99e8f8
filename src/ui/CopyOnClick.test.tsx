import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { CopyOnClick } from './CopyOnClick.tsx';

const host = (value: string) => (
  <CopyOnClick value={value} hint={`All of ${value}`} words={value} what="host">
    {value}
  </CopyOnClick>
);

test('what was copied is said of that value, not of the next one in its place', async () => {
  const user = userEvent.setup();
  const { rerender } = render(host('a.test'));
  await user.click(screen.getByRole('button'));
  expect(await screen.findByText('Copied')).toBeDefined();
  rerender(host('b.test'));
  expect(screen.queryByText('Copied')).toBeNull();
  expect(screen.getByText('All of b.test')).toBeDefined();
});

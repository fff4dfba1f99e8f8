import { render, screen } from '@testing-library/react';
import { act } from 'react';
import { expect, test } from 'vitest';
import { createStore, useStore } from './store.ts';

test('a component shows the value, and each that is written; what was shown before is gone', () => {
  const store = createStore('first');
  const Shown = () => <p>{useStore(store)}</p>;
  const page = render(<Shown />);
  expect(screen.getByText('first')).toBeTruthy();
  act(() => store.write('second'));
  expect(screen.getByText('second')).toBeTruthy();
  expect(store.read()).toBe('second');
  page.unmount();
  store.write('third');
  render(<Shown />);
  expect(screen.getByText('third')).toBeTruthy();
});

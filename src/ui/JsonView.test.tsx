import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { JsonView } from './JsonView.tsx';

test('numbers of a service are shown with the digits it wrote', () => {
  render(<JsonView value={parseJson('{"id":9007199254740993,"list":[1e400,-12345678901234567890,0.1]}')} />);
  for (const digits of ['9007199254740993', '1e400', '-12345678901234567890', '0.1']) screen.getByText(digits);
  expect(document.body.textContent).not.toContain('740992');
});

import { expect, test } from 'vitest';
import { suggestAddresses } from './suggestAddresses.ts';

test.each([
  ['jane@gmial.com', 'jane@gmail.com'],
  ['jane@gmailcom', 'jane@gmail.com'],
  ['jane@gmail.con', 'jane@gmail.com'],
  ['jane@hotmial.com', 'jane@hotmail.com'],
  ['jane@outloook.com', 'jane@outlook.com'],
  ['jane@exmaple.com', 'jane@example.com'],
  ['Jane.Roe@EXAMPEL.com', 'Jane.Roe@example.com'],
  ['jane@acme.tset', 'jane@acme.test'],
])('%s is a slip of %s', (address, meant) => {
  expect(suggestAddresses(address, ['example.com', 'acme.test'])[0]).toBe(meant);
});

test.each(['jane@example.com', 'jane@gmail.com', 'jane@quite-different.test', 'jane@x.test', 'jane@'])(
  '%s is no slip',
  (address) => {
    expect(suggestAddresses(address, ['example.com', 'b.test'])).toEqual(
      address === 'jane@x.test' ? ['jane@b.test'] : [],
    );
  },
);

test('the nearest come first, three of them at most, each once', () => {
  const known = ['example.org', 'example.com', 'example.com', 'exemple.org', 'exbmple.org', 'example.orgs'];
  const [first, ...others] = suggestAddresses('jane@exmple.org', known);
  expect(first).toBe('jane@example.org');
  expect(others).toHaveLength(2);
});

import { expect, test } from 'vitest';
import { describeOwnAddress, isOwnAddress } from './useListReader.ts';

const OWN = new Set(['acme.test', 'xn--bcher-kva.example']);

test.each([
  ['agent@acme.test', 'acme.test'],
  ['Agent@ACME.test', 'acme.test'],
  ['agent@mail.eu.acme.test', 'acme.test'],
  ['"a@b"@acme.test', 'acme.test'],
  ['jörg@bücher.example', 'bücher.example'],
  ['jane@mail.xn--bcher-kva.example', 'bücher.example'],
])('%s is at the own domain %s', (address, domain) => {
  const leftOut = describeOwnAddress(address, OWN, null);
  expect(leftOut).toBe(`At your own domain ${domain}`);
  expect(isOwnAddress({ leftOut })).toBe(true);
});

test.each([
  'jane@notacme.test',
  'jane@acme.test.example.com',
  'jane@test',
  'acme.test',
  '+44 20 7946 0958',
  'ann.b@example.com',
])('%s is not an own address', (address) => {
  expect(describeOwnAddress(address, OWN, 'ann@example.com')).toBeNull();
});

test.each(['ann@example.com', 'Ann@Example.COM'])('%s is the signed-in person’s', (address) => {
  const leftOut = describeOwnAddress(address, OWN, 'ann@EXAMPLE.com');
  expect(leftOut).toBe('Your own address');
  expect(isOwnAddress({ leftOut })).toBe(true);
});

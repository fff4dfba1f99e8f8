import { expect, test } from 'vitest';
import { findOwnDomain } from './ownDomains.ts';

const OWN = new Set(['acme.test', 'xn--bcher-kva.example']);

test.each([
  ['agent@acme.test', 'acme.test'],
  ['Agent@ACME.test', 'acme.test'],
  ['agent@mail.eu.acme.test', 'acme.test'],
  ['"a@b"@acme.test', 'acme.test'],
  ['jörg@bücher.example', 'xn--bcher-kva.example'],
  ['jane@notacme.test', null],
  ['jane@acme.test.example.com', null],
  ['jane@test', null],
  ['acme.test', null],
  ['+44 20 7946 0958', null],
])('%s is at the own domain %s', (address, domain) => {
  expect(findOwnDomain(address, OWN)).toBe(domain);
});

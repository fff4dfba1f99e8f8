import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { paths } from './paths.ts';
import { anyText } from '../testing/testText.ts';

test.each([
  ['a+b/c d@x.test', '/contacts/a%2Bb%2Fc%20d%40x.test'],
  ['100%?#&', '/contacts/100%25%3F%23%26'],
  ['jörg@x.test', '/contacts/j%C3%B6rg%40x.test'],
])('the page of the contact %j is at %s', (contact, path) => {
  expect(paths.contact(contact)).toBe(path);
});

test('a link can be made for every value a service sends, and stays one segment', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      expect(paths.contact(value).split('/')).toHaveLength(3);
      expect(decodeURIComponent(paths.domain(value).slice('/domains/'.length))).toBe(value.toWellFormed());
    }),
  );
});

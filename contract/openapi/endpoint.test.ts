import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { additions } from './allAdditions.ts';
import { buildPath, findPathSegmentError, UnaddressableValueError } from './endpoint.ts';
import { operations, unsubscribeContact, updateContact } from '#contract/interface.ts';

/** Text with the characters that break URLs, whole and halved surrogate pairs among them. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('.', '/', '\\', '%', '%2e', '%2F', '?', '#', ' ', '\t', '\n', '\0', '\ud800', '\udc00', '@', 'a'),
    )
    .map((parts) => parts.join('')),
);

function segments(path: string): string[] {
  return new URL(path, 'http://host.test').pathname.split('/').slice(1);
}

describe('buildPath', () => {
  test.each([...operations, ...additions])('$id keeps its segments whatever the values are', (endpoint) => {
    const template = endpoint.path.split('/').slice(1);
    const names = template.filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1));
    fc.assert(
      fc.property(fc.array(hostile, { minLength: names.length, maxLength: names.length }), (values) => {
        const params = Object.fromEntries(names.map((name, i) => [name, values[i]!]));
        if (values.some((value) => findPathSegmentError(value) !== null)) {
          expect(() => buildPath(endpoint, params)).toThrow(UnaddressableValueError);
          return;
        }
        const read = segments(buildPath(endpoint, params)).map((segment) => decodeURIComponent(segment));
        expect(read).toEqual(template.map((part) => params[part.slice(1, -1)] ?? part));
      }),
      { numRuns: names.length === 0 ? 1 : 500 },
    );
  });

  test.each([
    ['a+b/c d@x.test', 'a%2Bb%2Fc%20d%40x.test'],
    ['https://x.test/..a/b..', 'https%3A%2F%2Fx.test%2F..a%2Fb..'],
  ])('the identity %s with slashes stays one segment', (contact, segment) => {
    expect(buildPath(updateContact, { contact })).toBe(`/v1/contacts/${segment}`);
  });

  test.each([
    ['a step to the parent', '..', /step in its path/],
    ['a step to itself', '.', /step in its path/],
    ['steps between slashes', 'a/../../admin', /"\.\.".*step in its path/],
    ['steps between backslashes', '.\\a', /step in its path/],
    ['nothing', '', /is empty/],
    ['white space only', ' \u00a0 ', /is empty/],
    ['a NUL', 'a\0b', /NUL/],
    ['half of a pair', 'a\ud83d', /lone surrogate/],
  ])('refuses %s', (_, contact, sentence) => {
    expect(() => buildPath(updateContact, { contact })).toThrow(sentence);
    expect(() => buildPath(unsubscribeContact, { workspace: 'w', contact })).toThrow(UnaddressableValueError);
  });

  test('names the parameter that is at fault', () => {
    expect(() => buildPath(unsubscribeContact, { workspace: '..', contact: 'c' })).toThrow(/^The workspace /);
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceColours } from './sourceColours.ts';

const ids = fc.uniqueArray(fc.string(), { maxLength: 8 });

test('sources shown together have different colours, in whatever order they are given', () => {
  fc.assert(
    fc.property(ids, (some) => {
      const colours = sourceColours(some);
      expect(new Set(colours.values()).size).toBe(some.length);
      expect(colours.size).toBe(some.length);
      expect(sourceColours(some.toReversed())).toEqual(colours);
    }),
  );
});

test('a source keeps its colour when others appear that want another one, or have a later ID', () => {
  fc.assert(
    fc.property(ids, (some) => {
      const first = some.toSorted()[0];
      if (first !== undefined) expect(sourceColours(some).get(first)).toBe(sourceColours([first]).get(first));
    }),
  );
});

test('all colours are used, and more sources than colours share them', () => {
  const many = sourceColours(Array.from({ length: 40 }, (_, at) => `source ${at}`));
  expect(many.size).toBe(40);
  expect(new Set(many.values()).size).toBe(8);
});

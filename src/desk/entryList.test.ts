import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEntry, type DeskEntry } from './entry.ts';
import { EntryList } from './entryList.ts';

const entry = (index: number, text = ''): DeskEntry =>
  createEntry({ index, line: index + 1, text, as: '', values: [], repeats: null, source: null, leftOut: null });

const isShort = ({ text }: DeskEntry) => text.length === 1;

test('it is like an array of which copies are changed, at any length', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, 1023, 1024, 1025, 2048, 3000),
      fc.array(fc.tuple(fc.nat(3100), fc.string({ maxLength: 3 })), { maxLength: 20 }),
      (length, changes) => {
        const plain = Array.from({ length }, (_, index) => entry(index));
        const list = EntryList.of(plain);
        const changed = list.with(changes.map(([index, text]) => entry(index, text)));
        const expected = [...plain];
        for (const [index, text] of changes) if (index < length) expected[index] = entry(index, text);
        expect([...changed]).toEqual(expected);
        expect([...list]).toEqual(plain);
        expect(changed.length).toBe(length);
        expect(changed.at(length)).toBeUndefined();
        expect(changed.at(length - 1)).toEqual(expected[length - 1]);
        expect(changed.filter(isShort)).toEqual(expected.filter(isShort));
        expect(changed.find(isShort)).toEqual(expected.find(isShort));
      },
    ),
    { numRuns: 30 },
  );
});

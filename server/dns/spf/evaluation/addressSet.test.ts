import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AddressSet,
  countOf,
  difference,
  firstAddress,
  intersection,
  isSubset,
  network,
  oneAddress,
  singleAddress,
  union,
} from './addressSet.ts';

/** A network in 192.0.2.0/24, and the last bytes of its addresses. */
const part = fc.tuple(fc.nat(255), fc.integer({ min: 24, max: 32 })).map(([byte, bits]) => {
  const size = 2 ** (32 - bits);
  const first = byte - (byte % size);
  const bytes = new Set(Array.from({ length: size }, (_, index) => first + index));
  return { set: network(`192.0.2.${byte}`, bits), bytes };
});

const expression = fc.letrec<{ any: { set: AddressSet; bytes: Set<number> } }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    part,
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => ({
      set: union(one.set, other.set),
      bytes: one.bytes.union(other.bytes),
    })),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => ({
      set: difference(one.set, other.set),
      bytes: one.bytes.difference(other.bytes),
    })),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => ({
      set: intersection(one.set, other.set),
      bytes: one.bytes.intersection(other.bytes),
    })),
  ),
})).any;

test('sets do with addresses what sets do with numbers', () => {
  fc.assert(
    fc.property(expression, expression, (one, other) => {
      for (let byte = 0; byte < 256; byte += 1) {
        expect(isSubset(oneAddress(`192.0.2.${byte}`), one.set)).toBe(one.bytes.has(byte));
      }
      expect(countOf(one.set)).toBe(BigInt(one.bytes.size));
      expect(isSubset(one.set, other.set)).toBe(one.bytes.isSubsetOf(other.bytes));
      // Sorted and disjoint: one set has one form.
      for (const [index, [first, last]] of one.set.entries()) {
        expect(first <= last).toBe(true);
        expect(index === 0 || first > (one.set[index - 1]?.[1] ?? 0n) + 1n).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['192.0.2.77', 24, '192.0.2.0', true],
  ['192.0.2.77', 24, '192.0.3.0', false],
  ['0.0.0.0', 0, '255.255.255.255', true],
  ['0.0.0.0', 0, '2001:db8::1', false],
  ['2001:db8::', 32, '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', true],
  ['2001:db8::', 32, '2001:db9::', false],
  ['2001:db8:0:0:0:0:192.0.2.1', 128, '2001:db8::c000:201', true],
  ['::', 0, '::1', true],
  // "ip6" never means IPv4 addresses, which mapped ones are taken for (RFC 7208, section 5).
  ['::', 0, '192.0.2.1', false],
  ['::ffff:192.0.2.1', 128, '192.0.2.1', false],
  ['192.0.2.1', 32, '::ffff:192.0.2.1', true],
])('network %s/%i has %s: %s', (address, bits, other, isIn) => {
  expect(isSubset(oneAddress(other), network(address, bits))).toBe(isIn);
});

test('the bytes of the only address', () => {
  expect(singleAddress(oneAddress('192.0.2.255'))).toEqual([192, 0, 2, 255]);
  expect(singleAddress(oneAddress('::ffff:c000:2ff'))).toEqual([192, 0, 2, 255]);
  expect(singleAddress(oneAddress('2001:db8::1'))).toEqual([32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(singleAddress(network('192.0.2.0', 31))).toBeNull();
  expect(singleAddress([])).toBeNull();
});

test('the first address of networks is as it is written', () => {
  for (const one of ['192.0.2.0', '255.255.255.255', '2001:db8:0:1::a', '::1'])
    expect(firstAddress(oneAddress(one))).toBe(one);
  expect(firstAddress(union(network('2001:db8::', 32), network('192.0.2.128', 25)))).toBe('192.0.2.128');
  expect(firstAddress([])).toBeNull();
});

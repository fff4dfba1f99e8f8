import { isIP } from 'node:net';
import { canonicalAddress } from '../../wire/addresses.ts';

type AddressRange = readonly [first: bigint, last: bigint];

/**
 * A set of addresses of both families, as sorted, disjoint ranges of 128-bit numbers. IPv4 addresses are in
 * ::ffff:0:0/96, because a mapped address counts as the IPv4 address (RFC 7208, section 5).
 */
export type AddressSet = readonly AddressRange[];

const MAPPED = 0xffff_0000_0000n;

export const NO_ADDRESSES: AddressSet = [];
export const ALL_IPV4: AddressSet = [[MAPPED, MAPPED + 0xffff_ffffn]];
export const ALL_ADDRESSES: AddressSet = [[0n, (1n << 128n) - 1n]];

export function network(address: string, length = isIP(address) === 4 ? 32 : 128): AddressSet {
  const isIpv4 = isIP(address) === 4;
  const size = 1n << BigInt((isIpv4 ? 32 : 128) - length);
  const number = numberOf(address);
  const first = number - (number % size);
  const range: AddressSet = [[first, first + size - 1n]];
  return isIpv4 ? range : difference(range, ALL_IPV4);
}

export function oneAddress(address: string): AddressSet {
  const number = numberOf(address);
  return [[number, number]];
}

function numberOf(address: string): bigint {
  if (isIP(address) === 4) return MAPPED + numberOfIpv4(address);
  const [head = [], tail = []] = address.split('::').map(groupsOf);
  const gap = Array.from({ length: 8 - head.length - tail.length }, () => 0n);
  return [...head, ...gap, ...tail].reduce((number, group) => (number << 16n) + group, 0n);
}

function numberOfIpv4(address: string): bigint {
  return address.split('.').reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

/** The groups of 16 bits of an IPv6 address. A part in IPv4 notation is two groups. */
function groupsOf(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const number = numberOfIpv4(group);
    return [number >> 16n, number & 0xffffn];
  });
}

export function union(...sets: readonly AddressSet[]): AddressSet {
  const joined: [bigint, bigint][] = [];
  for (const [first, last] of sets.flat().toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const before = joined.at(-1);
    if (before === undefined || before[1] + 1n < first) joined.push([first, last]);
    else if (before[1] < last) before[1] = last;
  }
  return joined;
}

export function difference(one: AddressSet, other: AddressSet): AddressSet {
  const left: AddressRange[] = [];
  let at = 0;
  for (const [first, last] of one) {
    let from = first;
    while ((other[at]?.[1] ?? last) < from) at += 1;
    for (let gone = other[at]; gone !== undefined && gone[0] <= last; gone = other[at]) {
      if (from < gone[0]) left.push([from, gone[0] - 1n]);
      from = gone[1] + 1n;
      // The range may overlap with the next one of `one` too.
      if (gone[1] >= last) break;
      at += 1;
    }
    if (from <= last) left.push([from, last]);
  }
  return left;
}

export function intersection(one: AddressSet, other: AddressSet): AddressSet {
  return difference(one, difference(one, other));
}

export function isSubset(one: AddressSet, other: AddressSet): boolean {
  return difference(one, other).length === 0;
}

export function countOf(set: AddressSet): bigint {
  return set.reduce((count, [first, last]) => count + last - first + 1n, 0n);
}

export function singleAddress(set: AddressSet): readonly number[] | null {
  const [range] = set;
  if (set.length !== 1 || range === undefined || range[0] !== range[1]) return null;
  const [number] = range;
  const isIpv4 = isSubset(set, ALL_IPV4);
  return Array.from({ length: isIpv4 ? 4 : 16 }, (_, index) =>
    Number((number >> BigInt(8 * ((isIpv4 ? 3 : 15) - index))) & 0xffn),
  );
}

export function firstAddress([range]: AddressSet): string | null {
  if (range === undefined) return null;
  const bytes = singleAddress([[range[0], range[0]]]) ?? [];
  if (bytes.length === 4) return bytes.join('.');
  return canonicalAddress(
    Buffer.from(bytes)
      .toString('hex')
      .replaceAll(/.{4}(?!$)/g, '$&:'),
  );
}

import { isSubset, oneAddress } from './addressSet.ts';
import type { SpfRun } from './evaluation.ts';
import { isAskable } from './targetName.ts';

/** Upper limit of PTR records, as of the hosts of "mx" (RFC 7208, section 4.6.4). */
export const HOSTS_MAX = 10;

/** The bytes of an IPv4 address, or the half bytes of an IPv6 address, joined by dots (RFC 7208, section 7.3). */
export function formatDottedAddress(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  return bytes.flatMap((byte) => [byte >> 4, byte & 15].map((half) => half.toString(16))).join('.');
}

/**
 * The validated names of an address: PTR names that resolve to it (RFC 7208, section 5.5). Failed queries are ignored.
 */
export async function validatedNames(
  run: SpfRun,
  bytes: readonly number[],
): Promise<{ names: string[]; isVoid: boolean }> {
  const isIpv4 = bytes.length === 4;
  const reversed = formatDottedAddress(bytes).split('.').toReversed().join('.');
  const { records } = await run.lookUp(`${reversed}.${isIpv4 ? 'in-addr' : 'ip6'}.arpa`, 'PTR');
  const names = (records ?? []).slice(0, HOSTS_MAX).map(({ value }) => value.toLowerCase().replace(/\.$/, ''));
  const validated = await Promise.all(
    names.filter(isAskable).map(async (name) => {
      const addresses = (await run.lookUp(name, isIpv4 ? 'A' : 'AAAA')).records ?? [];
      return addresses.some(({ value }) => isSubset(run.addresses, oneAddress(value))) ? [name] : [];
    }),
  );
  return { names: validated.flat(), isVoid: records?.length === 0 };
}

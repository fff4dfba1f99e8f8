import { isIP } from 'node:net';

/** One spelling for each address. One with the zone of a machine, as in "fe80::1%eth0", stays as it is. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 6 && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

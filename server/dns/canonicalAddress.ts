import { isIP } from 'node:net';

/** The canonical spelling of an address. One with a zone, as in "fe80::1%eth0", is returned as it is. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 6 && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

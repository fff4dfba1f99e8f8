import { isIPv4 } from 'node:net';

/**
 * The key by which clients are limited: an IPv4 address, or the /64 network of an IPv6 address, which one client may have alone.
 * Null if `isProxy`, and for a closed connection.
 */
export function toClientKey(remoteAddress: string | undefined, isProxy: (address: string) => boolean): string | null {
  // Without the IPv6 prefix of IPv4 addresses, and without the interface of link-local addresses.
  const address = remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*/, '');
  if (address === undefined || isProxy(address)) return null;
  if (isIPv4(address)) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

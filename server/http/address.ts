import { isIPv4 } from 'node:net';

/** All of a /64 network of IPv6 is one client. Null for a proxy and for a closed connection. */
export function toClientKey(remoteAddress: string | undefined, isProxy: (address: string) => boolean): string | null {
  // Without the IPv6 prefix of IPv4 addresses, and without the interface of link-local addresses.
  const address = remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*/, '');
  if (address === undefined || isProxy(address)) return null;
  if (isIPv4(address)) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

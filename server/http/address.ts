import { BlockList, isIPv4 } from 'node:net';

/** This machine and the proxies that are trusted: what many callers share. `trusted` has addresses and networks. */
export function createProxyList(trusted: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of ['127.0.0.0/8', '::1', ...trusted]) {
    const [address = '', prefix] = item.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/**
 * Who counts as one caller: an IPv4 address, or the network of 64 bits of an IPv6 address, all of which one caller may
 * have. Null for one of `proxies`.
 */
export function toClientKey(remoteAddress: string | undefined, proxies: BlockList): string | null {
  // As a server that listens on IPv6 sees IPv4, and as a link-local address names its interface.
  const address = remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*/, '');
  if (address === undefined || proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return null;
  if (isIPv4(address)) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

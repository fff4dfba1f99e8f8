import { BlockList, isIPv4 } from 'node:net';
import { must } from '#contract/must.ts';

/** Addresses that many clients share: this machine and the trusted proxies. `trusted` has addresses and networks. */
export function createProxyList(trusted: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of ['127.0.0.0/8', '::1', ...trusted]) {
    const [host, prefix] = item.split('/');
    const address = must(host);
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/**
 * The key by which clients are limited: an IPv4 address, or the /64 network of an IPv6 address, all of which one client may have.
 * Null for one of `proxies`, and for a connection that is closed already.
 */
export function toClientKey(remoteAddress: string | undefined, proxies: BlockList): string | null {
  // Without the IPv6 prefix of IPv4 addresses, and without the interface of link-local addresses.
  const address = remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*/, '');
  if (address === undefined || proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return null;
  if (isIPv4(address)) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}

import { BlockList, isIP } from 'node:net';

/** The canonical spelling of an address. One with a zone, as in "fe80::1%eth0", is returned as it is. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 6 && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** Whether an address is in one of `networks`, which are addresses too. False for other text. */
export function createNetworkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = isIP(network) === 4 ? 32 : 128] = network.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

import { isIP } from 'node:net';
import { canonicalAddress, createNetworkTest } from './addresses.ts';

// Addresses that are not public (IANA's special-purpose registries). The owner of a domain chooses the addresses of its
// name servers, and could point them at internal hosts of this machine's network.
const isSpecial = createNetworkTest([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

export function isSpecialUse(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return true;
  // Not a subnet of the list: for a BlockList, every IPv4 address is in ::ffff:0:0/96.
  if (family === 6 && canonicalAddress(address).startsWith('::ffff:')) return true;
  return isSpecial(address);
}

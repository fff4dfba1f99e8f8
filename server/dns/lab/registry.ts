import { ADDRESSES } from './addresses.ts';
import type { LabZone } from './lab.ts';

/** What `host.test` holds: the addresses of all name servers. */
export const HOST_LINES = [
  ...Object.entries(ADDRESSES).map(([name, address]) => `${name} A ${address}`),
  'parking A 192.0.2.99',
];
/** A name server with the name of one of Cloudflare's. */
const CLOUDFLARE = 'ada.ns.cloudflare.com';

/** The zones above all others, by name: the root, and the registry of `test`. */
export function registryZones(zones: readonly LabZone[]): Map<string, string> {
  return new Map([
    ['', rootText(zones.filter((zone) => !isBelowTest(zone)))],
    ['test', testText(zones.filter(isBelowTest))],
  ]);
}

const delegations = (zones: readonly LabZone[]) =>
  zones.flatMap(({ name, hosts }) => hosts.map((host) => `${name}. NS ${host}.`));
const isBelowTest = ({ name }: LabZone) => name.endsWith('.test');

function rootText(zones: readonly LabZone[]): string {
  return `$TTL 300
. SOA root.test. hostmaster.host.test. 1 3600 600 86400 2
. NS root.test.
root.test. A ${ADDRESSES.registry}
test. NS root.test.
${CLOUDFLARE}. A ${ADDRESSES.ns1}
${delegations(zones).join('\n')}
`;
}

/** What a registry says that there is nothing is forgotten soon, so that a zone can come later. */
function testText(zones: readonly LabZone[]): string {
  return `$ORIGIN test.
$TTL 300
@ SOA root.test. hostmaster.host.test. 1 3600 600 86400 2
@ NS root.test.
root A ${ADDRESSES.registry}
${HOST_LINES.map((line) => line.replace(' ', '.host ')).join('\n')}
${delegations(zones).join('\n')}
`;
}

import { AUTHORITIES } from './addresses.ts';
import type { LabZone } from './zoneFile.ts';

// The root and the registries. Delegations, glue and DS records are derived from the zones below.

/** Negative answers of a registry expire soon, so that a zone can be added later. */
const NEGATIVE_TTL_SECONDS = 2;

const ROOTS = ['a.root-servers.net', 'b.root-servers.net'];
const GTLD = ['a.gtld-servers.net', 'b.gtld-servers.net'];

const TOP_LEVEL_ZONES: Record<string, readonly string[]> = {
  com: GTLD,
  net: GTLD,
  org: ['a0.org.afilias-nst.info'],
  info: ['a0.org.afilias-nst.info'],
  uk: ['nsa.nic.uk'],
  'co.uk': ['nsa.nic.uk'],
  ...Object.fromEntries(
    ['io', 'de', 'eu', 'fr', 'nl', 'app', 'shop', 'example', 'test', 'arpa', 'in-addr.arpa'].map((name) => [
      name,
      ['a.nic.de'],
    ]),
  ),
};

export const ROOT_ADDRESSES = ROOTS.map((name) => AUTHORITIES.registry[name as 'a.root-servers.net']);

export const REGISTRY_ZONES: readonly LabZone[] = [
  createRegistryZone('', ROOTS),
  ...Object.entries(TOP_LEVEL_ZONES).map(([name, ns]) => createRegistryZone(name, ns)),
  ...['root-servers.net', 'gtld-servers.net', 'afilias-nst.info', 'nic.uk', 'nic.de'].map((name): LabZone => {
    const hosts = Object.entries(AUTHORITIES.registry).filter(([host]) => host.endsWith(`.${name}`));
    return {
      name,
      ns: hosts.map(([host]) => host),
      text: hosts.map(([host, address]) => `${host}. A ${address}`).join('\n'),
    };
  }),
];

export function isRegistry(zone: string): boolean {
  return zone === '' || zone in TOP_LEVEL_ZONES;
}

function createRegistryZone(name: string, ns: readonly string[]): LabZone {
  return { name, ns, text: '', signed: 'right', negativeTtl: NEGATIVE_TTL_SECONDS };
}

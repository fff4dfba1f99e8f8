import { AUTHORITIES, type AuthorityName, FAULTY } from './addresses.ts';
import { isRegistry } from './registries.ts';
import type { ZoneSigner } from './signing.ts';
import { faults } from './situations/faults.ts';
import { addressesIn, asciiName, DEFAULT_NAME_SERVERS, isBelow, type LabZone, zoneFile } from './zoneFile.ts';

/** Zone files by the process that serves them and by the name of the zone; the root is the empty name. */
export type ServedZones = ReadonlyMap<AuthorityName, ReadonlyMap<string, string>>;

const addresses = new Map<string, string>();
const processes = new Map<string, AuthorityName>();
for (const [process, hosts] of Object.entries(AUTHORITIES)) {
  for (const [host, address] of Object.entries(hosts)) {
    addresses.set(host, address);
    processes.set(host, process as AuthorityName).set(address, process as AuthorityName);
  }
}
for (const [name, { absent }] of faults) {
  if (typeof absent === 'string') continue;
  addresses.set(`${name}.badhost.net`, FAULTY[name]);
  processes.set(`${name}.badhost.net`, 'behind').set(FAULTY[name], 'behind');
}

/** Builds the files of all zones, each with the delegations to its children, signed if required. */
export async function buildZones(zones: readonly LabZone[], { sign, dsLines }: ZoneSigner): Promise<ServedZones> {
  const byName = new Map(zones.map((zone) => [asciiName(zone.name), zone]));
  if (byName.size < zones.length) throw new Error(`Two zones have one name: ${listDuplicates(zones)}.`);
  const served = new Map<AuthorityName, Map<string, string>>();
  const delegations = new Map<string, string[]>();

  // A signed zone needs the DS records of everything below it.
  const deepestFirst = [...byName].toSorted(([one], [other]) => depth(other) - depth(one));
  for (const [name, zone] of deepestFirst) {
    const parent = parentOf(name, byName);
    if (parent !== null) {
      const lines = delegations.get(parent) ?? [];
      delegations.set(
        parent,
        lines.concat(delegation(name, parent, zone, zones), await listDsRecords(name, zone, dsLines)),
      );
    }
    for (const [host, text] of listZoneTexts(zone)) {
      const process = findProcess(host, zones);
      if (process === undefined || text === null) continue;
      const plain = zoneFile(zone, text, delegations.get(name) ?? []);
      const file =
        zone.signed === undefined || zone.unsignedAt?.includes(host) ? plain : await sign(name, plain, zone.signed);
      const ofProcess = served.get(process) ?? new Map<string, string>();
      if ((ofProcess.get(name) ?? file) !== file) throw new Error(`${process} cannot have two versions of ${name}.`);
      served.set(process, ofProcess.set(name, file));
    }
  }
  return served;
}

const depth = (name: string) => (name === '' ? 0 : name.split('.').length);

function listDuplicates(zones: readonly LabZone[]): string {
  const names = zones.map(({ name }) => asciiName(name));
  return names.filter((name, index) => names.indexOf(name) !== index).join(', ');
}

function parentOf(name: string, zones: ReadonlyMap<string, LabZone>): string | null {
  if (name === '') return null;
  for (let rest = name; rest !== '';) {
    rest = rest.split('.').slice(1).join('.');
    if (zones.has(rest)) return rest;
  }
  return null;
}

/** The zones of each name server. */
function listZoneTexts({
  ns = DEFAULT_NAME_SERVERS,
  parentNs = ns,
  text,
  at = {},
}: LabZone): Map<string, string | null> {
  const hosts = new Set([...ns, ...parentNs, ...Object.keys(at)].map(asciiName));
  return new Map([...hosts].map((host) => [host, at[host] === undefined ? text : at[host]]));
}

/** The process of a name server. One in the owner's zone is found by its address. */
function findProcess(host: string, zones: readonly LabZone[]): AuthorityName | undefined {
  const [, address = ''] = listAddressRecords(host, zones)[0]?.split(' ') ?? [];
  return processes.get(host) ?? processes.get(address);
}

/** Addresses of a name server, as `A 192.0.2.1`. */
function listAddressRecords(host: string, zones: readonly LabZone[]): string[] {
  const address = addresses.get(host);
  if (address !== undefined) return [`A ${address}`];
  return zones.filter(({ name }) => isBelow(host, asciiName(name))).flatMap((zone) => addressesIn(zone, host));
}

/**
 * A registry has the addresses of all hosts below it. Other zones have only those that could not be resolved without.
 */
function delegation(name: string, parent: string, zone: LabZone, zones: readonly LabZone[]): string[] {
  const hosts = (zone.parentNs ?? zone.ns ?? DEFAULT_NAME_SERVERS).map(asciiName);
  const glued = hosts.filter((host) => isBelow(host, isRegistry(parent) ? parent : name));
  return [
    ...hosts.map((host) => `${name}. NS ${host}.`),
    ...glued.flatMap((host) => listAddressRecords(host, zones).map((record) => `${host}. ${record}`)),
  ];
}

async function listDsRecords(
  name: string,
  { signed, parentNs }: LabZone,
  dsLines: ZoneSigner['dsLines'],
): Promise<string[]> {
  return signed === undefined || parentNs?.length === 0 ? [] : dsLines(name);
}

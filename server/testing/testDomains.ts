import type { Answer } from 'dns-packet';
import type { DnsRecord } from '#contract/domains/domain.ts';
import type { Database } from '../database/database.ts';
import { addZone, NS1, NS2, type TestDns } from './testDns.ts';
import type { Workspace } from '../database/workspace.ts';
import { type ImportedDomain, putDomains } from '../domains/putDomains.ts';
import { findDomainByName } from '../domains/store.ts';

/** The right address for records of tests; any other is wrong. */
export const RIGHT_ADDRESS = '192.0.2.1';

export function createRequiredRecords(zone: string, hosts: readonly string[], is_valid = false): DnsRecord[] {
  return hosts.map((host) => ({ type: 'A', name: `${host}.${zone}`, value: RIGHT_ADDRESS, is_valid }));
}

export function publishAddresses(dns: TestDns, zone: string, addresses: Readonly<Record<string, string>>): void {
  const records = Object.entries(addresses).map(([host, data]): Answer => ({
    type: 'A',
    name: `${host}.${zone}`,
    data,
  }));
  if (dns.zones[NS1]?.[zone] === undefined) return addZone(dns, zone, records);
  for (const address of [NS1, NS2]) {
    const known = dns.zones[address]?.[zone];
    known?.records.splice(0, Infinity, ...known.records.filter(({ type }) => type === 'NS'), ...records);
  }
}

export async function importDomain(
  workspace: Workspace,
  db: Database,
  domain: ImportedDomain,
  now: number,
): Promise<string> {
  return db.write(workspace, async (scope) => {
    const [outcome] = await putDomains(scope, [domain], now);
    if (outcome !== 'added' && outcome !== 'changed') throw new Error(`Refused: ${JSON.stringify(outcome)}`);
    return (await findDomainByName(scope, domain.name))?.uuid ?? '';
  });
}

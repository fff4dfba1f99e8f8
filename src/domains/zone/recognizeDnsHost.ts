import type { Finding, Fix } from '#contract/domains/dnsCheck.ts';
import { DNS_HOSTS, type DnsHost } from './dnsHosts.ts';

/** The DNS host of a zone, by the name servers that answered for it; null if unknown, or several. */
export function recognizeDnsHost(
  findings: readonly Pick<Finding, 'zone' | 'evidence'>[],
  zone: string | null,
): DnsHost | null {
  if (zone === null) return null;
  const servers = new Set(
    findings.flatMap((finding) => {
      // The first query is to a name server of the record's zone; later ones may be about other zones.
      const server = finding.zone === zone ? finding.evidence[0]?.server : null;
      return server ? [server.toLowerCase().replace(/\.$/, '')] : [];
    }),
  );
  const hosts = new Set(
    [...servers].map((server) => DNS_HOSTS.find((host) => host.servers.test(`.${server}`)) ?? null),
  );
  const [host = null] = hosts;
  return hosts.size === 1 ? host : null;
}

export function describeHostSteps(host: DnsHost, fix: Fix, zone: string): string[] {
  const notes = host.notes.filter(({ types }) => types === undefined || types.includes(fix.type.toUpperCase()));
  return [
    `Open the DNS records of ${zone} at ${host.name}, then add or change the ${fix.type} record below.`,
    `Copy “Host” into the field “${host.nameField}”.`,
    ...notes.map(({ text }) => text),
  ];
}

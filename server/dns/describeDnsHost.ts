const HOSTS: readonly [suffix: RegExp, name: string][] = [
  [/\.ns\.cloudflare\.com$/, 'Cloudflare'],
  [/\.domaincontrol\.com$/, 'GoDaddy'],
  [/\.registrar-servers\.com$/, 'Namecheap'],
  [/\.awsdns-\d+\./, 'Amazon Route 53'],
  [/\.googledomains\.com$/, 'Google Cloud DNS'],
  [/\.azure-dns\./, 'Azure DNS'],
  [/\.ui-dns\./, 'IONOS'],
  [/\.ovh\.net$/, 'OVHcloud'],
  [/\.(ns\.hetzner\.(com|de)|hetzner\.com)$/, 'Hetzner'],
  [/\.gandi\.net$/, 'Gandi'],
  [/\.digitalocean\.com$/, 'DigitalOcean'],
  [/\.dnsimple\.com$/, 'DNSimple'],
  [/\.porkbun\.com$/, 'Porkbun'],
];

/** The DNS host as the end of a sentence, guessed from the names of the authoritative servers. */
export function describeDnsHost(serverNames: readonly string[]): string {
  const known = HOSTS.find(([suffix]) => serverNames.some((name) => suffix.test(name)));
  if (known !== undefined) return `at ${known[1]}, which answers for the zone`;
  const [first] = serverNames.toSorted();
  return first === undefined
    ? 'at the DNS host'
    : `at the DNS host, whose name servers are ${serverNames.toSorted().slice(0, 4).join(', ')}`;
}

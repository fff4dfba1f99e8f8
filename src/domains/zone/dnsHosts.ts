/** A fact about the form of a DNS host, and the page that says it. */
type HostNote = {
  /** The types of records that it is about; all without it. */
  types?: readonly string[];
  text: string;
  source: string;
};

export type DnsHost = {
  name: string;
  /** Matches the names of its name servers, in lower case without the final dot. */
  servers: RegExp;
  /** What its form calls the field of the name. */
  nameField: string;
  notes: readonly HostNote[];
};

/** Types whose value is the name of another host. */
const POINTERS = ['CNAME', 'MX', 'NS'];
const CLOUDFLARE = 'https://developers.cloudflare.com/dns/';
const ROUTE_53 = 'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/ResourceRecordTypes.html#TXTFormat';
const ROUTE_53_MX = 'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/ResourceRecordTypes.html#MXFormat';
const GODADDY = 'https://www.godaddy.com/help/add-a-txt-record-19232';
const NAMECHEAP = 'https://www.namecheap.com/support/knowledgebase/article.aspx/10058/10/namecheap-dns-limits/';
const SQUARESPACE =
  'https://help.flodesk.com/en/articles/9583973-video-guide-how-to-verify-a-domain-in-squarespace-manually';
const AZURE = 'https://learn.microsoft.com/azure/dns/dns-zones-records';
const OVH = 'https://github.com/ovh/docs/blob/master/pages/web_cloud/domains/dns_zone_edit/guide.en-gb.md';
const HETZNER = 'https://docs.hetzner.com/networking/dns/faq/records';
const IONOS =
  'https://hosting.1und1.de/hilfe/domains/cname-records-fuer-subdomains-konfigurieren/cname-record-fuer-eine-bestehende-subdomain-konfigurieren/';
const GANDI = 'https://docs.gandi.net/fr/noms_domaine/operations_courantes/enregistrements_dns.html';

/** What somebody has to know of the form of each DNS host to enter a record there. Only what a page of it or about it says. */
export const DNS_HOSTS: readonly DnsHost[] = [
  {
    name: 'Cloudflare',
    servers: /\.ns\.cloudflare\.com$/,
    nameField: 'Name',
    notes: [
      {
        types: ['CNAME', 'A', 'AAAA'],
        text: 'Switch the proxy off, so that “Proxy status” says “DNS only”.',
        source: `${CLOUDFLARE}proxy-status/`,
      },
    ],
  },
  {
    name: 'Amazon Route 53',
    servers: /\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    nameField: 'Record name',
    notes: [
      {
        types: ['TXT'],
        text: 'Put the value in double quotes. Split one of more than 255 characters into several quoted parts with a space between them.',
        source: ROUTE_53,
      },
      {
        types: ['MX'],
        text: 'An MX is one value there: enter the priority, a space and the host, as in “10 mail.example.com”.',
        source: ROUTE_53_MX,
      },
    ],
  },
  {
    name: 'GoDaddy',
    servers: /\.domaincontrol\.com$/,
    nameField: 'Name',
    notes: [{ text: 'Leave out the domain in the name; @ stands for the domain itself.', source: GODADDY }],
  },
  {
    name: 'Namecheap',
    servers: /\.registrar-servers\.com$/,
    nameField: 'Host',
    notes: [{ text: 'The records are in the tab “Advanced DNS” of the domain.', source: NAMECHEAP }],
  },
  {
    name: 'Squarespace (before: Google Domains)',
    servers: /\.(googledomains\.com|squarespacedns\.com)$/,
    nameField: 'Host',
    notes: [{ text: 'Leave out the domain in the host: Squarespace adds it.', source: SQUARESPACE }],
  },
  {
    name: 'Azure DNS',
    servers: /\.azure-dns\.(com|net|org|info)$/,
    nameField: 'Name',
    notes: [{ text: 'Leave out the zone in the name; @ stands for the zone itself.', source: AZURE }],
  },
  {
    name: 'OVHcloud',
    servers: /\.(ovh\.(net|ca|us)|anycast\.me)$/,
    nameField: 'Sub-domain',
    notes: [
      { text: 'The records are in the tab “DNS zone” of the domain, under “Add an entry”.', source: OVH },
      { types: POINTERS, text: 'End the target with a dot, or OVHcloud adds the domain to it.', source: OVH },
    ],
  },
  {
    name: 'Hetzner',
    servers: /\.(ns\.hetzner\.(com|de)|second-ns\.(com|de)|first-ns\.de)$/,
    nameField: 'Name',
    notes: [
      { text: 'Leave out the zone in the name; @ stands for the zone itself.', source: HETZNER },
      { types: POINTERS, text: 'End the value with a dot, or Hetzner adds the zone to it.', source: HETZNER },
    ],
  },
  {
    name: 'IONOS',
    servers: /\.ui-dns\.(com|org|biz|de)$/,
    nameField: 'Host name',
    notes: [
      { text: 'The records are in “Domains & SSL”, under “DNS” in the menu beside the domain.', source: IONOS },
      { text: 'Leave out the domain in the host name.', source: IONOS },
      { types: POINTERS, text: 'Give the target as a whole name.', source: IONOS },
    ],
  },
  {
    name: 'Gandi',
    servers: /\.gandi\.net$/,
    nameField: 'Name',
    notes: [
      { text: 'Leave out the domain in the name; @ stands for the domain itself.', source: GANDI },
      { types: POINTERS, text: 'End the value with a dot, or Gandi adds the domain to it.', source: GANDI },
    ],
  },
];

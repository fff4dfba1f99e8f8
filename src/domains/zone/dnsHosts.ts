export type DnsHost = {
  name: string;
  /** Matches the names of its name servers, in lower case without the final dot. */
  servers: RegExp;
  nameField: string;
  /** Facts about its form, for all or only these types of records. */
  notes: readonly { text: string; types?: readonly string[] }[];
};

/** Types whose value is the name of another host. */
const POINTERS = ['CNAME', 'MX', 'NS'];

/** The form of each DNS host, as far as the linked page documents it. */
export const DNS_HOSTS: readonly DnsHost[] = [
  // https://developers.cloudflare.com/dns/proxy-status/
  {
    name: 'Cloudflare',
    servers: /\.ns\.cloudflare\.com$/,
    nameField: 'Name',
    notes: [{ text: 'Turn the proxy off, so that “Proxy status” is “DNS only”.', types: ['CNAME', 'A', 'AAAA'] }],
  },
  // https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/ResourceRecordTypes.html
  {
    name: 'Amazon Route 53',
    servers: /\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    nameField: 'Record name',
    notes: [
      {
        text: 'Put the value in double quotes. Split one of more than 255 characters into several quoted parts with a space between them.',
        types: ['TXT'],
      },
      {
        text: 'An MX is one value there: enter the priority, a space and the host, as in “10 mail.example.com”.',
        types: ['MX'],
      },
    ],
  },
  // https://www.godaddy.com/help/add-a-txt-record-19232
  {
    name: 'GoDaddy',
    servers: /\.domaincontrol\.com$/,
    nameField: 'Name',
    notes: [{ text: 'Enter the name without the domain; @ is the domain itself.' }],
  },
  // https://www.namecheap.com/support/knowledgebase/article.aspx/10058/10/namecheap-dns-limits/
  {
    name: 'Namecheap',
    servers: /\.registrar-servers\.com$/,
    nameField: 'Host',
    notes: [{ text: 'The records are on the domain’s “Advanced DNS” tab.' }],
  },
  // https://help.flodesk.com/en/articles/9583973-video-guide-how-to-verify-a-domain-in-squarespace-manually
  {
    name: 'Squarespace (formerly Google Domains)',
    servers: /\.(googledomains\.com|squarespacedns\.com)$/,
    nameField: 'Host',
    notes: [{ text: 'Enter the host without the domain: Squarespace adds it.' }],
  },
  // https://learn.microsoft.com/azure/dns/dns-zones-records
  {
    name: 'Azure DNS',
    servers: /\.azure-dns\.(com|net|org|info)$/,
    nameField: 'Name',
    notes: [{ text: 'Enter the name without the zone; @ is the zone itself.' }],
  },
  // https://github.com/ovh/docs/blob/master/pages/web_cloud/domains/dns_zone_edit/guide.en-gb.md
  {
    name: 'OVHcloud',
    servers: /\.(ovh\.(net|ca|us)|anycast\.me)$/,
    nameField: 'Sub-domain',
    notes: [
      { text: 'The records are on the domain’s “DNS zone” tab, under “Add an entry”.' },
      { text: 'End the target with a dot, or OVHcloud adds the domain to it.', types: POINTERS },
    ],
  },
  // https://docs.hetzner.com/networking/dns/faq/records
  {
    name: 'Hetzner',
    servers: /\.(ns\.hetzner\.(com|de)|second-ns\.(com|de)|first-ns\.de)$/,
    nameField: 'Name',
    notes: [
      { text: 'Enter the name without the zone; @ is the zone itself.' },
      { text: 'End the value with a dot, or Hetzner adds the zone to it.', types: POINTERS },
    ],
  },
  // https://hosting.1und1.de/hilfe/domains/cname-records-fuer-subdomains-konfigurieren/
  {
    name: 'IONOS',
    servers: /\.ui-dns\.(com|org|biz|de)$/,
    nameField: 'Host name',
    notes: [
      { text: 'The records are in “Domains & SSL”, under “DNS” in the domain’s menu.' },
      { text: 'Enter the host name without the domain.' },
      { text: 'Enter the target as a full name.', types: POINTERS },
    ],
  },
  // https://docs.gandi.net/fr/noms_domaine/operations_courantes/enregistrements_dns.html
  {
    name: 'Gandi',
    servers: /\.gandi\.net$/,
    nameField: 'Name',
    notes: [
      { text: 'Enter the name without the domain; @ is the domain itself.' },
      { text: 'End the value with a dot, or Gandi adds the domain to it.', types: POINTERS },
    ],
  },
];

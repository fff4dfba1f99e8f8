/** Titles by the `about` of a piece of advice, and by what is watched. */
const TITLES = new Map([
  ['delegation', 'Delegation'],
  ['dmarc', 'DMARC'],
  ['alignment', 'Alignment'],
  ['mail_from_mx', 'MAIL FROM: MX'],
  ['mail_from_spf', 'MAIL FROM: SPF'],
  ['from_soa', 'SOA'],
  ['mail_from_soa', 'MAIL FROM: SOA'],
  ['from_host', 'MX or address'],
  ['mta_sts', 'MTA-STS'],
  ['tls_rpt', 'TLS reports'],
  ['dane', 'DANE'],
  ['ns', 'Name servers'],
  ['ds', 'DNSSEC (DS)'],
  ['soa', 'SOA of the zone'],
  ['mx', 'MX of the domain'],
]);

/** A service may send others: they're shown as they are. */
export const adviceTitle = (about: string): string => TITLES.get(about) ?? about;

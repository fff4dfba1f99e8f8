import { AUTHORITIES, FAULTY } from './addresses.ts';
import { faults } from './situations/faults.ts';
import { otherRsa2048, rsa2048 } from './situations/keys.ts';
import { txt, type LabZone } from './zoneFile.ts';

// Zones that always exist: companies with name servers, and those who send, sign and receive reports.

export const PROVIDER = 'mailprovider.net';
/** An address of the provider's senders, and an unlisted one. */
export const SENDER = '185.70.40.1';
export const UNLISTED_ADDRESS = '89.160.20.112';

const servers: Record<string, string> = Object.assign({}, ...Object.values(AUTHORITIES));

const lines = (...text: readonly string[]) => text.join('\n');

/** A company whose name servers are in its own zone. */
function dnsCompany(name: string, ns: readonly string[], more: string = ''): LabZone {
  const hosts = Object.keys(servers).filter((host) => host.endsWith(`.${name}`));
  return { name, ns, text: lines(...hosts.map((host) => `${host}. A ${servers[host]}`), more) };
}

const both = (name: string) => [`ns1.${name}`, `ns2.${name}`];
const key = (base64: string) => txt(`v=DKIM1; k=rsa; p=${base64}`);

export const COMPANY_ZONES: readonly LabZone[] = [
  dnsCompany('dnshost.net', both('dnshost.net')),
  dnsCompany('otherhost.net', both('otherhost.net'), 'else A 45.97.0.1'),
  dnsCompany('cloudflare.com', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']),
  ...['sedoparking.com', 'pendingrenewaldeletion.com'].map((name) => dnsCompany(name, [`ns1.${name}`])),
  {
    name: 'badhost.net',
    text: lines(
      ...faults.map(([name, { absent = true }]) => `${name} ${absent === true ? `A ${FAULTY[name]}` : absent}`),
    ),
  },
  {
    name: PROVIDER,
    text: lines(
      '@ A 185.70.42.10',
      '@ MX 10 feedback',
      `@ TXT "v=spf1 include:spf.${PROVIDER} -all"`,
      'feedback A 185.70.42.25',
      `k1.dkim TXT ${key(rsa2048)}`,
      `k2.dkim TXT ${key(otherRsa2048)}`,
      `withdrawn.dkim TXT ${key('')}`,
      'spf TXT "v=spf1 ip4:185.70.40.0/24 ip4:185.70.41.16/28 ip6:2001:67c:2e8::/48 -all"',
    ),
  },
  { name: 'othermail.net', text: 'mx A 149.72.1.25' },
  { name: 'dmarcreports.net', text: lines('*._report._dmarc TXT "v=DMARC1"', '@ MX 10 mx', 'mx A 45.97.0.2') },
];

import type { ReceiverId } from '#contract/receivers/receivers.ts';

// Who answers, by names of mail servers, by the domain of a recipient, and by what only they write.

export type MailSystem = {
  name: string;
  /** Whose rules apply; null for gateways and others. */
  receiver: ReceiverId | null;
  /** Ends of the names of its mail servers. */
  hosts?: readonly string[];
  /** Domains whose mail it receives. */
  domains?: readonly string[];
  /** Literal texts of its replies, in lower case without white space. */
  marks?: readonly string[];
};

export const MAIL_SYSTEMS = {
  gmail: {
    name: 'Gmail',
    receiver: 'gmail',
    hosts: ['google.com', 'googlemail.com'],
    domains: ['gmail.com', 'googlemail.com'],
    // Not its help pages: Google names them as a sender too.
    marks: ['gsmtp', 'gmailrequires', 'gmailhasdetected'],
  },
  yahoo: {
    name: 'Yahoo',
    receiver: 'yahoo',
    hosts: ['yahoodns.net', 'yahoo.com'],
    domains: [
      'yahoo.com',
      'yahoo.co.uk',
      'yahoo.de',
      'yahoo.fr',
      'yahoo.it',
      'yahoo.es',
      'ymail.com',
      'rocketmail.com',
      'aol.com',
    ],
    marks: ['[tss', 'yahoorequires', 'postmaster.yahooinc.com', 'senders.yahooinc.com', 'postmaster.yahoo.com'],
  },
  outlook: {
    name: 'Outlook.com',
    receiver: 'outlook',
    hosts: ['olc.protection.outlook.com', 'hotmail.com'],
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
    marks: ['meettherequiredauthenticationlevel'],
  },
  microsoft365: {
    name: 'Microsoft 365',
    receiver: null,
    hosts: ['mail.protection.outlook.com', 'mail.eo.outlook.com'],
    marks: ['doesnotpassdmarcverificationandhasadmarcpolicy'],
  },
  /** Outlook.com or Microsoft 365: both sign their replies with the same names. */
  microsoft: {
    name: 'Microsoft',
    receiver: null,
    hosts: ['protection.outlook.com'],
    marks: ['postmaster.live.com', 'unfortunately,messagesfrom'],
  },
  apple: {
    name: 'Apple iCloud',
    receiver: 'apple',
    hosts: ['icloud.com', 'me.com', 'mac.com'],
    domains: ['icloud.com', 'me.com', 'mac.com'],
    marks: ['support.apple.com/en-us/ht204137', 'support.apple.com/102322', 'support.apple.com/en-us/102322'],
  },
  gmx: {
    name: 'GMX or WEB.DE',
    receiver: 'gmx',
    hosts: ['gmx.net', 'gmx.com', 'web.de'],
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.com', 'web.de'],
    marks: ['postmaster.gmx.', 'postmaster.web.de'],
  },
  tonline: {
    name: 'T-Online',
    receiver: null,
    hosts: ['t-online.de'],
    domains: ['t-online.de', 'magenta.de'],
    marks: ['@rx.t-online.de'],
  },
  mimecast: { name: 'Mimecast', receiver: null, hosts: ['mimecast.com'], marks: ['community.mimecast.com'] },
  proofpoint: { name: 'Proofpoint', receiver: null, hosts: ['pphosted.com', 'ppe-hosted.com'] },
  barracuda: {
    name: 'Barracuda',
    receiver: null,
    hosts: ['barracudanetworks.com'],
    marks: ['barracudareputation', 'cuda_nsu'],
  },
  cisco: { name: 'Cisco Secure Email', receiver: null, hosts: ['iphmx.com'] },
  symantec: {
    name: 'Symantec Email Security.cloud',
    receiver: null,
    hosts: ['messagelabs.com'],
    marks: ['symanteccloud.com'],
  },
  trendmicro: { name: 'Trend Micro', receiver: null, hosts: ['trendmicro.com', 'trendmicro.eu'] },
} as const satisfies Readonly<Record<string, MailSystem>>;

export type MailSystemId = keyof typeof MAIL_SYSTEMS;

const all: readonly (readonly [MailSystemId, MailSystem])[] = Object.entries(MAIL_SYSTEMS) as [
  MailSystemId,
  MailSystem,
][];
const HOSTS = new Map(all.flatMap(([id, { hosts = [] }]) => hosts.map((host) => [host, id] as const)));
const DOMAINS = new Map(all.flatMap(([id, { domains = [] }]) => domains.map((domain) => [domain, id] as const)));
const MARKS = all.flatMap(([id, { marks = [] }]) => marks.map((mark) => ({ id, mark })));

/** By the name of a mail server. */
export function systemOfHost(host: string): MailSystemId | null {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  for (let start = 1; start < labels.length - 1; start++) {
    const found = HOSTS.get(labels.slice(start).join('.'));
    if (found !== undefined) return found;
  }
  return null;
}

/** By the domain of a recipient. */
export function systemOfDomain(domain: string): MailSystemId | null {
  return DOMAINS.get(domain.toLowerCase()) ?? null;
}

/** By a reply without white space, in lower case. */
export function systemOfText(compact: string): MailSystemId | null {
  return MARKS.find(({ mark }) => compact.includes(mark))?.id ?? null;
}

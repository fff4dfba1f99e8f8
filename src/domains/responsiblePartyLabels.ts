import type { ResponsibleParty } from '#contract/dnsCheck.ts';

/** Who has to act next. The reader is the person who can change the DNS. */
export const RESPONSIBLE_PARTY_LABELS: Record<ResponsibleParty, string> = {
  owner: 'Your turn: DNS records',
  provider: 'For the mail provider',
  dns_host: 'For your DNS host',
  registrar: 'At the registrar',
  report_receiver: 'For whoever receives the reports',
  checker: 'Check again later, or check your network',
};

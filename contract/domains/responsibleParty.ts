import * as z from 'zod/mini';

/** Who has to act. `checker`: the operator of the check and its network. The owner has to contact all others. */
export const ResponsibleParty = z.enum(['owner', 'provider', 'dns_host', 'registrar', 'report_receiver', 'checker']);
export type ResponsibleParty = z.infer<typeof ResponsibleParty>;

/** Who has to act, in words for the person who can change the DNS. */
export const RESPONSIBLE_PARTY_LABELS: Record<ResponsibleParty, string> = {
  owner: 'You, in the DNS records',
  provider: 'The mail provider',
  dns_host: 'Your DNS host',
  registrar: 'You, at the registrar',
  report_receiver: 'The receiver of the DMARC reports',
  checker: 'Check again later, or check the network',
};

import type { Finding, ResponsibleParty } from '#contract/dnsCheck.ts';

const TURNS: Record<ResponsibleParty, string> = {
  owner: 'you, in the DNS records',
  provider: 'the mail provider',
  dns_host: 'your DNS host',
  registrar: 'you, at the registrar',
  report_receiver: 'whoever receives the reports',
  checker: 'this check: ask again later, or look at its network',
};

/** Who has to act, as in "your DNS host"; null when nobody has to. */
export function formatTurn({ turn }: Pick<Finding, 'turn'>): string | null {
  return turn === null ? null : TURNS[turn];
}

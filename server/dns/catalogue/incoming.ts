import { warn, ok, formatList } from './catalogueEntry.ts';

type Why = { why: string };

export const incoming = {
  MTA_STS_PUBLISHED: ok<{ id: string }>({
    describe: ({ id }, { domain }) =>
      `${domain} announces an MTA-STS policy (id=${id}), so senders read https://mta-sts.${domain}/.well-known/mta-sts.txt to decide whether to require TLS. This check doesn't read that file.`,
  }),
  MTA_STS_ABSENT: warn({
    describe: (_, { domain }) =>
      `${domain} announces no MTA-STS policy (RFC 8461): an attacker on the network can read its mail by blocking TLS. Ask the operator of its mail servers for the policy, and publish that first.`,
  }),
  MTA_STS_BROKEN: warn<Why>({
    describe: ({ why }, { name }) => `Senders ignore the MTA-STS record at ${name} (RFC 8461, section 3.1): ${why}.`,
  }),
  TLS_RPT_PUBLISHED: ok<{ receivers: readonly string[] }>({
    describe: ({ receivers }) => `Senders report TLS failures to ${formatList(receivers)}.`,
  }),
  TLS_RPT_ABSENT: warn({
    describe: (_, { name, domain }) =>
      `${name} has no record (RFC 8460), so nobody reports TLS failures to ${domain}. Publish "v=TLSRPTv1; rua=mailto:" with a mailbox for reports.`,
  }),
  TLS_RPT_BROKEN: warn<Why>({
    describe: ({ why }, { name }) => `Senders ignore the TLS report record at ${name} (RFC 8460, section 3): ${why}.`,
  }),
  DANE_PUBLISHED: ok<{ hosts: readonly string[] }>({
    describe: ({ hosts }) => `DANE tells senders which certificate to expect at ${formatList(hosts)}.`,
  }),
  DANE_ABSENT: ok<{ hosts: readonly string[] }>({
    describe: ({ hosts }) =>
      `${formatList(hosts)} ${hosts.length === 1 ? 'has' : 'have'} no DANE (TLSA) records. They're optional and need DNSSEC.`,
  }),
  DANE_BROKEN: warn<{ host: string; why: string }>({
    describe: ({ host, why }) =>
      `Senders can't use the TLSA records of ${host} (RFC 7672): ${why}. Ask the operator of that mail server to fix them.`,
  }),
};

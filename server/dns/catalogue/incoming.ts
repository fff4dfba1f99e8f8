import { defineEntry, formatList } from './catalogueEntry.ts';

// Codes for what protects mail that the domain receives. They are advice that has to be asked for.

type Why = { why: string };

export const incoming = {
  MTA_STS_PUBLISHED: defineEntry<{ id: string }>({
    result: 'ok',
    turn: null,
    describe: ({ id }, { domain }) =>
      `${domain} announces an MTA-STS policy (id=${id}), so senders ask https://mta-sts.${domain}/.well-known/mta-sts.txt whether to insist on TLS. That file is not read here.`,
  }),
  MTA_STS_ABSENT: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, { domain }) =>
      `${domain} announces no MTA-STS policy (RFC 8461): an attacker on the way can read its mail by blocking TLS. Ask the operator of its mail servers for the policy, and publish that first.`,
  }),
  MTA_STS_BROKEN: defineEntry<Why>({
    result: 'warn',
    turn: 'owner',
    describe: ({ why }, { name }) => `Senders ignore the MTA-STS record at ${name} (RFC 8461, section 3.1): ${why}.`,
  }),
  TLS_RPT_PUBLISHED: defineEntry<{ receivers: readonly string[] }>({
    result: 'ok',
    turn: null,
    describe: ({ receivers }) => `Senders report failures of TLS to ${formatList(receivers)}.`,
  }),
  TLS_RPT_ABSENT: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, { name, domain }) =>
      `There is no record at ${name} (RFC 8460), so nobody tells ${domain} when TLS fails. It needs "v=TLSRPTv1; rua=mailto:" and a mailbox for reports.`,
  }),
  TLS_RPT_BROKEN: defineEntry<Why>({
    result: 'warn',
    turn: 'owner',
    describe: ({ why }, { name }) =>
      `Senders ignore the record for TLS reports at ${name} (RFC 8460, section 3): ${why}.`,
  }),
  DANE_PUBLISHED: defineEntry<{ hosts: readonly string[] }>({
    result: 'ok',
    turn: null,
    describe: ({ hosts }) => `DANE tells senders which certificate to expect at ${formatList(hosts)}.`,
  }),
  DANE_ABSENT: defineEntry<{ hosts: readonly string[] }>({
    result: 'ok',
    turn: null,
    describe: ({ hosts }) =>
      `${formatList(hosts)} ${hosts.length === 1 ? 'has' : 'have'} no DANE (TLSA) records. They are optional, and need DNSSEC.`,
  }),
  DANE_BROKEN: defineEntry<{ host: string; why: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ host, why }) =>
      `Senders cannot use the TLSA records of ${host} (RFC 7672): ${why}. Ask the operator of that mail server to correct them.`,
  }),
};

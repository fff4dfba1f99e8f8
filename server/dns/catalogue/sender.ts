import { ok, warn } from './catalogueEntry.ts';

// Codes for the domain and the MAIL FROM name themselves, and for what is watched.

type Zone = { zone: string };

export const sender = {
  SOA_FOUND: ok<Zone>({
    describe: ({ zone }, { name }) =>
      name === zone ? `${name} has an SOA record.` : `${name} is in the zone ${zone}, which has an SOA record.`,
  }),
  SOA_NOT_FOUND: warn<{ exists: boolean }>({
    turn: ({ exists }) => (exists ? 'dns_host' : 'owner'),
    describe: ({ exists }, { name }) =>
      exists
        ? `The name servers respond about ${name} without an SOA record. Yahoo requires one of each sender's domain, and refuses others as unresolvable. Tell the DNS host.`
        : `${name} doesn't exist in the DNS. Yahoo requires an SOA record of each sender's domain, and refuses others as unresolvable.`,
  }),
  FROM_HOST_FOUND: ok<{ type: 'MX' | 'A' | 'AAAA' }>({
    describe: ({ type }, { name }) => `${name} has an ${type} record, as receivers expect of a sender's domain.`,
  }),
  FROM_HOST_ABSENT: warn({
    describe: (_, { name }) =>
      `${name} has neither an MX record nor an address. GMX and WEB.DE require one of a sender's domain, and replies are lost. Publish the MX of a server that receives mail for ${name}.`,
  }),
  FROM_NULL_MX: warn({
    describe: (_, { name }) =>
      `${name} declares that it accepts no mail (null MX), and receivers such as Yahoo refuse mail from such a domain (RFC 7505, section 4.2). Publish the MX of a server that receives mail for ${name}, or send from another domain.`,
  }),
};

const list = (found: readonly string[]) => found.join(', ');

export const watched = {
  NS_FOUND: ok({ describe: (_, { name, found }) => `The zone above delegates ${name} to ${list(found)}.` }),
  NS_NONE: ok({ describe: (_, { name }) => `The zone above doesn't delegate ${name}.` }),
  DS_FOUND: ok({ describe: (_, { name, found }) => `The zone above has the DS records ${list(found)} for ${name}.` }),
  DS_NONE: ok({ describe: (_, { name }) => `The zone above has no DS record for ${name}: DNSSEC is off.` }),
  SOA_OF_ZONE: ok({
    describe: (_, { name, found }) => `Primary name server and contact of ${name}: ${list(found)}.`,
  }),
  SOA_NONE: ok({ describe: (_, { name }) => `${name} has no SOA record.` }),
  MX_FOUND: ok({ describe: (_, { name, found }) => `Mail to ${name} goes to ${list(found)}.` }),
  MX_NONE: ok({ describe: (_, { name }) => `${name} has no MX record.` }),
};

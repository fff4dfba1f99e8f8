import { describeAdding } from './placement.ts';
import { fail, warn, ok, pending, unknown } from './catalogueEntry.ts';

// Codes for caches, name servers, delegations and networks.

/** The failure of a name server or resolver, as "timeout". */
export type ServerError = { server: string; error: string };
type ServerErrors = { errors: readonly ServerError[] };

/** `wrong`: what these name servers have. */
type Differing = { wrong: readonly { server: string; values: readonly string[] }[]; serials: readonly string[] };

const formatDiffering = ({ wrong, serials }: Differing) =>
  [...wrong.map(({ server, values }) => `${server} has ${values.join(', ') || 'none'}`), ...serials].join('; ');
const listServerErrors = ({ errors }: ServerErrors) =>
  errors.map(({ server, error }) => `${server}: ${error}`).join('; ');
const formatServerErrors = (facts: ServerErrors) => (facts.errors.length === 0 ? '' : ` (${listServerErrors(facts)})`);
type ServerAddresses = { servers: readonly { server: string; address: string }[] };
const listAddresses = ({ servers }: ServerAddresses) =>
  servers.map(({ server, address }) => `${server} at ${address}`).join(', ');
const describeWhere = (above: string | null) =>
  above === null ? 'in the zone above' : above === '' ? 'at the registrar' : `in ${above}`;
const NOTHING_KNOWN = 'so the record is unknown';

export const servers = {
  CACHED_NEGATIVE: pending<{ until: string }>({
    describe: ({ until }) =>
      `The name servers are correct. A resolver that asked too early caches the missing record until ${until}; there's nothing to change.`,
  }),
  CACHED_OLD_VALUE: pending<{ until: string }>({
    describe: ({ until }) =>
      `The name servers are correct. A resolver caches the old value until ${until}; there's nothing to change.`,
  }),
  NAME_ABOVE_DENIED: fail<{ above: string; server: string }>({
    turn: 'dns_host',
    describe: ({ above, server }, { name }) =>
      `${name} is published, but ${server} says that ${above} doesn't exist (NXDOMAIN). Many resolvers query that name first, and then find nothing below it (RFC 8020). Tell the DNS host. Until it's fixed, any TXT record at ${above} helps.`,
  }),
  STILL_CACHED: fail<{ until: string }>({
    describe: ({ until }) =>
      `The record was removed or changed at the name servers. Resolvers cache it until ${until} at the latest.`,
    todo: (_, { type }) => `Publish the ${type} record again now, before mail starts to fail.`,
  }),
  SPLIT_HORIZON: fail({
    describe: (_, { name, zone, domain }) =>
      `The local resolver has another version of ${zone ?? domain} than the authoritative name servers: outside, ${name} is missing or wrong.`,
    todo: (_, about) => `${describeAdding(about)} Use the public zone, not the internal one.`,
  }),
  MISSING_INSIDE: warn({
    turn: 'checker',
    describe: (_, { name, zone, domain }) =>
      `${name} is published and correct. Only the local resolver has an internal version of ${zone ?? domain} without it, which mail receivers never see.`,
  }),

  SOME_NAMESERVERS_WRONG: pending<Differing & { isDue: boolean }>({
    // Resolvers query any of them (RFC 1034, section 4.3.5).
    turn: 'dns_host',
    describe: ({ isDue, ...differing }) =>
      `Not all name servers have the record: ${formatDiffering(differing)}. ${
        isDue
          ? 'Wait for the transfer; if it takes more than an hour, tell the DNS host.'
          : 'By their serials, no transfer is due. If this persists for some minutes, tell the DNS host.'
      }`,
  }),
  /** `at`: the servers of the DNS host that lacks the record. */
  DNS_HOSTS_DIFFER: fail<Differing & { at: readonly string[] }>({
    describe: ({ at, ...differing }, { zone, domain }) =>
      `Two DNS hosts serve ${zone ?? domain}, each with its own zone, and the record is correct at only one of them: ${formatDiffering(differing)}. Nothing copies it to ${at.join(', ')}. Resolvers query any of them, so enter it at both.`,
    todo: ({ at }, { host, type }) =>
      `At the DNS host of ${at.join(', ')}, replace the records at "${host}" with this ${type} record.`,
  }),
  /** `at`: the servers with the newer version, or the primary. */
  PRIMARY_WRONG: fail<Differing & { at: readonly string[] }>({
    describe: ({ at, ...differing }) =>
      `Not all name servers have the record, and ${at.join(', ')}, where it's wrong, ${
        at.length === 1 ? 'has' : 'have'
      } the newest version: the others will copy it and lose the record. ${formatDiffering(differing)}.`,
    todo: (_, { host, type }) =>
      `Replace the records at "${host}" with this ${type} record, in the zone that the other name servers copy.`,
  }),
  UDP_AND_TCP_DIFFER: fail<{ server: string }>({
    turn: 'dns_host',
    describe: ({ server }) =>
      `${server} has the record over TCP but not over UDP, which resolvers try first, so most receivers don't see it. Tell the DNS host; a firewall or load balancer may send the two to different servers.`,
  }),
  WRONG_OVER_TCP: warn<{ server: string; values: readonly string[] }>({
    turn: 'dns_host',
    describe: ({ server, values }) =>
      `${server} has the record over UDP, but not over TCP (${values.join(', ') || 'nothing there'}). Resolvers use TCP for large responses and when UDP fails, so some receivers don't see the record. Tell the DNS host; a firewall or load balancer may send the two to different servers.`,
  }),
  REGISTRAR_NAMES_OTHERS: fail<{ zone: string; atRegistrar: readonly string[]; inZone: readonly string[] }>({
    turn: 'registrar',
    describe: ({ zone, atRegistrar, inZone }) =>
      `The registrar points to ${atRegistrar.join(', ')}, where the record is wrong. ${zone} itself names ${inZone.join(', ')}, which have it. Set these at the registrar.`,
  }),
  SOME_NAMESERVERS_SILENT: warn<ServerErrors>({
    turn: 'dns_host',
    describe: (facts) =>
      `The record is correct, but not all name servers respond: ${listServerErrors(facts)}. Tell the DNS host.`,
  }),
  NAMESERVERS_FAIL: fail<ServerErrors & { zone: string }>({
    turn: 'dns_host',
    describe: ({ zone, ...errors }) =>
      `No name server of ${zone} responds properly${formatServerErrors(errors)}, and resolvers fail too. Ask the DNS host of ${zone} to fix them.`,
  }),
  NAMESERVERS_SILENT: unknown<ServerErrors & { zone: string }>({
    turn: 'dns_host',
    describe: ({ zone, ...errors }) =>
      `The name servers of ${zone} didn't respond in time${formatServerErrors(errors)}, ${NOTHING_KNOWN}. Check again in a few minutes; if it persists, ask the DNS host.`,
  }),
  LAME_DELEGATION: fail<ServerErrors & { zone: string; above: string; isBelowDomain: boolean }>({
    describe: ({ zone, above, isBelowDomain, ...errors }) =>
      isBelowDomain
        ? `NS records in ${above} hand ${zone} over to name servers that don't serve it${formatServerErrors(errors)}, so nothing below ${zone} can be found. Delete these NS records, or have the zone ${zone} created at those name servers.`
        : `The name servers that ${above === '' ? 'the registry' : above} names for ${zone} don't serve it${formatServerErrors(errors)}. Ask the DNS host to create the zone there, or set the name servers of the DNS host that has it at the registrar.`,
  }),
  NAMESERVERS_WITHOUT_ADDRESS: fail<{ zone: string; names: readonly string[] }>({
    describe: ({ zone, names }) =>
      `None of the name servers of ${zone} can be found, because their names have no address: ${names.join(', ')}. Fix their names at the registrar, ask the DNS host which ones it has, or, for names in ${zone} itself, have the registrar list their addresses too.`,
  }),
  NAMESERVERS_PRIVATE: fail<ServerAddresses & { zone: string }>({
    describe: ({ zone, ...facts }) =>
      `The name servers of ${zone} have private addresses: ${listAddresses(facts)}. Give them public ones, or use other name servers.`,
  }),
  NAMESERVERS_NO_ROUTE: unknown<ServerAddresses & { zone: string }>({
    describe: ({ zone, ...facts }) =>
      `This machine can't reach the name servers of ${zone} (${listAddresses(facts)})${
        facts.servers.every(({ address }) => address.includes(':')) ? ', which have only IPv6 addresses' : ''
      }, ${NOTHING_KNOWN}. Check its network.`,
  }),
  NAMESERVERS_WITHOUT_TCP: fail<ServerErrors & { zone: string }>({
    turn: 'dns_host',
    describe: ({ zone, ...errors }) =>
      `The response is too large for UDP, and the name servers of ${zone} don't accept TCP${formatServerErrors(errors)}, so resolvers get nothing. Ask the DNS host to open TCP port 53.`,
  }),
  NAMESERVERS_DROP_EDNS: warn<{ servers: readonly string[] }>({
    turn: 'dns_host',
    describe: ({ servers }) =>
      `The record is correct, but ${servers.join(', ')} or a firewall in front of it drops queries with EDNS (RFC 6891), which all resolvers send, so they get a response late or never. Ask the DNS host to let them through.`,
  }),
  /** `above`: the zone with the DS record; empty for a registry, null if unknown. */
  DNSSEC_BOGUS: fail<{ broken: string | null; above: string | null; reason: string }>({
    // Only the registrar or the zone above can remove the DS record.
    turn: ({ above }) => (above === '' || above === null ? 'registrar' : 'owner'),
    describe: ({ broken, above, reason }, { zone, domain }) =>
      `DNSSEC of ${broken ?? zone ?? domain} is broken${reason && ` (${reason})`}: resolvers that validate it see nothing at all. Renew or remove its DS record ${describeWhere(above)}, or have the DNS host sign the zone again.`,
  }),
  DOMAIN_NOT_DELEGATED: fail({
    turn: 'registrar',
    describe: (_, { domain }) =>
      `${domain} doesn't exist in the DNS: it isn't registered, has expired or is on hold. Renew it, or set its name servers at the registrar.`,
  }),

  RESOLVER_UNREACHABLE: unknown<ServerErrors>({
    describe: (facts) =>
      `No resolver responds${formatServerErrors(facts)}, ${NOTHING_KNOWN}. Is port 53 open from here, over UDP and TCP?`,
  }),
  NAMESERVERS_UNREACHABLE: unknown<ServerErrors>({
    describe: (facts) =>
      `The domain's name servers can't be reached from here${formatServerErrors(facts)}, and resolvers weren't to be trusted.`,
  }),
  RESOLVER_FAILS: unknown<{ answer: string }>({
    describe: ({ answer }) => `The resolver answers ${answer}, ${NOTHING_KNOWN}.`,
  }),
  ANSWER_TOO_LARGE: unknown({
    describe: () =>
      `The response is too large for UDP and didn't arrive over TCP, ${NOTHING_KNOWN}. Is TCP port 53 open from here?`,
  }),
  RESOLVER_DENIES_ALL: unknown({
    describe: () => `The resolver denies every name, even the DNS root, so it can't be trusted. Use another resolver.`,
  }),
  BLOCKED_BY_FILTER: unknown<{ reason: string }>({
    describe: ({ reason }) => `The resolver filters the response (${reason}), ${NOTHING_KNOWN}. Use another resolver.`,
  }),
  TOO_MANY_QUESTIONS: unknown({
    turn: null,
    describe: () => 'The record needs more queries than allowed.',
  }),
  OUT_OF_TIME: unknown({
    turn: null,
    describe: () => 'Time ran out before the record could be checked.',
  }),
  CHECK_FAILED: unknown({
    describe: () => `The check of this record failed with an internal error, ${NOTHING_KNOWN}. See the log.`,
  }),
  NOT_ASKED: unknown<{ name: string; reason: string }>({
    describe: ({ name, reason }) => `${name} couldn't be queried${reason && ` (${reason})`}, so it's unknown.`,
  }),

  DELEGATION_RIGHT: ok<{ names: readonly string[]; unasked: readonly string[] }>({
    describe: ({ names, unasked }, { zone, domain }) => {
      const same = `The registrar and ${zone ?? domain} itself list the same name servers`;
      if (unasked.length === 0) return `${same}, and all respond: ${names.join(', ')}.`;
      const verb = unasked.length === 1 ? 'responds' : 'respond';
      return `${same}: ${names.join(', ')}. It isn't known whether ${unasked.join(', ')} ${verb}.`;
    },
  }),
  DELEGATION_DIFFERS: warn<{ onlyAbove: readonly string[]; onlyInZone: readonly string[] }>({
    describe: ({ onlyAbove, onlyInZone }, { zone, domain }) =>
      `The registrar and ${zone ?? domain} itself list different name servers.${
        onlyAbove.length > 0 ? ` Only the registrar lists ${onlyAbove.join(', ')}.` : ''
      }${
        onlyInZone.length > 0 ? ` Only the zone lists ${onlyInZone.join(', ')}.` : ''
      } Changes may reach only some resolvers: set the same name servers in both places.`,
  }),
  SOME_UNSIGNED: warn<{ servers: readonly string[] }>({
    turn: 'dns_host',
    describe: ({ servers }, { zone, domain }) =>
      `${zone ?? domain} has a DS record, but ${servers.join(', ')} ${servers.length === 1 ? 'serves' : 'serve'} it without DNSSEC signatures: resolvers that validate fail there. Have the zone signed at all name servers, or remove the DS record at the registrar.`,
  }),
  ZONE_IS_ALIAS: warn<{ target: string }>({
    describe: ({ target }, { zone, domain }) =>
      `${zone ?? domain} itself is an alias (CNAME) of ${target}. The top of a zone can't have one (RFC 1034, section 3.6.2): it hides the MX and TXT records of the domain. Replace it with addresses, or the DNS host's ALIAS.`,
  }),
  DELEGATION_LAME: warn<ServerErrors>({
    describe: (facts, { zone, domain }) =>
      `Not all name servers of ${zone ?? domain} work: ${listServerErrors(facts)}. Have the DNS host fix them, or remove them at the registrar.`,
  }),
};

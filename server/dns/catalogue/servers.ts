import { describeAdding } from './placement.ts';
import { defineEntry } from './catalogueEntry.ts';

// Codes for caches, name servers, delegations and networks that keep a response from clients.

/** The failure of a name server or resolver: "ns1.example.net: timeout". */
type ServerErrors = { errors: readonly string[] };

/** What the wrong servers have, and the versions of all. */
type Differing = { wrong: readonly string[]; serials: readonly string[] };

const formatDiffering = ({ wrong, serials }: Differing) => [...wrong, ...serials].join('; ');
const formatServerErrors = ({ errors }: ServerErrors) => (errors.length === 0 ? '' : ` (${errors.join('; ')})`);
const describeWhere = (above: string | null) =>
  above === null ? 'where it is kept' : above === '' ? 'at the registrar' : `in ${above}`;
const NOTHING_KNOWN = 'so nothing is known about the record';

export const servers = {
  CACHED_NEGATIVE: defineEntry<{ until: string }>({
    result: 'pending',
    turn: null,
    describe: ({ until }) =>
      `The name servers answer correctly. A resolver that asked too early remembers until ${until} that there was nothing; there is nothing to change.`,
  }),
  CACHED_OLD_VALUE: defineEntry<{ until: string }>({
    result: 'pending',
    turn: null,
    describe: ({ until }) =>
      `The name servers answer correctly. A resolver remembers the old value until ${until}; there is nothing to change.`,
  }),
  NAME_ABOVE_DENIED: defineEntry<{ above: string; server: string }>({
    result: 'fail',
    turn: 'dns_host',
    describe: ({ above, server }, { name }) =>
      `${name} is published, but ${server} says that ${above} does not exist (NXDOMAIN). Many resolvers ask for that name first, and then find nothing below it (RFC 8020). Tell the DNS host. Until it is fixed, a TXT record at ${above} with any text helps.`,
  }),
  STILL_CACHED: defineEntry<{ until: string }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ until }) =>
      `The record was removed or changed at the name servers. Resolvers still know it, until ${until} at the latest.`,
    todo: (_, { type }) => `Publish the ${type} record again now, before mail starts to fail.`,
  }),
  SPLIT_HORIZON: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: (_, { name, zone, domain }) =>
      `The resolver here answers from another version of ${zone ?? domain} than the name servers in charge have: outside, ${name} is not there or not right.`,
    todo: (_, about) => `${describeAdding(about)} That is the public zone, not the internal one.`,
  }),
  MISSING_INSIDE: defineEntry({
    result: 'warn',
    turn: 'checker',
    describe: (_, { name, zone, domain }) =>
      `${name} is published and correct for the world. Only the resolver here answers from an internal version of ${zone ?? domain}, which lacks it; receivers of mail never see that one.`,
  }),

  SOME_NAMESERVERS_WRONG: defineEntry<Differing & { isDue: boolean }>({
    // Resolvers ask any of them (RFC 1034, section 4.3.5).
    result: 'pending',
    turn: 'dns_host',
    describe: ({ isDue, ...differing }) =>
      `Not all name servers have the record: ${formatDiffering(differing)}. ${
        isDue
          ? 'Wait for the transfer; if it takes more than an hour, tell the DNS host.'
          : 'No transfer is due by these versions. If it stays so for some minutes, tell the DNS host.'
      }`,
  }),
  /** `at`: the servers of the DNS host that lacks the record. */
  DNS_HOSTS_DIFFER: defineEntry<Differing & { at: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ at, ...differing }, { zone, domain }) =>
      `Two DNS hosts answer for ${zone ?? domain}, each from a zone of its own, and the record is right at one of them only: ${formatDiffering(differing)}. Nothing carries it over to ${at.join(', ')}: resolvers ask any of them, so it has to be entered at both.`,
    todo: ({ at }, { host, type }) =>
      `At the DNS host of ${at.join(', ')}, replace what is at "${host}" with this ${type} record.`,
  }),
  /** `at`: the servers with the newer version, or the primary. */
  PRIMARY_WRONG: defineEntry<Differing & { at: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ at, ...differing }) =>
      `Not all name servers have the record, and ${at.join(', ')}, where it is not right, ${
        at.length === 1 ? 'has' : 'have'
      } the version that counts: those that copy it will lose the record. ${formatDiffering(differing)}.`,
    todo: (_, { host, type }) =>
      `Replace what is at "${host}" with this ${type} record, in the zone that the other name servers copy.`,
  }),
  UDP_AND_TCP_DIFFER: defineEntry<{ server: string }>({
    result: 'fail',
    turn: 'dns_host',
    describe: ({ server }) =>
      `${server} has the record over TCP, and not over UDP, by which resolvers ask first, so that most receivers do not see it. Tell the DNS host; a firewall or a load balancer may send the two to different servers.`,
  }),
  WRONG_OVER_TCP: defineEntry<{ server: string; values: readonly string[] }>({
    result: 'warn',
    turn: 'dns_host',
    describe: ({ server, values }) =>
      `${server} has the record over UDP, but not over TCP (${values.join(', ') || 'nothing there'}). Resolvers use TCP for large responses and when UDP fails, so some receivers do not see the record. Tell the DNS host; a firewall or a load balancer may send the two to different servers.`,
  }),
  REGISTRAR_NAMES_OTHERS: defineEntry<{ zone: string; atRegistrar: readonly string[]; inZone: readonly string[] }>({
    result: 'fail',
    turn: 'registrar',
    describe: ({ zone, atRegistrar, inZone }) =>
      `The registrar sends the world to ${atRegistrar.join(', ')}, where the record is not right. ${zone} itself names ${inZone.join(', ')}, which have it. Set these at the registrar.`,
  }),
  SOME_NAMESERVERS_SILENT: defineEntry<ServerErrors>({
    result: 'warn',
    turn: 'dns_host',
    describe: ({ errors }) =>
      `The record is right, but not all name servers answer: ${errors.join('; ')}. Tell the DNS host.`,
  }),
  NAMESERVERS_FAIL: defineEntry<ServerErrors & { zone: string }>({
    result: 'fail',
    turn: 'dns_host',
    describe: ({ zone, ...errors }) =>
      `No name server of ${zone} gives an answer${formatServerErrors(errors)}, and resolvers get none either. Ask the DNS host of ${zone} to fix them.`,
  }),
  NAMESERVERS_SILENT: defineEntry<ServerErrors & { zone: string }>({
    result: 'unknown',
    turn: 'dns_host',
    describe: ({ zone, ...errors }) =>
      `The name servers of ${zone} did not answer in time${formatServerErrors(errors)}, ${NOTHING_KNOWN}. Check again in some minutes; if that stays so, ask the DNS host.`,
  }),
  LAME_DELEGATION: defineEntry<ServerErrors & { zone: string; above: string; isBelowDomain: boolean }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ zone, above, isBelowDomain, ...errors }) =>
      isBelowDomain
        ? `NS records in ${above} hand ${zone} over to name servers that do not know it${formatServerErrors(errors)}, so that nothing below ${zone} can be found. Delete these NS records, or have the zone ${zone} created at those name servers.`
        : `The name servers that ${above === '' ? 'the registry' : above} names for ${zone} do not know it${formatServerErrors(errors)}. Have the zone created there by the DNS host, or set the name servers of the DNS host that has it at the registrar.`,
  }),
  NAMESERVERS_WITHOUT_ADDRESS: defineEntry<{ zone: string; names: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ zone, names }) =>
      `None of the name servers of ${zone} can be found, because their names have no address: ${names.join(', ')}. Correct their names at the registrar, ask the DNS host which ones it has, or, for names in ${zone} itself, have the registrar list their addresses too.`,
  }),
  NAMESERVERS_PRIVATE: defineEntry<{ zone: string; servers: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ zone, servers }) =>
      `The name servers of ${zone} have addresses that nobody outside can reach: ${servers.join(', ')}. Give them public addresses, or use name servers that have some.`,
  }),
  NAMESERVERS_NO_ROUTE: defineEntry<{ zone: string; servers: readonly string[] }>({
    result: 'unknown',
    turn: 'checker',
    describe: ({ zone, servers }) =>
      `This machine cannot reach the name servers of ${zone} (${servers.join(', ')})${
        servers.every((server) => server.includes(':')) ? ', which have IPv6 addresses only' : ''
      }, ${NOTHING_KNOWN}. Check its network.`,
  }),
  NAMESERVERS_WITHOUT_TCP: defineEntry<ServerErrors & { zone: string }>({
    result: 'fail',
    turn: 'dns_host',
    describe: ({ zone, ...errors }) =>
      `The answer is too large for UDP, and the name servers of ${zone} do not take TCP${formatServerErrors(errors)}, so that resolvers get nothing. Ask the DNS host to open TCP port 53.`,
  }),
  NAMESERVERS_DROP_EDNS: defineEntry<{ servers: readonly string[] }>({
    result: 'warn',
    turn: 'dns_host',
    describe: ({ servers }) =>
      `The record is right, but ${servers.join(', ')} or a firewall before it drops queries with EDNS (RFC 6891), which all resolvers send, so that they get an answer late or never. Ask the DNS host to let them through.`,
  }),
  /** `above`: the zone with the DS record: empty for a registry, null when it is not known. */
  DNSSEC_BOGUS: defineEntry<{ broken: string | null; above: string | null; reason: string }>({
    result: 'fail',
    // The DS record stops all mail, and only the registrar or the zone above can take it out.
    turn: ({ above }) => (above === '' || above === null ? 'registrar' : 'owner'),
    describe: ({ broken, above, reason }, { zone, domain }) =>
      `DNSSEC of ${broken ?? zone ?? domain} is broken${reason && ` (${reason})`}: resolvers that check it see nothing at all. Renew or remove its DS record ${describeWhere(above)}, or have the zone signed again by the DNS host.`,
  }),
  DOMAIN_NOT_DELEGATED: defineEntry({
    result: 'fail',
    turn: 'registrar',
    describe: (_, { domain }) =>
      `${domain} does not exist in the DNS: it is not registered, has expired or is on hold. Renew it, or set its name servers at the registrar.`,
  }),

  RESOLVER_UNREACHABLE: defineEntry<ServerErrors>({
    result: 'unknown',
    turn: 'checker',
    describe: ({ errors }) =>
      `No resolver answers${formatServerErrors({ errors })}, ${NOTHING_KNOWN}. Is port 53 open from here, over UDP and TCP?`,
  }),
  NAMESERVERS_UNREACHABLE: defineEntry<ServerErrors>({
    result: 'unknown',
    turn: 'checker',
    describe: ({ errors }) =>
      `The name servers of the domain cannot be asked from here${formatServerErrors({ errors })}, and resolvers were not to be believed.`,
  }),
  RESOLVER_FAILS: defineEntry<{ answer: string }>({
    result: 'unknown',
    turn: 'checker',
    describe: ({ answer }) => `The resolver answers ${answer}, ${NOTHING_KNOWN}.`,
  }),
  ANSWER_TOO_LARGE: defineEntry({
    result: 'unknown',
    turn: 'checker',
    describe: () =>
      `The answer is too large for UDP and did not come over TCP, ${NOTHING_KNOWN}. Is TCP port 53 open from here?`,
  }),
  RESOLVER_DENIES_ALL: defineEntry({
    result: 'unknown',
    turn: 'checker',
    describe: () =>
      `The resolver denies every name, even the root of the DNS, so it cannot be believed and nothing is known about the record. Ask another resolver.`,
  }),
  BLOCKED_BY_FILTER: defineEntry<{ reason: string }>({
    result: 'unknown',
    turn: 'checker',
    describe: ({ reason }) =>
      `A filter of the resolver hides the answer (${reason}), ${NOTHING_KNOWN}. Ask another resolver.`,
  }),
  TOO_MANY_QUESTIONS: defineEntry({
    result: 'unknown',
    turn: null,
    describe: () => 'Checking the record would need more questions than are allowed.',
  }),
  OUT_OF_TIME: defineEntry({
    result: 'unknown',
    turn: null,
    describe: () => 'The time for checking the domain was over before the record could be checked.',
  }),
  CHECK_FAILED: defineEntry({
    result: 'unknown',
    turn: 'checker',
    describe: () => `The check of this record failed by a fault of ours, which is in the log, ${NOTHING_KNOWN}.`,
  }),
  NOT_ASKED: defineEntry<{ name: string; reason: string }>({
    result: 'unknown',
    turn: 'checker',
    describe: ({ name, reason }) =>
      `There is no answer about ${name}${reason && ` (${reason})`}, so nothing is known about it.`,
  }),

  DELEGATION_RIGHT: defineEntry<{ names: readonly string[]; unasked: readonly string[] }>({
    result: 'ok',
    turn: null,
    describe: ({ names, unasked }, { zone, domain }) => {
      const same = `The registrar and ${zone ?? domain} itself name the same name servers`;
      if (unasked.length === 0) return `${same}, and all of them answer: ${names.join(', ')}.`;
      const answer = unasked.length === 1 ? 'answers' : 'answer';
      return `${same}: ${names.join(', ')}. It is not known whether ${unasked.join(', ')} ${answer}.`;
    },
  }),
  DELEGATION_DIFFERS: defineEntry<{ onlyAbove: readonly string[]; onlyInZone: readonly string[] }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ onlyAbove, onlyInZone }, { zone, domain }) =>
      `The registrar and ${zone ?? domain} itself name different name servers.${
        onlyAbove.length > 0 ? ` Only the registrar names ${onlyAbove.join(', ')}.` : ''
      }${
        onlyInZone.length > 0 ? ` Only the zone names ${onlyInZone.join(', ')}.` : ''
      } Changes may be made where only some of the world looks: set the same name servers in both places.`,
  }),
  SOME_UNSIGNED: defineEntry<{ servers: readonly string[] }>({
    result: 'warn',
    turn: 'dns_host',
    describe: ({ servers }, { zone, domain }) =>
      `${zone ?? domain} has a DS record, and ${servers.join(', ')} ${servers.length === 1 ? 'serves' : 'serve'} it without DNSSEC signatures: resolvers that check it fail whenever they ask there. Have the zone signed at all name servers, or the DS record removed at the registrar.`,
  }),
  ZONE_IS_ALIAS: defineEntry<{ target: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ target }, { zone, domain }) =>
      `${zone ?? domain} itself is an alias (CNAME) of ${target}. At the top of a zone there can be none (RFC 1034, section 3.6.2): it hides the MX and TXT records of the domain. Replace it by addresses, or by what the DNS host offers for that (ALIAS).`,
  }),
  DELEGATION_LAME: defineEntry<ServerErrors>({
    result: 'warn',
    turn: 'owner',
    describe: ({ errors }, { zone, domain }) =>
      `Not all name servers of ${zone ?? domain} do their work: ${errors.join('; ')}. Have the DNS host fix them, or remove them at the registrar.`,
  }),
};

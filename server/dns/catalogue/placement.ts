import { type About, entry } from './entry.ts';

// Where a record is, what is there in its place, and what is not a matter of its text.

type FoundAt = {
  /** Where else the record was found. */
  foundAt: string;
};

const found = ({ found }: About) => found.join(', ');
const the = ({ type }: About) => `the ${type} record`;
const an = ({ type }: About) => `${/^(A|AAAA|MX|NS)$/.test(type) ? 'an' : 'a'} ${type} record`;
export const add = (about: About) => `Add ${the(about)} with the host "${about.host}" ${about.dnsHost}.`;
export const change = () => 'Change the value.';

export const placement = {
  MATCH: entry({ result: 'ok', turn: null, says: (_, { name }) => `${name} is published and correct.` }),

  NAME_MISSING: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, { name }) => `Nothing exists at ${name}.`,
    todo: (_, about) => add(about),
  }),
  RECORD_MISSING: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, { name, type }) => `The name ${name} exists, but it has no ${type} record.`,
    todo: (_, about) => add(about),
  }),
  NAME_DOUBLED: entry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt }) => `The record was created at ${foundAt}: the DNS host adds the domain name itself.`,
    todo: (_, { host }) => `Edit the record and enter only "${host}" as its host.`,
  }),
  NAME_IN_PARENT: entry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt }, { domain }) => `The right value is at ${foundAt}, for the parent of ${domain}.`,
    todo: ({ foundAt }, { host }) =>
      `Enter "${host}" as the host. If the parent needs the one at ${foundAt} itself, add another.`,
  }),
  WRONG_HOST: entry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt }, { name }) => `The right value is at ${foundAt}, but it belongs to ${name}.`,
    todo: (_, { host }) => `Move the record to the host "${host}", and leave other records where they are.`,
  }),
  ONLY_AT_DOMAIN: entry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt }, { name }) =>
      `The right value is at ${foundAt}, where it may be needed as well, but ${name} does not have it.`,
    todo: ({ foundAt }, about) => `${add(about)} The one at ${foundAt} can stay.`,
  }),
  UNDERSCORE_LOST: entry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt }) => `The record is at ${foundAt}: the host name lost its underscore.`,
    todo: (_, { host }) =>
      `Enter "${host}" with the underscore; a DNS host that refuses it cannot publish this record.`,
  }),
  UNDERSCORE_DOUBLED: entry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt }) => `The record is at ${foundAt}: a part of its host name is there twice.`,
    todo: (_, { host }) => `Edit the record and enter "${host}" as its host.`,
  }),

  WRONG_TARGET: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, about) => `${about.name} points to ${found(about)}; it should point to ${about.expected}.`,
    todo: change,
  }),
  TARGET_DOUBLED: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, about) => `The DNS host added the domain to the target, which became ${found(about)}.`,
    todo: (_, { expected }) => `Enter the target with a dot at its end: "${expected}."`,
  }),
  EXTRA_VALUES: entry<{ others: readonly string[] }>({
    result: 'warn',
    turn: 'owner',
    says: ({ others }, { name }) => `${name} has the record, and others beside it: ${others.join(', ')}.`,
    todo: ({ others }) => `Delete ${others.join(', ')}, unless it is meant to be there.`,
  }),

  PROXIED_CLOUDFLARE: entry({
    result: 'fail',
    turn: 'owner',
    says: () => "The record is proxied by Cloudflare: others see Cloudflare's addresses in its place.",
    todo: () => 'Set the proxy status of this record to "DNS only".',
  }),
  CNAME_FLATTENED: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, { name, found }) =>
      `${name} exists${found.length > 0 ? ' and has addresses' : ''}, but it has no CNAME: it may be that the DNS host resolves the CNAME itself and hides it.`,
    todo: () => 'If the CNAME is there, switch off flattening and the proxy for it. If not, add it.',
  }),
  WRONG_TYPE: entry({
    result: 'fail',
    turn: 'owner',
    says: () => 'The target was published as a TXT record.',
    todo: () => 'Delete the TXT record and create a CNAME with the same host and value.',
  }),
  OTHER_TYPE_AT_NAME: entry<{ types: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    says: ({ types }, { name }) =>
      `Records of type ${types.join(', ')} at ${name} prevent a CNAME there, because a CNAME must be alone.`,
    todo: ({ types }) =>
      `Find out who uses the ${types.join(' and ')} records. If nobody does, delete them and add the CNAME in their place.`,
  }),
  CNAME_AT_NAME: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, about) => `${about.name} is an alias of ${found(about)}, so it cannot have ${an(about)}.`,
    todo: (_, about) =>
      `Delete the CNAME at "${about.host}", then add ${the(about)}. Whatever else uses the alias needs records of its own then.`,
  }),
  WRONG_THROUGH_CNAME: entry<{ target: string; values: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    says: ({ target, values }, { name }) =>
      `${name} leads to ${target}, and the text that receivers get there is not right: ${values.join(', ')}. Whoever keeps ${target} can mend it there.`,
    todo: (_, about) =>
      `If nobody is to keep it for you, delete the CNAME at "${about.host}" and add ${the(about)} in its place.`,
  }),
  TEXT_THROUGH_CNAME: entry({
    result: 'warn',
    turn: 'owner',
    says: (_, about) => `The right text is reached through a CNAME to ${found(about)}, which others can change.`,
    todo: (_, { host }) =>
      `If the CNAME is not meant to be there, delete it at "${host}" and publish the TXT record in its place.`,
  }),
  DMARC_THROUGH_CNAME: entry<{ target: string }>({
    result: 'ok',
    turn: null,
    says: ({ target }, { name }) =>
      `${name} is correct. It is reached through a CNAME to ${target}, as services that look after DMARC records want it.`,
  }),
  MX_THROUGH_CNAME: entry({
    result: 'warn',
    turn: 'owner',
    says: (_, about) =>
      `The right MX is reached through a CNAME to ${found(about)}. Mail follows it, but a provider that looks for the MX at ${about.name} itself does not see one.`,
    todo: (_, { host }) =>
      `If the CNAME is not meant to be there, delete it at "${host}" and publish the MX and the other records of that name in its place.`,
  }),
  ADDRESS_THROUGH_CNAME: entry({
    result: 'warn',
    turn: 'owner',
    says: (_, about) => `The right address is reached through a CNAME to ${found(about)}, which others can change.`,
    todo: (_, about) =>
      `If the CNAME is not meant to be there, delete it at "${about.host}" and publish ${the(about)} in its place.`,
  }),
  SEVERAL_CNAMES: entry<{ targets: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    says: ({ targets }, { name }) =>
      `${name} has more than one CNAME (${targets.join(', ')}), so that answers depend on luck.`,
    todo: (_, { expected }) => `Keep only the CNAME to ${expected}.`,
  }),
  CNAME_AT_APEX: entry({
    result: 'fail',
    turn: 'provider',
    says: (_, { name }) =>
      `${name} is the top of its zone, where there can be no CNAME, because its NS and SOA records have to be there. Leave its records as they are, and ask the provider for another name or another record.`,
  }),
  LISTED_TARGET_BROKEN: entry<{ target: string }>({
    result: 'fail',
    turn: 'provider',
    says: ({ target }, about) =>
      `${about.name} points to ${found(about)}. The listed target ${target} is not in order itself, so leave the record as it is, and ask the provider.`,
  }),
  CNAME_AND_OTHER: entry<{ other: string; values: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    says: ({ other, values }, { name }) =>
      `${name} has a CNAME and other records (${other} ${values.join(', ')}), so that answers depend on luck.`,
    todo: (_, about) => `Keep only ${the(about)}.`,
  }),
  CNAME_CHAIN: entry({
    result: 'warn',
    turn: 'owner',
    says: (_, about) => `${about.name} reaches the right target by a detour over ${found(about)}.`,
    todo: () => 'Point the record directly to its target.',
  }),
  CNAME_LOOP: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, about) =>
      about.found.includes(about.name)
        ? `${about.name} points to itself.`
        : `${about.name} and ${found(about)} point to each other.`,
    todo: (_, about) =>
      about.type === 'CNAME' ? change() : `Delete the CNAME at "${about.host}", then add ${the(about)}.`,
  }),
  TARGET_NOT_THERE: entry<{ target: string }>({
    result: 'warn',
    turn: 'provider',
    says: ({ target }) =>
      `The record is right, but its target ${target} does not exist. There is nothing to change in this zone: ask the provider.`,
  }),
  DKIM_KEY_MISSING: entry<{ target: string }>({
    result: 'fail',
    turn: 'provider',
    says: ({ target }) =>
      `The record is right, but there is no key at its target ${target}, so that receivers cannot verify signatures. There is nothing to change in this zone: ask the provider.`,
  }),
  TARGET_NOT_ASKED: entry<{ target: string; reason: string }>({
    result: 'unknown',
    turn: 'checker',
    says: ({ target, reason }) =>
      `The record is right, but its target ${target} could not be asked (${reason}), so nothing is known about what is there.`,
  }),

  WILDCARD_ANSWERS: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, about) => `${about.name} has no record of its own: a wildcard answers for it with ${found(about)}.`,
    todo: (_, about) =>
      `Add ${the(about)} with the host "${about.host}"; it wins over the wildcard. What else the wildcard says no longer counts for that name then: if it is used, add copies of it.`,
  }),
  DOMAIN_PARKED: entry<{ servers: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    says: ({ servers }, { domain }) =>
      `${domain} is parked: its name servers (${servers.join(', ')}) belong to a company that parks or sells domains, and answer with its own page. Set the name servers of a DNS host at the registrar, then add the records there.`,
  }),
  DOMAIN_EXPIRED: entry<{ servers: readonly string[] }>({
    result: 'fail',
    turn: 'registrar',
    says: ({ servers }, { domain }) =>
      `${domain} has expired or is suspended: the registrar has put its own name servers (${servers.join(', ')}) in place. Renew the domain at the registrar; the records come back with it.`,
  }),
  EDITED_AT_WRONG_HOST: entry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt }, { zone, domain }) =>
      `The record is at ${foundAt}, which is not among the name servers in charge of ${zone ?? domain}: either the zone was edited at a DNS host that nobody asks, or the change has not been passed on yet.`,
    todo: (_, about) => `${add(about)} Or set the name servers at the registrar to those where it was added.`,
  }),

  TYPE_UNSUPPORTED: entry<{ type: string }>({
    result: 'unknown',
    turn: null,
    says: ({ type }) => `Records of type ${type} are not checked.`,
  }),
  NAME_UNREADABLE: entry<{ reason: string }>({ result: 'unknown', turn: 'provider', says: ({ reason }) => reason }),
  NAME_OUTSIDE: entry<{ reason: string }>({ result: 'unknown', turn: 'provider', says: ({ reason }) => reason }),
  VALUE_UNREADABLE: entry<{ reason: string }>({ result: 'unknown', turn: 'provider', says: ({ reason }) => reason }),
};

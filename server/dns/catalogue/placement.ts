import { isKeyName } from '../wire/names.ts';
import { type SentenceContext, defineEntry, describeStrangeLetters } from './catalogueEntry.ts';

// Codes for records at a wrong name, records of other types, and other faults that are not in the text.

type FoundAt = {
  /** The other name of the record. */
  foundAt: string;
};

const formatFound = ({ found }: SentenceContext) => found.join(', ');
const formatTheRecord = ({ type }: SentenceContext) => `the ${type} record`;
const formatARecord = ({ type }: SentenceContext) => `${/^(A|AAAA|MX|NS)$/.test(type) ? 'an' : 'a'} ${type} record`;
export const describeAdding = (about: SentenceContext) =>
  `Add ${formatTheRecord(about)} with the host "${about.host}" ${about.dnsHost}.`;
export const describeChanging = () => 'Change the value.';
/** `user`: another organisation, or a key, for which the present target works; null when none is known. */
type Used = { user: string | null };
/** `what` begins with a small letter, and has no full stop. */
const describeUnlessUsed = (user: string, { name }: SentenceContext, what: string) =>
  `If nothing uses ${user} under this name any more, ${what}. Otherwise leave it, and ask the provider for another ${isKeyName(name) ? 'selector' : 'name'}.`;

/** Whom to ask about a name that a record leads to. */
const describeAskingAbout = (isExpected: boolean) =>
  isExpected
    ? 'There is nothing to change in this zone: ask the provider.'
    : 'Ask the operator of that zone, or remove it from the record.';

export const placement = {
  MATCH: defineEntry({ result: 'ok', turn: null, describe: (_, { name }) => `${name} is published and correct.` }),

  NAME_MISSING: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: (_, { name }) => `Nothing exists at ${name}.`,
    todo: (_, about) => describeAdding(about),
  }),
  RECORD_MISSING: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: (_, { name, type }) => `The name ${name} exists, but it has no ${type} record.`,
    todo: (_, about) => describeAdding(about),
  }),
  NAME_DOUBLED: defineEntry<FoundAt & { isTargetDoubled: boolean }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ foundAt, isTargetDoubled }) =>
      isTargetDoubled
        ? `The record was created at ${foundAt}, and its target was doubled as well: the DNS host adds the domain name itself to a name without a final dot. Only the host belongs there, and the target needs its final dot.`
        : `The record was created at ${foundAt}: the DNS host adds the domain name itself.`,
    todo: ({ isTargetDoubled }, { host }) =>
      `Edit the record and enter only "${host}" as its host${isTargetDoubled ? ', and the target with a final dot' : ''}.`,
  }),
  NAME_IN_PARENT: defineEntry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    describe: ({ foundAt }, { domain }) => `The right value is at ${foundAt}, for the parent of ${domain}.`,
    todo: ({ foundAt }, { host }) =>
      `Enter "${host}" as the host. If the parent needs the one at ${foundAt} itself, add another.`,
  }),
  WRONG_HOST: defineEntry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    describe: ({ foundAt }, { name }) => `The right value is at ${foundAt}, but it belongs to ${name}.`,
    todo: ({ foundAt }, { host }) =>
      `Move the record to the host "${host}", or add another if ${foundAt} needs it itself. Leave other records where they are.`,
  }),
  ONLY_AT_DOMAIN: defineEntry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    describe: ({ foundAt }, { name }) =>
      `The right value is at ${foundAt}, where it may be needed as well, but ${name} does not have it.`,
    todo: ({ foundAt }, about) => `${describeAdding(about)} The one at ${foundAt} can stay.`,
  }),
  UNDERSCORE_LOST: defineEntry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    describe: ({ foundAt }) => `The record is at ${foundAt}: the host name lost its underscore.`,
    todo: (_, { host }) =>
      `Enter "${host}" with the underscore; a DNS host that refuses it cannot publish this record.`,
  }),
  UNDERSCORE_DOUBLED: defineEntry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    describe: ({ foundAt }) => `The record is at ${foundAt}: a part of its host name is there twice.`,
    todo: (_, { host }) => `Edit the record and enter "${host}" as its host.`,
  }),

  WRONG_TARGET: defineEntry<Used>({
    result: 'fail',
    turn: 'owner',
    describe: (_, about) =>
      `${about.name} points to ${formatFound(about)}${describeStrangeLetters(formatFound(about))}; it should point to ${about.expected}.`,
    todo: ({ user }, about) =>
      user === null ? describeChanging() : describeUnlessUsed(user, about, 'change the value'),
  }),
  TARGET_DOUBLED: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: (_, about) => `The DNS host added the domain to the target, which became ${formatFound(about)}.`,
    todo: (_, { expected }) => `Enter the target with a dot at its end: "${expected}."`,
  }),
  EXTRA_VALUES: defineEntry<{ others: readonly string[] }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ others }, { name }) => `${name} has the record, and others beside it: ${others.join(', ')}.`,
    todo: ({ others }) => `Delete ${others.join(', ')}, unless it is meant to be there.`,
  }),

  PROXIED_CLOUDFLARE: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: () => "The record is proxied by Cloudflare: others see Cloudflare's addresses in its place.",
    todo: () => 'Set the proxy status of this record to "DNS only".',
  }),
  /** `isOfTarget`: the addresses are those of the target. */
  CNAME_FLATTENED: defineEntry<{ isOfTarget: boolean }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ isOfTarget }, { name, found, expected }) =>
      isOfTarget
        ? `${name} has the addresses of ${expected}, but no CNAME: the DNS host resolves it itself and hides it (flattening, ALIAS), or they were typed.`
        : `${name} exists${found.length > 0 ? ' and has addresses' : ''}, but it has no CNAME: it may be that the DNS host resolves the CNAME itself and hides it.`,
    todo: ({ isOfTarget }, { found }) =>
      isOfTarget
        ? 'If the CNAME is there, switch off flattening for it. Otherwise replace the addresses or the ALIAS with it.'
        : `If the CNAME is there, switch off flattening and the proxy for it. ${
            found.length === 0
              ? 'If not, add it.'
              : 'If not, find out who uses the addresses: a mail server or a website may. Only if nobody does, delete them and add the CNAME in their place.'
          }`,
  }),
  WRONG_TYPE: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: () => 'The target was published as a TXT record.',
    todo: () => 'Delete the TXT record and create a CNAME with the same host and value.',
  }),
  OTHER_TYPE_AT_NAME: defineEntry<{ types: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ types }, about) =>
      `Records of type ${types.join(', ')} at ${about.name} (${formatFound(about)}) prevent a CNAME there, because a CNAME must be alone.`,
    todo: ({ types }) =>
      `Find out who uses the ${types.join(' and ')} records. If nobody does, delete them and add the CNAME in their place.`,
  }),
  CNAME_AT_NAME: defineEntry<Used>({
    result: 'fail',
    turn: 'owner',
    describe: (_, about) =>
      `${about.name} is an alias of ${formatFound(about)}, so it cannot have ${formatARecord(about)}.`,
    todo: ({ user }, about) =>
      user === null
        ? `Delete the CNAME at "${about.host}", then add ${formatTheRecord(about)}. Whatever else uses the alias needs records of its own then.`
        : describeUnlessUsed(user, about, `delete the CNAME and add ${formatTheRecord(about)}`),
  }),
  WRONG_THROUGH_CNAME: defineEntry<Used & { target: string; values: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ target, values }, { name }) =>
      `${name} leads to ${target}, and the text that receivers get there is not right: ${values.join(', ')}. The operator of ${target} can fix it there.`,
    todo: ({ user }, about) =>
      user === null
        ? `If nobody is to keep it for you, delete the CNAME at "${about.host}" and add ${formatTheRecord(about)} in its place.`
        : describeUnlessUsed(user, about, `delete the CNAME and add ${formatTheRecord(about)}`),
  }),
  TEXT_THROUGH_CNAME: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, about) =>
      `The right text is reached through a CNAME to ${formatFound(about)}, which others can change.`,
    todo: (_, { host }) =>
      `If the CNAME is not meant to be there, delete it at "${host}" and publish the TXT record in its place.`,
  }),
  DMARC_THROUGH_CNAME: defineEntry<{ target: string }>({
    result: 'ok',
    turn: null,
    describe: ({ target }, { name }) =>
      `${name} is correct. It is reached through a CNAME to ${target}, as services that look after DMARC records want it.`,
  }),
  MX_THROUGH_CNAME: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, about) =>
      `The right MX is reached through a CNAME to ${formatFound(about)}. Mail follows it, but a provider that looks for the MX at ${about.name} itself does not see one.`,
    todo: (_, { host }) =>
      `If the CNAME is not meant to be there, delete it at "${host}" and publish the MX and the other records of that name in its place.`,
  }),
  ADDRESS_THROUGH_CNAME: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, about) =>
      `The right address is reached through a CNAME to ${formatFound(about)}, which others can change.`,
    todo: (_, about) =>
      `If the CNAME is not meant to be there, delete it at "${about.host}" and publish ${formatTheRecord(about)} in its place.`,
  }),
  SEVERAL_CNAMES: defineEntry<{ targets: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ targets }, { name }) =>
      `${name} has more than one CNAME (${targets.join(', ')}), so that answers depend on luck.`,
    todo: (_, { expected }) => `Keep only the CNAME to ${expected}.`,
  }),
  CNAME_AT_APEX: defineEntry({
    result: 'fail',
    turn: 'provider',
    describe: (_, { name }) =>
      `${name} is the top of its zone, where there can be no CNAME, because its NS and SOA records have to be there. Leave its records as they are, and ask the provider for another name or another record.`,
  }),
  LISTED_TARGET_BROKEN: defineEntry<{ target: string }>({
    result: 'fail',
    turn: 'provider',
    describe: ({ target }, about) =>
      `${about.name} points to ${formatFound(about)}. The listed target ${target} is not in order itself, so leave the record as it is, and ask the provider.`,
  }),
  CNAME_AND_OTHER: defineEntry<{ other: string; values: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ other, values }, { name }) =>
      `${name} has a CNAME and other records (${other} ${values.join(', ')}), so that answers depend on luck.`,
    todo: (_, about) => `Keep only ${formatTheRecord(about)}.`,
  }),
  CNAME_CHAIN: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, about) => `${about.name} reaches the right target by a detour over ${formatFound(about)}.`,
    todo: () => 'Point the record directly to its target.',
  }),
  CNAME_LOOP: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: (_, about) =>
      about.found.includes(about.name)
        ? `${about.name} points to itself.`
        : `${about.name} and ${formatFound(about)} point to each other.`,
    todo: (_, about) =>
      about.type === 'CNAME'
        ? describeChanging()
        : `Delete the CNAME at "${about.host}", then add ${formatTheRecord(about)}.`,
  }),
  TARGET_NOT_THERE: defineEntry<{ target: string }>({
    result: 'warn',
    turn: 'provider',
    describe: ({ target }) =>
      `The record is right, but its target ${target} does not exist. There is nothing to change in this zone: ask the provider.`,
  }),
  DKIM_KEY_MISSING: defineEntry<{ target: string }>({
    result: 'fail',
    turn: 'provider',
    describe: ({ target }) =>
      `The record is right, but there is no key at its target ${target}, so that receivers cannot verify signatures. There is nothing to change in this zone: ask the provider.`,
  }),
  /** `broken`: the zone; null when it is not known. */
  TARGET_BOGUS: defineEntry<{
    target: string;
    asked: string;
    isExpected: boolean;
    broken: string | null;
    reason: string;
  }>({
    result: 'fail',
    turn: ({ isExpected }) => (isExpected ? 'provider' : 'owner'),
    describe: ({ target, isExpected, broken, reason }) =>
      `The record leads to ${target}, but DNSSEC of ${broken ?? 'that name'} is broken${reason && ` (${reason})`}: receivers that check it see nothing there. ${describeAskingAbout(isExpected)}`,
  }),
  TARGET_LOOP: defineEntry<{ target: string; asked: string; isExpected: boolean }>({
    result: 'fail',
    turn: ({ isExpected }) => (isExpected ? 'provider' : 'owner'),
    describe: ({ target, isExpected }) =>
      `The record leads to ${target}, which is an alias that leads back to itself, so that receivers find nothing there. ${describeAskingAbout(isExpected)}`,
  }),
  TARGET_NOT_ASKED: defineEntry<{ target: string; asked: string; reason: string }>({
    result: 'unknown',
    turn: 'checker',
    // The priority of an MX is judged after its host.
    describe: ({ target, reason }, { type }) =>
      `The record is ${type === 'MX' ? 'there' : 'right'}, but its target ${target} could not be asked (${reason}), so nothing is known about what is there.`,
  }),

  WILDCARD_ANSWERS: defineEntry({
    result: 'fail',
    turn: 'owner',
    describe: (_, about) =>
      `${about.name} has no record of its own: a wildcard answers for it with ${formatFound(about)}.`,
    todo: (_, about) =>
      `Add ${formatTheRecord(about)} with the host "${about.host}"; it wins over the wildcard. What else the wildcard says no longer counts for that name then: if it is used, add copies of it.`,
  }),
  /** `existing`: the name that hides it. */
  WILDCARD_SHADOWED: defineEntry<{ wildcard: string; existing: string }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ wildcard, existing }, { type }) =>
      `The wildcard ${wildcard} has the right ${type} record, but a wildcard does not apply at or below a name that exists, and ${existing} has records or names below it.`,
    todo: (_, about) => describeAdding(about),
  }),
  DOMAIN_PARKED: defineEntry<{ servers: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    describe: ({ servers }, { domain }) =>
      `${domain} is parked: its name servers (${servers.join(', ')}) belong to a company that parks or sells domains, and answer with its own page. Set the name servers of a DNS host at the registrar, then add the records there.`,
  }),
  DOMAIN_EXPIRED: defineEntry<{ servers: readonly string[] }>({
    result: 'fail',
    turn: 'registrar',
    describe: ({ servers }, { domain }) =>
      `${domain} has expired or is suspended: the registrar has put its own name servers (${servers.join(', ')}) in place. Renew the domain at the registrar; the records come back with it.`,
  }),
  EDITED_AT_WRONG_HOST: defineEntry<FoundAt>({
    result: 'fail',
    turn: 'owner',
    describe: ({ foundAt }, { zone, domain }) =>
      `The record is at ${foundAt}, which is not among the name servers in charge of ${zone ?? domain}: either the zone was edited at a DNS host that nobody asks, or the change has not been passed on yet.`,
    todo: (_, about) =>
      `${describeAdding(about)} Or set the name servers at the registrar to those where it was added.`,
  }),

  TYPE_UNSUPPORTED: defineEntry<{ type: string }>({
    result: 'unknown',
    turn: null,
    describe: ({ type }) => `Records of type ${type} are not checked.`,
  }),
  NAME_UNREADABLE: defineEntry<{ reason: string }>({
    result: 'unknown',
    turn: 'provider',
    describe: ({ reason }) => reason,
  }),
  NAME_OUTSIDE: defineEntry<{ reason: string }>({
    result: 'unknown',
    turn: 'provider',
    describe: ({ reason }) => reason,
  }),
  VALUE_UNREADABLE: defineEntry<{ reason: string }>({
    result: 'unknown',
    turn: 'provider',
    describe: ({ reason }) => reason,
  }),
};

import { isKeyName } from '../wire/names.ts';
import { type SentenceContext, fail, warn, ok, unknown, describeStrangeLetters } from './catalogueEntry.ts';

// Codes for records at a wrong name, of another type, and other faults outside the text.

type FoundAt = {
  foundAt: string;
};

const formatFound = ({ found }: SentenceContext) => found.join(', ');
const formatTheRecord = ({ type }: SentenceContext) => `the ${type} record`;
const formatARecord = ({ type }: SentenceContext) => `${/^(A|AAAA|MX|NS)$/.test(type) ? 'an' : 'a'} ${type} record`;
export const describeAdding = (about: SentenceContext) =>
  `Add ${formatTheRecord(about)} with the host "${about.host}" ${about.dnsHost}.`;
export const describeChanging = () => 'Change the value.';
/** `user`: another organisation or key that the current target works for; null if unknown. */
type Used = { user: string | null };
const isUsed = ({ user }: Used) => user !== null;
/** `what`: lowercase, without a full stop. */
const describeUnlessUsed = (user: string, { name }: SentenceContext, what: string) =>
  `If nothing uses ${user} under this name any more, ${what}. Otherwise leave it and ask the provider for another ${isKeyName(name) ? 'selector' : 'name'}.`;

const describeAskingAbout = (isExpected: boolean) =>
  isExpected
    ? "There's nothing to change in this zone: ask the provider."
    : 'Ask the operator of that zone, or remove it from the record.';

export const placement = {
  MATCH: ok({ describe: (_, { name }) => `${name} is published and correct.` }),

  NAME_MISSING: fail({
    describe: (_, { name }) => `Nothing exists at ${name}.`,
    todo: (_, about) => describeAdding(about),
  }),
  RECORD_MISSING: fail({
    describe: (_, { name, type }) => `${name} exists, but has no ${type} record.`,
    todo: (_, about) => describeAdding(about),
  }),
  NAME_DOUBLED: fail<FoundAt & { isTargetDoubled: boolean }>({
    describe: ({ foundAt, isTargetDoubled }) =>
      isTargetDoubled
        ? `The record was created at ${foundAt}, and its target was doubled too: the DNS host appends the domain to names without a final dot. Enter only the host, and end the target with a dot.`
        : `The record was created at ${foundAt}: the DNS host appends the domain itself.`,
    todo: ({ isTargetDoubled }, { host }) =>
      `Edit the record and enter only "${host}" as its host${isTargetDoubled ? ', and the target with a final dot' : ''}.`,
  }),
  NAME_IN_PARENT: fail<FoundAt>({
    describe: ({ foundAt }, { domain }) => `The value is correct, but at ${foundAt}, for the parent of ${domain}.`,
    todo: ({ foundAt }, { host }) =>
      `Enter "${host}" as the host. If the parent needs the record at ${foundAt}, add another.`,
  }),
  WRONG_HOST: fail<FoundAt>({
    describe: ({ foundAt }, { name }) => `The value is correct, but at ${foundAt} instead of ${name}.`,
    todo: ({ foundAt }, { host }) =>
      `Move the record to the host "${host}", or add another if ${foundAt} needs it. Leave other records where they are.`,
  }),
  ONLY_AT_DOMAIN: fail<FoundAt>({
    describe: ({ foundAt }, { name }) => `The value is at ${foundAt}, where it may be needed too, but not at ${name}.`,
    todo: ({ foundAt }, about) => `${describeAdding(about)} Keep the one at ${foundAt}.`,
  }),
  UNDERSCORE_LOST: fail<FoundAt>({
    describe: ({ foundAt }) => `The record is at ${foundAt}: the host name lost its underscore.`,
    todo: (_, { host }) => `Enter "${host}" with the underscore; a DNS host that rejects it can't publish this record.`,
  }),
  UNDERSCORE_DOUBLED: fail<FoundAt>({
    describe: ({ foundAt }) => `The record is at ${foundAt}: a part of its host name is doubled.`,
    todo: (_, { host }) => `Edit the record and enter "${host}" as its host.`,
  }),

  WRONG_TARGET: fail<Used>({
    describe: (_, about) =>
      `${about.name} points to ${formatFound(about)}${describeStrangeLetters(formatFound(about))}; it should point to ${about.expected}.`,
    todo: ({ user }, about) =>
      user === null ? describeChanging() : describeUnlessUsed(user, about, 'change the value'),
    needsDecision: isUsed,
  }),
  TARGET_DOUBLED: fail({
    describe: (_, about) => `The DNS host appended the domain to the target, which became ${formatFound(about)}.`,
    todo: (_, { expected }) => `Enter the target with a final dot: "${expected}."`,
  }),
  EXTRA_VALUES: warn<{ others: readonly string[] }>({
    describe: ({ others }, { name }) => `${name} has the record, but also others: ${others.join(', ')}.`,
    todo: ({ others }) => `Delete ${others.join(', ')}, unless it's intended.`,
  }),

  PROXIED_CLOUDFLARE: fail({
    describe: () => "The record is proxied by Cloudflare: others see Cloudflare's addresses instead.",
    todo: () => 'Set the proxy status of this record to "DNS only".',
  }),
  /** `isOfTarget`: the addresses are those of the target. */
  CNAME_FLATTENED: fail<{ isOfTarget: boolean }>({
    describe: ({ isOfTarget }, { name, found, expected }) =>
      isOfTarget
        ? `${name} has the addresses of ${expected}, but no CNAME: the DNS host resolves and hides it (flattening, ALIAS), or they were entered by hand.`
        : `${name} exists${found.length > 0 ? ' and has addresses' : ''}, but has no CNAME: the DNS host may resolve and hide it.`,
    todo: ({ isOfTarget }, { found }) =>
      isOfTarget
        ? 'If the CNAME exists at the DNS host, turn off flattening for it. Otherwise replace the addresses or the ALIAS with it.'
        : `If the CNAME exists at the DNS host, turn off flattening and the proxy for it. ${
            found.length === 0
              ? 'If not, add it.'
              : 'If not, find out who uses the addresses, such as a mail server or website. Only if nobody does, replace them with the CNAME.'
          }`,
    needsDecision: true,
  }),
  WRONG_TYPE: fail({
    describe: () => 'The target was published as a TXT record.',
    todo: () => 'Delete the TXT record and create a CNAME with the same host and value.',
  }),
  OTHER_TYPE_AT_NAME: fail<{ types: readonly string[] }>({
    describe: ({ types }, about) =>
      `Records of type ${types.join(', ')} at ${about.name} (${formatFound(about)}) prevent a CNAME there, because a CNAME must be the only record.`,
    todo: ({ types }) =>
      `Find out who uses the ${types.join(' and ')} records. If nobody does, replace them with the CNAME.`,
    needsDecision: true,
  }),
  CNAME_AT_NAME: fail<Used>({
    describe: (_, about) =>
      `${about.name} is an alias of ${formatFound(about)}, so it can't have ${formatARecord(about)}.`,
    todo: ({ user }, about) =>
      user === null
        ? `Delete the CNAME at "${about.host}", then add ${formatTheRecord(about)}. Anything else that uses the alias then needs its own records.`
        : describeUnlessUsed(user, about, `delete the CNAME and add ${formatTheRecord(about)}`),
    needsDecision: isUsed,
  }),
  WRONG_THROUGH_CNAME: fail<Used & { target: string; values: readonly string[] }>({
    describe: ({ target, values }, { name }) =>
      `${name} points to ${target}, which has the wrong text: ${values.join(', ')}. The operator of ${target} can fix it there.`,
    todo: ({ user }, about) =>
      user === null
        ? `If nobody manages it for you, replace the CNAME at "${about.host}" with ${formatTheRecord(about)}.`
        : describeUnlessUsed(user, about, `delete the CNAME and add ${formatTheRecord(about)}`),
    needsDecision: true,
  }),
  TEXT_THROUGH_CNAME: warn({
    describe: (_, about) =>
      `The text is correct, but comes through a CNAME to ${formatFound(about)}, which others can change.`,
    todo: (_, { host }) => `If the CNAME isn't intended, replace it at "${host}" with the TXT record.`,
  }),
  DMARC_THROUGH_CNAME: ok<{ target: string }>({
    describe: ({ target }, { name }) =>
      `${name} is correct. It comes through a CNAME to ${target}, as DMARC services require.`,
  }),
  MX_THROUGH_CNAME: warn({
    describe: (_, about) =>
      `The MX is correct, but comes through a CNAME to ${formatFound(about)}. Mail follows it, but a provider that looks for the MX at ${about.name} itself doesn't see one.`,
    todo: (_, { host }) =>
      `If the CNAME isn't intended, replace it at "${host}" with the MX and the other records of that name.`,
  }),
  ADDRESS_THROUGH_CNAME: warn({
    describe: (_, about) =>
      `The address is correct, but comes through a CNAME to ${formatFound(about)}, which others can change.`,
    todo: (_, about) => `If the CNAME isn't intended, replace it at "${about.host}" with ${formatTheRecord(about)}.`,
  }),
  SEVERAL_CNAMES: fail<{ targets: readonly string[] }>({
    describe: ({ targets }, { name }) => `${name} has more than one CNAME (${targets.join(', ')}), so responses vary.`,
    todo: (_, { expected }) => `Keep only the CNAME to ${expected}.`,
  }),
  CNAME_AT_APEX: fail({
    turn: 'provider',
    describe: (_, { name }) =>
      `${name} is the top of its zone, which can't have a CNAME because it needs NS and SOA records. Leave its records as they are, and ask the provider for another name or another record.`,
  }),
  LISTED_TARGET_BROKEN: fail<{ target: string }>({
    turn: 'provider',
    describe: ({ target }, about) =>
      `${about.name} points to ${formatFound(about)}. The listed target ${target} is broken itself, so leave the record as it is and ask the provider.`,
  }),
  CNAME_AND_OTHER: fail<{ other: string; values: readonly string[] }>({
    describe: ({ other, values }, { name }) =>
      `${name} has a CNAME and other records (${other} ${values.join(', ')}), so responses vary.`,
    todo: (_, about) => `Keep only ${formatTheRecord(about)}.`,
  }),
  CNAME_CHAIN: warn({
    describe: (_, about) => `${about.name} reaches the correct target through ${formatFound(about)}.`,
    todo: () => 'Point the record directly to its target.',
  }),
  CNAME_LOOP: fail({
    describe: (_, about) =>
      about.found.includes(about.name)
        ? `${about.name} points to itself.`
        : `${about.name} and ${formatFound(about)} point to each other.`,
    todo: (_, about) =>
      about.type === 'CNAME'
        ? describeChanging()
        : `Delete the CNAME at "${about.host}", then add ${formatTheRecord(about)}.`,
  }),
  TARGET_NOT_THERE: warn<{ target: string }>({
    turn: 'provider',
    describe: ({ target }) =>
      `The record is correct, but its target ${target} doesn't exist. There's nothing to change in this zone: ask the provider.`,
  }),
  DKIM_KEY_MISSING: fail<{ target: string }>({
    turn: 'provider',
    describe: ({ target }) =>
      `The record is correct, but its target ${target} has no key, so receivers can't verify signatures. There's nothing to change in this zone: ask the provider.`,
  }),
  /** `broken`: the zone; null if unknown. */
  TARGET_BOGUS: fail<{
    target: string;
    asked: string;
    isExpected: boolean;
    broken: string | null;
    reason: string;
  }>({
    turn: ({ isExpected }) => (isExpected ? 'provider' : 'owner'),
    describe: ({ target, isExpected, broken, reason }) =>
      `The record points to ${target}, but DNSSEC of ${broken ?? 'that name'} is broken${reason && ` (${reason})`}: receivers that validate it see nothing there. ${describeAskingAbout(isExpected)}`,
  }),
  TARGET_LOOP: fail<{ target: string; asked: string; isExpected: boolean }>({
    turn: ({ isExpected }) => (isExpected ? 'provider' : 'owner'),
    describe: ({ target, isExpected }) =>
      `The record points to ${target}, an alias that leads back to itself, so receivers find nothing there. ${describeAskingAbout(isExpected)}`,
  }),
  TARGET_NOT_ASKED: unknown<{ target: string; asked: string; reason: string }>({
    // An MX's priority is judged after its host.
    describe: ({ target, reason }, { type }) =>
      `The record ${type === 'MX' ? 'exists' : 'is correct'}, but its target ${target} couldn't be queried (${reason}), so the target is unknown.`,
  }),

  WILDCARD_ANSWERS: fail({
    describe: (_, about) => `${about.name} has no record of its own: a wildcard provides ${formatFound(about)}.`,
    todo: (_, about) =>
      `Add ${formatTheRecord(about)} with the host "${about.host}"; it overrides the wildcard. The wildcard's other records then no longer apply to that name: if they're used, add copies.`,
  }),
  /** `existing`: the name that hides it. */
  WILDCARD_SHADOWED: fail<{ wildcard: string; existing: string }>({
    describe: ({ wildcard, existing }, { type }) =>
      `The wildcard ${wildcard} has the correct ${type} record, but wildcards don't apply at or below an existing name, and ${existing} has records or names below it.`,
    todo: (_, about) => describeAdding(about),
  }),
  DOMAIN_PARKED: fail<{ servers: readonly string[] }>({
    describe: ({ servers }, { domain }) =>
      `${domain} is parked: its name servers (${servers.join(', ')}) belong to a company that parks or sells domains. Set the name servers of a DNS host at the registrar, then add the records there.`,
  }),
  DOMAIN_EXPIRED: fail<{ servers: readonly string[] }>({
    turn: 'registrar',
    describe: ({ servers }, { domain }) =>
      `${domain} has expired or is suspended: the registrar has set its own name servers (${servers.join(', ')}). Renew the domain at the registrar; the records come back with it.`,
  }),
  EDITED_AT_WRONG_HOST: fail<FoundAt>({
    describe: ({ foundAt }, { zone, domain }) =>
      `The record is at ${foundAt}, which isn't an authoritative name server of ${zone ?? domain}: either the zone was edited at the wrong DNS host, or the change hasn't been transferred yet.`,
    todo: (_, about) => `${describeAdding(about)} Or set the name servers where it was added at the registrar.`,
  }),

  TYPE_UNSUPPORTED: unknown<{ type: string }>({
    turn: null,
    describe: ({ type }) => `Records of type ${type} aren't checked.`,
  }),
  NAME_UNREADABLE: unknown<{ reason: string }>({
    turn: 'provider',
    describe: ({ reason }) => reason,
  }),
  NAME_OUTSIDE: unknown<{ reason: string }>({
    turn: 'provider',
    describe: ({ reason }) => reason,
  }),
  VALUE_UNREADABLE: unknown<{ reason: string }>({
    turn: 'provider',
    describe: ({ reason }) => reason,
  }),
};

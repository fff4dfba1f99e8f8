import type { Fix, Result } from '#contract/dnsCheck.ts';
import { relativeTo } from '#contract/dnsName.ts';
import type { Expectation } from './expectation.ts';
import { aboutMerged } from './spf.ts';

/** What sentences are made of. Names and values in it come from the DNS: whoever prints them makes them harmless. */
export type Facts = {
  expected: Expectation;
  /** The zone the name lies in, as far as anybody could tell. */
  zone: string;
  found: readonly string[];
  detail: string;
  /** Where else the record was found. */
  foundAt: string;
  /** Of an SPF record to publish: includes in place of redirects, and words that it has no longer. */
  included: readonly string[];
  leftOut: readonly string[];
  /** Who answers for the zone: a known company, or its name servers. */
  host: string;
  /** When an old answer is forgotten at the latest, as `10:14:05 UTC`. */
  until: string;
};

type Finding = {
  result: Result;
  says: (facts: Facts) => string;
  /** What to do; null when there is nothing for the owner of the domain to type. */
  todo: ((facts: Facts) => string) | null;
};

const host = ({ expected, zone }: Facts) => relativeTo(expected.name, zone);
const what = ({ expected }: Facts) =>
  `${expected.type === 'A' || expected.type === 'AAAA' || expected.type === 'MX' || expected.type === 'NS' ? 'an' : 'a'} ${expected.type} record`;
const the = ({ expected }: Facts) => `the ${expected.type} record`;
const found = ({ found }: Facts) => found.join(', ');
const add = (facts: Facts) => `Add ${the(facts)} with the host "${host(facts)}" ${facts.host}.`;
const change = () => 'Change the value.';
const replace = (facts: Facts) => `Publish this record in its place.${aboutMerged(facts)}`;

/** Every code with its result, its diagnosis and its fix, in one sentence each. Codes stay; sentences may change. */
const findings = {
  MATCH: { result: 'ok', says: ({ expected }) => `${expected.name} is published and correct.`, todo: null },

  NAME_MISSING: { result: 'fail', says: ({ expected }) => `Nothing exists at ${expected.name}.`, todo: add },
  RECORD_MISSING: {
    result: 'fail',
    says: (facts) => `The name ${facts.expected.name} exists, but it has no ${facts.expected.type} record.`,
    todo: add,
  },
  NAME_DOUBLED: {
    result: 'fail',
    says: ({ foundAt }) => `The record was created at ${foundAt}: the DNS host adds the domain name itself.`,
    todo: (facts) => `Edit the record and enter only "${host(facts)}" as its host.`,
  },
  NAME_IN_PARENT: {
    result: 'fail',
    says: ({ foundAt, expected }) => `The right value is at ${foundAt}, for the parent of ${expected.domain}.`,
    todo: (facts) =>
      `Enter "${host(facts)}" as the host. If the parent needs the one at ${facts.foundAt} itself, add another.`,
  },
  WRONG_HOST: {
    result: 'fail',
    says: ({ foundAt, expected }) => `The right value is at ${foundAt}, but it belongs to ${expected.name}.`,
    todo: (facts) => `Move the record to the host "${host(facts)}", and leave other records where they are.`,
  },
  ONLY_AT_DOMAIN: {
    result: 'fail',
    says: ({ foundAt, expected }) =>
      `The right value is at ${foundAt}, where it may be needed as well, but ${expected.name} does not have it.`,
    todo: (facts) => `${add(facts)} The one at ${facts.foundAt} can stay.`,
  },
  UNDERSCORE_LOST: {
    result: 'fail',
    says: ({ foundAt }) => `The record is at ${foundAt}: the host name lost its underscore.`,
    todo: (facts) =>
      `Enter "${host(facts)}" with the underscore; a DNS host that refuses it cannot publish this record.`,
  },
  WRONG_TARGET: {
    result: 'fail',
    says: (facts) => `${facts.expected.name} points to ${found(facts)}; it should point to ${facts.expected.value}.`,
    todo: change,
  },
  WRONG_VALUE: {
    result: 'fail',
    says: ({ expected }) => `The record at ${expected.name} has another value than it should have.`,
    todo: change,
  },
  TARGET_DOUBLED: {
    result: 'fail',
    says: (facts) => `The DNS host added the domain to the target, which became ${found(facts)}.`,
    todo: ({ expected }) => `Enter the target with a dot at its end: "${expected.value}."`,
  },
  EXTRA_VALUES: {
    result: 'warn',
    says: ({ expected, detail }) => `${expected.name} has the record, and others beside it: ${detail}.`,
    todo: ({ detail }) => `Delete ${detail}, unless it is meant to be there.`,
  },

  PROXIED_CLOUDFLARE: {
    result: 'fail',
    says: () => "The record is proxied by Cloudflare: others see Cloudflare's addresses in its place.",
    todo: () => 'Set the proxy status of this record to "DNS only".',
  },
  CNAME_FLATTENED: {
    result: 'fail',
    says: ({ expected, found }) =>
      `${expected.name} exists${found.length > 0 ? ' and has addresses' : ''}, but it has no CNAME: it may be that the DNS host resolves the CNAME itself and hides it.`,
    todo: () => 'If the CNAME is there, switch off flattening and the proxy for it; if not, add it.',
  },
  WRONG_TYPE: {
    result: 'fail',
    says: () => 'The target was published as a TXT record.',
    todo: () => 'Delete the TXT record and create a CNAME with the same host and value.',
  },
  TXT_COPIED_FROM_TARGET: {
    result: 'warn',
    says: () => 'The key is published here directly, which works until the provider changes it.',
    todo: () => 'Put the CNAME in place of the TXT record.',
  },
  OTHER_TYPE_AT_NAME: {
    result: 'fail',
    says: ({ expected, detail }) => `Records of type ${detail} at ${expected.name} prevent a CNAME there.`,
    todo: () => 'Remove them, because a CNAME must be alone, then add the CNAME.',
  },
  CNAME_AT_NAME: {
    result: 'fail',
    says: (facts) => `${facts.expected.name} is an alias of ${found(facts)}, so it cannot have ${what(facts)}.`,
    todo: (facts) => `Delete the CNAME at "${host(facts)}", then add ${the(facts)}.`,
  },
  TEXT_THROUGH_CNAME: {
    result: 'warn',
    says: (facts) => `The right text is reached through a CNAME to ${found(facts)}, which others can change.`,
    todo: () => 'Publish the TXT record itself, unless the CNAME is meant to be there.',
  },
  ADDRESS_THROUGH_CNAME: {
    result: 'warn',
    says: (facts) => `The right address is reached through a CNAME to ${found(facts)}, which others can change.`,
    todo: (facts) => `Publish ${the(facts)} itself, unless the CNAME is meant to be there.`,
  },
  SEVERAL_CNAMES: {
    result: 'fail',
    says: ({ expected }) => `${expected.name} has more than one CNAME, so that answers depend on luck.`,
    todo: ({ expected }) => `Keep only the CNAME to ${expected.value}.`,
  },
  CNAME_AND_OTHER: {
    result: 'fail',
    says: ({ expected, detail }) =>
      `${expected.name} has a CNAME and other records (${detail}), so that answers depend on luck.`,
    todo: (facts) => `Keep only ${the(facts)}.`,
  },
  CNAME_CHAIN: {
    result: 'warn',
    says: (facts) => `${facts.expected.name} reaches the right target by a detour over ${found(facts)}.`,
    todo: () => 'Point the record directly to its target.',
  },
  CNAME_LOOP: {
    result: 'fail',
    says: (facts) => `${facts.expected.name} and ${found(facts)} point to each other.`,
    todo: change,
  },
  TARGET_NOT_THERE: {
    result: 'warn',
    says: ({ expected }) =>
      `The record is right, but its target ${expected.value} does not exist at the provider. There is nothing to change in this zone: ask the provider.`,
    todo: null,
  },
  WILDCARD_ANSWERS: {
    result: 'fail',
    says: (facts) => `${facts.expected.name} has no record of its own: a wildcard answers for it with ${found(facts)}.`,
    todo: (facts) => `Add ${the(facts)} with the host "${host(facts)}"; it wins over the wildcard.`,
  },

  MX_PRIORITY: {
    result: 'warn',
    says: ({ expected, detail }) => `Mail works, but the priority is ${detail} instead of ${expected.priority}.`,
    todo: ({ expected }) => `Set the priority to ${expected.priority}.`,
  },
  EXTRA_MX: {
    result: 'fail',
    says: ({ expected, detail }) =>
      `${expected.name} has other MX records too (${detail}), and the provider accepts exactly one.`,
    todo: ({ detail }) => `Delete ${detail}. If it is needed, choose another MAIL FROM name.`,
  },
  PRIORITY_IN_HOST: {
    result: 'fail',
    says: () => 'The priority was typed into the field of the server.',
    todo: ({ expected }) => `Enter the priority in its own field, and only ${expected.value} as the server.`,
  },
  MX_IS_ADDRESS: {
    result: 'fail',
    says: (facts) => `The MX names the address ${found(facts)}, but it must name a host.`,
    todo: change,
  },
  NULL_MX: {
    result: 'fail',
    says: ({ expected }) => `${expected.name} declares that it accepts no mail.`,
    todo: () => 'Put the expected MX in its place.',
  },

  TEXT_MISSING: {
    result: 'fail',
    says: ({ expected, detail }) => `The expected text is not among the TXT records at ${expected.name} (${detail}).`,
    todo: (facts) => `Add the TXT record at "${host(facts)}"; other TXT records can stay.`,
  },
  QUOTES_IN_VALUE: {
    result: 'fail',
    says: () => 'Quotation marks or backslashes became a part of the value.',
    todo: () => 'Enter the value without them.',
  },
  SPACES_AROUND: {
    result: 'fail',
    says: () => 'A blank before the value makes receivers ignore the record.',
    todo: () => 'Remove the blanks around the value.',
  },
  SPACE_LOST_AT_SPLIT: {
    result: 'fail',
    says: () => 'The text was split into pieces, and a blank was lost where they meet.',
    todo: () => 'Enter it as one piece, or put the blank inside the quotation marks.',
  },
  VALUE_CUT: {
    result: 'fail',
    says: () => 'The DNS host cut the value at its limit of about 255 characters.',
    todo: () => 'Enter the value as two quoted strings in one record.',
  },
  KEY_IN_SEVERAL_RECORDS: {
    result: 'fail',
    says: ({ expected, detail }) =>
      `There are ${detail} TXT records at ${expected.name}, where receivers expect one key.`,
    todo: () => 'Keep one record with the whole value, and delete the others.',
  },
  DKIM_REVOKED: { result: 'fail', says: () => 'The key is withdrawn: its "p=" is empty.', todo: change },
  DKIM_SYNTAX: { result: 'fail', says: () => 'Receivers cannot read the published key.', todo: change },
  EXPECTED_KEY_UNREADABLE: {
    result: 'fail',
    says: () => 'Receivers cannot read the key that should be published. The provider must give another one.',
    todo: null,
  },
  DKIM_WEAK_KEY: {
    result: 'fail',
    says: ({ detail }) =>
      `Receivers refuse the key that should be published, because ${detail} bits are too short. The provider must make a longer one.`,
    todo: null,
  },
  DKIM_SHORT_KEY: {
    result: 'warn',
    says: ({ detail }) => `The key is published and correct. It has ${detail} bits; 2048 are what receivers recommend.`,
    todo: null,
  },
  SPF_MISSING: {
    result: 'fail',
    says: ({ expected, detail }) =>
      `There is no SPF record among the TXT records at ${expected.name} (${detail} found).`,
    todo: (facts) => `Add the TXT record at "${host(facts)}"; other TXT records can stay.`,
  },
  SEVERAL_SPF: {
    result: 'fail',
    says: ({ expected }) => `${expected.name} has several SPF records, which receivers treat as broken.`,
    todo: (facts) => `Delete them and publish this one.${aboutMerged(facts)}`,
  },
  SPF_WITHOUT_INCLUDE: {
    result: 'fail',
    says: ({ detail }) => `The SPF record does not have ${detail}.`,
    todo: replace,
  },
  SPF_ALLOWS_ALL: {
    result: 'fail',
    says: () => 'The SPF record allows everybody to send.',
    todo: replace,
  },
  SPF_WITHOUT_ALL: {
    result: 'warn',
    says: () => 'The SPF record does not say what to do with senders that it does not name.',
    todo: replace,
  },
  SPF_SYNTAX: {
    result: 'fail',
    says: ({ detail }) => `Receivers treat the SPF record as broken, because they cannot read ${detail}.`,
    todo: replace,
  },
  SPF_INCLUDE_BROKEN: {
    result: 'fail',
    says: ({ detail }) => `Receivers treat the SPF record as broken, because ${detail}.`,
    todo: replace,
  },
  SPF_TOO_MANY_LOOKUPS: {
    result: 'fail',
    says: ({ detail }) =>
      `The SPF record needs more than 10 look-ups, which receivers treat as broken: ${detail}. Remove what is no longer used.`,
    todo: null,
  },
  SPF_VOID_LOOKUPS: {
    result: 'fail',
    says: ({ detail }) => `The SPF record names what does not exist, more often than receivers allow: ${detail}.`,
    todo: replace,
  },
  SPF_LOOP: {
    result: 'fail',
    says: ({ detail }) => `The SPF record includes itself by way of ${detail}.`,
    todo: replace,
  },
  DMARC_MISSING: {
    result: 'fail',
    says: ({ expected, detail }) =>
      `There is no DMARC record among the TXT records at ${expected.name} (${detail} found).`,
    todo: add,
  },
  SEVERAL_DMARC: {
    result: 'fail',
    says: ({ expected }) => `${expected.name} has several DMARC records, which receivers ignore.`,
    todo: () => 'Keep one of them.',
  },
  DMARC_SYNTAX: {
    result: 'fail',
    says: (facts) => `Receivers cannot read the DMARC record ${found(facts)}.`,
    todo: () => 'Write it as tags with semicolons between them.',
  },

  CACHED_NEGATIVE: {
    result: 'pending',
    says: ({ until }) =>
      `The name servers answer correctly. A resolver that asked too early remembers until ${until} that there was nothing; there is nothing to change.`,
    todo: null,
  },
  CACHED_OLD_VALUE: {
    result: 'pending',
    says: ({ until }) =>
      `The name servers answer correctly. A resolver remembers the old value until ${until}; there is nothing to change.`,
    todo: null,
  },
  STILL_CACHED: {
    result: 'fail',
    says: ({ until }) =>
      `The record was removed or changed at the name servers. Resolvers still know it, until ${until} at the latest.`,
    todo: (facts) => `Publish ${the(facts)} again now, before mail starts to fail.`,
  },
  SPLIT_HORIZON: {
    result: 'fail',
    says: ({ expected, zone }) =>
      `The resolver here answers from another version of ${zone} than the name servers in charge have: outside, ${expected.name} is not there or not right.`,
    todo: (facts) => `Publish ${the(facts)} in the public zone too, with the host "${host(facts)}" ${facts.host}.`,
  },
  MISSING_INSIDE: {
    result: 'warn',
    says: ({ expected, zone }) =>
      `${expected.name} is published and correct, but the resolver here answers from another version of ${zone}, which lacks it.`,
    todo: (facts) => `Add ${the(facts)} to the internal zone as well, if mail is sent from inside.`,
  },
  EDITED_AT_WRONG_HOST: {
    result: 'fail',
    says: ({ foundAt, zone }) =>
      `The record is at ${foundAt}, which is not among the name servers in charge of ${zone}: either the zone was edited at a DNS host that nobody asks, or the change has not been passed on yet.`,
    todo: (facts) => `${add(facts)} Or set the name servers at the registrar to those where it was added.`,
  },
  SOME_NAMESERVERS_WRONG: {
    result: 'warn',
    says: ({ detail }) =>
      `Not all name servers have the record: ${detail}. If that lasts for more than an hour, tell the DNS host.`,
    todo: null,
  },
  SOME_NAMESERVERS_SILENT: {
    result: 'warn',
    says: ({ detail }) => `The record is right, but not all name servers answer: ${detail}. Tell the DNS host.`,
    todo: null,
  },
  NAMESERVERS_FAIL: {
    result: 'fail',
    says: ({ zone, expected, detail }) =>
      `No name server answers for ${zone || expected.domain}${detail && ` (${detail})`}. Set the name servers at the registrar, or create the zone at the DNS host.`,
    todo: null,
  },
  DNSSEC_BOGUS: {
    result: 'fail',
    says: ({ expected, detail }) =>
      `DNSSEC of ${expected.domain} is broken${detail && ` (${detail})`}: resolvers that check it see nothing at all. Remove or renew the DS record at the registrar, or sign the zone again.`,
    todo: null,
  },
  DOMAIN_NOT_DELEGATED: {
    result: 'fail',
    says: ({ expected }) =>
      `${expected.domain} does not exist in the DNS: it is not registered, expired or on hold. Renew it, or set its name servers at the registrar.`,
    todo: null,
  },

  RESOLVER_UNREACHABLE: {
    result: 'unknown',
    says: () =>
      'No resolver answers, so nothing is known about the record. Is port 53 open from here, over UDP and TCP?',
    todo: null,
  },
  NAMESERVERS_UNREACHABLE: {
    result: 'unknown',
    says: ({ detail }) =>
      `The name servers of the domain cannot be asked from here${detail && ` (${detail})`}, and resolvers were not to be believed.`,
    todo: null,
  },
  RESOLVER_FAILS: {
    result: 'unknown',
    says: ({ detail }) => `The resolver answers ${detail}, so nothing is known about the record.`,
    todo: null,
  },
  ANSWER_TOO_LARGE: {
    result: 'unknown',
    says: () => 'The answer is too large for UDP and did not come over TCP, so nothing is known about the record.',
    todo: null,
  },
  BLOCKED_BY_FILTER: {
    result: 'unknown',
    says: ({ detail }) =>
      `A filter of the resolver hides the answer (${detail}), so nothing is known about the record.`,
    todo: null,
  },
  TOO_MANY_QUESTIONS: {
    result: 'unknown',
    says: () => 'Checking the record would need more questions than are allowed.',
    todo: null,
  },
  OUT_OF_TIME: {
    result: 'unknown',
    says: () => 'The time for checking the domain was over before the record could be checked.',
    todo: null,
  },
} satisfies Record<string, Finding>;

export type Code = keyof typeof findings;

export function resultOf(code: Code): Result {
  return findings[code].result;
}

/** The sentences of `code`; `better` is what to publish where that is not simply what is expected, null when nothing is. */
export function sentencesOf(code: Code, facts: Facts, better?: string | null): { diagnosis: string; fix: Fix | null } {
  const { says, todo }: Finding = findings[code];
  const { type, name, value, priority } = facts.expected;
  return {
    diagnosis: says(facts),
    fix:
      todo === null || better === null
        ? null
        : { todo: todo(facts), type, host: host(facts), name, value: better ?? value, priority },
  };
}

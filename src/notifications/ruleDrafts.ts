import type { IncidentKind } from '#contract/domains/domainHistory.ts';
import type { SEVERITIES } from '#contract/domains/domainReport.ts';
import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { Rule, Rules } from '#contract/notifications.ts';

// What a destination gets, as a form has it and in words.

type Severity = (typeof SEVERITIES)[number];

/** A condition without a choice isn't one. `domains` is text, separated by commas, spaces or lines. */
export type RuleDraft = {
  turns: readonly ResponsibleParty[];
  domains: string;
  kinds: readonly IncidentKind[];
  severities: readonly Severity[];
};

export type RulesDraft = Omit<Rules, 'incidents'> & { incidents: readonly RuleDraft[] };

export const EVERY_FAULT: RuleDraft = { turns: [], domains: '', kinds: [], severities: [] };

/** For a new destination. */
export const FIRST_RULES: RulesDraft = {
  incidents: [EVERY_FAULT],
  contact_changes: false,
  digest: false,
  heartbeat: false,
};

export const draftRules = ({ incidents, ...others }: Rules): RulesDraft => ({
  ...others,
  incidents: incidents.map(({ turns = [], domains = [], kinds = [], severities = [] }) => ({
    turns,
    domains: domains.join(', '),
    kinds,
    severities,
  })),
});

export const toRules = ({ incidents, ...others }: RulesDraft): Rules => ({
  ...others,
  incidents: incidents.map(toRule),
});

export function toRule({ turns, domains, kinds, severities }: RuleDraft): Rule {
  const names = splitDomains(domains);
  return {
    ...(turns.length > 0 && { turns: [...turns] }),
    ...(names.length > 0 && { domains: names }),
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(severities.length > 0 && { severities: [...severities] }),
  };
}

const splitDomains = (text: string) => text.split(/[\s,;]+/).filter((word) => word !== '');

const DOMAIN = /^(?:\*\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+\.?$/u;

export function findDomainsError(text: string): string | undefined {
  const wrong = splitDomains(text).find((word) => !DOMAIN.test(word));
  if (wrong === undefined) return undefined;
  return `“${wrong}” isn’t a domain. Write example.com, or *.example.com for the domains below it.`;
}

export const TURN_LABELS: Readonly<Record<ResponsibleParty, string>> = {
  owner: 'Domain owner, in the DNS',
  registrar: 'Domain owner, at the registrar',
  dns_host: 'DNS host',
  provider: 'Mail provider',
  report_receiver: 'Receiver of DMARC reports',
  checker: 'Operator of Sendroom',
};

const TURN_WORDS: Readonly<Record<ResponsibleParty, string>> = {
  owner: 'the domain owner',
  registrar: 'the domain owner at the registrar',
  dns_host: 'the DNS host',
  provider: 'the mail provider',
  report_receiver: 'the receiver of DMARC reports',
  checker: 'the operator of Sendroom',
};

export const KIND_LABELS: Readonly<Record<IncidentKind, string>> = {
  broken: 'Broken: mail fails, or will',
  weak: 'Weak: mail works, but the record should be better',
};

export const SEVERITY_LABELS: Readonly<Record<Severity, string>> = {
  refuses: 'Refuses mail',
  limits: 'Limits mail',
  accepts: 'Accepts mail',
};

const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  refuses: 'refused',
  limits: 'limited',
  accepts: 'accepted',
};

/** One phrase for each thing that the destination gets. */
export function describeRules({ incidents, contact_changes, digest, heartbeat }: Rules): string[] {
  const got = [
    ...incidents.map(describeRule),
    ...(contact_changes ? ['Changes of contacts'] : []),
    ...(digest ? ['Weekly digest'] : []),
    ...(heartbeat ? ['Daily heartbeat'] : []),
  ];
  return got.length === 0 ? ['Nothing of its own'] : got;
}

export function describeRule({ turns, domains, kinds, severities }: Rule): string {
  const isOfOneKind = kinds !== undefined && new Set(kinds).size === 1;
  const what = isOfOneKind ? `${kinds[0] === 'broken' ? 'Broken' : 'Weak'} records` : 'Faults';
  const which = domains === undefined ? '' : ` of ${domains.join(', ')}`;
  const whose = turns === undefined ? '' : ` that ${turns.map((turn) => TURN_WORDS[turn]).join(' or ')} must fix`;
  const when =
    severities === undefined ? '' : `, if mail is ${severities.map((one) => SEVERITY_WORDS[one]).join(' or ')}`;
  const conditions = which + whose + when;
  return what === 'Faults' && conditions === '' ? 'All faults' : what + conditions;
}

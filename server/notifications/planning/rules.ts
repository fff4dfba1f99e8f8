import type { IncidentKind } from '#contract/domainHistory.ts';
import type { ResponsibleParty } from '#contract/responsibleParty.ts';
import type { Severity } from '#contract/receivers/severity.ts';
import type { Rule, Rules } from '#contract/notifications.ts';

/** What rules look at. */
export type IncidentFacts = {
  domain: { name: string };
  kind: IncidentKind;
  turn: ResponsibleParty | null;
  severity: Severity;
};

/** Whether one of the rules asks for this incident. */
export function wantsIncident({ incidents }: Rules, facts: IncidentFacts): boolean {
  return incidents.some((rule) => holds(rule, facts));
}

function holds({ turns, domains, kinds, severities }: Rule, { domain, kind, turn, severity }: IncidentFacts): boolean {
  return (
    (turns === undefined || (turn !== null && turns.includes(turn))) &&
    (domains === undefined || domains.some((pattern) => isNamed(pattern, domain.name))) &&
    (kinds === undefined || kinds.includes(kind)) &&
    (severities === undefined || severities.includes(severity))
  );
}

/** `*.example.com` stands for all domains below example.com. */
function isNamed(pattern: string, name: string): boolean {
  const [wanted, domain] = [pattern.trim().toLowerCase(), name.toLowerCase()];
  return wanted.startsWith('*.') ? domain.endsWith(wanted.slice(1)) : domain === wanted;
}

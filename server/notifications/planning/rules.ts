import type { FieldError } from '#contract/list.ts';
import type { IncidentKind } from '#contract/domains/domainHistory.ts';
import { isWithin, normalizeDnsName } from '#contract/values/dnsName.ts';
import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import type { Severity } from '#contract/receivers/severity.ts';
import { type Rule, Rules } from '#contract/notifications.ts';
import { readBody } from '../../http/body/jsonBody.ts';

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
  const [{ isBelow, zone }, domain] = [parsePattern(pattern), normalizeDnsName(name)];
  if (zone === null || domain === null) return false;
  return isBelow ? domain !== zone && isWithin(domain, zone) : domain === zone;
}

function parsePattern(pattern: string): { isBelow: boolean; zone: string | null } {
  const [, star, name = ''] = /^(\*\.)?(.*)$/su.exec(pattern.trim()) ?? [];
  return { isBelow: star !== undefined, zone: normalizeDnsName(name) };
}

/** Bytes of all rules of a destination as JSON. */
const RULES_MAX = 4096;

/** Why rules aren't accepted, in a sentence; null if they are. */
export function findRulesError(rules: Rules): string | null {
  if (Buffer.byteLength(JSON.stringify(rules)) > RULES_MAX) return 'The rules are longer than 4 KiB.';
  const patterns = rules.incidents.flatMap(({ domains = [] }) => domains);
  const wrong = patterns.find((pattern) => parsePattern(pattern).zone === null);
  return wrong === undefined ? null : `${JSON.stringify(wrong)} is neither a domain nor like *.example.com.`;
}

/** What a file holds, as the API takes it; else what is wrong with it, in sentences. */
export function readRules(content: unknown): { rules: Rules } | { error: string } {
  const read = readBody(Rules, content);
  if ('errors' in read) return { error: read.errors.map(describeFieldError).join(' ') };
  const error = findRulesError(read.data);
  return error === null ? { rules: read.data } : { error };
}

/** The sentences of the API speak of the body, and leave the name of an unknown field to its own member. */
function describeFieldError({ field, message }: FieldError): string {
  if (field === '') return message.replace('The body', 'It');
  return message.startsWith(field) ? message : `${field}: ${message}`;
}

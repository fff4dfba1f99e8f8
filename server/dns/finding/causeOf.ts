import type { Finding } from '#contract/domains/dnsCheck.ts';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import { type Judgement, turnOf } from '../catalogue/catalogue.ts';
import type { SpfPermerrorFacts } from '../catalogue/spfFacts.ts';
import { LIMITS } from '../spf/evaluation/evaluateSpf.ts';
import { organisationOf } from '../wire/names.ts';

type Subject = { type: string; domain: string; zone: string | null; target: string | null };

/** `Finding.cause` of a judgement. `target`: the value of a listed CNAME; null for other records and advice. */
export function causeOf(judgement: Judgement, subject: Subject): Finding['cause'] {
  const include = includeOf(judgement, subject);
  if (include !== null) return normalizeDnsName(include) === null ? null : `include:${include}`;
  const [server] = serversOf(judgement).toSorted();
  if (server !== undefined) return `ns:${server}`;
  const zone = delegatedZoneOf(judgement, subject);
  if (zone !== null) return `registrar:${zone}`;
  const target = targetOf(judgement, subject);
  return target === null ? null : `target:${target}`;
}

/** The SPF record of another owner that is missing, broken or too deep; null without one. */
function includeOf({ code, facts }: Judgement, { type }: Subject): string | null {
  if (code === 'SPF_INCLUDE_BROKEN' || code === 'SPF_PROVIDER_BROKEN') return recordToRepair(facts);
  if (code === 'SPF_LOOP' || code === 'SPF_TOO_MANY_MX') return recordToRepair(facts);
  if (code === 'SPF_TOO_MANY_LOOKUPS') {
    const deep = facts.terms.find(({ lookUps }) => lookUps > LIMITS.lookUps);
    return deep === undefined ? null : nameIn(deep.term);
  }
  // A term of the domain's own record may open it too.
  if (code === 'SPF_ALLOWS_ALL')
    return facts.openers.every(({ by }) => by !== null) ? (facts.openers[0]?.at ?? null) : null;
  if (code === 'SPF_PROVIDER_ALLOWS_ALL') return facts.at || null;
  return (code === 'TARGET_BOGUS' || code === 'TARGET_LOOP') && type === 'TXT' ? facts.target : null;
}

function recordToRepair({ kind, term, target, at }: SpfPermerrorFacts): string | null {
  if (kind === 'none') return target;
  return kind === 'lookUps' ? nameIn(term) : at || null;
}

/** The name in "include:spf.example.net" or "redirect=spf.example.net". */
function nameIn(term: string): string | null {
  return /^[+?~-]?(?:include:|redirect=)(.+)$/i.exec(term)?.[1]?.toLowerCase() ?? null;
}

/** The name servers that fail, or say something else than the others. */
function serversOf({ code, facts }: Judgement): string[] {
  // The owner's own NS records are wrong.
  if (code === 'LAME_DELEGATION' && facts.isBelowDomain) return [];
  if (code === 'NAMESERVERS_UNREACHABLE' || code === 'RESOLVER_UNREACHABLE') return [];
  if (code === 'DMARC_SYNTAX' || code === 'DMARC_TAG_UNREADABLE') return [];
  if ('errors' in facts) return facts.errors.map(({ server }) => server);
  if (code === 'SOME_NAMESERVERS_WRONG') return facts.wrong.map(({ server }) => server);
  if (code === 'NAMESERVERS_PRIVATE') return facts.servers.map(({ server }) => server);
  if (code === 'NAMESERVERS_WITHOUT_ADDRESS') return [...facts.names];
  if (code === 'NAMESERVERS_DROP_EDNS' || code === 'SOME_UNSIGNED') return [...facts.servers];
  return code === 'UDP_AND_TCP_DIFFER' || code === 'WRONG_OVER_TCP' || code === 'NAME_ABOVE_DENIED'
    ? [facts.server]
    : [];
}

/** The zone whose delegation, or registration, is wrong. */
function delegatedZoneOf({ code, facts }: Judgement, { domain, zone }: Subject): string | null {
  const known = zone ?? organisationOf(domain);
  if (code === 'REGISTRAR_NAMES_OTHERS') return facts.zone;
  if (code === 'DOMAIN_NOT_DELEGATED') return organisationOf(domain);
  if (code === 'DNSSEC_BOGUS') return facts.broken ?? known;
  return code === 'DELEGATION_DIFFERS' || code === 'DOMAIN_EXPIRED' || code === 'DOMAIN_PARKED' ? known : null;
}

/** About something else than the target of the record. */
const NOT_ABOUT_TARGET = new Set<string>(['SELECTOR_TAKEN', 'MX_NAMES_HOST', 'CNAME_AT_APEX']);

/** The host of the provider that is broken. */
function targetOf(judgement: Judgement, { target }: Subject): string | null {
  const { code, facts } = judgement;
  if (code === 'TARGET_BOGUS' || code === 'TARGET_LOOP') return facts.target;
  if (code === 'MX_TARGET_WITHOUT_ADDRESS' || code === 'MX_TARGET_PRIVATE' || code === 'MX_TARGET_IS_ALIAS')
    return facts.host;
  return turnOf(judgement) === 'provider' && !NOT_ABOUT_TARGET.has(code) ? target : null;
}

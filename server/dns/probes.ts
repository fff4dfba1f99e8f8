import { normalizeDnsName, isWithin } from '#contract/values/dnsName.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import { isKeyName, parentOf } from './wire/names.ts';

export type Misplacement =
  | 'NAME_DOUBLED'
  | 'NAME_IN_PARENT'
  | 'WRONG_HOST'
  | 'ONLY_AT_DOMAIN'
  | 'MX_AT_DOMAIN'
  | 'UNDERSCORE_LOST'
  | 'UNDERSCORE_DOUBLED';

/** Other names where a missing record may be, and what that means; the likeliest first. */
export function misplacedNames(
  { type, purpose, name, domain }: Pick<ExpectedRecord, 'type' | 'purpose' | 'name' | 'domain'>,
  zone: string,
): { code: Misplacement; name: string }[] {
  const inDomain = isWithin(name, domain) && name !== domain ? name.slice(0, -domain.length - 1) : null;
  const candidates: { code: Misplacement; name: string }[] = [
    { code: 'NAME_DOUBLED', name: `${name}.${zone}` },
    { code: 'NAME_DOUBLED', name: `${name}.${domain}` },
  ];
  // The domain was typed without its top level.
  if (inDomain !== null) candidates.push({ code: 'NAME_DOUBLED', name: `${inDomain}.${labelOf(domain)}.${domain}` });
  if (inDomain !== null && zone !== domain) candidates.push({ code: 'NAME_IN_PARENT', name: `${inDomain}.${zone}` });
  // The form already shows the part of the subdomain, and it is typed once more.
  if (domain !== zone && isWithin(domain, zone)) {
    const under = domain.slice(0, -zone.length - 1);
    candidates.push({
      code: 'UNDERSCORE_DOUBLED',
      name: `${inDomain === null ? '' : `${inDomain}.`}${under}.${domain}`,
    });
  }
  const isKey = purpose === 'dkim' || isKeyName(name);
  if (inDomain !== null && isKey) {
    // Without its second part, its first one, or the dot between them.
    const [selector = '', ...rest] = name.split('.');
    for (const host of [`${selector}.${domain}`, rest.join('.'), `${selector}${rest.join('.')}`]) {
      candidates.push({ code: 'WRONG_HOST', name: host });
    }
    candidates.push(
      { code: 'WRONG_HOST', name: `${inDomain}.www.${domain}` },
      { code: 'UNDERSCORE_LOST', name: name.replace('._', '') },
    );
  }
  if (inDomain !== null && type !== 'CNAME') candidates.push({ code: codeAtDomain(type, purpose), name: domain });
  candidates.push({ code: 'UNDERSCORE_LOST', name: name.replaceAll('_', '') });
  const [, underscored] = /(?:^|\.)(_[a-z]+)\./.exec(name) ?? [];
  if (underscored !== undefined) {
    candidates.push(
      { code: 'UNDERSCORE_DOUBLED', name: name.replace(underscored, `${underscored}.${underscored}`) },
      { code: 'UNDERSCORE_DOUBLED', name: name.replace(underscored, `_${underscored}`) },
    );
  } else if (inDomain !== null) {
    // The form already has the host, and it is typed once more.
    candidates.push({ code: 'UNDERSCORE_DOUBLED', name: `${name.split('.')[0]}.${name}` });
  }
  const once = new Map(candidates.toReversed().map((candidate) => [candidate.name, candidate]));
  return [...once.values()].toReversed().filter(
    // No CNAME can be at the top of a zone.
    (probe) =>
      probe.name !== name && !(type === 'CNAME' && probe.name === zone) && normalizeDnsName(probe.name) !== null,
  );
}

const labelOf = (name: string) => name.split('.')[0] ?? '';

/** For a record found at the domain itself. An MX for bounces is removed there; others may be needed. */
function codeAtDomain(type: string, purpose: ExpectedRecord['purpose']): Misplacement {
  if (type === 'MX') return 'MX_AT_DOMAIN';
  return purpose === 'dkim' || purpose === 'dmarc' ? 'WRONG_HOST' : 'ONLY_AT_DOMAIN';
}

/** A random sibling of `name`: if it has the same records, they come from a wildcard. */
export function wildcardProbe(name: string, unusedLabel: string): string {
  return `${unusedLabel}.${parentOf(name)}`;
}

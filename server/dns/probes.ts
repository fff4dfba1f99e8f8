import { dnsName, isWithin } from '#contract/dnsName.ts';
import { isCloudflare } from './cloudflare.ts';
import type { Expectation } from './expectation.ts';
import type { Code } from './findings.ts';
import type { Data } from './message.ts';
import { parentOf } from './names.ts';

/** Where a record that is not at its name may have gone, and what that means; the likeliest first. */
export function misplacedNames(
  { type, purpose, name, domain }: Expectation,
  zone: string,
): { code: Code; name: string }[] {
  const inDomain = isWithin(name, domain) && name !== domain ? name.slice(0, -domain.length - 1) : null;
  const candidates: { code: Code; name: string }[] = [
    { code: 'NAME_DOUBLED', name: `${name}.${zone}` },
    { code: 'NAME_DOUBLED', name: `${name}.${domain}` },
  ];
  if (inDomain !== null && zone !== domain) candidates.push({ code: 'NAME_IN_PARENT', name: `${inDomain}.${zone}` });
  const isKey = purpose === 'dkim' || name.includes('._domainkey.');
  if (inDomain !== null && isKey) candidates.push({ code: 'WRONG_HOST', name: `${name.split('.')[0]}.${domain}` });
  // What the domain itself may need must not be moved away from it.
  const code = isKey || purpose === 'dmarc' ? 'WRONG_HOST' : 'ONLY_AT_DOMAIN';
  if (inDomain !== null && type !== 'CNAME') candidates.push({ code, name: domain });
  candidates.push({ code: 'UNDERSCORE_LOST', name: name.replaceAll('_', '') });
  const once = new Map(candidates.toReversed().map((candidate) => [candidate.name, candidate]));
  return [...once.values()].toReversed().filter((probe) => probe.name !== name && dnsName(probe.name) !== null);
}

/** A name beside `name` that nobody has: when it answers as `name` does, a wildcard answers for both. */
export function wildcardProbe(name: string, unusedLabel: string): string {
  return `${unusedLabel}.${parentOf(name)}`;
}

/** Registries have no records of others: when one answers for a domain, nobody has that domain. */
export function isRegistry(zone: string): boolean {
  return !zone.includes('.') || /^(com?|net?|org?|gov?|edu|ac)\.[a-z]{2}$/.test(zone);
}

/** What it means that other types are where a CNAME should be; null when there are none. */
export function insteadOfCname(
  expected: Expectation,
  records: readonly Data[],
  isAtCloudflare: boolean,
): { code: Code; found: readonly Data[]; detail?: string } | null {
  const texts = records.filter(({ type }) => type === 'TXT');
  if (texts.some(({ value }) => value.trim().replace(/\.$/, '').toLowerCase() === expected.value)) {
    return { code: 'WRONG_TYPE', found: texts };
  }
  if (texts.some(({ value }) => /(^|;)\s*p\s*=/.test(value))) return { code: 'TXT_COPIED_FROM_TARGET', found: texts };
  const addresses = records.filter(({ type }) => type === 'A' || type === 'AAAA');
  if (isAtCloudflare && addresses.length > 0 && addresses.every(({ value }) => isCloudflare(value))) {
    return { code: 'PROXIED_CLOUDFLARE', found: addresses };
  }
  if (addresses.length > 0 && addresses.length === records.length) return { code: 'CNAME_FLATTENED', found: addresses };
  const types = [...new Set(records.map(({ type }) => type))].toSorted();
  return types.length === 0 ? null : { code: 'OTHER_TYPE_AT_NAME', found: records, detail: types.join(', ') };
}

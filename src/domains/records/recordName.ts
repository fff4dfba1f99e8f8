import { normalizeDnsName, recordName } from '#contract/values/dnsName.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';

/** The domain that the names of its records are relative to. */
export type SendingDomain = Pick<ReadableDomain, 'name' | 'mail_from_domain'>;

type Names = { zone: string | null; mailFrom: string | null };

/** Of each domain once: it has several records, and a list has many domains. */
const known = new WeakMap<SendingDomain, Names>();

/** The names of a domain, normalised; null where there is none, or no valid one. */
export function normalizedNames(domain: SendingDomain): Names {
  const { name, mail_from_domain } = domain;
  const names = known.get(domain) ?? {
    zone: normalizeDnsName(name),
    mailFrom: normalizeDnsName(mail_from_domain ?? ''),
  };
  known.set(domain, names);
  return names;
}

/** The full name of a record, normalised; null when the listed name is not a valid one. */
export function resolveFullName({ name }: Pick<ReadableDnsRecord, 'name'>, domain: SendingDomain): string | null {
  const { zone, mailFrom } = normalizedNames(domain);
  if (zone === null || name === null) return null;
  // `normalizeDnsName` does not accept the asterisk of a wildcard.
  const [, wildcard, rest = ''] = /^\s*(\*(?:\.|$))?(.*)$/s.exec(name) ?? [];
  const full = recordName(rest, zone, mailFrom);
  return full !== null && wildcard !== undefined ? `*.${full}` : full;
}

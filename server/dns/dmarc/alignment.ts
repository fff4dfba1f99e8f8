import type { DmarcRecord } from './dmarcRecord.ts';

/** Whether DKIM and SPF can count for DMARC, without looking at a message (RFC 9989, section 4.4). */
export type Alignment = {
  organisation: string;
  /** Why DKIM is not aligned, as a part of a sentence; null when it is. */
  dkim: string | null;
  spf: string | null;
  /** Strict tags without which more would be aligned. */
  strict: readonly ('adkim' | 'aspf')[];
};

/** `organisations` are the organisational domains of the sending domain, of its MAIL FROM name and of its signers. */
export function evaluateAlignment(
  { domain, mailFrom, signers }: { domain: string; mailFrom: string | null; signers: readonly string[] },
  { tags }: Pick<DmarcRecord, 'tags'>,
  organisations: ReadonlyMap<string, string>,
): Alignment {
  const strict = new Set<'adkim' | 'aspf'>();
  const organisation = organisations.get(domain) ?? domain;

  /** Why `name` is not aligned; null when it is. */
  const faultOf = (tag: 'adkim' | 'aspf', name: string): string | null => {
    if (name === domain) return null;
    const other = organisations.get(name) ?? name;
    if (other !== organisation) return `${name} belongs to ${other}, and not to ${organisation}`;
    if (tags.get(tag)?.toLowerCase() !== 's') return null;
    strict.add(tag);
    return `${tag}=s asks for ${domain} itself, which ${name} is not`;
  };

  const bySigner = signers.map((name) => faultOf('adkim', name));
  const dkim = bySigner.includes(null) ? null : (bySigner[0] ?? 'no DKIM record of the domain is listed');
  const spf = mailFrom === null ? 'the domain has no MAIL FROM name of its own' : faultOf('aspf', mailFrom);
  // One aligned signer is enough.
  if (dkim === null) strict.delete('adkim');
  return { organisation, dkim, spf, strict: [...strict] };
}

import type { DmarcRecord } from './dmarcRecord.ts';

/** What can be said without a message about whether DKIM and SPF count for DMARC (RFC 9989, section 4.4). */
export type Alignment = {
  code: 'ALIGNED' | 'ALIGNED_BY_DKIM' | 'ALIGNED_BY_SPF' | 'NOT_ALIGNED';
  detail: string;
  /** Tags of the record without which more would be aligned. */
  strict: string[];
};

/** `organisations` are the organisational domains of the sending domain, of its MAIL FROM name and of its signers. */
export function alignmentOf(
  domain: string,
  mailFrom: string | null,
  signers: readonly string[],
  { tags }: DmarcRecord,
  organisations: ReadonlyMap<string, string>,
): Alignment {
  const strict = new Set<string>();
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
  if (dkim === null && spf === null) {
    return { code: 'ALIGNED', detail: `${organisation} is the organisational domain of all its names`, strict: [] };
  }
  return {
    code: dkim === null ? 'ALIGNED_BY_DKIM' : spf === null ? 'ALIGNED_BY_SPF' : 'NOT_ALIGNED',
    detail: [dkim, spf].filter((fault) => fault !== null).join('; '),
    strict: [...strict],
  };
}

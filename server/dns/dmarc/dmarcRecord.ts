import { withoutOuterBlanks } from '../text/plainText.ts';

const POLICIES = ['none', 'quarantine', 'reject'] as const;
export type Policy = (typeof POLICIES)[number];
export const POLICY_TAGS = ['p', 'sp', 'np'] as const;
export type PolicyTag = (typeof POLICY_TAGS)[number];
export const ADDRESS_TAGS = ['rua', 'ruf'] as const;

const POLICY = /^(none|quarantine|reject)$/i;
/** RFC 7489 allowed a size after an address, as in `!10m`; receivers ignore it since RFC 9989. */
const ADDRESS =
  /^(mailto:(?!\/\/)[^\s,!@<>()[\]]+@[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?(\?[^\s,!]*)?|(?!mailto:)[a-z][a-z0-9+.-]*:[^\s,!]+)(!\d+[kmgt]?)?$/i;

const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['p', POLICY],
  ['sp', POLICY],
  ['np', POLICY],
  ['psd', /^[ynu]$/i],
  ['t', /^[yn]$/i],
  ['adkim', /^[rs]$/i],
  ['aspf', /^[rs]$/i],
  ['fo', /^[01ds]([ \t]*:[ \t]*[01ds])*$/i],
  // From RFC 7489. Newer receivers ignore these three.
  ['pct', /^(100|\d{1,2})$/],
  ['rf', /^(afrf|iodef)([ \t]*[:,][ \t]*(afrf|iodef))*$/i],
  ['ri', /^\d{1,9}$/],
]);

export type DmarcRecord = {
  text: string;
  tags: ReadonlyMap<string, string>;
  unreadable: readonly string[];
};

/** Whether `text` begins with the version, in the letters that receivers require (RFC 9989, section 4.7). */
export function isDmarc(text: string): boolean {
  return /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(;|$)/.test(text);
}

/** Parses the tags after the version. Unknown tags are allowed, duplicate ones are not (RFC 6376, section 3.2). */
export function readDmarc(text: string): DmarcRecord {
  const tags = new Map<string, string>();
  const unreadable: string[] = [];
  for (const piece of text.split(';').slice(1)) {
    if (/^[ \t]*$/.test(piece)) continue;
    const [tag, value] = readTag(piece) ?? [];
    if (tag === undefined || value === undefined || tags.has(tag)) unreadable.push(piece.trim());
    else tags.set(tag, value);
  }
  return { text, tags, unreadable };
}

export function readTag(piece: string): [tag: string, value: string] | null {
  const equals = piece.indexOf('=');
  const tag = withoutBlanks(piece.slice(0, Math.max(0, equals))).toLowerCase();
  const value = withoutBlanks(piece.slice(equals + 1));
  return /^[a-z]\w*$/.test(tag) && /^[ -:<-~]+$/.test(value) && isValidTagValue(tag, value) ? [tag, value] : null;
}

/** Removes outer spaces and tabs. Other white space is part of the value. */
function withoutBlanks(text: string): string {
  return withoutOuterBlanks(text.replaceAll('\t', ' '));
}

/** Whether receivers support the tag, or did before RFC 9989. */
export function isKnownTag(tag: string): boolean {
  return isAddressTag(tag) || VALUES.has(tag);
}

export function isValidTagValue(tag: string, value: string): boolean {
  return isAddressTag(tag) ? value.split(',').every(isReportAddress) : (VALUES.get(tag) ?? /./).test(value);
}

export function isAddressTag(tag: string): boolean {
  return ADDRESS_TAGS.some((one) => one === tag);
}

export function isReportAddress(written: string): boolean {
  return ADDRESS.test(written.trim());
}

/** The strength of a policy, from 0. An invalid one counts as the weakest. */
export function strengthOf(policy: string | undefined): number {
  return Math.max(
    0,
    POLICIES.findIndex((one) => one === policy?.toLowerCase()),
  );
}

export function isTest(tags: ReadonlyMap<string, string>): boolean {
  return tags.get('t')?.toLowerCase() === 'y';
}

/** `none` when missing; with the tag that sets it. `exists`: the domain exists in the sense of RFC 9989. */
export function findPolicy(
  { tags }: Pick<DmarcRecord, 'tags'>,
  isInherited: boolean,
  exists: boolean,
): { tag: PolicyTag | null; policy: Policy } {
  const order: readonly PolicyTag[] = isInherited ? (exists ? ['sp', 'p'] : ['np', 'sp', 'p']) : ['p'];
  const tag = order.find((one) => tags.has(one)) ?? null;
  return { tag, policy: POLICIES[strengthOf(tags.get(tag ?? 'p'))] ?? 'none' };
}

export function weakerThan(policy: Policy): Policy {
  return POLICIES[Math.max(0, strengthOf(policy) - 1)] ?? 'none';
}

export function reportDomains({ tags }: Pick<DmarcRecord, 'tags'>): string[] {
  const addresses = ADDRESS_TAGS.flatMap((tag) => (tags.get(tag) ?? '').split(','));
  const domains = addresses.flatMap((address) => /^\s*mailto:[^?]*@([^?!]+)/i.exec(address)?.[1] ?? []);
  return [...new Set(domains.map((domain) => domain.trim().toLowerCase()))];
}

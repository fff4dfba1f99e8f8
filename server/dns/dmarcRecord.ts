const POLICY = /^(none|quarantine|reject)$/i;
const ADDRESSES = /^\s*[a-z]+:[^\s,]+(\s*,\s*[a-z]+:[^\s,]+)*$/i;
const VALUES: Readonly<Record<string, RegExp>> = {
  p: POLICY,
  sp: POLICY,
  np: POLICY,
  psd: /^[ynu]$/i,
  t: /^[yn]$/i,
  adkim: /^[rs]$/i,
  aspf: /^[rs]$/i,
  rua: ADDRESSES,
  ruf: ADDRESSES,
};
/** RFC 9989 took these out of RFC 7489. */
const REMOVED = new Set(['pct', 'rf', 'ri']);

export type DmarcRecord = {
  text: string;
  /** By names in lower case; only what can be read. */
  tags: ReadonlyMap<string, string>;
  /** What readers leave out, as it is written. */
  unreadable: string[];
  removed: string[];
};

/** Whether receivers take `text` for a DMARC record: the version comes first, in these very letters. */
export function isDmarc(text: string): boolean {
  return /^[vV]\s*=\s*DMARC1\s*(;|$)/.test(text);
}

/** Reads what follows the version. Unknown tags are allowed (RFC 9989, section 4.7). */
export function readDmarc(text: string): DmarcRecord {
  const tags = new Map<string, string>();
  const unreadable: string[] = [];
  const removed: string[] = [];
  for (const piece of text.split(';').slice(1)) {
    if (piece.trim() === '') continue;
    const [tag, value] = readTag(piece) ?? [];
    if (tag === undefined || value === undefined || tags.has(tag)) unreadable.push(piece.trim());
    else if (REMOVED.has(tag)) removed.push(tag);
    else tags.set(tag, value);
  }
  return { text, tags, unreadable, removed };
}

/** The same record with what readers understand, and nothing else. */
export function mendDmarc(text: string, without: readonly string[] = []): string {
  // Some write commas, which belong between report addresses.
  const pieces = text.replaceAll(/["\\]/g, '').split(/;|,(?=\s*[a-z]+\s*=)/i);
  const { tags } = readDmarc(['', ...pieces.slice(1)].join(';'));
  const { p = 'none', ...others } = Object.fromEntries([...tags].filter(([tag]) => !without.includes(tag)));
  return [`v=DMARC1; p=${p}`, ...Object.entries(others).map(([tag, value]) => `${tag}=${value}`)].join('; ');
}

function readTag(piece: string): [tag: string, value: string] | null {
  const [, written = '', value = ''] = /^\s*([a-z]+)\s*=(.+)$/is.exec(piece) ?? [];
  const tag = written.toLowerCase();
  return tag !== '' && (VALUES[tag] ?? /^/).test(value.trim()) ? [tag, value.trim()] : null;
}

/** The policy for a domain that has the record, or inherits it; `exists` is what RFC 9989 calls existent. */
export function policyOf(
  { tags }: DmarcRecord,
  isInherited: boolean,
  exists: boolean,
): { tag: string; policy: string } {
  const order = isInherited ? (exists ? ['sp', 'p'] : ['np', 'sp', 'p']) : ['p'];
  const tag = order.find((one) => tags.has(one)) ?? 'p';
  return { tag, policy: tags.get(tag)?.toLowerCase() ?? 'none' };
}

/** Domains of the mailboxes that reports go to. */
export function reportDomains({ tags }: DmarcRecord): string[] {
  const addresses = ['rua', 'ruf'].flatMap((tag) => (tags.get(tag) ?? '').split(','));
  const domains = addresses.flatMap((address) => /^\s*mailto:[^?]*@([^?!]+)/i.exec(address)?.[1] ?? []);
  return [...new Set(domains)];
}

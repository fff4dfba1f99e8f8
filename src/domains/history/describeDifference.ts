/** What differs between what was published before and after, in words; empty if nothing that matters does. */
export function describeDifference(subject: string, before: readonly string[], after: readonly string[]): string[] {
  if (subject === 'ds') return describeDs(before, after);
  const normalize = hasNames(subject) ? normalizeName : (value: string) => value.trim();
  const [added, removed] = [without(after, before, normalize), without(before, after, normalize)];
  if (before.length === 0) return after.map((value) => `published: ${value}`);
  if (after.length === 0) return before.map((value) => `gone: ${value}`);
  const [one, other] = [removed[0], added[0]];
  if (one !== undefined && other !== undefined && added.length === 1 && removed.length === 1) {
    const special = describeChanged(subject, one, other);
    if (special !== null) return special;
  }
  return [...added.map((value) => `added: ${value}`), ...removed.map((value) => `removed: ${value}`)];
}

const hasNames = (subject: string) => /^(?:(?:CNAME|MX|NS) .*|ns|mx)$/s.test(subject);
const normalizeName = (value: string) =>
  value
    .trim()
    .toLowerCase()
    .replace(/(?<=[^ ])\.$/, '');

function without(values: readonly string[], others: readonly string[], normalize: (value: string) => string): string[] {
  const known = new Set(others.map(normalize));
  return values.filter((value) => !known.has(normalize(value)));
}

/** One value became another. Null: there are no better words than both. */
function describeChanged(subject: string, before: string, after: string): string[] | null {
  const both = (form: RegExp) => form.test(before) && form.test(after);
  if (both(DMARC)) return describeTags(before, after, DMARC_DEFAULTS);
  if (both(SPF)) return describeSpf(before, after);
  if (/\._domainkey\./.test(subject) && both(DKIM)) return describeKey(before, after);
  if (subject.startsWith('CNAME ')) return [`${before} → ${after}`];
  if (subject === 'mx' || subject.startsWith('MX ')) return describePreference(before, after);
  return null;
}

const DMARC = /^\s*v\s*=\s*DMARC1\b/i;
const SPF = /^\s*v=spf1(?:\s|$)/i;
const DKIM = /(?:^|;)\s*p\s*=/;

function readTags(record: string): Map<string, string> {
  return new Map(
    record.split(';').flatMap((piece) => {
      const at = piece.indexOf('=');
      return at === -1 ? [] : [[piece.slice(0, at).trim().toLowerCase(), piece.slice(at + 1).trim()]];
    }),
  );
}

/** The values that a tag has where it's missing (RFC 9989, section 4.7; `pct` by RFC 7489). */
const DMARC_DEFAULTS: Readonly<Record<string, string>> = { adkim: 'r', aspf: 'r', t: 'n', pct: '100' };
/** The values of tags, the weakest first. */
const STRENGTHS: Readonly<Record<string, readonly string[]>> = {
  p: ['none', 'quarantine', 'reject'],
  sp: ['none', 'quarantine', 'reject'],
  np: ['none', 'quarantine', 'reject'],
  adkim: ['r', 's'],
  aspf: ['r', 's'],
  t: ['y', 'n'],
};
/** Their values ignore letter case. */
const isWord = (tag: string) => tag === 'v' || tag === 'pct' || Object.hasOwn(STRENGTHS, tag);

function describeTags(before: string, after: string, defaults: Readonly<Record<string, string>>): string[] {
  const [one, other] = [readTags(before), readTags(after)];
  const tags = new Set([...one.keys(), ...other.keys()]);
  return [...tags].flatMap((tag) => {
    const [old, now] = [valueOf(one, tag), valueOf(other, tag)];
    if (old === now) return [];
    const standard = Object.hasOwn(defaults, tag) ? defaults[tag] : undefined;
    if (standard !== undefined) {
      const words = [old, now].map((value) => value ?? `${standard} (default)`).join(' → ');
      return (old ?? standard) === (now ?? standard)
        ? []
        : `${tag}: ${words}${direction(tag, old ?? standard, now ?? standard)}`;
    }
    if (old === undefined) return `${tag} added: ${now}`;
    return now === undefined ? `${tag} removed: ${old}` : `${tag}: ${old} → ${now}${direction(tag, old, now)}`;
  });
}

function valueOf(tags: ReadonlyMap<string, string>, tag: string): string | undefined {
  const value = tags.get(tag);
  return isWord(tag) ? value?.toLowerCase() : value;
}

function direction(tag: string, before: string, after: string): string {
  const order = STRENGTHS[tag] ?? [];
  const [one, other] = tag === 'pct' ? [Number(before), Number(after)] : [order.indexOf(before), order.indexOf(after)];
  if (!(one >= 0 && other >= 0) || one === other) return '';
  return one < other ? ', stronger' : ', weaker';
}

/** The qualifiers of "all", the weakest first. */
const QUALIFIERS = '+?~-';

function describeSpf(before: string, after: string): string[] {
  const [one, other] = [termsOf(before), termsOf(after)];
  const [old, now] = [one.find(isAll), other.find(isAll)];
  const [added, removed] = [other.filter((term) => !one.includes(term)), one.filter((term) => !other.includes(term))];
  const isQualified = old !== undefined && now !== undefined && old !== now;
  const isListed = (term: string) => !(isQualified && isAll(term));
  const words = [
    ...added.filter(isListed).map((term) => `added: ${term}`),
    ...removed.filter(isListed).map((term) => `removed: ${term}`),
    ...(isQualified ? [`${old} → ${now}, ${rankOf(old) < rankOf(now) ? 'stronger' : 'weaker'}`] : []),
  ];
  return words.length === 0 && one.join(' ') !== other.join(' ') ? ['the same terms in another order'] : words;
}

const isAll = (term: string) => /^[+?~-]all$/.test(term);
const rankOf = (term: string) => QUALIFIERS.indexOf(term.charAt(0));

/** Mechanisms and domains ignore letter case. */
const termsOf = (record: string) =>
  record
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((term) =>
      term
        .toLowerCase()
        .replace(/^\+?all$/, '+all')
        .replace(/^\+(?!all$)/, ''),
    );

function describeKey(before: string, after: string): string[] {
  const [old, now] = [before, after].map((record) => (readTags(record).get('p') ?? '').replaceAll(/\s/g, ''));
  const key = old === now ? [] : [now === '' ? 'the key was revoked (p is empty)' : 'the key changed'];
  const others = [before, after].map((record) => record.replace(/(?:^|;)\s*(?:v|p)\s*=[^;]*/gi, ''));
  return [...key, ...describeTags(others[0] ?? '', others[1] ?? '', {})];
}

function describePreference(before: string, after: string): string[] | null {
  const [old, now] = [before, after].map((value) => value.trim().split(/\s+/));
  const [host = '', same = ''] = [old?.[1], now?.[1]].map((name) => normalizeName(name ?? ''));
  return host !== '' && host === same ? [`${old?.[1]}: preference ${old?.[0]} → ${now?.[0]}`] : null;
}

const fold = (value: string) => value.trim().toLowerCase();
const keyTagOf = (ds: string) => ds.trim().split(/\s+/)[0];
const isOfSameKey = (ds: string, others: readonly string[]) => others.some((one) => keyTagOf(one) === keyTagOf(ds));

function describeDs(before: readonly string[], after: readonly string[]): string[] {
  const [added, removed] = [without(after, before, fold), without(before, after, fold)];
  if (removed.length > 0 && after.length === 0) return ['DNSSEC was switched off: no DS is left'];
  if (added.length > 0 && before.length === 0)
    return [`DNSSEC was switched on: ${added.map((ds) => describeKeyTag(ds)).join('; ')}`];
  return [
    ...added.map((ds) => `added: ${describeKeyTag(ds, isOfSameKey(ds, before))}`),
    ...removed.map((ds) => `removed: ${describeKeyTag(ds, isOfSameKey(ds, after))}`),
  ];
}

/** Key tag, algorithm, digest type, digest. The digest only matters between two of one key. */
function describeKeyTag(ds: string, hasDigest = false): string {
  const [key, algorithm, digest] = ds.trim().split(/\s+/);
  return `key ${key}, algorithm ${algorithm}${hasDigest ? `, digest ${digest}` : ''}`;
}

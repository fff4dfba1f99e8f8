import { isIP } from 'node:net';
import { parseDkim, rsaBits } from './dkimKey.ts';
import { isDmarc } from './dmarcRecord.ts';
import type { Expectation } from './expectation.ts';
import type { Code } from './findings.ts';
import type { Data } from './message.ts';
import { foldName } from './names.ts';
import { holds, isSpf, mergeSpf, missingWords, spfEnd } from './spf.ts';
import { parseTags } from './tags.ts';

/** What a set of published records is against what is expected. */
export type Comparison = {
  code: Code;
  /** What a sentence needs besides what is expected and found: names, a number. */
  detail?: string;
  /** What to publish, when it is not simply what is expected; null when nobody can tell what. */
  better?: string | null;
  /** Of an SPF record to publish: includes in place of redirects, and words that it has no longer. */
  included?: readonly string[];
  leftOut?: readonly string[];
};

const MATCH: Comparison = { code: 'MATCH' };

/**
 * Compares the records of the expected type at the expected name, of which there is at least one. `zone` is where the
 * name lies.
 */
export function compare(expected: Expectation, found: readonly Data[], zone: string): Comparison {
  switch (expected.type) {
    case 'CNAME':
      return compareCname(expected, found, zone);
    case 'MX':
      return compareMx(expected, found, zone);
    case 'TXT':
      return compareText(expected, found);
    case 'NS':
    case 'A':
    case 'AAAA':
      return compareSet(expected, found, zone);
  }
}

/** Whether a DNS host put its own zone behind a target that lacked the final dot. */
function isDoubled(target: string, { value, domain }: Expectation, zone: string): boolean {
  return [zone, domain].some((suffix) => suffix !== '' && target === `${value}.${suffix}`);
}

function doubled({ value }: Expectation): Comparison {
  return { code: 'TARGET_DOUBLED', better: `${value}.` };
}

function compareCname(expected: Expectation, found: readonly Data[], zone: string): Comparison {
  const targets = new Set(found.map(({ value }) => foldName(value)));
  if (targets.size > 1) return { code: 'SEVERAL_CNAMES' };
  const [target = ''] = targets;
  if (target === expected.value) return MATCH;
  return isDoubled(target, expected, zone) ? doubled(expected) : { code: 'WRONG_TARGET' };
}

function compareMx(expected: Expectation, found: readonly Data[], zone: string): Comparison {
  const hosts = found.map(({ value, priority }) => ({ host: foldName(value), priority }));
  const same = hosts.filter(({ host }) => host === expected.value);
  if (same.length === 0) {
    if (hosts.some(({ host }) => /^\d+\s/.test(host))) return { code: 'PRIORITY_IN_HOST' };
    if (hosts.every(({ host }) => host === '')) return { code: 'NULL_MX' };
    if (hosts.some(({ host }) => isIP(host) !== 0)) return { code: 'MX_IS_ADDRESS' };
    return hosts.some(({ host }) => isDoubled(host, expected, zone)) ? doubled(expected) : { code: 'WRONG_TARGET' };
  }
  const others = hosts.filter(({ host }) => host !== expected.value && !expected.siblings.includes(host));
  if (others.length > 0) {
    const detail = others
      .map(({ host, priority }) => `${priority} ${host || '.'}`)
      .toSorted()
      .join(', ');
    return { code: expected.isMailFrom ? 'EXTRA_MX' : 'EXTRA_VALUES', detail };
  }
  if (expected.priority === null || same.some(({ priority }) => priority === expected.priority)) return MATCH;
  return { code: 'MX_PRIORITY', detail: String(same[0]?.priority) };
}

function compareSet(expected: Expectation, found: readonly Data[], zone: string): Comparison {
  const values = new Set(found.map(({ value }) => foldName(value)));
  if (!values.has(expected.value)) {
    const isTargetDoubled = expected.type === 'NS' && [...values].some((value) => isDoubled(value, expected, zone));
    return isTargetDoubled ? doubled(expected) : { code: 'WRONG_TARGET' };
  }
  const others = [...values].filter((value) => value !== expected.value && !expected.siblings.includes(value));
  return others.length === 0 ? MATCH : { code: 'EXTRA_VALUES', detail: others.toSorted().join(', ') };
}

function compareText(expected: Expectation, found: readonly Data[]): Comparison {
  const texts = found.map(({ value }) => value).toSorted();
  switch (expected.purpose) {
    case 'spf':
      return compareSpf(expected, texts);
    case 'dkim':
      return compareDkim(expected, texts);
    case 'dmarc':
      return compareDmarc(expected, texts);
    case 'text':
      return compareGeneric(expected, texts);
  }
}

function compareGeneric({ value }: Expectation, texts: readonly string[]): Comparison {
  if (texts.some((text) => text.trim() === value)) return MATCH;
  const spoilt = spoiltOf(value, texts);
  if (spoilt !== null) return { code: spoilt };
  // A token with its name, as in `site-verification=...`: one of the same kind may be somebody else's.
  const [kind = ''] = /^[\w.-]+[=:]/.exec(value) ?? [];
  const isAnother = kind !== '' && texts.some((text) => text.startsWith(kind));
  const detail = `${texts.length} found${isAnother ? `, another "${kind}" among them` : ''}`;
  return { code: 'TEXT_MISSING', detail };
}

/** What became of `value` on its way through the form of a DNS host. */
function spoiltOf(value: string, texts: readonly string[]): Code | null {
  for (const text of texts) {
    if (text !== value && unquoted(text) === value) return 'QUOTES_IN_VALUE';
    if (text !== value && text.trim() === value) return 'SPACES_AROUND';
    if (text.length < value.length && withoutBlanks(text) === withoutBlanks(value)) return 'SPACE_LOST_AT_SPLIT';
    // 255 bytes are the longest string; some hosts cut a little earlier.
    if (text.length < value.length && text.length >= 240 && text.length <= 256 && value.startsWith(text)) {
      return 'VALUE_CUT';
    }
  }
  return null;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '');
}

function unquoted(text: string): string {
  return text
    .replaceAll('\\', '')
    .replaceAll(/^\s*"|"\s*$/g, '')
    .replaceAll(/"\s*"/g, '');
}

function compareSpf({ value }: Expectation, texts: readonly string[]): Comparison {
  const records = texts.filter(isSpf);
  const [record] = records;
  if (record === undefined) {
    const spoilt = spoiltOf(value, texts);
    if (spoilt !== null) return { code: spoilt };
    if (texts.some((text) => isSpf(unquoted(text)))) return { code: 'QUOTES_IN_VALUE' };
    if (texts.some((text) => isSpf(text.trim()))) return { code: 'SPACES_AROUND' };
    return { code: 'SPF_MISSING', detail: String(texts.length) };
  }
  const { record: better, included } = mergeSpf(records, value);
  if (records.length > 1) return { code: 'SEVERAL_SPF', better, included };
  const missing = missingWords(value, record);
  if (missing.length > 0) {
    const spoilt = spoiltOf(value, [record]);
    if (spoilt !== null) return { code: spoilt };
    const where = holds(record, missing) ? ' where receivers look, because of its "all"' : '';
    return { code: 'SPF_WITHOUT_INCLUDE', detail: `${missing.join(' ')}${where}`, better, included };
  }
  const end = spfEnd(record);
  if (end === 'everybody' && spfEnd(value) !== 'everybody') return { code: 'SPF_ALLOWS_ALL', better };
  return end === 'nothing' && spfEnd(value) !== 'nothing' ? { code: 'SPF_WITHOUT_ALL', better } : MATCH;
}

function compareDkim({ value }: Expectation, texts: readonly string[]): Comparison {
  const wanted = parseDkim(value);
  const bits = wanted && rsaBits(wanted);
  if (wanted === null || Number.isNaN(bits) || !wanted.hashes.includes('sha256')) {
    return { code: 'EXPECTED_KEY_UNREADABLE' };
  }
  if (bits !== null && bits < 1024) return { code: 'DKIM_WEAK_KEY', detail: String(bits) };
  const records = texts.filter((text) => text.trim() !== '');
  const [record = ''] = records;
  if (records.length > 1) return { code: 'KEY_IN_SEVERAL_RECORDS', detail: String(records.length) };
  if (record !== value && unquoted(record) === value) return { code: 'QUOTES_IN_VALUE' };
  const published = parseDkim(record);
  if (published === null || !published.hashes.includes('sha256')) return { code: 'DKIM_SYNTAX' };
  if (published.key === '' && wanted.key !== '') return { code: 'DKIM_REVOKED' };
  if (published.key !== wanted.key || published.kind !== wanted.kind) {
    const isCut = published.key.length > 100 && wanted.key.startsWith(published.key);
    return { code: isCut ? 'VALUE_CUT' : 'WRONG_VALUE' };
  }
  return bits !== null && bits < 2048 ? { code: 'DKIM_SHORT_KEY', detail: String(bits) } : MATCH;
}

function compareDmarc({ value }: Expectation, texts: readonly string[]): Comparison {
  const records = texts.filter(isDmarc);
  const [record] = records;
  if (records.length > 1) return { code: 'SEVERAL_DMARC' };
  if (record === undefined) {
    if (texts.some((text) => /["\\]/.test(text) && isDmarc(unquoted(text)))) {
      return { code: 'QUOTES_IN_VALUE' };
    }
    if (texts.some((text) => /^\s+v=DMARC1/.test(text))) return { code: 'SPACES_AROUND' };
    return texts.some((text) => /^v=dmarc1/i.test(text))
      ? { code: 'DMARC_SYNTAX' }
      : { code: 'DMARC_MISSING', detail: String(texts.length) };
  }
  if (record === value) return MATCH;
  // Which policy to have is the owner's choice: any that receivers can read is right.
  const tags = parseTags(record);
  const isReadable = tags !== null && /^(none|quarantine|reject)$/i.test(tags.get('p') ?? 'none');
  return isReadable ? MATCH : { code: 'DMARC_SYNTAX' };
}

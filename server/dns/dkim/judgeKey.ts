import { isFailure, judge, type Judgement } from '../catalogue/catalogue.ts';
import type { KeyOwner } from '../catalogue/dkim.ts';
import { readKeyMaterial } from './readKeyMaterial.ts';

/** Bits. RFC 8301, section 3.2: receivers reject shorter keys, and need not support longer ones. */
const BITS_MIN = 1024;
const BITS_RECOMMENDED = 2048;
const BITS_MAX = 4096;
/** Characters: several times the longest real key. */
const TEXT_MAX = 8192;
const SHOWN_MAX = 20;
const LIST_MAX = 10;

const ARMOUR = /-{1,9} ?(?:BEGIN|END) [A-Z0-9 ]{1,40}-{1,9}/g;

const ENTITY = /&(?:#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,8});/i;

/** A folded line, the only white space with a line break (RFC 6376, section 2.8). */
const FOLD = /\r\n[ \t]/g;

export function judgeKey(text: string, by: KeyOwner): Judgement {
  const judged = judgeWritten(text, by);
  const isBroken = judged.code === 'DKIM_SYNTAX' || judged.code === 'DKIM_BROKEN_KEY';
  const [entity] = (isBroken && ENTITY.exec(text)) || [];
  if (entity === undefined) return judged;
  const why = `it was encoded for a web page: "${entity}" stands where a single character belongs`;
  return judge('DKIM_BROKEN_KEY', { by, why });
}

function judgeWritten(text: string, by: KeyOwner): Judgement {
  if (text.length > TEXT_MAX) return judge('DKIM_SYNTAX', { by, what: 'it is longer than any key' });
  const armour = text.match(ARMOUR)?.join(' ') ?? '';
  if (armour.includes('PRIVATE')) return judge('DKIM_PRIVATE_KEY', { by, isListed: false });
  if (armour.includes('CERTIFICATE')) return judge('DKIM_CERTIFICATE', { by });
  if (armour !== '') return judge('DKIM_PEM_LINES', { by });
  const record = readDkim(text);
  if ('what' in record) return judge('DKIM_SYNTAX', { by, what: record.what });
  const { tags } = record;
  const version = tags.get('v');
  if (version !== undefined && [...tags.keys()][0] !== 'v') return judge('DKIM_VERSION_NOT_FIRST', { by });
  if (version !== undefined && version !== 'DKIM1') return judge('DKIM_VERSION', { by, version: truncate(version) });
  const judged = judgeTags(tags, by);
  const what = looseSyntax(text);
  return what !== null && !isFailure(judged) ? judge('DKIM_LOOSE_SYNTAX', { by, what }) : judged;
}

/** What some receivers refuse, as the grammar does (RFC 6376, section 3.2), as the end of a sentence; null for nothing. */
function looseSyntax(text: string): string | null {
  if (/(?:^|;)[ \t\r\n]*;/.test(text)) return 'there is nothing between two ";"';
  return /[\r\n]/.test(text.replaceAll(FOLD, ' ')) ? 'it has a line break inside' : null;
}

function judgeTags(tags: ReadonlyMap<string, string>, by: KeyOwner): Judgement {
  const key = tags.get('p') ?? '';
  if (key === '') return judge('DKIM_REVOKED', { by });
  const writtenKind = kindOf(tags);
  const kind = writtenKind.toLowerCase();
  if (kind !== 'rsa' && kind !== 'ed25519') return judge('DKIM_UNKNOWN_KIND', { by, kind: truncate(writtenKind) });
  if (/%(2b|2f|3d)/i.test(key)) {
    return judge('DKIM_BROKEN_KEY', { by, why: 'it was encoded for a web address: "%2B" stands where "+" belongs' });
  }
  const material = readKeyMaterial(kind, key);
  if (material.state === 'private') return judge('DKIM_PRIVATE_KEY', { by, isListed: false });
  if (material.state === 'certificate') return judge('DKIM_CERTIFICATE', { by });
  if (material.state === 'broken') return judge('DKIM_BROKEN_KEY', { by, why: material.why });
  const { bits } = material;
  if (kind === 'rsa' && bits < BITS_MIN) return judge('DKIM_WEAK_KEY', { by, bits });
  const hashes = parseColonList(tags.get('h') ?? 'sha256');
  const hash = hashes.find((one) => one.toLowerCase() === 'sha256');
  if (hash === undefined) return judge('DKIM_WITHOUT_SHA256', { by, hashes });
  const services = parseColonList(tags.get('s') ?? '*');
  if (!services.includes('*') && !services.includes('email')) return judge('DKIM_NOT_FOR_MAIL', { by, services });
  // RFC 6376: capitals count in values (section 3.2), and not in the literals of its grammar (section 3.6.1).
  const capitals = kind !== writtenKind ? `k=${writtenKind}` : hashes.includes('sha256') ? null : `h=${hash}`;
  if (capitals !== null) {
    return judge('DKIM_LOOSE_SYNTAX', { by, what: `"${capitals}" must be in small letters` });
  }
  if (parseColonList(tags.get('t') ?? '').some((flag) => flag.toLowerCase() === 'y'))
    return judge('DKIM_TEST_MODE', { by });
  if (kind === 'ed25519') return judge('DKIM_ED25519', { by });
  if (material.isPkcs1) return judge('DKIM_PKCS1', { by });
  if (bits < BITS_RECOMMENDED) return judge('DKIM_SHORT_KEY', { by, bits });
  return bits > BITS_MAX ? judge('DKIM_LONG_KEY', { by, bits }) : judge('MATCH', {});
}

/** An identity of a key, equal for its private and public form; null when the text has no key, undefined for a private key that can't be read. */
export function keyIdentity(text: string): string | null | undefined {
  if (text.length > TEXT_MAX) return null;
  const bare = text.replaceAll(ARMOUR, '');
  const record = readDkim(/p[ \t]*=/.test(bare) ? bare : `p=${bare}`);
  if ('what' in record) return null;
  const material = readKeyMaterial(kindOf(record.tags).toLowerCase(), record.tags.get('p') ?? '');
  return 'identity' in material ? material.identity : null;
}

/** The base64 of `p=` without white space; null when the text is not a DKIM key. */
export function writtenKey(text: string): string | null {
  const record = text.length > TEXT_MAX ? null : readDkim(text);
  return record === null || 'what' in record ? null : (record.tags.get('p') ?? '').replaceAll(/[ \t\r\n]/g, '');
}

function truncate(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function kindOf(tags: ReadonlyMap<string, string>): string {
  return tags.get('k') ?? 'rsa';
}

function parseColonList(value: string): string[] {
  return value
    .split(':')
    .slice(0, LIST_MAX)
    .map((one) => truncate(one.trim()));
}

type DkimRecord = { tags: ReadonlyMap<string, string> } | { what: string };

const TAG = /^[ \t\r\n]*([a-z]\w*)[ \t\r\n]*=([^]*)$/i;
const GLUED = /([ ,:]) ?([vkhstp]) ?= ?[^ =]/;
const PIECE_SHOWN_MAX = 30;
const KEY_MIN = 100;

function readDkim(text: string): DkimRecord {
  const other = /^[ \t]*v[ \t]*=[ \t]*(spf1|dmarc1)\b/i.exec(text)?.[1]?.toLowerCase();
  if (other !== undefined) return { what: `it is ${other === 'spf1' ? 'an SPF' : 'a DMARC'} record` };
  const tags = new Map<string, string>();
  for (const piece of text.split(';')) {
    if (/^[ \t\r\n]*$/.test(piece)) continue;
    const [, tag = '', written = ''] = TAG.exec(piece) ?? [];
    if (tag === '') return { what: untagged(piece) };
    const value = written.replaceAll(/[ \t\r\n]+/g, ' ').trim();
    const [, separator = '', next = ''] = (tag === 'n' ? null : GLUED.exec(value)) ?? [];
    if (next !== '') {
      const there = separator.trim() === '' ? 'is missing' : `is written as "${separator}"`;
      return { what: `the ";" before "${next}=" ${there}` };
    }
    if (tags.has(tag)) return { what: `"${tag}=" is there twice` };
    tags.set(tag, value);
  }
  if (tags.has('p')) return { tags };
  return { what: tags.has('P') ? 'tags must be in lower case, and "P=" is not' : '"p=" with the key is missing' };
}

function untagged(piece: string): string {
  const written = piece.trim();
  if (written.length >= KEY_MIN && /^[a-z0-9+/=\s]+$/i.test(written)) return 'there is no "p=" before the key';
  return `"${written.length > PIECE_SHOWN_MAX ? `${written.slice(0, PIECE_SHOWN_MAX)}…` : written}" is no tag with a value`;
}

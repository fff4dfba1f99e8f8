import { turnToBeginning } from '../text/measureCut.ts';
import { decodeEntities, decodePercent } from '../text/decode.ts';
import { plainText, withoutQuotes } from '../text/plainText.ts';
import { DmarcTags } from './dmarcTags.ts';
import {
  type DmarcRecord,
  isDmarc,
  isKnownTag,
  isValidTagValue,
  POLICY_TAGS,
  readDmarc,
  readTag,
} from './dmarcRecord.ts';

export type DmarcInterpretation = Pick<DmarcRecord, 'text' | 'tags'> & {
  errors: readonly string[];
  isPolicyRead: boolean;
  /** Addresses and policies that are not clear, and would be lost in a repaired record. */
  lost: readonly string[];
};

const VERSION = /^[\s;,]*(?:v\s*[=:]+\s*DMARC\s*-?\d*|DMARC1(?=[;,\s]))(?:\.\d*)?/i;
/** A version in the middle of a text, where nothing separates it from what is before. */
const GLUED_VERSION = /(?<=[^;,\s"])v=DMARC1[ \t]*;/;
const OTHER_VERSION = /^\s*v\s*=\s*(?:\w{1,12}\s*)?(?=;)/i;
/** A known tag, with whatever is written instead of "=". The lookbehind avoids quadratic time for long separators. */
const KNOWN = /(?<=^|[\s,:|])(adkim|aspf|fo|np|p|pct|psd|rf|ri|rua|ruf|sp|t)\s*([=:])[=\s]*/i;
const START = new RegExp(`${KNOWN.source}|(?<=^|[\\s,|])([a-z]\\w*)\\s*(=)[=\\s]*`, 'gi');
/** A record that was encoded as a whole. In an address for reports, a percent sign is part of it (RFC 3986). */
const ENCODED_VERSION = /^\s*v(?:=|%3D)DMARC1(?:%20)?%3B/i;
const SEPARATORS = ' \t\n\v\f\r,:|';
/** Characters. A longer record is only parsed as receivers do. */
const TEXT_MAX = 4096;
const ERRORS_MAX = 6;

export function interpretDmarc(text: string): DmarcInterpretation | null {
  const isLong = text.length > TEXT_MAX;
  if (isLong && !isDmarc(text)) return null;
  const strict = readDmarc(text);
  if (isDmarc(text) && (isLong || isWhole(strict))) {
    return { text, tags: strict.tags, errors: [], isPolicyRead: true, lost: [] };
  }
  const turned = turnToBeginning(text, GLUED_VERSION);
  const inOrder = turned === null || !isDmarc(turned) ? null : interpretDmarc(turned);
  if (inOrder?.errors.length === 0 && inOrder.tags.has('p')) {
    return { ...inOrder, text, errors: ['its strings are in the wrong order'], isPolicyRead: false };
  }
  const spelled = withoutQuotes(plainText(text)).replaceAll(/<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/gi, ' ');
  const decoded = decodeEntities(ENCODED_VERSION.test(spelled) ? decodePercent(spelled) : spelled);
  const written = decoded.replaceAll(/["\\`]/g, '').trim();
  const plain = versionFirst(written);
  const version = VERSION.exec(plain)?.[0] ?? missingVersion(plain);
  if (version === null) return null;
  const tags = new DmarcTags();
  if (decoded !== spelled) tags.addError('it was encoded for a web page or a web address');
  if (!isDmarc(decoded === spelled ? text : plain)) {
    tags.addError(plain === written ? versionError(plain, version) : '"v=DMARC1" must come first');
  }
  for (const piece of plain.slice(version.length).split(';')) {
    const read = readTag(piece);
    if (read === null || isGlued(...read)) readPiece(tags, piece);
    else tags.add(...read);
  }
  if (tags.errors.length === 0) tags.addError('it has characters that do not belong there');
  const isSame = POLICY_TAGS.every((tag) => strict.tags.get(tag)?.toLowerCase() === tags.values.get(tag));
  return {
    text,
    tags: tags.values,
    errors: tags.errors.slice(0, ERRORS_MAX),
    isPolicyRead: isDmarc(text) && isSame && !tags.hasDuplicate && !tags.isPolicyUnknown,
    lost: tags.unclearParts,
  };
}

function isWhole({ tags, unreadable }: DmarcRecord): boolean {
  return unreadable.length === 0 && ![...tags].some(([tag, value]) => isGlued(tag, value));
}

function isGlued(tag: string, value: string): boolean {
  return !isKnownTag(tag) && value.search(KNOWN) > 0;
}

function versionFirst(plain: string): string {
  const [whole] = /;\s*v\s*=\s*DMARC1\s*(?=;|$)/i.exec(plain) ?? [];
  return whole === undefined || VERSION.test(plain) ? plain : `v=DMARC1; ${plain.replace(whole, '')}`;
}

/**
 * What is written instead of the version, before DMARC tags with a policy only; null when the text is anything else.
 */
function missingVersion(plain: string): string | null {
  const [version = ''] = OTHER_VERSION.exec(plain) ?? [];
  const pieces = plain.slice(version.length).split(';');
  const tags = pieces.filter((piece) => piece.trim() !== '').map((piece) => piece.split('='));
  if (!tags.every(([tag = '', value]) => value !== undefined && isKnownTag(tag.trim().toLowerCase()))) return null;
  const policy = tags.find(([tag = '']) => tag.trim().toLowerCase() === 'p')?.[1];
  return policy !== undefined && isValidTagValue('p', policy.trim()) ? version : null;
}

function versionError(plain: string, version: string): string {
  if (version === '') return '"v=DMARC1" is missing at its beginning';
  if (!/DMARC1$/i.test(version)) return `it begins with "${version.trim()}", and must begin with "v=DMARC1;"`;
  const next = plain.slice(version.length).trimStart().charAt(0);
  if (version.endsWith('DMARC1') && /[,:.|]/.test(next)) return `"${next}" stands after "v=DMARC1" where ";" belongs`;
  if (version.endsWith('DMARC1') && next !== ';') return '";" is missing after "v=DMARC1"';
  return `it begins with "${version.trim()}", and must begin with "v=DMARC1;" in these very letters`;
}

function readPiece(tags: DmarcTags, piece: string): void {
  const starts = [...piece.matchAll(START)];
  const [first] = starts;
  const before = withoutSeparators(piece.slice(0, first?.index));
  if (before !== '') readLoose(tags, before);
  for (const [at, start] of starts.entries()) {
    const [whole] = start;
    const [tag = '', equals = ''] = start[1] === undefined ? start.slice(3) : start.slice(1);
    const value = piece.slice(start.index + whole.length, starts[at + 1]?.index);
    const separator = piece.slice(withoutSeparatorsAtEnd(piece, start.index), start.index);
    if (separator.length < start.index) tags.addError(separatorError(separator.trim(), tag));
    const bare = withoutSeparators(value);
    if (equals === ':')
      tags.addError(`"${tag}:${bare.slice(0, 20)}" must be written with "=", as "${tag}=${bare.slice(0, 20)}"`);
    tags.addInterpreted(tag.toLowerCase(), bare);
  }
}

function withoutSeparators(text: string): string {
  let from = 0;
  while (from < text.length && `${SEPARATORS}=`.includes(text.charAt(from))) from++;
  return text.slice(from, Math.max(from, withoutSeparatorsAtEnd(text, text.length)));
}

function withoutSeparatorsAtEnd(text: string, end: number): number {
  let from = end;
  while (from > 0 && SEPARATORS.includes(text.charAt(from - 1))) from--;
  return from;
}

function separatorError(separator: string, tag: string): string {
  return separator === ''
    ? `";" is missing before "${tag}="`
    : `"${separator.slice(0, 3)}" stands before "${tag}=" where ";" belongs`;
}

function readLoose(tags: DmarcTags, text: string): void {
  const [, written = 'p', policy] = /^\W*(?:(p|sp|np|policy)\b\W*)?(none|quarantine|reject)\W*$/i.exec(text) ?? [];
  const tag = written.toLowerCase().replace('policy', 'p');
  if (policy !== undefined && !tags.values.has(tag)) {
    tags.addError(`"${text}" must be written as "${tag}=${policy.toLowerCase()}"`);
    tags.addInterpreted(tag, policy);
  } else if (text.includes('@')) {
    tags.addAddresses(text);
  } else {
    tags.addUnrecognised(text);
  }
}

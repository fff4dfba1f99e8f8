import { plainText, withoutQuotes } from '../text/plainText.ts';
import { decodeEntities, decodePercent } from '../text/decode.ts';
import { listNonPlainCharacters } from '../text/detectCorruption.ts';
import { isLookAlike, withLatinLetters } from '../text/lookAlikes.ts';
import { isSpf, parseSpf, parseTerm, RECORD_MAX, isLookUpMechanism, isRedirect } from './evaluation/parseSpf.ts';
import { memoizeByText } from './evaluation/memoizeByText.ts';
import { isIP } from 'node:net';
import { normalizeDnsName } from '#contract/values/dnsName.ts';

export type WordRepair = { found: string; should: string | null };

export type RepairedSpf = {
  record: string;
  /** The beginning of the record, when it is not "v=spf1" and a blank; else null. */
  version: string | null;
  prefix: string;
  /** Whether the prefix may be needed: it is not part of a line of a zone file, nor a label of a form. */
  isJoined: boolean;
  isEncoded: boolean;
  isQuoted: boolean;
  isIndented: boolean;
  /** Characters that are neither ASCII nor letters, and the text before the first of them. */
  characters: readonly string[];
  after: string;
  corrections: readonly WordRepair[];
};

const TERM = String.raw`[+\-~?]?(?:all\b|include\b|ip[v46:=]|(?:a|mx|ptr)(?=[\s:/;,]|$)|exists\b|redirect\b|exp=)`;
const VERSIONS = [
  // This version does not exist, but Sender ID has "spf2.0", and letters and digits look alike.
  new RegExp(String.raw`^v *[=:] *spf *(?:1\.0|2(?:\.0)?|v1|[il])[ ;,.:]+(?=${TERM})`, 'i'),
  new RegExp(String.raw`^v *[=:] *(?:sfp|psf|fsp|sp|sf) *1[ ;,.:]+(?=${TERM})`, 'i'),
  new RegExp(String.raw`^v *[=:] *spf *1(?:[ ;,.:]+|$|(?=${TERM}))`, 'i'),
  new RegExp(String.raw`^(?:v *[=:] *)?spf(?: *1)?[ ;,.:]+(?=${TERM})`, 'i'),
];

/** `example.net. 300 IN TXT `, `TXT: `, `@ TXT ` */
const ZONE_LINE = /^(?:(?!v *[=:])[^ ]+ +)?(?:\d+[smhdw]? +)?(?:in +)?(?:txt|spf)(?: +record)?[ :=(]+(?=v *[=:] *spf)/i;
const INNER = new RegExp(String.raw`(?<=[ ;,:.])v=spf1 +(?=${TERM})`, 'i');
const ENDED = /[+\-~? ]all\b| redirect=/i;
const SENDER_ID = /^(?:v *= *)?spf *2\.0(?:\/[a-z,]*)? +/i;

/** Characters. Records entered by hand are shorter, and no service needs longer ones. */
const TEXT_MAX = 4096;

export const repairSpf = memoizeByText((text) =>
  text.length > TEXT_MAX ? repairNothing(text) : repairText(text, (plain) => ZONE_LINE.exec(plain)?.[0] ?? ''),
);

/** Interprets the terms after other text, or after the version of Sender ID; null when there are none. */
export const repairHiddenSpf = memoizeByText((text) =>
  text.length > TEXT_MAX ? null : (repairSenderId(text) ?? repairJoined(text)),
);

export function isSenderId(text: string): boolean {
  return /^["\s]*(?:v *= *)?spf *2\.0\b/i.test(text);
}

function repairSenderId(text: string): RepairedSpf | null {
  const plain = withoutQuotes(decodePercent(decodeEntities(plainText(text))).replaceAll(/["\\]/g, ''));
  const version = SENDER_ID.exec(`${plain} `)?.[0];
  return version === undefined ? null : repairSpf(`v=spf1 ${plain.slice(version.length)}`);
}

function repairJoined(text: string): RepairedSpf | null {
  const repaired = repairText(text, (plain) => plain.slice(0, INNER.exec(plain)?.index));
  return repaired !== null && ENDED.test(repaired.record) ? { ...repaired, isJoined: true } : null;
}

function repairNothing(text: string): RepairedSpf | null {
  if (!isSpf(text) || text.length > RECORD_MAX) return null;
  const { terms, errors } = parseSpf(text);
  return {
    record: ['v=spf1', ...terms.map((term) => term.text)].join(' '),
    version: null,
    prefix: '',
    isJoined: false,
    isEncoded: false,
    isQuoted: false,
    isIndented: false,
    characters: [],
    after: '',
    corrections: errors.map((found) => ({ found, should: null })),
  };
}

function repairText(text: string, prefixOf: (plain: string) => string): RepairedSpf | null {
  const spelled = plainText(text);
  const decoded = decodePercent(decodeEntities(spelled));
  const cleaned = decoded.replaceAll(/[\u02dc\u223c]/g, '~').replaceAll(/[\udc80-\udcff]/gu, latin1);
  const whole = withoutQuotes(cleaned.replaceAll(/["\\]/g, ''));
  const prefix = prefixOf(whole);
  const plain = whole.slice(prefix.length);
  const [version] = VERSIONS.flatMap((pattern) => pattern.exec(plain)?.[0] ?? []);
  if (version === undefined) return null;
  const words = joinedWords(plain.slice(version.length).split(/ +/).filter(Boolean));
  const hasEnd = words.some(({ word }) => /^[+\-~?]?all\b|^redirect[=:]/i.test(word));
  const corrections = words.map(({ found, word }, at) => {
    if (/^v=spf1$/i.test(word)) return { found, should: '' };
    // "-a" is valid, but at the end it is usually a truncated "-all".
    const isCut = !hasEnd && at === words.length - 1 && /^[-~?]a$/i.test(word);
    return { found, should: isCut ? `${word}ll` : repairWord(word, at) };
  });
  const isRight = /^v=spf1 *$/i.test(version) && (version.endsWith(' ') || words.length === 0);
  return {
    record: ['v=spf1', ...corrections.flatMap(({ should }) => should || [])].join(' '),
    version: isRight ? null : `${version.trimEnd()}${version.endsWith('1') ? (words[0]?.found ?? '') : ''}`,
    prefix: prefix.trim(),
    isJoined: false,
    isEncoded: decoded !== spelled,
    isQuoted: /["\\'`]/.test(cleaned),
    isIndented: text.startsWith(' '),
    // Letters may belong to an internationalised name.
    ...listNonPlainCharacters(text.replaceAll(/(?![a-z])[\p{L}\p{M}]/giu, '')),
    corrections: corrections.filter(({ found, should }) => found !== should),
  };
}

/** Decodes an invalid byte (contract/values/characterStrings.ts) as Latin-1. */
function latin1(half: string): string {
  return String.fromCharCode(half.charCodeAt(0) & 0xff);
}

/** Upper limit of words. Longer records are not repaired. */
const WORDS_MAX = 500;

function repairWord(word: string, at: number): string | null {
  if (at >= WORDS_MAX) return parseTerm(word) === null ? null : word;
  return repairTerm(word)?.join(' ') ?? null;
}

/** Joins terms split by a blank: "- all", "include: spf.example.net". */
function joinedWords(words: readonly string[]): { found: string; word: string }[] {
  const joined: { found: string; word: string }[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const link = before && findLink(before.word, word);
    if (before === undefined || link === undefined) joined.push({ found: word, word });
    else joined[joined.length - 1] = { found: `${before.found} ${word}`, word: `${before.word}${link}${word}` };
  }
  return joined;
}

function findLink(before: string, word: string): string | undefined {
  if (/^[+\-~?]$/.test(before)) return '';
  const isValue = parseTerm(word) === null && /^(?:[^:=]+\.[^:=]|[\da-f:.]+(?:\/\d+)?$)/i.test(word);
  if (!isValue) return undefined;
  if (/^[+\-~?]?(?:include|exists|redirect|ipv?[46]|a|mx)[:=]$/i.test(before)) return '';
  return /^[+\-~?]?(?:include|exists|redirect|ipv?[46])$/i.test(before) ? ':' : undefined;
}

/** Characters. Terms are shorter; longer words are not repaired. */
const WORD_MAX = 1000;

function repairTerm(word: string): string[] | null {
  if (isPlausible(word)) return [word];
  // A name that is not a valid host may still be intended, and receivers accept it.
  return (word.length > WORD_MAX ? null : repairPieces(word)) ?? (parseTerm(word) === null ? null : [word]);
}

function repairPieces(word: string): string[] | null {
  const pieces = word.includes('%') ? [word] : word.split(/[;,&]+/).filter(Boolean);
  const repaired: string[] = [];
  for (const piece of pieces) {
    const whole = repairPiece(piece);
    const parts = whole === null ? piece.split(START).map(repairPiece) : [whole];
    for (const part of parts) {
      if (part === null) return null;
      repaired.push(part);
    }
  }
  return repaired;
}

/** The start of a term inside a word that lost a blank. */
const START = /(?<=[^+\-~?])(?=[+\-~?]?(?:include|ip4|ip6|exists|mx|a|ptr):|redirect=|exp=|[+\-~?]all)/i;

/** Whether a term is valid, and does not look like a mistake for another valid one. */
function isPlausible(word: string): boolean {
  const term = parseTerm(word);
  if (term === null) return false;
  if (term.kind === 'modifier') return !MECHANISM_AS_MODIFIER.test(word);
  if (!isLookUpMechanism(term) && !isRedirect(term)) return true;
  if (term.target === null || term.written.includes('%')) return true;
  // No top-level domain ends in "-all": a blank is missing.
  return normalizeDnsName(term.written) !== null && !/-all\.?$/i.test(term.written);
}

const MECHANISM_AS_MODIFIER = /^(?:include|ipv?[46]?|a|mx|exists|ptr)=/i;

const REWRITES: readonly ((word: string) => string)[] = [
  (word) => word.replace(/(?<![.;,:])[.;,:]+$/, ''),
  (word) => word.replaceAll(/['`]/g, ''),
  (word) => word.replace(/^([-~?])(?:al?|l|al1|a11|alll|aall)?$/i, '$1all'),
  (word) => word.replace(/^([-~?])\1+/, '$1'),
  (word) => word.replace(/^([+\-~?]?(?:include|a|mx|exists|ptr))=/i, '$1:'),
  (word) => word.replace(/^(redirect|exp):/i, '$1='),
  networkOf,
  withLatinLetters,
  withHostName,
];

function repairPiece(word: string): string | null {
  // A word may have two mistakes: "include=https://spf.example.net/".
  const once = listRewrites(word);
  const tried = new Set([word, ...once, ...once.flatMap(listRewrites)]);
  return [...tried].find(isPlausible) ?? null;
}

function listRewrites(word: string): string[] {
  return REWRITES.map((rewrite) => rewrite(word)).filter((other) => other !== word);
}

function networkOf(word: string): string {
  const [, qualifier = '', address = '', length = ''] =
    /^([+\-~?]?)(?:(?:ipv?[46]?|a|mx|include)[:=])?\[?([\da-f:.]+)\]?(\/\d{1,3})?$/i.exec(word) ?? [];
  const family = isIP(address);
  return family === 0 ? word : `${qualifier}ip${family}:${address}${length}`;
}

function withHostName(word: string): string {
  const [, front = '', target = ''] = /^([+\-~?]?(?:include|a|mx|exists|ptr):|redirect=)(.*)$/is.exec(word) ?? [];
  const host = target
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^.*@/s, '')
    .replace(/[/?#].*$/s, '');
  const name = isLookAlike(host) ? null : normalizeDnsName(host);
  return name === null ? word : `${front}${name}`;
}

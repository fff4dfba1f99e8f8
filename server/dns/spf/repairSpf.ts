import { plainText, withoutQuotes } from '../text/plainText.ts';
import { listNonPlainCharacters } from '../text/detectCorruption.ts';
import { withoutEntities } from './htmlEntities.ts';
import { repairTerm } from './repairTerm.ts';
import { isSpf, parseSpf, parseTerm, RECORD_MAX } from './parseSpf.ts';
import { memoizeByText } from './memoizeByText.ts';

/** A wrong word and its correction; empty when it should be removed, null when it is not known. */
export type WordRepair = { found: string; should: string | null };

export type RepairedSpf = {
  /** The intended terms, as far as they are clear. */
  record: string;
  /** The beginning of the record, when it is not "v=spf1" and a blank; else null. */
  version: string | null;
  /** The text before that, or empty. */
  prefix: string;
  /** Whether the prefix may be needed: it is not part of a line of a zone file, nor a label of a form. */
  isJoined: boolean;
  /** Whether it has HTML entities. */
  isEncoded: boolean;
  isQuoted: boolean;
  isIndented: boolean;
  /** Characters that are neither ASCII nor letters, and the text before the first of them. */
  characters: readonly string[];
  after: string;
  /** The wrong words. */
  mendings: readonly WordRepair[];
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
/** A record after any other text, from its beginning to its end. */
const INNER = new RegExp(String.raw`(?<=[ ;,:.])v=spf1 +(?=${TERM})`, 'i');
const ENDED = /[+\-~? ]all\b| redirect=/i;
const SENDER_ID = /^(?:v *= *)?spf *2\.0(?:\/[a-z,]*)? +/i;

/** Characters. Records entered by hand are shorter, and no service needs longer ones. */
const TEXT_MAX = 4096;

/** Interprets a possibly malformed SPF record; null when the text is not meant as one. */
export const repairSpf = memoizeByText((text) =>
  text.length > TEXT_MAX ? repairNothing(text) : repairText(text, (plain) => ZONE_LINE.exec(plain)?.[0] ?? ''),
);

/** Interprets the terms after other text, or after the version of Sender ID; null when there are none. */
export const repairHiddenSpf = memoizeByText((text) =>
  text.length > TEXT_MAX ? null : (repairSenderId(text) ?? repairJoined(text)),
);

/** Whether a text begins like a record of Sender ID (RFC 4406). */
export function isSenderId(text: string): boolean {
  return /^["\s]*(?:v *= *)?spf *2\.0\b/i.test(text);
}

function repairSenderId(text: string): RepairedSpf | null {
  const plain = withoutQuotes(withoutEntities(plainText(text)).replaceAll(/["\\]/g, ''));
  const version = SENDER_ID.exec(`${plain} `)?.[0];
  return version === undefined ? null : repairSpf(`v=spf1 ${plain.slice(version.length)}`);
}

function repairJoined(text: string): RepairedSpf | null {
  const mended = repairText(text, (plain) => plain.slice(0, INNER.exec(plain)?.index));
  return mended !== null && ENDED.test(mended.record) ? { ...mended, isJoined: true } : null;
}

/** For a record that is too long to be repaired, the words that are valid. */
function repairNothing(text: string): RepairedSpf | null {
  if (!isSpf(text) || text.length > RECORD_MAX) return null;
  const { terms, faults } = parseSpf(text);
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
    mendings: faults.map((found) => ({ found, should: null })),
  };
}

function repairText(text: string, prefixOf: (plain: string) => string): RepairedSpf | null {
  const spelled = plainText(text);
  const decoded = withoutEntities(spelled);
  const cleaned = decoded.replaceAll(/[\u02dc\u223c]/g, '~').replaceAll(/[\udc80-\udcff]/gu, latin1);
  const whole = withoutQuotes(cleaned.replaceAll(/["\\]/g, ''));
  const prefix = prefixOf(whole);
  const plain = whole.slice(prefix.length);
  const [version] = VERSIONS.flatMap((pattern) => pattern.exec(plain)?.[0] ?? []);
  if (version === undefined) return null;
  const words = joinedWords(plain.slice(version.length).split(/ +/).filter(Boolean));
  const hasEnd = words.some(({ word }) => /^[+\-~?]?all\b|^redirect[=:]/i.test(word));
  const mendings = words.map(({ found, word }, at) => {
    if (/^v=spf1$/i.test(word)) return { found, should: '' };
    // "-a" is valid, but at the end it is usually a truncated "-all".
    const isCut = !hasEnd && at === words.length - 1 && /^[-~?]a$/i.test(word);
    return { found, should: isCut ? `${word}ll` : repairWord(word, at) };
  });
  const isRight = /^v=spf1 *$/i.test(version) && (version.endsWith(' ') || words.length === 0);
  return {
    record: ['v=spf1', ...mendings.flatMap(({ should }) => should || [])].join(' '),
    version: isRight ? null : `${version.trimEnd()}${version.endsWith('1') ? (words[0]?.found ?? '') : ''}`,
    prefix: prefix.trim(),
    isJoined: false,
    isEncoded: decoded !== spelled,
    isQuoted: /["\\'`]/.test(cleaned),
    isIndented: text.startsWith(' '),
    // Letters may belong to an internationalised name.
    ...listNonPlainCharacters(text.replaceAll(/(?![a-z])[\p{L}\p{M}]/giu, '')),
    mendings: mendings.filter(({ found, should }) => found !== should),
  };
}

/** Decodes an invalid byte (contract/characterStrings.ts) as Latin-1. */
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

/** The text to join two words of one term; undefined when they are two terms. */
function findLink(before: string, word: string): string | undefined {
  if (/^[+\-~?]$/.test(before)) return '';
  const isValue = parseTerm(word) === null && /^(?:[^:=]+\.[^:=]|[\da-f:.]+(?:\/\d+)?$)/i.test(word);
  if (!isValue) return undefined;
  if (/^[+\-~?]?(?:include|exists|redirect|ipv?[46]|a|mx)[:=]$/i.test(before)) return '';
  return /^[+\-~?]?(?:include|exists|redirect|ipv?[46])$/i.test(before) ? ':' : undefined;
}

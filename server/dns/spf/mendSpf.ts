import { plainText, withoutQuotes } from '../text/plainText.ts';
import { spoiltCharacters } from '../text/spoiltBy.ts';
import { mendTerm } from './mendTerm.ts';
import { parseTerm } from './parseSpf.ts';

/** A word of a record that should be another; `should` is empty for one that should not be there, null when nobody can tell. */
export type Mending = { found: string; should: string | null };

export type Mended = {
  /** What was meant, as far as anybody can tell. */
  record: string;
  /** What the record begins with in place of "v=spf1" and a blank; null when it begins with that. */
  version: string | null;
  isQuoted: boolean;
  isIndented: boolean;
  /** Characters that are not ASCII and no letters, and what stands before the first of them. */
  characters: readonly string[];
  after: string;
  /** The words that are not right. */
  mendings: readonly Mending[];
};

const TERM = String.raw`[+\-~?]?(?:all\b|include\b|ip[v46:=]|(?:a|mx|ptr)(?=[\s:/;,]|$)|exists\b|redirect\b|exp=)`;
const VERSIONS = [
  new RegExp(String.raw`^v\s*[=:]\s*spf\s*1(?:[\s;,.:]+|$|(?=${TERM}))`, 'i'),
  new RegExp(String.raw`^(?:v\s*[=:]\s*)?spf\s*1?[\s;,.:]+(?=${TERM})`, 'i'),
];

/** What an SPF record means that may be spoilt; null when the text is not meant as one. */
export function mendSpf(text: string): Mended | null {
  const cleaned = plainText(text)
    .replaceAll(/[\u02dc\u223c]/g, '~')
    .replaceAll(/[\udc80-\udcff]/gu, latin1);
  const plain = withoutQuotes(cleaned.replaceAll(/["\\]/g, ''));
  const [version] = VERSIONS.flatMap((pattern) => pattern.exec(plain)?.[0] ?? []);
  if (version === undefined) return null;
  const words = joinedWords(plain.slice(version.length).split(/ +/).filter(Boolean));
  const hasEnd = words.some(({ word }) => /^[+\-~?]?all\b|^redirect[=:]/i.test(word));
  const mendings = words.map(({ found, word }, at) => {
    if (/^v=spf1$/i.test(word)) return { found, should: '' };
    // Receivers can read "-a", but at the end it is what is left of "-all".
    const isCut = !hasEnd && at === words.length - 1 && /^[-~?]a$/i.test(word);
    return { found, should: isCut ? `${word}ll` : mended(word, at) };
  });
  const isRight = /^v=spf1 *$/i.test(version) && (version.endsWith(' ') || words.length === 0);
  return {
    record: ['v=spf1', ...mendings.flatMap(({ should }) => should || [])].join(' '),
    version: isRight ? null : `${version.trimEnd()}${version.endsWith('1') ? (words[0]?.found ?? '') : ''}`,
    isQuoted: /["\\'`]/.test(cleaned),
    isIndented: text.startsWith(' '),
    // Letters may be those of a name in another alphabet.
    ...spoiltCharacters(text.replaceAll(/(?![a-z])[\p{L}\p{M}]/giu, '')),
    mendings: mendings.filter(({ found, should }) => found !== should),
  };
}

/** A byte that is no UTF-8 (contract/characterStrings.ts), as the letter that it is in Latin-1. */
function latin1(half: string): string {
  return String.fromCharCode(half.charCodeAt(0) & 0xff);
}

/** Nobody types more words; whoever has more is not mended. */
const WORDS_MAX = 500;

function mended(word: string, at: number): string | null {
  if (at >= WORDS_MAX) return parseTerm(word) === null ? null : word;
  return mendTerm(word)?.join(' ') ?? null;
}

/** Joins what a blank took apart: "- all", "include: spf.example.net". */
function joinedWords(words: readonly string[]): { found: string; word: string }[] {
  const joined: { found: string; word: string }[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const link = before && linkOf(before.word, word);
    if (before === undefined || link === undefined) joined.push({ found: word, word });
    else joined[joined.length - 1] = { found: `${before.found} ${word}`, word: `${before.word}${link}${word}` };
  }
  return joined;
}

/** What belongs between two words that are one term; undefined when they are not. */
function linkOf(before: string, word: string): string | undefined {
  if (/^[+\-~?]$/.test(before)) return '';
  const isValue = parseTerm(word) === null && /^(?:[^:=]+\.[^:=]|[\da-f:.]+(?:\/\d+)?$)/i.test(word);
  if (!isValue) return undefined;
  if (/^[+\-~?]?(?:include|exists|redirect|ipv?[46]|a|mx)[:=]$/i.test(before)) return '';
  return /^[+\-~?]?(?:include|exists|redirect|ipv?[46])$/i.test(before) ? ':' : undefined;
}
